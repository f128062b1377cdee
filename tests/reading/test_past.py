"""What was so once: with dates it is no denial, without it ends when it is said."""

import pytest

from connectors.extractor import Extractor
from connectors.spacy_extractor import SpacyExtractor
from derive.dates.time import iso_moment as iso
from schemas.fact import GOVERNS, Dates, Fact, Relative
from schemas.vocabulary import shipped


@pytest.fixture(scope="module")
def spacy() -> SpacyExtractor:
    return SpacyExtractor(shipped())


def only(extractor: Extractor, text: str) -> Fact:
    """Return the one fact of a text."""
    ((fact,),) = extractor.extract([text])
    return fact


PAST = [
    ("Orla Finch formerly headed Tarn Works from 2015 to 2018.", Dates(iso("2015"), iso("2018"))),
    ("Orla Finch previously headed Tarn Works until 2019.", Dates(None, iso("2019"))),
    ("Orla Finch formerly headed Tarn Works in 2019.", Dates(iso("2019"), iso("2019"))),
    ("Orla Finch formerly headed Tarn Works from 2015.", Dates(iso("2015"), Relative("today"), GOVERNS)),
    ("Orla Finch used to head Tarn Works until 2019.", Dates(None, iso("2019"))),
]


@pytest.mark.parametrize(("text", "dates"), PAST, ids=[text for text, _ in PAST])
def test_what_was_so_at_a_time_is_no_denial(spacy: Extractor, text: str, dates: Dates) -> None:
    fact = only(spacy, text)
    assert (fact.subject, fact.predicate, fact.object, fact.negated, fact.dates) == ("Tarn Works", "headed by", "Orla Finch", False, dates)


@pytest.mark.parametrize(
    "text",
    [
        "Orla Finch formerly headed Tarn Works.",
        "Until recently Orla Finch headed Tarn Works.",
        "Orla Finch headed Tarn Works until recently.",
        "Orla Finch used to head Tarn Works.",
        "Orla Finch is the former head of Tarn Works.",
        "The former head of Tarn Works is Orla Finch.",
        "The ex-head of Tarn Works is Orla Finch.",
    ],
)
def test_what_was_so_without_a_date_ends_when_it_is_said_and_nobody_knows_since_when(spacy: Extractor, text: str) -> None:
    fact = only(spacy, text)
    assert (fact.subject, fact.predicate, fact.object, fact.negated) == ("Tarn Works", "headed by", "Orla Finch", True)
    assert fact.dates == Dates(Relative("today"), confidence=GOVERNS)
    assert fact.confidence >= 0.85
