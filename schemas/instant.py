"""Points in time: whole milliseconds since 1970-01-01T00:00:00Z, so that comparing, storing and filtering are the same everywhere."""

from datetime import UTC, datetime, timedelta
from typing import NewType

Instant = NewType("Instant", int)

EPOCH = Instant(0)
FOREVER = Instant(2**62)
"""The end of what has no known end. Milvus holds it in an INT64; null is not used for it."""
DAY = 86_400_000

_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)
_LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def from_datetime(moment: datetime) -> Instant:
    """Return the instant of an aware datetime; a naive one is a ValueError, since its zone is the source's to know."""
    if moment.tzinfo is None:
        message = f"{moment.isoformat()} has no zone"
        raise ValueError(message)
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return Instant(delta.days * DAY + delta.seconds * 1000 + delta.microseconds // 1000)


def to_datetime(instant: int) -> datetime:
    """Return the aware UTC datetime of an instant; what lies beyond the calendar is cut to its ends."""
    if instant <= from_datetime(_EARLIEST):
        return _EARLIEST
    if instant >= from_datetime(_LATEST):
        return _LATEST
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=instant)  # whole numbers: seconds as a float lose milliseconds far from 1970


def iso(instant: int) -> str:
    """Return the instant as people read it: a day if it falls on midnight, else to the second; `open` for FOREVER."""
    if instant >= FOREVER:
        return "open"
    moment = to_datetime(instant)
    if instant % DAY == 0:
        return moment.strftime("%Y-%m-%d")
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
