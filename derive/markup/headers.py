"""RFC-822 style headers on top of a body: "Key: value" lines, and what they say of the document's own name."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from derive.markup.structure import Named, record
from derive.script import HAN
from derive.text import squeeze
from derive.tree import Block, BlockKind, Front
from schemas.vocabulary import Cardinality, Vocabulary, fold

_HEADER = re.compile(rf"(?:(?P<key>[A-Za-z][A-Za-z0-9 _-]{{0,39}}):(?:[ \t]+(?P<value>.*))?|(?P<chinese>[{HAN}]{{1,12}})[:：][ \t]*(?P<said>.*))$")
_ADDRESS = re.compile(r"\s{0,9}(?:<[^<>@]{0,60}?(?:@|\bat\b)[^<>]{0,99}>|\([^()\s@]{1,60}@[^()\s@]{1,99}\))")
_ADDRESS_FIRST = re.compile(r"(?<![^\s,])[^\s,()@]{1,60}@[^\s,()@]{1,99} \((?P<name>[^()@]{1,80})\)")
"""How mail once named people: "user@host (Dana Reyes)"."""
_KEYWORD = re.compile(r"\$[A-Z][A-Za-z]{1,19}(?::(?P<filled>[^$]{0,200}))?\$")
"""What a version control system fills in, if it does: "$Revision: 1.4 $"."""
_TITLES = frozenset({"title", "subject", "summary", "标题", "主题", "摘要"})
_NUMBER = "number"
"""The predicate of a document's number; series are known as other words for it."""
_STRAY = 4
"""Headers that one line without a key among them needs beside it; with fewer the lines are prose."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is no header, and where it begins."""

    text: str
    start: int


def headers(text: str, vocabulary: Vocabulary, plain: Callable[[str], str] = squeeze) -> Front:
    """Return the headers on top: at least two lines of "Key: value" with indented continuations, up to the first empty line.

    A stray line among many of them is text of its own. A document that its first header numbers ("Note: 31", with a title elsewhere) is also called
    "Note 31", and a bare number where a name is expected means the document of that number: "Replaces: 4" is "Replaces: Note 4". `plain` makes
    plain text of a value in the markup of the body.
    """
    fields, stray, end = _read(text, plain)
    if len(fields) < 2 or _STRAY * len(stray) > len(fields):
        return Front()
    titles = [value for key, value in fields if fold(key) in _TITLES]
    title = next((value for key, value in fields if fold(key) in {"title", "标题"}), next(iter(titles), None))
    series = _series(fields, vocabulary) if title else ""
    values = [(key, value) for key, value in fields if value and fold(key) not in _TITLES - {"title", "标题"}]
    stated = [(key, part) for key, value in values for part in _parts(key, value, series, vocabulary)]
    blocks = [record((), "", stated, (0, end), vocabulary)] if stated else []
    blocks += [Block(BlockKind.PROSE, line.text.strip(), (), line.start, line.start + len(line.text)) for line in stray]
    designation = f"{series} {_number(fields[0][1])}" if series else ""
    return Front(end, tuple(blocks), title, (designation,) if designation else (), designation=designation)


def _read(text: str, plain: Callable[[str], str]) -> tuple[list[Named], list[_Line], int]:
    """Return the headers, the stray lines among them, and where they end."""
    fields: list[tuple[str, list[str]]] = []
    stray: list[_Line] = []
    place = 0
    while place < len(text):
        line = text[place : _line_end(text, place)]
        if not line.strip() or _STRAY * len(stray) > _STRAY + len(fields):
            break
        match = _HEADER.match(line)
        if line[0] in " \t" and fields:
            fields[-1][1].append(line.strip())
        elif match:
            fields.append((match["key"] or match["chinese"], [(match["value"] or match["said"] or "").strip()]))
        else:
            stray.append(_Line(line, place))
        place += len(line) + 1
    return [(key, plain(_KEYWORD.sub(_filled, " ".join(parts)))) for key, parts in fields], stray, min(place, len(text))


def _filled(keyword: re.Match[str]) -> str:
    return keyword["filled"] or ""


def _line_end(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found


def _series(fields: Sequence[Named], vocabulary: Vocabulary) -> str:
    """Return the series that numbers the document, "" if its first header is no number, or known to mean something else than a document's number."""
    key, value = fields[0]
    canonical = vocabulary.canonical(key)
    other = canonical in vocabulary.predicates and (canonical != _NUMBER or fold(key) == _NUMBER)
    return key if key.isalpha() and not other and _is_number(value) else ""


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= 6


def _number(number: str) -> str:
    return number.lstrip("0") or "0"


def _parts(key: str, value: str, series: str, vocabulary: Vocabulary) -> list[str]:
    """Return the values of one header: several for "Replaces: 4, 18, 25", without mail addresses for people."""
    predicate = vocabulary.predicate(vocabulary.canonical(key))
    named = _ADDRESS.sub("", _ADDRESS_FIRST.sub(r"\g<name>", value)).strip() if predicate.object in ("name", "date") else value
    parts = [named or value]
    if predicate.object in ("name", "date") and predicate.cardinality is not Cardinality.FUNCTIONAL:
        parts = [part.strip() for part in named.split(",") if part.strip()] or [value]
    if series and predicate.object == "name":
        return [f"{series} {_number(part)}" if _is_number(part) else part for part in parts]
    return parts
