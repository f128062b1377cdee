"""Blocks whose structure states facts: records of front matter, headers, key-value lines and table rows, with text that a person can read."""

import re
from collections.abc import Sequence
from functools import lru_cache

from derive.text import has_content, squeeze
from derive.time import whole_moment
from derive.tree import Block, BlockKind, Field, Fields
from schemas.fact import NO_DATES, SELF, Dates
from schemas.vocabulary import Vocabulary, fold

Named = tuple[str, str]
"""The name of a field, and its value."""

_FACT_LENGTH = 200
"""Characters above which a value is text to be found, not a value to be compared."""
_NOTHING = frozenset({"", "-", "–", "—", "n/a", "none", "null", "?", "tbd"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FIGURE = re.compile(r"[\W\d_]*\d[\d.,:/-]*\+?|v?\d[\w.+-]*", re.IGNORECASE)
_VALUE_HEADS = frozenset({"value", "values", "detail", "details", "setting", "content", ""})
_KEY_HEADS = frozenset({"key", "field", "property", "attribute", "setting", "item", "parameter", "option", "fact", "name", ""})


def record(path: Sequence[str], label: str, values: Sequence[Named], place: tuple[int, int], vocabulary: Vocabulary) -> Block:
    """Return the block of a record of nested data: "release 3.12: latest is 3.12.0; eol is 2028-10-31"; without a path one "name: value" per line."""
    if not path:
        return _block(BlockKind.RECORD, "", "\n", ": ", SELF, (), values, (), place, vocabulary)
    return _block(BlockKind.RECORD, f"{label}: ", "; ", " is ", SELF, tuple(path), values, (), place, vocabulary)


def pair(key: str, value: str, section: tuple[str, ...], place: tuple[int, int], vocabulary: Vocabulary) -> Block:
    """Return the block of a key-value line; its subject is the document."""
    return _block(BlockKind.ITEM, "", "\n", ": ", SELF, (), [(key, value)], section, place, vocabulary)


def row(headers: Sequence[str], cells: Sequence[str], section: tuple[str, ...], place: tuple[int, int], vocabulary: Vocabulary) -> Block:
    """Return the block of a table row. The first cell names the row: a name is the subject; a number, date or version is a scope of the document.

    A table of two columns, keys and values, speaks of the document.
    """
    if _keys_and_values(headers):
        return _block(BlockKind.ROW, "", "; ", ": ", SELF, (), [(cells[0], cells[1])], section, place, vocabulary)
    first, *rest = cells
    subject, scope = (first, ()) if is_name(first) else (SELF, (headers[0], first))
    label = first if subject != SELF else f"{headers[0]} {first}".strip()
    values = [(header, cell) for header, cell in zip(headers[1:], rest, strict=False) if header]
    return _block(BlockKind.ROW, f"{label}: ", "; ", " is ", subject, scope, values, section, place, vocabulary)


def _keys_and_values(headers: Sequence[str]) -> bool:
    return len(headers) == 2 and fold(headers[1]) in _VALUE_HEADS and fold(headers[0]) in _KEY_HEADS


def is_name(text: str) -> bool:
    """Tell whether a cell or value can name a thing: it has a letter and is no figure, version, date, truth value or address."""
    if not has_content(text) or _FIGURE.fullmatch(text) or fold(text) in {"true", "false", "yes", "no"} or "://" in text:
        return False
    return not text.isdigit() and len(text) <= 80 and whole_moment(text) is None


def _block(
    kind: BlockKind, label: str, joint: str, link: str, subject: str, scope: tuple[str, ...], values: Sequence[Named],
    section: tuple[str, ...], place: tuple[int, int], vocabulary: Vocabulary,
) -> Block:  # fmt: skip
    text, fields = label, []
    for name, value in values:
        if value.casefold().strip() in _NOTHING:
            continue
        statement = f"{readable(name)}{link}{value}"
        text += statement if text == label else joint + statement
        if len(value) <= _FACT_LENGTH and "\n" not in value:
            fields.append(Field(name, value, label + statement, len(text) - len(statement), len(text)))
    stated = Fields(subject, scope, _without_bounds(fields, vocabulary), _bounds(fields, vocabulary))
    return Block(kind, text if text != label else label.removesuffix(": "), section, *place, fields=stated)


def _bounds(fields: Sequence[Field], vocabulary: Vocabulary) -> Dates:
    starts = [moment for field in fields if fold(field.name) in vocabulary.valid_from and (moment := whole_moment(field.value))]
    ends = [moment for field in fields if fold(field.name) in vocabulary.valid_to and (moment := whole_moment(field.value))]
    return Dates(starts[0] if starts else None, ends[0] if ends else None) if starts or ends else NO_DATES


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
