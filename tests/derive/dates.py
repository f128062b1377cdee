"""Dates for tests."""

from datetime import UTC, datetime

from schemas.instant import Instant, from_datetime


def day(year: int, month_of_year: int, day_of_month: int) -> Instant:
    """Return the first instant of a day."""
    return from_datetime(datetime(year, month_of_year, day_of_month, tzinfo=UTC))


def month(year: int, month_of_year: int) -> Instant:
    """Return the first instant of a month."""
    return day(year, month_of_year, 1)
