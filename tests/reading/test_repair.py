"""Repair: what arrives cut is read as if it had not been cut, and says where it came from; what arrives whole is left alone."""

from pathlib import Path
from time import process_time

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.spacy_extractor import SpacyExtractor
from derive.damage import Damage, damage, joined, leaning
from derive.reading import Parsed, parsed, reading_of
from derive.repair import repaired
from derive.split_tables import closed_tables
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
SECONDS = 20
"""Of processor time for a million characters; it takes a tenth of it on an idle machine."""


def read(body: str, media_type: str = "text/markdown") -> Parsed:
    return parsed(body, media_type, VOCABULARY)


def reading(body: str, media_type: str = "text/markdown") -> Reading:
    found = read(body, media_type)
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def said(body: str, media_type: str = "text/markdown") -> list[tuple[BlockKind, str, str]]:
    return [(block.kind, block.lead, block.text) for block in read(body, media_type).blocks]


CUTS = [
    (Damage.BEGINS_WITHIN, "The crew that works at the north quay", "repairs the cranes of the harbour."),
    (Damage.BEGINS_WITHIN, "A quay is closed in winter. The old quay", "stays open, since it never freezes."),
    (Damage.BEGINS_WITHIN, "In the harbour the masters of ferries meet weekly", ", and they talk about the tide."),
    (Damage.BEGINS_WITHIN, "Changes of the plan will not be made lightly", "-- they occur only if a crane fails."),
    (Damage.ENDS_WITHIN, "The bridge beside the lock was built by the", "Harbour Board in 1990."),
    (Damage.ENDS_WITHIN, "Ferries call at the quays of North Bay,", "Gull Point and Tarn."),
    (Damage.ENDS_WITHIN, "The manual names the parts, e.g.", "Crane 7 and its hook."),
    (Damage.CUT_WORD, "The ferries leave the har-", "bour at nine."),
    (Damage.OPEN_BRACKET, "The crane (model Tarn", "Works 7) lifts 40 tonnes."),
    (Damage.OPEN_BRACKET, "They said: [the quay {of} old", "Tarn] is closed."),
    (Damage.BEGINS_WITHIN, "远港物流有限公司成立于2012年", "，总部位于青屿市。"),
    (Damage.ENDS_WITHIN, "公司现有员工三百余人，主要经营集", "装箱运输。"),
    (Damage.ENDS_WITHIN, "董事会决定对部分航线收取附加费的", "方案从四月起执行。"),
    (Damage.ENDS_WITHIN, "远港物流有限公司的新码头已经投入使", "用，共有九个泊位。"),
    (Damage.ENDS_WITHIN, "召回公告发布日期2023年11", "月8日，涉及两个型号。"),
    (Damage.OPEN_BRACKET, "海星电器（青屿市第二", "工厂）"),
]


@pytest.mark.parametrize(("kind", "before", "after"), CUTS)
def test_a_cut_is_noticed_and_named(kind: Damage, before: str, after: str) -> None:
    assert damage(before, after) is kind
    assert len(read(f"{before}\n\n{after}").blocks) == 1


WHOLE = [
    ("The quay is closed.", "it opens in spring."),
    ("Remember these rules:", "the tide comes first."),
    ("North Quay", "the oldest part of the harbour."),
    ("set line_prefix = left; set line_suffix", "set lets you choose two variables."),
    ("return the_quay(a, b) }", "static int the_lock(a) { return 1; }"),
    ("The masters of the ferries meet here", "qctl|open closes the lock of the quay."),
    ("The masters of the ferries meet here", "Ferries call at nine quays."),
    ("Red lamps burn well today", "green lamps burn brightly now"),
    ("New operations for numbers will be added", "a) The first adds two numbers."),
    ("The crane (model 7) of Tarn", "Works (the yard) is closed."),
    ("The crane (model 7) of Tarn", "Works is closed."),
    ("公司简介", "远港物流有限公司成立于2012年，总部位于青屿市。"),
    ("一、关于松岭建材有限公司搬迁的通知", "为了配合城市规划，公司将迁往新址。"),
    ("公司现有员工三百余人。", "董事会由五人组成。"),
    ("公司现有员工三百余人，主要经营运输", "联系方式"),
]


@pytest.mark.parametrize(("before", "after"), WHOLE)
def test_what_authors_write_is_not_taken_for_a_cut(before: str, after: str) -> None:
    assert damage(before, after) is None


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("The ferries leave the har-", "bour at nine.", "The ferries leave the harbour at nine."),
        ("The gate of the lock is self-", "closing at night.", "The gate of the lock is self-closing at night."),
        ("There are rules for pre-", "and post-season ferries.", "There are rules for pre- and post-season ferries."),
        ("The ferry calls at the quay", ", then at the lock.", "The ferry calls at the quay, then at the lock."),
        ("The ferry calls at the quay (", "open at night) and the lock.", "The ferry calls at the quay (open at night) and the lock."),
        ("远港物流有限公司成立于20", "12年，总部位于青屿市。", "远港物流有限公司成立于2012年，总部位于青屿市。"),
        ("平台支持 Kafka 系统，能够使用 Flow", "Index 工具来更新索引。", "平台支持 Kafka 系统，能够使用 Flow Index 工具来更新索引。"),
        ("平台支持 Kafka 系统，能够使用 Flow", "工具来更新索引。", "平台支持 Kafka 系统，能够使用 Flow 工具来更新索引。"),
        ("平台支持Kafka系统，能够使用Flow", "工具来更新索引。", "平台支持Kafka系统，能够使用Flow工具来更新索引。"),
    ],
)
def test_the_two_sides_of_a_cut_are_joined_as_they_were_written(before: str, after: str, text: str) -> None:
    dropped, joint = joined(before, after)
    assert before[: len(before) - dropped] + joint + after == text


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("The quay is closed.", "However, the lock is open.", Damage.CONNECTIVE),
        ("The quay is closed.", "It opens in spring.", Damage.REFERENCE),
        ("The quay is closed.", "Ferries wait.", None),
        ("The quay is", "It opens in spring.", None),
        ("码头关闭。", "因此，渡轮停在港外。", Damage.CONNECTIVE),
        ("码头关闭。", "该码头春天开放。", Damage.REFERENCE),
        ("码头关闭。", "其他码头开放。", None),
    ],
)
def test_a_sentence_that_leans_on_the_piece_before_is_known_by_its_first_word(before: str, after: str, kind: Damage | None) -> None:
    assert leaning(before, after) is kind


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


def test_what_leans_on_a_piece_beside_a_cut_is_in_one_unit_with_it() -> None:
    filler = "Berths are let by the week, and a berth that stays empty is let again after two days by the office. " * 2
    cut = f"{filler}The quay has nine\n\nberths and a light that burns all night, as the rules of the harbour demand since it was founded."
    (unit,) = [unit for unit in reading(f"{cut}\n\nHowever, it is closed.\n\n{filler}").units if "However" in unit.text]
    assert "berths and a light" in unit.text
    assert {part.start for part in unit.parts} >= {0, cut.index("berths and")}


TABLE = "| Berth | Length |\n| --- | --- |\n| Berth 1 | 40 m |\n| Berth 2 | 50 m |\n"


def test_a_headless_row_gets_the_headers_of_the_piece_before_and_names_its_place() -> None:
    body = TABLE + "\n| Berth 3 | 60 m |\n| Berth 4 | 70 m |\n\n\n| Berth 5 | 80 m |\n"
    rows = read(body).blocks
    assert [block.text for block in rows] == [f"Berth {number}: Length is {30 + 10 * number} m" for number in range(1, 6)]
    assert [[body[part.start : part.end] for part in block.parts] for block in rows[1:4]] == [[], ["| Berth 3 | 60 m |"], ["| Berth 4 | 70 m |"]]


@pytest.mark.parametrize("cut", ["| Berth 3\n\n| 60 m |", "| Berth 3 |\n\n60 m |", "| Berth 3 | 60\n\nm |"])
def test_a_row_that_was_cut_is_one_row_of_two_sources(cut: str) -> None:
    body = f"{TABLE}{cut}\n| Berth 4 | 70 m |"
    rows = read(body).blocks
    assert [block.text for block in rows[2:]] == ["Berth 3: Length is 60 m", "Berth 4: Length is 70 m"]
    assert [body[part.start : part.end] for part in rows[2].parts] == cut.split("\n\n")


@pytest.mark.parametrize(
    "body",
    [
        TABLE + "\n| Crane | Load |\n| --- | --- |\n| Crane 1 | 9 t |",
        TABLE + "\n| Crane 1 | 9 t | old |",
        TABLE + "\nPlain text.\n\n| Crane 1 | 9 t |",
        TABLE + "## Cranes\n\n| Crane 1 | 9 t |",
        TABLE + "| Berth 3\n\n| Crane 1 | 9 t | old | red |",
        TABLE + "| Berth 3\n\n| Crane |\n| --- |",
        TABLE + "\n```\n| Crane 1 | 9 t |\n~~~\n```\n\n| Crane 1 | 9 t |",
        "```\n" + TABLE + "\n```\n\n| Crane 1 | 9 t |",
        "| Berth |\n| --- | --- |\n\n| Crane 1 | 9 t |",
        "Text.\n| --- | --- |\n\n| Crane 1 | 9 t |",
        "No bars.",
    ],
)
def test_a_table_ends_where_something_else_begins(body: str) -> None:
    assert closed_tables(body).text == body


@given(st.lists(st.sampled_from(["| a | b |", "| - | - |", "| a", "b |", "", "", "text", "```", "# x"]), max_size=14).map("\n".join))
def test_closing_up_tables_moves_no_character_and_is_done_once(body: str) -> None:
    closed = closed_tables(body)
    assert len(closed.text) == len(body)
    assert all(new == old or (new, old) == (" ", "\n") for new, old in zip(closed.text, body, strict=True))
    assert closed_tables(closed.text).text == closed.text


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


@pytest.mark.parametrize("piece", ["of the", "(see the har-", "（公司，", "It is. " * 500])
def test_a_million_characters_of_damaged_pieces_take_seconds(piece: str) -> None:
    size = len(piece) + 2
    blocks = [Block(BlockKind.PROSE, piece, (), place, place + len(piece)) for place in range(0, 1_000_000, size)]
    start = process_time()
    found = repaired(blocks, [])
    assert process_time() - start < SECONDS
    assert letters(found) == letters(blocks)


@pytest.mark.parametrize(
    "piece", ["| a | b |\n\n", "| a |\n| - |\n| a\n\n", "| a | b |\n| - | - |\n| a |\n\nb |\n", "```\n| a |\n\n", "|" * 99 + "\n"]
)
def test_a_million_characters_of_split_tables_take_seconds(piece: str) -> None:
    body = piece * (1_000_000 // len(piece))
    start = process_time()
    assert len(closed_tables(body).text) == len(body)
    assert process_time() - start < SECONDS


def test_a_long_chain_of_pieces_is_read_in_units_of_their_size() -> None:
    units = reading("the quay of\n\n" * 5000).units
    assert all(len(unit.text) <= LONGEST for unit in units)
    assert sum(unit.text.count("quay") for unit in units) == 5000
    assert sum(len(unit.parts) for unit in units) >= 5000
