"""Records: what is stored and searched."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.ids import Audience, DocumentKey, EntityId, Fingerprint, RecordId, Tenant
from schemas.instant import EPOCH, FOREVER, Instant


class Kind(StrEnum):
    """What a record holds."""

    UNIT = "unit"
    SECTION = "section"
    NUGGET = "nugget"
    BRIDGE = "bridge"
    ENTITY = "entity"


class Belief(StrEnum):
    """What governance thinks of a value inside a run; derived from the evidence alone, never from the clock."""

    BELIEVED = "believed"
    DISPUTED = "disputed"
    REJECTED = "rejected"
    WEAK = "weak"


class Status(StrEnum):
    """Belief and validity seen at one instant (DESIGN.md 5.6). `NONE`: weak, or not valid yet."""

    ACTIVE = "Active"
    DEPRECATED = "Deprecated"
    CONTESTED = "Contested"
    NONE = "none"


def status_at(belief: Belief, valid_from: int, valid_to: int, at: int) -> Status:
    """Return the status of a run [valid_from, valid_to) at an instant."""
    if belief is Belief.WEAK or (at < valid_from and belief is not Belief.REJECTED):
        return Status.NONE
    if belief is Belief.REJECTED or at >= valid_to:
        return Status.DEPRECATED
    return Status.ACTIVE if belief is Belief.BELIEVED else Status.CONTESTED


@dataclass(frozen=True, slots=True, order=True)
class Support:
    """One place that supports a record: a document (source and its own id), a unit of it, and the span in the unit's text.

    `said_from`/`said_to`: from when to when the document said so. A support of a bridge also names the nugget run.
    """

    source: str
    document: str
    unit: str
    start: int
    end: int
    said_from: Instant
    said_to: Instant = FOREVER
    record: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One searchable record. Times are milliseconds; [valid_from, valid_to) is half-open, FOREVER is open.

    `version` grows by one with each change of this id; `sequence` is the store's number of that change; `recorded_at` the Kafka time of the change
    behind it. `known_to` is FOREVER for the current row; a closed version is a row of its own (id `id.version`) whose transaction interval is
    [recorded_at, known_to). `deleted` marks a tombstone. `status` is the one at the tenant's clock.
    """

    id: RecordId
    kind: Kind
    tenant: Tenant
    audience: Audience
    text: str
    belief: Belief
    reason: str
    valid_from: Instant
    valid_to: Instant
    said_at: Instant
    validity_known: bool = False
    entities: tuple[EntityId, ...] = ()
    documents: tuple[DocumentKey, ...] = ()
    subject: str = ""
    predicate: str = ""
    object: str = ""
    scope: tuple[str, ...] = ()
    fact_kind: str = ""
    section: tuple[str, ...] = ()
    confidence: float = 1.0
    verified: bool = True
    rivals: tuple[RecordId, ...] = ()
    provenance: tuple[Support, ...] = ()
    status: Status = Status.NONE
    version: int = 0
    sequence: int = 0
    recorded_at: Instant = EPOCH
    known_to: Instant = FOREVER
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A record as it goes to the index: with its vector and the generation (the fingerprint of the model) that made it.

    A tombstone has an empty vector.
    """

    record: Record
    dense: tuple[float, ...]
    generation: Fingerprint
