"""Dates that sources, fields and sentences give, and those that need the document's own date."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.dates.time import bind, parse_instant, whole_moment
from derive.dates.timing import Relation
from derive.dates.timings import timings
from schemas.fact import Period, Relative, Written
from schemas.instant import DAY, Instant


def instant(text: str) -> Instant:
    return parse_instant(text)[0]


def span(first: str, last: str) -> Period:
    return Period(instant(first), instant(last))


def day(text: str) -> Period:
    return Period(instant(text), Instant(instant(text) + DAY))


@pytest.mark.parametrize(
    "text",
    [
        "2031-02-03T00:00:00Z",
        "2031-02-03T05:30:00+05:30",
        "2031-02-03T05:30:00+0530",
        "2031-02-03 00:00:00 UTC",
        "2031-02-03T00:00:00.000000000Z",
        "2031-02-02T22:00:00-02",
    ],
)
def test_c32_all_spellings_of_a_time_are_one_instant(text: str) -> None:
    assert parse_instant(text) == (1927843200000, False)


@pytest.mark.parametrize("text", ["2031-02-03", "2031-02-03T00:00:00", "2031-02-03 00:00"])
def test_c32_a_time_without_a_zone_says_so(text: str) -> None:
    assert parse_instant(text) == (1927843200000, True)


def test_a_time_without_a_zone_has_the_zone_of_its_source() -> None:
    assert parse_instant("2031-02-03T02:00:00", zone_offset_minutes=120) == parse_instant("2031-02-03T00:00:00", 0)
    assert parse_instant("2031-02-03T02:00:00Z", zone_offset_minutes=120)[0] == instant("2031-02-03T02:00:00Z")


@pytest.mark.parametrize("text", ["", "soon", "2031-13-01", "2031-02-30", "2031-02-03T25:00:00Z", "1927843200", "3 May 2024", "2031-02-03Z"])
def test_what_is_no_time_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match=r"'.*' is no time|range|out of|month|day|hour"):
        parse_instant(text)


TEN = span("2024-03-05T10:00:00Z", "2024-03-05T10:00:01Z")


def read(text: str) -> list[tuple[str, Relation, object, object]]:
    return [(text[found.start : found.end], found.relation, found.first, found.last) for found in timings(text)]


@pytest.mark.parametrize(
    ("text", "phrase", "relation", "first", "last"),
    [
        ("open since 2024-01-01.", "since 2024-01-01", Relation.FROM, day("2024-01-01"), None),
        ("valid until 2031-06-30.", "until 2031-06-30", Relation.UNTIL, None, day("2031-06-30")),
        ("closed on 3 May 2024", "on 3 May 2024", Relation.AT, day("2024-05-03"), day("2024-05-03")),
        ("effective 1 July 2024", "effective 1 July 2024", Relation.FROM, day("2024-07-01"), None),
        ("in March 2019", "in March 2019", Relation.AT, span("2019-03-01", "2019-04-01"), span("2019-03-01", "2019-04-01")),
        ("from 2023-01 to 2023-06.", "from 2023-01 to 2023-06", Relation.BETWEEN, span("2023-01-01", "2023-02-01"), span("2023-06-01", "2023-07-01")),
        ("(2015-2018)", "2015-2018", Relation.BETWEEN, span("2015-01-01", "2016-01-01"), span("2018-01-01", "2019-01-01")),
        ("May 2023 to present", "May 2023 to present", Relation.FROM, span("2023-05-01", "2023-06-01"), None),
        ("from 2019 onwards", "from 2019 onwards", Relation.FROM, span("2019-01-01", "2020-01-01"), None),
        ("built in 1887.", "in 1887", Relation.AT, span("1887-01-01", "1888-01-01"), span("1887-01-01", "1888-01-01")),
        ("before 2019", "before 2019", Relation.UNTIL, None, day("2018-12-31")),
        ("after March 2020", "after March 2020", Relation.FROM, day("2020-04-01"), None),
        ("The date is 2024-07-01.", "2024-07-01", Relation.VALUE, day("2024-07-01"), day("2024-07-01")),
        ("at 2024-03-05T10:00:00Z", "at 2024-03-05T10:00:00Z", Relation.AT, TEN, TEN),
        ("on 03/05/2024", "on 03/05/2024", Relation.AT, Written("03/05/2024"), Written("03/05/2024")),
        ("since last Tuesday", "since last Tuesday", Relation.FROM, Relative("last Tuesday"), None),
        ("yesterday the gate closed", "yesterday", Relation.AT, Relative("yesterday"), Relative("yesterday")),
        ("opened in May", "in May", Relation.AT, Relative("May"), Relative("May")),
    ],
)  # fmt: skip
def test_a_date_in_a_sentence_is_found_with_its_preposition_and_its_bearing(
    text: str, phrase: str, relation: Relation, first: object, last: object
) -> None:
    assert read(text) == [(phrase, relation, first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "version 2.4.1 of 2019.3",
        "PostgreSQL 15 on port 8080",
        "RFC 2119, PEP 2024 and ticket 2021",
        "ABC-2024 has 2,019 users",
        "carries up to 2000 cars",
        "sends the rota each Tuesday",
        "closed on Mondays",
        "enough from May to September",
        "from 06:00 to 20:00",
        "April Jones may come",
        "on 2031-02-30",
        "see https://example.org/2024-05-06/x",
        "nothing here",
    ],
)
def test_versions_numbers_seasons_and_impossible_days_are_no_dates(text: str) -> None:
    assert read(text) == []


def test_a_relative_date_is_read_with_the_date_of_the_document() -> None:
    monday = instant("2024-05-06")
    assert bind(Relative("last Tuesday"), monday) == day("2024-04-30")
    assert bind(Relative("yesterday"), monday) == day("2024-05-05")
    assert bind(Relative("today"), Instant(monday + 3_600_000)) == day("2024-05-06")
    assert bind(Relative("once upon a time"), monday) is None
    assert bind(None, monday) is None
    assert bind(day("2020-01-01"), monday) == day("2020-01-01")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024", span("2024-01-01", "2025-01-01")),
        ("2024-05", span("2024-05-01", "2024-06-01")),
        ("2024-05-06", day("2024-05-06")),
        (" March 2019 ", span("2019-03-01", "2019-04-01")),
        ("next Tuesday", Relative("next Tuesday")),
        ("2024-05-06T07:08:09Z", Period(instant("2024-05-06T07:08:09Z"), instant("2024-05-06T07:08:10Z"))),
    ],
)
def test_a_whole_value_that_is_a_date_is_read(text: str, moment: object) -> None:
    assert whole_moment(text) == moment


@pytest.mark.parametrize("text", ["soon", "True", "3.12", "2024-13-40", "45", "Dana Reyes", "since 2019", "since May", "x" * 50 + " 2024", ""])
def test_a_value_that_is_no_date_is_none(text: str) -> None:
    assert whole_moment(text) is None


@given(
    st.text(max_size=80)
    | st.from_regex(r"(since|in|until|from) [0-9]{1,5}[-/. ][0-9]{1,3}([-/. ][0-9]{1,5})?( to [0-9]{4}-[0-9]{2})?", fullmatch=True)
)
def test_any_text_is_read_without_error_into_spans_that_do_not_overlap(text: str) -> None:
    found = timings(text)
    assert all(0 <= timing.start < timing.end <= len(text) for timing in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
