"""Codec: frozen dataclasses to JSON bytes and back. The bytes are a function of the value alone, so equal values have equal bytes."""

import zlib
from functools import lru_cache
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

T = TypeVar("T")

REMEMBERED = 10_000
"""Values per class; a batch of 50 changes of 30 facts each reads 1,500 assertions, some of them four times."""


class Codec(Generic[T]):
    """Packs and unpacks one class. What was unpacked lately is remembered: values are frozen, and several views read the same ones in turn."""

    def __init__(self, kind: type[T]) -> None:
        self._adapter: TypeAdapter[T] = TypeAdapter(kind)
        self.unpack = lru_cache(REMEMBERED)(self._read)

    def pack(self, value: T) -> bytes:
        """Return the bytes of a value; fields that are bytes themselves are written as hexadecimal text by the caller."""
        return orjson.dumps(value)

    def _read(self, raw: bytes) -> T:
        return self._adapter.validate_json(raw)


CLAIM = Codec(Claim)
WORDING = Codec(Wording)
EVENT = Codec(Event)
ASSERTION = Codec(Assertion)
JUDGEMENT = Codec(Judgement)
RECORD = Codec(Record)
TRANSITION = Codec(Transition)
RECEIPT = Codec(Receipt)
CAUSE = Codec(Cause)
POSITION = Codec(Position)


def pack_premise(premise: Premise) -> bytes:
    """Return what of a premise does not stand in its record."""
    return orjson.dumps([premise.source_entity, premise.target, premise.negated, premise.entities, premise.documents])


def unpack_premise(raw: bytes, record: Record) -> Premise:
    """Return the premise that a record is."""
    source, target, negated, entities, documents = orjson.loads(raw)
    return Premise(
        record.id, record.text, record.subject, source, record.predicate, record.object, target, tuple(entities), record.belief,
        record.valid_from, record.valid_to, record.said_at, record.confidence, tuple(documents), record.scope, negated, record.provenance,
    )  # fmt: skip


def pack_text(text: str) -> bytes:
    """Return a text compressed: prose takes a third."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def unpack_text(raw: bytes) -> str:
    """Return the text that was packed."""
    return zlib.decompress(raw).decode("utf-8", "surrogatepass")


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
