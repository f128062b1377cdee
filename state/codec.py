"""Codec: frozen dataclasses to JSON bytes and back. The bytes are a function of the value alone, so equal values have equal bytes."""

from typing import Generic, TypeVar

import orjson
from pydantic import TypeAdapter

from schemas.bridge import Premise
from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.event import Event
from schemas.nugget import Judgement
from schemas.receipt import Receipt
from schemas.record import Record
from schemas.statement import Assertion, Claim, Wording
from schemas.transition import Cause, Transition
from schemas.version import Reading

T = TypeVar("T")


class Codec(Generic[T]):
    """Packs and unpacks one class."""

    def __init__(self, kind: type[T]) -> None:
        self._adapter: TypeAdapter[T] = TypeAdapter(kind)

    def pack(self, value: T) -> bytes:
        """Return the bytes of a value; fields that are bytes themselves are written as hexadecimal text by the caller."""
        return orjson.dumps(value)

    def unpack(self, raw: bytes) -> T:
        """Return the value of bytes made by `pack`."""
        return self._adapter.validate_json(raw)


READING = Codec(Reading)
CLAIM = Codec(Claim)
WORDING = Codec(Wording)
EVENT = Codec(Event)
ASSERTION = Codec(Assertion)
JUDGEMENT = Codec(Judgement)
PREMISE = Codec(Premise)
RECORD = Codec(Record)
TRANSITION = Codec(Transition)
RECEIPT = Codec(Receipt)
CAUSE = Codec(Cause)
POSITION = Codec(Position)


def pack_dead_letter(letter: DeadLetter) -> bytes:
    """Return the bytes of a dead letter; its key and payload may be any bytes."""
    return orjson.dumps(
        [letter.tenant, letter.source, letter.document, letter.step, letter.reason, letter.position, letter.recorded_at, letter.key.hex(),
         letter.payload.hex(), letter.attempts, letter.sequence, letter.replayed]
    )  # fmt: skip


def unpack_dead_letter(raw: bytes) -> DeadLetter:
    """Return the dead letter of bytes made by `pack_dead_letter`."""
    tenant, source, document, step, reason, position, recorded_at, key, payload, attempts, sequence, replayed = orjson.loads(raw)
    return DeadLetter(
        tenant, source, document, step, reason, Position(**position), recorded_at, bytes.fromhex(key), bytes.fromhex(payload), attempts,
        sequence, replayed,
    )  # fmt: skip
