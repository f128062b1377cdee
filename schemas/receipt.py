"""Receipts: what became of one change. Every change ends in exactly one."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.change import Position
from schemas.ids import Tenant
from schemas.instant import Instant


class Outcome(StrEnum):
    """What became of a change."""

    APPLIED = "applied"
    LATE = "late"
    DUPLICATE = "duplicate"
    UNCHANGED = "unchanged"
    DEAD_LETTER = "dead-letter"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of one change.

    `calls`/`hits`: blocks sent to the extractor and blocks answered by the memo. `records` written and `transitions` made on its account
    (shared with the other changes of the batch that touched the same key). `entities` whose bridges were derived again, and the bridges
    `kept`, `added` and `removed` by that. `tie` says that an equal order was decided by content, or that the order (where the
    source has none: the delivery) decided between two texts of one time.
    `reason` says why a change is a dead letter, or what is doubtful about one that counts: its time.
    `event_time` is the source's, `recorded_at` Kafka's; `sequence` is the store's.
    """

    tenant: Tenant
    source: str
    document: str
    order: str
    kind: str
    outcome: Outcome
    position: Position
    event_time: Instant
    recorded_at: Instant
    sequence: int = 0
    calls: int = 0
    hits: int = 0
    records: int = 0
    transitions: int = 0
    entities: int = 0
    kept: int = 0
    added: int = 0
    removed: int = 0
    tie: bool = False
    reason: str = ""
