"""Split tables: rows find their headers again, and a table ends where something else begins."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.reading import Parsed, parsed
from derive.split_tables import closed_tables
from schemas.vocabulary import shipped

VOCABULARY = shipped()
SECONDS = 20
"""Of processor time for a million characters; it takes a tenth of it on an idle machine."""


def read(body: str) -> Parsed:
    return parsed(body, "text/markdown", VOCABULARY)


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


@pytest.mark.parametrize(
    "piece", ["| a | b |\n\n", "| a |\n| - |\n| a\n\n", "| a | b |\n| - | - |\n| a |\n\nb |\n", "```\n| a |\n\n", "|" * 99 + "\n"]
)
def test_a_million_characters_of_split_tables_take_seconds(piece: str) -> None:
    body = piece * (1_000_000 // len(piece))
    start = process_time()
    assert len(closed_tables(body).text) == len(body)
    assert process_time() - start < SECONDS
