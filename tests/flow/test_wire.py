"""What travels on Kafka is read back as it was, and every format that was ever shipped is still read."""

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import wire
from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.errors import BadChange
from schemas.ids import RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.receipt import Outcome, Receipt
from schemas.record import Belief, Kind, Status
from schemas.transition import Cause, State, Transition

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
AT = Position("wiki.changes", 2, 41, 1, 3, 39)

TRANSITION = Transition(
    Tenant("main"),
    712,
    RecordId("0f" * 16),
    Kind.NUGGET,
    "Harbour Control is led by Ida Brandt.",
    State(Status.ACTIVE, Belief.BELIEVED, "current", Instant(1_700_000_000_000), FOREVER),
    State(Status.DEPRECATED, Belief.BELIEVED, "succeeded", Instant(1_700_000_000_000), Instant(1_710_000_000_000)),
    (Cause("put", "wiki", "page-7", "12", Instant(1_710_000_000_000), "Dilys Thorne", str(AT)),),
    Instant(1_710_000_000_500),
)
RECEIPT = Receipt(
    tenant=Tenant("main"),
    source="wiki",
    document="page-7",
    order="12",
    kind="put",
    outcome=Outcome.APPLIED,
    position=AT,
    event_time=Instant(1_710_000_000_000),
    recorded_at=Instant(1_710_000_000_500),
    sequence=715,
    calls=1,
    hits=9,
    records=4,
    transitions=2,
    entities=1,
    kept=3,
    added=1,
    removed=1,
)
LETTER = DeadLetter(
    Tenant("main"),
    "wiki",
    "page-8",
    "decode",
    "time: 'soon' is not a time",
    AT,
    Instant(1_710_000_000_500),
    b"page-8",
    b'{"id": "page-8", "time": "soon"}',
)


@pytest.mark.parametrize(
    ("name", "made", "read", "value"),
    [
        ("transition-1.json", wire.transition_json, wire.transition_from, TRANSITION),
        ("receipt-1.json", wire.receipt_json, wire.receipt_from, RECEIPT),
        ("dead-letter-1.json", wire.dead_letter_json, wire.dead_letter_from, LETTER),
    ],
)
def test_every_shipped_format_is_read_and_the_current_one_is_written(name: str, made: object, read: object, value: object) -> None:
    golden = (GOLDEN / name).read_bytes()
    assert callable(made)
    assert callable(read)
    assert read(golden) == value
    assert orjson.loads(made(value)) == orjson.loads(golden)


def test_a_record_that_is_new_or_gone_has_one_side_only() -> None:
    new = Transition(Tenant("t"), 1, RecordId("r"), Kind.UNIT, "", None, TRANSITION.after, (), Instant(0))
    assert wire.transition_from(wire.transition_json(new)) == new


@given(key=st.binary(max_size=20), payload=st.binary(max_size=60))
def test_a_dead_letter_carries_its_bytes_whatever_they_are(key: bytes, payload: bytes) -> None:
    letter = DeadLetter(Tenant("t"), "s", "", "decode", "r", AT, Instant(0), key, payload)
    assert wire.dead_letter_from(wire.dead_letter_json(letter)) == letter


def test_a_large_payload_is_cut_below_the_limit_of_kafka_and_says_how_large_it_was() -> None:
    raw = wire.dead_letter_json(DeadLetter(Tenant("t"), "s", "", "decode", "r", AT, Instant(0), b"", b"\xff" * 2_000_000))
    assert len(raw) < 1_000_000
    assert orjson.loads(raw)["payload_bytes"] == 2_000_000


def test_a_document_id_that_no_encoding_holds_does_not_stop_its_dead_letter() -> None:
    raw = wire.dead_letter_json(DeadLetter(Tenant("t"), "s", "page-\udcff", "decode", "r", AT, Instant(0)))
    assert wire.dead_letter_from(raw).document == "page-\\udcff"


@pytest.mark.parametrize("raw", [b"{", b"[]", b'{"type": "receipt"}', b'{"type": "transition", "format": 99}'])
def test_what_is_not_a_transition_is_refused(raw: bytes) -> None:
    with pytest.raises(BadChange):
        wire.transition_from(raw)
