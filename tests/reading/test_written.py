"""Dates that are their source's to read: figures in its order, times in its zone. The memo is shared all the same."""

import pytest

from connectors.extractor import PatternExtractor
from connectors.memo import MemoryMemo
from connectors.reader import Reader
from derive.dates.figures import figures_in, in_figures
from derive.dates.time import bind, iso_moment, whole_moment
from derive.dates.timing import EXACT, VAGUE, ZONELESS, Relation
from derive.dates.timings import timings
from derive.dates.written import depends_on_writing, settled_dates, settled_value
from derive.reading import parsed
from schemas.change import Position, Put, Stamp, Text
from schemas.fact import NO_DATES, Dates, Fact, Period, Relative, Written
from schemas.ids import DocumentId, Source, Tenant
from schemas.instant import EPOCH, Instant
from schemas.rules import UNSAID, DateOrder, Writing
from schemas.version import Reading, Version
from schemas.vocabulary import shipped

MDY, DMY, YMD = (Writing(order) for order in DateOrder)
EAST = Writing(zone_offset_minutes=120)


@pytest.mark.parametrize(
    ("figures", "moment"),
    [
        ("03/05/2024", Written("03/05/2024")),
        ("3-5-2024", Written("3-5-2024")),
        ("03.05.2024", Written("03.05.2024")),
        ("24/03/05", Written("24/03/05")),
        ("25/12/24", Written("25/12/24")),
        ("25/12/2024", iso_moment("2024-12-25")),
        ("12/25/2024", iso_moment("2024-12-25")),
        ("03/03/2024", iso_moment("2024-03-03")),
        ("30/02/2024", None),
        ("99/99/99", None),
    ],
)
def test_figures_are_open_only_if_they_read_in_several_ways(figures: str, moment: object) -> None:
    assert in_figures(figures) == moment
    assert whole_moment(figures) == moment


@pytest.mark.parametrize(
    ("figures", "order", "day"),
    [
        ("03/05/2024", DateOrder.MDY, "2024-03-05"),
        ("03/05/2024", DateOrder.DMY, "2024-05-03"),
        ("03/05/2024", DateOrder.YMD, None),
        ("03/05/2024", None, "2024-03-05"),
        ("24/03/05", DateOrder.YMD, "2024-03-05"),
        ("24/03/05", DateOrder.DMY, "2005-03-24"),
        ("24/03/05", DateOrder.MDY, None),
        ("24/03/05", None, None),
        ("03/05/99", DateOrder.MDY, "1999-03-05"),
    ],
)
def test_the_order_of_the_source_decides(figures: str, order: DateOrder | None, day: str | None) -> None:
    assert figures_in(figures, order) == (iso_moment(day) if day else None)


@pytest.mark.parametrize(
    ("dates", "writing", "settled"),
    [
        (Dates(Written("03/05/2024")), DMY, Dates(iso_moment("2024-05-03"))),
        (Dates(Written("03/05/2024")), UNSAID, Dates(iso_moment("2024-03-05"), confidence=VAGUE)),
        (Dates(Written("03/05/2024", 1)), DMY, Dates(iso_moment("2024-05-04"))),
        (Dates(None, Written("03/05/2024", -1)), DMY, Dates(None, iso_moment("2024-05-02"))),
        (Dates(Written("24/03/05")), UNSAID, NO_DATES),
        (Dates(Relative("today"), Written("24/03/05"), 0.8), UNSAID, Dates(Relative("today"), None, VAGUE)),
        (Dates(Written("2024-03-05T10:00")), UNSAID, Dates(iso_moment("2024-03-05T10:00Z"), confidence=ZONELESS)),
        (Dates(Written("2024-03-05T10:00")), EAST, Dates(iso_moment("2024-03-05T08:00Z"), confidence=ZONELESS)),
        (Dates(iso_moment("2024-03-05"), confidence=0.7), DMY, Dates(iso_moment("2024-03-05"), confidence=0.7)),
    ],
)
def test_open_dates_are_settled_by_how_the_source_writes(dates: Dates, writing: Writing, settled: Dates) -> None:
    assert settled_dates(dates, writing) == settled


def test_an_open_date_that_nobody_settled_is_read_as_by_a_source_that_does_not_say() -> None:
    assert bind(Written("03/05/2024"), EPOCH) == iso_moment("2024-03-05")


@pytest.mark.parametrize(
    ("value", "writing", "settled"),
    [
        ("03/05/2024", DMY, "2024-05-03"),
        ("03/05/2024", UNSAID, "03/05/2024"),
        ("24/03/05", MDY, "24/03/05"),
        ("25/12/2024", UNSAID, "2024-12-25"),
        ("30/02/2024", DMY, "30/02/2024"),
        ("2031-02-03T05:30:00", UNSAID, "2031-02-03T05:30:00Z"),
        ("2031-02-03T05:30:00", EAST, "2031-02-03T05:30:00+02:00"),
        ("2031-02-03 05:30", Writing(zone_offset_minutes=-210), "2031-02-03 05:30-03:30"),
        ("2031-02-03T05:30:00Z", EAST, "2031-02-03T05:30:00Z"),
        ("2031-02-03", EAST, "2031-02-03"),
        ("9 berths", DMY, "9 berths"),
        ("Gull Point", DMY, "Gull Point"),
    ],
)
def test_a_value_says_what_its_source_means(value: str, writing: Writing, settled: str) -> None:
    assert settled_value(value, writing) == settled


@pytest.mark.parametrize(
    ("text", "phrase", "relation", "first", "last"),
    [
        ("closed on 03/05/2024.", "on 03/05/2024", Relation.AT, Written("03/05/2024"), Written("03/05/2024")),
        ("open from 03/05/2024 to 25/12/2024", "from 03/05/2024 to 25/12/2024", Relation.BETWEEN, Written("03/05/2024"), iso_moment("2024-12-25")),
        ("03.05.2024 - 04.06.2024", "03.05.2024 - 04.06.2024", Relation.BETWEEN, Written("03.05.2024"), Written("04.06.2024")),
        ("open after 03/05/2024", "after 03/05/2024", Relation.FROM, Written("03/05/2024", 1), None),
        ("open before 03/05/2024", "before 03/05/2024", Relation.UNTIL, None, Written("03/05/2024", -1)),
        ("open until 24/03/05", "until 24/03/05", Relation.UNTIL, None, Written("24/03/05")),
        ("open since 13.03.2024", "since 13.03.2024", Relation.FROM, iso_moment("2024-03-13"), None),
        ("at 2024-03-05 10:00,", "at 2024-03-05 10:00", Relation.AT, Written("2024-03-05 10:00"), Written("2024-03-05 10:00")),
        ("于2024-03-05 10:00上线", "于2024-03-05 10:00", Relation.AT, Written("2024-03-05 10:00"), Written("2024-03-05 10:00")),
        ("截至2024-03-05 10:00，", "截至2024-03-05 10:00", Relation.FROM, Written("2024-03-05 10:00"), None),
    ],
)  # fmt: skip
def test_a_sentence_keeps_such_a_date_open(text: str, phrase: str, relation: Relation, first: object, last: object) -> None:
    (found,) = timings(text)
    assert (text[found.start : found.end], found.relation, found.first, found.last) == (phrase, relation, first, last)
    assert found.confidence == EXACT


@pytest.mark.parametrize("text", ["version 13.03.2024", "build 3.5.2024", "10.0.12.2024", "1/2 of 2024", "3/5"])
def test_versions_and_fractions_are_no_days(text: str) -> None:
    assert timings(text) == ()


def test_what_depends_on_the_source_is_told_apart() -> None:
    assert depends_on_writing("closed on 03/05/2024")
    assert depends_on_writing("0\uff13/04/2031")
    assert not depends_on_writing("closed on Monday")


BODY = "The sea lock is 6 m wide since 03/05/2024."


def read(writing: Writing | None, memo: MemoryMemo, body: str = BODY, media_type: str = "text/markdown") -> tuple[Version, Reading]:
    """Return what a source that writes so reads in a body."""
    wiki = Source("wiki")
    stamp = Stamp(Tenant("t"), wiki, DocumentId("lock"), (1,), EPOCH, EPOCH, Position("wiki", 0, 0, previous=-1))
    reader = Reader(PatternExtractor(shipped()), memo, shipped(), {} if writing is None else {wiki: writing})
    (version,) = reader.read([Put(stamp, Text(body, media_type))])
    assert isinstance(version, Version)
    assert version.reading is not None
    return version, version.reading


def only(reading: Reading) -> Fact:
    """Return the one fact of a reading."""
    (fact,) = [fact for unit in reading.units for fact in unit.facts]
    return fact


def test_sources_that_write_differently_share_the_memo_and_not_the_reading() -> None:
    memo = MemoryMemo()
    first, american = read(MDY, memo)
    second, european = read(DMY, memo)
    third, unsaid = read(None, memo)
    assert [first.calls, second.calls, third.calls] == [1, 0, 0]
    assert [only(one).dates.start for one in (american, european, unsaid)] == [iso_moment(day) for day in ("2024-03-05", "2024-05-03", "2024-03-05")]
    assert [only(one).dates.confidence for one in (american, european, unsaid)] == [EXACT, EXACT, VAGUE]
    assert len({one.content for one in (american, european, unsaid)}) == 3


def test_a_body_that_reads_alike_everywhere_is_one_content() -> None:
    bodies = [read(writing, MemoryMemo(), "The sea lock is wide, and Orla Finch heads it.")[1] for writing in (MDY, DMY, EAST, None)]
    assert len({one.content for one in bodies}) == 1


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("text/markdown", BODY),
        ("text/markdown", "The sea lock is 6 m wide since *03*/05/2024."),
        ("text/markdown", "The sea lock is 6 m wide since 03&#47;05&#47;2024."),
        ("text/markdown", "The sea lock is 6 m wide since 2024-03-05&nbsp;10:00."),
        ("text/markdown", "The sea lock is 6 m wide since 2024-03-05\n10:00."),
        ("text/markdown", "| Lock | Opened |\n|---|---|\n| Sea lock | 03/**05**/2024 |"),
        ("text/markdown", "| Lock | Opened |\n|---|---|\n| Sea lock | 2024-03-05  10:00 |"),
        ("text/markdown", '---\nvalid_from: "2024-03-05\\u002010:00"\nowner: Orla Finch\n---\nText.'),
        ("text/html", "<table><tr><th>Lock</th><th>Opened</th></tr><tr><td>Sea lock</td><td>03/<b>05</b>/2024</td></tr></table>"),
        ("text/html", "<p>The sea lock is 6 m wide since\n 03/<i>05</i>/2024.</p>"),
    ],
)
def test_bodies_that_read_differently_are_different_contents_whatever_the_markup(media_type: str, body: str) -> None:
    readings = [read(writing, MemoryMemo(), body, media_type)[1] for writing in (MDY, DMY, EAST, None)]
    by_content = {one.content: one for one in readings}
    assert [by_content[one.content] for one in readings] == readings
    assert len({one.units for one in readings}) > 1


def test_fields_are_read_as_their_source_writes() -> None:
    body = "---\nowner: Orla Finch\nvalid_from: 03/05/2024\nreviewed: 04/06/2024\n---\nText."
    (found,) = [unit for unit in read(DMY, MemoryMemo(), body.replace("\\\n", "\n"))[1].units if unit.facts]
    assert {fact.object for fact in found.facts} == {"Orla Finch", "2024-06-04"}
    assert {fact.dates for fact in found.facts} == {Dates(iso_moment("2024-05-03"))}


def test_a_day_is_a_utc_day_whatever_the_zone() -> None:
    fact = only(read(EAST, MemoryMemo(), "The sea lock is 6 m wide since 2024-05-03.")[1])
    assert isinstance(fact.dates.start, Period)
    assert fact.dates.start.first == Instant(iso_moment("2024-05-03").first)


def test_an_empty_body_has_one_content_for_all() -> None:
    assert parsed("", "text/plain", shipped(), DMY).content == parsed("", "text/plain", shipped()).content
