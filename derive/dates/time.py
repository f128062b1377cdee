"""Time: event times of sources, dates that fields and cells hold, and dates that need the document's day or the source's way of writing them.

Dates inside sentences are found by `derive.dates.timings`.
"""

import re
from datetime import datetime

from derive.dates import chinese_dates, english_dates
from derive.dates.figures import FIGURES, figures_in, in_figures
from derive.dates.periods import day_after, day_before, months, through, years
from derive.dates.timing import EXACT, VAGUE, ZONELESS
from derive.script import holds_chinese
from schemas.fact import Moment, Period, Relative, Written
from schemas.instant import DAY, Instant, from_datetime, to_datetime
from schemas.rules import UNSAID, Writing

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
    if isinstance(moment, Written):
        return settled(moment, UNSAID)[0]
    if not isinstance(moment, Relative):
        return moment
    today = to_datetime(reference).date()
    if moment.phrase.casefold() in {"now", "today"}:
        return through(today, today)
    return chinese_dates.period_on(moment.phrase, today) if holds_chinese(moment.phrase) else english_dates.period_on(moment.phrase, today)


def settled(moment: Written, writing: Writing) -> tuple[Period | None, float]:
    """Return what a date of a source that writes so names, and how sure that is; None if it is no date there."""
    if FIGURES.fullmatch(moment.phrase):
        period = figures_in(moment.phrase, writing.order)
        confidence = VAGUE if writing.order is None else EXACT
    else:
        begun = parse_instant(moment.phrase, writing.zone_offset_minutes)[0]
        period, confidence = Period(begun, Instant(begun + 1000)), ZONELESS
    if period is None or moment.step == 0:
        return period, confidence
    return (day_after(period) if moment.step > 0 else day_before(period)), confidence


def may_hold_date(text: str) -> bool:
    """Tell, fast, whether it is worth looking for dates in a text."""
    return _HINT.search(text) is not None


def whole_moment(text: str) -> Moment | None:
    """Return the moment that a whole value (a field, a cell) names; None if it is no date."""
    value = text.strip()
    if len(value) > _LONGEST_DATE or not may_hold_date(value):
        return None
    if holds_chinese(value):
        found = chinese_dates.whole_date(value)
        return found.moment if found else None
    if FIGURES.fullmatch(value):
        return in_figures(value)
    try:
        return open_moment(value)
    except ValueError:
        return english_dates.whole_date(value)


def iso_moment(value: str) -> Period:
    """Return the period of an ISO year, month, day or instant; ValueError for anything else, dates beyond the calendar among it."""
    if _YEAR.fullmatch(value):
        return years(int(value), int(value))
    if month := _MONTH.fullmatch(value):
        return months(int(month[1]), int(month[2]), int(month[2]))
    instant, _ = parse_instant(value)
    return Period(instant, Instant(instant + (DAY if len(value) == len("2031-02-03") else 1000)))


def open_moment(value: str) -> Period | Written:
    """Return the period of an ISO date, open for a time without a zone; ValueError for anything else."""
    period = iso_moment(value)
    zoneless = len(value) > len("2031-02-03") and parse_instant(value)[1]
    return Written(value) if zoneless else period
