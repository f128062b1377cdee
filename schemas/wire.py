"""Wire: how transitions, dead letters and receipts look in JSON, on Kafka and on the command line.

Every object carries `format`. A field may be added without a new number; a field that changes its meaning or goes needs one.
Instants are milliseconds since 1970; a state, cause or position is an object with the fields of its class. Bytes are `{"text": ...}` where
they are UTF-8, else `{"base64": ...}`. `tests/golden/` holds one file of each format that was ever shipped.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import orjson

from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.errors import BadChange
from schemas.ids import RecordId, Tenant
from schemas.instant import Instant
from schemas.receipt import Outcome, Receipt
from schemas.record import Belief, Kind, Status
from schemas.transition import Cause, State, Transition

FORMAT = 1
PAYLOAD_LIMIT = 500_000
"""Bytes of a dead letter's message that travel: base64 of them stays below Kafka's default limit of 1 MB. The store keeps the whole."""


def transition_json(transition: Transition) -> bytes:
    """Return a transition for the wire; (tenant, sequence) tells one that comes twice."""
    return orjson.dumps({"format": FORMAT, "type": "transition", **asdict(transition)})


def receipt_json(receipt: Receipt) -> bytes:
    """Return a receipt for the wire."""
    return orjson.dumps({"format": FORMAT, "type": "receipt", **asdict(receipt)})


def dead_letter_json(letter: DeadLetter) -> bytes:
    """Return a dead letter for the wire; `payload_bytes` is the whole size, so a payload that was cut is seen."""
    plain = {name: _sound(value) if isinstance(value, str) else value for name, value in asdict(letter).items()}
    plain["key"] = _packed(letter.key[:PAYLOAD_LIMIT])
    plain["payload"] = _packed(letter.payload[:PAYLOAD_LIMIT])
    return orjson.dumps(
        {"format": FORMAT, "type": "dead-letter", **plain, "payload_bytes": len(letter.payload)}, option=orjson.OPT_PASSTHROUGH_SUBCLASS
    )


def transition_from(raw: bytes) -> Transition:
    """Return the transition that `transition_json` wrote; anything else is BadChange."""
    plain = _opened(raw, "transition")
    return Transition(
        Tenant(plain["tenant"]),
        plain["sequence"],
        RecordId(plain["record"]),
        Kind(plain["kind"]),
        plain["text"],
        _state(plain["before"]),
        _state(plain["after"]),
        tuple(Cause(**{**cause, "at": Instant(cause["at"])}) for cause in plain["causes"]),
        Instant(plain["recorded_at"]),
    )


def receipt_from(raw: bytes) -> Receipt:
    """Return the receipt that `receipt_json` wrote; anything else is BadChange."""
    plain = _opened(raw, "receipt")
    return Receipt(**{**plain, "outcome": Outcome(plain["outcome"]), "position": Position(**plain["position"])})


def dead_letter_from(raw: bytes) -> DeadLetter:
    """Return the dead letter that `dead_letter_json` wrote, its payload as far as it travelled; anything else is BadChange."""
    plain = _opened(raw, "dead-letter")
    del plain["payload_bytes"]
    return DeadLetter(
        **{**plain, "position": Position(**plain["position"]), "key": _unpacked(plain["key"]), "payload": _unpacked(plain["payload"])},
    )


def _opened(raw: bytes, kind: str) -> dict[str, Any]:
    """Return the fields of an object of this kind and format."""
    try:
        plain = orjson.loads(raw)
    except orjson.JSONDecodeError as err:
        raise BadChange(field="value", value=raw[:80], expected="JSON") from err
    if not isinstance(plain, dict) or plain.pop("type", None) != kind:
        raise BadChange(field="type", value=raw[:80], expected=f"a {kind}")
    if plain.pop("format", None) != FORMAT:
        raise BadChange(field="format", value=raw[:80], expected=f"{FORMAT}")
    return plain


def _state(plain: Mapping[str, Any] | None) -> State | None:
    """Return one side of a transition."""
    if plain is None:
        return None
    return State(Status(plain["status"]), Belief(plain["belief"]), plain["reason"], Instant(plain["valid_from"]), Instant(plain["valid_to"]))


def _sound(text: str) -> str:
    """Return text that UTF-8 can hold: what was bad about a message may sit in its own document id."""
    return text.encode("utf-8", "backslashreplace").decode()


def _packed(raw: bytes) -> dict[str, str]:
    """Return bytes as JSON can hold them."""
    try:
        return {"text": raw.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(raw).decode("ascii")}


def _unpacked(packed: Mapping[str, str]) -> bytes:
    """Return the bytes that were packed."""
    return packed["text"].encode() if "text" in packed else b64decode(packed["base64"])
