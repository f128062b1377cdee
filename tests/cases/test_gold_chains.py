"""Real histories with a known outcome: proposals whose status was taken back, reversed, renumbered, exchanged, superseded from both sides."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from connectors.extractor import PatternExtractor
from derive.keys import document_entity
from schemas.change import audience_of
from schemas.ids import document_key
from schemas.record import Belief, Kind, Record, Status
from schemas.rules import OnDelete
from schemas.vocabulary import shipped
from tests.cases.chains import ABSENT, STREAMS, Given, at, changes, document
from tests.cases.conftest import Open
from tests.cases.desk import WIKI, Desk, day
from tests.cases.hashed import state_hash

pytestmark = [pytest.mark.skipif(not STREAMS.is_dir(), reason=ABSENT), pytest.mark.timeout(300)]


def indexed(opened: Open, given: Sequence[Given]) -> Desk:
    """Return a desk that has taken some changes, in batches."""
    desk = opened(extractor=PatternExtractor(shipped()), on_delete=OnDelete.END)
    for first in range(0, len(given), 20):
        desk.take(*given[first : first + 20])
    return desk


def runs(desk: Desk, number: int, predicate: str = "status") -> list[tuple[str, str, int, int]]:
    return [(run.object, run.belief.value, run.valid_from, run.valid_to) for run in desk.about(document(number), predicate)]


def contested(desk: Desk) -> list[Record]:
    return [record for record in desk.records(Kind.NUGGET) if record.belief is Belief.DISPUTED]


def test_a_status_that_is_taken_back_after_84_minutes_has_two_intervals_and_so_has_the_one_before(opened: Open) -> None:
    desk = indexed(opened, changes(757))
    starts = [at(757, commit) for commit in ("5ac83c8cb7", "5074ef63c2", "d8f78a4e9d", "108d330f50", "cbf8efbc53")]
    found = runs(desk, 757)
    assert [value for value, *_ in found] == ["Draft", "Accepted", "Draft", "Accepted", "Final"]
    assert [start for _, _, start, _ in found] == [day(start) for start in starts]
    assert [end for *_, end in found[:-1]] == [day(start) for start in starts[1:]]
    assert [run.status for run in desk.about(document(757), "status")] == [Status.DEPRECATED] * 4 + [Status.ACTIVE]
    assert not contested(desk)


def test_a_decision_that_is_reversed_ends_the_old_one_whatever_the_page_is_called(opened: Open) -> None:
    desk = indexed(opened, changes(308))
    rejected = next(run for run in desk.about(document(308), "status") if run.object == "Rejected")
    assert (rejected.status, rejected.valid_from) == (Status.DEPRECATED, day(at(308, "83923d5309")))
    assert day("2005-09-29") < rejected.valid_to < day("2005-10-01")
    last = desk.about(document(308), "status")[-1]
    assert (last.object, last.status, last.valid_from) == ("Final", Status.ACTIVE, day(at(308, "df7a33afb0")))
    titles = desk.about(document(308), "title")
    assert [title.valid_from for title in titles][1:] == [day(at(308, "fee56e59bb"))]
    assert not contested(desk)


def test_a_copy_under_a_new_number_leaves_the_old_page_replaced_and_another_word_for_that_is_no_transition(opened: Open) -> None:
    desk = indexed(opened, changes(344, 3134))
    replaced = next(run for run in desk.about(document(344), "status") if run.valid_from == day(at(344, "d5deae29b7")))
    assert (replaced.status, replaced.belief) == (Status.ACTIVE, Belief.BELIEVED)
    assert [(value, start == replaced.valid_from) for value, _, start, _ in runs(desk, 344)] == [("Active", False), (replaced.object, True)]
    assert [value for value, *_ in runs(desk, 3134)] == ["Active", "Draft", "Accepted", "Final"]
    assert not contested(desk)


EXCHANGE = "f15f43943f"
OLD = {404: "Python Virtual Environments", 405: "Python 2.8 Un-release Schedule"}


@pytest.mark.parametrize("sequence", list(permutations((404, 405))))
def test_two_pages_that_exchange_title_and_text_in_one_commit_dispute_nothing(opened: Open, sequence: tuple[int, int]) -> None:
    moment = at(404, EXCHANGE)
    until = [change for change in changes(404, 405) if day(str(change["time"])) <= day(moment)]
    before, swap = until[:-2], until[-2:]
    desk = indexed(opened, before)
    by_page = {change["id"]: change for change in swap}
    assert len(by_page) == 2
    work = [desk.take(by_page[document(number)]) for number in sequence]
    assert [one.extract for one in work] == [0, 0]
    for number, other in ((404, 405), (405, 404)):
        titles = [(run.object, run.status) for run in desk.about(document(number), "title")]
        assert titles == [(OLD[number], Status.DEPRECATED), (OLD[other], Status.ACTIVE)]
    assert not contested(desk)


def test_the_whole_history_of_the_exchanged_pages_in_any_order_is_one_state(opened: Open) -> None:
    given = changes(404, 405)
    assert state_hash(indexed(opened, given)) == state_hash(indexed(opened, given[::-1]))


def test_a_succession_told_from_four_pages_is_support_and_no_conflict(opened: Open) -> None:
    desk = indexed(opened, changes(513, 571, 599, 600))
    new = document_entity(audience_of({"*"}), WIKI, document(600))
    for number in (513, 571, 599):
        (told,) = [run for run in desk.about(document(number), "superseded by") if run.status is Status.ACTIVE]
        assert told.entities[:2] == (document_entity(audience_of({"*"}), WIKI, document(number)), new)
        assert set(told.documents) == {document_key(WIKI, document(number)), document_key(WIKI, document(600))}
        assert desk.about(document(number), "status")[-1].object == "Superseded"
    assert not contested(desk)


def test_a_page_that_names_its_successor_and_still_says_accepted_is_contested_between_these_instants(opened: Open) -> None:
    desk = indexed(opened, changes(563))
    named, said = day("2024-03-24T01:43:58Z"), day("2025-05-06T22:56:50Z")
    accepted = [run for run in runs(desk, 563) if run[0] == "Accepted"]
    assert [(belief, end) for _, belief, _, end in accepted] == [("believed", named), ("disputed", said)]
    assert desk.about(document(563), "status")[-1].valid_from == said
    assert desk.about(document(563), "superseded by")[-1].status == Status.ACTIVE
    assert [desk.status(desk.about(document(563), "status")[1].text, when) for when in ("2024-03-24", "2024-03-25", "2025-05-07")] == [
        Status.ACTIVE, Status.CONTESTED, Status.DEPRECATED,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "old", "new", "commit"),
    [
        ("3.14.0 final", "Wednesday, 2025-10-01", "Tuesday, 2025-10-07", "cc9a0106dc"),
        ("3.14.0 candidate 2", "Tuesday, 2025-08-26", "Thursday, 2025-08-14", "5ebd96f940"),
        ("3.14.0 candidate 3", "Tuesday, 2025-09-16", "Thursday, 2025-09-18", "d4320e8d1b"),
    ],
)
def test_a_line_of_a_schedule_that_moves_ends_the_old_date_at_its_revision(opened: Open, line: str, old: str, new: str, commit: str) -> None:
    found = [(run.object, run.status, run.valid_from, run.valid_to) for run in indexed(opened, changes(745)).about(document(745), line)]
    moved = day(at(745, commit))
    assert [(value, status) for value, status, _, _ in found] == [(old, Status.DEPRECATED), (new, Status.ACTIVE)]
    assert (found[0][3], found[1][2]) == (moved, moved)


def test_an_edition_that_moves_from_the_planned_to_the_past_ones_keeps_its_date_until_that_is_corrected(opened: Open) -> None:
    desk = indexed(opened, changes(373))
    found = [(run.object, run.status, run.valid_from, run.valid_to) for run in desk.about(document(373), "2.7.18")]
    corrected = day(at(373, "cbb4ccd483"))
    assert [(value, status) for value, status, _, _ in found] == [("2020-04-18", Status.DEPRECATED), ("2020-04-20", Status.ACTIVE)]
    assert (found[0][2], found[0][3], found[1][2]) == (day(at(373, "050635872f")), corrected, corrected)


def test_the_end_that_was_put_off_is_no_longer_told(opened: Open) -> None:
    desk = indexed(opened, changes(373))
    moved = day(at(373, "f82462002b"))
    old = [unit for unit in desk.records(Kind.UNIT) if "until 2015" in unit.text]
    new = [unit for unit in desk.records(Kind.UNIT) if "until 2020" in unit.text]
    assert {(unit.status, unit.valid_to <= moved) for unit in old} == {(Status.DEPRECATED, True)}
    assert min(unit.valid_from for unit in new) == moved
