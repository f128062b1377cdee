"""Governance of dates of different grain: a finer and a coarser one may be one value (rule 1 of DESIGN.md 5.6)."""

from derive.govern import govern
from tests.derive.evidence import VOCABULARY, outcome, said, spoken, stance


def test_a_finer_date_is_shown_and_the_coarser_beside_it_is_not() -> None:
    coarse, fine = said("2025-10", 10, predicate="opens"), said("2025-10-31", 20, by="b", predicate="opens")
    assert outcome(coarse, fine) == {"2025-10": ["believed 10-20 succeeded"], "2025-10-31": ["believed 20- current"]}


def test_the_coarser_date_is_evidence_of_the_finer_one() -> None:
    (run,) = govern([said("2025-10", 10, predicate="opens"), said("2025-10-31", 10, by="b", predicate="opens")], [], VOCABULARY)
    assert run.stance == stance("2025-10-31", "opens")
    assert [one.document for one in run.evidence] == ["a", "b"]


def test_the_coarser_date_counts_as_a_source_of_the_finer_one() -> None:
    assert outcome(
        said("2025-10", 10, predicate="opens"), said("2025-10-31", 10, by="b", predicate="opens"), said("2025-11", 10, by="c", predicate="opens")
    ) == {"2025-10-31": ["believed 10- current"], "2025-11": ["rejected 10- outvoted"]}


def test_the_coarser_date_counts_for_neither_of_two_finer_ones_that_contradict_each_other() -> None:
    found = outcome(
        said("2025-10", 10, predicate="opens"), said("2025-10-30", 10, by="b", predicate="opens"), said("2025-10-31", 10, by="c", predicate="opens")
    )
    assert found == {"2025-10-30": ["disputed 10- rivals vs 2025-10-31"], "2025-10-31": ["disputed 10- rivals vs 2025-10-30"]}


def test_the_coarser_date_does_not_save_one_of_two_finer_ones_from_being_outvoted() -> None:
    found = outcome(
        said("2025-10-30", 10, predicate="opens"), said("2025-10-30", 10, by="b", predicate="opens"),
        said("2025-10-31", 10, by="c", predicate="opens"), said("2025-10", 10, by="d", predicate="opens"),
    )  # fmt: skip
    assert found == {"2025-10-30": ["believed 10- current"], "2025-10-31": ["rejected 10- outvoted"]}


def test_what_is_not_shown_is_nobody_s_rival() -> None:
    found = outcome(
        said("2025-10", 10, predicate="opens"), said("2025-10-31", 10, by="b", predicate="opens"), said("2025-11", 10, by="c", predicate="opens"),
        said("2025-11", 10, by="d", predicate="opens"),
    )  # fmt: skip
    assert found == {"2025-10-31": ["disputed 10- rivals vs 2025-11"], "2025-11": ["disputed 10- rivals vs 2025-10-31"]}


def test_finer_dates_that_contradict_each_other_both_count_for_the_coarser() -> None:
    """Two sources say October one way or the other, so that November is outvoted; which day it is stays disputed."""
    found = outcome(
        said("2025-10-30", 10, predicate="opens"), said("2025-10-31", 10, by="b", predicate="opens"), said("2025-10", 10, by="c", predicate="opens"),
        said("2025-11", 10, by="d", predicate="opens"),
    )  # fmt: skip
    assert found == {
        "2025-10-30": ["disputed 10- rivals vs 2025-10-31"],
        "2025-10-31": ["disputed 10- rivals vs 2025-10-30"],
        "2025-11": ["rejected 10- outvoted"],
    }


def test_in_a_multi_valued_predicate_dates_of_different_grain_are_values_of_their_own() -> None:
    runs = govern([said("2025-10", 10, predicate="visit"), said("2025-10-31", 10, by="b", predicate="visit")], [], VOCABULARY)
    assert [(run.stance.value.normal, spoken(run), [one.document for one in run.evidence]) for run in runs] == [
        ("2025-10", "believed 10- current", ["a"]),
        ("2025-10-31", "believed 10- current", ["b"]),
    ]


def test_a_denied_date_hides_nothing_and_is_hidden_by_nothing() -> None:
    assert outcome(said("2025-10", 10, predicate="opens"), said("not 2025-10-31", 10, by="b", predicate="opens")) == {
        "2025-10": ["believed 10- current"],
        "not 2025-10-31": ["believed 10- current"],
    }
