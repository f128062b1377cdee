"""Undo (G4): what a document caused goes with it, whatever it was and whenever it came."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.change import Delete, DocumentChange, Position, Review, Stamp
from schemas.ids import DocumentId, RecordId
from schemas.record import Belief, Kind, Record
from schemas.version import Version
from tests.state.stores import built
from tests.streams import BEGIN, CLOCK, TENANT, WIKI, positioned, streams

fewer = settings(max_examples=settings().max_examples // 2)  # each builds several stores

GUEST = DocumentId("guest")
HELD = (Belief.BELIEVED, Belief.DISPUTED)


def visiting(versions: list[Version]) -> list[Version]:
    """Return the versions as those of one more document, and its deletion."""
    moved = [_moved(version, version.change) for version in versions if not isinstance(version.change, Review)]
    return [*moved, Version(Delete(Stamp(TENANT, WIKI, GUEST, (99,), BEGIN, CLOCK, Position("", 0, 0), incarnation=9)))]


def _moved(version: Version, change: DocumentChange) -> Version:
    return replace(version, change=replace(change, stamp=replace(change.stamp, source=WIKI, document=GUEST)))


def said(records: dict[RecordId, Record]) -> set[tuple[object, ...]]:
    """Return what is believed or disputed, without the places that say so."""
    held = [one for one in records.values() if one.belief in HELD and one.kind in (Kind.NUGGET, Kind.BRIDGE)]
    return {
        (one.kind, one.audience, one.entities[0], one.predicate, one.object, one.scope, one.belief, one.reason, one.valid_from, one.valid_to)
        for one in held
    }


@fewer
@given(streams(most=9), streams(most=6), st.randoms(use_true_random=False))
def test_after_its_deletion_everything_else_is_as_if_a_document_had_never_been(versions: list[Version], guest: list[Version], random: Random) -> None:
    arriving = [*versions, *visiting(guest)]
    random.shuffle(arriving)
    assert said(built([positioned(arriving)])) == said(built([positioned(versions)]))


@fewer
@given(streams(most=8), streams(most=6))
def test_a_document_that_is_deleted_changes_nothing_although_it_was_applied_before(versions: list[Version], guest: list[Version]) -> None:
    placed = positioned([*versions, *visiting(guest)])
    assert said(built([[one] for one in placed])) == said(built([positioned(versions)]))
