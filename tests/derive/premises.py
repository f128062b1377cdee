"""Premises for tests of bridges: nugget runs as bridges see them, in few words."""

from schemas.bridge import Premise
from schemas.ids import DocumentKey, EntityId, RecordId
from schemas.instant import FOREVER, Instant
from schemas.record import Belief


def premise(
    record: str,
    subject: str,
    predicate: str,
    value: str,
    *documents: str,
    literal: bool = False,
    belief: Belief = Belief.BELIEVED,
    start: int = 10,
    end: int = FOREVER,
    confidence: float = 0.9,
    negated: bool = False,
    scope: tuple[str, ...] = (),
) -> Premise:
    """Return that a subject has a value, stated now by the documents. Entities are known by their names here; a literal names none."""
    target = EntityId("" if literal else value)
    entities = tuple(EntityId(name) for name in (subject, target) if name)
    return Premise(
        RecordId(record), f"{subject} {predicate} {value}.", subject, EntityId(subject), predicate, value, target, entities, belief,
        Instant(start), Instant(end), Instant(start), confidence, tuple(DocumentKey(one) for one in documents), scope, negated,
    )  # fmt: skip
