"""What the tests of the store share: opening one, reading what it holds, and comparing that with what it should hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from schemas.deadletter import DeadLetter
from schemas.ids import RecordId
from schemas.instant import EPOCH, FOREVER
from schemas.record import Record
from schemas.version import Version
from state.sqlite import SqliteStore
from tests.streams import CLOCK, RULES, TENANT, VOCABULARY


@contextmanager
def fresh() -> Iterator[Path]:
    """Yield the path of a store that does not exist yet."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "tenant.db"


@contextmanager
def opened(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore.open(path, TENANT, RULES, VOCABULARY)
    try:
        yield store
    finally:
        store.close()


def live(store: SqliteStore) -> dict[RecordId, Record]:
    """Return all current records without the index's own diary. A dead letter among them means that the core failed on a change."""
    found: dict[RecordId, Record] = {}
    for chunk in store.after(0, 7):
        for one in chunk:
            assert not isinstance(one, DeadLetter), one.reason
            if isinstance(one, Record) and one.known_to == FOREVER and not one.deleted:
                found[one.id] = replace(one, version=0, sequence=0, recorded_at=EPOCH)
    return found


def built(batches: list[list[Version]]) -> dict[RecordId, Record]:
    """Return what a store holds after some batches."""
    with fresh() as path, opened(path) as store:
        for batch in batches:
            store.apply(batch, CLOCK)
        return live(store)


def cut(versions: list[Version], sizes: list[int]) -> list[list[Version]]:
    """Cut a stream into batches of the given sizes, and the rest."""
    batches, rest = [], versions
    for size in sizes:
        batches.append(rest[:size])
        rest = rest[size:]
    return [*batches, rest]


def agree(found: dict[RecordId, Record], wanted: dict[RecordId, Record]) -> None:
    """Compare record by record, so that a failure shows the records that differ and no others."""
    differing = [(found.get(name), wanted.get(name)) for name in sorted({*found, *wanted}) if found.get(name) != wanted.get(name)]
    assert not differing, f"{len(differing)} differ, the first: {differing[0]}"
