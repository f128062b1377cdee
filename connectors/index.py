"""The index port: where records are searched, whatever is behind it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from schemas.errors import BadRecord, Inconsistent
from schemas.ids import Audience, DocumentKey, EntityId, Fingerprint, RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Row

_LOGIN = re.compile(r"(?<=://).*@")

Refused = tuple[Row, BadRecord]
"""A row that the index does not take, and why."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records may be found; None allows all. An index applies it before it ranks.

    `at`: valid_from <= at < valid_to; with `until` at some instant from `at` to before it. `documents` and `entities`: the record names at least
    one of them. `verified_only` leaves out bridges that nobody verified. `current_only`: no closed versions. `known_at` asks for what was known
    then, closed versions included, and overrides `current_only`.
    """

    tenant: Tenant
    audiences: frozenset[Audience] | None = None
    at: Instant | None = None
    beliefs: frozenset[Belief] | None = None
    kinds: frozenset[Kind] | None = None
    ids: frozenset[RecordId] | None = None
    documents: frozenset[DocumentKey] | None = None
    entities: frozenset[EntityId] | None = None
    verified_only: bool = False
    current_only: bool = True
    known_at: Instant | None = None
    until: Instant | None = None

    @property
    def admits_nothing(self) -> bool:
        """Whether some condition allows no value at all, so that nobody need be asked."""
        return frozenset() in (self.audiences, self.beliefs, self.kinds, self.ids, self.documents, self.entities)

    def admits(self, record: Record) -> bool:
        """Return whether the record passes; every index agrees with this, see tests/contract/test_index.py."""
        return (
            not record.deleted
            and record.tenant == self.tenant
            and _among(record.audience, self.audiences)
            and _among(record.belief, self.beliefs)
            and _among(record.kind, self.kinds)
            and _among(record.id, self.ids)
            and _share(record.documents, self.documents)
            and _share(record.entities, self.entities)
            and (record.verified or not self.verified_only)
            and (self.at is None or self._meets(record, self.at))
            and self._knows(record)
        )

    def _meets(self, record: Record, at: Instant) -> bool:
        begun = record.valid_from <= at if self.until is None else record.valid_from < self.until
        return begun and at < record.valid_to

    def _knows(self, record: Record) -> bool:
        if self.known_at is not None:
            return record.recorded_at <= self.known_at < record.known_to
        return not self.current_only or record.known_to == FOREVER


def _among(value: object, allowed: frozenset[object] | None) -> bool:
    return allowed is None or value in allowed


def _share(values: Iterable[object], allowed: frozenset[object] | None) -> bool:
    return allowed is None or not allowed.isdisjoint(values)


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as the index holds it, and the generation of its vector."""

    record: Record
    generation: Fingerprint


@dataclass(frozen=True, slots=True)
class Match:
    """A record that a channel found. Greater scores are better; scores of different channels cannot be compared."""

    record: Record
    score: float


class Index(Protocol):
    """A searchable copy of the records of any number of tenants, all vectors of one generation.

    An outage is waited for inside every call, with back-off, so that a writer feels it as back-pressure; `Unreachable` comes after the patience
    that the index was opened with. All calls may come from any thread.
    """

    generation: Fingerprint
    dimension: int

    @property
    def has_lexical(self) -> bool:
        """Whether `lexical` works; a Milvus server below 2.5 has no such channel."""

    def ensure(self) -> None:
        """Create what is missing and open it. Running it twice changes nothing. Another generation's rows, or another schema: Inconsistent."""

    def write(self, rows: Sequence[Row]) -> list[Refused]:
        """Store the newest row per record; a tombstone removes its record. What is stored is never replaced by an older sequence.

        Once it returns, all but the refused rows can be found. Rows are stored as `limits.fit` returns them. Running it twice changes nothing;
        a run that broke off has written some rows whole and others not at all. A row of another generation: Inconsistent, and nothing is written.
        A refused row removes what is stored of its record, as a tombstone would: the older row may be open to readers whom the newer one shuts out.
        What was removed is forgotten with its sequence: after a tombstone only newer rows of its record may be sent, as a store emits them.
        """

    def get(self, tenant: Tenant, ids: Iterable[RecordId]) -> list[Stored]:
        """Return those of the records that are there, by id, in the order asked for."""

    def scan(self, batch: int = 1000) -> Iterator[Stored]:
        """Yield every stored record of every tenant, in no order, closed versions included."""

    def count(self) -> int:
        """Return how many records are stored, closed versions included."""

    def dense(self, vector: Sequence[float], where: Filter, limit: int) -> list[Match]:
        """Return the records that pass and are nearest by cosine, best first; the score is the cosine."""

    def lexical(self, text: str, where: Filter, limit: int) -> list[Match]:
        """Return the records that pass and share words with the text, best BM25 score first."""

    def close(self) -> None:
        """Let go of the index; what was written stays."""


def newest(rows: Iterable[Row]) -> list[Row]:
    """Return one row per record of each tenant: that of the highest sequence, then version."""
    latest: dict[tuple[Tenant, RecordId], Row] = {}
    for row in rows:
        key = row.record.tenant, row.record.id
        held = latest.get(key)
        if held is None or (row.record.sequence, row.record.version) >= (held.record.sequence, held.record.version):
            latest[key] = row
    return list(latest.values())


def require_generation(rows: Iterable[Row], generation: Fingerprint) -> None:
    """Raise Inconsistent if any row was made by another model: vectors of two models cannot be compared, even of equal length."""
    for row in rows:
        if row.generation != generation:
            raise mixed(generation, row.generation)


def mixed(expected: str, found: str) -> Inconsistent:
    """Return the error for vectors of two generations that meet, with the way out."""
    message = (
        f"the index is of generation {expected!r} but {found!r} was found: vectors of two models cannot be compared. "
        "Set the former embedding model again, or index anew into another collection and switch to it."
    )
    return Inconsistent(message)


def without_login(uri: str) -> str:
    """Return the address of an index as people may see it: a login that it holds is left out."""
    return _LOGIN.sub("...@", uri)
