"""The text of PDF files: paragraphs from lines, nothing of what repeats at the edges of pages, headings by their numbers."""

import textwrap
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.markup.forms import text_of
from derive.markup.pdf import pages_of
from derive.reading import parsed
from derive.tree import Form
from schemas.fact import SELF
from schemas.vocabulary import shipped
from tests.reading.spans import assert_places_hold, assert_sections_are_records, facts, read, said

PDF = "application/pdf"

MANUAL = """Tarn Ferries Handbook
Version: 3.1
Owner: Dana Reyes
Table of contents
1 Introduction . . . . . . . . . . . . . . 1
2 Cranes ............. 2
\fTarn Ferries Handbook
1 Introduction
The north quay lies at the basin, and its two cranes are looked after by the har-
bour office. They are self-
made in a way: parts of older self-made cranes were used.
A second paragraph begins here, since the line above is short. It goes on over the
Page 1 of 3
\fTarn Ferries Handbook
page break, and ends here.
2 Cranes
2.1 What they need
The cranes need these things, which the office has in its store by the old gate:
• oil and
grease
• a driver with a licence
2.3 Loads
Each crane lifts 40 t.
1. Open the hatch
2. Close the hatch
4 Too far
3.1 Not below this one
5. Written another way
Section 3 is hidden, and in this paragraph of some length a line begins with the
3 Numbers of a sentence that goes on
behind its end.
Page 2 of 3
\fTarn Ferries Handbook
3 Last part 12
3 The last part
水位今天很高，码头的起重机停止工作，港口办公室在通知里说明了原因，并且要求所有的船只在外面等待，直到风暴过去，因为码头现在很危险，水位
很高。Wa\xadter is high, and so the qu\xad
ay is closed to all who have no business there, as it should be at such times.
3 Once more
Page 3 of 3"""


def test_pages_become_paragraphs_items_and_sections() -> None:
    intro, need, loads = ("Introduction",), ("Cranes", "What they need"), ("Cranes", "Loads")
    first = "The north quay lies at the basin, and its two cranes are looked after by the harbour office."
    things = "The cranes need these things, which the office has in its store by the old gate:"
    water = "水位今天很高，码头的起重机停止工作，港口办公室在通知里说明了原因，并且要求所有的船只在外面等待，直到风暴过去，因为码头现在很危险，水位"
    assert said(MANUAL, PDF) == [
        ("item", (), "", "Version: 3.1"),
        ("item", (), "", "Owner: Dana Reyes"),
        ("prose", (), "", "Table of contents"),
        (
            "prose",
            intro,
            "",
            f"{first} They are self-made in a way: parts of older self-made cranes were used.",
        ),
        (
            "prose",
            intro,
            "",
            "A second paragraph begins here, since the line above is short. It goes on over the page break, and ends here.",
        ),
        ("lead", need, "", things),
        ("item", need, things, "oil and grease"),
        ("item", need, things, "a driver with a licence"),
        ("prose", loads, "", "Each crane lifts 40 t."),
        ("item", loads, "", "Open the hatch"),
        ("item", loads, "", "Close the hatch"),
        ("prose", loads, "", "4 Too far"),
        ("prose", loads, "", "3.1 Not below this one"),
        ("item", loads, "", "Written another way"),
        (
            "prose",
            loads,
            "",
            "Section 3 is hidden, and in this paragraph of some length a line begins with the 3 Numbers of a sentence that goes on behind its end.",
        ),
        ("prose", loads, "", "3 Last part 12"),
        (
            "prose",
            ("The last part",),
            "",
            f"{water}很高。Water is high, and so the quay is closed to all who have no business there, as it should be at such times. 3 Once more",
        ),
    ]


def test_places_lead_into_the_pages_and_sections_are_records() -> None:
    assert [section.path for section in read(MANUAL, PDF).sections] == [
        ("Introduction",),
        ("Cranes",),
        ("Cranes", "What they need"),
        ("Cranes", "Loads"),
        ("The last part",),
    ]
    assert_places_hold(MANUAL, PDF, lambda place: place.replace("\xad", ""))
    assert_sections_are_records(MANUAL, PDF)


def test_key_value_lines_speak_of_the_document() -> None:
    assert facts(MANUAL, PDF) == [(SELF, (), "version", "3.1"), (SELF, (), "owner", "Dana Reyes")]


def test_a_paragraph_that_moves_to_another_page_keeps_its_identity_and_its_memo_key() -> None:
    text = textwrap.fill("The quay is old and long, and many ships lie there in the winter. " * 6, 70).split("\n")
    one, other = ("\n".join([*text[:cut], "\f" + text[cut], *text[cut + 1 :]]).replace("\n\f", "\f") for cut in (2, 4))
    assert one != other
    assert [(unit.section, unit.text, unit.number) for unit in read(one, PDF).units] == [
        (unit.section, unit.text, unit.number) for unit in read(other, PDF).units
    ]
    assert parsed(one, PDF, shipped()).keys == parsed(other, PDF, shipped()).keys


@pytest.mark.parametrize(
    ("pages", "left"),
    [
        (["Tarn 1\nOne text.", "Tarn 2\nTwo text."], "One text. Two text."),
        (["Tarn\nOne text.\n3", "Tarn\nTwo text.\n4"], "One text. Two text."),
        (["One text.\n12\nTarn, 2031", "Two text.\n13\nTarn, 2031", "Three.\n14\nTarn, 2031"], "One text. Two text. Three."),
        (["One text.", "Part 2: Quays 8\nTwo text.", "Part 2: Quays 9\nThree."], "One text. Two text. Three."),
        (["Crane 1 40\nOne text.", "Crane 2 50\nTwo text.", "Crane 3 55\nThree."], "Crane 1 40 One text. Crane 2 50 Two text. Crane 3 55 Three."),
        (["Tarn\nOne text.", "Tarn\nTwo text.", "Three."], "Tarn One text. Tarn Two text. Three."),
        (["Tarn\nOne text."], "Tarn One text."),
        (["", "Two text.", ""], "Two text."),
    ],
)
def test_running_lines_are_those_that_stay_or_count_the_pages(pages: list[str], left: str) -> None:
    assert " ".join(text for *_, text in said("\f".join(pages), PDF)) == left


@pytest.mark.parametrize("body", ["1. Open the hatch\n2. Close the hatch", "1 The quay\nis old."])
def test_numbered_lines_of_a_list_or_of_a_sentence_are_no_headings(body: str) -> None:
    assert read(body, PDF).sections == ()


def test_a_heading_may_end_the_body() -> None:
    assert [section.path for section in read("1 Quays\nThe quay is old.\n2 Cranes", PDF).sections] == [("Quays",), ("Cranes",)]


def test_a_span_is_told_by_its_pages() -> None:
    text = "One.\fTwo.\fThree."
    assert [pages_of(text, *span) for span in ((0, 4), (5, 9), (5, 16), (0, 16))] == [(1, 1), (2, 2), (2, 3), (1, 3)]


def test_pages_without_words_say_nothing() -> None:
    assert read("\f \n\f", PDF).units == ()
    assert (read("\f.\f", PDF).units, text_of(" \n\f\t", Form.PDF)) == ((), "")


LENGTHS = st.lists(st.integers(4, 60), min_size=1, max_size=8)


def paragraphs_of(lengths: list[int]) -> list[str]:
    """Return paragraphs of so many words, none of which occurs twice."""
    unique = ("".join(letters) for letters in product("aeiou", "bdgklmnrst", "aeiou", "bdgklmnrst"))
    return [" ".join(next(unique) for _ in range(length)).capitalize() + "." for length in lengths]


@given(LENGTHS.map(paragraphs_of), st.integers(3, 12), st.sampled_from([55, 99]))
def test_every_unit_stands_in_the_pages_where_it_says_and_no_word_is_lost(paragraphs: list[str], height: int, cut: int) -> None:
    lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, 60, break_on_hyphens=False)]
    lines = [f"{line[:-2]}-\n{line[-2:]}" if len(line) > cut and line[-4:].isalpha() and line[-4:].islower() else line for line in lines]
    pages = ["\n".join(lines[first : first + height]) for first in range(0, len(lines), height)]
    body = "\f".join(f"Tarn Ferries\n{page}\nPage {number} of {len(pages)}" for number, page in enumerate(pages, 1))
    assert_places_hold(body, PDF, lambda place: place)
    kept = "".join(text for *_, lead, text in said(body, PDF))
    if len(pages) > 1:
        assert kept.replace(" ", "").replace("-", "") == "".join(paragraphs).replace(" ", "")


@given(st.text(alphabet=st.sampled_from("\f\n .-1234aAé水•:)*\xad"), max_size=120))
def test_any_text_is_read_with_places_inside_it(body: str) -> None:
    assert all(0 <= unit.start < unit.end <= len(text_of(body, Form.PDF)) for unit in read(body, PDF).units)


@pytest.mark.parametrize("unit", ["\f", "a\f", "1 A\n", ". ", "a", "1.", "Key: x\n", "• a\n", "a-\n", "(" * 10, "Page 1\n\f"])
def test_hostile_bodies_take_time_in_proportion_to_their_length(unit: str) -> None:
    began = time.process_time()
    read(unit * (200_000 // len(unit)), PDF)
    assert time.process_time() - began < 20  # below 3 without coverage
