"""Blocks whose structure states facts: records of front matter, headers and key-value lines, with text that a person can read."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from derive.dates.time import whole_moment
from derive.dates.timing import EXACT
from derive.dates.timings import timings
from derive.text import has_content, squeeze
from derive.tree import Block, BlockKind, Field, Fields, links_in
from schemas.fact import NO_DATES, SELF, Dates, Moment, Relative
from schemas.version import Link
from schemas.vocabulary import Vocabulary, fold

Named = tuple[str, str]
"""The name of a field, and its value."""

FACT_LENGTH = 200
"""Characters above which a value is text to be found, not a value to be compared."""
_NOTHING = frozenset({"", "-", "–", "—", "n/a", "none", "null", "?", "tbd"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FIGURE = re.compile(r"[\W\d_]*\d[\d.,:/-]*\+?|v?\d[\w.+-]*", re.IGNORECASE)


def record(
    path: Sequence[str], label: str, values: Sequence[Named], place: tuple[int, int], vocabulary: Vocabulary, links: Sequence[tuple[Link, ...]] = ()
) -> Block:
    """Return the block of a record of nested data: "release 3.12: latest is 3.12.0; eol is 2028-10-31"; without a path one "name: value" per line.

    `links` are those of each value, if any has some.
    """
    if not path:
        return _block(BlockKind.RECORD, "", "\n", ": ", (), values, (), place, vocabulary, links)
    return _block(BlockKind.RECORD, f"{label}: ", "; ", " is ", tuple(path), values, (), place, vocabulary, links)


def pair(key: str, value: str, section: tuple[str, ...], place: tuple[int, int], vocabulary: Vocabulary) -> Block:
    """Return the block of a key-value line; its subject is the document."""
    return _block(BlockKind.ITEM, "", "\n", ": ", (), [(key, value)], section, place, vocabulary)


def paired(block: Block, line: str, links: Sequence[Link]) -> Block:
    """Return the block of a key-value line with the links of the line; if its key reads otherwise there, those of the value."""
    if not links or block.text == line:
        return replace(block, links=tuple(links)) if links else block
    moved = len(block.text) - len(line)
    kept = (link for link in links if block.text[max(0, link.start + moved) :][: link.end - link.start] == line[link.start : link.end])
    return replace(block, links=tuple(Link(link.target, link.start + moved, link.end + moved) for link in kept if link.start + moved >= 0))


def is_name(text: str) -> bool:
    """Tell whether a cell or value can name a thing: it has a letter and is no figure, version, date, truth value or address."""
    if not has_content(text) or _FIGURE.fullmatch(text) or fold(text) in {"true", "false", "yes", "no"} or "://" in text:
        return False
    return not text.isdigit() and len(text) <= 80 and whole_moment(text) is None


def says_nothing(value: str) -> bool:
    """Tell whether a value is only a place holder: empty, a dash, "n/a"."""
    return value.casefold().strip() in _NOTHING


def comparable(value: str) -> bool:
    """Tell whether a value is short enough to be compared; a longer one is text to be found."""
    return len(value) <= FACT_LENGTH and "\n" not in value


def fields_of(subject: str, scope: tuple[str, ...], fields: Sequence[Field], vocabulary: Vocabulary) -> Fields:
    """Return what a record, row or line states of one subject; fields that bound the others' validity become their dates."""
    return Fields(subject, scope, _without_bounds(fields, vocabulary), _bounds(fields, vocabulary))


def _block(
    kind: BlockKind, label: str, joint: str, link: str, scope: tuple[str, ...], values: Sequence[Named],
    section: tuple[str, ...], place: tuple[int, int], vocabulary: Vocabulary,
    links: Sequence[tuple[Link, ...]] = (),
) -> Block:  # fmt: skip
    statements: list[str] = []
    fields: list[Field] = []
    found: list[Link] = []
    length = len(label)
    for number, (name, value) in enumerate(values):
        if says_nothing(value):
            continue
        statement = f"{readable(name)}{link}{value}"
        start = length + len(joint) if statements else length
        length = start + len(statement)
        statements.append(statement)
        found += links_in(links[number], 0, len(value), length - len(value)) if links else ()
        if comparable(value):
            fields.append(Field(name, value, label + statement, start, length))
    text = label + joint.join(statements) if statements else label.removesuffix(": ")
    return Block(kind, text, section, *place, fields=fields_of(SELF, scope, fields, vocabulary), links=tuple(found))


def _bounds(fields: Sequence[Field], vocabulary: Vocabulary) -> Dates:
    start, one = _bound(fields, vocabulary.valid_from)
    end, other = _bound(fields, vocabulary.valid_to)
    return Dates(start, end, min(one, other)) if start or end else NO_DATES


def _bound(fields: Sequence[Field], names: Collection[str]) -> tuple[Moment | None, float]:
    """Return the first date that a field of such a name has, and how sure its reading is."""
    for field in fields:
        if fold(field.name) in names and (moment := whole_moment(field.value)):
            relative = timings(field.value) if isinstance(moment, Relative) else ()
            return moment, min((timing.confidence for timing in relative), default=EXACT)
    return None, EXACT


def _without_bounds(fields: Sequence[Field], vocabulary: Vocabulary) -> tuple[Field, ...]:
    """Return the fields that are no bound of the others' validity; where there is nothing to bound they are statements themselves."""
    bounds = vocabulary.valid_from | vocabulary.valid_to
    stated = tuple(field for field in fields if fold(field.name) not in bounds)
    return stated or tuple(fields)


@lru_cache(maxsize=4096)
def readable(name: str) -> str:
    """Return a field's name as a person writes it: "latestReleaseDate" is "latest release date", "Python-Version" stays."""
    return _CAMEL.sub(" ", squeeze(name.replace("_", " "))).lower() if _CAMEL.search(name) else squeeze(name.replace("_", " "))


def singular(name: str) -> str:
    """Return what one record of a list is called: "releases" holds a "release"."""
    words = readable(name)
    if words.endswith("ies"):
        return words[:-3] + "y"
    if words.endswith(("sses", "xes", "ches", "shes")):
        return words[:-2]
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us", "is")) else words
