"""Units, facts and readings survive being packed; what is damaged is refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import Inconsistent
from schemas.fact import Dates, Fact, FactKind, Period, Relative, Written
from schemas.ids import ContentHash
from schemas.instant import Instant
from schemas.pack import FORMAT, pack_facts, pack_reading, unpack_facts, unpack_reading
from schemas.version import Link, Part, Reading, Section, Unit

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
instants = st.integers(-(2**60), 2**60).map(Instant)
moments = st.none() | st.builds(Period, instants, instants) | st.builds(Relative, words) | st.builds(Written, words, st.integers(-1, 1))
facts = st.builds(
    Fact,
    text=words,
    kind=st.sampled_from(FactKind),
    subject=words,
    predicate=words,
    object=words,
    start=st.integers(0, 9),
    end=st.integers(0, 9),
    confidence=st.floats(0, 1),
    scope=st.lists(words, max_size=2).map(tuple),
    mentions=st.lists(words, max_size=2).map(tuple),
    dates=st.builds(Dates, moments, moments, st.floats(0, 1)),
    negated=st.booleans(),
    structural=st.booleans(),
)
paths = st.lists(words, max_size=3).map(tuple)
places = st.integers(0, 99)
parts = st.lists(st.builds(Part, places, places, places, places), max_size=2).map(tuple)
links = st.lists(st.builds(Link, words, places, places), max_size=2).map(tuple)
units = st.builds(Unit, words, paths, places, places, st.integers(0, 9), st.lists(facts, max_size=2).map(tuple), parts, links)
readings = st.builds(
    Reading,
    words.map(ContentHash),
    st.lists(units, max_size=2).map(tuple),
    st.lists(st.builds(Section, paths, st.integers(0, 9), st.integers(0, 9), st.integers(0, 3)), max_size=2).map(tuple),
    st.none() | words,
    paths,
    st.lists(st.tuples(words, words), max_size=2).map(tuple),
    st.none() | words,
    st.integers(0, 9),
    paths,
)


@given(st.lists(facts, max_size=3).map(tuple), readings)
def test_what_is_packed_is_unpacked_as_it_was(stated: tuple[Fact, ...], reading: Reading) -> None:
    assert unpack_facts(pack_facts(stated)) == stated
    assert unpack_reading(pack_reading(reading)) == reading


GOLDEN = {
    1: b'[1,["c0ffee",[["Orla Finch heads Tarn Works since 2024.",["People"],10,60,1,[["Orla Finch heads Tarn Works since 2024.","relation",'
    b'"Tarn Works","headed by","Orla Finch",0,39,0.9,["acting"],["Orla Finch","Tarn Works"],[[1704067200000,1735689600000],"next May"],false,'
    b"true]]]],"
    b'[[["People"],0,60,0]],"Staff",["Crew"],[["Tarn Works","TW"]],null,2,["k1"]]]',
    2: b'[2,["c0ffee",[["Orla Finch heads Tarn Works since 2024.",["People"],10,60,1,[["Orla Finch heads Tarn Works since 2024.","relation",'
    b'"Tarn Works","headed by","Orla Finch",0,39,0.9,["acting"],["Orla Finch","Tarn Works"],[[1704067200000,1735689600000],"next May",0.8],false,'
    b'true]],[],[["tarn works.md",17,27]]]],'
    b'[[["People"],0,60,0]],"Staff",["Crew"],[["Tarn Works","TW"]],null,2,["k1"]]]',
}
FACT = Fact(
    text="Orla Finch heads Tarn Works since 2024.",
    kind=FactKind.RELATION,
    subject="Tarn Works",
    predicate="headed by",
    object="Orla Finch",
    start=0,
    end=39,
    confidence=0.9,
    scope=("acting",),
    mentions=("Orla Finch", "Tarn Works"),
    dates=Dates(Period(Instant(1704067200000), Instant(1735689600000)), Relative("next May")),
    structural=True,
)


def reading_of(fact: Fact, *links: Link) -> Reading:
    unit = Unit(fact.text, ("People",), 10, 60, 1, (fact,), links=links)
    return Reading(ContentHash("c0ffee"), (unit,), (Section(("People",), 0, 60),), "Staff", ("Crew",), (("Tarn Works", "TW"),), None, 2, ("k1",))


def test_the_newest_format_is_written_and_read() -> None:
    reading = reading_of(replace(FACT, dates=replace(FACT.dates, confidence=0.8)), Link("tarn works.md", 17, 27))
    assert max(GOLDEN) == FORMAT
    assert pack_reading(reading) == GOLDEN[FORMAT]
    assert unpack_reading(GOLDEN[FORMAT]) == reading


def test_format_1_is_read_as_it_was_meant_its_dates_as_certain() -> None:
    assert unpack_reading(GOLDEN[1]) == reading_of(FACT)


def test_a_date_that_is_its_sources_to_read_is_packed_as_it_is_written() -> None:
    fact = replace(FACT, dates=Dates(Written("03/05/2024", 1), Written("2024-06-01T10:00"), 0.9))
    assert b'[["03/05/2024",1],["2024-06-01T10:00",0],0.9]' in pack_facts([fact])
    assert unpack_facts(pack_facts([fact])) == (fact,)


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"x",
        b"1",
        b"[3,[]]",
        b"[1,3]",
        GOLDEN[2].replace(b"10,60", b'"x",60'),
        GOLDEN[2].replace(b'"People"', b"7"),
        GOLDEN[2].replace(b"0.9", b'"much"'),
        GOLDEN[2].replace(b"17,27", b'17,"x"'),
    ],
)
def test_what_is_damaged_or_of_another_format_is_refused(packed: bytes) -> None:
    with pytest.raises(Inconsistent):
        unpack_reading(packed)
