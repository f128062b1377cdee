"""Dead letters after they were buried: noting that one was replayed."""

import sqlite3
from pathlib import Path

from schemas.change import Position

_WAIT = 30.0
"""Seconds that this waits for the transactions of a running flow."""


def mark_replayed(path: Path, position: Position) -> int:
    """Note that the dead letters of one message were sent again; return how many it had. Twice changes nothing.

    It may run beside the process that writes to the store: it gives no row a sequence number, and no view reads the mark.
    """
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=_WAIT)
    try:
        db.execute("PRAGMA synchronous = FULL")
        spot = (position.topic, position.partition, position.offset)
        return db.execute("UPDATE dead_letters SET replayed = 1 WHERE topic = ? AND part = ? AND spot = ?", spot).rowcount
    finally:
        db.close()
