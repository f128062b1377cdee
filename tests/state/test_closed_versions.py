"""Closed versions: a store may be asked to keep none."""

from pathlib import Path

from schemas.change import Position, Put, Stamp, Text
from schemas.fact import SELF, Fact, FactKind
from schemas.ids import ContentHash, DocumentId
from schemas.instant import FOREVER
from schemas.record import Record
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
