"""Units: bounds, borders, and how little an edit moves."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.reading import parsed, reading_of
from derive.text import normalise, sentences
from derive.units import LONGEST, SHORTEST
from schemas.version import Reading, Unit
from schemas.vocabulary import shipped

VOCABULARY = shipped()
MOVED = 4
"""Units that one edited block may replace: its own, and on either side those whose border it decides."""


def reading(body: str) -> Reading:
    found = parsed(body, "text/markdown", VOCABULARY)
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def bag(read: Reading) -> Counter[tuple[tuple[str, ...], str]]:
    return Counter((unit.section, unit.text) for unit in read.units)


words = st.sampled_from("quay lock ferry tide crane rope mast harbour signal light berth pilot".split())
paragraph = st.lists(words, min_size=3, max_size=70).map(lambda chosen: " ".join(chosen).capitalize() + ".")
pages = st.lists(paragraph, min_size=1, max_size=60)


def page(paragraphs: list[str]) -> str:
    return "\n\n".join(paragraphs)


@given(pages)
@settings(deadline=None)
def test_units_hold_all_text_in_order_and_keep_their_bounds(paragraphs: list[str]) -> None:
    units = reading(page(paragraphs)).units
    assert "\n\n".join(unit.text for unit in units) == page(paragraphs)
    assert all(len(unit.text) <= LONGEST + 2 * len(paragraphs) for unit in units)
    assert all(len(unit.text) >= SHORTEST for unit in units[:-1])


@given(pages, st.data())
@settings(deadline=None)
def test_an_edit_or_insertion_changes_the_units_around_it_only(paragraphs: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(paragraphs) - 1))
    other = data.draw(paragraph)
    before = bag(reading(page(paragraphs)))
    for after in ([*paragraphs[:place], other, *paragraphs[place + 1 :]], [*paragraphs[:place], other, *paragraphs[place:]]):
        now = bag(reading(page(after)))
        assert (before - now).total() <= MOVED
        assert (now - before).total() <= MOVED


@given(pages)
@settings(deadline=None)
def test_the_source_of_a_unit_holds_its_words(paragraphs: list[str]) -> None:
    source = page(paragraphs)
    for unit in reading(source).units:
        assert set(unit.text.split()) <= set(normalise(source)[unit.start : unit.end].split())


def test_units_never_join_across_headings_even_of_equal_name() -> None:
    units = reading("## Notes\n\nShort one.\n\n## Notes\n\nShort one.\n\n## Other\n\nShort two.").units
    assert [(unit.section, unit.text, unit.number) for unit in units] == [
        (("Notes",), "Short one.", 0),
        (("Notes",), "Short one.", 1),
        (("Other",), "Short two.", 0),
    ]


def items(unit: Unit) -> list[str]:
    return [line for line in unit.text.split("\n") if line.startswith("item")]


def test_an_item_is_never_parted_from_its_lead_in() -> None:
    body = "The store keeps these things:\n\n" + "\n".join(f"- item {number} {'x' * (60 + number % 7 * 9)}" for number in range(80))
    units = reading(body).units
    assert len(units) > 3
    assert sum(len(items(unit)) for unit in units) == 80
    assert all(unit.text.startswith("The store keeps these things:\n") for unit in units)
    assert all(unit.text.count("The store keeps") == 1 for unit in units)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    said = [f"Sentence number {number} tells of the tide and of nothing else at all." for number in range(120)]
    units = reading(" ".join(said)).units
    assert all(len(unit.text) <= LONGEST for unit in units)
    assert all(unit.text.startswith("Sentence") and unit.text.endswith(".") for unit in units)
    assert " ".join(unit.text for unit in units) == " ".join(said)


def test_a_long_chinese_paragraph_is_cut_between_sentences_and_joined_up_to_the_same_size() -> None:
    said = [f"第{number}号浮标在涨潮时由巡检班检查，并记入值班日志。" for number in range(200)]
    units = reading("".join(said)).units
    assert "".join(unit.text for unit in units) == "".join(said)
    assert all(SHORTEST <= len(unit.text) <= LONGEST for unit in units)
    assert all(unit.text.startswith("第") and unit.text.endswith("。") for unit in units)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("港务局成立了。它在北港！真的？真的。", ["港务局成立了。", "它在北港！", "真的？", "真的。"]),
        ("他说：“北闸关了。”然后走了。", ["他说：“北闸关了。”", "然后走了。"]),
        ("水深4米；潮高2米。", ["水深4米；潮高2米。"]),
        ("北闸关了!真的? 是的\n第二行……还有", ["北闸关了!", "真的?", "是的", "第二行……", "还有"]),
        ("The lock is open. It is wide. 北闸关了。南闸开着。", ["The lock is open.", "It is wide.", "北闸关了。", "南闸开着。"]),
        ("版本 3.12 发布。Dr. Li came. He left.", ["版本 3.12 发布。", "Dr. Li came.", "He left."]),
        ("。", ["。"]),
    ],
)
def test_sentences_end_where_each_language_ends_them(text: str, cut: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == cut


@given(st.text(st.sampled_from("港务局。！？!?.…”’」 \nA,，；a1"), max_size=120))
def test_sentences_of_any_text_cover_its_words_in_order(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join(text[start:end] for start, end in spans).replace(" ", "").replace("\n", "") == text.replace(" ", "").replace("\n", "")


def test_a_row_is_never_cut_and_names_its_headers() -> None:
    table = "| Berth | Length | Used by |\n| --- | --- | --- |\n" + "\n".join(f"| Berth {number} | {number} m | ferries |" for number in range(90))
    units = reading(table).units
    rows = [line for unit in units for line in unit.text.split("\n")]
    assert rows == [f"Berth {number}: Length is {number} m; Used by is ferries" for number in range(90)]


def test_text_without_any_end_is_cut_between_words_and_words_without_end_are_cut_too() -> None:
    body = "word " * 2000 + "x" * 5000
    units = reading(body).units
    assert all(len(unit.text) <= LONGEST for unit in units)
    assert sum(unit.text.count("word") for unit in units) == 2000


def test_a_page_of_equal_lines_is_cut_too() -> None:
    units = reading("\n".join(["- the same line again"] * 500)).units
    assert all(SHORTEST * 0.9 <= len(unit.text) <= LONGEST for unit in units)
    assert [unit.number for unit in units if unit.text == units[0].text] == list(range(sum(unit.text == units[0].text for unit in units)))


def test_long_records_are_cut_between_their_lines_and_keep_their_facts() -> None:
    body = "---\n" + "\n".join(f"field {number}: {'v' * 60}{number}" for number in range(100)) + "\n---\n"
    units = reading(body).units
    assert all(len(unit.text) <= LONGEST + 1 for unit in units)
    facts = [(unit.text[fact.start : fact.end], fact.object) for unit in units for fact in unit.facts]
    assert len(facts) == 100
    assert all(statement.endswith(value) for statement, value in facts)
