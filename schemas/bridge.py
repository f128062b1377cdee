"""Bridges: statements that follow from nuggets of at least two documents that share an entity."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.ids import Audience, DocumentKey, EntityId, RecordId
from schemas.instant import Instant
from schemas.record import Belief, Support


class Reasoning(StrEnum):
    """How a bridge joins its two nuggets through the entity E."""

    CHAIN = "chain"
    """A -p-> E, E -q-> B."""
    SHARED_SUBJECT = "shared subject"
    """E -p-> X, E -q-> Y."""
    SHARED_OBJECT = "shared object"
    """A -p-> E, B -q-> E."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A nugget run as bridges use it. `target` is the entity that the object names, "" for a literal.

    `documents` are those whose newest version states it; only they count for eligibility and support.
    """

    record: RecordId
    text: str
    subject: str
    source_entity: EntityId
    predicate: str
    object: str
    target: EntityId
    entities: tuple[EntityId, ...]
    belief: Belief
    valid_from: Instant
    valid_to: Instant
    said_at: Instant
    confidence: float
    documents: tuple[DocumentKey, ...]
    scope: tuple[str, ...] = ()
    negated: bool = False
    provenance: tuple[Support, ...] = ()


@dataclass(frozen=True, slots=True)
class Bridge:
    """One bridge over `entity`; `supports` are the records of its premises in the order of the reasoning."""

    id: RecordId
    audience: Audience
    entity: EntityId
    reasoning: Reasoning
    supports: tuple[RecordId, ...]
    text: str
    belief: Belief
    valid_from: Instant
    valid_to: Instant
    confidence: float
    verified: bool
