"""The store in SQLite: one file per tenant, one transaction per batch (DESIGN.md section 4)."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from heapq import merge
from importlib import resources
from pathlib import Path
from typing import Any

from derive.bridge import TAU
from derive.keys import Clusters
from schemas.change import KIND, Position, Review
from schemas.deadletter import DeadLetter
from schemas.errors import Inconsistent
from schemas.ids import RecordId, Source, Tenant
from schemas.instant import Instant
from schemas.receipt import Outcome, Receipt
from schemas.rules import SourceRules
from schemas.transition import Cause
from schemas.version import Incoming, Reread
from schemas.vocabulary import Vocabulary
from state.audiences import Audiences
from state.bridges import BridgesView
from state.codec import RECEIPT, TRANSITION, pack_dead_letter, unpack_dead_letter
from state.entities import EntitiesView
from state.facts import FactsView
from state.format import FORMAT
from state.gate import Accepted, Gate
from state.members import MembersView, ReviewsView
from state.names import LinksView, Names, NamesView
from state.nuggets import NuggetsView
from state.outbox import Outbox, stamped
from state.place import spoken
from state.port import Applied, Emission, Forgotten
from state.stretches import StretchesView
from state.timeline import Timeline
from state.touched import CLOCK, READER, Causes, Touched
from state.uses import UsesView
from state.views import Difference, View, refresh

CACHE = 256 * 1024
"""Kibibytes of page cache: at 100,000 documents the hot pages of all indexes fit (bench/scale.py)."""


class SqliteStore:
    """The durable state of one tenant in one file. Open it with `open`; one process at a time may write.

    `views` are in the order in which one is derived from the other; a batch refreshes each once.
    """

    def __init__(
        self, db: sqlite3.Connection, tenant: Tenant, rules: Mapping[Source, SourceRules], vocabulary: Vocabulary, *, tau: int, keep_closed: bool
    ) -> None:
        self._db = db
        self.tenant = tenant
        meta = dict(db.execute("SELECT name, value FROM meta"))
        self.identity: str = meta["identity"]
        self._clock = Instant(meta["clock"])
        self._audiences = Audiences(db)
        self._names = Names(db)
        timeline = Timeline(db, vocabulary)
        self._outbox = Outbox(db, tenant, meta["sequence"], keep_closed=keep_closed)
        self._gate = Gate(db, timeline, self._names, self._audiences, rules, vocabulary)
        clusters = Clusters(vocabulary)
        self.views: Mapping[str, View[Any, Any, Any]] = {
            "facts": FactsView(db, timeline, self._gate.rules),
            "uses": UsesView(db, self._names),
            "links": LinksView(db, timeline, self._names),
            "names": NamesView(db, self._audiences),
            "members": MembersView(db, self._audiences, clusters),
            "reviews": ReviewsView(db, self._audiences, clusters),
            "nuggets": NuggetsView(db, tenant, self._audiences, self._gate.rules, vocabulary, self._outbox),
            "bridges": BridgesView(db, tenant, vocabulary, self._outbox, tau),
            "stretches": StretchesView(db, tenant, self._audiences, self._outbox),
            "entities": EntitiesView(db, tenant, self._audiences, self._outbox),
        }

    @classmethod
    def open(
        cls, path: Path | str, tenant: Tenant, rules: Mapping[Source, SourceRules], vocabulary: Vocabulary, *, at_least: int = 0,
        identity: str | None = None, tau: int = TAU, keep_closed: bool = True,
    ) -> "SqliteStore":  # fmt: skip
        """Open a tenant's store, creating it if need be.

        Inconsistent if it belongs to another tenant, has another format, or does not carry on from a snapshot: `at_least` is the sequence and
        `identity` the store that the snapshot was taken of.
        """
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"cache_size=-{CACHE}", "temp_store=MEMORY", "busy_timeout=10000"):
            db.execute(f"PRAGMA {pragma}")
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            _create(db, tenant)
        meta = dict(db.execute("SELECT name, value FROM meta"))
        _check(meta, str(path), tenant, at_least, identity)
        return cls(db, tenant, rules, vocabulary, tau=tau, keep_closed=keep_closed)

    @property
    def sequence(self) -> int:
        """The number of the last row written."""
        return self._outbox.sequence

    def apply(self, incoming: Sequence[Incoming], now: Instant) -> Applied:
        """Apply one batch whole, in one durable transaction; if anything fails, nothing of it is applied."""
        return self._transact(incoming, now)

    def reread(self, rereads: Sequence[Reread], now: Instant) -> Applied:
        """Put what another reader found in kept bodies in the place of what was read before."""
        with self._transaction():
            self._begin([], now)
            touched = Touched()
            forget = self._gate.reread(rereads, frozenset({READER}), touched)
            self._gate.save()
            self._refresh(touched)
            return Applied((), (), len(self._outbox.written), len(self._outbox.moved), forget)

    def tick(self, now: Instant) -> int:
        """Move the clock; return how many records changed their status by it."""
        return self._transact([], now).transitions

    def _transact(self, incoming: Sequence[Incoming], now: Instant) -> Applied:
        with self._transaction():
            return self._apply(incoming, now)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Do all or nothing: what fails leaves the tables, the sequence, the clock and what is remembered as they were."""
        sequence, clock = self._outbox.sequence, self._clock
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'sequence'", (self._outbox.sequence,))
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'clock'", (self._clock,))
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite has rolled back by itself if the disk is full or the statement was interrupted
                self._db.execute("ROLLBACK")
            self._outbox.sequence, self._clock = sequence, clock
            for memory in (self._audiences, self._names, self._gate):
                memory.forget()
            raise

    def _begin(self, batch: Sequence[Incoming], now: Instant) -> None:
        """Move the clock on and tell the outbox what causes are in this batch."""
        self._clock = max(self._clock, now)
        spoken_once = lru_cache(None)(lambda causes: _spoken(causes, batch, self._clock))
        self._outbox.begin(self._clock, spoken_once, lambda causes: _recorded_at(causes, batch, self._clock))
        self._outbox.wake(self._clock)

    def _apply(self, incoming: Sequence[Incoming], now: Instant) -> Applied:
        batch = list(incoming)
        self._begin(batch, now)
        touched = Touched()
        replayed: list[Receipt] = []
        accepted: dict[int, Accepted] = {}
        for number, one in enumerate(batch):
            known = self.receipt(_position(one))
            if known is not None and known.recorded_at == _time(one):  # a topic that was made anew counts its offsets anew
                replayed.append(known)
            elif isinstance(one, DeadLetter):
                accepted[number] = Accepted(self._bury(one))
            else:
                accepted[number] = self._gate.accept(one, number, touched)
        self._gate.save()
        bridged = self._refresh(touched)
        written, moved = _tally(self._outbox.written), _tally(self._outbox.moved)
        receipts = [
            self._close(replace(one.receipt, records=written[number], transitions=moved[number]), number, bridged) for number, one in accepted.items()
        ]
        forget = sum((one.forget for one in accepted.values()), Forgotten())
        redactions = sorted({one.redacted for one in accepted.values() if one.redacted})
        for redacted in redactions:
            forget += Forgotten((), tuple(self._outbox.erase(redacted)))
        if redactions:
            self._names.erase()
        return Applied(tuple(receipts), tuple(replayed), len(self._outbox.written), len(self._outbox.moved), forget)

    def _refresh(self, touched: Touched) -> list[Difference[str, bytes]]:
        """Make every view true again, each once, in the order in which one is derived from the other."""
        found = {name: refresh(view, touched) for name, view in self.views.items()}
        self._outbox.move(touched.moved.take())
        return found["bridges"]

    def _bury(self, letter: DeadLetter) -> Receipt:
        position = letter.position
        stored = replace(letter, sequence=self._outbox.next())
        spot = (position.topic, position.partition, position.offset, position.index, letter.recorded_at)
        cells = (stored.sequence, *spot, 0, pack_dead_letter(stored))
        self._db.execute("INSERT OR REPLACE INTO dead_letters VALUES(?, ?, ?, ?, ?, ?, ?, ?)", cells)
        return Receipt(
            letter.tenant, letter.source, letter.document, "", "", Outcome.DEAD_LETTER, position, letter.recorded_at, letter.recorded_at,
            reason=letter.reason,
        )  # fmt: skip

    def _close(self, receipt: Receipt, number: int, bridged: Sequence[Difference[str, bytes]]) -> Receipt:
        """Complete a receipt with what its change touched, and store it."""
        mine = [difference for difference in bridged if number in difference.causes]
        whole = replace(
            receipt,
            sequence=self._outbox.next(),
            entities=len(mine),
            kept=sum(difference.kept for difference in mine),
            added=sum(len(difference.after.keys() - difference.before.keys()) for difference in mine),
            removed=sum(len(difference.before.keys() - difference.after.keys()) for difference in mine),
        )
        position = whole.position
        cells = (whole.sequence, position.topic, position.partition, position.offset, position.index, RECEIPT.pack(whole))
        self._db.execute("INSERT OR REPLACE INTO receipts VALUES(?, ?, ?, ?, ?, ?)", cells)
        return whole

    def next_wake(self) -> Instant | None:
        """Return the next instant at which a status changes by the clock alone."""
        row = self._db.execute("SELECT min(wake) FROM records WHERE wake IS NOT NULL").fetchone()
        return None if row[0] is None else Instant(row[0])

    def after(self, sequence: int, limit: int = 1000) -> Iterator[list[Emission]]:
        """Yield, in chunks and in sequence, the newest state of all that was written above `sequence`."""
        at, end = sequence, self.sequence
        while at < end:
            found = [*self._written(at, end, limit)]
            if not found:
                return
            yield [emission for _, emission in found]
            at = found[-1][0]

    def _written(self, at: int, end: int, limit: int) -> list[tuple[int, Emission]]:
        parts = (self._records(at, end, limit), self._closed(at, end, limit), self._others(at, end, limit))
        return list(merge(*parts, key=lambda pair: pair[0]))[:limit]

    def _records(self, at: int, end: int, limit: int) -> list[tuple[int, Emission]]:
        columns = "sequence, body, version, recorded_at, status, deleted"
        rows = self._db.execute(f"SELECT {columns} FROM records WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?", (at, end, limit))
        return [
            (number, stamped(body, version, number, recorded_at, status, deleted=bool(deleted)))
            for number, body, version, recorded_at, status, deleted in rows
        ]

    def _closed(self, at: int, end: int, limit: int) -> list[tuple[int, Emission]]:
        columns = "sequence, id, version, known_from, known_to, deleted, body"
        rows = self._db.execute(f"SELECT {columns} FROM closed WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?", (at, end, limit))
        found: list[tuple[int, Emission]] = []
        for number, record, version, known_from, known_to, deleted, body in rows:
            whole = stamped(body, version, number, known_from, "none", deleted=bool(deleted))
            found.append((number, replace(whole, id=RecordId(f"{record.hex()}.{version}"), known_to=Instant(known_to))))
        return found

    def _others(self, at: int, end: int, limit: int) -> list[tuple[int, Emission]]:
        found: list[tuple[int, Emission]] = []
        for table, unpack in (("transitions", TRANSITION.unpack), ("receipts", RECEIPT.unpack), ("dead_letters", unpack_dead_letter)):
            rows = self._db.execute(
                f"SELECT sequence, body FROM {table} WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?", (at, end, limit)
            )
            found.extend((number, unpack(body)) for number, body in rows)
        return sorted(found, key=lambda pair: pair[0])[:limit]

    def receipt(self, position: Position) -> Receipt | None:
        """Return the stored receipt of a position, if it was not pruned."""
        spot = (position.topic, position.partition, position.offset, position.index)
        row = self._db.execute("SELECT body FROM receipts WHERE topic = ? AND part = ? AND spot = ? AND number = ?", spot).fetchone()
        return RECEIPT.unpack(row[0]) if row else None

    def prune(self, sequence: int) -> int:
        """Forget tombstones, transitions and receipts up to a sequence that every consumer has passed; return how many rows went."""
        with self._transaction():
            passed = "SELECT id, version FROM closed WHERE deleted AND sequence <= ?"
            self._db.execute(f"DELETE FROM closed_documents WHERE (id, version) IN ({passed})", (sequence,))
            gone = [self._db.execute(f"DELETE FROM {table} WHERE deleted AND sequence <= ?", (sequence,)) for table in ("records", "closed")]
            gone += [self._db.execute(f"DELETE FROM {table} WHERE sequence <= ?", (sequence,)) for table in ("receipts", "transitions")]
        return sum(cursor.rowcount for cursor in gone)

    def retire(self, before: Instant) -> int:
        """Let go of versions that were closed before an instant: each becomes a tombstone, which consumers follow; return how many there were."""
        with self._transaction():
            rows = self._db.execute("SELECT id, version FROM closed WHERE NOT deleted AND known_to < ?", (before,)).fetchall()
            numbered = [(self._outbox.next(), *row) for row in rows]
            self._db.executemany("UPDATE closed SET deleted = 1, sequence = ? WHERE id = ? AND version = ?", numbered)
        return len(rows)

    def close(self) -> None:
        """Release the store."""
        self._db.close()


def _create(db: sqlite3.Connection, tenant: Tenant) -> None:
    db.executescript("BEGIN IMMEDIATE;" + resources.files("state").joinpath("tables.sql").read_text("utf-8"))
    identity = db.execute("SELECT lower(hex(randomblob(16)))").fetchone()[0]
    values = {"format": FORMAT, "tenant": tenant, "identity": identity, "sequence": 0, "clock": 0}
    db.executemany("INSERT INTO meta VALUES(?, ?)", list(values.items()))
    db.execute("COMMIT")


def _check(meta: Mapping[str, object], path: str, tenant: Tenant, at_least: int, identity: str | None) -> None:
    problem = ""
    if meta["format"] != FORMAT:
        problem = f"has tables of format {meta['format']}, this version reads {FORMAT}: rebuild it from the topics"
    elif meta["tenant"] != tenant:
        problem = f"belongs to tenant {meta['tenant']!r}, not {tenant!r}"
    elif identity is not None and meta["identity"] != identity:
        problem = f"is store {meta['identity']}, but the recovery directory was written with store {identity}: restore both, or remove both"
    elif isinstance(meta["sequence"], int) and meta["sequence"] < at_least:
        problem = f"ends at sequence {meta['sequence']}, behind its snapshot at {at_least}: restore a newer copy, or remove the recovery directory"
    if problem:
        message = f"store {path} {problem}"
        raise Inconsistent(message)


def _tally(causes: Sequence[Causes]) -> Counter[int]:
    """Return how often each change is among the causes."""
    return Counter(number for some in causes for number in some)


def _position(one: Incoming) -> Position:
    if isinstance(one, DeadLetter):
        return one.position
    return one.change.position if isinstance(one.change, Review) else one.change.stamp.position


def _spoken(causes: Causes, batch: Sequence[Incoming], clock: Instant) -> tuple[Cause, ...]:
    of_store = {CLOCK: Cause("clock", at=clock), READER: Cause("reader", at=clock)}
    return tuple(sorted({of_store.get(number) or _cause(batch[number]) for number in causes}))


def _cause(one: Incoming) -> Cause:
    if isinstance(one, DeadLetter):  # pragma: no cover - a dead letter touches nothing
        return Cause("dead-letter")
    change = one.change
    if isinstance(change, Review):
        return Cause("review", change.source, change.subject, "", change.at, change.by, str(change.position))
    stamp = change.stamp
    return Cause(KIND[type(change)], stamp.source, stamp.document, spoken(stamp.order), stamp.event_time, stamp.author, str(stamp.position))


def _recorded_at(causes: Causes, batch: Sequence[Incoming], clock: Instant) -> Instant:
    times = [clock if number in (CLOCK, READER) else _time(batch[number]) for number in causes]
    return max(times, default=clock)


def _time(one: Incoming) -> Instant:
    if isinstance(one, DeadLetter):
        return one.recorded_at
    return one.change.recorded_at if isinstance(one.change, Review) else one.change.stamp.recorded_at
