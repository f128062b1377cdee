"""Checks: what one field of an event may hold.

Each returns the value in its own type, or raises `BadChange` with field, value and what was expected.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from connectors.limits import AUDIENCE_BYTES
from derive.dates.time import parse_instant
from schemas.change import Order, audience_of
from schemas.errors import BadChange
from schemas.instant import Instant

LONGEST_NAME = (
    1_000  # characters of an id, title, path, author, alias or reader: no source has longer ones, and Kafka keys and index fields stay small
)
MOST_NAMES = 100  # aliases or readers of one document; a source with more readers names groups
MOST_PARTS = 8  # of an order; the longest in use is Debezium's (gtid or file, position, row, transaction order)
LAST_ORDER: Final = 2**63 - 1
"""Greater than any order that an event can carry: kept for a deletion that has no order of its own."""

_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9.+_-]+/[A-Za-z0-9.+_-]+( *;[ -~]*)?")
_UNITS = {"s": 0, "ms": 1, "us": 1_000, "ns": 1_000_000}  # of which there are so many in a millisecond
_EARLIEST, _LATEST = -62_135_596_800_000, 253_402_300_800_000  # years 1 to 9999 in milliseconds
_1990 = 631_152_000_000


def clean(text: str) -> str:
    """Return the text without NUL and with U+FFFD for each lone surrogate: neither can be stored or sent."""
    return _FORBIDDEN.sub(lambda found: "" if found[0] == "\x00" else "\ufffd", text)


def sound(text: str) -> bool:
    """Say whether a text holds neither NUL nor a lone surrogate. Most texts are ASCII, for which this is a look at a flag and a search for a byte."""
    return "\x00" not in text and (text.isascii() or _FORBIDDEN.search(text) is None)


def without_forbidden(item: dict[str, object], fields: Sequence[str]) -> dict[str, object]:
    """Return the event with these fields cleaned; the event itself if there is nothing to clean."""
    dirty = {field: value for field in fields if isinstance(value := item.get(field), str) and not sound(value)}
    return item | {field: clean(value) for field, value in dirty.items()} if dirty else item


def version(value: object, expected: int) -> None:
    """Refuse a version of the format other than the expected one: its fields may mean something else."""
    if type(value) is not int or value != expected:
        raise BadChange(field="format", value=value, expected=f"{expected}, the only version of the format")


def known(item: Mapping[str, object], fields: AbstractSet[str], what: str) -> None:
    """Refuse a field that is not among the known ones: a misspelt field must not pass for an absent one."""
    if not item.keys() <= fields:
        unknown = min(item.keys() - fields)
        raise BadChange(clean(unknown)[:LONGEST_NAME], item[unknown], f"a field of a {what}")


def text(field: str, value: object, longest: int = LONGEST_NAME) -> str:
    """Return a text of at most `longest` characters, as it came."""
    if not isinstance(value, str):
        raise BadChange(field, value, "text")
    if len(value) > longest:
        raise BadChange(field, value, f"a text of at most {longest:,} characters (it has {len(value):,})")
    return value


def name(field: str, value: object, longest: int = LONGEST_NAME) -> str:
    """Return a text that identifies something: not empty, and without characters that would have to be cleaned since that could join two names."""
    found = text(field, value, longest)
    if not found:
        raise BadChange(field, value, "a text with at least one character")
    if not sound(found):
        raise BadChange(field, value, "free of NUL and lone surrogates")
    return found


def names(field: str, value: object) -> tuple[str, ...]:
    """Return a list of names."""
    if not isinstance(value, list) or len(value) > MOST_NAMES:
        raise BadChange(field, value, f"a list of at most {MOST_NAMES} texts")
    return tuple(name(f"{field}[{index}]", each) for index, each in enumerate(value))


def readers(value: object) -> frozenset[str]:
    """Return a set of readers; the empty set is nobody. Refused is more than an index holds of an audience, for no record could be written under it.

    A bar is refused as well: it separates readers in an audience, so "a|b" could pass for a and b.
    """
    found = names("readers", value)
    for index, each in enumerate(found):
        if "|" in each:
            raise BadChange(field=f"readers[{index}]", value=each, expected="a reader's name (it contains a bar)")
    size = len(audience_of(found).encode())
    if size > AUDIENCE_BYTES:
        raise BadChange("readers", value, f"a list of at most {AUDIENCE_BYTES:,} bytes, bars between the names included (it has {size:,})")
    return frozenset(found)


def identity(value: object) -> str:
    """Return an id as text: sources write the same id as integer here and as string there."""
    if type(value) is int:
        return str(integer("id", value, -(2**63), 2**64 - 1))
    if not isinstance(value, str):
        raise BadChange(field="id", value=value, expected="an id (text or integer)")
    return name("id", value)


def integer(field: str, value: object, least: int, greatest: int) -> int:
    """Return an integer within bounds; true, false and 1.0 are none."""
    if type(value) is not int:
        raise BadChange(field, value, "an integer")
    if not least <= value <= greatest:
        raise BadChange(field, value, f"an integer from {least} to {greatest}")
    return value


def order(value: object) -> Order:
    """Return a source's version number: one integer, or a list of 1 to 8 that are compared from the left; each in 64 bits, below `LAST_ORDER`."""
    if type(value) is int:
        return (integer("order", value, -(2**63), LAST_ORDER - 1),)
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_PARTS:
        raise BadChange(field="order", value=value, expected=f"an integer or a list of 1 to {MOST_PARTS} integers")
    return tuple(integer(f"order[{index}]", part, -(2**63), LAST_ORDER - 1) for index, part in enumerate(value))


def moment(field: str, item: Mapping[str, object], absent: Instant, zone_offset_minutes: int) -> Instant:
    """Return the time in a field of an event, in the unit that the event names in `time_unit`; `absent` where the event has no such field."""
    if "time_unit" in item:
        time_unit(item["time_unit"])
    return instant(field, item[field], item.get("time_unit"), zone_offset_minutes) if field in item else absent


def instant(field: str, value: object, unit: object, zone_offset_minutes: int) -> Instant:
    """Return a time: text in any ISO form (the source's zone where it names none), or a number with its unit.

    The unit of a number is never guessed from its size.
    """
    if isinstance(value, str):
        try:
            return parse_instant(value, zone_offset_minutes)[0]
        except ValueError as err:
            raise BadChange(field, value, "a time such as 2024-05-01T12:30:00+02:00") from err
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadChange(field, value, "a time (text, or a number with time_unit)")
    milliseconds = _milliseconds(value, unit)
    if not _EARLIEST <= milliseconds < _LATEST:
        raise BadChange(field, value, f"a time of the years 1 to 9999 in {unit}")
    return Instant(int(milliseconds))


def time_unit(value: object) -> None:
    """Refuse what is no unit of time."""
    if not isinstance(value, str) or value not in _UNITS:
        raise BadChange(field="time_unit", value=value, expected=f"one of {', '.join(_UNITS)}")


def media_type(value: object) -> str:
    """Return a media type in lower case, without parameters."""
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not _MEDIA_TYPE.fullmatch(value):
        raise BadChange(field="media_type", value=value, expected="a media type such as text/markdown")
    return value.partition(";")[0].strip().lower()


def suspect(moment: Instant, recorded_at: Instant) -> bool:
    """Say whether a source's time cannot be true: later than its own message, or before there were wikis."""
    return moment > recorded_at or moment < _1990


def _milliseconds(value: int | float, unit: object) -> int | float:
    if unit is None:
        raise BadChange(field="time_unit", value=None, expected=f"one of {', '.join(_UNITS)}, which a time written as a number needs")
    time_unit(unit)
    return value * 1_000 if unit == "s" else value // _UNITS[str(unit)]
