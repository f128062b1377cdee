"""The judging of the prose bench: what counts as found, as false, as an error of polarity, and as a right date."""

from dataclasses import replace

import pytest
from rich.console import Console

from bench.prose import found, report
from bench.support.judging import Found, Judgement, judged
from bench.support.labels import Expected, Sentence
from derive.dates.time import iso_moment
from schemas.vocabulary import shipped

VOCABULARY = shipped()
HEADS = Found("Orla Finch", "heads", "Pilot Desk")


def expected(subject: str, predicate: str, value: str, **more: object) -> Expected:
    return Expected.model_validate({"subject": subject, "predicate": predicate, "object": value, **more})


def verdict(found: list[Found], *facts: Expected, unsaid: tuple[Expected, ...] = ()) -> Judgement:
    said = ". ".join(f"{fact.subject[0]} {fact.object[0]}" for fact in (*facts, *unsaid)) or "Is it?"
    return judged(Sentence(id="harbour-en-01", tags=("active",), text=said, facts=facts, unsaid=unsaid), found, VOCABULARY)


def counts(judgement: Judgement) -> tuple[int, int, int, int, int]:
    score = judgement.score
    return score.expected, score.matched, score.found, score.right, score.polarity_errors


@pytest.mark.parametrize(
    "found",
    [
        HEADS,
        Found("the pilot desk", "headed by", "Orla Finch"),
        Found("Pilot Desk", "head", "ORLA FINCH."),
        Found("Pilot Desk's", "is headed by", "Orla Finch"),
    ],
)
def test_case_articles_punctuation_aliases_and_the_other_side_do_not_matter(found: Found) -> None:
    assert counts(verdict([found], expected("Pilot Desk", "headed by", "Orla Finch"))) == (1, 1, 1, 1, 0)


def test_a_passive_is_its_active_turned_round_and_the_actor_is_not_the_one_acted_on() -> None:
    fact = expected("comet", "discovered by", "Elio Prats")
    assert counts(verdict([Found("Elio Prats", "discovers", "comet")], fact)) == (1, 1, 1, 1, 0)
    assert counts(verdict([Found("comet", "discovers", "Elio Prats")], fact)) == (1, 0, 1, 0, 0)


@pytest.mark.parametrize(("said", "found", "right"), [("90 cars", "90 cars", 1), ("90 cars", "90", 1), ("90 cars", "91 cars", 0), ("9", "9.0.1", 0)])
def test_numbers_are_exact_and_what_is_counted_may_be_the_scope(said: str, found: str, right: int) -> None:
    scope = ("cars",) if found.isdigit() else ()
    assert verdict([Found("Aurelia", "carries", found, scope)], expected("Aurelia", "carries", said)).score.right == right


def test_dates_are_alike_in_any_spelling() -> None:
    assert verdict([Found("tunnel", "opens", "2019-06-03")], expected("tunnel", "opens", "3 June 2019")).score.right == 1


def test_what_is_not_labelled_is_false_and_what_is_not_found_is_missed() -> None:
    judgement = verdict([Found("Orla Finch", "owns", "Pilot Desk")], expected("Orla Finch", "heads", "Pilot Desk"))
    assert counts(judgement) == (1, 0, 1, 0, 0)
    assert (len(judgement.missed), len(judgement.false)) == (1, 1)


def test_what_is_optional_is_right_if_found_and_not_missed_otherwise() -> None:
    fact = expected("Orla Finch", "heads", "Pilot Desk", optional=True)
    assert counts(verdict([HEADS], fact)) == (0, 0, 1, 1, 0)
    assert counts(verdict([], fact)) == (0, 0, 0, 0, 0)


def test_either_wording_is_enough_and_both_are_right() -> None:
    one, other = expected("lock", "timeout", "30 seconds", either="t"), expected("timeout of lock", "is", "30 seconds", either="t")
    first, second = Found("lock", "timeout", "30 seconds"), Found("timeout of lock", "is a", "30 seconds")
    assert counts(verdict([first], one, other)) == counts(verdict([second], one, other)) == (1, 1, 1, 1, 0)
    assert counts(verdict([first, second], one, other)) == (1, 1, 2, 2, 0)
    assert counts(verdict([], one, other)) == (1, 0, 0, 0, 0)


def test_the_contrary_is_an_error_of_polarity_whatever_the_verb() -> None:
    fact = expected("alloy", "contains", "cobalt", negated=True)
    assert counts(verdict([Found("alloy", "contains", "cobalt")], fact)) == (1, 0, 1, 0, 1)
    assert counts(verdict([Found("alloy", "lacks", "cobalt")], fact)) == (1, 0, 1, 0, 1)
    assert counts(verdict([Found("alloy", "contains", "cobalt", negated=True)], fact)) == (1, 1, 1, 1, 0)


def test_a_belief_from_a_sentence_that_states_nothing_is_an_error_of_polarity_and_a_negation_from_it_is_only_false() -> None:
    assert counts(verdict([HEADS])) == (0, 0, 1, 0, 1)
    assert counts(verdict([replace(HEADS, negated=True)])) == (0, 0, 1, 0, 0)


def test_a_belief_that_a_clause_does_not_state_is_an_error_of_polarity() -> None:
    stated, unsaid = expected("Orla Finch", "heads", "Pilot Desk"), expected("Orla Finch", "buys", "Lock House")
    assert counts(verdict([HEADS, Found("Lock House", "acquired by", "Orla Finch")], stated, unsaid=(unsaid,))) == (1, 1, 2, 1, 1)


def test_what_has_ended_is_a_negation_an_end_or_a_former_state_and_never_a_belief_without_end() -> None:
    fact = expected("Orla Finch", "heads", "Pilot Desk", ended=True)
    end = iso_moment("2023-10")
    for right in (replace(HEADS, negated=True), replace(HEADS, end=end), replace(HEADS, scope=("former",))):
        assert counts(verdict([right], fact)) == (1, 1, 1, 1, 0)
    assert counts(verdict([HEADS], fact)) == (1, 0, 1, 0, 1)


@pytest.mark.parametrize(
    ("start", "end", "right"),
    [("2015", "2019", 1), ("2015", None, 0), (None, "2019", 0), ("2015-01", "2019", 0), ("2015", "2018", 0), (None, None, 0)],
)
def test_validity_is_right_if_both_ends_are_as_granular_as_said(start: str | None, end: str | None, right: int) -> None:
    found = replace(HEADS, start=iso_moment(start) if start else None, end=iso_moment(end) if end else None)
    score = verdict([found], expected("Orla Finch", "heads", "Pilot Desk", start="2015", end="2019")).score
    assert (score.dates_said, score.dates_right) == (1, right)


def test_a_date_that_nobody_said_is_wrong_and_no_date_where_none_is_said_is_not_counted() -> None:
    fact = expected("Orla Finch", "heads", "Pilot Desk")
    assert verdict([HEADS], fact).score.dates_said == 0
    score = verdict([replace(HEADS, start=iso_moment("2015"))], fact).score
    assert (score.dates_said, score.dates_right) == (1, 0)


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (replace(HEADS, negated=True, start=iso_moment("2023")), 1),
        (replace(HEADS, negated=True), 0),
        (replace(HEADS, end=iso_moment("2023")), 1),
        (replace(HEADS, end=iso_moment("2022")), 0),
    ],
)
def test_the_date_of_an_end_is_the_start_of_the_negation_or_the_end_of_the_fact(found: Found, right: int) -> None:
    assert verdict([found], expected("Orla Finch", "heads", "Pilot Desk", ended=True, end="2023")).score.dates_right == right


def test_a_qualifier_that_got_lost_is_counted() -> None:
    fact = expected("Orla Finch", "heads", "Pilot Desk", scope=["acting"])
    kept, lost = verdict([replace(HEADS, scope=("acting",))], fact).score, verdict([HEADS], fact).score
    assert (kept.scopes_said, kept.scopes_right) == (1, 1)
    assert (lost.scopes_said, lost.scopes_right) == (1, 0)


def test_a_sentence_is_read_as_a_document_with_its_title_and_its_date() -> None:
    fact = expected("Orla Finch", "heads", "Pilot Desk")
    sentence = Sentence(
        id="harbour-en-01",
        tags=("pronoun",),
        title="Pilot Desk",
        date="2024-06-12",
        text="It has been headed by Orla Finch since last year.",
        facts=(fact,),
    )
    ((given, facts),) = found([sentence], VOCABULARY)
    assert given is sentence
    assert facts == [Found("Pilot Desk", "headed by", "Orla Finch", start=iso_moment("2023"))]


def test_the_result_gives_each_half_its_own_figures() -> None:
    right = verdict([HEADS], expected("Orla Finch", "heads", "Pilot Desk"))
    wrong = replace(verdict([HEADS]), sentence=right.sentence.model_copy(update={"id": "harbour-en-02"}))
    result = report([right, wrong], Console(quiet=True))
    assert (result["precision"], result["recall"], result["polarity_errors"], result["expected"]) == (1.0, 1.0, 0, 1)
    assert (result["held_precision"], result["held_recall"], result["held_polarity_errors"], result["held_expected"]) == (0.0, 1.0, 1, 0)
