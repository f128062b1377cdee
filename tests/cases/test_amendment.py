"""Acceptance cases about a rule and its amendment: C35 and C36."""

import pytest

from schemas.errors import BadQuestion
from schemas.instant import FOREVER
from schemas.record import Kind, Status
from tests.cases.desk import Desk, day

RULE, AMENDED = "The claim period is 45 days.", "From 2025-04-01 the claim period is 60 days."
QUESTION = "The claim period is how many days?"


@pytest.fixture
def amended(desk: Desk) -> Desk:
    desk.put("rule", 1, RULE, at="2024-09-01")
    desk.put("amendment", 1, AMENDED, at="2025-02-01")
    desk.tick("2025-06-01")
    return desk


def spans(desk: Desk, at: str = "", until: str = "", known: str = "") -> dict[str, tuple[int, int]]:
    """Return the statements that answer, each with its validity."""
    hits = [hit.record for hit in desk.ask(QUESTION, at, until=until, known=known) if hit.record.kind is Kind.NUGGET]
    return {record.text: (record.valid_from, record.valid_to) for record in hits}


def test_c35_an_amendment_ends_the_rule_that_it_amends_and_answers_first(amended: Desk) -> None:
    rule, amendment = amended.nugget(RULE), amended.nugget(AMENDED)
    assert (rule.status, rule.valid_to) == (Status.DEPRECATED, day("2025-04-01"))
    assert (amendment.status, amendment.valid_from, amendment.valid_to) == (Status.ACTIVE, day("2025-04-01"), FOREVER)
    first = amended.ask(RULE)[0]
    assert first.record.id == amendment.id
    assert RULE not in amended.facts(RULE)


def test_c36_reading_at_latest_between_and_as_known(amended: Desk) -> None:
    first, second = (day("2024-09-01"), day("2025-04-01")), (day("2025-04-01"), FOREVER)
    assert spans(amended, at="2025-03-15") == {RULE: first}
    assert spans(amended) == {AMENDED: second}
    assert spans(amended, at="2025-03-01", until="2025-05-01") == {RULE: first, AMENDED: second}
    assert spans(amended, at="2025-04-01", until="2025-05-01") == {AMENDED: second}
    assert spans(amended, at="2025-05-01", known="2025-01-31") == {RULE: (day("2024-09-01"), FOREVER)}
    assert spans(amended, at="2025-03-01", until="2025-05-01", known="2025-01-31") == {RULE: (day("2024-09-01"), FOREVER)}
    statuses = {hit.record.text: hit.status for hit in amended.ask(QUESTION, at="2025-03-01", until="2025-05-01") if hit.record.kind is Kind.NUGGET}
    assert statuses == {RULE: Status.ACTIVE, AMENDED: Status.ACTIVE}


def test_a_stretch_of_time_that_ends_before_it_begins_is_refused(amended: Desk) -> None:
    with pytest.raises(BadQuestion, match=r"ends at 2025-03-01.*not after its start at 2025-03-01"):
        amended.ask(QUESTION, at="2025-03-01", until="2025-03-01")
