"""Dead letters after they were buried: noting that they were replayed."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

_WAIT = 30.0
"""Seconds that this waits for the transactions of a running flow."""


def mark_replayed(path: Path, letters: Iterable[int]) -> None:
    """Note that the dead letters with these sequence numbers were sent again, all or none. Twice changes nothing; unknown numbers are no error.

    It may run beside the process that writes to the store: it gives no row a sequence number, and no view reads the mark.
    """
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_WAIT)
    try:
        db.execute("PRAGMA synchronous = FULL")
        with db:
            db.executemany("UPDATE dead_letters SET replayed = 1 WHERE sequence = ?", [(sequence,) for sequence in letters])
    finally:
        db.close()
