"""Audiences: the sets of readers that a store knows, by number."""

import sqlite3

from schemas.ids import Audience


class Audiences:
    """Numbers sets of readers; a number never changes its meaning."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._numbers: dict[str, int] = {}
        self._readers: dict[int, Audience] = {}

    def number(self, audience: Audience) -> int:
        """Return the number of an audience, a new one if it was never seen."""
        if audience not in self._numbers:
            self._db.execute("INSERT OR IGNORE INTO audiences(readers) VALUES(?)", (audience,))
            row = self._db.execute("SELECT audience FROM audiences WHERE readers = ?", (audience,)).fetchone()
            self._numbers[audience] = int(row[0])
        return self._numbers[audience]

    def readers(self, number: int) -> Audience:
        """Return the audience of a number."""
        if number not in self._readers:
            row = self._db.execute("SELECT readers FROM audiences WHERE audience = ?", (number,)).fetchone()
            self._readers[number] = Audience(row[0])
        return self._readers[number]

    def forget(self) -> None:
        """Drop what is remembered: a transaction that is rolled back takes its numbers with it."""
        self._numbers.clear()
        self._readers.clear()
