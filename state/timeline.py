"""Timeline: the versions of a document and the runs of what they state, kept by comparing neighbours only (DESIGN.md 5.4)."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from derive.bind import State, state_of, wording_key
from derive.history import Point, Run, stated, timeline
from schemas.change import Text
from schemas.instant import FOREVER, Instant
from schemas.pack import pack_reading, unpack_reading
from schemas.statement import Key
from schemas.version import Reading
from schemas.vocabulary import Vocabulary
from state.codec import CLAIM, WORDING, pack_text
from state.place import incarnation_of
from state.port import Forgotten
from state.sql import select_join

NOTHING = b""
"""The content of a version that says nothing: a deletion of a source whose deletions are edits."""
_STATES = 512
"""Contents whose states are remembered; a batch of 50 changes compares with 100 neighbours at most."""


@dataclass(frozen=True, slots=True)
class _Version:
    at: bytes
    content: bytes
    time: Instant
    effective: Instant
    next: bytes | None


def _says_same(one: _Version, other: _Version) -> bool:
    return one.content == other.content and incarnation_of(one.at) == incarnation_of(other.at)


class Timeline:
    """All versions of all documents of a store. Owned by one transaction at a time."""

    def __init__(self, db: sqlite3.Connection, vocabulary: Vocabulary, remembered: int = _STATES) -> None:
        self._db = db
        self._remembered = remembered
        self._vocabulary = vocabulary
        self._states: dict[tuple[bytes, int], State] = {}

    def keep(self, reading: Reading, body: Text | None = None, reader: str = "") -> bytes:
        """Store a reading and the body that it is of, if the content is new, and return its key."""
        content = bytes.fromhex(reading.content)
        text = None if body is None else pack_text(body.text)
        cells = (content, pack_reading(reading), reader, body.media_type if body else "", text)
        self._db.execute("INSERT OR IGNORE INTO contents VALUES(?, ?, ?, ?, ?)", cells)
        return content

    def replace(self, reading: Reading, reader: str) -> list[int]:
        """Put another reader's reading in the place of the one that is stored; return the documents that say it, if any still do.

        It takes over the memo's keys of the former one: a redaction must reach what any reader drew from the body.
        """
        content = bytes.fromhex(reading.content)
        row = self._db.execute("SELECT body FROM contents WHERE content = ?", (content,)).fetchone()
        if row is None:
            return []
        keys = tuple(dict.fromkeys((*reading.keys, *unpack_reading(row[0]).keys)))
        cells = (pack_reading(replace(reading, keys=keys)), reader, content)
        self._db.execute("UPDATE contents SET body = ?, reader = ? WHERE content = ?", cells)
        self._states = {key: state for key, state in self._states.items() if key[0] != content}
        return [row[0] for row in self._db.execute("SELECT DISTINCT doc FROM versions WHERE content = ?", (content,))]

    def reading(self, content: bytes) -> Reading:
        """Return the reading of a content; KeyError if it was forgotten."""
        row = self._db.execute("SELECT body FROM contents WHERE content = ?", (content,)).fetchone()
        if row is None:
            raise KeyError(content.hex())
        return unpack_reading(row[0])

    def state(self, content: bytes | None, at: bytes) -> State:
        """Return what a version with this content states."""
        if not content:
            return {}
        incarnation = incarnation_of(at)
        held = self._states.get((content, incarnation))
        if held is None:
            held = state_of(self.reading(content), self._vocabulary, incarnation)
            if len(self._states) >= self._remembered:
                self._states.pop(next(iter(self._states)))
            self._states[content, incarnation] = held
        return held

    def insert(self, doc: int, at: bytes, content: bytes, time: Instant, window: int) -> set[Key]:
        """Add a version and return the claims whose assertions may differ by it."""
        before = self._neighbour(doc, at, "<", "DESC")
        after = self._neighbour(doc, at, ">", "ASC")
        effective = max(time, before.effective) if before else time
        self._db.execute("INSERT INTO versions VALUES(?, ?, ?, ?, ?, NULL)", (doc, at, content, time, effective))
        touched = self._split(doc, at, content, before, after)
        moved = self._raise(doc, at, effective) if after and after.effective < effective else set()
        return touched | self._at_bounds(doc, moved | self._judge(doc, at, window))

    def meets(self, doc: int, at: bytes, content: bytes, time: Instant) -> bool:
        """Tell whether a version next to this place says something else and is of the same time: then the order alone decides between them."""
        neighbours = (self._neighbour(doc, at, "<", "DESC"), self._neighbour(doc, at, ">", "ASC"))
        return any(one is not None and one.time == time and one.content != content for one in neighbours)

    def raised(self, doc: int, at: bytes) -> bool:
        """Tell whether a version's own time runs backwards, so that it counts as that of a version before it."""
        return bool(self._db.execute("SELECT effective > time FROM versions WHERE doc = ? AND at = ?", (doc, at)).fetchone()[0])

    def _neighbour(self, doc: int, at: bytes, side: str, direction: str) -> _Version | None:
        row = self._db.execute(
            f"SELECT at, content, time, effective, next FROM versions WHERE doc = ? AND at {side} ? ORDER BY at {direction} LIMIT 1", (doc, at)
        ).fetchone()
        return _Version(*row) if row else None

    def _split(self, doc: int, at: bytes, content: bytes, before: _Version | None, after: _Version | None) -> set[Key]:
        """Fit the new version's state between its neighbours': only claims that one of the three states differently are looked at."""
        if before and before.content == content and incarnation_of(before.at) == incarnation_of(at):
            return set()
        state = self.state(content, at)
        left = self.state(before.content, before.at) if before else {}
        right = self.state(after.content, after.at) if after else {}
        end = after.at if after else None
        touched: set[Key] = set()
        for key in state.keys() - left.keys():
            touched.add(key[0])
            if key in right:
                self._db.execute("UPDATE runs SET first = ? WHERE doc = ? AND claim = ? AND wording = ? AND first = ?", (at, doc, *key, end))
            else:
                self._open(doc, key, at, end, state)
        for key in left.keys() - state.keys():
            touched.add(key[0])
            run = "SELECT first, last FROM runs WHERE doc = ? AND claim = ? AND wording = ? AND first < ? ORDER BY first DESC LIMIT 1"
            first, last = self._db.execute(run, (doc, *key, at)).fetchone()
            self._db.execute("UPDATE runs SET last = ? WHERE doc = ? AND claim = ? AND wording = ? AND first = ?", (at, doc, *key, first))
            if key in right and end is not None:
                self._open(doc, key, end, last, right)
        return touched

    def _open(self, doc: int, key: tuple[Key, Key], first: bytes, last: bytes | None, state: State) -> None:
        claim, wording = state[key]
        body = CLAIM.pack(claim) + b"\n" + WORDING.pack(wording)
        self._db.execute("INSERT INTO runs VALUES(?, ?, ?, ?, ?, ?)", (doc, *key, first, last, body))

    def _raise(self, doc: int, at: bytes, effective: Instant) -> set[bytes]:
        """Carry the running maximum of times on to later versions; return those whose effective time changed."""
        late = [row[0] for row in self._db.execute("SELECT at FROM versions WHERE doc = ? AND at > ? AND effective < ?", (doc, at, effective))]
        self._db.executemany("UPDATE versions SET effective = ? WHERE doc = ? AND at = ?", [(effective, doc, one) for one in late])
        waiting = select_join(
            self._db, "SELECT v.at FROM {} CROSS JOIN versions v ON v.doc = k.column1 AND v.next = k.column2", [(doc, one) for one in late]
        )
        return {*late, *(row[0] for row in waiting)}

    def _judge(self, doc: int, at: bytes, window: int) -> set[bytes]:
        """Judge reverts again from the newest version backwards (`derive.history.revert_of`), down to where the old judgement stands.

        A version that was kept before and is landed on again, below the new one, ends it: what lies below was judged from there, and is as it was.
        Returns the versions whose judgement changed.
        """
        cursor = self._db.execute("SELECT at, content, time, effective, next FROM versions WHERE doc = ? ORDER BY at DESC", (doc,))
        rows: list[_Version] = []

        def row(index: int) -> _Version | None:
            while len(rows) <= index:
                fetched = cursor.fetchone()
                if fetched is None:
                    return None
                rows.append(_Version(*fetched))
            return rows[index]

        changes: list[tuple[bytes | None, bytes]] = []
        index = 0
        while (pivot := row(index)) is not None:
            if pivot.next is not None:
                changes.append((None, pivot.at))
            elif pivot.at < at:
                break
            found, probe = index + 1, index + 1
            while (earlier := row(probe)) is not None:
                if _says_same(earlier, pivot):
                    found = probe
                if pivot.effective - earlier.effective >= window:
                    break
                probe += 1
            changes.extend((pivot.at, out.at) for out in rows[index + 1 : found] if out.next != pivot.at)
            index = found
        cursor.close()
        self._db.executemany("UPDATE versions SET next = ? WHERE doc = ? AND at = ?", [(after, doc, out) for after, out in changes])
        return {out for _, out in changes}

    def _at_bounds(self, doc: int, places: Iterable[bytes]) -> set[Key]:
        found: set[Key] = set()
        for side in ("first", "last"):
            statement = f"SELECT DISTINCT r.claim FROM {{}} CROSS JOIN runs r ON r.doc = k.column1 AND r.{side} = k.column2"
            found.update(row[0] for row in select_join(self._db, statement, [(doc, one) for one in places]))
        return found

    def rebuild(self, doc: int, versions: list[tuple[bytes, bytes, Instant]], window: int) -> set[Key]:
        """Replace a document's versions, and its runs by what follows from scratch; return every claim that it had or has.

        For what neighbours cannot tell: a version that changes or goes (a tie, a redaction, a restoration of a source whose deletions are edits).
        """
        touched = self.claims(doc)
        points = timeline([(at, f"{incarnation_of(at)} {content.hex()}", time) for at, content, time in versions], window)
        self._db.execute("DELETE FROM versions WHERE doc = ?", (doc,))
        self._db.execute("DELETE FROM runs WHERE doc = ?", (doc,))
        self._db.executemany(
            "INSERT INTO versions VALUES(?, ?, ?, ?, ?, ?)",
            [(doc, at, content, time, p.time, None if p.kept else p.next_at) for (at, content, time), p in zip(versions, points, strict=True)],
        )
        for number, (claim, runs) in stated(points, [self.state(content, at) for at, content, _ in versions]).items():
            touched.add(number)
            for run in runs:
                key = (number, wording_key(run.wording))
                self._open(doc, key, run.first.at, run.last.at if run.last else None, {key: (claim, run.wording)})
        return touched

    def claims(self, doc: int) -> set[Key]:
        """Return every claim that a document ever stated."""
        return {row[0] for row in self._db.execute("SELECT DISTINCT claim FROM runs WHERE doc = ?", (doc,))}

    def runs(self, keys: Iterable[tuple[int, Key]]) -> Mapping[tuple[int, Key], list[tuple[bytes, Run]]]:
        """Return the runs of claims, each with its claim's bytes."""
        statement = "SELECT r.doc, r.claim, r.first, r.last, r.body FROM {} CROSS JOIN runs r ON r.doc = k.column1 AND r.claim = k.column2"
        rows = list(select_join(self._db, statement, keys))
        points = self._points({(doc, at) for doc, _, first, last, _ in rows for at in (first, last) if at is not None})
        found: dict[tuple[int, Key], list[tuple[bytes, Run]]] = {}
        for doc, claim, first, last, body in rows:
            spoken, _, wording = body.partition(b"\n")
            run = Run(points[doc, first], None if last is None else points[doc, last], WORDING.unpack(wording))
            found.setdefault((doc, claim), []).append((spoken, run))
        return found

    def _points(self, places: Iterable[tuple[int, bytes]]) -> dict[tuple[int, bytes], Point]:
        statement = (
            "SELECT v.doc, v.at, v.effective, v.next, n.effective FROM {} CROSS JOIN versions v ON v.doc = k.column1 AND v.at = k.column2 "
            "LEFT JOIN versions n ON n.doc = v.doc AND n.at = v.next"
        )
        return {
            (doc, at): Point(at, effective, after is None, after or b"", FOREVER if later is None else later)
            for doc, at, effective, after, later in select_join(self._db, statement, places)
        }

    def has(self, content: bytes) -> bool:
        """Tell whether any version of any document has a content."""
        return self._db.execute("SELECT 1 FROM versions WHERE content = ? LIMIT 1", (content,)).fetchone() is not None

    def forget(self, contents: Iterable[bytes]) -> Forgotten:
        """Delete contents that no version has any more; return what must be forgotten outside the store too."""
        keys: list[str] = []
        texts: list[str] = []
        for content in contents:
            if self.has(content):
                continue
            row = self._db.execute("SELECT body FROM contents WHERE content = ?", (content,)).fetchone()
            if row is not None:  # else it never came in: its redaction was first
                reading = unpack_reading(row[0])
                keys.extend(reading.keys)
                texts.extend(unit.text for unit in reading.units)
            self._db.execute("DELETE FROM contents WHERE content = ?", (content,))
            self._states = {key: state for key, state in self._states.items() if key[0] != content}
        return Forgotten(tuple(keys), tuple(texts))
