"""Right, cheap, restartable, independent of batches: whatever arrives, in whatever order, and wherever it is cut (G1 to G5, G11)."""

import sqlite3
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.ids import RecordId
from schemas.instant import FOREVER, Instant
from schemas.receipt import Receipt
from schemas.record import Kind, Record, Status
from schemas.version import Version
from state.sqlite import SqliteStore
from state.touched import Touched
from state.views import refresh
from tests.oracle import expected
from tests.state.stores import agree, built, cut, fresh, live, opened
from tests.streams import CLOCK, HOUR, RULES, TENANT, VOCABULARY, positioned, streams

sizes = st.lists(st.integers(1, 5), max_size=8)
randoms = st.randoms(use_true_random=False)


def wanted(versions: list[Version]) -> dict[RecordId, Record]:
    return expected(versions, RULES, VOCABULARY, TENANT, CLOCK)


@given(streams(), randoms, sizes)
def test_live_records_equal_recomputation_in_any_order_with_repetitions_and_in_any_batches(
    versions: list[Version], random: Random, batches: list[int]
) -> None:
    shuffled = list(versions) + versions[: len(versions) // 3]
    random.shuffle(shuffled)
    agree(built(cut(positioned(shuffled), batches)), wanted(versions))


@given(streams(), sizes)
def test_a_store_that_is_closed_or_interrupted_between_any_two_statements_goes_on_as_if_nothing_had_happened(
    versions: list[Version], batches: list[int]
) -> None:
    with fresh() as path:
        for number, batch in enumerate(cut(positioned(versions), batches)):
            with opened(path) as store:
                interrupt(store, 40 + 331 * number)
                try:
                    store.apply(batch, CLOCK)
                except sqlite3.OperationalError:
                    store.apply(batch, CLOCK)
        with opened(path) as store:
            agree(live(store), wanted(versions))


def interrupt(store: SqliteStore, steps: int) -> None:
    """Let the database fail once, after so many steps of its machine."""
    left = [steps]

    def count() -> int:
        left[0] -= 25
        return int(-25 <= left[0] < 0)

    store._db.set_progress_handler(count, 25)


@given(streams(), sizes)
def test_only_records_that_differ_are_written(versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            before, sequence = live(store), store.sequence
            store.apply(batch, CLOCK)
            after = live(store)
            written = [one.id for chunk in store.after(sequence) for one in chunk if isinstance(one, Record) and one.known_to == FOREVER]
            differing = {name for name in {*before, *after} if before.get(name) != after.get(name)}
            assert sorted(written) == sorted(differing)


@given(streams(), sizes)
def test_a_replay_of_everything_writes_no_record(versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        placed = positioned(versions)
        for batch in cut(placed, batches):
            store.apply(batch, CLOCK)
        agreed, sequence = live(store), store.sequence
        again = store.apply(placed, CLOCK)
        assert (len(again.replayed), again.receipts, store.sequence) == (len(versions), (), sequence)
        repeated = store.apply(positioned(versions, start=len(versions)), CLOCK)
        assert repeated.written == 0
        agree(live(store), agreed)


VIEWS = ["facts", "uses", "links", "names", "members", "reviews", "nuggets", "bridges", "stretches", "entities"]


@pytest.mark.parametrize("view", VIEWS)
@given(streams(), sizes)
def test_after_every_batch_every_key_of_a_view_equals_its_derivation(view: str, versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            store.apply(batch, CLOCK)
            assert not [difference for difference in refresh(store.views[view], everything(store)) if difference]


def everything(store: SqliteStore) -> Touched:
    """Touch every key of every view."""
    touched, db = Touched(), store._db
    claims = db.execute("SELECT DISTINCT doc, claim FROM runs UNION SELECT doc, claim FROM assertions").fetchall()
    facts = db.execute("SELECT DISTINCT doc, claim FROM assertions WHERE grp IS NOT NULL").fetchall()
    others = db.execute("SELECT DISTINCT doc, claim FROM assertions WHERE grp IS NULL").fetchall()
    groups = [row[0] for row in db.execute("SELECT grp FROM assertions WHERE grp IS NOT NULL UNION SELECT grp FROM reviews")]
    entities = [row[0].hex() for row in db.execute("SELECT entity FROM nodes UNION SELECT entity FROM mentions")]
    touched.claims.update(claims, frozenset())
    touched.uses.update(claims, frozenset())
    touched.documents.update([row[0] for row in db.execute("SELECT doc FROM documents")], frozenset())
    touched.nodes.update([row[0] for row in db.execute("SELECT node FROM nodes UNION SELECT name FROM names")], frozenset())
    touched.members.update(facts, frozenset())
    touched.reviews.update([row[0] for row in db.execute("SELECT id FROM reviews")], frozenset())
    touched.groups.update(groups, frozenset())
    touched.bridged.update(entities, frozenset())
    touched.stretches.update(others, frozenset())
    touched.entities.update(entities, frozenset())
    return touched


@given(streams(), sizes)
def test_every_change_has_exactly_one_receipt_above_its_records(versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            store.apply(batch, CLOCK)
        emitted = [one for chunk in store.after(0, 5) for one in chunk]
        receipts = [one for one in emitted if isinstance(one, Receipt)]
        assert sorted(one.position.offset for one in receipts) == list(range(len(versions)))
        assert [one.sequence for one in emitted] == sorted({one.sequence for one in emitted})


def negated(record: Record) -> bool:
    return record.text.partition(": ")[2].startswith("not ") or record.text.startswith("not ")


@given(streams(), sizes, st.integers(0, 100))
def test_no_functional_key_has_two_active_values_at_any_time(versions: list[Version], batches: list[int], days: int) -> None:
    at = CLOCK - days * 24 * HOUR
    records = built(cut(positioned(versions), batches)).values()
    active = [one for one in records if one.kind is Kind.NUGGET and one.belief == "believed" and one.valid_from <= at < one.valid_to]
    functional = [one for one in active if one.predicate in ("headed by", "opens", "status") and not negated(one)]
    keys = [(one.audience, one.entities[0], one.predicate, one.scope) for one in functional]
    assert len(keys) == len(set(keys))


@given(streams(), sizes, st.integers(0, 90))
def test_statuses_follow_the_clock_whether_it_ticks_or_jumps(versions: list[Version], batches: list[int], days: int) -> None:
    later = Instant(CLOCK + days * 24 * HOUR)
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            store.apply(batch, Instant(CLOCK - 40 * 24 * HOUR))
        while (wake := store.next_wake()) is not None and wake <= later:
            store.tick(wake)
        store.tick(later)
        agree(live(store), expected(versions, RULES, VOCABULARY, TENANT, later))
        assert Status.NONE not in {one.status for one in live(store).values() if one.valid_from <= later and one.belief != "weak"}


def test_the_file_of_a_store_is_made_where_it_is_asked_for(tmp_path: Path) -> None:
    with opened(tmp_path / "deep.db") as store:
        assert (store.sequence, live(store)) == (0, {})
