"""A producer whose broker is a list."""

from collections.abc import Iterable, Sequence

from connectors.kafka import Headers
from schemas.change import Position
from schemas.errors import Unreachable


class Delivered:
    """Keeps what was delivered, as (topic, key, value). After `limit` messages its broker is away."""

    def __init__(self, limit: int = 10**9) -> None:
        self.messages: list[tuple[str, bytes | None, bytes | None]] = []
        self.limit = limit

    def send(self, topic: str, key: bytes | None, value: bytes | None, headers: Headers = ()) -> Position:
        """Deliver one message."""
        return self.send_all(topic, [(key, value, headers)])[0]

    def send_all(self, topic: str, messages: Iterable[tuple[bytes | None, bytes | None, Headers]]) -> list[Position]:
        """Deliver many; those before the limit arrive even if the call raises."""
        return [self._take(topic, key, value) for key, value, _ in messages]

    def values(self) -> Sequence[bytes | None]:
        """Return the values alone."""
        return [value for _, _, value in self.messages]

    def _take(self, topic: str, key: bytes | None, value: bytes | None) -> Position:
        if len(self.messages) >= self.limit:
            message = "the broker is away"
            raise Unreachable(message)
        self.messages.append((topic, key, value))
        return Position(topic, 0, len(self.messages) - 1)
