"""The native JSON change, format 1: `schemas/change.schema.json` describes it field by field, `docs/sources.md` with examples.

What the schema cannot say:

- A message without a value (null, zero bytes or the four letters `null`) deletes the document that its key names; without a key it is a dead letter.
- In a source without order (`ordered` False) delivery counts: the order of a change is (time in Kafka, offset), and an `order` field is only checked.
- In an ordered source a change must carry its order. A message without a value may carry it in the headers `millstream-order` and
  `millstream-incarnation` (JSON, as the fields). Without them it is the end of its incarnation (0 if no header says otherwise): its order is
  greater than any that an event can carry. So it deletes what arrives before it or after it, a repeated one is a duplicate, and a document that
  is created again under the same id says so with the next incarnation. A source that does not count incarnations and creates documents again
  sends its deletions as objects with an order, or with the header.
- A body with `encoding` is a file: its text is taken out here, so that what is read, compared and remembered is text. A PDF that is damaged, locked
  or without text is a dead letter.
- A delete may repeat what the document said last; that is not looked at. A restore that carries content is a put.
- A time later than the message's own, or before 1990, is kept and marked suspect. A change without a time happened when its message came.
"""

from collections.abc import Callable
from dataclasses import replace

from connectors.sources import checks, pdf
from connectors.sources.payload import Decoded, Item, decode, key_text, parse
from connectors.sources.settings import LARGEST_MESSAGE, SourceSettings
from derive.markup.pdf import MEDIA_TYPE
from schemas.change import Acl, Body, Change, Delete, Move, Order, Position, Put, Redact, Redacted, Restore, Stamp, Text, Unchanged
from schemas.errors import BadChange
from schemas.ids import DocumentId
from schemas.message import Message

FORMAT = 1
_HEADERS = {"millstream-order": "order", "millstream-incarnation": "incarnation"}
_COMMON = frozenset({"kind", "id", "order", "incarnation", "time", "time_unit", "author", "format"})
_CONTENT = frozenset({"title", "path", "body", "media_type", "encoding", "readers", "aliases"})
_FIELDS = {
    "put": _COMMON | _CONTENT,
    "delete": _COMMON | _CONTENT,
    "restore": _COMMON | _CONTENT,
    "move": _COMMON | {"title", "path", "aliases"},
    "acl": _COMMON | {"readers"},
    "redact": _COMMON,
}
_TEXTS = ("author", "title", "path", "body")
_MEDIA_TYPE = "text/markdown"


class NativeAdapter:
    """Decodes the messages of one source that sends native changes."""

    def __init__(self, settings: SourceSettings) -> None:
        self._settings = settings
        self._makers: dict[str, Callable[[Item, Stamp], Change]] = {
            "put": self._put,
            "delete": _delete,
            "restore": self._restore,
            "move": _move,
            "acl": _acl,
            "redact": self._redact,
        }

    def decode(self, message: Message) -> list[Decoded]:
        """Return the changes of the message in their order, dead letters among them; a mark if it holds none. Pure."""
        return decode(message, self._settings, self._change, self._deletion)

    def _change(self, item: Item, message: Message, position: Position) -> Change:
        checks.version(item.get("format", FORMAT), FORMAT)
        kind = item.get("kind", "put")
        fields = _FIELDS.get(kind) if isinstance(kind, str) else None
        if not isinstance(kind, str) or fields is None:
            raise BadChange(field="kind", value=kind, expected=f"one of {', '.join(_FIELDS)}")
        checks.known(item, fields, kind)
        document = checks.identity(item.get("id"))
        sound = checks.without_forbidden(item, _TEXTS)
        stamp = self._stamp(sound, document, self._order(item, message, position), message, position)
        return self._makers[kind](sound, stamp if sound is item else replace(stamp, cleaned=True))

    def _order(self, item: Item, message: Message, position: Position) -> Order:
        given = checks.order(item["order"]) if "order" in item else None
        if not self._settings.ordered:
            return (message.timestamp, message.offset) if position.count == 1 else (message.timestamp, message.offset, position.index)
        if given is None:
            raise BadChange(field="order", value=None, expected=f"a version number, which every change of {self._settings.name} needs")
        return given

    def _stamp(self, item: Item, document: str, order: Order, message: Message, position: Position) -> Stamp:
        event_time = checks.moment("time", item, message.timestamp, self._settings.zone_offset_minutes)
        return Stamp(
            tenant=self._settings.tenant,
            source=self._settings.name,
            document=DocumentId(document),
            order=order,
            event_time=event_time,
            recorded_at=message.timestamp,
            position=position,
            incarnation=checks.integer("incarnation", item.get("incarnation", 0), 0, 2**63 - 1),
            time_suspect=checks.suspect(event_time, message.timestamp),
            author=checks.text("author", item.get("author", "")),
        )

    def _put(self, item: Item, stamp: Stamp) -> Put:
        return Put(
            stamp,
            self._body(item),
            title=_text(item, "title"),
            path=_text(item, "path"),
            readers=checks.readers(item["readers"]) if "readers" in item else None,
            aliases=_aliases(item),
        )

    def _body(self, item: Item) -> Body:
        media_type = checks.media_type(item["media_type"]) if "media_type" in item else _MEDIA_TYPE
        if "encoding" in item:
            _check_encoding(item["encoding"], media_type)
        if "body" not in item:
            return Unchanged()
        body = item["body"]
        if "encoding" in item:
            data = pdf.decoded("body", checks.text("body", body, LARGEST_MESSAGE))
            return Text(pdf.pdf_text("body", data, self._settings.limit), media_type)
        if isinstance(body, dict) and body.keys() == {"redacted"} and body["redacted"] is True:
            return Redacted()
        if not isinstance(body, str):
            raise BadChange(field="body", value=body, expected='text or {"redacted": true}; a body that did not change is left out')
        return Text(checks.text("body", body, self._settings.limit), media_type)

    def _restore(self, item: Item, stamp: Stamp) -> Put | Restore:
        return Restore(stamp) if _CONTENT.isdisjoint(item) else self._put(item, stamp)

    def _redact(self, item: Item, stamp: Stamp) -> Redact:
        if not self._settings.ordered:
            raise BadChange(field="kind", value=item["kind"], expected='possible in a source without order; put {"redacted": true} as the body')
        return Redact(stamp)

    def _deletion(self, message: Message) -> Change:
        """Return what a message without a value means: its key's document is gone."""
        key = key_text(message)
        if not key:
            raise BadChange(field="key", value=message.key, expected="the id of a document (in UTF-8), which a message without a value deletes")
        item = _headers(message)
        at_its_end = self._settings.ordered and "order" not in item
        order = (checks.LAST_ORDER,) if at_its_end else self._order(item, message, message.position())
        return Delete(self._stamp(item, checks.name("key", key), order, message, message.position()))


def _check_encoding(encoding: object, media_type: str) -> None:
    """Refuse what is neither text nor a PDF file as it is."""
    if encoding != pdf.BASE64:
        raise BadChange(field="encoding", value=encoding, expected=f'"{pdf.BASE64}"; a body that is text has no encoding')
    if media_type != MEDIA_TYPE:
        raise BadChange(field="media_type", value=media_type, expected=f"{MEDIA_TYPE}, the only kind of file that is read; send text as text")


def _headers(message: Message) -> Item:
    """Return the fields that a message without a value carries in its headers."""
    return {_HEADERS[name]: _json(name, value) for name, value in message.headers if name in _HEADERS}


def _json(header: str, value: bytes) -> object:
    try:
        return parse(value)
    except BadChange as err:
        raise BadChange(header, value, "JSON") from err


def _move(item: Item, stamp: Stamp) -> Move:
    if item.keys().isdisjoint(("title", "path", "aliases")):
        raise BadChange(field="title", value=None, expected="given, nor are path and aliases: a move needs one of them")
    return Move(stamp, title=_text(item, "title"), path=_text(item, "path"), aliases=_aliases(item))


def _acl(item: Item, stamp: Stamp) -> Acl:
    return Acl(stamp, checks.readers(item.get("readers")))


def _delete(_item: Item, stamp: Stamp) -> Delete:
    return Delete(stamp)


def _text(item: Item, field: str) -> str | None:
    return checks.text(field, item[field]) if field in item else None


def _aliases(item: Item) -> tuple[str, ...]:
    return checks.names("aliases", item["aliases"]) if "aliases" in item else ()
