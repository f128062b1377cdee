"""Acceptance case C21: a thousand random events of forty documents, in any order of arrival and in any batches."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from connectors.extractor import PatternExtractor
from schemas.deadletter import DeadLetter
from schemas.instant import EPOCH
from schemas.record import Belief, Kind, Record, Status
from schemas.rules import SourceRules
from schemas.version import Version
from schemas.vocabulary import shipped
from tests.cases.conftest import Open
from tests.cases.desk import WIKI, Desk, delete, move, put, restore
from tests.oracle import expected

PEOPLE = ("Orla Finch", "Milo Reyes", "Ines Vale", "Per Lund")
SEED = 21


def _walk(chance: random.Random) -> list[dict[str, object]]:
    """Return a thousand events, each with the order that its source gave it: documents are added, edited, renamed, deleted and restored."""
    orders = dict.fromkeys(range(40), 0)
    events = []
    for number in range(1000):
        page = chance.randrange(40)
        orders[page] += 1
        events.append(_event(chance, page, orders[page], f"2024-{1 + number // 90:02}-{1 + number % 90 // 4:02}"))
    return events


def _event(chance: random.Random, page: int, order: int, at: str) -> dict[str, object]:
    document = f"page {page}"
    match chance.randrange(12):
        case 0:
            return delete(document, order, at)
        case 1:
            return restore(document, order, at)
        case 2:
            return move(document, order, f"Notes {chance.randrange(40)}", at)
        case 3:
            return put(document, order, _body(chance, page), at, title=f"Notes {page}")
        case _:
            return put(document, order, _body(chance, page), at)


def _body(chance: random.Random, page: int) -> str:
    """Return some sentences; the next pages say some of the same ones, or contradict them."""
    sentences = [
        f"{chance.choice(PEOPLE)} heads the Pier {page + chance.randrange(2)} Crew.",
        f"The Blue Ferry stops at Pier {page + chance.randrange(3)}.",
        f"Pier {page} belongs to District {page // 8}.",
        f"The Pier {page} Guide is maintained by {chance.choice(PEOPLE)}.",
    ]
    chosen = chance.sample(sentences, chance.randrange(4))
    return "\n\n".join(chosen) if chance.randrange(2) else " ".join(chosen)


def _batches(chance: random.Random, events: Sequence[dict[str, object]]) -> Iterator[Sequence[dict[str, object]]]:
    first = 0
    while first < len(events):
        size = chance.choice([1, 20, 50, 50])
        yield events[first : first + size]
        first += size


def _plain(record: Record) -> Record:
    """Return a record without the index's own diary."""
    return replace(record, version=0, sequence=0, recorded_at=EPOCH)


def _said(desk: Desk) -> set[tuple[object, ...]]:
    """Return the statements and units of the default view now, without since when.

    Of an entity with more than ten bridges the first ten by id are kept, and ids count former runs: which ones depends on the past.
    """
    found = [record for record in desk.records(Kind.NUGGET, Kind.UNIT) if record.status in (Status.ACTIVE, Status.CONTESTED)]
    return {(one.kind, one.text, one.belief, one.predicate, one.object) for one in found}


def test_c21_after_a_random_walk_state_index_oracle_and_a_build_of_the_final_texts_agree(opened: Open) -> None:
    chance = random.Random(SEED)
    events = _walk(chance)
    arriving = chance.sample(events, len(events))
    desk = opened(extractor=PatternExtractor(shipped()))
    taken: list[Version] = []
    for batch in _batches(chance, arriving):
        incoming = [one for one in desk.read(*batch) if not isinstance(one, DeadLetter)]
        taken.extend(incoming)
        desk.apply(incoming)
    assert len(taken) == 1000
    desk.check()
    found = {record.id: _plain(record) for record in desk.records()}
    rules = {WIKI: SourceRules(WIKI, readers=frozenset({"*"}))}
    wanted = expected(taken, rules, shipped(), desk.tenant, desk.clock)
    differing = [(found.get(name), wanted.get(name)) for name in sorted({*found, *wanted}) if found.get(name) != wanted.get(name)]
    assert not differing, f"{len(differing)} differ, the first: {differing[0]}"
    assert {record.belief for record in found.values()} == {Belief.BELIEVED, Belief.DISPUTED, Belief.REJECTED}
    assert {record.kind for record in found.values()} == {Kind.NUGGET, Kind.UNIT, Kind.BRIDGE, Kind.ENTITY}
    built = opened(extractor=PatternExtractor(shipped()))
    built.take(*_finals(events))
    assert _said(desk) == _said(built)


def _finals(events: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Return one put for each document that is there in the end: its last text."""
    last: dict[str, dict[str, object]] = {}
    bodies: dict[str, str] = {}
    for event in events:
        last[str(event["id"])] = event
        if "body" in event:
            bodies[str(event["id"])] = str(event["body"])
    there = [document for document, event in last.items() if event.get("kind") != "delete"]
    return [put(document, 1, bodies.get(document, ""), str(last[document]["time"])) for document in there]
