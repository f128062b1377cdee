"""What an index can hold: sizes in bytes, as a Milvus server counts them, applied alike by every index."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import orjson

from connectors.lexical import words
from connectors.rest import rest_of
from schemas.errors import BadRecord
from schemas.record import Record, Row

Name = TypeVar("Name", bound=str)

ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
TEXT_BYTES = 65_535  # the longest VARCHAR of Milvus
NAME_BYTES = 8_192  # a name or value as long as the longest unit (2,000 characters of 4 bytes) fits
TENANT_BYTES = 256
AUDIENCE_BYTES = 16_384
REASON_BYTES = 1_024
WORD_BYTES = 64
REST_BYTES = 65_000  # a JSON column of a Milvus server takes 65,536
LIST_BYTES = 65_000
LIST_ITEMS = 1_900  # 33 bytes each, one delimiter included, stay below LIST_BYTES; array columns of Milvus end at 4,096
CUT = " …[cut]"
"""The mark at the end of what was cut."""

_CUT = {"text": TEXT_BYTES, "subject": NAME_BYTES, "predicate": NAME_BYTES, "object": NAME_BYTES, "reason": REASON_BYTES}
_SHORTENED = {"entities": LIST_BYTES, "documents": LIST_BYTES, "rivals": LIST_BYTES // 4}


def fit(record: Record) -> Record:
    """Return the record as an index stores it: texts cut at a character border and marked, lists cut to what a column takes.

    The identity for all but monstrous records, and idempotent; audits compare with this form. What cannot be cut without changing what it means
    (ids, audience) is left for `check` to refuse.
    """
    changes: dict[str, Any] = {}
    for field, limit in _CUT.items():
        changes[field] = cut(getattr(record, field), limit)
    for field, limit in _SHORTENED.items():
        changes[field] = tuple(_that_fit(getattr(record, field), limit))
    same = all(getattr(record, field) == value for field, value in changes.items())
    small = record if same else replace(record, **changes)
    while _rest_size(small) > REST_BYTES and small.provenance:
        small = replace(small, provenance=small.provenance[: len(small.provenance) * 3 // 4])
    return small


def cut(text: str, limit: int) -> str:
    """Return the text in at most `limit` bytes of UTF-8; what is cut ends in a mark."""
    if len(text) * 4 <= limit or _size(text) <= limit:
        return text
    kept = text.encode("utf-8", "surrogatepass")[: limit - len(CUT.encode())]
    return kept.decode("utf-8", "ignore") + CUT


def searched_words(record: Record) -> str:
    """Return what the lexical channel sees of a record: the words of its headings and of its text.

    Bigrams make Chinese longer than its text; words past the limit are not found, the text itself stays whole.
    """
    found = words(" ".join((*record.section, record.text)))
    return (
        found
        if len(found) * 4 <= TEXT_BYTES or _size(found) <= TEXT_BYTES
        else found.encode()[:TEXT_BYTES].decode("utf-8", "ignore").rpartition(" ")[0]
    )


def check(row: Row, dimension: int) -> None:
    """Raise BadRecord with field and value if the row (fitted already) cannot be stored; a tombstone needs only a good id."""
    record = row.record
    if not ID.fullmatch(record.id):
        raise BadRecord(record.id, "id", f"is {record.id!r}, not 1 to 128 of A-Z a-z 0-9 _ . : -")
    _check_text(record, "tenant", record.tenant, TENANT_BYTES)
    if record.deleted:
        return
    for field, limit in (("audience", AUDIENCE_BYTES), ("fact_kind", WORD_BYTES), *_CUT.items()):
        _check_text(record, field, getattr(record, field), limit)
    _check_numbers(record)
    for field in _SHORTENED:
        _check_ids(record, field, getattr(record, field))
    _check_rest(record)
    _check_vector(record, row.dense, dimension)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _that_fit(items: Iterable[Name], limit: int) -> Iterator[Name]:
    left = limit
    for number, item in enumerate(items):
        left -= len(item) + 1
        if left < 0 or number == LIST_ITEMS:
            return
        yield item


def _check_text(record: Record, field: str, value: str, limit: int) -> None:
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        raise BadRecord(record.id, field, f"holds a lone surrogate at character {error.start}") from error
    if size > limit:
        raise BadRecord(record.id, field, f"has {size} bytes, at most {limit} fit")


def _check_numbers(record: Record) -> None:
    if not math.isfinite(record.confidence):
        raise BadRecord(record.id, "confidence", f"is {record.confidence}, not a finite number")
    for field in ("valid_from", "valid_to", "said_at", "recorded_at", "known_to", "version", "sequence"):
        value = getattr(record, field)
        if not -(2**63) <= value < 2**63:
            raise BadRecord(record.id, field, f"is {value}, which 64 bits do not hold")


def _check_ids(record: Record, field: str, values: Iterable[str]) -> None:
    for value in values:
        if not ID.fullmatch(value):
            raise BadRecord(record.id, field, f"holds {value!r}, not 1 to 128 of A-Z a-z 0-9 _ . : -")


def _rest_size(record: Record) -> int:
    """Return the bytes of the JSON column; -1 if a text in it holds a lone surrogate."""
    try:
        return len(orjson.dumps(rest_of(record)))
    except TypeError:
        return -1


def _check_rest(record: Record) -> None:
    size = _rest_size(record)
    if size < 0:
        raise BadRecord(record.id, "provenance, scope or section", "holds a lone surrogate")
    if size > REST_BYTES:
        raise BadRecord(record.id, "scope and section", f"have {size} bytes as JSON, at most {REST_BYTES} fit")


def _check_vector(record: Record, dense: tuple[float, ...], dimension: int) -> None:
    if len(dense) != dimension:
        raise BadRecord(record.id, "dense", f"has {len(dense)} numbers, not {dimension}")
    if not all(map(math.isfinite, dense)):
        raise BadRecord(record.id, "dense", "holds a number that is not finite")
