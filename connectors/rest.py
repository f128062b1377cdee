"""What of a record nobody filters by: one JSON column, since every column of its own costs a row 3 % of its way to Milvus and back."""

from typing import Any

from schemas.ids import Audience, RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Record, Status, Support

_PLAIN = ("tenant", "audience", "reason", "validity_known", "subject", "predicate", "object", "fact_kind", "confidence", "version", "said_at")
_LISTS = ("scope", "section", "rivals")


def rest_of(record: Record) -> dict[str, Any]:
    """Return the JSON of a record."""
    rest: dict[str, Any] = {name: getattr(record, name) for name in _PLAIN}
    rest |= {name: list(getattr(record, name)) for name in _LISTS}
    return rest | {"status": record.status.value, "provenance": [_written(support) for support in record.provenance]}


def fields_of(rest: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that `rest_of` wrote, as a record takes them."""
    return {
        "tenant": Tenant(rest["tenant"]),
        "audience": Audience(rest["audience"]),
        "reason": rest["reason"],
        "validity_known": rest["validity_known"],
        "subject": rest["subject"],
        "predicate": rest["predicate"],
        "object": rest["object"],
        "fact_kind": rest["fact_kind"],
        "confidence": rest["confidence"],
        "version": rest["version"],
        "said_at": Instant(rest["said_at"]),
        "scope": tuple(rest["scope"]),
        "section": tuple(rest["section"]),
        "rivals": tuple(RecordId(name) for name in rest["rivals"]),
        "status": Status(rest["status"]),
        "provenance": tuple(map(_read, rest["provenance"])),
    }


def _written(support: Support) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "source": support.source,
        "document": support.document,
        "unit": support.unit,
        "start": support.start,
        "end": support.end,
        "said_from": support.said_from,
    }
    if support.said_to != FOREVER:
        entry["said_to"] = support.said_to
    if support.record:
        entry["record"] = support.record
    return entry


def _read(entry: dict[str, Any]) -> Support:
    return Support(
        source=entry["source"],
        document=entry["document"],
        unit=entry["unit"],
        start=entry["start"],
        end=entry["end"],
        said_from=Instant(entry["said_from"]),
        said_to=Instant(entry.get("said_to", FOREVER)),
        record=entry.get("record", ""),
    )
