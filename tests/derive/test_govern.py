"""What governance believes, rule by rule (DESIGN.md 5.6): every expectation is written by hand."""

import pytest

from derive.govern import govern, independent
from schemas.record import Belief
from schemas.statement import Standing
from tests.derive.evidence import VOCABULARY, outcome, said


def test_what_nothing_contradicts_is_believed_for_as_long_as_it_holds() -> None:
    assert outcome(said("finch", 10)) == {"finch": ["believed 10- current"]}
    assert outcome(said("finch", 10, 30)) == {"finch": ["believed 10-30 ended"]}


def test_nothing_said_is_nothing_believed() -> None:
    assert govern([], [], VOCABULARY) == []


def test_one_value_of_two_documents_is_one_nugget_with_both_as_evidence() -> None:
    (run,) = govern([said("finch", 10, by="a"), said("finch", 10, by="b")], [], VOCABULARY)
    assert [one.document for one in run.evidence] == ["a", "b"]
    assert run.belief is Belief.BELIEVED


def test_a_value_that_returns_after_a_gap_has_two_runs() -> None:
    """C29: led from January to June, and again later; nothing in between."""
    assert outcome(said("vale", 1, 6, dated=True, ends_in=5), said("vale", 25, dated=True)) == {
        "vale": ["believed 1-6 ended", "believed 25- current"]
    }


def test_a_run_is_supported_by_what_is_said_while_it_goes_on() -> None:
    runs = govern([said("finch", 10, 20, by="a"), said("finch", 15, 25, by="b"), said("finch", 30, by="c")], [], VOCABULARY)
    assert [[one.document for one in run.evidence] for run in runs] == [["a", "b"], ["c"]]


def test_sayings_that_touch_or_overlap_are_one_run() -> None:
    assert outcome(said("finch", 10, 20), said("finch", 20, 30, by="b"), said("finch", 25, 40, by="c")) == {"finch": ["believed 10-40 ended"]}


# Rule 3: what contradicts what.


def test_values_of_a_functional_key_contradict_each_other() -> None:
    """C33: two documents, two widths, no rule decides."""
    assert outcome(said("6 m", 10), said("8 m", 10, by="b")) == {"6 m": ["disputed 10- rivals vs 8 m"], "8 m": ["disputed 10- rivals vs 6 m"]}


def test_when_one_side_of_a_dispute_ends_the_other_is_believed_again() -> None:
    assert outcome(said("6 m", 10), said("8 m", 20, 30, by="b")) == {
        "6 m": ["believed 10-20 ended", "disputed 20-30 rivals vs 8 m", "believed 30- current"],
        "8 m": ["disputed 20-30 rivals vs 6 m"],
    }


@pytest.mark.parametrize("predicate", ["member", "visit", "never heard of"])
def test_values_of_other_predicates_hold_side_by_side(predicate: str) -> None:
    """C30: only what is declared functional is closed by another value."""
    assert outcome(said("reyes", 10, predicate=predicate), said("vale", 20, by="b", dated=True, predicate=predicate)) == {
        "reyes": ["believed 10- current"],
        "vale": ["believed 20- current"],
    }


@pytest.mark.parametrize("predicate", ["head", "member", "visit"])
def test_a_value_and_its_negation_contradict_each_other_under_any_cardinality(predicate: str) -> None:
    assert outcome(said("reyes", 10, predicate=predicate), said("not reyes", 10, by="b", predicate=predicate)) == {
        "reyes": ["disputed 10- rivals vs not reyes"],
        "not reyes": ["disputed 10- rivals vs reyes"],
    }


def test_a_negation_contradicts_no_other_value_and_no_other_negation() -> None:
    assert outcome(said("not reyes", 10), said("vale", 10, by="b"), said("not finch", 10, by="c")) == {
        "vale": ["believed 10- current"],
        "not finch": ["believed 10- current"],
        "not reyes": ["believed 10- current"],
    }


def test_a_dated_negation_ends_the_value_that_it_denies() -> None:
    assert outcome(said("reyes", 10), said("not reyes", 20, by="b", dated=True)) == {
        "reyes": ["believed 10-20 succeeded"],
        "not reyes": ["believed 20- current"],
    }


def test_values_that_the_vocabulary_declares_exclusive_dispute_each_other() -> None:
    """C39, C44: a note that names its successor and still says accepted."""
    assert outcome(said("accepted", 10, predicate="status"), said("note 31", 20, by="b", predicate="superseded by")) == {
        "accepted": ["believed 10-20 ended", "disputed 20- rivals vs note 31"],
        "note 31": ["disputed 20- rivals vs accepted"],
    }


def test_an_exclusion_of_one_value_spares_the_others_and_negations() -> None:
    believed = ["believed 10- current"]
    assert outcome(said("draft", 10, predicate="status"), said("note 31", 10, by="b", predicate="superseded by")) == {
        "draft": believed, "note 31": believed,
    }  # fmt: skip
    assert outcome(said("accepted", 10, predicate="status"), said("not note 31", 10, by="b", predicate="superseded by")) == {
        "accepted": believed, "not note 31": believed,
    }  # fmt: skip
    assert outcome(said("not accepted", 10, predicate="status"), said("note 31", 10, by="b", predicate="superseded by")) == {
        "not accepted": believed, "note 31": believed,
    }  # fmt: skip


def test_an_exclusion_of_a_whole_predicate_meets_every_value_of_it() -> None:
    assert outcome(said("draft", 10, predicate="status"), said("for good", 10, by="b", predicate="closed")) == {
        "for good": ["disputed 10- rivals vs draft"],
        "draft": ["disputed 10- rivals vs for good"],
    }


# Rule 4a: authority.


def test_a_higher_authority_outvotes_from_the_first_instant_whatever_the_dates_and_numbers_say() -> None:
    rivals = [said("reyes", 20, by=by, dated=True) for by in "bcd"]
    assert outcome(said("finch", 10, rank=1), *rivals) == {"finch": ["believed 10- current"], "reyes": ["rejected 20- outvoted"]}


def test_what_is_asserted_before_the_higher_authority_speaks_ends_then() -> None:
    assert outcome(said("finch", 10), said("reyes", 20, by="b", rank=1)) == {"finch": ["believed 10-20 succeeded"], "reyes": ["believed 20- current"]}


def test_authority_judges_all_at_once() -> None:
    """The middle rank is left out by the highest, and yet leaves out the lowest."""
    assert outcome(said("finch", 10, rank=2), said("reyes", 10, by="b", rank=1), said("vale", 10, by="c")) == {
        "finch": ["believed 10- current"],
        "reyes": ["rejected 10- outvoted"],
        "vale": ["rejected 10- outvoted"],
    }


def test_a_value_has_the_authority_of_its_highest_source_and_loses_only_the_lower_ones() -> None:
    """The prose that also says finch is left out by reyes, the record that says so is not."""
    assert outcome(said("finch", 10, rank=2), said("finch", 10, by="b"), said("reyes", 10, by="c", rank=1)) == {
        "finch": ["believed 10- current"],
        "reyes": ["rejected 10- outvoted"],
    }


def test_authority_decides_exclusions_too_but_dates_and_numbers_do_not() -> None:
    accepted = said("accepted", 10, predicate="status")
    assert outcome(accepted, said("note 31", 10, by="b", rank=1, predicate="superseded by")) == {
        "accepted": ["rejected 10- outvoted"],
        "note 31": ["believed 10- current"],
    }
    dated = [said("note 31", 20, by=by, dated=True, predicate="superseded by") for by in "bc"]
    assert outcome(accepted, *dated) == {
        "accepted": ["believed 10-20 ended", "disputed 20- rivals vs note 31"],
        "note 31": ["disputed 20- rivals vs accepted"],
    }


# Rule 4b: succession.


def test_an_explicit_later_start_succeeds_an_earlier_value() -> None:
    """C35: the amendment."""
    assert outcome(said("45 days", 10), said("60 days", 30, by="b", dated=True)) == {
        "45 days": ["believed 10-30 succeeded"],
        "60 days": ["believed 30- current"],
    }


def test_a_start_that_is_only_when_it_was_said_succeeds_nothing() -> None:
    assert outcome(said("45 days", 10, dated=True), said("60 days", 30, by="b")) == {
        "45 days": ["believed 10-30 ended", "disputed 30- rivals vs 60 days"],
        "60 days": ["disputed 30- rivals vs 45 days"],
    }


def test_equal_explicit_starts_do_not_succeed_each_other() -> None:
    assert outcome(said("45 days", 10, dated=True), said("60 days", 10, by="b", dated=True)) == {
        "45 days": ["disputed 10- rivals vs 60 days"],
        "60 days": ["disputed 10- rivals vs 45 days"],
    }


def test_succession_goes_before_the_number_of_sources() -> None:
    assert outcome(said("finch", 10), said("finch", 11, by="b"), said("reyes", 20, by="c", dated=True)) == {
        "finch": ["believed 10-20 succeeded"],
        "reyes": ["believed 20- current"],
    }


def test_succession_judges_all_at_once() -> None:
    """Reyes is succeeded by vale and still succeeds finch, so that finch does not return with vale."""
    chain = [said("finch", 10), said("reyes", 20, by="b", dated=True), said("vale", 30, by="c", dated=True)]
    assert outcome(*chain) == {"finch": ["believed 10-20 succeeded"], "reyes": ["believed 20-30 succeeded"], "vale": ["believed 30- current"]}


def test_an_explicit_end_holds_against_a_later_start() -> None:
    """Appointed until the period [40, 50); somebody else from 20: both were said to hold."""
    assert outcome(said("finch", 10, 50, ends_in=40), said("reyes", 20, by="b", dated=True)) == {
        "finch": ["believed 10-20 ended", "disputed 20-40 rivals vs reyes"],
        "reyes": ["disputed 20-40 rivals vs finch", "believed 40- current"],
    }


def test_an_explicit_end_does_not_bar_a_successor_inside_the_period_that_it_names() -> None:
    """Until June [40, 50), the next one from the middle of June."""
    assert outcome(said("finch", 10, 50, ends_in=40), said("reyes", 45, by="b", dated=True)) == {
        "finch": ["believed 10-45 succeeded"],
        "reyes": ["believed 45- current"],
    }


def test_a_dated_successor_that_ends_gives_way_to_the_value_before_it() -> None:
    """C04: the page that told of the successor is edited; per instant only finch is left."""
    assert outcome(said("finch", 10), said("reyes", 20, 30, by="b", dated=True)) == {
        "finch": ["believed 10-20 succeeded", "believed 30- current"],
        "reyes": ["believed 20-30 ended"],
    }


# Rule 4c and 5: independent sources.


def test_two_independent_sources_outvote_one() -> None:
    assert outcome(said("6 m", 10), said("6 m", 10, by="b"), said("8 m", 10, by="c")) == {
        "6 m": ["believed 10- current"],
        "8 m": ["rejected 10- outvoted"],
    }


def test_a_value_that_is_outvoted_later_only_ended_then() -> None:
    assert outcome(said("8 m", 10, by="c"), said("6 m", 20), said("6 m", 30, by="b")) == {
        "8 m": ["believed 10-20 ended", "disputed 20-30 rivals vs 6 m"],
        "6 m": ["disputed 20-30 rivals vs 8 m", "believed 30- current"],
    }


def test_two_against_two_is_a_dispute() -> None:
    found = outcome(said("6 m", 10), said("6 m", 10, by="b"), said("8 m", 10, by="c"), said("8 m", 10, by="d"))
    assert found == {"6 m": ["disputed 10- rivals vs 8 m"], "8 m": ["disputed 10- rivals vs 6 m"]}


def test_two_strong_rivals_leave_out_a_weaker_third() -> None:
    strong = [said("6 m", 10), said("6 m", 10, by="b"), said("8 m", 10, by="c"), said("8 m", 10, by="d")]
    assert outcome(*strong, said("9 m", 10, by="e"))["9 m"] == ["rejected 10- outvoted"]


def test_copied_words_are_one_source() -> None:
    copies = [said("6 m", 10, by=by, sentence="the lock is 6 m wide") for by in "ab"]
    assert outcome(*copies, said("8 m", 10, by="c"))["8 m"] == ["disputed 10- rivals vs 6 m"]


def test_documents_of_one_origin_are_one_source() -> None:
    desk = [said("6 m", 10, by=by, origin="desk") for by in "ab"]
    assert outcome(*desk, said("8 m", 10, by="c"))["8 m"] == ["disputed 10- rivals vs 6 m"]


def test_independence_is_the_smaller_of_sentences_and_origins() -> None:
    three = [said("6 m", 10, by="a"), said("6 m", 10, by="b"), said("6 m", 10, by="b", sentence="elsewhere")]
    assert independent(three) == 2
    assert independent([*three, said("6 m", 10, by="c", sentence="elsewhere")]) == 3
    assert independent([]) == 0


def test_what_was_left_out_by_succession_counts_for_no_majority() -> None:
    """The first saying of 6 m is over since 8 m came, so its second saying stands alone."""
    assert outcome(said("6 m", 10), said("8 m", 20, by="b", dated=True), said("6 m", 30, by="c")) == {
        "6 m": ["believed 10-20 succeeded", "disputed 30- rivals vs 8 m"],
        "8 m": ["believed 20-30 ended", "disputed 30- rivals vs 6 m"],
    }


def test_being_left_out_is_judged_for_each_stretch_in_which_a_value_is_asserted() -> None:
    """6 m is outvoted from 10 on, stops being said, and is outvoted again from its first instant at 40."""
    strong = [said("8 m", 5, by="b"), said("8 m", 5, by="c")]
    assert outcome(said("6 m", 10, 20), said("6 m", 40), *strong)["6 m"] == ["rejected 10-20 outvoted", "rejected 40- outvoted"]


def test_after_a_pause_a_value_is_judged_anew() -> None:
    """6 m was held before; the pause, by silence or by words that are no evidence, ends that."""
    strong = [said("8 m", 30, by="b"), said("8 m", 30, by="c")]
    assert outcome(said("6 m", 10, 20), said("6 m", 40), *strong)["6 m"] == ["believed 10-20 ended", "rejected 40- outvoted"]
    weak = said("6 m", 15, 40, weak=True)
    assert outcome(said("6 m", 10, 20), weak, said("6 m", 40), *strong)["6 m"] == ["believed 10-20 ended", "weak 20-40 weak", "rejected 40- outvoted"]


def test_runs_come_by_value_and_time_not_by_document() -> None:
    runs = govern([said("vale", 5, 9, by="a"), said("finch", 10, 20, by="b"), said("finch", 30, by="c")], [], VOCABULARY)
    assert [(run.stance.value.normal, run.start) for run in runs] == [("finch", 10), ("finch", 30), ("vale", 5)]


def test_a_value_that_is_left_out_first_and_then_alone_is_believed_then() -> None:
    assert outcome(said("6 m", 10), said("8 m", 5, 20, by="b"), said("8 m", 5, 20, by="c")) == {
        "6 m": ["rejected 10-20 outvoted", "believed 20- current"],
        "8 m": ["believed 5-20 ended"],
    }


def test_a_disputed_run_names_everyone_who_rivalled_it() -> None:
    assert outcome(said("6 m", 10), said("8 m", 10, 20, by="b"), said("9 m", 20, by="c"))["6 m"] == ["disputed 10- rivals vs 8 m, 9 m"]


# Words that are no evidence.


def test_weak_words_are_kept_apart_and_decide_nothing() -> None:
    assert outcome(said("finch", 10), said("reyes", 20, by="b", dated=True, weak=True, rank=9)) == {
        "finch": ["believed 10- current"],
        "reyes": ["weak 20- weak"],
    }


def test_weak_words_add_no_source() -> None:
    assert outcome(said("6 m", 10), said("6 m", 10, by="b", weak=True), said("8 m", 10, by="c"))["8 m"] == ["disputed 10- rivals vs 6 m"]


def test_a_weak_run_shows_only_weak_evidence_and_a_believed_one_only_accepted() -> None:
    runs = govern([said("finch", 10, weak=True), said("finch", 20, by="b")], [], VOCABULARY)
    assert [(run.belief, [one.document for one in run.evidence]) for run in runs] == [(Belief.WEAK, ["a"]), (Belief.BELIEVED, ["b"])]


@pytest.mark.parametrize("standing", [Standing.WITHDRAWN, Standing.CORRECTED])
def test_words_that_were_taken_back_are_rejected_and_decide_nothing(standing: Standing) -> None:
    assert outcome(said("finch", 10), said("reyes", 20, by="b", dated=True, rank=9, standing=standing)) == {
        "finch": ["believed 10- current"],
        "reyes": [f"rejected 20- {standing}"],
    }


def test_what_one_document_takes_back_another_still_supports() -> None:
    """C03: the first delete leaves the other source."""
    runs = govern([said("finch", 10, standing=Standing.WITHDRAWN), said("finch", 10, by="b")], [], VOCABULARY)
    assert [(run.belief, [one.document for one in run.evidence]) for run in runs] == [(Belief.BELIEVED, ["b"])]


def test_the_part_that_only_taken_back_words_covered_is_rejected() -> None:
    runs = govern([said("finch", 10, standing=Standing.WITHDRAWN), said("finch", 20, by="b")], [], VOCABULARY)
    assert [(run.belief, run.start, run.reason, [one.document for one in run.evidence]) for run in runs] == [
        (Belief.REJECTED, 10, "withdrawn", ["a"]),
        (Belief.BELIEVED, 20, "current", ["b"]),
    ]


def test_weak_words_beside_taken_back_ones_are_weak() -> None:
    assert outcome(said("finch", 10, weak=True), said("finch", 10, by="b", standing=Standing.WITHDRAWN)) == {"finch": ["weak 10- weak"]}


def test_what_asserts_nothing_does_not_count_as_asserted_before() -> None:
    """Weak words until 20, then accepted ones that are outvoted from their first instant: rejected, not ended."""
    strong = [said("8 m", 5, by="b"), said("8 m", 5, by="c")]
    assert outcome(said("6 m", 10, 20, weak=True), said("6 m", 20, by="d"), *strong)["6 m"] == ["weak 10-20 weak", "rejected 20- outvoted"]


def test_when_the_only_word_left_is_a_weak_one_the_belief_before_it_has_ended() -> None:
    assert outcome(said("finch", 10, 20), said("finch", 15, by="b", weak=True)) == {"finch": ["believed 10-20 ended", "weak 20- weak"]}


def test_an_end_in_the_future_is_kept() -> None:
    """C34: valid until a day that has not come; status is the clock's business."""
    (run,) = govern([said("valid", 10, 10**15, ends_in=10**15 - 1)], [], VOCABULARY)
    assert (run.belief, run.end) == (Belief.BELIEVED, 10**15)
