"""Traceable (G6): every record names what supports it, every transition the change that caused it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from derive.records import SUPPORTS
from schemas.change import KIND, DocumentChange, Review
from schemas.record import Kind, Record
from schemas.transition import Cause, Transition
from schemas.version import Version
from state.sqlite import SqliteStore
from tests.state.stores import cut, fresh, live, opened
from tests.streams import CLOCK, positioned, streams

fewer = settings(max_examples=settings().max_examples // 2)  # each builds several stores

sizes = st.lists(st.integers(1, 5), max_size=8)


@fewer
@given(streams(most=9), sizes)
def test_every_record_names_documents_units_and_spans_that_exist(versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            store.apply(batch, CLOCK)
        records, documents = live(store), {(change.stamp.source, change.stamp.document) for change in changes(versions)}
        units = {str(name): record.text for name, record in records.items() if record.kind in (Kind.UNIT, Kind.SECTION)}
        for record in records.values():
            whole = record.kind is Kind.ENTITY  # it stands on documents and on the names in them, not on one place
            assert whole or 1 <= len(record.provenance) <= (2 if record.kind is Kind.BRIDGE else 1) * SUPPORTS
            for support in record.provenance:
                assert (support.source, support.document) in documents
                assert whole or 0 <= support.start <= support.end <= len(units[support.unit])
                assert (support.record in records) == (record.kind is Kind.BRIDGE)


def changes(versions: list[Version]) -> list[DocumentChange]:
    return [version.change for version in versions if not isinstance(version.change, Review)]


@fewer
@given(streams(most=9), sizes)
def test_every_transition_names_the_changes_that_caused_it(versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            sequence = store.sequence
            store.apply(batch, CLOCK)
            possible = {cause_of(version) for version in batch}
            for transition in transitions(store, sequence):
                assert transition.causes
                assert {(cause.kind, cause.source, cause.document, cause.position) for cause in transition.causes} <= possible


def cause_of(version: Version) -> tuple[str, str, str, str]:
    change = version.change
    if isinstance(change, Review):
        return "review", change.source, change.subject, str(change.position)
    return KIND[type(change)], change.stamp.source, change.stamp.document, str(change.stamp.position)


def transitions(store: SqliteStore, after: int) -> list[Transition]:
    return [one for chunk in store.after(after) for one in chunk if isinstance(one, Transition)]


@fewer
@given(streams(most=9))
def test_a_single_change_is_the_only_cause_of_what_it_moves(versions: list[Version]) -> None:
    with fresh() as path, opened(path) as store:
        for version in positioned(versions):
            sequence = store.sequence
            store.apply([version], CLOCK)
            assert {causes(one) for one in transitions(store, sequence)} <= {(cause_of(version),)}


def causes(transition: Transition) -> tuple[tuple[str, str, str, str], ...]:
    return tuple(_plain(cause) for cause in transition.causes)


def _plain(cause: Cause) -> tuple[str, str, str, str]:
    return cause.kind, cause.source, cause.document, cause.position


@fewer
@given(streams(most=9), sizes)
def test_what_a_transition_says_was_and_is_is_what_the_record_was_and_is(versions: list[Version], batches: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            before, sequence = live(store), store.sequence
            store.apply(batch, CLOCK)
            after = live(store)
            for one in transitions(store, sequence):
                assert (one.before and (one.before.status, one.before.valid_to)) == _seen(before.get(one.record))
                assert (one.after and (one.after.status, one.after.valid_to)) == _seen(after.get(one.record))


def _seen(record: Record | None) -> tuple[object, object] | None:
    return (record.status, record.valid_to) if record else None
