"""Periods of the calendar: days, months, quarters, halves and years as half-open stretches of time, by UTC days."""

from calendar import monthrange
from datetime import date

from schemas.fact import Period
from schemas.instant import DAY, Instant


def days(first: date, after: date) -> Period:
    """Return the period from one day to before another."""
    return Period(_midnight(first), _midnight(after))


def through(first: date, last: date) -> Period:
    """Return the period of two days and all between them; the calendar's last day has an end too, though no date names it."""
    return Period(_midnight(first), Instant(_midnight(last) + DAY))


def months(year: int, first: int, last: int) -> Period:
    """Return the period of a month, or of several of one year; ValueError beyond the calendar."""
    return through(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def years(first: int, last: int) -> Period:
    """Return the period of a year, or of several; ValueError beyond the calendar."""
    return through(date(first, 1, 1), date(last, 12, 31))


def day_after(period: Period) -> Period:
    """Return the day behind a period: "after March" begins there."""
    return Period(period.last, Instant(period.last + DAY))


def day_before(period: Period) -> Period:
    """Return the day before a period: an end includes what it names, and "before 2019" does not include 2019."""
    return Period(Instant(period.first - DAY), period.first)


def last_day(period: Period) -> Period:
    """Return the last day of a period."""
    return Period(Instant(period.last - DAY), period.last)


def _midnight(day: date) -> Instant:
    return Instant((day - date(1970, 1, 1)).days * DAY)
