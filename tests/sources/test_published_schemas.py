"""The published JSON Schemas and the adapters say the same of every message, good or bad."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker, validators
from jsonschema.protocols import Validator

from connectors.sources.native import NativeAdapter
from connectors.sources.reviews import ReviewsAdapter
from derive.dates.time import parse_instant
from schemas.deadletter import DeadLetter
from tests.pdfs import pdf
from tests.sources.malformed import MALFORMED
from tests.sources.messages import ORDERED, UNORDERED, decode, put, raw

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
Fields = dict[str, object]


def _validator(name: str) -> Validator:
    """Return the validator of a published schema, in which 1.0 is no integer and times are those that the adapters read."""
    formats = FormatChecker()
    formats.checks("millstream-time", ValueError)(lambda value: not isinstance(value, str) or bool(parse_instant(value)))
    integers = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    extend: Any = validators.extend
    found: Validator = extend(Draft202012Validator, type_checker=integers)(schema, format_checker=formats)
    return found


def _valid(validator: Validator, value: Any) -> bool:
    return validator.is_valid(value)


CHANGE, REVIEW = _validator("change.schema.json"), _validator("review.schema.json")

TEXTS: list[object] = ["", "quay", "a\0b", "a|b", "x" * 1000, "x" * 1001, "Ünï", " "]
TIMES: list[object] = ["2024-05-01", "2024-05-01T12:30:00+0200", "2024-13-01", "noon", "", 0, 1.5, -1]
TIMES += [edge + step for edge in (253_402_300_800, -62_135_596_800) for step in (-1, 0, 1)]
UNITS: list[object] = ["s", "ms", "us", "ns", "d", "", 1]
INTEGERS: list[object] = [-1, 0, 3, 2**53 + 1, 2**63 - 2, 2**63 - 1, 2**63, -(2**63), 1.0, True]
NAMES: list[object] = [[], ["a", "b"], *([text] for text in TEXTS), ["a", 7], ["a"] * 100, ["a"] * 101, "crew"]
ODD: list[object] = [None, True, 7, 1.0, [], {}, ["put"]]
FORMATS: list[object] = [1, 2, 0, "1"]
CHANGES: dict[str, list[object]] = {
    "format": FORMATS,
    "kind": ["put", "delete", "restore", "move", "acl", "redact", "upsert", "PUT", ""],
    "id": TEXTS + INTEGERS,
    "order": [*INTEGERS, *([each, 0] for each in INTEGERS), [1] * 8, [1] * 9],
    "incarnation": INTEGERS,
    "time": TIMES,
    "time_unit": UNITS,
    "author": TEXTS,
    "title": TEXTS,
    "path": TEXTS,
    "body": [*TEXTS, {"redacted": True}, {"redacted": 1}, {"redacted": True, "by": "x"}, "x" * 1_000_000, "x" * 1_000_001],
    "media_type": ["text/html", "text/html; charset=x", "text/", "html", "text/html\n", "text/html;\n", "t/" + "x" * 999],
    "encoding": ["base64", "gzip", ""],
    "readers": NAMES,
    "aliases": NAMES,
    "colour": TEXTS,
}
REVIEWS: dict[str, list[object]] = {
    "format": FORMATS,
    "subject": TEXTS,
    "predicate": TEXTS,
    "value": [*TEXTS, "x" * 10_000, "x" * 10_001],
    "verdict": ["prefer", "reject", "clear", "approve"],
    "by": TEXTS,
    "at": TIMES,
    "time_unit": UNITS,
    "scope": NAMES,
    "readers": NAMES,
    "colour": TEXTS,
}
GOOD_CHANGES: list[Fields] = [
    put(),
    put(kind="restore"),
    put(time=5, time_unit="s"),
    put(media_type="Application/PDF; version=1.4", encoding="base64", body=b64encode(pdf([["Quay"]])).decode()),
    {"id": "quay", "order": 3, "media_type": "application/pdf", "encoding": "base64"},
    {"id": "quay", "order": 3, "kind": "delete"},
    {"id": "quay", "order": 3, "kind": "move", "title": "Quay"},
    {"id": "quay", "order": 3, "kind": "acl", "readers": ["crew"]},
    {"id": "quay", "order": 3, "kind": "redact"},
]
GOOD_REVIEW: Fields = {"subject": "Dock Board", "predicate": "chair", "value": "Orla Finch", "verdict": "prefer", "by": "Milo Reyes"}
MISSING = object()


def _agree_on_change(event: Fields) -> None:
    needs_order = "order" in event or event.get("kind") == "redact"  # whether other kinds need one is a setting, which the schema cannot know
    found = NativeAdapter(ORDERED if needs_order else UNORDERED).decode(raw(orjson.dumps(event)))
    assert _valid(CHANGE, event) != isinstance(found[0], DeadLetter), (event, found)


def _agree_on_review(event: Fields) -> None:
    found = ReviewsAdapter(ORDERED).decode(raw(orjson.dumps(event)))
    assert _valid(REVIEW, event) != isinstance(found[0], DeadLetter), (event, found)


def _with(event: Fields, odd: dict[str, object]) -> Fields:
    """Return an event with these fields laid over it; one that is MISSING is taken out."""
    return {name: value for name, value in (event | odd).items() if value is not MISSING}


@pytest.mark.parametrize("field", CHANGES)
def test_the_schema_and_the_adapter_agree_on_every_value_of_a_change(field: str) -> None:
    for good in GOOD_CHANGES:
        for value in (*CHANGES[field], *ODD, MISSING):
            _agree_on_change(_with(good, {field: value}))


@pytest.mark.parametrize("field", REVIEWS)
def test_the_schema_and_the_adapter_agree_on_every_value_of_a_review(field: str) -> None:
    for good in (GOOD_REVIEW, GOOD_REVIEW | {"at": 5, "time_unit": "ms"}):
        for value in (*REVIEWS[field], *ODD, MISSING):
            _agree_on_review(_with(good, {field: value}))


def _several(fields: dict[str, list[object]]) -> st.SearchStrategy[Fields]:
    """Return values of several fields at once."""
    one = st.sampled_from(sorted(fields)).flatmap(lambda name: st.tuples(st.just(name), st.sampled_from([*fields[name], *ODD, MISSING])))
    return st.lists(one, min_size=2, max_size=4).map(dict)


@given(good=st.sampled_from(GOOD_CHANGES), odd=_several(CHANGES))
def test_the_schema_and_the_adapter_agree_on_changes_with_several_odd_fields(good: Fields, odd: Fields) -> None:
    _agree_on_change(_with(good, odd))


@given(odd=_several(REVIEWS))
def test_the_schema_and_the_adapter_agree_on_reviews_with_several_odd_fields(odd: Fields) -> None:
    _agree_on_review(_with(GOOD_REVIEW, odd))


@pytest.mark.parametrize("value", [[], [put(), put(order=4)], None])
def test_the_schema_of_changes_accepts_arrays_and_null(value: object) -> None:
    assert _valid(CHANGE, value)


def test_an_array_is_as_good_as_its_elements() -> None:
    mixed = [put(), put(kind="upsert")]
    assert not _valid(CHANGE, mixed)
    assert [isinstance(found, DeadLetter) for found in decode(mixed)] == [False, True]


def test_no_malformed_event_is_valid() -> None:
    for event in MALFORMED:
        held = _json(event.value or b"")
        if isinstance(held, dict) and "order" in held and "\\ud" not in str(event.value):
            assert not _valid(CHANGE, held), event.name


def _json(value: bytes) -> object:
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return None


@pytest.mark.parametrize(("validator", "definition"), [(CHANGE, "change"), (REVIEW, "review")])
def test_every_field_is_described(validator: Validator, definition: str) -> None:
    assert isinstance(validator.schema, dict)
    fields = validator.schema["$defs"][definition]["properties"]
    assert [name for name, part in fields.items() if "description" not in part] == []
