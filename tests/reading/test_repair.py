"""Repair: what arrives cut is read as if it had not been cut, and says where it came from; what arrives whole is left alone."""

import json
import lzma
from itertools import islice
from pathlib import Path
from time import process_time

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.spacy_extractor import SpacyExtractor
from derive.reading import Parsed, parsed, reading_of
from derive.repair import repaired
from derive.tree import Block, BlockKind
from derive.units import LONGEST
from schemas.change import Put, Text
from schemas.pack import pack_reading, unpack_reading
from schemas.record import Kind
from schemas.version import Reading, Version
from schemas.vocabulary import shipped
from tests.state.stores import live, opened
from tests.state.test_store import stamp
from tests.streams import CLOCK

VOCABULARY = shipped()
STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"
SECONDS = 20
"""Of processor time for a million characters; it takes a tenth of it on an idle machine."""


def read(body: str, media_type: str = "text/markdown") -> Parsed:
    return parsed(body, media_type, VOCABULARY)


def reading(body: str, media_type: str = "text/markdown") -> Reading:
    found = read(body, media_type)
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def said(body: str, media_type: str = "text/markdown") -> list[tuple[BlockKind, str, str]]:
    return [(block.kind, block.lead, block.text) for block in read(body, media_type).blocks]


BODY = "The quay at Tarn was built by the\n\nHarbour Board in 1990. It has nine\n\nberths."


def test_a_stitched_unit_names_its_sources_in_text_and_body() -> None:
    (unit,) = reading(BODY).units
    assert unit.text == "The quay at Tarn was built by the Harbour Board in 1990. It has nine berths."
    sources = ["The quay at Tarn was built by the", "Harbour Board in 1990. It has nine", "berths."]
    assert [unit.text[part.first : part.last] for part in unit.parts] == sources
    assert [BODY[part.start : part.end] for part in unit.parts] == sources
    assert (unit.start, unit.end) == (0, len(BODY))


def test_a_hyphen_that_falls_away_is_in_no_source_of_the_text() -> None:
    (unit,) = reading("The ferries leave the har-\n\nbour at nine.").units
    assert unit.text == "The ferries leave the harbour at nine."
    assert [unit.text[part.first : part.last] for part in unit.parts] == ["The ferries leave the har", "bour at nine."]


def test_a_unit_that_arrived_whole_names_no_sources_and_is_packed_as_before() -> None:
    whole = reading("The quay is closed.\n\nIt opens in spring.")
    assert [unit.parts for unit in whole.units] == [()]
    assert unpack_reading(pack_reading(whole)) == whole
    (unit,) = orjson.loads(pack_reading(whole))[1][1]
    assert len(unit) == 6


def test_the_sources_of_a_unit_survive_being_packed() -> None:
    assert unpack_reading(pack_reading(reading(BODY))) == reading(BODY)


def test_a_fact_across_a_cut_is_found_and_stands_in_the_stitched_unit() -> None:
    found = read("The old lighthouse at the harbour is operated by\n\nTarn Works.")
    extractor = SpacyExtractor(VOCABULARY)
    facts = dict(zip(found.keys, extractor.extract([block.statement for block in found.blocks]), strict=True))
    (unit,) = reading_of(found, {key: value for key, value in facts.items() if key}, VOCABULARY).units
    assert [(fact.predicate, fact.object) for fact in unit.facts] == [("operated by", "Tarn Works")]
    assert unit.text[unit.facts[0].start : unit.facts[0].end].endswith("Tarn Works.")


def test_the_record_of_a_stitched_unit_has_a_support_for_each_source(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([Version(Put(stamp(1), Text(BODY)), reading(BODY))], CLOCK)
        (record,) = [one for one in live(store).values() if one.kind is Kind.UNIT]
        assert [record.text[place.start : place.end] for place in record.provenance] == [
            "The quay at Tarn was built by the",
            "Harbour Board in 1990. It has nine",
            "berths.",
        ]


def test_a_lead_in_that_a_cut_made_is_prose_again() -> None:
    assert said("The quay has three names (in order:\n\nTarn, Gull Point, Basin) and one owner.") == [
        (BlockKind.PROSE, "", "The quay has three names (in order: Tarn, Gull Point, Basin) and one owner.")
    ]


def opens_a_unit(words: str, body: str) -> bool:
    return any(unit.text.startswith(words) for unit in reading(body).units)


def test_what_leans_on_a_piece_is_in_one_unit_with_it_beside_a_cut_and_as_it_was_elsewhere() -> None:
    whole = [
        f"Berth {number} is let by the week, and a berth that stays empty is let again after two days by the office. " * 2 for number in range(20)
    ]
    behind = "However, the light is out."
    after = "The office lets berths by the week, and every berth has water and light. " * 4
    assert any(opens_a_unit("However", f"{one}\n\n{behind}\n\n{after}") for one in whole)
    cut = [f"{one.removesuffix('. ')} of the\n\nharbour." for one in whole]
    assert not any(opens_a_unit("However", f"{one}\n\n{behind}\n\n{after}") for one in cut)


def test_items_that_a_cut_parted_from_their_lead_in_keep_it() -> None:
    body = "The crew needs these things:\n\n- oil and grease for the\n\ncranes of the quay\n- a driver\n- a rope\n"
    lead = "The crew needs these things:"
    assert said(body) == [
        (BlockKind.LEAD, "", lead),
        (BlockKind.ITEM, lead, "oil and grease for the cranes of the quay"),
        (BlockKind.ITEM, lead, "a driver"),
        (BlockKind.ITEM, lead, "a rope"),
    ]
    (unit,) = reading(body).units
    assert [body[part.start : part.end].strip("- ") for part in unit.parts] == [
        lead,
        "oil and grease for the",
        "cranes of the quay",
        "a driver",
        "a rope",
    ]


def test_a_lead_in_that_was_cut_is_whole_for_its_items() -> None:
    body = "Every winter the crew of the\n\nquay needs these things:\n\n- oil\n\n## Other\n\nquay needs these things:\n\n- rope"
    lead = "Every winter the crew of the quay needs these things:"
    assert said(body) == [
        (BlockKind.LEAD, "", lead),
        (BlockKind.ITEM, lead, "oil"),
        (BlockKind.LEAD, "", "quay needs these things:"),
        (BlockKind.ITEM, "quay needs these things:", "rope"),
    ]
    two = "The quay is open. Every winter the crew of the\n\nquay needs these things:\n\n- oil"
    assert said(two)[0] == (BlockKind.PROSE, "", "The quay is open. Every winter the crew of the quay needs these things:")
    assert said(two)[1] == (BlockKind.ITEM, lead, "oil")


@pytest.mark.parametrize(
    "body",
    [
        "The bridge was built by the\n\n## Board\n\nharbour board in 1990.",
        "## A\n\nThe bridge was built by the\n\n## A\n\nharbour board in 1990.",
        "The bridge was built by the\n\n- harbour board in 1990.",
        "The bridge was built by the\n\n    harbour board in 1990.",
        "The bridge was built by the\n\n**Owner:** harbour board",
        "**Owner:** built by the\n\nharbour board in 1990.",
    ],
)
def test_headings_items_code_and_fields_are_never_stitched(body: str) -> None:
    assert all(block.parts == () for block in read(body).blocks)


def test_what_was_stitched_is_cut_at_sentences_where_it_is_too_long_and_keeps_its_sources() -> None:
    sentences = [f"Sentence number {number} tells of the tide and of nothing else at all." for number in range(60)]
    text = " ".join(sentences)
    cuts = [text.index(" the tide", text.index(f"number {number} ")) for number in (20, 40)]
    body = "\n\n".join([text[: cuts[0]], text[cuts[0] + 1 : cuts[1]], text[cuts[1] + 1 :]])
    units = reading(body).units
    assert all(len(unit.text) <= LONGEST and unit.text.endswith(".") for unit in units)
    for unit in units:
        assert "".join(unit.text[part.first : part.last] for part in unit.parts).replace(" ", "") == unit.text.replace(" ", "")
        assert all(unit.text[part.first : part.last].strip() in body[part.start : part.end] for part in unit.parts)


english = st.lists(st.sampled_from("The quay of is , (see light- built by Board open) It However a. e.g.".split()), min_size=1, max_size=60).map(
    " ".join
)
chinese = st.lists(st.sampled_from([*"码头，。（）的了因此该", "公司", "2012", "年"]), min_size=1, max_size=60).map("".join)
kinds = st.sampled_from([BlockKind.PROSE, BlockKind.PROSE, BlockKind.PROSE, BlockKind.ITEM, BlockKind.LEAD, BlockKind.CODE])


@st.composite
def rows_of_blocks(draw: st.DrawFn) -> tuple[list[Block], list[int]]:
    """Return blocks one behind the other, and where headings stand between them."""
    blocks: list[Block] = []
    starts: list[int] = []
    place = 0
    for kind, text in draw(st.lists(st.tuples(kinds, st.one_of(english, english, chinese)), max_size=12)):
        if draw(st.integers(0, 5)) == 0:
            starts.append(place)
            place += 5
        lead = draw(st.sampled_from(["", "", "These:"])) if kind is BlockKind.ITEM else ""
        text = f"{text}:" if kind is BlockKind.LEAD else text
        blocks.append(Block(kind, text, (), place, place + len(text), lead))
        place += len(text) + 2
    return blocks, starts


def letters(blocks: list[Block] | tuple[Block, ...]) -> str:
    return "".join("".join(block.text.split()).replace("-", "") for block in blocks)


@given(rows_of_blocks())
@settings(deadline=None)
def test_every_character_and_every_source_is_in_exactly_one_block(drawn: tuple[list[Block], list[int]]) -> None:
    blocks, starts = drawn
    found = repaired(blocks, starts)
    assert letters(found) == letters(blocks)
    assert [(part.start, part.end) for block in found for part in block.sources(0)] == [(block.start, block.end) for block in blocks]
    for block in found:
        for part, source in zip(block.sources(0), [one for one in blocks if block.start <= one.start < block.end], strict=True):
            assert block.text[part.first : part.last].removesuffix("-") == source.text.removesuffix("-")


@given(rows_of_blocks())
@settings(deadline=None)
def test_repairing_what_is_repaired_changes_nothing(drawn: tuple[list[Block], list[int]]) -> None:
    blocks, starts = drawn
    once = repaired(blocks, starts)
    again = repaired(once, starts)
    assert all(one is other for one, other in zip(once, again, strict=True))


@given(rows_of_blocks(), st.data())
@settings(deadline=None)
def test_an_insertion_changes_the_block_that_it_goes_into_at_most(drawn: tuple[list[Block], list[int]], data: st.DataObject) -> None:
    blocks, starts = drawn
    place = data.draw(st.integers(0, len(blocks)))
    other = Block(BlockKind.PROSE, data.draw(english), (), blocks[place].start - 1 if place < len(blocks) else 10**6, 10**6)
    before = [block.text for block in repaired(blocks, starts)]
    after = [block.text for block in repaired([*blocks[:place], other, *blocks[place:]], starts)]
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    behind = 0
    while behind < min(len(before), len(after)) - same and before[-1 - behind] == after[-1 - behind]:
        behind += 1
    assert len(before) - same - behind <= 2


def test_whole_blocks_are_the_same_objects() -> None:
    blocks = [Block(BlockKind.PROSE, "The quay is closed.", (), 0, 19), Block(BlockKind.PROSE, "It opens.", (), 21, 30)]
    assert all(one is other for one, other in zip(repaired(blocks, []), blocks, strict=True))


@pytest.mark.skipif(not STREAMS.is_dir(), reason="the shared change histories are not beside this checkout")
def test_fewer_than_one_block_in_a_hundred_of_a_real_guide_is_taken_for_damaged() -> None:
    blocks: list[Block] = []
    with lzma.open(STREAMS / "devguide.jsonl.xz", "rt", encoding="utf8") as lines:
        for row in map(json.loads, islice(lines, 0, None, 60)):
            if row.get("body"):
                blocks += read(row["body"], "text/x-rst" if row["path"].endswith(".rst") else "text/markdown").blocks
    assert len(blocks) > 1000
    assert sum(bool(block.parts) for block in blocks) < len(blocks) / 100


@pytest.mark.parametrize("piece", ["of the", "(see the har-", "（公司，", "It is. " * 500])
def test_a_million_characters_of_damaged_pieces_take_seconds(piece: str) -> None:
    size = len(piece) + 2
    blocks = [Block(BlockKind.PROSE, piece, (), place, place + len(piece)) for place in range(0, 1_000_000, size)]
    start = process_time()
    found = repaired(blocks, [])
    assert process_time() - start < SECONDS
    assert letters(found) == letters(blocks)


def test_a_long_chain_of_pieces_is_read_in_units_of_their_size() -> None:
    units = reading("the quay of\n\n" * 5000).units
    assert all(len(unit.text) <= LONGEST for unit in units)
    assert sum(unit.text.count("quay") for unit in units) == 5000
    assert sum(len(unit.parts) for unit in units) >= 5000
