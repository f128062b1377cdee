"""Transitions: one change of a record's status or validity, with what it was, what it is, and which changes caused it."""

from dataclasses import dataclass

from schemas.ids import RecordId, Tenant
from schemas.instant import EPOCH, Instant
from schemas.record import Belief, Kind, Status


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """A change that led to a transition, the clock, or another reader.

    `kind` is put, move, acl, redact, delete, restore, review, clock, or reader: a kept body was read again by another one. `order` is the source's
    version number as text.
    """

    kind: str
    source: str = ""
    document: str = ""
    order: str = ""
    at: Instant = EPOCH
    author: str = ""
    position: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What of a record a transition compares."""

    status: Status
    belief: Belief
    reason: str
    valid_from: Instant
    valid_to: Instant


@dataclass(frozen=True, slots=True)
class Transition:
    """One record, before and after. `before` is None for a new record, `after` for one that is gone."""

    tenant: Tenant
    sequence: int
    record: RecordId
    kind: Kind
    text: str
    before: State | None
    after: State | None
    causes: tuple[Cause, ...]
    recorded_at: Instant
