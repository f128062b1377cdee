"""Time: event times of sources, dates that fields and cells hold, and dates that need the document's own date; English and Chinese.

Dates inside sentences are found by `derive.timings`.
"""

import re
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING

from derive.chinese_dates import holds_han, period_on, whole_date
from derive.periods import days, months, through, years
from schemas.fact import Moment, Period, Relative
from schemas.instant import DAY, Instant, from_datetime, to_datetime

if TYPE_CHECKING:
    from date_wrangler import DateMatch, DateRange, WranglerConfig

_ANCHORS = (date(2024, 2, 14), date(2021, 8, 3))
"""Two days of different year, month, weekday and quarter: a phrase that reads the same on both needs no date of its own."""
_STAMP = re.compile(
    r"""(?P<day>\d{4}-\d{2}-\d{2})
    (?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?
    (?:\ ?(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?)?""",
    re.VERBOSE | re.IGNORECASE,
)
_HINT = re.compile(
    r"""\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|today|yesterday|tomorrow|last|next|this|ago|now|present)
    |[年月周]|[今昨明前后天][天日前]|星期|季度""",
    re.IGNORECASE | re.VERBOSE,
)
_MONTH = re.compile(r"(\d{4})-(\d{2})")
_YEAR = re.compile(r"\d{4}")
_LONGEST_DATE = 40
_NAMES_YEAR = re.compile(r"\b(?:1\d|20)\d{2}\b")


def parse_instant(text: str, zone_offset_minutes: int = 0) -> tuple[Instant, bool]:
    """Return the instant that an event time names, and whether it came without a zone.

    Read are ISO days and times with `Z`, `UTC`, `+hh:mm`, `+hhmm` or nothing; without a zone the source's own offset counts. ValueError otherwise.
    Parts of a second beyond milliseconds are cut.
    """
    match = _STAMP.fullmatch(text.strip())
    if match is None:
        message = f"{text!r} is no time such as 2031-02-03T04:05:06Z"
        raise ValueError(message)
    zone = match["zone"]
    offset = zone_offset_minutes if zone is None else _zone_minutes(zone)
    whole = f"{match['day']}T{match['hour'] or '00'}:{match['minute'] or '00'}:{match['second'] or '00'}+00:00"
    milliseconds = int((match["fraction"] or "").ljust(3, "0")[:3])
    return Instant(from_datetime(datetime.fromisoformat(whole)) + milliseconds - offset * 60_000), zone is None


def _zone_minutes(zone: str) -> int:
    if zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return -minutes if zone[0] == "-" else minutes


def bind(moment: Moment | None, reference: Instant) -> Period | None:
    """Return the period that a moment names to a reader at `reference` (the version's own date).

    A relative phrase that cannot be read gives None.
    """
    if not isinstance(moment, Relative):
        return moment
    today = to_datetime(reference).date()
    if moment.phrase.casefold() in {"now", "today"}:
        return through(today, today)
    if holds_han(moment.phrase):
        return period_on(moment.phrase, today)
    matches = dates_in(moment.phrase, today)
    return period_of(matches[0].range) if matches else None


def may_hold_date(text: str) -> bool:
    """Tell, fast, whether it is worth looking for dates in a text."""
    return _HINT.search(text) is not None


def whole_moment(text: str) -> Moment | None:
    """Return the moment that a whole value (a field, a cell) names; None if it is no date."""
    value = text.strip()
    if len(value) > _LONGEST_DATE or not may_hold_date(value):
        return None
    if holds_han(value):
        found = whole_date(value)
        return found.moment if found else None
    try:
        return iso_moment(value)
    except ValueError:
        matches = dates_in(value, _ANCHORS[0])
        return moment_of(matches[0]) if matches and matches[0].span == (0, len(value)) else None


def iso_moment(value: str) -> Period:
    """Return the period of an ISO year, month, day or instant; ValueError for anything else, dates beyond the calendar among it."""
    if _YEAR.fullmatch(value):
        return years(int(value), int(value))
    if month := _MONTH.fullmatch(value):
        return months(int(month[1]), int(month[2]), int(month[2]))
    instant, _ = parse_instant(value)
    return Period(instant, Instant(instant + (DAY if len(value) == len("2031-02-03") else 1000)))


def dates_in(text: str, today: date) -> "list[DateMatch]":
    """Return the dates of an English text as it reads on a day; what lies beyond the calendar is no date."""
    from date_wrangler import parse  # here: it compiles its patterns at import, which takes seconds, and most documents hold no such date

    return parse(text, today=today, config=_config())


@cache
def _config() -> "WranglerConfig":
    """Month before day in 03/05/2024, fiscal years from January: date-wrangler's defaults are the opposite."""
    from date_wrangler import DateOrder, FiscalCalendar, WranglerConfig

    return WranglerConfig(fiscal=FiscalCalendar(start_month=1), date_order=DateOrder.MDY)


def dates_without_today(text: str) -> "list[DateMatch]":
    """Return the dates of a text, read on the first of the two days that tell absolute from relative."""
    return dates_in(text, _ANCHORS[0])


def moment_of(match: "DateMatch") -> Moment | None:
    """Return the moment that a match names: relative if another reader's day would change it; None if it has no two ends."""
    period = period_of(match.range)
    if period is None:
        return None
    if _NAMES_YEAR.search(match.text):
        return period
    again = dates_in(match.text, _ANCHORS[1])
    return period if again and period_of(again[0].range) == period else Relative(match.text)


def period_of(found: "DateRange") -> Period | None:
    """Return a range of days as a period; None if an end is open."""
    if found.start is None or found.end is None:
        return None
    return days(found.start, found.end)
