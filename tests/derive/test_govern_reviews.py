"""What a review does to governance (DESIGN.md 5.6, rule 6): it outranks the evidence, except an explicit start that is later than the review."""

from derive.govern import govern, in_force
from schemas.change import Verdict
from schemas.record import Belief
from tests.derive.evidence import VOCABULARY, at, outcome, review, said, stance

PREFER, REJECT, CLEAR = Verdict.PREFER, Verdict.REJECT, Verdict.CLEAR


def test_a_rejected_value_is_rejected_from_its_first_instant_whenever_the_review_was_given() -> None:
    assert outcome(said("reyes", 10), reviews=[review(REJECT, "reyes", 50)]) == {"reyes": ["rejected 10- review"]}


def test_rejecting_one_side_ends_a_dispute() -> None:
    assert outcome(said("finch", 10), said("reyes", 20, by="b"), reviews=[review(REJECT, "reyes", 30)]) == {
        "finch": ["believed 10- current"],
        "reyes": ["rejected 20- review"],
    }


def test_a_preferred_value_leaves_out_what_contradicts_it_while_it_is_asserted() -> None:
    assert outcome(said("finch", 10), said("reyes", 20, 30, by="b"), reviews=[review(PREFER, "reyes", 40)]) == {
        "finch": ["believed 10-20 succeeded", "believed 30- current"],
        "reyes": ["believed 20-30 ended"],
    }


def test_a_preferred_value_that_is_asserted_first_rejects_the_other_from_its_first_instant() -> None:
    assert outcome(said("finch", 10), said("reyes", 20, by="b"), reviews=[review(PREFER, "finch", 40)]) == {
        "finch": ["believed 10- current"],
        "reyes": ["rejected 20- review"],
    }


def test_a_preference_for_what_nobody_asserts_changes_nothing() -> None:
    assert outcome(said("finch", 10), reviews=[review(PREFER, "vale", 5)]) == {"finch": ["believed 10- current"]}


def test_a_review_outranks_authority_succession_and_majority() -> None:
    against = [said("reyes", 20, by=by, dated=True, rank=5) for by in "bcd"]
    assert outcome(said("finch", 10), *against, reviews=[review(PREFER, "finch", 40)]) == {
        "finch": ["believed 10- current"],
        "reyes": ["rejected 20- review"],
    }


def test_an_explicit_start_later_than_the_review_is_not_judged_by_it() -> None:
    assert outcome(said("finch", 10), said("reyes", 20, by="b", dated=True), reviews=[review(PREFER, "finch", 19)]) == {
        "finch": ["believed 10-20 succeeded"],
        "reyes": ["believed 20- current"],
    }
    assert outcome(said("reyes", 20, dated=True), reviews=[review(REJECT, "reyes", 19)]) == {"reyes": ["believed 20- current"]}
    assert outcome(said("reyes", 20, dated=True), reviews=[review(REJECT, "reyes", 20)]) == {"reyes": ["rejected 20- review"]}


def test_a_later_start_that_is_only_when_it_was_said_is_judged() -> None:
    assert outcome(said("reyes", 20), reviews=[review(REJECT, "reyes", 5)]) == {"reyes": ["rejected 20- review"]}


def test_a_value_that_is_said_anew_with_a_start_after_its_rejection_is_believed_from_there() -> None:
    """Also where no other value is near, and where the older saying goes on."""
    assert outcome(said("reyes", 10), said("reyes", 40, by="b", dated=True), reviews=[review(REJECT, "reyes", 30)]) == {
        "reyes": ["rejected 10-40 review", "believed 40- current"]
    }


def test_a_preference_leaves_out_the_negation_and_what_is_declared_exclusive() -> None:
    assert outcome(said("reyes", 10), said("not reyes", 10, by="b"), reviews=[review(PREFER, "reyes", 5)]) == {
        "reyes": ["believed 10- current"],
        "not reyes": ["rejected 10- review"],
    }
    found = outcome(
        said("accepted", 10, predicate="status"), said("note 31", 10, by="b", predicate="superseded by"),
        reviews=[review(PREFER, "note 31", 5, predicate="superseded by")],
    )  # fmt: skip
    assert found == {"accepted": ["rejected 10- review"], "note 31": ["believed 10- current"]}


def test_a_rejection_of_a_value_spares_its_negation() -> None:
    assert outcome(said("not reyes", 10), reviews=[review(REJECT, "reyes", 5)]) == {"not reyes": ["believed 10- current"]}


def test_weak_words_and_words_that_were_taken_back_are_not_reviewed() -> None:
    assert outcome(said("reyes", 10, weak=True), reviews=[review(REJECT, "reyes", 5)]) == {"reyes": ["weak 10- weak"]}


def test_the_newest_review_of_a_value_counts_in_whatever_order_they_are_given() -> None:
    older, newer = review(REJECT, "reyes", 5), review(PREFER, "reyes", 6)
    assert in_force([older, newer]) == in_force([newer, older]) == [newer]


def test_clear_withdraws_the_reviews_of_its_value_that_were_given_before() -> None:
    assert in_force([review(REJECT, "reyes", 5), review(CLEAR, "reyes", 6)]) == []
    assert in_force([review(CLEAR, "reyes", 5), review(REJECT, "reyes", 6)]) == [review(REJECT, "reyes", 6)]
    assert in_force([review(REJECT, "finch", 5), review(CLEAR, "reyes", 6)]) == [review(REJECT, "finch", 5)]


def test_of_several_preferences_for_one_key_the_newest_counts() -> None:
    finch, reyes = review(PREFER, "finch", 5), review(PREFER, "reyes", 6)
    assert in_force([reyes, finch]) == [reyes]


def test_clearing_the_newest_preference_brings_the_one_before_it_back() -> None:
    finch, reyes = review(PREFER, "finch", 5), review(PREFER, "reyes", 6)
    assert in_force([finch, reyes, review(CLEAR, "reyes", 7)]) == [finch]


def test_preferences_for_different_predicates_and_rejections_of_several_values_stand_side_by_side() -> None:
    given = [review(PREFER, "finch", 5), review(PREFER, "draft", 6, predicate="status"), review(REJECT, "vale", 7), review(REJECT, "reyes", 8)]
    assert sorted(in_force(given), key=lambda one: one.at) == given


def test_two_reviews_of_one_instant_are_decided_the_same_whatever_came_first() -> None:
    both = [review(PREFER, "reyes", 5), review(REJECT, "reyes", 5)]
    assert in_force(both) == in_force(both[::-1]) == [both[1]]
    two = [review(PREFER, "finch", 5), review(PREFER, "reyes", 5)]
    assert in_force(two) == in_force(two[::-1]) == [two[1]]


def test_a_review_that_splits_a_value_at_each_start_leaves_one_run_per_belief() -> None:
    runs = govern([said("reyes", 10, by=by) for by in "abc"] + [said("reyes", 20, 30, by="d")], [review(REJECT, "finch", 5)], VOCABULARY)
    assert [(run.belief, run.start) for run in runs] == [(Belief.BELIEVED, 10)]
    assert at(runs, 25)[stance("reyes")].evidence == runs[0].evidence
