"""Instants: whole milliseconds, from and to what people read."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from schemas.errors import BadRecord
from schemas.instant import DAY, FOREVER, Instant, from_datetime, iso, to_datetime


def test_an_instant_and_an_aware_datetime_are_one_to_the_millisecond() -> None:
    moment = datetime(2031, 2, 3, 5, 30, 0, 250_000, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert to_datetime(from_datetime(moment)) == moment
    assert from_datetime(datetime(1969, 12, 31, tzinfo=UTC)) == -DAY


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no zone"):
        from_datetime(datetime(2031, 2, 3))  # noqa: DTZ001 - that is the point


def test_what_lies_beyond_the_calendar_is_cut_to_its_ends() -> None:
    assert (to_datetime(-(2**60)).year, to_datetime(2**60).year) == (1, 9999)


@pytest.mark.parametrize(("instant", "shown"), [(FOREVER, "open"), (Instant(DAY), "1970-01-02"), (Instant(DAY + 1000), "1970-01-02T00:00:01Z")])
def test_an_instant_is_shown_as_a_day_a_second_or_open(instant: Instant, shown: str) -> None:
    assert iso(instant) == shown


def test_a_refused_record_names_its_field() -> None:
    error = BadRecord("r1", "audience", "has 20201 bytes")
    assert (error.record, error.field, str(error)) == ("r1", "audience", "record r1: audience has 20201 bytes")
