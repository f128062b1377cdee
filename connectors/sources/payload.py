"""Payloads: the bytes of a message become changes, each object of it by itself.

A message holds one JSON object, an array of them, or nothing. Nothing (a null value, zero bytes, the four letters `null`) is the adapter's to judge.
An empty array is a mark. Whatever is wrong becomes a dead letter that names field and value; the other objects of the message are not held up by it.
"""

import json
from collections.abc import Callable
from typing import TypeAlias

import orjson

from connectors.sources import checks
from connectors.sources.settings import SourceSettings
from schemas.change import Change, Position
from schemas.deadletter import DeadLetter
from schemas.errors import BadChange
from schemas.message import Mark, Message

Decoded: TypeAlias = Change | DeadLetter | Mark
Item: TypeAlias = dict[str, object]
DecodeItem: TypeAlias = Callable[[Item, Message, Position], Change]
DecodeNothing: TypeAlias = Callable[[Message], Change]


def decode(message: Message, settings: SourceSettings, item: DecodeItem, nothing: DecodeNothing) -> list[Decoded]:
    """Return what the message holds, in order; never raises on input. `item` and `nothing` raise `BadChange` on what they refuse."""
    try:
        held = parse(message.value) if message.value else None
        if held is None:
            return [nothing(message)]
    except BadChange as bad:
        return [dead_letter(message, settings, message.position(), bad, key_text(message))]
    if not isinstance(held, list):
        return [_one(held, message, message.position(), settings, item)]
    if not held:
        return [Mark(message.position())]
    return [_one(each, message, message.position(index, len(held)), settings, item) for index, each in enumerate(held)]


def parse(value: bytes) -> object:
    """Return the JSON value. Text with lone surrogates and a byte-order mark pass, since the fields decide about them; NaN does not."""
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as err:
        try:
            return json.loads(value.decode("utf-8", "surrogatepass").removeprefix("\ufeff"), parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise BadChange(field="value", value=value, expected=f"JSON ({err})") from err


def key_text(message: Message) -> str:
    """Return the key as text, empty where it is none."""
    try:
        return (message.key or b"").decode()
    except UnicodeDecodeError:
        return ""


def dead_letter(message: Message, settings: SourceSettings, position: Position, bad: BadChange, document: str) -> DeadLetter:
    """Return the dead letter of a message, or of one change of it."""
    return DeadLetter(
        tenant=settings.tenant,
        source=settings.name,
        document=checks.clean(document)[: checks.LONGEST_NAME],
        step="decode",
        reason=str(bad),
        position=position,
        recorded_at=message.timestamp,
        key=message.key or b"",
        payload=message.value or b"",
    )


def _one(held: object, message: Message, position: Position, settings: SourceSettings, item: DecodeItem) -> Change | DeadLetter:
    if not isinstance(held, dict):
        field = "value" if position.count == 1 else f"value[{position.index}]"
        return dead_letter(message, settings, position, BadChange(field, held, "a JSON object"), key_text(message))
    try:
        return item(held, message, position)
    except BadChange as bad:
        return dead_letter(message, settings, position, bad, _document(held, message))


def _document(item: Item, message: Message) -> str:
    """Return whose change it was, as far as that can be told."""
    try:
        return checks.identity(item.get("id"))
    except BadChange:
        return key_text(message)


def _refuse(constant: str) -> object:
    raise ValueError(constant)
