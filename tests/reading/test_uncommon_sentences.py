"""Facts from prose: sentences that are rare and must not be misread."""

from functools import cache

import pytest

from connectors.extractor import Extractor, PatternExtractor
from connectors.spacy_extractor import SpacyExtractor
from derive.bind import ACCEPTED
from derive.dates.time import iso_moment
from derive.dates.timings import timings
from derive.prose.declared import declared_pairs
from schemas.fact import FactKind
from schemas.vocabulary import load, shipped


@cache
def spacy() -> Extractor:
    return SpacyExtractor(shipped())


def test_a_verb_that_is_joined_to_another_is_of_its_time() -> None:
    (facts,) = spacy().extract(["The crane was owned and operated by Tarn Works."])
    (past,) = [fact for fact in facts if fact.predicate == "operated by"]
    assert past.confidence < ACCEPTED
    (facts,) = spacy().extract(["The crane is owned and operated by Tarn Works."])
    (present,) = [fact for fact in facts if fact.predicate == "operated by"]
    assert present.confidence >= ACCEPTED


@pytest.mark.parametrize("text", ["Gull Point, a small harbour, has nine quays.", "Gull Point (a small harbour) has nine quays."])
def test_what_a_name_is_said_to_be_in_passing_is_its_definition(text: str) -> None:
    (facts,) = spacy().extract([text])
    assert ("Gull Point", "is", "small harbour", FactKind.DEFINITION) in [(one.subject, one.predicate, one.object, one.kind) for one in facts]


def test_a_date_is_no_value_of_a_predicate_that_wants_another() -> None:
    wants = '[predicates."open"]\nobject = "name"\naliases = ["opens"]\n'
    assert PatternExtractor(load(f"format = 1\n{wants}", "a vocabulary")).extract(["The gate opens in 2024."]) == [()]
    ((fact,),) = PatternExtractor(load("format = 1\n", "a vocabulary")).extract(["The gate opens in 2024."])
    assert (fact.predicate, fact.object) == ("opens", "2024")


@pytest.mark.parametrize("text", ["In 2024, the yard opened.", "On 2024-05-01, the yard opened."])
def test_the_comma_behind_a_leading_date_is_no_word_of_the_subject(text: str) -> None:
    for extractor in (spacy(), PatternExtractor(shipped())):
        (facts,) = extractor.extract([text])
        assert {fact.subject for fact in facts} <= {"yard"}


def test_a_time_that_no_calendar_has_is_no_date() -> None:
    assert timings("The gate opens on 2024-02-30T10:00:00Z.") == ()
    assert [one.first for one in timings("The gate opens on 2024-02-29T10:00:00Z.")] == [iso_moment("2024-02-29T10:00:00Z")]


@pytest.mark.parametrize("text", ["The gate is red from May 2024 or later.", "The gate is red in May 2024 and after."])
def test_a_range_without_an_end_is_no_date(text: str) -> None:
    assert timings(text) == ()


def test_initials_of_less_than_two_capitals_abbreviate_nothing() -> None:
    assert declared_pairs(["The old dock (Od) is closed.", "The Old Dock (OD) is closed."]) == (("Old Dock", "OD"),)
