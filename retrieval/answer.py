"""Answers as text: what a generator gets to read."""

from collections.abc import Iterable, Iterator

from retrieval.service import Hit
from schemas.instant import FOREVER, iso
from schemas.record import Kind, Record, Status

_MARKS = {Kind.NUGGET: "FACT", Kind.BRIDGE: "BRIDGE", Kind.UNIT: "UNIT", Kind.SECTION: "UNIT", Kind.ENTITY: "FACT"}
_INDENT = "\n    "
_SOURCES = 3  # documents named per hit; the record has them all


def context(hits: Iterable[Hit]) -> str:
    """Return the hits as marked lines: [FACT], [BRIDGE] or [UNIT], each followed by its [SOURCE] lines; [DISPUTED] with what speaks against it.

    A mark stands at the beginning of a line only where this function put it: further lines of a text are indented.
    """
    return "\n".join(line for hit in hits for line in _lines(hit))


def _lines(hit: Hit) -> Iterator[str]:
    record = hit.record
    mark = "DISPUTED" if hit.status is Status.CONTESTED else _MARKS[record.kind]
    yield f"[{mark}] {_inline(record.text)} ({_validity(record)}{_remark(hit)})"
    yield from _sources(record)
    for rival in hit.rivals:
        yield f"[DISPUTED] against it: {_inline(rival.text)} ({_validity(rival)})"
        yield from _sources(rival)


def _remark(hit: Hit) -> str:
    if hit.status in (Status.ACTIVE, Status.CONTESTED):
        return ""
    return f"; {hit.status.lower()}: {hit.record.reason or hit.record.belief}" if hit.status is Status.DEPRECATED else f"; {hit.record.belief}"


def _validity(record: Record) -> str:
    start = iso(record.valid_from)
    return f"since {start}" if record.valid_to >= FOREVER else f"{start} to {iso(record.valid_to)}"


def _sources(record: Record) -> Iterator[str]:
    documents = list(dict.fromkeys((support.source, support.document) for support in record.provenance))
    for source, document in documents[:_SOURCES]:
        yield f"[SOURCE] {_inline(source)}: {_inline(document)}"
    if len(documents) > _SOURCES:
        yield f"[SOURCE] and {len(documents) - _SOURCES} more"


def _inline(text: str) -> str:
    return _INDENT.join(text.splitlines())
