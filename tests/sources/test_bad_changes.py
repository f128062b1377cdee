"""Every malformed event is a dead letter that names the field and shows the value (guarantee G9); what is not malformed is not one."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.limits import AUDIENCE_BYTES
from connectors.sources.native import NativeAdapter
from connectors.sources.reviews import ReviewsAdapter
from schemas.change import Put, Text, audience_of
from schemas.deadletter import DeadLetter
from tests.sources.malformed import MALFORMED, Malformed
from tests.sources.messages import NOON, ORDERED, UNORDERED, change, decode, letter, put, raw, the


@pytest.mark.parametrize("event", MALFORMED, ids=[event.name for event in MALFORMED])
def test_a_malformed_event_is_a_dead_letter_that_names_field_and_value(event: Malformed) -> None:
    message = raw(event.value, event.key)
    found = letter(NativeAdapter(ORDERED).decode(message))
    assert found.reason.startswith(f"{event.field}: ")
    assert event.shown in found.reason
    assert len(found.reason) < 500
    assert (found.key, found.payload) == (event.key or b"", event.value or b"")
    assert (found.tenant, found.source, found.step) == ("main", "wiki", "decode")
    assert (found.position, found.recorded_at) == (message.position(), NOON)


def test_there_are_malformed_events_of_thirty_kinds() -> None:
    assert len({(event.field, event.shown) for event in MALFORMED}) >= 30


def test_an_array_names_the_element_that_is_no_object() -> None:
    first, second = decode([put(), 7])
    assert isinstance(first, Put)
    assert letter([second]).reason == "value[1]: 7 is not a JSON object"


def test_a_redact_needs_a_source_with_order() -> None:
    found = letter(decode({"kind": "redact", "id": "quay"}, UNORDERED))
    assert found.reason.startswith("kind: 'redact'")


def test_a_dead_letter_names_its_document_where_it_can_be_told() -> None:
    assert letter(decode(put(kind="upsert", id=42))).document == "42"
    assert letter(NativeAdapter(ORDERED).decode(raw(b"{", b"quay"))).document == "quay"
    assert letter(NativeAdapter(ORDERED).decode(raw(b"{", b"\xff"))).document == ""
    assert letter(NativeAdapter(ORDERED).decode(raw(b"{", None))).document == ""


def test_the_limit_of_a_body_is_a_setting_and_counts_characters() -> None:
    assert the(Put, change(put(body="ü" * 1_000_000))).body == Text("ü" * 1_000_000)
    assert letter(decode(put(body="ü" * 1_000_001))).reason.endswith("characters (it has 1,000,001)")


@pytest.mark.parametrize("event", [{"id": "quay", "order": 3, "kind": "acl"}, put()], ids=["acl", "put"])
@pytest.mark.parametrize(("reader", "size"), [("r" * 198, "20,201"), ("港" * 100, "30,401")])
def test_more_readers_than_an_index_holds_are_a_dead_letter_that_names_their_size(event: dict[str, object], reader: str, size: str) -> None:
    found = letter(decode(event | {"readers": [f"{number:03}{reader}" for number in range(100)]}))
    assert found.reason.startswith("readers: ")
    assert f"at most {AUDIENCE_BYTES:,} bytes" in found.reason
    assert found.reason.endswith(f"(it has {size})")


def test_as_many_readers_as_an_index_holds_pass() -> None:
    most = [f"{number:03}{'r' * 160}" for number in range(99)] + ["x" * (AUDIENCE_BYTES - 99 * 164 - 2)]
    assert len(audience_of(most).encode()) == AUDIENCE_BYTES
    assert the(Put, change(put(readers=most))).readers == frozenset(most)
    assert letter(decode(put(readers=[*most[:-1], most[-1] + "x"]))).reason.startswith("readers: ")
    assert the(Put, change(put(readers=[*most[:-2], "y" * 999, "*"]))).readers is not None


@pytest.mark.parametrize(
    "fields",
    [
        put(body=""),
        put(body="  \n\t"),
        put(time="2024-05-01T12:30:00"),
        put(time="2524-05-01T12:30:00Z"),
        put(readers=[]),
        put(title=""),
        put(author=""),
        put(aliases=[]),
        put(order=-1),
        put(id=0),
        {"id": "quay", "order": 3},
        {"id": "quay", "order": 3, "kind": "delete", "body": 7},
    ],
)
def test_what_only_looks_odd_is_no_dead_letter(fields: dict[str, object]) -> None:
    assert not isinstance(decode(fields)[0], DeadLetter)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "order", "kind", "body", "time", "x"]), inner, max_size=4),
    max_leaves=8,
)


@given(value=st.binary(max_size=40) | ANY_JSON.map(orjson.dumps), key=st.none() | st.binary(max_size=5))
def test_no_input_raises_and_every_message_has_an_answer(value: bytes, key: bytes | None) -> None:
    for adapter in (NativeAdapter(ORDERED), NativeAdapter(UNORDERED), ReviewsAdapter(ORDERED)):
        assert adapter.decode(raw(value, key))
