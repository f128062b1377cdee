"""Malformed native events: what each is called, the message's key and value, and the field and value that its dead letter must name.

`bench/bad_input.py` sends the same events through a broker and the whole flow.
"""

from dataclasses import dataclass

import orjson


@dataclass(frozen=True, slots=True)
class Malformed:
    """One message that no adapter may accept."""

    name: str
    value: bytes | None
    field: str
    shown: str
    key: bytes | None = b"quay"


def _event(name: str, field: str, shown: str, **fields: object) -> Malformed:
    event = {"id": "quay", "order": 3, "body": "The quay has nine berths."} | fields
    return Malformed(name, orjson.dumps({name: value for name, value in event.items() if value is not ...}), field, shown)


MALFORMED = (
    Malformed("broken JSON", b'{"id": "quay", "order": 3, "body": "The', "value", '"body": "The'),
    Malformed("bytes that are not UTF-8", b'{"id": "quay", "order": 3, "body": "caf\xe9"}', "value", "caf\\xe9"),
    Malformed("not a number", b'{"id": "quay", "order": NaN}', "value", "NaN"),
    Malformed("a bare text", b'"quay"', "value", "'quay'"),
    Malformed("no value and no key", b"", "key", "None", key=None),
    _event("no id", "id", "None", id=...),
    _event("an id that is a truth value", "id", "True", id=True),
    _event("an id with NUL", "id", "'quay\\x00two'", id="quay\0two"),
    Malformed("an id with a lone surrogate", b'{"id": "quay\\udc00", "order": 3}', "id", "'quay\\udc00'"),
    _event("an unknown kind", "kind", "'upsert'", kind="upsert"),
    _event("an unknown version", "format", "2", format=2),
    _event("an unknown field", "colour", "'red'", colour="red"),
    _event("no order", "order", "None", order=...),
    _event("an order that is text", "order", "'three'", order="three"),
    _event("an order beyond 64 bits", "order[1]", "9223372036854775807", order=[1, 2**63 - 1]),
    _event("a negative incarnation", "incarnation", "-1", incarnation=-1),
    _event("an unparsable time", "time", "'last Tuesday'", time="last Tuesday"),
    _event("a time that no calendar has", "time", "'2024-02-30'", time="2024-02-30"),
    _event("a number as time without its unit", "time_unit", "None", time=1_714_566_600),
    _event("a title that is a number", "title", "9", title=9),
    _event("a body that is null", "body", "None", body=None),
    _event("a body over the limit", "body", "'xxxx", body="x" * 1_000_001),
    _event("a media type that is none", "media_type", "'markdown'", media_type="markdown"),
    _event("readers that are one text", "readers", "'crew'", readers="crew"),
    _event("a reader that could pass for two", "readers[1]", "'crew|office'", readers=["crew", "crew|office"]),
    _event("a move to nowhere", "title", "None", kind="move", body=...),
    _event("an acl without readers", "readers", "None", kind="acl", body=...),
    Malformed("no JSON at all", b"the quay has nine berths", "value", "the quay has nine berths"),
    Malformed("nested without end", b"[" * 100_000, "value", "[[["),
    Malformed("a bare number", b"42", "value", "42"),
    _event("an empty id", "id", "''", id=""),
    _event("an id with a fraction", "id", "1.5", id=1.5),
    _event("an id beyond 64 bits", "id", "1e+19", id=1e19),
    _event("an id without end", "id", "'qqqq", id="q" * 1001),
    _event("a kind that is no text", "kind", "['put']", kind=["put"]),
    _event("an order with a fraction", "order", "3.5", order=3.5),
    _event("an order without parts", "order", "[]", order=[]),
    _event("an unknown unit of time", "time_unit", "'days'", time=19_000, time_unit="days"),
    _event("a time beyond the calendar", "time", "1000000000000000", time=10**15, time_unit="s"),
    _event("a body that is a list", "body", "['nine berths']", body=["nine berths"]),
    _event("a body that is redacted by half", "body", "{'redacted': False}", body={"redacted": False}),
    _event("an alias that is a number", "aliases[0]", "7", aliases=[7]),
    _event("a move that carries a body", "body", "'The quay", kind="move", title="Quay"),
)
"""The first 27 are of kinds that differ most; with three reviews they are the thirty of the bench."""
