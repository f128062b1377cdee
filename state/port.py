"""The store port: one transactional store per tenant, whatever database is behind it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.ids import Tenant
from schemas.instant import Instant
from schemas.receipt import Receipt
from schemas.record import Record
from schemas.transition import Transition
from schemas.version import Incoming, Reread

Emission: TypeAlias = Record | Transition | Receipt | DeadLetter
"""What leaves a store; each carries its sequence."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a redaction took away and nothing in the store says any more: keys of the memo's facts, and texts whose vectors it may hold."""

    keys: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether there is anything to forget."""
        return bool(self.keys or self.texts)

    def __add__(self, other: "Forgotten") -> "Forgotten":
        """Return both together."""
        return Forgotten(self.keys + other.keys, self.texts + other.texts)


NOTHING_FORGOTTEN = Forgotten()


@dataclass(frozen=True, slots=True)
class Applied:
    """What one transaction did, for logs and benchmarks: everything else leaves through `after`.

    `replayed` are the stored receipts of positions that were seen before. `forget` is what the memo must forget after a redaction.
    """

    receipts: tuple[Receipt, ...]
    replayed: tuple[Receipt, ...]
    written: int
    transitions: int
    forget: Forgotten = NOTHING_FORGOTTEN


class Store(Protocol):
    """The durable state of one tenant. One process at a time writes; anybody reads (`state.reader`)."""

    tenant: Tenant
    identity: str

    @property
    def sequence(self) -> int:
        """The number of the last row written."""

    def apply(self, incoming: Sequence[Incoming], now: Instant) -> Applied:
        """Apply one batch whole, in one durable transaction. Running it twice changes nothing more.

        A duplicate position is answered with its stored receipt. `now` moves the clock forward, never back.
        """

    def reread(self, rereads: Sequence[Reread], now: Instant) -> Applied:
        """Put what another reader found in bodies that the store keeps in the place of what was read before, in one durable transaction.

        What it no longer finds is gone as if it had never been read, in every version that had it; what both find keeps its ids. No receipts.
        """

    def tick(self, now: Instant) -> int:
        """Move the clock; return how many records changed their status by it."""

    def next_wake(self) -> Instant | None:
        """Return the next instant at which a status changes by the clock alone."""

    def after(self, sequence: int, limit: int = 1000) -> Iterator[list[Emission]]:
        """Yield, in chunks and in sequence, the newest state of all that was written above `sequence`; receipts come after the records below them."""

    def receipt(self, position: Position) -> Receipt | None:
        """Return the stored receipt of a position, if it was not pruned."""

    def prune(self, sequence: int) -> int:
        """Forget tombstones, transitions and receipts up to a sequence that every consumer has passed; return how many rows went."""

    def retire(self, before: Instant) -> int:
        """Let go of versions that were closed before an instant: each becomes a tombstone, which consumers follow; return how many there were."""

    def close(self) -> None:
        """Release the store and its lock."""
