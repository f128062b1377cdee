"""What templates in running text say, by their names; those of which nothing is known here say nothing."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

_DATES = frozenset(
    {"start date", "end date", "birth date", "death date", "start date and age", "birth date and age", "death date and age", "date", "dts"}
    | {"film date", "release date", "launch date", "start-date", "end-date", "birth-date", "death-date", "bda", "dob", "birth-date and age"}
)
LISTS = frozenset({"ubl", "unbulleted list", "plainlist", "flatlist", "hlist", "bulleted list", "columns-list", "col-list", "cslist", "ordered list"})
"""Templates whose values are a list, one item per value or per line."""
_FIRST = frozenset(
    "nowrap nobr small smaller big larger flag flagu flaglink flagcountry url en abbr tooltip mvar var code mono kbd samp tt title marriage nts sic "
    "ill center centre nobold noitalic italic em strong smallcaps sc math overline sup sub chem2 vanchor tq section".split()
) | {"visible anchor", "interlanguage link", "birth year and age", "death year and age", "no wrap", "small caps", "keyboard"}
_LAST = frozenset({"lang", "langx", "transliteration", "color", "font color", "sort"})
_JOINED = {"gaps": "", "chem": "", "sortname": " ", "ship": " "}
"""What stands between the values of a template that shows them all; of the last two it shows two."""
_OPENED = {
    "as of": "as of",
    "since": "since",
    "circa": "circa",
    "c.": "c.",
    "fl.": "fl.",
    "floruit": "fl.",
    "isbn": "isbn",
    "issn": "issn",
    "doi": "doi",
}
"""Words before the value."""
_MEASURES = frozenset({"convert", "cvt", "other date"})
_MONEY = {"us$": "US$", "usd": "US$", "a$": "A$", "aud": "A$", "c$": "C$", "cad": "C$", "£": "£", "gbp": "£", "€": "€", "eur": "€", "euro": "€"} | {
    sign: sign for sign in "₹¥₩₽"
}
_EXCHANGES = frozenset("nasdaq nyse lse tsx asx sehk fwb six krx szse sse bse nse euronext".split())
_SHIPS = frozenset("hms uss rms ms mv ss ssn hmas hmcs".split())
_SIGNS = {
    "ndash": "–", "mdash": "—", "dash": "–", "snd": " – ", "spnd": " – ", "spaced ndash": " – ", "nbsp": " ", "br": "\n", "!": "|", "=": "=",
    "·": " · ", "•": " • ", "yes": "Yes", "no": "No", "partial": "Partial", "won": "Won", "nom": "Nominated",
    "tba": "TBA", "tbd": "TBD", "n/a": "N/A", "'": "'",
}  # fmt: skip
"""What a template says that has no value."""
_LANGUAGE = re.compile(r"(?!hs)[a-z]{2}|lang-[a-z-]{2,12}")
"""Words in a language, under its code; `hs` hides a key to sort by."""
_FUNCTION = re.compile(r"(?:formatnum|lc|uc|lcfirst|ucfirst):(?P<value>.*)", re.IGNORECASE | re.DOTALL)


def said(title: str, values: Sequence[str], named: Mapping[str, str]) -> str:
    """Return what a template says, by its title as it is written and what it is given, as plain text. Dates are ISO dates."""
    if function := _FUNCTION.fullmatch(title):
        return function["value"].strip()
    name = title.replace("_", " ").casefold()
    if name in _SIGNS:
        return values[0] if values and values[0] else _SIGNS[name]
    shown = _of_figures(name, values, named)
    return shown if shown is not None else _of_words(name, values, named)


def _of_figures(name: str, values: Sequence[str], named: Mapping[str, str]) -> str | None:
    """Return what a template of figures says, dates and money among them; None if it is none."""
    first = values[0] if values else ""
    if name in _DATES:
        return _day(values) or first
    if name in _OPENED:
        return " ".join(filter(None, (_OPENED[name], _day(values) or first)))
    if name in _MEASURES:
        return " ".join(values[:2])
    if name in _MONEY:
        return _MONEY[name] + first if first else ""
    if name == "val":
        power = f"×10^{named['e']}" if "e" in named else ""
        return f"{first}{power} {named.get('u') or named.get('ul', '')}".strip()
    if name in ("frac", "sfrac", "fraction"):
        return " ".join([*values[:-2], "/".join(values[-2:] if len(values) > 1 else ["1", *values])]) if values else ""
    return None


def _day(values: Sequence[str]) -> str:
    """Return year, month and day as an ISO date, as far as they are figures; as they stand if a month is written out."""
    parts = list(takewhile(str.isdigit, values[:3]))
    if len(parts) < min(3, len(values)) and values[len(parts)].isalpha():
        return " ".join(values[:3])
    return "-".join(part.zfill(2) for part in parts)


def _of_words(name: str, values: Sequence[str], named: Mapping[str, str]) -> str:
    first = values[0] if values else ""
    if name in _FIRST or _LANGUAGE.fullmatch(name):
        return named.get("lt") or first or named.get("s") or named.get("t") or named.get("c", "")
    if name in _LAST:
        return values[-1] if values else ""
    if name in _JOINED:
        return _JOINED[name].join(values[:2] if _JOINED[name] else values)
    if name == "nihongo" and values:
        others = ", ".join(filter(None, values[1:3]))
        return f"{first} ({others})" if others else first
    if name in _EXCHANGES or name in _SHIPS:
        return f"{name.upper()}{':' if name in _EXCHANGES else ''} {first}" if first else ""
    return ""
