"""Watermark: up to where every source partition is whole in the index (DESIGN.md 5.9).

A position is *done* at one partition of the index when every change of its message has its receipt (or the message left a mark) and the records
before them are written. The watermark of a source partition is the last offset up to which all delivered positions are done, taken as the minimum
over the partitions of the index. It is published to a small database, which other processes read while the flow runs.

Running a step twice changes nothing: a position at or below the watermark is passed over. After a crash the published watermark stays true, since the
index forgets nothing; positions that waited for an earlier one come back from the snapshot of the sink.
"""

import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from schemas.change import Position
from schemas.errors import Inconsistent

FORMAT = 1
NEW = 0
NOTHING = -1
"""The watermark before the first message."""

SourcePartition: TypeAlias = tuple[str, int]
Waiting: TypeAlias = tuple[int, int, int, tuple[int, ...]]
"""(offset, previous, count, indices that are done) of a message beyond the watermark."""
Saved: TypeAlias = tuple[str, int, str, int, tuple[Waiting, ...]]
"""(topic, partition, topic id, watermark, what waits): one source partition in the snapshot of a sink; plain data."""


@dataclass(slots=True)
class _Message:
    """A message beyond the watermark, and which of its changes are done."""

    previous: int
    count: int
    done: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Prefix:
    """The contiguous prefix of one source partition at one partition of the index. Owned by Watermarks."""

    topic_id: str
    upto: int = NOTHING
    waiting: dict[int, _Message] = field(default_factory=dict)

    def take(self, position: Position) -> bool:
        """Note that a position is done; return whether the prefix grew."""
        if position.offset <= self.upto:
            return False
        message = self.waiting.setdefault(position.offset, _Message(position.previous, position.count))
        message.done.add(position.index)
        before = self.upto
        self._advance()
        return self.upto > before

    def _advance(self) -> None:
        """Step over every message that is done and follows on the prefix."""
        for offset in sorted(self.waiting):
            message = self.waiting[offset]
            if message.previous > self.upto or len(message.done) < message.count:
                return
            self.upto = offset
            del self.waiting[offset]


class Watermarks:
    """The watermarks of all source partitions. Shared by the partitions of the index in one process; one lock guards it."""

    def __init__(self, path: Path, parts: Sequence[str]) -> None:
        self._lock = threading.Lock()
        self._parts = tuple(parts)
        self._topics: dict[str, str] = {}
        self._prefixes: dict[tuple[str, SourcePartition], Prefix] = {}
        self._database = _open(path, self._parts)
        for part, topic, partition, topic_id, upto in self._database.execute("SELECT part, topic, partition, topic_id, upto FROM watermark"):
            self._prefixes[part, (topic, partition)] = Prefix(topic_id, upto)

    def begin(self, topics: Mapping[str, str]) -> None:
        """Start a run over topics with these ids. A topic that was re-created starts from nothing, at once and for every reader."""
        with self._lock:
            self._topics = dict(topics)
            stale = [key for key, prefix in self._prefixes.items() if prefix.topic_id != self._topics.get(key[1][0], prefix.topic_id)]
            for key in stale:
                del self._prefixes[key]
            rows = [(part, topic, partition) for part, (topic, partition) in stale]
            self._database.executemany("DELETE FROM watermark WHERE part = ? AND topic = ? AND partition = ?", rows)
            self._database.commit()

    def take(self, part: str, positions: Iterable[Position]) -> dict[SourcePartition, int]:
        """Note that positions are done at a partition of the index; return the watermarks that rose, and publish them."""
        with self._lock:
            grown = {(position.topic, position.partition) for position in positions if self._prefix(part, position).take(position)}
            self._publish(part, grown)
            return {source: self._lowest(source) for source in grown}

    def saved(self, part: str) -> tuple[Saved, ...]:
        """Return what a partition of the index must remember over a restart."""
        with self._lock:
            return tuple(
                (topic, partition, prefix.topic_id, prefix.upto, _frozen(prefix))
                for (owner, (topic, partition)), prefix in sorted(self._prefixes.items(), key=lambda item: item[0])
                if owner == part
            )

    def restore(self, part: str, saved: Iterable[Saved]) -> None:
        """Take up what was remembered. What was published since is newer and stays; what belongs to a former topic is passed over."""
        with self._lock:
            for topic, partition, topic_id, upto, waiting in saved:
                if self._topics.get(topic, topic_id) != topic_id:
                    continue
                prefix = self._prefixes.setdefault((part, (topic, partition)), Prefix(topic_id))
                prefix.upto = max(prefix.upto, upto)
                for offset, previous, count, done in waiting:
                    if offset > prefix.upto:
                        prefix.waiting[offset] = _Message(previous, count, set(done))

    def close(self) -> None:
        """Release the database."""
        self._database.close()

    def _prefix(self, part: str, position: Position) -> Prefix:
        """Return the prefix that a position belongs to."""
        key = (part, (position.topic, position.partition))
        if key not in self._prefixes:
            self._prefixes[key] = Prefix(self._topics.get(position.topic, ""))
        return self._prefixes[key]

    def _lowest(self, source: SourcePartition) -> int:
        """Return the minimum over the partitions of the index; one that has seen nothing yet counts as nothing."""
        prefixes = [self._prefixes.get((part, source)) for part in self._parts]
        return min(prefix.upto if prefix else NOTHING for prefix in prefixes)

    def _publish(self, part: str, sources: Iterable[SourcePartition]) -> None:
        """Write prefixes where other processes can read them. A commit survives the end of the process, which is all that is needed here."""
        rows = [(part, *source, (prefix := self._prefixes[part, source]).topic_id, prefix.upto) for source in sources]
        if rows:
            self._database.executemany("INSERT OR REPLACE INTO watermark (part, topic, partition, topic_id, upto) VALUES (?, ?, ?, ?, ?)", rows)
            self._database.commit()


def read(path: Path) -> dict[SourcePartition, int]:
    """Return the watermark of every source partition as published last; nothing has one before the first run. Works while the flow runs."""
    if not path.exists():
        return {}
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
    try:
        if _format(database, path) == NEW:
            return {}
        rows = database.execute("SELECT topic, partition, MIN(upto), COUNT(*) FROM watermark GROUP BY topic, partition").fetchall()
        parts = database.execute("SELECT COUNT(*) FROM part").fetchone()[0]
    finally:
        database.close()
    return {(topic, partition): upto if seen >= parts else NOTHING for topic, partition, upto, seen in rows}


def _frozen(prefix: Prefix) -> tuple[Waiting, ...]:
    """Return what waits as plain data."""
    return tuple((offset, message.previous, message.count, tuple(sorted(message.done))) for offset, message in sorted(prefix.waiting.items()))


_TABLES = """
CREATE TABLE IF NOT EXISTS part (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS watermark (
    part TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, topic_id TEXT NOT NULL, upto INTEGER NOT NULL,
    PRIMARY KEY (part, topic, partition)
) WITHOUT ROWID;
"""


def _open(path: Path, parts: Sequence[str]) -> sqlite3.Connection:
    """Open or create the database for an index with these partitions; what belongs to others is forgotten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(path, timeout=10, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    if _format(database, path) == NEW:
        # One transaction: another process sees the tables of this format or a new file, nothing between.
        database.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {FORMAT}; COMMIT;")
    database.execute("DELETE FROM part")
    database.executemany("INSERT INTO part (name) VALUES (?)", [(part,) for part in parts])
    database.execute("DELETE FROM watermark WHERE part NOT IN (SELECT name FROM part)")
    database.commit()
    return database


def _format(database: sqlite3.Connection, path: Path) -> int:
    """Return the format of the database, NEW if it has no tables yet; another one is refused."""
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    if found not in (NEW, FORMAT):
        message = f"{path} has format {found}, expected {FORMAT}; delete it, it is filled again as changes arrive"
        raise Inconsistent(message)
    return found
