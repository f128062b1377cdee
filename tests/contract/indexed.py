"""Rows for the contract of the index."""

from typing import Any

from connectors.index import Filter, Index
from schemas.ids import Audience, Fingerprint, RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Row

MODEL = Fingerprint("model-one")
WIDTH = 8
FIELDS: dict[str, Any] = {
    "kind": Kind.NUGGET,
    "audience": Audience("*"),
    "text": "Quay 7 opens at dawn",
    "belief": Belief.BELIEVED,
    "reason": "current",
    "valid_from": Instant(100),
    "valid_to": FOREVER,
    "said_at": Instant(100),
    "version": 1,
    "sequence": 1,
    "recorded_at": Instant(1_000),
}


def record(tenant: Tenant, name: str = "r", **fields: Any) -> Record:
    return Record(id=RecordId(name), tenant=tenant, **{**FIELDS, **fields})


def towards(*numbers: float) -> tuple[float, ...]:
    return (*numbers, *[0.0] * (WIDTH - len(numbers)))


def row(stored: Record, dense: tuple[float, ...] | None = None) -> Row:
    return Row(stored, () if stored.deleted else dense or towards(1.0), MODEL)


def held(index: Index, tenant: Tenant, *names: str) -> list[Record]:
    return [stored.record for stored in index.get(tenant, [RecordId(name) for name in names])]


def found(index: Index, where: Filter) -> set[str]:
    return {match.record.id for match in index.dense(towards(1.0), where, 1_000)}
