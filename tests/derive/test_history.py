"""What one document asserts, from when to when (DESIGN.md 5.4 and 5.6 rule 2), from all its versions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from derive.bind import claim_key, wording_key
from derive.dates.timing import VAGUE
from derive.history import assertions, stated, taken_out, timeline
from schemas.fact import GOVERNS, NO_DATES, Dates, Moment, Period, Relative
from schemas.instant import FOREVER, Instant
from schemas.statement import Assertion, Claim, Standing, What, Wording
from schemas.value import Value, ValueKind
from tests.derive.dates import day, month

WINDOW = 10
State = Mapping[str, Dates | Sequence[Dates]]
"""What a version states: value -> the dates that it gives it (several, if it says it several times)."""


def told(*versions: tuple[int, State], structural: bool = False, withdrawn: bool = False, window: int = WINDOW) -> dict[str, list[Assertion]]:
    """Return the assertions of every value, from the versions as (time, state)."""
    states = [_state(state, structural=structural) for _, state in versions]
    content = [repr(sorted(state.items())) for _, state in versions]
    rows = [(number.to_bytes(2, "big"), content[number], Instant(time)) for number, (time, _) in enumerate(versions)]
    runs = stated(timeline(rows, window), states)
    return {claim.value.normal: assertions(claim, some, withdrawn=withdrawn) for claim, some in runs.values()}


def _state(state: State, *, structural: bool) -> dict[tuple[int, int], tuple[Claim, Wording]]:
    found = {}
    for value, given in state.items():
        claim = Claim(What.FACT, "tarn works", "head", (), Value(ValueKind.NAME, value), structural=structural)
        for dates in [given] if isinstance(given, Dates) else given:
            wording = Wording(f"{value} heads it {dates}", "unit", 0, 9, dates=dates)
            found[claim_key(claim), wording_key(wording)] = (claim, wording)
    return found


def spoken(*versions: tuple[int, State], structural: bool = False, withdrawn: bool = False, window: int = WINDOW) -> dict[str, list[str]]:
    """Return the assertions as words: "from-to", with what is not plain about it."""
    found = told(*versions, structural=structural, withdrawn=withdrawn, window=window)
    return {value: [_words(one) for one in some] for value, some in found.items()}


def _words(one: Assertion) -> str:
    words = [f"{one.start}-{'' if one.end == FOREVER else one.end}"]
    words += ["dated"] if one.dated else []
    words += [f"ends in {one.ends_in}"] if one.ends_in < FOREVER else []
    words += ["current"] if one.current else []
    words += [str(one.standing)] if one.standing is not Standing.EVIDENCE else []
    return " ".join(words)


def period(first: int, last: int) -> Period:
    return Period(Instant(first), Instant(last))


def dates(start: Moment | None = None, end: Moment | None = None) -> Dates:
    return Dates(start, end)


FINCH, REYES = {"finch": NO_DATES}, {"reyes": NO_DATES}


# From when to when.


def test_a_fact_is_stated_from_the_first_version_that_states_it_to_the_first_that_does_not() -> None:
    assert spoken((100, FINCH), (200, FINCH), (300, REYES)) == {"finch": ["100-300"], "reyes": ["300- current"]}


def test_what_is_said_again_after_a_pause_is_an_assertion_of_its_own() -> None:
    assert spoken((100, FINCH), (200, REYES), (300, FINCH)) == {"finch": ["100-200", "300- current"], "reyes": ["200-300"]}


def test_a_version_that_says_nothing_ends_what_was_said() -> None:
    """A deletion of a source whose deletions are edits."""
    assert spoken((100, FINCH), (200, {})) == {"finch": ["100-200"]}


def test_times_that_run_backwards_are_raised_to_the_latest_before_them() -> None:
    """C20: a later version with an earlier clock ends nothing before it began."""
    assert spoken((300, FINCH), (100, REYES), (400, {})) == {"finch": [], "reyes": ["300-400"]}


def test_versions_of_one_time_leave_no_empty_interval() -> None:
    assert spoken((100, FINCH), (100, REYES)) == {"finch": [], "reyes": ["100- current"]}


# Explicit dates.


def test_an_explicit_start_counts_instead_of_the_saying() -> None:
    assert spoken((100, {"finch": dates(period(20, 30))})) == {"finch": ["20- dated current"]}
    assert spoken((100, {"finch": dates(period(500, 600))})) == {"finch": ["500- dated current"]}


def test_an_explicit_end_includes_the_period_that_it_names() -> None:
    assert spoken((100, {"finch": dates(None, period(300, 400))})) == {"finch": ["100-400 ends in 300 current"]}


def test_both_dates_are_the_validity_whenever_it_was_said() -> None:
    assert spoken((100, {"finch": dates(period(20, 30), period(50, 60))})) == {"finch": ["20-60 dated ends in 50 current"]}


def test_an_end_before_the_first_saying_without_a_start_holds_in_its_own_period_only() -> None:
    assert spoken((100, {"finch": dates(None, period(50, 60))})) == {"finch": ["50-60 ends in 50 current"]}
    assert spoken((100, {"finch": dates(None, period(50, 100))})) == {"finch": ["50-100 ends in 50 current"]}
    assert spoken((100, {"finch": dates(None, period(50, 101))})) == {"finch": ["100-101 ends in 50 current"]}


def test_an_end_before_the_start_makes_nothing() -> None:
    assert spoken((100, {"finch": dates(period(50, 60), period(20, 30))})) == {"finch": []}


def test_what_is_dropped_ends_at_the_edit_and_keeps_its_explicit_start() -> None:
    assert spoken((100, {"finch": dates(period(20, 30))}), (200, {})) == {"finch": ["20-200 dated"]}


def test_what_is_dropped_after_its_explicit_end_keeps_that_end() -> None:
    assert spoken((100, {"finch": dates(None, period(150, 160))}), (200, {})) == {"finch": ["100-160 ends in 150"]}


def test_what_is_dropped_before_its_explicit_end_ends_at_the_edit_and_is_still_said_to_have_had_an_end() -> None:
    """Else the edit would change what was believed before it: without an explicit end a later start would have barred it all along."""
    assert spoken((100, {"finch": dates(None, period(300, 400))}), (200, {})) == {"finch": ["100-200 ends in 300"]}


@pytest.mark.parametrize(
    "given", [dates(period(200, 210)), dates(period(500, 600)), dates(period(20, 30), period(50, 60)), dates(period(20, 30), period(50, 100))]
)
def test_what_is_dropped_without_having_held_while_it_was_said_is_withdrawn(given: Dates) -> None:
    """Announced for later and taken back before; or told of the past and no longer told."""
    (assertion,) = told((100, {"finch": given}), (200, {}))["finch"]
    assert (assertion.standing, assertion.current) == (Standing.WITHDRAWN, False)


def test_a_future_end_is_kept() -> None:
    (assertion,) = told((100, {"finch": dates(None, period(10**15, 10**15 + 5))}))["finch"]
    assert assertion.end == 10**15 + 5


def test_dates_that_are_a_guess_give_the_interval_and_are_not_explicit() -> None:
    guess = Dates(period(20, 30), period(300, 400), VAGUE)
    assert spoken((100, {"finch": guess})) == {"finch": ["20-400 current"]}
    assert spoken((100, {"finch": replace(guess, confidence=GOVERNS)})) == {"finch": ["20-400 dated ends in 300 current"]}


# Consecutive versions are one assertion, with the last one's dates.


def test_a_corrected_date_counts_from_the_beginning() -> None:
    found = told((100, {"finch": dates(period(20, 30))}), (200, {"finch": dates(period(40, 50))}))
    assert [(one.start, one.said_from, one.said_to) for one in found["finch"]] == [(40, 100, FOREVER)]


def test_dates_that_are_left_out_later_no_longer_count() -> None:
    assert spoken((100, {"finch": dates(period(20, 30), period(500, 600))}), (200, FINCH)) == {"finch": ["100- current"]}


def test_several_starts_in_one_version_are_one_assertion_each() -> None:
    twice = (dates(period(20, 30), period(40, 50)), dates(period(70, 80)))
    assert spoken((100, {"finch": twice})) == {"finch": ["20-50 dated ends in 40 current", "70- dated current"]}


def test_only_the_starts_of_the_last_version_count() -> None:
    assert spoken((100, {"finch": (dates(period(20, 30)), dates(period(70, 80)))}), (200, {"finch": dates(period(60, 70))})) == {
        "finch": ["60- dated current"]
    }


def test_a_start_that_is_said_twice_in_one_version_is_one_assertion_with_the_latest_end() -> None:
    said_twice = (dates(period(20, 30), period(60, 70)), dates(period(20, 25), period(40, 50)))
    for order in (said_twice, said_twice[::-1]):
        assert spoken((100, {"finch": order})) == {"finch": ["20-70 dated ends in 60 current"]}


def test_of_two_wordings_the_surer_one_speaks() -> None:
    claim = Claim(What.FACT, "tarn works", "head", (), Value(ValueKind.NAME, "finch"))
    wordings = [Wording(f"{confidence}", "unit", 0, 9, confidence=confidence) for confidence in (0.9, 0.99)]
    runs = stated(timeline([(b"1", "a", Instant(100))], WINDOW), [{(1, number): (claim, wording) for number, wording in enumerate(wordings)}])
    (assertion,) = assertions(claim, runs[1][1], withdrawn=False)
    assert assertion.wording.confidence == 0.99


def test_a_wording_that_ended_before_the_statement_did_does_not_speak() -> None:
    found = told((100, {"finch": dates(None, period(700, 800))}), (200, FINCH), (300, {}))
    assert [(one.start, one.end, one.wording.dates) for one in found["finch"]] == [(100, 300, NO_DATES)]


# Relative dates.


def test_a_relative_date_is_bound_to_the_first_version_that_uses_it() -> None:
    """What was "yesterday" stays the day that it was, however often the page is edited elsewhere."""
    yesterday = {"finch": dates(Relative("yesterday"))}
    found = told((day(2024, 3, 5), yesterday), (day(2024, 6, 1), {**yesterday, **REYES}))
    (assertion,) = found["finch"]
    assert (assertion.start, assertion.dated) == (day(2024, 3, 4), True)
    assert assertion.wording.dates == Dates(Period(day(2024, 3, 4), day(2024, 3, 5)))


def test_a_relative_date_in_a_new_wording_is_bound_to_the_version_that_brings_it() -> None:
    found = told((day(2024, 3, 5), FINCH), (day(2024, 6, 1), {"finch": dates(None, Relative("next month"))}))
    (assertion,) = found["finch"]
    assert (assertion.start, assertion.end, assertion.ends_in) == (day(2024, 3, 5), month(2024, 8), month(2024, 7))


def test_a_relative_date_that_cannot_be_read_is_no_date() -> None:
    assert spoken((100, {"finch": dates(Relative("when the tide is right"))})) == {"finch": ["100- current"]}


# Reverts.


def test_a_version_that_is_taken_back_within_the_window_never_counted() -> None:
    assert spoken((100, FINCH), (103, REYES), (106, FINCH)) == {"finch": ["100- current"], "reyes": ["103-106 corrected"]}


def test_going_back_after_the_window_is_an_edit_like_any_other() -> None:
    assert spoken((100, FINCH), (103, REYES), (113, FINCH)) == {"finch": ["100-103", "113- current"], "reyes": ["103-113"]}
    assert spoken((100, FINCH), (104, REYES), (113, FINCH))["reyes"] == ["104-113 corrected"]


def test_facts_of_structure_keep_their_intervals_through_a_revert() -> None:
    """C37: for a state field every value that it had counts."""
    assert spoken((100, FINCH), (103, REYES), (106, FINCH), structural=True) == {"finch": ["100-103", "106- current"], "reyes": ["103-106"]}


def test_the_version_that_is_gone_back_to_may_be_old() -> None:
    assert spoken((1, FINCH), (103, REYES), (106, FINCH)) == {"finch": ["1- current"], "reyes": ["103-106 corrected"]}


def test_all_versions_between_must_be_young() -> None:
    assert spoken((100, FINCH), (101, REYES), (110, {}), (112, FINCH))["reyes"] == ["101-110"]


def test_a_fact_that_begins_in_a_version_that_is_taken_out_begins_with_the_version_that_takes_it_out() -> None:
    """Reyes is said by the taken-out version and, in the version after the revert, for good."""
    both = {**FINCH, **REYES}
    assert spoken((100, FINCH), (103, both), (106, FINCH), (150, both)) == {"finch": ["100- current"], "reyes": ["103-106 corrected", "150- current"]}


def test_the_newest_version_is_judged_first_so_that_a_revert_of_a_revert_counts() -> None:
    """Finch, reyes, finch, reyes: the newest goes back to the second, which takes out the third; the first ends at the second."""
    assert spoken((100, FINCH), (102, REYES), (104, FINCH), (106, REYES)) == {
        "finch": ["100-102", "104-106 corrected"],
        "reyes": ["102- current"],
    }


def test_of_several_equal_versions_the_farthest_within_reach_is_gone_back_to() -> None:
    assert taken_out(["a", "b", "a", "c", "a"], [Instant(time) for time in (1, 2, 3, 4, 5)], WINDOW) == [False, True, True, True, False]


def test_judging_goes_on_from_the_version_that_was_gone_back_to() -> None:
    contents = ["a", "b", "a", "x", "c", "d", "c"]
    assert taken_out(contents, [Instant(time) for time in range(7)], WINDOW) == [False, True, False, False, False, True, False]


def test_a_version_equal_to_its_neighbour_takes_nothing_out() -> None:
    assert taken_out(["a", "a"], [Instant(1), Instant(2)], WINDOW) == [False, False]
    assert taken_out([], [], WINDOW) == []


def test_a_fact_dropped_by_a_version_that_is_taken_out_ends_where_the_next_kept_version_drops_it() -> None:
    """The middle version drops finch and is reverted; the last drops it for good."""
    assert spoken((100, FINCH), (102, {}), (104, FINCH), (200, {})) == {"finch": ["100-200"]}


def test_the_points_of_a_timeline_say_when_each_version_counts_and_what_follows_one_that_does_not() -> None:
    rows = [(b"1", "a", Instant(100)), (b"2", "b", Instant(90)), (b"3", "a", Instant(105))]
    points = timeline(rows, WINDOW)
    assert [(point.time, point.kept, point.next_at, point.next_time) for point in points] == [
        (100, True, b"", FOREVER),
        (100, False, b"3", 105),
        (105, True, b"", FOREVER),
    ]


# Deletion.


def test_all_that_a_deleted_document_ever_said_is_withdrawn() -> None:
    assert spoken((100, FINCH), (200, REYES), withdrawn=True) == {"finch": ["100-200 withdrawn"], "reyes": ["200- withdrawn"]}


def test_what_was_corrected_stays_so_when_the_document_is_deleted() -> None:
    assert spoken((100, FINCH), (103, REYES), (106, FINCH), withdrawn=True) == {"finch": ["100- withdrawn"], "reyes": ["103-106 corrected"]}


def test_only_what_the_newest_version_says_is_current() -> None:
    found = told((100, {**FINCH, **REYES}), (200, FINCH))
    assert [one.current for one in found["finch"]] == [True]
    assert [one.current for one in found["reyes"]] == [False]


def test_assertions_come_in_the_order_of_time() -> None:
    found = told((100, {"finch": (dates(period(70, 80)), dates(period(20, 30), period(40, 50)))}))
    assert [one.start for one in found["finch"]] == [20, 70]
