"""Acceptance case C64: what one new document costs does not grow with the number of documents. Counted, not timed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases.coast import Coast

ENTITIES = 5
"""Three piers, the ferry, and the document itself."""


@pytest.fixture
def coast(tmp_path: Path) -> Iterator[Coast]:
    made = Coast(tmp_path / "coast.db")
    yield made
    made.close()


@pytest.mark.timeout(300)
def test_c64_one_document_among_ten_thousand_costs_what_it_costs_among_a_thousand(coast: Coast) -> None:
    coast.grow(1_000)
    small, few = coast.visit(100)
    coast.grow(10_000)
    large, many = coast.visit(1_100)
    assert (small.entities, small.kept, small.added, small.removed) == (ENTITIES, 3, 6, 0)
    assert (large.entities, large.kept, large.added, large.removed) == (ENTITIES, 3, 6, 0)
    assert (large.records, large.transitions) == (small.records, small.transitions)
    assert many == few
