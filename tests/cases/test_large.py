"""Acceptance case C56: a large document that comes again unchanged."""

from connectors.extractor import PatternExtractor
from schemas.record import Kind
from schemas.vocabulary import shipped
from tests.cases.conftest import Open
from tests.cases.desk import NOTHING

UNITS = 250


def test_c56_a_large_document_sent_again_or_with_another_file_time_costs_nothing(opened: Open) -> None:
    desk = opened(extractor=PatternExtractor(shipped()))
    paragraphs = (
        f"Berth {number} is owned by Crew {number}. " + "It has a ladder and a lamp that burns all night long. " * 4 for number in range(UNITS)
    )
    body = "\n\n".join(map(str.strip, paragraphs))
    first = desk.put("berths", 1, body, "2024-01-10")
    assert (first.extract, len(desk.records(Kind.UNIT))) == (UNITS, UNITS)
    assert desk.put("berths", 1, body, "2024-01-10").counters == NOTHING
    assert desk.put("berths", 2, body, "2024-02-10").counters == NOTHING
