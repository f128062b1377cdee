"""Headers on top of a body: which lines are headers, what they say, and what the document is called by them."""

import time

import pytest

from derive.facts import structural_facts
from derive.markup.headers import headers
from derive.markup.plain import plain_tree
from derive.markup.rst import rst_tree
from derive.tree import BlockKind, Front
from schemas.fact import SELF, Fact
from schemas.vocabulary import shipped

VOCABULARY = shipped()
NOTE = "Note: 031\nTitle: All Lights\n"


def fields(text: str) -> list[tuple[str, str]]:
    front = headers(text, VOCABULARY)
    return [(field.name, field.value) for block in front.blocks if block.fields for field in block.fields.fields]


def facts(text: str) -> list[Fact]:
    tree = plain_tree(text, VOCABULARY)
    return [fact for some in structural_facts(tree.blocks, VOCABULARY, tree.name) for fact in some]


def test_headers_end_at_the_first_empty_line_and_go_on_in_indented_ones() -> None:
    text = "State: draft\nOwner: Ines\n  Vale\n\nPriority: high\n"
    assert fields(text) == [("State", "draft"), ("Owner", "Ines Vale")]
    assert headers(text, VOCABULARY).end == text.index("\nPriority")
    assert headers("State: draft\nOwner: Ines Vale", VOCABULARY).end == len("State: draft\nOwner: Ines Vale")


@pytest.mark.parametrize("text", ["", "State: draft", "State: draft\nis what it says", "So it is\nand so it was\nState: draft\nOwner: Ines Vale"])
def test_fewer_than_two_headers_or_lines_of_prose_among_them_are_no_headers(text: str) -> None:
    assert headers(text, VOCABULARY) == Front()


@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_stray_line_among_many_headers_is_text_of_its_own(place: int) -> None:
    lines = ["State: draft", "Owner: Ines Vale", "Priority: high", "Created: 2024-01-10"]
    text = "\n".join([*lines[:place], "Kept by the Dock Board", *lines[place:]])
    front = headers(text, VOCABULARY)
    assert len(fields(text)) == 4
    (stray,) = [block for block in front.blocks if block.kind is BlockKind.PROSE]
    assert (stray.text, text[stray.start : stray.end]) == ("Kept by the Dock Board", "Kept by the Dock Board")


def test_values_are_plain_text_in_the_markup_of_their_body() -> None:
    text = "Note: 31\nTitle: The ``quay`` lights\nPost-History: `2024-01-10 <https://a.example/1>`__,\n  `2024-02-11`__\nState: *draft*\n"
    tree = rst_tree(text + "\nLights.\n", VOCABULARY)
    stated = [(fact.predicate, fact.object) for some in structural_facts(tree.blocks, VOCABULARY, tree.name) for fact in some]
    assert tree.title == "The quay lights"
    assert stated[1:] == [("title", "The quay lights"), ("post history", "2024-01-10"), ("post history", "2024-02-11"), ("state", "draft")]


@pytest.mark.parametrize(
    "written",
    ["Dana Reyes <dana@quay.example>", "dana@quay.example (Dana Reyes)", "Dana Reyes (dana@quay.example)", "Dana Reyes <dana at quay.example>"],
)
@pytest.mark.parametrize("key", ["Author", "Decided by"])
def test_people_are_named_without_their_addresses(written: str, key: str) -> None:
    assert fields(f"State: draft\n{key}: {written}\n")[1] == (key, "Dana Reyes")


def test_an_address_alone_stays() -> None:
    assert fields("State: draft\nAuthor: <dana@quay.example>\n")[1] == ("Author", "<dana@quay.example>")


def test_keywords_of_version_control_are_what_was_filled_in() -> None:
    assert fields("State: draft\nVersion: $Revision: 1.4 $\nUpdated: $Date$\n") == [("State", "draft"), ("Version", "1.4")]


def test_headers_without_a_value_state_nothing() -> None:
    assert headers("State:\nOwner:\n", VOCABULARY).blocks == ()


@pytest.mark.parametrize(("text", "title"), [("Subject: Lights\nState: draft", "Lights"), ("Subject: Lights\nTitle: Quay Lights", "Quay Lights")])
def test_the_title_is_the_header_of_that_name_else_the_subject(text: str, title: str) -> None:
    assert headers(text, VOCABULARY).title == title


def test_a_title_that_a_page_gives_itself_is_a_fact_about_it() -> None:
    found = [(fact.subject, fact.predicate, fact.object) for fact in facts("Title: Quay Lights\nState: draft\n")]
    assert found == [(SELF, "title", "Quay Lights"), (SELF, "state", "draft")]


def test_a_numbered_document_is_called_by_its_series_and_number() -> None:
    front = headers(NOTE, VOCABULARY)
    assert (front.designation, front.aliases, front.title) == ("Note 31", ("Note 31",), "All Lights")
    assert plain_tree(NOTE, VOCABULARY).name == "Note 31"
    assert plain_tree("Title: All Lights\nState: draft", VOCABULARY).name == "All Lights"
    assert plain_tree("Words.", VOCABULARY).name == ""


@pytest.mark.parametrize(
    "text",
    [
        "Note: 31\nState: draft",
        "Note: new\nTitle: Lights",
        "Title: Lights\nNote: 31",
        "Port: 8080\nTitle: Lights",
        "Old note: 31\nTitle: Lights",
        "Note: 1234567\nTitle: Lights",
    ],
    ids=["without a title", "no number", "not the first header", "a known predicate", "two words", "too long"],
)
def test_other_documents_are_not_called_by_a_number(text: str) -> None:
    assert headers(text, VOCABULARY).aliases == ()


def test_a_bare_number_where_a_name_is_expected_means_the_document_of_that_number() -> None:
    text = f"{NOTE}Replaces: 04, 18, Quay Lights\nPort: 8080\nOwner: 7\n"
    assert fields(text)[2:] == [
        ("Replaces", "Note 4"), ("Replaces", "Note 18"), ("Replaces", "Quay Lights"), ("Port", "8080"), ("Owner", "Note 7"),
    ]  # fmt: skip
    assert fields("Title: Lights\nReplaces: 4, 18") == [("Title", "Lights"), ("Replaces", "4"), ("Replaces", "18")]


def test_people_come_without_their_addresses() -> None:
    text = "Title: Lights\nAuthor: Ines Vale <user1@example.com>,\n  Orla Finch (user2@example.com)"
    assert fields(text)[1:] == [("Author", "Ines Vale"), ("Author", "Orla Finch")]
    assert fields("Title: Lights\nAuthor: <user1@example.com>")[1:] == [("Author", "<user1@example.com>")]


def test_a_field_that_speaks_from_the_other_side_is_turned_round() -> None:
    (fact,) = [fact for fact in facts(f"{NOTE}Replaces: 4\n") if fact.predicate == "superseded by"]
    assert (fact.subject, fact.object, fact.mentions) == ("Note 4", "Note 31", ("Note 4", "Note 31"))
    assert (fact.text, fact.structural) == ("Note 4 is superseded by Note 31", True)
    (fact,) = [fact for fact in facts("Title: Ines Vale\nHeads: Dock Board\n") if fact.predicate == "headed by"]
    assert (fact.subject, fact.object) == ("Dock Board", "Ines Vale")


@pytest.mark.parametrize("line", ["Heads: 4 crews", "Heads: Dock Board, Lock Crew", "Heads: true"])
def test_a_count_or_a_list_or_what_is_no_name_is_not_turned_round(line: str) -> None:
    assert [(fact.subject, fact.predicate) for fact in facts(f"Title: Ines Vale\n{line}\n")][1:] == [(SELF, "heads")]


def test_without_a_name_of_the_document_nothing_is_turned_round() -> None:
    assert [(fact.subject, fact.predicate) for fact in facts("State: draft\nReplaces: Quay Lights\n")] == [(SELF, "state"), (SELF, "replaces")]


@pytest.mark.parametrize("line", ["x: y\n", " x\n", "x\n", "a b c\n"])
def test_a_million_characters_of_headers_are_read_within_seconds(line: str) -> None:
    began = time.process_time()
    headers("Title: Lights\nState: draft\n" + line * (1_000_000 // len(line)), VOCABULARY)
    assert time.process_time() - began < 10
