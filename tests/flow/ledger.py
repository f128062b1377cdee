"""The smallest store that keeps the promises of state/port.py: one record per document, holding its newest text.

What the flow guarantees must hold for every store, and with this one a test can see at once whether the index is right. It lives in memory and
outlives a run of the flow, as a file outlives a process.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flows.reading import position_of, recorded_at
from schemas.change import EVERYONE, Delete, Position, Put, Review, Text, audience_of
from schemas.deadletter import DeadLetter
from schemas.errors import Inconsistent
from schemas.ids import RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.receipt import Outcome, Receipt
from schemas.record import Belief, Kind, Record, Status
from schemas.transition import Cause, State, Transition
from schemas.version import Incoming, Reread, Version
from state.port import Applied, Emission

CANNOT_APPLY = "this text cannot be applied"
LATER = "from noon: "
"""A text that begins so is Active from the clock's noon on only."""
NOON = Instant(43_200_000)


class Ledger:
    """A tenant's store."""

    def __init__(self, tenant: Tenant, identity: str = "ledger") -> None:
        self.tenant = tenant
        self.identity = identity
        self.sequence = 0
        self.pruned = 0
        self.records: dict[RecordId, Record] = {}
        self._orders: dict[RecordId, tuple[int, ...]] = {}
        self._transitions: list[Transition] = []
        self._receipts: dict[Position, Receipt] = {}
        self._letters: dict[Position, DeadLetter] = {}
        self._clock = Instant(0)

    def opened(self, at_least: int, identity: str | None) -> "Ledger":
        """Return itself, if it is what the snapshot says."""
        if self.sequence < at_least or identity not in (None, self.identity):
            message = f"store {self.identity} at {self.sequence} is not {identity} at {at_least}"
            raise Inconsistent(message)
        return self

    @property
    def live(self) -> dict[RecordId, str]:
        """The texts that the index must hold in the end."""
        return {record.id: record.text for record in self.records.values() if not record.deleted}

    def apply(self, incoming: Sequence[Incoming], now: Instant) -> Applied:
        """Apply a batch whole; a change that cannot be applied raises before anything is written."""
        for item in incoming:
            if isinstance(item, Version) and CANNOT_APPLY in _text(item):
                message = CANNOT_APPLY
                raise ValueError(message)
        self._clock = max(self._clock, now)
        before, replayed = self.sequence, []
        for item in incoming:
            position = item.position if isinstance(item, DeadLetter) else position_of(item.change)
            if position in self._receipts:
                replayed.append(self._receipts[position])
            else:
                self._receipts[position] = self._accept(item, position)
        return Applied((), tuple(replayed), self.sequence - before, 0)

    def _accept(self, item: Incoming, position: Position) -> Receipt:
        if isinstance(item, DeadLetter):
            self._letters[position] = replace(item, sequence=self._next())
            return self._receipt(item.source, item.document, Outcome.DEAD_LETTER, position, item.recorded_at)
        change = item.change
        assert not isinstance(change, Review)
        identity = RecordId(change.stamp.key)
        outcome = Outcome.LATE
        if change.stamp.order > self._orders.get(identity, ()):
            self._orders[identity] = change.stamp.order
            self._write(identity, item, position)
            outcome = Outcome.APPLIED
        return self._receipt(change.stamp.source, change.stamp.document, outcome, position, recorded_at(change))

    def _write(self, identity: RecordId, item: Version, position: Position) -> None:
        former = self.records.get(identity)
        text = _text(item)
        starts = NOON if text.startswith(LATER) else Instant(0)
        made = Record(
            id=identity,
            kind=Kind.UNIT,
            tenant=self.tenant,
            audience=audience_of([EVERYONE]),
            text=text,
            belief=Belief.BELIEVED,
            reason="current",
            valid_from=starts,
            valid_to=FOREVER,
            said_at=recorded_at(item.change),
            status=Status.ACTIVE if starts <= self._clock else Status.NONE,
            version=former.version + 1 if former else 1,
            recorded_at=recorded_at(item.change),
            deleted=isinstance(item.change, Delete),
        )
        self._put(former, made, Cause("put", position=str(position)))

    def _put(self, former: Record | None, made: Record, cause: Cause) -> None:
        self.records[made.id] = replace(made, sequence=self._next())
        before, after = _state(former), _state(made)
        self._transitions.append(Transition(self.tenant, self._next(), made.id, made.kind, made.text, before, after, (cause,), made.recorded_at))

    def _receipt(self, source: str, document: str, outcome: Outcome, position: Position, at: Instant) -> Receipt:
        return Receipt(self.tenant, source, document, "", "put", outcome, position, at, at, self._next())

    def _next(self) -> int:
        self.sequence += 1
        return self.sequence

    def reread(self, rereads: Sequence[Reread], now: Instant) -> Applied:
        """Take the time; a ledger keeps no bodies."""
        assert not rereads
        return Applied((), (), 0, self.tick(now))

    def tick(self, now: Instant) -> int:
        """Move the clock over the starts of validities."""
        self._clock = max(self._clock, now)
        due = [record for record in self.records.values() if record.status is Status.NONE and record.valid_from <= self._clock and not record.deleted]
        for record in due:
            self._put(record, replace(record, status=Status.ACTIVE, version=record.version + 1), Cause("clock"))
        return len(due)

    def next_wake(self) -> Instant | None:
        """Return the next start of a validity."""
        starts = [record.valid_from for record in self.records.values() if record.valid_from > self._clock]
        return min(starts, default=None)

    def after(self, sequence: int, limit: int = 1000) -> Iterator[list[Emission]]:
        """Yield what was written above a sequence."""
        written: list[Emission] = [*self.records.values(), *self._transitions, *self._receipts.values(), *self._letters.values()]
        newer = sorted((item for item in written if item.sequence > max(sequence, self.pruned)), key=lambda item: item.sequence)
        for first in range(0, len(newer), limit):
            yield newer[first : first + limit]

    def receipt(self, position: Position) -> Receipt | None:
        """Return a stored receipt."""
        return self._receipts.get(position)

    def prune(self, sequence: int) -> int:
        """Forget what lies up to a sequence, records that are live excepted."""
        self.pruned = max(self.pruned, sequence)
        gone = [identity for identity, record in self.records.items() if record.deleted and record.sequence <= sequence]
        for identity in gone:
            del self.records[identity]
        return len(gone)

    def retire(self, before: Instant) -> int:
        """Nothing is closed here."""
        return 0

    def close(self) -> None:
        """Nothing is held."""


def _text(item: Version) -> str:
    change = item.change
    return change.body.text if isinstance(change, Put) and isinstance(change.body, Text) else ""


def _state(record: Record | None) -> State | None:
    if record is None or record.deleted:
        return None
    return State(record.status, record.belief, record.reason, record.valid_from, record.valid_to)
