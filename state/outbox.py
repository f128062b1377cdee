"""The outbox: records with their versions, sequence numbers, statuses and transitions. Everything that leaves the store is written here.

Views say what a record should be (a draft); what differs from the stored one becomes a new version with the next sequence number, and a transition
where its status or validity changed.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from schemas.draft import Draft
from schemas.ids import Audience, RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Status, status_at
from schemas.transition import Cause, State, Transition
from state.codec import RECORD, TRANSITION, pack_premise, unpack_premise
from state.sql import select_in
from state.touched import CLOCK, Causes


@dataclass(frozen=True, slots=True)
class Held:
    """A stored record: the draft as bytes, and what the store added."""

    record: RecordId
    version: int
    status: Status
    recorded_at: Instant
    deleted: bool
    body: bytes
    premise: bytes | None


class Outbox:
    """Writes what leaves the store. Owned by one transaction at a time: `begin` sets the batch's clock and causes."""

    def __init__(self, db: sqlite3.Connection, tenant: Tenant, sequence: int, *, keep_closed: bool) -> None:
        self._db = db
        self._tenant = tenant
        self.sequence = sequence
        self._keep_closed = keep_closed
        self._clock = Instant(0)
        self._causes: Callable[[Causes], tuple[Cause, ...]] = lambda _: ()
        self._recorded_at: Callable[[Causes], Instant] = lambda _: Instant(0)
        self.written: list[Causes] = []
        self.moved: list[Causes] = []

    def begin(self, clock: Instant, causes: Callable[[Causes], tuple[Cause, ...]], recorded_at: Callable[[Causes], Instant]) -> None:
        """Start a batch: its clock, what its causes are in words, and the Kafka time that a change of a record counts from."""
        self._clock, self._causes, self._recorded_at = clock, causes, recorded_at
        self.written, self.moved = [], []

    def next(self) -> int:
        """Return the next sequence number."""
        self.sequence += 1
        return self.sequence

    def held(self, owners: Iterable[bytes]) -> dict[bytes, dict[RecordId, Held]]:
        """Return the live records of some owners, each with its draft's bytes."""
        columns = "owner, id, version, status, recorded_at, deleted, body, premise"
        found: dict[bytes, dict[RecordId, Held]] = {}
        for owner, *cells in select_in(self._db, f"SELECT {columns} FROM records WHERE owner IN ({{}}) AND NOT deleted", owners):
            one = _held(cells)
            found.setdefault(owner, {})[one.record] = one
        return found

    def write(self, kind: Kind, owner: bytes, before: Mapping[RecordId, Held], after: Sequence[Draft], causes: Causes) -> None:
        """Store the drafts of an owner that differ, and tombstones for its records that are no longer derived."""
        fresh = [draft.record.id for draft in after if draft.record.id not in before]
        columns = "id, version, status, recorded_at, deleted, body, premise"
        rows = select_in(self._db, f"SELECT {columns} FROM records WHERE id IN ({{}})", [bytes.fromhex(record) for record in fresh])
        buried = {held.record: held for held in map(_held, rows)}
        for draft in after:
            record = draft.record.id
            self._put(kind, owner, draft, before.get(record) or buried.get(record), causes)
        kept = {draft.record.id for draft in after}
        for record, held in before.items():
            if record not in kept:
                self._bury(kind, owner, held, causes)

    def _put(self, kind: Kind, owner: bytes, draft: Draft, held: Held | None, causes: Causes) -> None:
        record = draft.record
        status = status_at(record.belief, record.valid_from, record.valid_to, self._clock)
        state = State(status, record.belief, record.reason, record.valid_from, record.valid_to)
        before = None
        if held is not None and not held.deleted:
            former = orjson.loads(held.body)
            before = State(held.status, Belief(former["belief"]), former["reason"], former["valid_from"], former["valid_to"])
            if before != state or former["text"] != record.text:
                self._close(held, causes)
        version = held.version + 1 if held else 1
        self._store(kind, owner, record.id, version, status, causes, RECORD.pack(record), draft, deleted=False)
        if before != state:
            self._transition(record, kind, before, state, causes)

    def _bury(self, kind: Kind, owner: bytes, held: Held, causes: Causes) -> None:
        former = RECORD.unpack(held.body)
        self._close(held, causes)
        self._store(kind, owner, held.record, held.version + 1, Status.NONE, causes, held.body, None, deleted=True)
        before = State(held.status, former.belief, former.reason, former.valid_from, former.valid_to)
        self._transition(former, kind, before, None, causes)

    def _store(
        self, kind: Kind, owner: bytes, record: RecordId, version: int, status: Status, causes: Causes, body: bytes, draft: Draft | None,
        *, deleted: bool,
    ) -> None:  # fmt: skip
        wake = self._wake(draft.record) if draft else None
        premise = pack_premise(draft.premise) if draft and draft.premise else None
        cells = (
            bytes.fromhex(record), kind, owner, version, self.next(), self._recorded_at(causes), status, wake, deleted, body, premise,
        )  # fmt: skip
        self._db.execute("INSERT OR REPLACE INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", cells)
        self.written.append(causes)

    def _wake(self, record: Record) -> Instant | None:
        """Return when the clock alone changes the record's status next."""
        if record.belief in (Belief.REJECTED, Belief.WEAK):
            return None
        later = [bound for bound in (record.valid_from, record.valid_to) if self._clock < bound < FOREVER]
        return min(later) if later else None

    def _close(self, held: Held, causes: Causes) -> None:
        if self._keep_closed:
            cells = (bytes.fromhex(held.record), held.version, self.next(), held.recorded_at, self._recorded_at(causes), 0, held.body)
            self._db.execute("INSERT OR REPLACE INTO closed VALUES(?, ?, ?, ?, ?, ?, ?)", cells)
            named = [(bytes.fromhex(document), *cells[:2]) for document in RECORD.unpack(held.body).documents]
            self._db.executemany("INSERT OR REPLACE INTO closed_documents VALUES(?, ?, ?)", named)

    def _transition(self, record: Record, kind: Kind, before: State | None, after: State | None, causes: Causes) -> None:
        made = Transition(self._tenant, self.next(), record.id, kind, record.text, before, after, self._causes(causes), self._recorded_at(causes))
        self._db.execute("INSERT INTO transitions VALUES(?, ?, ?)", (made.sequence, bytes.fromhex(record.id), TRANSITION.pack(made)))
        self.moved.append(causes)

    def move(self, documents: Iterable[bytes]) -> None:
        """Let the closed versions that name documents have their readers of today; what readers do not share any more becomes a tombstone.

        Called after the views, for documents whose readers changed: who may not read a document now is not told either what it said then.
        """
        named = "SELECT DISTINCT c.id, c.version, c.body FROM closed_documents d JOIN closed c USING(id, version) WHERE NOT c.deleted AND d.document"
        for record, version, body in list(select_in(self._db, f"{named} IN ({{}})", documents)):
            closed = RECORD.unpack(body)
            keys = [bytes.fromhex(document) for document in closed.documents]
            audiences = [row[0] for row in select_in(self._db, f"{_READERS} WHERE d.key IN ({{}})", keys)]
            apart = len(set(audiences)) > 1
            cells = (apart, self.next(), body if apart else RECORD.pack(replace(closed, audience=Audience(audiences[0]))), record, version)
            self._db.execute("UPDATE closed SET deleted = ?, sequence = ?, body = ? WHERE id = ? AND version = ?", cells)

    def erase(self, document: str) -> list[str]:
        """Blank what is left of a redacted document's former records: closed versions (their rows go), tombstones and transitions; return the texts.

        Called after the views: what is live then says nothing that was redacted. It reads the whole history; redactions are rare.
        """
        named = ("instr(body, ?)", (document.encode(),))
        gone = self._db.execute(f"SELECT id, version, body FROM closed WHERE {named[0]}", named[1]).fetchall()
        buried = self._db.execute(f"SELECT id, body FROM records WHERE deleted AND {named[0]}", named[1]).fetchall()
        for record, version, body in gone:
            cells = (self.next(), _blank(body), record, version)
            self._db.execute("UPDATE closed SET deleted = 1, sequence = ?, body = ? WHERE id = ? AND version = ?", cells)
        self._db.executemany("UPDATE records SET body = ? WHERE id = ?", [(_blank(body), record) for record, body in buried])
        for record in {*(row[0] for row in gone), *(row[0] for row in buried)}:
            moved = self._db.execute("SELECT sequence, body FROM transitions WHERE record = ?", (record,)).fetchall()
            self._db.executemany("UPDATE transitions SET body = ? WHERE sequence = ?", [(_blank(body), sequence) for sequence, body in moved])
        return [orjson.loads(row[-1])["text"] for row in [*gone, *buried]]

    def wake(self, clock: Instant) -> int:
        """Bring the status of every record up to the clock whose validity began or ended since; return how many there were."""
        columns = "id, version, status, recorded_at, deleted, body, premise, kind, owner"
        rows = self._db.execute(f"SELECT {columns} FROM records WHERE wake <= ? ORDER BY wake, id", (clock,)).fetchall()
        for *cells, kind, owner in rows:
            held = _held(cells)
            record = RECORD.unpack(held.body)
            premise = unpack_premise(held.premise, record) if held.premise else None
            self._put(Kind(kind), owner, Draft(record, premise), held, frozenset({CLOCK}))
        return len(rows)


_READERS = "SELECT a.readers FROM documents d JOIN audiences a USING(audience)"


def _blank(body: bytes) -> bytes:
    """Return a stored record or transition without what its document said."""
    plain = orjson.loads(body)
    return orjson.dumps({**plain, "text": "", **({"subject": "", "object": "", "provenance": []} if "subject" in plain else {})})


def _held(cells: Iterable[object]) -> Held:
    record, version, status, recorded_at, deleted, body, premise = cells
    return Held(RecordId(record.hex()), version, Status(status), Instant(recorded_at), bool(deleted), body, premise)  # type: ignore[attr-defined, arg-type]  # columns of one table


def stamped(body: bytes, version: int, sequence: int, recorded_at: int, status: str, *, deleted: bool) -> Record:
    """Return a stored record whole, with what the store added to its draft."""
    return replace(RECORD.unpack(body), version=version, sequence=sequence, recorded_at=Instant(recorded_at), status=Status(status), deleted=deleted)
