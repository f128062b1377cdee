"""Acceptance cases about what comes late, at once or again: C14 to C16, C18 and C19. C21 has a file of its own."""

import random
from itertools import permutations

import orjson
import pytest

from connectors.extractor import PatternExtractor
from schemas.receipt import Outcome
from schemas.record import Kind, Status
from schemas.vocabulary import shipped
from tests.cases.conftest import Open
from tests.cases.desk import NOTHING, Desk, delete, move, put, restore
from tests.cases.hashed import state_hash
from tests.cases.mill import Mill

NINETY, SEVENTY_FIVE = "The night ferry carries 90 cars.", "The night ferry carries 75 cars."


def test_c14_an_update_older_than_the_delete_brings_nothing_back_and_a_newer_one_does(desk: Desk) -> None:
    desk.put("ferry", 3, NINETY, at="2024-01-03")
    desk.delete("ferry", 5, at="2024-01-05")
    late = desk.put("ferry", 4, SEVENTY_FIVE, at="2024-01-04")
    assert late.outcomes == [Outcome.LATE]
    assert desk.told("How many cars does the night ferry carry?") == ""
    assert {record.status for record in desk.records(Kind.NUGGET, Kind.UNIT)} == {Status.DEPRECATED}
    desk.put("ferry", 6, SEVENTY_FIVE, at="2024-01-06")
    assert desk.told("How many cars does the night ferry carry?") == SEVENTY_FIVE


def test_c15_of_an_update_and_a_delete_with_equal_order_the_delete_wins_in_either_sequence(opened: Open) -> None:
    hashes = set()
    for both in permutations([put("ferry", 4, SEVENTY_FIVE), delete("ferry", 4)]):
        desk = opened()
        desk.put("ferry", 3, NINETY, at="2024-01-03")
        desk.take(*both)
        assert desk.told("How many cars does the night ferry carry?") == ""
        hashes.add(state_hash(desk))
    assert len(hashes) == 1


def test_c16_a_delete_and_a_restore_in_one_batch_change_nothing(desk: Desk) -> None:
    desk.put("ferry", 4, NINETY, at="2024-01-04")
    before = desk.ids(Kind.NUGGET)
    work = desk.take(delete("ferry", 5), put("ferry", 6, NINETY))
    assert work.counters == NOTHING
    assert desk.ids(Kind.NUGGET) == before
    assert desk.status(NINETY) == Status.ACTIVE


def test_c16_a_delete_and_a_restore_without_a_body_change_nothing_either(desk: Desk) -> None:
    desk.put("ferry", 4, NINETY, at="2024-01-04")
    before = state_hash(desk)
    assert desk.take(delete("ferry", 5), restore("ferry", 6)).counters == NOTHING
    assert state_hash(desk) == before


PEOPLE = ("Orla Finch", "Milo Reyes", "Ines Vale")


def thousand() -> list[dict[str, object]]:
    """Return a thousand events of two hundred pages: edits that share sentences with the neighbours, new titles, deletions, returns."""
    chance = random.Random(18)
    return [_event(chance, chance.randrange(200), order) for order in range(1, 1001)]


def _event(chance: random.Random, page: int, order: int) -> dict[str, object]:
    document, at = f"page {page}", f"2024-{1 + order // 100:02}-{1 + order % 28:02}"
    match chance.randrange(10):
        case 0:
            return delete(document, order, at)
        case 1:
            return restore(document, order, at)
        case 2:
            return move(document, order, f"Title {chance.randrange(20)}", at)
        case _:
            return put(document, order, _body(chance, page), at)


def _body(chance: random.Random, page: int) -> str:
    head = f"{chance.choice(PEOPLE)} heads the Pier {page + chance.randrange(2)} Crew."
    stop = f"The Blue Ferry stops at Pier {page + chance.randrange(3)}."
    return f"{head} Pier {page} belongs to District {page // 4}.\n\n{stop}" if chance.randrange(2) else f"{stop}\n\n{head}"


def test_c18_a_thousand_events_delivered_again_cost_nothing_and_change_nothing(opened: Open) -> None:
    desk, events = opened(extractor=PatternExtractor(shipped())), thousand()
    for first in range(0, 1000, 50):
        desk.take(*events[first : first + 50])
    before = state_hash(desk)
    assert {record.kind for record in desk.records()} == {Kind.NUGGET, Kind.UNIT, Kind.BRIDGE, Kind.ENTITY}
    again = [desk.take(*events[first : first + 50]) for first in range(0, 1000, 50)]
    assert {work.counters for work in again} == {NOTHING}
    assert sum(work.outcomes.count(Outcome.DUPLICATE) for work in again) == 1000
    assert state_hash(desk) == before


def test_c18_a_replay_through_the_whole_flow_writes_nothing_to_the_index(mill: Mill) -> None:
    events = [(b"page", orjson.dumps(event)) for event in thousand()[:150]]
    mill.feed(*events)
    mill.run()
    before, outcomes = mill.rows(), mill.outcomes
    mill.feed(*events)
    mill.run()
    assert mill.outcomes == outcomes | {"duplicate": 150}
    assert mill.rows() == before


@pytest.mark.parametrize("sequence", list(permutations([(11, NINETY), (12, SEVENTY_FIVE)])))
def test_c19_of_two_revisions_within_a_second_the_greater_wins(desk: Desk, sequence: tuple[tuple[int, str], ...]) -> None:
    outcomes = [desk.put("ferry", order, body, at="2024-06-01T11:00:00Z").receipts[0] for order, body in sequence]
    assert desk.told("How many cars does the night ferry carry?") == SEVENTY_FIVE
    assert [receipt.tie for receipt in outcomes] == [False, True]


def test_c19_without_revisions_the_later_delivery_wins(opened: Open) -> None:
    desk = opened(ordered=False)
    first, second = ({"id": "ferry", "body": body, "time": "2024-06-01T11:00:00Z"} for body in (NINETY, SEVENTY_FIVE))
    receipts = [desk.take(one).receipts[0] for one in (first, second)]
    assert desk.told("How many cars does the night ferry carry?") == SEVENTY_FIVE
    assert [receipt.tie for receipt in receipts] == [False, True]
