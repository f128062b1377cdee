"""The memo: what was computed once from some content is never computed again, not even after a restart.

Values are bytes under (space, key). A space is one kind of work under one fingerprint ("facts:<fingerprint>"), a key the digest of the content; so a
value never changes, and writing it twice changes nothing.
"""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from schemas.errors import BadSettings

_CHUNK = 500
"""Keys per statement: SQLite takes 999 variables everywhere, 32,766 in newer builds."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS space (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS memo (space INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (space, key)) WITHOUT ROWID;
"""


class Memo(Protocol):
    """Remembers values by content. Usable from several threads of one process."""

    def get(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the values that are known; a key that is not known is absent."""

    def put(self, space: str, values: Mapping[str, bytes]) -> None:
        """Remember values; when this returns they are kept. A key that is known takes the new value."""

    def keep(self, space: str, values: Mapping[str, bytes]) -> dict[str, bytes]:
        """Remember the values of keys that are not known, and return what is remembered of all: whoever is first counts, for everybody."""

    def forget(self, kind: str, keys: Sequence[str]) -> None:
        """Remove keys from every space of a kind ("facts"), under whatever fingerprint; those that are not known are no error."""

    def close(self) -> None:
        """Release what the memo holds; using it afterwards is an error."""


class MemoryMemo:
    """A memo that lasts as long as the process."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], bytes] = {}
        self._lock = threading.Lock()

    def get(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the values that are known."""
        with self._lock:
            return {key: self._values[space, key] for key in keys if (space, key) in self._values}

    def put(self, space: str, values: Mapping[str, bytes]) -> None:
        """Remember values."""
        with self._lock:
            self._values.update({(space, key): value for key, value in values.items()})

    def keep(self, space: str, values: Mapping[str, bytes]) -> dict[str, bytes]:
        """Remember values unless others are known."""
        with self._lock:
            return {key: self._values.setdefault((space, key), value) for key, value in values.items()}

    def forget(self, kind: str, keys: Sequence[str]) -> None:
        """Remove keys."""
        with self._lock:
            gone = set(keys)
            self._values = {named: value for named, value in self._values.items() if named[1] not in gone or named[0].partition(":")[0] != kind}

    def close(self) -> None:
        """Nothing is held."""


class SqliteMemo:
    """A memo in one SQLite file, opened (and made) at `path`; several processes may share the file. BadSettings if it is damaged.

    The write-ahead log is not flushed at each commit: after a power cut the last values may be missing, and are computed again.
    Forgotten values are overwritten in the file (secure_delete), since redaction forgets.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=60)
        self._lock = threading.Lock()
        try:
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON", "cache_size=-65536"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError as err:
            self._connection.close()
            message = f"the memo {path} cannot be used ({err}); if it is damaged, remove it: what it held is computed again"
            raise BadSettings(message) from err
        self._spaces: dict[str, int] = {}

    def get(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the values that are known."""
        found: dict[str, bytes] = {}
        with self._lock:
            number = self._number(space)
            for some in _chunks(keys):
                marks = ",".join("?" * len(some))
                found.update(self._connection.execute(f"SELECT key, value FROM memo WHERE space = ? AND key IN ({marks})", (number, *some)))
        return found

    def put(self, space: str, values: Mapping[str, bytes]) -> None:
        """Remember values, all or none."""
        if values:
            with self._lock:
                number = self._number(space)
                self._write("INSERT OR REPLACE INTO memo VALUES (?, ?, ?)", [(number, key, value) for key, value in values.items()])

    def keep(self, space: str, values: Mapping[str, bytes]) -> dict[str, bytes]:
        """Remember values unless others are known, all or none."""
        if values:
            with self._lock:
                number = self._number(space)
                self._write("INSERT OR IGNORE INTO memo VALUES (?, ?, ?)", [(number, key, value) for key, value in values.items()])
        return self.get(space, list(values))

    def forget(self, kind: str, keys: Sequence[str]) -> None:
        """Remove keys, all or none, from the file and from its log."""
        with self._lock:
            spaces = [number for number, name in self._connection.execute("SELECT number, name FROM space") if name.partition(":")[0] == kind]
            self._write("DELETE FROM memo WHERE space = ? AND key = ?", [(number, key) for number in spaces for key in keys])
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(statement, rows)
        except sqlite3.Error:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _number(self, space: str) -> int:
        if space not in self._spaces:
            self._connection.execute("INSERT OR IGNORE INTO space (name) VALUES (?)", (space,))
            (number,) = self._connection.execute("SELECT number FROM space WHERE name = ?", (space,)).fetchone()
            self._spaces[space] = number
        return self._spaces[space]


def _chunks(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[first : first + _CHUNK] for first in range(0, len(keys), _CHUNK))
