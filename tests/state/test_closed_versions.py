"""Closed versions: a store may be asked to keep none."""

from pathlib import Path

from schemas.change import Acl, Position, Put, Stamp, Text
from schemas.fact import SELF, Fact, FactKind
from schemas.ids import ContentHash, DocumentId, digest
from schemas.instant import DAY, FOREVER, Instant
from schemas.record import Kind, Record
from schemas.version import Reading, Unit, Version
from state.sqlite import SqliteStore
from tests.streams import BEGIN, CLOCK, RULES, TENANT, VOCABULARY, WIKI


def saying(order: int, head: str) -> Version:
    fact = Fact(f"headed by {head}", FactKind.RELATION, SELF, "headed by", head, 0, 5, 0.99)
    stamp = Stamp(TENANT, WIKI, DocumentId("a"), (order,), BEGIN, CLOCK, Position("changes", 0, order))
    return Version(Put(stamp, Text("")), Reading(ContentHash(f"{order:032x}"), (Unit("whole unit", (), 0, 10, facts=(fact,)),)))


def test_a_store_that_keeps_no_closed_versions_has_the_same_present_and_no_past(tmp_path: Path) -> None:
    found = {}
    for keep in (True, False):
        store = SqliteStore.open(tmp_path / f"{keep}.db", TENANT, RULES, VOCABULARY, keep_closed=keep)
        for order, head in enumerate(("Orla Finch", "Milo Reyes", "Orla Finch"), 1):
            store.apply([saying(order, head)], CLOCK)
        found[keep] = [one for chunk in store.after(0) for one in chunk if isinstance(one, Record)]
        store.close()
    assert any(one.known_to < FOREVER for one in found[True])
    assert all(one.known_to == FOREVER for one in found[False])
    assert {one.id: one.version for one in found[False]} == {one.id: one.version for one in found[True] if one.known_to == FOREVER}


def said(document: str, order: int, head: str) -> Version:
    """Return a version of a document that says who heads one and the same quay."""
    fact = Fact(f"Gull Quay: {head}", FactKind.RELATION, "Gull Quay", "headed by", head, 0, 3, 0.99)
    stamp = Stamp(TENANT, WIKI, DocumentId(document), (order,), Instant(BEGIN + order * DAY), CLOCK, Position(document, 0, order))
    return Version(Put(stamp, Text("")), Reading(ContentHash(digest(document, order)), (Unit(f"{document} {order}", (), 0, 3, facts=(fact,)),)))


def closed(store: SqliteStore) -> set[tuple[str, str]]:
    """Return text and readers of the nuggets that were superseded."""
    found = [one for chunk in store.after(0) for one in chunk if isinstance(one, Record) and one.known_to < FOREVER and not one.deleted]
    return {(one.text, one.audience) for one in found if one.kind is Kind.NUGGET}


def test_what_a_page_said_before_it_was_closed_to_the_public_is_told_to_its_readers_of_today_only(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "s.db", TENANT, RULES, VOCABULARY)
    store.apply([said("a", 1, "Orla Finch")], CLOCK)
    store.apply([said("a", 2, "Milo Reyes")], CLOCK)
    assert closed(store) == {("Gull Quay: Orla Finch", "*")}
    stamp = Stamp(TENANT, WIKI, DocumentId("a"), (3,), BEGIN, CLOCK, Position("acl", 0, 0))
    store.apply([Version(Acl(stamp, frozenset({"crew"})))], CLOCK)
    assert closed(store) == {("Gull Quay: Orla Finch", "|crew|"), ("Gull Quay: Milo Reyes", "|crew|")}
    store.prune(store.sequence)
    store.close()


def test_what_two_pages_said_is_told_to_nobody_once_their_readers_differ(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "s.db", TENANT, RULES, VOCABULARY)
    for order, head in enumerate(("Orla Finch", "Milo Reyes"), 1):
        store.apply([said("a", order, head), said("b", order, head)], CLOCK)
    assert closed(store) == {("Gull Quay: Orla Finch", "*")}
    stamp = Stamp(TENANT, WIKI, DocumentId("b"), (3,), BEGIN, CLOCK, Position("acl", 0, 0))
    store.apply([Version(Acl(stamp, frozenset({"crew"})))], CLOCK)
    assert closed(store) == set()
    count = "SELECT count(*) FROM closed_documents"
    before = store._db.execute(count).fetchone()[0]
    store.prune(store.sequence)
    assert store._db.execute(count).fetchone()[0] < before
    store.close()
