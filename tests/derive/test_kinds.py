"""What the form of a subject rules out."""

import pytest

from derive.prose.kinds import can_be
from schemas.fact import SELF


@pytest.mark.parametrize(
    ("subject", "kind", "expected"),
    [
        ("Orla Finch", "person", True),
        (SELF, "person", True),
        ("INC-4521", "any", True),
        ("2031-02-03", "any", True),
        ("2031-02-03", "name", False),
        ("3.12", "product", False),
        ("90", "organisation", False),
        ("INC-4521", "person", False),
        ("#77", "place", False),
        ("INC-4521", "ticket", True),
        ("INC-4521", "document", True),
        ("Orbit 3.2", "person", False),
        ("Orbit v3.2.1rc1", "organisation", False),
        ("Orbit 3.2", "product", True),
        ("Berth 4", "place", True),
    ],
)
def test_a_number_a_ticket_and_a_release_are_no_persons(subject: str, kind: str, *, expected: bool) -> None:
    assert can_be(subject, kind) is expected
