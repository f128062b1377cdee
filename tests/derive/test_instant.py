"""Instants: milliseconds, whole and half-open, and the ends of the calendar."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.instant import DAY, EPOCH, FOREVER, from_datetime, iso, to_datetime

whole = st.integers(-60_000_000_000, 250_000_000_000).map(lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds))


@given(whole, st.integers(-14, 14))
def test_a_moment_is_one_instant_in_every_zone_and_comes_back(moment: datetime, hours: int) -> None:
    there = moment.astimezone(timezone(timedelta(hours=hours)))
    assert from_datetime(there) == from_datetime(moment)
    assert to_datetime(from_datetime(there)) == moment


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="2024-05-01T12:00:00 has no zone"):
        from_datetime(datetime(2024, 5, 1, 12))  # noqa: DTZ001 - that is what is refused


@pytest.mark.parametrize(("instant", "year"), [(FOREVER, 9999), (-FOREVER, 1)])
def test_what_lies_beyond_the_calendar_is_cut_to_its_ends(instant: int, year: int) -> None:
    assert to_datetime(instant).year == year


def test_people_read_days_and_seconds_and_no_end_as_open() -> None:
    assert [iso(EPOCH), iso(DAY + 1_999), iso(FOREVER)] == ["1970-01-01", "1970-01-02T00:00:01Z", "open"]
