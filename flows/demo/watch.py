"""The demo's eyes: it listens where the metrics are taken, so it sees what became of each change at the moment it became searchable."""

import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from connectors.metrics import Metrics
from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.receipt import Outcome, Receipt
from schemas.record import Kind, Status
from schemas.transition import Transition

RECENT = 6
"""Transitions that the live display has room for."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What has been seen so far. `records` counts those that are there now, `recent` holds the last notable transitions, oldest first."""

    outcomes: Counter[Outcome]
    records: Counter[tuple[Kind, Status]]
    bridges: Counter[str]
    calls: int
    hits: int
    transitions: int
    recent: tuple[Transition, ...]

    @property
    def done(self) -> int:
        """How many changes are searchable, or dead letters."""
        return self.outcomes.total()


class Notebook:
    """What the flow's threads saw and the demo's thread reads; one lock guards it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waits: dict[Position, tuple[Receipt, float]] = {}
        self._transitions: list[Transition] = []
        self._letters: list[DeadLetter] = []
        self._records: Counter[tuple[Kind, Status]] = Counter()
        self._recent: deque[Transition] = deque(maxlen=RECENT)

    def searchable(self, receipts: Sequence[Receipt], now: float) -> None:
        """Note how long changes took from Kafka until now (seconds since 1970); a redelivery does not count again."""
        with self._lock:
            for receipt in receipts:
                self._waits.setdefault(receipt.position, (receipt, max(0.0, now - receipt.recorded_at / 1000)))

    def transitions(self, transitions: Sequence[Transition]) -> None:
        """Note that records came, changed their status and went."""
        with self._lock:
            for transition in transitions:
                self._transitions.append(transition)
                self._count(transition)
                if notable(transition):
                    self._recent.append(transition)

    def dead_letter(self, letter: DeadLetter) -> None:
        """Note a change that could not be applied."""
        with self._lock:
            self._letters.append(letter)

    def _count(self, transition: Transition) -> None:
        if transition.before is not None:
            self._records[transition.kind, transition.before.status] -= 1
        if transition.after is not None:
            self._records[transition.kind, transition.after.status] += 1

    def sight(self) -> Sight:
        """Return what has been seen so far."""
        with self._lock:
            receipts = [receipt for receipt, _ in self._waits.values()]
            bridges = Counter(
                kept=sum(receipt.kept for receipt in receipts),
                added=sum(receipt.added for receipt in receipts),
                removed=sum(receipt.removed for receipt in receipts),
            )
            return Sight(
                outcomes=Counter(receipt.outcome for receipt in receipts),
                records=+self._records,
                bridges=bridges,
                calls=sum(receipt.calls for receipt in receipts),
                hits=sum(receipt.hits for receipt in receipts),
                transitions=len(self._transitions),
                recent=tuple(self._recent),
            )

    def waits(self) -> list[tuple[Receipt, float]]:
        """Return the receipt of each change, and the seconds from Kafka until it was searchable, in the order of becoming so."""
        with self._lock:
            return list(self._waits.values())

    def history(self) -> list[Transition]:
        """Return all transitions, oldest first."""
        with self._lock:
            return list(self._transitions)

    def letters(self) -> list[DeadLetter]:
        """Return all dead letters, oldest first."""
        with self._lock:
            return list(self._letters)


class Watch(Metrics):
    """Metrics that also keep a notebook."""

    def __init__(self) -> None:
        super().__init__()
        self.notebook = Notebook()

    def searchable(self, receipts: Sequence[Receipt]) -> None:
        """See which changes are searchable now."""
        self.notebook.searchable(receipts, time.time())
        super().searchable(receipts)

    def transitions(self, transitions: Sequence[Transition]) -> None:
        """See records come, change their status and go."""
        self.notebook.transitions(transitions)
        super().transitions(transitions)

    def dead_letter(self, letter: DeadLetter) -> None:
        """See a change that could not be applied."""
        self.notebook.dead_letter(letter)
        super().dead_letter(letter)


def notable(transition: Transition) -> bool:
    """Return whether people would want to hear of it: a fact or bridge that changed its status, or came as anything but Active."""
    before, after = transition.before, transition.after
    if after is None or transition.kind not in (Kind.NUGGET, Kind.BRIDGE):
        return False
    if before is None:
        return after.status not in (Status.ACTIVE, Status.NONE)
    return before.status is not after.status
