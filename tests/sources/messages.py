"""Messages as a broker would deliver them, for the tests of this folder."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import orjson

from connectors.sources.native import NativeAdapter
from connectors.sources.payload import Decoded
from connectors.sources.settings import SourceSettings
from schemas.change import DocumentChange, Review
from schemas.deadletter import DeadLetter
from schemas.ids import Source, Tenant
from schemas.instant import Instant
from schemas.message import Mark, Message

NOON = Instant(1_717_243_200_000)  # 2024-06-01T12:00:00Z
ORDERED = SourceSettings(Source("wiki"), Tenant("main"), "wiki.changes")
UNORDERED = replace(ORDERED, ordered=False)

Kind = TypeVar("Kind")


def raw(
    value: bytes | None, key: bytes | None = b"quay", *, offset: int = 7, at: Instant = NOON, headers: tuple[tuple[str, bytes], ...] = ()
) -> Message:
    """Return a message with these bytes."""
    return Message("wiki.changes", 0, offset, offset - 1, at, key, value, headers)


def put(**fields: object) -> dict[str, object]:
    """Return a put that any ordered source may send, with these fields laid over it."""
    return {"id": "quay", "order": 3, "body": "The quay has nine berths."} | fields


def decode(value: object, settings: SourceSettings = ORDERED, at: Instant = NOON) -> list[Decoded]:
    """Return what a native source makes of a JSON value."""
    return NativeAdapter(settings).decode(raw(orjson.dumps(value), at=at))


def change(fields: Mapping[str, object], settings: SourceSettings = ORDERED, at: Instant = NOON) -> DocumentChange:
    """Return the one change that a JSON object is."""
    (found,) = decode(fields, settings, at)
    assert not isinstance(found, DeadLetter | Mark | Review), found
    return found


def letter(found: list[Decoded]) -> DeadLetter:
    """Return the one dead letter that a message became."""
    (only,) = found
    assert isinstance(only, DeadLetter), only
    return only


def the(kind: type[Kind], found: object) -> Kind:
    """Return the thing as what it should be."""
    assert isinstance(found, kind), found
    return found
