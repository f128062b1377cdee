"""A review is a person's word on one value of one key."""

import orjson
import pytest

from connectors.sources.payload import Decoded
from connectors.sources.reviews import ReviewsAdapter
from schemas.change import Review, Verdict
from schemas.message import Mark
from tests.sources.messages import NOON, ORDERED, letter, raw, the

REVIEW: dict[str, object] = {"subject": "Dock Board", "predicate": "chair", "value": "Orla Finch", "verdict": "prefer", "by": "Milo Reyes"}


def review(value: object) -> list[Decoded]:
    return ReviewsAdapter(ORDERED).decode(raw(orjson.dumps(value), None))


def test_a_review_carries_all_that_the_event_says() -> None:
    (found,) = review(REVIEW | {"at": "2024-05-01", "scope": ["northern"], "readers": ["crew"], "format": 1})
    assert found == Review(
        tenant=ORDERED.tenant,
        source=ORDERED.name,
        subject="Dock Board",
        predicate="chair",
        value="Orla Finch",
        verdict=Verdict.PREFER,
        by="Milo Reyes",
        at=the(Review, review(REVIEW | {"at": 1_714_521_600, "time_unit": "s"})[0]).at,
        recorded_at=NOON,
        position=raw(None).position(),
        scope=("northern",),
        readers=frozenset({"crew"}),
    )


def test_a_review_without_a_time_was_given_when_its_message_came() -> None:
    found = the(Review, review(REVIEW)[0])
    assert (found.at, found.scope, found.readers) == (NOON, (), None)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_each_verdict_is_known(verdict: Verdict) -> None:
    assert the(Review, review(REVIEW | {"verdict": str(verdict)})[0]).verdict is verdict


def test_several_reviews_in_a_message_are_judged_each_by_itself() -> None:
    first, second = review([REVIEW, REVIEW | {"by": 7}])
    assert isinstance(first, Review)
    assert letter([second]).reason == "by: 7 is not text"
    assert isinstance(review([])[0], Mark)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"subject": None}, "subject: None"),
        ({"predicate": ""}, "predicate: ''"),
        ({"value": None}, "value: None"),
        ({"value": 75}, "value: 75"),
        ({"value": "nine\0"}, "value: 'nine\\x00'"),
        ({"verdict": "approve"}, "verdict: 'approve'"),
        ({"verdict": ["prefer"]}, "verdict: ['prefer']"),
        ({"by": ""}, "by: ''"),
        ({"at": "soon"}, "at: 'soon'"),
        ({"at": 5}, "time_unit: None"),
        ({"scope": "northern"}, "scope: 'northern'"),
        ({"readers": ["a|b"]}, "readers[0]: 'a|b'"),
        ({"format": "1"}, "format: '1'"),
        ({"note": "hm"}, "note: 'hm'"),
    ],
)
def test_a_malformed_review_is_a_dead_letter_that_names_field_and_value(fields: dict[str, object], named: str) -> None:
    assert letter(review(REVIEW | fields)).reason.startswith(named)


@pytest.mark.parametrize("field", ["subject", "predicate", "value", "verdict", "by"])
def test_a_review_without_a_field_that_it_needs_is_a_dead_letter_that_names_it(field: str) -> None:
    assert letter(review({name: value for name, value in REVIEW.items() if name != field})).reason.startswith(f"{field}: None")


@pytest.mark.parametrize("value", [None, b"", b"null"])
def test_a_message_without_a_value_is_no_review(value: bytes | None) -> None:
    assert letter(ReviewsAdapter(ORDERED).decode(raw(value))).reason.startswith("value: ")
