"""English dates as date-wrangler finds them, with the configuration that makes it read what is written rather than what is customary."""

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from derive.dates.periods import days
from schemas.fact import Moment, Period, Relative

if TYPE_CHECKING:
    from date_wrangler import DateMatch, DateRange, WranglerConfig

_ANCHORS = (date(2024, 2, 14), date(2021, 8, 3))
"""Two days of different year, month, weekday and quarter: a phrase that reads the same on both needs no date of its own."""
_NAMES_YEAR = re.compile(r"\b(?:1\d|20)\d{2}\b")


def dates_in(text: str, today: date) -> "list[DateMatch]":
    """Return the dates of an English text as it reads on a day; what lies beyond the calendar is no date."""
    from date_wrangler import parse  # here: it compiles its patterns at import, which takes seconds, and most documents hold no such date

    return parse(text, today=today, config=_config())


@cache
def _config() -> "WranglerConfig":
    """Month before day, fiscal years from January: date-wrangler's defaults are the opposite. Figures that read either way never get here."""
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


def whole_date(text: str) -> Moment | None:
    """Return what a text names if all of it is one date."""
    matches = dates_without_today(text)
    return moment_of(matches[0]) if matches and matches[0].span == (0, len(text)) else None


def period_on(phrase: str, today: date) -> Period | None:
    """Return the period that a phrase names to a reader on a day; None if it is no date."""
    matches = dates_in(phrase, today)
    return period_of(matches[0].range) if matches else None


def period_of(found: "DateRange") -> Period | None:
    """Return a range of days as a period; None if an end is open."""
    if found.start is None or found.end is None:
        return None
    return days(found.start, found.end)
