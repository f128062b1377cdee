"""Apply: the one owner of a tenant's store, and the one way out of it (DESIGN.md 5.9).

The snapshot is (tenant, identity of the store, sequence) and a census for the metrics: all up to that sequence was emitted before the epoch ended.
On resume everything above it is emitted again, newest state per record, so a crash between the store's commit and the index leaves nothing behind.
The store itself is never rolled back.

1. Everything leaves through `_drain`, in the order of the sequence, so a receipt comes after the records before it; a stored receipt of a position
   that is delivered again waits until the drain has passed it.
2. A drain stops after so many rows and goes on at the next wake-up: a large backlog is never in memory at once.
3. Tombstones and receipts are pruned two snapshots behind, hence below a sequence whose epoch is committed, with one generation of margin.
"""

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bytewax.operators import StatefulBatchLogic

from connectors.metrics import Metrics
from flows.census import Census, Counts
from flows.reading import letter_of
from flows.stores import Stores
from flows.traffic import Arrival, Effect, Fault, with_message
from schemas.deadletter import DeadLetter
from schemas.errors import BadChange, BadReading, Problem
from schemas.ids import Tenant
from schemas.instant import Instant, to_datetime
from schemas.message import Mark
from schemas.receipt import Receipt
from schemas.version import Incoming, Reread, Version
from state.port import Forgotten, Store

log = logging.getLogger(__name__)

Snapshot: TypeAlias = tuple[str, str, int, Counts]
"""(tenant, identity, sequence emitted, census at that sequence): plain data, since a class would tie the recovery store to its module."""

LONGEST_SLEEP = 3_600_000
"""Milliseconds until the clock is looked at again at the latest; the next start or end of a validity may be centuries away."""


@dataclass(frozen=True, slots=True)
class Applying:
    """What the step needs; one for all tenants of the process.

    `closed_for`: milliseconds that superseded versions are kept, 0 for ever. `forget` removes from the memo what a redaction took away.
    `reemit` False skips what the index may lack after a crash: the crash bench shows with it that re-emission is needed.
    """

    stores: Stores
    metrics: Metrics
    now: Callable[[], Instant]
    fault: Fault
    stop: threading.Event
    forget: Callable[[Forgotten], None]
    transaction: int = 50
    emission: int = 2000
    kept: int = 1_000_000
    closed_for: int = 0
    reemit: bool = True

    def build(self, resume: Snapshot | None) -> "ApplyLogic":
        """Return the logic of one tenant."""
        return ApplyLogic(self, resume)


class ApplyLogic(StatefulBatchLogic[Arrival, Effect, Snapshot | None]):
    """One tenant. Bytewax does not say which until its first arrival, except through the snapshot."""

    def __init__(self, applying: Applying, resume: Snapshot | None) -> None:
        self._applying = applying
        self._store: Store | None = None
        self._sent = 0
        self._repeated: list[Receipt] = []
        self._margin: deque[int] = deque(maxlen=3)
        self._opened_at = 0
        self._census = Census()
        if resume is not None:
            tenant, identity, sent, counts = resume
            self._census = Census(counts)
            self._open(Tenant(tenant), sent, identity)

    def _open(self, tenant: Tenant, sent: int, identity: str | None = None) -> Store:
        """Open the store where the index stands; a store behind that, or another one, is refused by the store itself."""
        store = self._applying.stores.open(tenant, sent, identity)
        self._store = store
        self._opened_at = store.sequence
        self._sent = sent if self._applying.reemit else store.sequence
        if self._sent < store.sequence:
            log.info("tenant %s: emitting again from sequence %d to %d", tenant, self._sent, store.sequence)
        return store

    def on_batch(self, values: list[Arrival]) -> tuple[list[Effect], bool]:
        """Apply arrivals in transactions; emit all that this wrote, then the marks."""
        store = self._store or self._open(values[0].tenant, 0)
        with self._applying.metrics.stage("apply"):
            incoming = [arrival for arrival in values if isinstance(arrival.item, Version | DeadLetter)]
            rereads = [arrival.item for arrival in values if isinstance(arrival.item, Reread)]
            size = self._applying.transaction
            for first in range(0, len(incoming), size):
                self._apply(store, incoming[first : first + size])
                self._applying.fault("commit-emit")
            if rereads:
                self._reread(store, rereads)
                self._applying.fault("commit-emit")
            effects = self._drain(store)
        return [*effects, *(arrival.item for arrival in values if isinstance(arrival.item, Mark))], self.RETAIN

    def on_notify(self) -> tuple[list[Effect], bool]:
        """Go on emitting, and let the store see the clock where a validity starts or ends."""
        store = self._store
        if store is None:
            return [], self.RETAIN
        due, now = store.next_wake(), self._applying.now()
        if due is not None and due <= now:
            store.tick(now)
        return self._drain(store), self.RETAIN

    def on_eof(self) -> tuple[list[Effect], bool]:
        """Emit what is left, unless asked to stop: the next run goes on where this one ended, but a bounded run has no next one."""
        effects: list[Effect] = []
        while self._store is not None and self._behind(self._store) and not self._applying.stop.is_set():
            effects += self._drain(self._store)
        return effects, self.RETAIN

    def notify_at(self) -> datetime | None:
        """Return when to wake: at once while something is left to emit, else when the next validity starts or ends."""
        if self._store is None:
            return None
        now = self._applying.now()
        if self._behind(self._store):
            return to_datetime(now)
        due = self._store.next_wake()
        return to_datetime(min(max(due, now), now + LONGEST_SLEEP)) if due is not None else None

    def snapshot(self) -> Snapshot | None:
        """Return what the index has, and prune what lies behind it."""
        if self._store is None:
            return None
        self._margin.append(self._sent)
        if len(self._margin) == self._margin.maxlen:
            self._prune(self._store, self._margin[0])
        return (self._store.tenant, self._store.identity, self._sent, self._census.saved())

    def _prune(self, store: Store, passed: int) -> None:
        """Forget what every consumer has passed and nobody wants to see any more."""
        upto = min(passed, store.sequence - self._applying.kept)
        if upto > 0:
            store.prune(upto)
        if self._applying.closed_for:
            store.retire(Instant(self._applying.now() - self._applying.closed_for))

    def _behind(self, store: Store) -> bool:
        """Whether something was written that was not emitted."""
        return self._sent < store.sequence or bool(self._repeated)

    def _drain(self, store: Store) -> list[Effect]:
        """Emit what lies above the sequence emitted, a bounded number of rows of it."""
        effects: list[Effect] = []
        last = store.sequence
        for chunk in store.after(self._sent):
            effects += chunk
            self._sent = chunk[-1].sequence
            if len(effects) >= self._applying.emission:
                break
        else:
            self._sent = last
        self._count(store, effects)
        return [*effects, *self._passed()]

    def _count(self, store: Store, effects: Sequence[Effect]) -> None:
        """Account for what is emitted."""
        self._census.take(effects)
        self._applying.metrics.records(store.tenant, self._census.counts)
        self._applying.metrics.reemitted(sum(effect.sequence <= self._opened_at for effect in effects if not isinstance(effect, Mark)))

    def _passed(self) -> list[Receipt]:
        """Return the repeated receipts whose records were emitted by now."""
        passed = [receipt for receipt in self._repeated if receipt.sequence <= self._sent]
        self._repeated = [receipt for receipt in self._repeated if receipt.sequence > self._sent]
        return passed

    def _apply(self, store: Store, arrivals: Sequence[Arrival]) -> None:
        """Apply one transaction. One that fails is tried change by change, so that a bad one is a dead letter and harms no other."""
        try:
            applied = store.apply([_incoming(arrival) for arrival in arrivals], self._applying.now())
        except Exception as err:
            if not _is_of_input(err):
                raise
            if len(arrivals) > 1:
                for arrival in arrivals:
                    self._apply(store, [arrival])
                return
            self._bury(store, arrivals[0], err)
        else:
            self._repeated += applied.replayed
            if applied.forget:
                self._applying.forget(applied.forget)

    def _reread(self, store: Store, rereads: Sequence[Reread]) -> None:
        """Apply what another reader found in kept bodies, all of a batch at once; one that fails leaves what was read before, and harms no other."""
        try:
            applied = store.reread(rereads, self._applying.now())
        except Exception as err:
            if not _is_of_input(err):
                raise
            if len(rereads) > 1:
                for one in rereads:
                    self._reread(store, [one])
                return
            log.exception("content %s cannot be applied as it was read again", rereads[0].reading.content)
        else:
            if applied.forget:
                self._applying.forget(applied.forget)

    def _bury(self, store: Store, arrival: Arrival, err: Exception) -> None:
        """Put a change that cannot be applied among the dead letters; a dead letter that cannot be stored ends the flow."""
        if not isinstance(arrival.item, Version):
            raise err
        log.error("a change cannot be applied", exc_info=err)
        letter = letter_of(arrival.item.change, "apply", err)
        store.apply([with_message(letter, arrival)], self._applying.now())


def _incoming(arrival: Arrival) -> Incoming:
    """Return what the store takes."""
    if not isinstance(arrival.item, Version | DeadLetter):
        message = f"{type(arrival.item).__name__} is nothing for a store"
        raise TypeError(message)
    return arrival.item


def _is_of_input(err: Exception) -> bool:
    """Whether a failure is the change's own; a full disk, a lost lock or stored state that contradicts itself would fail every change."""
    if isinstance(err, Problem):
        return isinstance(err, BadChange | BadReading)
    if isinstance(err, sqlite3.Error):
        return isinstance(err, sqlite3.IntegrityError | sqlite3.DataError)
    return not isinstance(err, OSError | MemoryError)
