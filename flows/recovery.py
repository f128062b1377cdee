"""Care of the recovery directory, where Bytewax keeps its positions. Bytewax neither locks it nor cleans it, and both are needed for exact recovery.

After a crash the directory may hold snapshots of an epoch that was never committed. Bytewax leaves them there; if the epoch is run again without
touching their keys and the process dies a second time, it loads state from a future that never was. So the directory is cleaned before every start.
"""

import fcntl
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bytewax.recovery import init_db_dir

from schemas.errors import BadSettings

log = logging.getLogger(__name__)

PARTITIONS = 32
"""Partitions of the recovery store, fixed for its life: resuming is quadratic in the keys of one (200,000 keys: 25 s with 1, 1.6 s with 32)."""

SPARE_PAGES = 256
"""Free pages of a file, 1 MB, that are not worth rewriting it for at every start."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What a cleaning found: where the next run resumes, and how many rows went."""

    resume_epoch: int
    uncommitted: int
    superseded: int
    forgotten: int


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory for this process alone; BadSettings if another process holds it. The lock ends with the process, however it ends."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / ".lock"
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as err:
            message = f"{directory} is in use by another Millstream; stop it or choose another data directory"
            raise BadSettings(message) from err
        yield


def prepare(directory: Path, parts: Mapping[str, Iterable[str]], *, forget: bool = False) -> Cleaned | None:
    """Make a directory ready for a start; None if it is new. The flow must not run.

    `parts`: the partitions that each step with partitions has now. A stored partition that is not among them would be a panic in Bytewax: it is
    BadSettings, or with `forget` its position is dropped.
    """
    directory.mkdir(parents=True, exist_ok=True)
    if not any(directory.glob("part-*.sqlite3")):
        init_db_dir(directory, PARTITIONS)
        return None
    files = [sqlite3.connect(path) for path in sorted(directory.glob("part-*.sqlite3"))]
    try:
        gone = _vanished(files, parts)
        if gone and not forget:
            shown = "; ".join(f"{step}: {', '.join(names)}" for step, names in gone.items())
            message = (
                f"{directory} holds positions of partitions that no longer exist ({shown}); give them back, or run once with --forget to drop them"
            )
            raise BadSettings(message)
        return _clean(files, gone)
    finally:
        for file in files:
            file.close()


def _vanished(files: Iterable[sqlite3.Connection], parts: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the stored partitions that the flow has no longer, by step."""
    gone: dict[str, list[str]] = {}
    for step, names in parts.items():
        stored = {key for file in files for (key,) in file.execute("SELECT DISTINCT state_key FROM snaps WHERE step_id = ?", (step,))}
        missing = sorted(stored - set(names))
        if missing:
            gone[step] = missing
    return gone


def _clean(files: list[sqlite3.Connection], gone: Mapping[str, Iterable[str]]) -> Cleaned:
    """Remove what no run may load (uncommitted), what no run needs (superseded, discarded) and what the flow has no longer."""
    epoch = _resume_epoch(files)
    uncommitted = superseded = forgotten = 0
    for file in files:
        with file:
            uncommitted += file.execute("DELETE FROM snaps WHERE snap_epoch >= ?", (epoch,)).rowcount
            superseded += file.execute(_SUPERSEDED).rowcount
            superseded += file.execute("DELETE FROM snaps WHERE ser_change IS NULL").rowcount
            for step, names in gone.items():
                forgotten += sum(file.execute("DELETE FROM snaps WHERE step_id = ? AND state_key = ?", (step, name)).rowcount for name in names)
        free, pages = (file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
        if free > max(SPARE_PAGES, pages // 2):
            file.execute("VACUUM")
    cleaned = Cleaned(epoch, uncommitted, superseded, forgotten)
    log.info("recovery directory cleaned: %s", cleaned)
    return cleaned


_SUPERSEDED = """
DELETE FROM snaps WHERE (step_id, state_key, snap_epoch) NOT IN (SELECT step_id, state_key, MAX(snap_epoch) FROM snaps GROUP BY step_id, state_key)
"""


def _resume_epoch(files: Iterable[sqlite3.Connection]) -> int:
    """Return the epoch that the next run starts with, as Bytewax computes it: the least frontier of the workers of the last execution."""
    executions = [row for file in files for row in file.execute("SELECT ex_num, worker_count, resume_epoch FROM exs")]
    if not executions:
        return 0
    number, workers, start = max(executions)
    frontiers: dict[int, int] = dict.fromkeys(range(workers), start)
    for file in files:
        for worker, frontier in file.execute("SELECT worker_index, worker_frontier FROM fronts WHERE ex_num = ?", (number,)):
            frontiers[worker] = max(frontiers.get(worker, start), frontier)
    return min(frontiers.values())
