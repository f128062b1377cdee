"""Whatever arrives, in whatever order and batches, and wherever it is cut: the live records are those of the oracle (G1, G3, G4, G5)."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from schemas.deadletter import DeadLetter
from schemas.ids import RecordId
from schemas.instant import FOREVER
from schemas.record import Record
from schemas.version import Version
from state.sqlite import SqliteStore
from tests.oracle import expected
from tests.streams import CLOCK, RULES, TENANT, VOCABULARY, positioned, streams


def live(store: SqliteStore) -> dict[RecordId, Record]:
    """Return all current records without the index's own diary."""
    found: dict[RecordId, Record] = {}
    for chunk in store.after(0, 7):
        for one in chunk:
            assert not isinstance(one, DeadLetter), one.reason
            if isinstance(one, Record) and one.known_to == FOREVER and not one.deleted:
                found[one.id] = replace(one, version=0, sequence=0, recorded_at=0)
    return found


def opened(folder: str) -> SqliteStore:
    return SqliteStore.open(Path(folder) / "tenant.db", TENANT, RULES, VOCABULARY)


def built(batches: list[list[Version]]) -> dict[RecordId, Record]:
    with TemporaryDirectory() as folder:
        store = opened(folder)
        for batch in batches:
            store.apply(batch, CLOCK)
        try:
            return live(store)
        finally:
            store.close()


def cut(versions: list[Version], sizes: list[int]) -> list[list[Version]]:
    batches, rest = [], versions
    for size in sizes:
        batches.append(rest[:size])
        rest = rest[size:]
    return [*batches, rest]


def agree(found: dict[RecordId, Record], wanted: dict[RecordId, Record]) -> None:
    """Compare record by record, so that a failure shows the records that differ and no others."""
    differing = [(found.get(name), wanted.get(name)) for name in sorted({*found, *wanted}) if found.get(name) != wanted.get(name)]
    assert not differing, f"{len(differing)} differ, the first: {differing[0]}"


sizes = st.lists(st.integers(1, 5), max_size=8)


@given(streams(), st.randoms(use_true_random=False), sizes)
def test_live_records_equal_recomputation_in_any_order_and_any_batches(versions, random, batches):
    shuffled = list(versions) + versions[: len(versions) // 3]
    random.shuffle(shuffled)
    agree(built(cut(positioned(shuffled), batches)), expected(versions, RULES, VOCABULARY, TENANT, CLOCK))
