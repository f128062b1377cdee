"""Isolated (G8): facts of one audience never influence the names, governance or bridges of another."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.change import Acl, Change, Review, audience_of
from schemas.ids import DocumentId, RecordId, document_key
from schemas.instant import FOREVER
from schemas.record import Record
from schemas.version import Version
from state.reader import StoreReader
from tests.state.stores import agree, built, cut, fresh, opened
from tests.streams import CLOCK, positioned, streams

fewer = settings(max_examples=settings().max_examples // 2)  # each builds several stores

VAULT = frozenset({"vault"})


def private(versions: list[Version]) -> list[Version]:
    """Return the versions as those of other documents, each of which has these readers in the end, whatever else is said of it."""
    moved = [_private(version, version.change) for version in versions]
    stamps = {one.change.stamp.key: one.change.stamp for one in moved if not isinstance(one.change, Review)}
    return [*moved, *(Version(Acl(replace(stamp, order=(99,), incarnation=9), VAULT)) for stamp in stamps.values())]


def _private(version: Version, change: Change) -> Version:
    if isinstance(change, Review):
        return replace(version, change=replace(change, readers=VAULT))
    return replace(version, change=replace(change, stamp=replace(change.stamp, document=DocumentId(f"private {change.stamp.document}"))))


def others(records: dict[RecordId, Record]) -> dict[RecordId, Record]:
    return {name: record for name, record in records.items() if record.audience != audience_of(VAULT)}


@fewer
@given(streams(most=9), streams(most=9), st.randoms(use_true_random=False))
def test_private_documents_change_nothing_for_anybody_else(versions: list[Version], hidden: list[Version], random: Random) -> None:
    arriving = [*versions, *private(hidden)]
    random.shuffle(arriving)
    agree(others(built([positioned(arriving)])), built([positioned(versions)]))


@given(streams(least=4), st.lists(st.integers(1, 3), max_size=8))
def test_closed_versions_are_for_those_who_may_read_their_documents_now(versions: list[Version], sizes: list[int]) -> None:
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), sizes):
            store.apply(batch, CLOCK)
        closed = [one for chunk in store.after(0) for one in chunk if isinstance(one, Record) and one.known_to < FOREVER and not one.deleted]
        reader = StoreReader(path)
        readers = {document_key(one.source, one.document): one.audience for one in reader.documents()}
        reader.close()
    assert {(document, one.audience) for one in closed for document in one.documents} <= readers.items()
