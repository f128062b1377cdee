"""Names: normal forms, and which names mean one thing (DESIGN.md 5.5).

Everything here is symmetric and pure: two names are linked or not whatever came first, and groups depend on the set of links alone.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

_HONORIFICS = frozenset("mr mrs ms miss mx dr prof sir dame lord lady".split())
_LEGAL = frozenset("inc ltd llc plc gmbh ag corp corporation co company limited incorporated sa bv nv oy ab kg".split())
_ARTICLES = frozenset("the a an".split())
_ORDINALS = {
    word: str(number)
    for number, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1)
}
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12"}
_QUALIFIERS = frozenset(
    "north south east west northern southern eastern western upper lower inner outer old new senior junior primary secondary staging production test "
    "internal external alpha beta acting deputy assistant vice former".split()
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*(?:(?<=[^\W\d_])(?:\+\+|#(?!\w)))?")
"""The signs of C++ and C# are letters of their names."""
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def folded(surface: str) -> list[str]:
    """Return the words of a name, NFKC and case folded, without invisible characters, possessive endings and punctuation."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", surface))
    text = unicodedata.normalize("NFKC", _CAMEL.sub(" ", text).casefold().replace("i\u0307", "i"))
    words = [word.replace("’", "'") for word in _WORD.findall(text)]
    return [word.removesuffix("'s") for word in words]


def normal(surface: str) -> str:
    """Return the normal form of a name: equal normal forms mean one thing.

    Case, punctuation, joining ("HarbourMaster", "harbour_master"), a leading article or honorific, trailing legal suffixes and the plural of the last
    word do not tell names apart. Never empty: what has no word is kept as it is, trimmed.
    """
    words = folded(surface)
    while len(words) > 1 and (words[0] in _ARTICLES or words[0] in _HONORIFICS):
        words = words[1:]
    while len(words) > 1 and words[-1] in _LEGAL:
        words = words[:-1]
    if not words:
        return surface.strip()
    return " ".join([*words[:-1], singular(words[-1])])


def singular(word: str) -> str:
    """Return an English word without its plural ending; short words, and endings that are no plural (-ss, -us, -is), are left alone."""
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is", "'s")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def initials(name: str) -> str:
    """Return the initials of a normal form of three words or more (a two-letter acronym says too little), else ""."""
    words = [word for word in name.split() if word not in {"of", "and", "for", "the", "in", "on"}]
    return "".join(word[0] for word in words) if len(words) >= 3 else ""


def is_acronym(surface: str) -> bool:
    """Tell whether a surface form is an acronym: three to six capital letters and nothing else."""
    return 3 <= len(surface) <= 6 and surface.isascii() and surface.isalpha() and surface.isupper()


def is_short_form(short: Sequence[str], full: Sequence[str]) -> bool:
    """Tell whether the words of a name are the last words of a longer one: "edwards" of "henry edwards"."""
    return 0 < len(short) < len(full) and list(full[-len(short) :]) == list(short)


def short_forms(surfaces: Iterable[str]) -> dict[str, str]:
    """Return which surface forms of one document are short forms, and of which full form: "Mr. Edwards" -> "Henry Edwards".

    Only a form with an honorific or of a single capitalised word counts, only against capitalised full names without digits, and only if exactly
    one full name of the document fits.
    """
    names = sorted(set(surfaces))
    people = [(name, folded(name)) for name in names if len(name.split()) >= 2 and name[0].isupper() and not any(c.isdigit() for c in name)]
    full = [(name, words) for name, words in people if words and words[0] not in _HONORIFICS | _ARTICLES and words[-1] not in _LEGAL]
    found: dict[str, str] = {}
    for name in names:
        words = folded(name)
        titled = len(words) > 1 and words[0] in _HONORIFICS
        short = words[1:] if titled else words
        if not titled:
            continue
        fits = sorted({other for other, longer in full if is_short_form(short, longer)})
        if len({normal(other) for other in fits}) == 1:
            found[name] = fits[0]
    return found


def is_entity_name(name: str) -> bool:
    """Tell whether a normal form may carry bridges by its looks: >= 4 letters (2 for CJK), and so not a number or date.

    Three letters do for an acronym, which only the spelling shows: `is_acronym`.
    """
    letters = sum(character.isalpha() for character in name)
    return letters >= (2 if _CJK.search(name) else 4)


def vetoed(one: str, other: str) -> bool:
    """Tell whether two normal forms may never be joined by inference: differing numbers, ordinals, initials or qualifiers."""
    return counted_apart(one, other) or _initials_differ(one.split(), other.split())


def counted_apart(one: str, other: str) -> bool:
    """Tell whether two normal forms differ in numbers, ordinals or qualifiers: "Pier 3" and "Pier 4", the north lock and the south lock."""
    first, second = one.split(), other.split()
    return _numbers(first) != _numbers(second) or (_QUALIFIERS & set(first)) != (_QUALIFIERS & set(second))


def _never(_one: str, _other: str) -> bool:
    return False


def _numbers(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        plain = _ORDINALS.get(word) or _ROMAN.get(word)
        found.extend([plain] if plain else [number.lstrip("0") or "0" for number in _NUMBER.findall(word)])
    return sorted(found)


def _initials_differ(first: Sequence[str], second: Sequence[str]) -> bool:
    single = [{word for word in words if len(word) == 1 and word.isalpha()} for words in (first, second)]
    if single[0] and single[1] and single[0] != single[1]:
        return True
    spelt = [[word[0] for word in words if not _numbers([word])] for words in (first, second)]
    return len(spelt[0]) == len(spelt[1]) > 1 and spelt[0] != spelt[1]


class Strength(IntEnum):
    """How sure a link is; stronger links join first."""

    ACRONYM = 1
    TITLE = 2
    DECLARED = 3


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """Two nodes that are one thing. Nodes are positive for names, negative for documents."""

    strength: Strength
    one: int
    other: int


def groups(names: Mapping[int, str], links: Iterable[Link]) -> dict[int, int]:
    """Return each node's group, as the least node of it.

    `names` holds the normal form of every name node; documents have none and are never vetoed. Links join strongest first, ties by the names
    themselves, unless the union would hold a vetoed pair; declared links are never vetoed. Titles of one document may differ in their initials
    ("Tide Memo" became "Harbour Memo"), but not in numbers or qualifiers: "Pier 3" that became "Pier 4" is not both.
    """
    root: dict[int, int] = {}
    members: dict[int, list[int]] = {}

    def find(node: int) -> int:
        while root.setdefault(node, node) != node:
            node = root[node]
        return node

    def text(node: int) -> tuple[str, int]:
        return (names.get(node, ""), node if node not in names else 0)

    ordered = sorted(set(links), key=lambda link: (-link.strength, *sorted((text(link.one), text(link.other)))))
    for link in ordered:
        one, other = find(link.one), find(link.other)
        if one == other:
            continue
        left, right = members.setdefault(one, [one]), members.setdefault(other, [other])
        veto = {Strength.DECLARED: _never, Strength.TITLE: counted_apart, Strength.ACRONYM: vetoed}[link.strength]
        if any(veto(names[a], names[b]) for a in left for b in right if a in names and b in names and not _acronym_pair(names[a], names[b])):
            continue
        root[other] = one
        left.extend(right)
    result: dict[int, int] = {}
    least: dict[int, int] = {}
    for node in root:
        top = find(node)
        least[top] = min(least.get(top, node), node)
    for node in root:
        result[node] = least[find(node)]
    return result


def _acronym_pair(one: str, other: str) -> bool:
    return initials(one) == other or initials(other) == one
