"""The reader: a read-only view of one tenant's store for other processes, while the flow writes to it and after it has stopped.

It takes no lock that a writer would feel. Inside `snapshot` all answers are of one moment, and a batch shows whole or not at all (G11).
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from derive.markup.pdf import MEDIA_TYPE, paged, pages_of
from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.errors import BadQuestion, BadSettings, Inconsistent
from schemas.ids import Audience, ContentHash, DocumentKey, EntityId, RecordId, Source, Tenant
from schemas.instant import Instant
from schemas.pack import unpack_reading
from schemas.receipt import Outcome, Receipt
from schemas.record import Kind, Record, Status, Support
from schemas.transition import Transition
from schemas.version import KeptText, Unit
from state.codec import RECEIPT, TRANSITION, unpack_dead_letter, unpack_text
from state.documents import display_name
from state.format import FORMAT
from state.outbox import stamped
from state.sql import select_in

_WAIT = 10.0
"""Seconds that a reader waits for a file that is being recovered after a crash."""
_ID = 32
"""Hexadecimal characters of a record's id."""
_LOOKED_BACK = 8
"""Versions of a document in which a page is looked for: what was dropped long before has none to show."""
_NEWEST = "SELECT v.content FROM documents d JOIN versions v ON v.doc = d.doc WHERE d.key = ? ORDER BY v.at DESC LIMIT ?"
_LIFE = ("Contested", "Active", "Deprecated", "none")
"""The order in which an entity's records are told: what needs a decision, what holds, what held."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A support of a record, and the unit that it points into; None once the store has forgotten the unit.

    `pages` are the first and last page of the unit, from 1, in a document that has pages.
    """

    support: Support
    unit: Record | None
    pages: tuple[int, int] | None = None

    @property
    def words(self) -> str:
        """What stands in the span."""
        return self.unit.text[self.support.start : self.support.end] if self.unit else ""


@dataclass(frozen=True, slots=True)
class Listed:
    """One document as it is now."""

    source: str
    document: str
    title: str
    audience: Audience
    live: bool


class StoreReader:
    """One store, opened for reading. BadSettings if there is none at the path, Inconsistent if its tables have another format."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            message = f"there is no store at {path}: nothing was indexed for this tenant yet, or the data directory is another one"
            raise BadSettings(message)
        self.db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=_WAIT)
        try:
            meta = dict(self.db.execute("SELECT name, value FROM meta"))
        except sqlite3.DatabaseError as err:
            self.db.close()
            message = f"{path} is no store ({err})"
            raise BadSettings(message) from err
        if meta["format"] != FORMAT:
            self.db.close()
            message = f"store {path} has tables of format {meta['format']}, this version reads {FORMAT}: rebuild it from the topics"
            raise Inconsistent(message)
        self.tenant = Tenant(meta["tenant"])
        self.identity: str = meta["identity"]

    def close(self) -> None:
        """Release the file."""
        self.db.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all answers inside be of one moment; not nested. Keep it short: the writer's log grows as long as it lasts."""
        self.db.execute("BEGIN")
        try:
            yield
        finally:
            self.db.execute("COMMIT")

    @property
    def sequence(self) -> int:
        """The number of the last row written."""
        return int(self._meta("sequence"))

    @property
    def clock(self) -> Instant:
        """The instant that statuses are told at."""
        return Instant(int(self._meta("clock")))

    def _meta(self, name: str) -> int:
        row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return int(row[0])

    @property
    def keeps_texts(self) -> bool:
        """Whether any body is kept that could be read again."""
        return self.db.execute("SELECT 1 FROM contents WHERE text IS NOT NULL LIMIT 1").fetchone() is not None

    def stale(self, reader: str) -> list[list[ContentHash]]:
        """Return the contents that some version has and another reader read, together by document: what is live and current first.

        A content of several documents is told with the first. Those without a kept text are left out.
        """
        rows = self.db.execute(
            "SELECT v.doc, c.content FROM contents c JOIN versions v ON v.content = c.content JOIN documents d ON d.doc = v.doc "
            "WHERE c.reader <> ? AND c.text IS NOT NULL ORDER BY d.live DESC, v.doc, v.at DESC",
            (reader,),
        )
        found: dict[int, list[ContentHash]] = {}
        told: set[bytes] = set()
        for doc, content in rows:
            if content not in told:
                told.add(content)
                found.setdefault(doc, []).append(ContentHash(content.hex()))
        return list(found.values())

    def texts(self, contents: Iterable[ContentHash]) -> list[KeptText]:
        """Return kept bodies, each with a document that says it; those that were forgotten meanwhile are absent."""
        rows = select_in(
            self.db,
            "SELECT c.content, c.text, c.media_type, d.key, d.source FROM contents c JOIN documents d ON d.doc = "
            "(SELECT v.doc FROM versions v WHERE v.content = c.content ORDER BY v.doc LIMIT 1) WHERE c.content IN ({}) AND c.text IS NOT NULL",
            [bytes.fromhex(content) for content in contents],
        )
        return [
            KeptText(ContentHash(content.hex()), unpack_text(text), media_type, DocumentKey(key.hex()), Source(source))
            for content, text, media_type, key, source in rows
        ]

    def audiences(self) -> list[Audience]:
        """Return all sets of readers that the store knows."""
        return [Audience(readers) for (readers,) in self.db.execute("SELECT readers FROM audiences ORDER BY readers")]

    def record(self, name: str) -> Record | None:
        """Return a record by its id, by the beginning of its id if no other begins so, or a closed version as id.version; None if there is none.

        A record that is gone is told as its tombstone. BadQuestion: not hexadecimal, or several begin so.
        """
        prefix, _, version = name.strip().lower().partition(".")
        found = self._id(prefix)
        if found is None or not version:
            return self._current(found) if found else None
        return next((one for one in self.closed(RecordId(found.hex())) if one.id == f"{found.hex()}.{version}"), None)

    def _id(self, prefix: str) -> bytes | None:
        try:
            first, last = bytes.fromhex(prefix.ljust(_ID, "0")), bytes.fromhex(prefix.ljust(_ID, "f"))
        except ValueError:
            first = last = b""
        if not prefix or len(first) != _ID // 2:
            message = f"{prefix!r} is no record: an id is {_ID} hexadecimal characters, and its first few are enough"
            raise BadQuestion(message)
        rows = self.db.execute("SELECT id FROM records WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 4", (first, last)).fetchall()
        if len(rows) > 1:
            message = f"{len(rows) if len(rows) < 4 else 'several'} records begin with {prefix!r}: {', '.join(row[0].hex() for row in rows[:3])}"
            raise BadQuestion(message)
        found: bytes | None = rows[0][0] if rows else None
        return found

    def _current(self, record: bytes) -> Record | None:
        return next(iter(self.records([RecordId(record.hex())])), None)

    def records(self, names: Iterable[RecordId | str]) -> list[Record]:
        """Return those of the records that there are, tombstones included, in the order asked for."""
        wanted = list(dict.fromkeys(names))
        statement = f"SELECT {_RECORD} FROM records r WHERE r.id IN ({{}})"
        found = {one.id: one for one in map(_record, select_in(self.db, statement, [bytes.fromhex(name) for name in wanted]))}
        return [found[RecordId(name)] for name in wanted if name in found]

    def closed(self, record: RecordId) -> list[Record]:
        """Return the closed versions of a record, oldest first; each was known from `recorded_at` until `known_to`."""
        columns = "body, version, sequence, known_from, known_to, deleted"
        rows = self.db.execute(f"SELECT {columns} FROM closed WHERE id = ? ORDER BY version", (bytes.fromhex(record),))
        return [_closed(record, *row) for row in rows]

    def transitions(self, record: RecordId) -> list[Transition]:
        """Return all changes of a record's status or validity, oldest first, each with its causes."""
        rows = self.db.execute("SELECT body FROM transitions WHERE record = ? ORDER BY sequence", (bytes.fromhex(record),))
        return [TRANSITION.unpack(body) for (body,) in rows]

    def quotes(self, record: Record) -> list[Quote]:
        """Return the supports of a record with the units that they point into."""
        units = {unit.id: unit for unit in self.records(support.unit for support in record.provenance)}
        pages = {unit: self._pages(one) for unit, one in units.items()}
        return [Quote(support, units.get(RecordId(support.unit)), pages.get(RecordId(support.unit))) for support in record.provenance]

    def links(self, unit: Record) -> list[str]:
        """Return what a unit links to in the newest version of its document that has it, each document once, as the source names them.

        Nothing if none of the last versions has it, or the record is no unit.
        """
        if unit.kind is not Kind.UNIT:
            return []
        rows = self.db.execute(
            f"SELECT c.body FROM ({_NEWEST}) n JOIN contents c ON c.content = n.content", (bytes.fromhex(unit.documents[0]), _LOOKED_BACK)
        )
        for (body,) in rows:
            if (one := _unit_of(body, unit)) is not None:
                return list(dict.fromkeys(link.target for link in one.links))
        return []

    def _pages(self, unit: Record) -> tuple[int, int] | None:
        """Return the pages of a unit in the newest version of its document that has it; None if none of the last ones does, or it has no pages."""
        rows = self.db.execute(
            f"SELECT c.body, c.text FROM ({_NEWEST}) n JOIN contents c ON c.content = n.content WHERE c.media_type = ? AND c.text IS NOT NULL",
            (bytes.fromhex(unit.documents[0]), _LOOKED_BACK, MEDIA_TYPE),
        )
        for body, text in rows:
            if (one := _unit_of(body, unit)) is not None:
                return pages_of(paged(unpack_text(text)), one.start, one.end)
        return None

    def facts(self, entity: EntityId, limit: int) -> list[Record]:
        """Return at most `limit` facts that mention an entity: disputed ones first, then those that hold, the last changed first."""
        return self._of("mentions", entity, limit)

    def bridges(self, entity: EntityId, limit: int) -> list[Record]:
        """Return at most `limit` bridges of an entity, in the same order."""
        return self._of("bridges", entity, limit)

    def _of(self, index: str, entity: EntityId, limit: int) -> list[Record]:
        """Go through a reverse index."""
        ranks = " ".join(f"WHEN '{status}' THEN {rank}" for rank, status in enumerate(_LIFE))
        rows = self.db.execute(
            f"SELECT {_RECORD} FROM (SELECT DISTINCT record FROM {index} WHERE entity = ?) m JOIN records r ON r.id = m.record "
            f"WHERE NOT r.deleted ORDER BY CASE r.status {ranks} END, r.sequence DESC LIMIT ?",
            (bytes.fromhex(entity), limit),
        )
        return [_record(row) for row in rows]

    def count(self, entity: EntityId) -> tuple[int, int]:
        """Return how many facts mention an entity, and how many bridges it has."""
        facts, bridges = (
            self.db.execute(f"SELECT count(DISTINCT record) FROM {index} WHERE entity = ?", (bytes.fromhex(entity),)).fetchone()[0]
            for index in ("mentions", "bridges")
        )
        return facts, bridges

    def counts(self) -> dict[tuple[Kind, Status], int]:
        """Return how many records there are by kind and status, tombstones left out. Reads all of them: seconds for a million."""
        rows = self.db.execute("SELECT kind, status, count(*) FROM records WHERE NOT deleted GROUP BY kind, status ORDER BY kind, status")
        return {(Kind(kind), Status(status)): count for kind, status, count in rows}

    def documents(self) -> list[Listed]:
        """Return all documents, deleted ones included, by source and id."""
        columns = "d.source, d.document, d.title, d.body_title, d.path, a.readers, d.live"
        rows = self.db.execute(f"SELECT {columns} FROM documents d JOIN audiences a USING(audience) ORDER BY d.source, d.document")
        return [
            Listed(source, document, display_name(title, body_title, path, document), Audience(readers), bool(live))
            for source, document, title, body_title, path, readers, live in rows
        ]

    def receipts(self, limit: int) -> list[Receipt]:
        """Return the last receipts, newest first."""
        return [RECEIPT.unpack(body) for (body,) in self.db.execute("SELECT body FROM receipts ORDER BY sequence DESC LIMIT ?", (limit,))]

    def outcomes(self) -> Counter[Outcome]:
        """Return what became of the changes whose receipts are kept."""
        rows = self.db.execute("SELECT json_extract(CAST(body AS TEXT), '$.outcome'), count(*) FROM receipts GROUP BY 1 ORDER BY 1")
        return Counter({Outcome(outcome): count for outcome, count in rows})

    def dead_letters(self, *, replayed: bool | None = None) -> list[DeadLetter]:
        """Return the dead letters, oldest first: all, those that were replayed, or those that still wait."""
        columns = "body, sequence, replayed"
        rows = self.db.execute(f"SELECT {columns} FROM dead_letters WHERE ? IS NULL OR replayed = ? ORDER BY sequence", (replayed, replayed))
        return [_letter(*row) for row in rows]

    def dead_letters_at(self, position: Position) -> list[DeadLetter]:
        """Return the dead letters of one message: one for each of its changes that could not be applied."""
        spot = (position.topic, position.partition, position.offset)
        rows = self.db.execute("SELECT body, sequence, replayed FROM dead_letters WHERE topic = ? AND part = ? AND spot = ? ORDER BY number", spot)
        return [_letter(*row) for row in rows]


_RECORD = "r.body, r.version, r.sequence, r.recorded_at, r.status, r.deleted"


def _unit_of(body: bytes, record: Record) -> Unit | None:
    """Return the unit of a kept reading that a record is of."""
    return next((unit for unit in unpack_reading(body).units if (unit.text, unit.section) == (record.text, record.section)), None)


def _record(row: tuple[bytes, int, int, int, str, int]) -> Record:
    body, version, sequence, recorded_at, status, deleted = row
    return stamped(body, version, sequence, recorded_at, status, deleted=bool(deleted))


def _closed(record: RecordId, body: bytes, version: int, sequence: int, known_from: int, known_to: int, deleted: int) -> Record:
    whole = stamped(body, version, sequence, known_from, Status.NONE, deleted=bool(deleted))
    return replace(whole, id=RecordId(f"{record}.{version}"), known_to=Instant(known_to))


def _letter(body: bytes, sequence: int, replayed: int) -> DeadLetter:
    return replace(unpack_dead_letter(body), sequence=sequence, replayed=bool(replayed))
