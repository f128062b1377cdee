"""Tables of every markup: spans, headers on two sides, keys and values, and text that reads by itself."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.dates.time import whole_moment
from derive.facts import structural_facts
from derive.markup.tables import Cell, table_blocks
from derive.reading import parsed
from derive.tree import Block, BlockKind
from schemas.fact import SELF, Dates, Fact
from schemas.vocabulary import shipped

VOCABULARY = shipped()


def table(*rows: str, caption: str = "") -> list[Block]:
    """Read rows written as "!header|value|2x3:wide": ! is a header cell, RxC: reaches over R rows and C columns."""
    place = 0
    grid: list[list[Cell]] = []
    for row in rows:
        grid.append([])
        for written in row.split("|") if row else []:
            text = written.lstrip("!")
            span, _, rest = text.partition(":")
            down, _, across = span.partition("x")
            spanned = down.isdigit() and across.isdigit()
            rows_, columns = (int(down), int(across)) if spanned else (1, 1)
            grid[-1].append(Cell(rest if spanned else text, place, place + len(written), written.startswith("!"), rows_, columns))
            place += len(written) + 1
    return table_blocks(grid, ("Part",), VOCABULARY, caption=caption)


def facts(blocks: list[Block]) -> list[Fact]:
    found = [fact for own in structural_facts(blocks, VOCABULARY) for fact in own]
    assert all(block.kind is BlockKind.ROW and block.section == ("Part",) for block in blocks)
    return found


def said(*rows: str, caption: str = "") -> list[tuple[str, tuple[str, ...], str, str]]:
    return [(fact.subject, fact.scope, fact.predicate, fact.object) for fact in facts(table(*rows, caption=caption))]


def texts(*rows: str, caption: str = "") -> list[str]:
    return [block.text for block in table(*rows, caption=caption)]


def test_a_row_speaks_of_its_first_cell_under_the_headers_of_its_columns() -> None:
    rows = ("!Crane|!Load|!Driver", "Crane 1|40 t|Orla Finch")
    assert texts(*rows) == ["Crane 1: Load is 40 t; Driver is Orla Finch"]
    assert said(*rows) == [("Crane 1", (), "load", "40 t"), ("Crane 1", (), "driver", "Orla Finch")]


def test_headers_that_reach_over_columns_are_the_scope_of_the_values_below_them() -> None:
    rows = ("!2x1:Crane|!1x2:Spring|!1x2:Autumn", "!Load|!Reach|!Load|!Reach", "Crane 1|40 t|30 m|35 t|28 m")
    assert texts(*rows) == ["Crane 1: Load (Spring) is 40 t; Reach (Spring) is 30 m; Load (Autumn) is 35 t; Reach (Autumn) is 28 m"]
    assert said(*rows) == [
        ("Crane 1", ("Spring",), "load", "40 t"),
        ("Crane 1", ("Spring",), "reach", "30 m"),
        ("Crane 1", ("Autumn",), "load", "35 t"),
        ("Crane 1", ("Autumn",), "reach", "28 m"),
    ]


def test_a_row_header_over_several_rows_speaks_in_each_of_them_and_is_told_apart_by_the_next() -> None:
    rows = ("!Service|!Environment|!Owner", "2x1:Billing|production|Orla Finch", "staging|Ines Vale")
    assert texts(*rows) == ["Billing, production: Owner is Orla Finch", "Billing, staging: Owner is Ines Vale"]
    assert said(*rows) == [
        ("Billing", ("production",), "owner", "Orla Finch"),
        ("Billing", ("staging",), "owner", "Ines Vale"),
    ]


def test_of_several_row_headers_the_innermost_name_is_the_subject_and_a_figure_never() -> None:
    assert said("!Region|!Town|!People", "!2x1:North|!Tarnby|900", "!Elsmere|800") == [
        ("Tarnby", ("North",), "people", "900"),
        ("Elsmere", ("North",), "people", "800"),
    ]
    assert said("!Product|!Version|!Latest", "!Tarn OS|!3.12|3.12.4") == [("Tarn OS", ("Version", "3.12"), "latest", "3.12.4")]
    assert said("!Version|!Latest", "3.12|3.12.4") == [(SELF, ("Version", "3.12"), "latest", "3.12.4")]
    assert said("!|!Latest", "3.12|3.12.4") == [(SELF, ("3.12",), "latest", "3.12.4")]
    assert said("!Environment|!Port", "production|8080") == [(SELF, ("production",), "listens on", "8080")]


def test_a_header_alone_in_its_row_names_the_rows_below_it() -> None:
    rows = ("!Quay|!Depth", "!1x2:Northern basin", "Quay 1|4 m", "!1x2:Southern basin", "Quay 1|6 m")
    assert said(*rows) == [("Quay 1", ("Northern basin",), "depth", "4 m"), ("Quay 1", ("Southern basin",), "depth", "6 m")]
    assert texts(*rows)[:2] == ["Northern basin", "Northern basin, Quay 1: Depth is 4 m"]


@pytest.mark.parametrize(
    ("caption", "scope"),
    [
        ("Crane 7", ("Crane 7",)),
        ("Loads of the Basin Bridge", ("Loads of the Basin Bridge",)),
        ("Northern quays", ("Northern quays",)),
        ("Owners of services", ()),
        ("Table", ()),
        ("2031", ()),
        ("All that was measured on the Tuesday when it rained", ()),
    ],
)
def test_a_caption_that_tells_tables_apart_is_a_scope(caption: str, scope: tuple[str, ...]) -> None:
    assert said("!Part|!Load", "Hook|40 t", caption=caption) == [("Hook", scope, "load", "40 t")]


def test_a_header_alone_on_top_is_a_caption_unless_there_is_one() -> None:
    rows = ("!1x2:Crane 7", "!Part|!Load", "Hook|40 t")
    assert said(*rows) == [("Hook", ("Crane 7",), "load", "40 t")]
    assert texts(*rows) == ["Crane 7", "Crane 7, Hook: Load is 40 t"]
    assert said(*rows, caption="Owners") == [("Hook", (), "load", "40 t")]


def test_keys_and_values_speak_of_the_document() -> None:
    assert said("!Owner|Orla Finch", "!Port|8080") == [(SELF, (), "owner", "Orla Finch"), (SELF, (), "listens on", "8080")]
    assert said("!Owner|Orla Finch|!Port|8080") == [(SELF, (), "owner", "Orla Finch"), (SELF, (), "listens on", "8080")]
    assert said("Owner:|Orla Finch", "Port:|8080") == [(SELF, (), "owner", "Orla Finch"), (SELF, (), "listens on", "8080")]
    assert said("!Field|!Value", "Owner|Orla Finch") == [(SELF, (), "owner", "Orla Finch")]
    assert texts("!Owner|Orla Finch") == ["Owner: Orla Finch"]


def test_keys_and_values_under_a_header_are_told_apart_by_it() -> None:
    rows = ("!1x2:Elsmere", "!Mayor|Orla Finch", "!1x2:Harbour", "!Depth|6 m")
    assert said(*rows) == [(SELF, (), "mayor", "Orla Finch"), (SELF, ("Harbour",), "depth", "6 m")]
    assert texts(*rows) == ["Elsmere", "Mayor: Orla Finch", "Harbour", "Harbour: Depth is 6 m"]


def test_columns_that_bound_a_row_give_its_facts_their_validity() -> None:
    (fact,) = facts(table("!Office|!Holder|!From|!Until", "Harbour Master|Orla Finch|2023-05-01|2024-01"))
    assert (fact.predicate, fact.dates) == ("holder", Dates(whole_moment("2023-05-01"), whole_moment("2024-01")))


def test_headers_are_mentioned_with_the_facts_but_predicates_and_words_are_not() -> None:
    found = facts(table("!2x1:Quay|!1x2:Tarn Ferries|!2x1:Owner|!2x1:length", "!Berths|!Boats", "Quay 1|4|7|Orla Finch|90 m"))
    assert {fact.predicate: fact.mentions for fact in found} == {
        "berths": ("Quay 1", "Tarn Ferries", "Berths"),
        "boats": ("Quay 1", "Tarn Ferries", "Boats"),
        "owner": ("Quay 1", "Orla Finch"),
        "length": ("Quay 1",),
    }
    (grouped,) = facts(table("!Part|!Load", "!1x2:Northern Basin", "Hook|40 t"))
    assert grouped.mentions == ("Hook", "Northern Basin", "Load")


def test_a_cell_over_several_columns_is_said_under_each_header() -> None:
    assert said("!Crane|!Load|!Reach", "Crane 1|1x2:unknown") == [("Crane 1", (), "load", "unknown"), ("Crane 1", (), "reach", "unknown")]


def test_a_cell_over_several_rows_is_said_in_each_but_a_long_text_once() -> None:
    rows = ("!Crane|!Notes|!Load", f"Crane 1|2x1:{'long ' * 50}|40 t", "Crane 2|50 t")
    assert [("long" in text, "Notes" in text) for text in texts(*rows)] == [(True, True), (False, False)]
    assert said(*rows)[-1] == ("Crane 2", (), "load", "50 t")


def test_rows_that_nothing_explains_are_text_without_facts() -> None:
    assert texts("a|b", "c|d") == ["a; b", "c; d"]
    assert texts("!Crane|7|8", "!Load|40 t|50 t") == ["Crane: 7; 8", "Load: 40 t; 50 t"]
    assert texts("!Crane|!Load", "|40 t") == ["Load is 40 t"]
    assert texts("!Crane|!Load", f"{'a long tale ' * 20}|40 t") == [f"Crane is {'a long tale ' * 20}; Load is 40 t"]
    assert texts("!Field|!Value", "1x2:all over") == ["all over"]
    assert facts(table("a|b", "!Crane|7|8", "!Load|40 t|50 t")) == facts(table("!Crane|!Load", "|40 t")) == []


def test_headers_without_rows_and_headers_too_long_to_repeat_are_text() -> None:
    assert texts("!Crane|!Load") == ["Crane; Load"]
    assert texts("!a|!b", "!c|!d") == ["c: b is d"]
    long = "very " * 30
    assert texts(f"!Crane|!{long}", "Crane 1|40 t") == [long, "Crane 1: 40 t"]
    assert texts("!Crane|!Load", f"!1x2:{long}", "Crane 1|40 t") == [long, "Crane 1: Load is 40 t"]


def test_tables_without_words_say_nothing() -> None:
    assert table() == table("") == table("|", "") == table("!|!", "|") == []
    assert texts("!Crane|!Load", "Crane 1|-") == ["Crane 1"]


def test_more_than_six_rows_of_headers_are_rows() -> None:
    found = table(*[f"!a{number}|!b{number}" for number in range(8)], "x|y")
    assert [block.text for block in found] == [
        "a6: b5 (b0, b1, b2, b3, b4) is b6",
        "a7: b5 (b0, b1, b2, b3, b4) is b7",
        "x: b5 (b0, b1, b2, b3, b4) is y",
    ]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "rows",
    [
        ["!A|!B", "a|1x1000000:b"] * 1000,
        ["!A|!B", "1000000x1000:a|b"] * 2000,
        ["|".join(["!1x1000:A"] * 100)] * 6 + ["1x100000:a"] * 5000,
        ["|".join(f"!{'A' * 90}{n}" for n in range(300)), *["|".join(["a"] * 300)] * 600],
        ["|".join(["9999x1:a"] * 1000), *[""] * 20_000, *["b"] * 20_000],
    ],
    ids=["columns", "rows and columns", "headers", "long headers", "rows"],
)
def test_spans_and_headers_of_any_size_cost_no_more_than_a_multiple_of_the_cells(rows: list[str]) -> None:
    found = table(*rows)
    size = sum(map(len, rows))
    assert sum(len(block.text) for block in found) <= 2_000_000 + 40 * size
    assert found


CELLS = st.builds(
    lambda text, header, down, across: f"{'!' if header else ''}{down}x{across}:{text}",
    st.sampled_from(["", "Quay", "Crane 7", "4 m", "2031-05-06", "Orla Finch", "production", "-", "Value", "Owner"]),
    st.booleans(),
    st.sampled_from([1, 1, 1, 2, 3, 9999]),
    st.sampled_from([1, 1, 1, 2, 3, 9999]),
)


@given(st.lists(st.lists(CELLS, max_size=5), max_size=6), st.sampled_from(["", "Crane 7", "Quays"]))
def test_every_word_of_every_table_is_kept_once_in_its_place(rows: list[list[str]], caption: str) -> None:
    found = table(*("|".join(row) for row in rows), caption=caption)
    for before, after in pairwise(found):
        assert before.end <= after.start
    for block in found:
        for field in block.fields.fields if block.fields else ():
            assert field.text.endswith(block.text[field.start : field.end])
            assert field.value in block.text[field.start : field.end]
    kept = " ".join(block.text for block in found)
    values = [cell.partition(":")[2] for row in rows[1:] for cell in row if not cell.startswith("!")]
    assert all(value in kept for value in values if value != "-")


def test_markdown_tables_are_read_the_same_way() -> None:
    found = parsed("| Crane | Load |\n| --- | --- |\n| Crane 1 | 40 t |\n", "text/markdown", VOCABULARY).blocks
    assert [(block.text, block.fields) for block in found] == [(block.text, block.fields) for block in table("!Crane|!Load", "Crane 1|40 t")]


def test_a_row_header_that_is_empty_is_no_part_of_the_label() -> None:
    (row,) = table("!Region|!Office|!Lead", "!North|!|Dana Reyes")
    assert row.text == "North: Lead is Dana Reyes"
    assert row.links == ()
