"""Messages: what a topic delivers, before any adapter has looked at it."""

from dataclasses import dataclass

from schemas.change import Position
from schemas.instant import Instant


@dataclass(frozen=True, slots=True)
class Message:
    """One Kafka message as it came. `timestamp` is its time in Kafka; a `value` of None is a tombstone.

    `previous` is the offset delivered before this one on the partition (offsets have gaps), -1 if there was none.
    """

    topic: str
    partition: int
    offset: int
    previous: int
    timestamp: Instant
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()

    def position(self, index: int = 0, count: int = 1) -> Position:
        """Return where change number `index` of the `count` changes in this message came from."""
        return Position(self.topic, self.partition, self.offset, index, count, self.previous)


@dataclass(frozen=True, slots=True)
class Mark:
    """A message that held no change: nothing comes of it, and the watermark may pass it."""

    position: Position
