"""English dates in sentences: what date-wrangler finds, what it misses, and what it must not find."""

import time

import pytest

from derive.dates.english_dates import period_on, whole_date
from derive.dates.time import iso_moment
from derive.dates.timing import EXACT, LOOSE, SPOKEN, VAGUE, Relation
from derive.dates.timings import timings
from schemas.fact import Moment, Period, Relative
from schemas.instant import to_datetime

AT, FROM, UNTIL, BETWEEN, VALUE = Relation.AT, Relation.FROM, Relation.UNTIL, Relation.BETWEEN, Relation.VALUE


def at(moment: str | None) -> Moment | None:
    """Return the moment of an ISO text, of "a/b" for all from a through b, of "~x" for a relative date."""
    if moment is None:
        return None
    if moment.startswith("~"):
        return Relative(moment[1:])
    first, _, last = moment.partition("/")
    return Period(iso_moment(first).first, iso_moment(last or first).last)


CASES: list[tuple[str, str, Relation, str | None, str | None, float]] = [
    ("from March 2019 until June 2021", "from March 2019 until June 2021", BETWEEN, "2019-03", "2021-06", EXACT),
    ("since last Tuesday", "since last Tuesday", FROM, "~last Tuesday", None, SPOKEN),
    ("between 2018 and 2020", "between 2018 and 2020", BETWEEN, "2018", "2020", EXACT),
    ("until the end of 2023", "until the end of 2023", UNTIL, None, "2023-09/2023-12", LOOSE),
    ("as of Q3 2024", "as of Q3 2024", FROM, "2024-07/2024-09", None, EXACT),
    ("March 2019 - June 2021", "March 2019 - June 2021", BETWEEN, "2019-03", "2021-06", EXACT),
    ("starting in May 2022", "starting in May 2022", FROM, "2022-05", None, EXACT),
    ("through June 2023", "through June 2023", UNTIL, None, "2023-06", EXACT),
    ("before 2019", "before 2019", UNTIL, None, "2018-12-31", EXACT),
    ("after March 2020", "after March 2020", FROM, "2020-04-01", None, EXACT),
    ("in the 1990s", "in the 1990s", AT, "1990/1999", "1990/1999", EXACT),
    ("H1 2023", "H1 2023", VALUE, "2023-01/2023-06", "2023-01/2023-06", EXACT),
    ("in 2023-W12", "in 2023-W12", AT, "2023-03-20/2023-03-26", "2023-03-20/2023-03-26", EXACT),
    ("two years ago", "two years ago", AT, "~two years ago", "~two years ago", SPOKEN),
    ("from 2019", "from 2019", FROM, "2019", None, EXACT),
    ("since founding in 1999", "since founding in 1999", FROM, "1999", None, EXACT),
    ("May 2023 to present", "May 2023 to present", FROM, "2023-05", None, EXACT),
    ("2015 to present", "2015 to present", FROM, "2015", None, EXACT),
    ("from 2015 to date", "from 2015 to date", FROM, "2015", None, EXACT),
    ("(2015-2018)", "2015-2018", BETWEEN, "2015", "2018", EXACT),
    ("1914-18", "1914-18", BETWEEN, "1914", "1918", EXACT),
    ("2015–present", "2015–present", FROM, "2015", None, EXACT),
    ("since early 2020", "since early 2020", FROM, "2020-01/2020-04", None, LOOSE),
    ("circa 1990", "circa 1990", AT, "1990", "1990", VAGUE),
    ("ca. 1990", "ca. 1990", AT, "1990", "1990", VAGUE),
    ("around 1990", "around 1990", AT, "1990", "1990", VAGUE),
    ("about 2019", "about 2019", AT, "2019", "2019", VAGUE),
    ("in spring 2021", "in spring 2021", AT, "2021-03/2021-05", "2021-03/2021-05", VAGUE),
    ("in the summer of 2019", "in the summer of 2019", AT, "2019-06/2019-08", "2019-06/2019-08", VAGUE),
    ("in May", "in May", AT, "~May", "~May", VAGUE),
    ("on Monday", "on Monday", AT, "~Monday", "~Monday", VAGUE),
    ("in Q3", "in Q3", AT, "~Q3", "~Q3", VAGUE),
    ("as of today", "as of today", FROM, "~today", None, SPOKEN),
    ("as of 1 January 2024", "as of 1 January 2024", FROM, "2024-01-01", None, EXACT),
    ("effective from 2024-07-01", "effective from 2024-07-01", FROM, "2024-07-01", None, EXACT),
    ("effective as of July 2024", "effective as of July 2024", FROM, "2024-07", None, EXACT),
    ("by March 2020", "March 2020", VALUE, "2020-03", "2020-03", EXACT),
    ("not before 2024", "not before 2024", FROM, "2024", None, EXACT),
    ("up to 2020", "up to 2020", UNTIL, None, "2020", EXACT),
    ("up to and including 2020", "up to and including 2020", UNTIL, None, "2020", EXACT),
    ("on or after 1 May 2024", "on or after 1 May 2024", FROM, "2024-05-01", None, EXACT),
    ("on and after 1 May 2024", "on and after 1 May 2024", FROM, "2024-05-01", None, EXACT),
    ("from 1 May 2024 onwards", "from 1 May 2024 onwards", FROM, "2024-05-01", None, EXACT),
    ("in 2019 and 2020", "in 2019", AT, "2019", "2019", EXACT),
    ("from 2019 to 2021", "from 2019 to 2021", BETWEEN, "2019", "2021", EXACT),
    ("from 2019 until 2021", "from 2019 until 2021", BETWEEN, "2019", "2021", EXACT),
    ("2019 through 2021", "2019 through 2021", BETWEEN, "2019", "2021", EXACT),
    ("between March and May 2020", "between March and May 2020", BETWEEN, "2020-03", "2020-05", EXACT),
    ("from the summer of 2019 to 2020", "from the summer of 2019", FROM, "2019-06/2019-08", None, VAGUE),
    ("during 2019", "during 2019", AT, "2019", "2019", EXACT),
    ("throughout 2019", "throughout 2019", AT, "2019", "2019", EXACT),
    ("within 2019", "within 2019", AT, "2019", "2019", EXACT),
    ("Dana Reyes (2015–2018) led the crew", "2015–2018", BETWEEN, "2015", "2018", EXACT),
    ("since the 1990s", "since the 1990s", FROM, "1990/1999", None, EXACT),
    ("last year", "last year", AT, "~last year", "~last year", SPOKEN),
    ("next month", "next month", AT, "~next month", "~next month", SPOKEN),
    ("in late March 2020", "in late March 2020", AT, "2020-03-21/2020-03-31", "2020-03-21/2020-03-31", LOOSE),
    ("at the end of 2023", "at the end of 2023", AT, "2023-09/2023-12", "2023-09/2023-12", LOOSE),
    ("in the first half of 2024", "in the first half of 2024", AT, "2024-01/2024-06", "2024-01/2024-06", EXACT),
    ("in the second quarter of 2024", "in the second quarter of 2024", AT, "2024-04/2024-06", "2024-04/2024-06", EXACT),
    ("in Q1 2024", "in Q1 2024", AT, "2024-01/2024-03", "2024-01/2024-03", EXACT),
    ("in fiscal 2023", "in fiscal 2023", AT, "2023", "2023", EXACT),
    ("in FY2023", "in FY2023", AT, "2023", "2023", EXACT),
    ("Friday, 3 May 2024", "Friday, 3 May 2024", VALUE, "2024-05-03", "2024-05-03", EXACT),
    ("on the 3rd of May 2024", "on the 3rd of May 2024", AT, "2024-05-03", "2024-05-03", EXACT),
    ("on May 3rd, 2024", "on May 3rd, 2024", AT, "2024-05-03", "2024-05-03", EXACT),
    ("since 3 May", "since 3 May", FROM, "~3 May", None, VAGUE),
    ("to 2024-05-01", "2024-05-01", VALUE, "2024-05-01", "2024-05-01", EXACT),
    ("from 1999-2004", "1999-2004", BETWEEN, "1999", "2004", EXACT),
    ("in 2024/25", "2024/25", BETWEEN, "2024", "2025", EXACT),
    ("2024-05", "2024-05", VALUE, "2024-05", "2024-05", EXACT),
    ("in December 1999 and January 2000", "in December 1999", AT, "1999-12", "1999-12", EXACT),
    ("since January 2020 until March 2021", "since January 2020 until March 2021", BETWEEN, "2020-01", "2021-03", EXACT),
    ("until March 2021, since January 2020", "until March 2021", UNTIL, None, "2021-03", EXACT),
    ("until 2019, when it closed", "until 2019", UNTIL, None, "2019", EXACT),
    ("since at least 2019", "since at least 2019", FROM, "2019", None, EXACT),
    ("no earlier than 2019", "no earlier than 2019", FROM, "2019", None, EXACT),
    ("prior to 2019", "prior to 2019", UNTIL, None, "2018-12-31", EXACT),
    ("from 2019 through the end of 2020", "from 2019 through the end of 2020", BETWEEN, "2019", "2020-09/2020-12", LOOSE),
    ("valid 2024-01-01 to 2024-12-31", "2024-01-01 to 2024-12-31", BETWEEN, "2024-01-01", "2024-12-31", EXACT),
    ("valid from 1 January to 31 March 2024", "from 1 January to 31 March 2024", BETWEEN, "2024-01-01", "2024-03-31", EXACT),
    ("in the year 2019", "in the year 2019", AT, "2019", "2019", EXACT),
    ("mid-2021", "mid-2021", VALUE, "2021-05/2021-08", "2021-05/2021-08", LOOSE),
    ("from May to September 2024", "from May to September 2024", BETWEEN, "2024-05", "2024-09", EXACT),
    ("Q1-Q3 2024", "Q1-Q3 2024", BETWEEN, "2024-01/2024-03", "2024-07/2024-09", EXACT),
    ("Milo Reyes led it (2015-2018).", "2015-2018", BETWEEN, "2015", "2018", EXACT),
    ("The pier was open 1914-18.", "1914-18", BETWEEN, "1914", "1918", EXACT),
    ("built circa 1990.", "circa 1990", AT, "1990", "1990", VAGUE),
    ("enough water in winter 2020", "in winter 2020", AT, "2020-12/2021-02", "2020-12/2021-02", VAGUE),
    ("the fall of 2020 saw it", "fall of 2020", AT, "2020-09/2020-11", "2020-09/2020-11", VAGUE),
    ("until the summer of 2020", "until the summer of 2020", UNTIL, None, "2020-06/2020-08", VAGUE),
    ("open in about 2019.", "in about 2019", AT, "2019", "2019", VAGUE),
    ("valid from its launch in May 2019", "from its launch in May 2019", FROM, "2019-05", None, EXACT),
    ("in March 2019 onwards", "in March 2019 onwards", FROM, "2019-03", None, EXACT),
    ("open after last Tuesday", "after last Tuesday", FROM, "~last Tuesday", None, SPOKEN),
    ("headed by Orla Finch until 3 June", "until 3 June", UNTIL, None, "~3 June", VAGUE),
]  # fmt: skip


@pytest.mark.parametrize(("text", "phrase", "relation", "first", "last", "confidence"), CASES, ids=[text for text, *_ in CASES])
def test_a_date_is_found_with_its_preposition_its_bearing_and_how_sure_it_is(
    text: str, phrase: str, relation: Relation, first: str | None, last: str | None, confidence: float
) -> None:
    found = timings(text)[0]
    assert (text[found.start : found.end], found.relation, found.first, found.last) == (phrase, relation, at(first), at(last))
    assert found.confidence == confidence


def test_the_table_is_of_use() -> None:
    assert len(CASES) >= 80
    assert {relation for _, _, relation, *_ in CASES} == set(Relation)


TRAPS = [
    "until now",
    "the 2008 crisis",
    "in the 19th century",
    "in 300 BC",
    "currently headed by Orla",
    "until further notice",
    "effective immediately",
    "no later than 2024-05-01",
    "by 2031",
    "over the past year",
    "for three years",
    "as early as 2019",
    "in 2019 B.C.",
    "PostgreSQL 15",
    "April Jones may come",
    "version 2.4.1 of 2019.3",
    "2,019 users",
    "port 8080",
    "ticket 2021",
    "RFC 2119",
    "10.20.30.40",
    "the May rota",
    "closed on Mondays",
    "each Tuesday",
    "may",
    "on 2031-02-30",
    "up to 2000 cars",
    "in 2019 cases of beer",
    "GPT-2019",
    "https://x.example/2024-05-06",
    "3 of 2024 boats",
    "room 2019",
    "in 1066 men",
    "a 2019 model",
    "from May to September",
    "from spring to autumn",
    "in 44 B.C.",
    "at 2024-13-05T10:00Z",
]


@pytest.mark.parametrize("text", TRAPS)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert timings(text) == ()


def test_two_dates_of_one_sentence_bear_each_on_its_own() -> None:
    text = "Since January 2020 and until March 2021 the pier was shut; in 2022 it opened."
    assert [(text[found.start : found.end], found.relation) for found in timings(text)] == [
        ("Since January 2020", FROM), ("until March 2021", UNTIL), ("in 2022", AT),
    ]  # fmt: skip


def test_a_phrase_that_names_no_day_has_no_period() -> None:
    assert period_on("once upon a time", to_datetime(0).date()) is None
    assert period_on("until 2019", to_datetime(0).date()) is None
    assert whole_date("once upon a time") is None


@pytest.mark.parametrize("piece", ["a@", "1.1", "in 2019 ", "2019-", "since ", "1/1/", "03/05/2024 to ", "x-1 ", "circa "])
def test_a_long_block_is_read_in_bounded_time(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    begun = time.process_time()
    assert len(timings(text)) <= len(text)
    assert time.process_time() - begun < 60
