"""Atlassian's document format: what is read as what, where it stands in the JSON, and that nothing breaks the reading."""

import json
import re
import time
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.markup.literals import Literal, located
from derive.reading import parsed
from schemas.errors import BadReading
from tests.reading.spans import VOCABULARY, assert_places_hold, facts, read, said

ADF = "application/vnd.atlassian.adf+json"
Node: TypeAlias = dict[str, object]


def written(place: str) -> str:
    """Return what the text literals in a stretch of JSON say."""
    return "".join(json.loads(literal, strict=False) for literal in re.findall(r'"(?:[^"\\]|\\.)*"', place, re.DOTALL))


def text(words: str, *marks: str) -> Node:
    return {"type": "text", "text": words, **({"marks": [{"type": mark} for mark in marks]} if marks else {})}


def node(kind: str, *content: Node, **attributes: object) -> Node:
    return {"type": kind, **({"attrs": attributes} if attributes else {}), "content": list(content)}


def inline(kind: str, **attributes: object) -> Node:
    return {"type": kind, "attrs": attributes}


def paragraph(*words: Node | str) -> Node:
    return node("paragraph", *(text(word) if isinstance(word, str) else word for word in words))


def body(*blocks: Node) -> str:
    return json.dumps({"type": "doc", "version": 1, "content": blocks}, indent=1)


def cell(words: str, kind: str = "tableCell", **attributes: object) -> Node:
    return node(kind, *([paragraph(words)] if words else []), **attributes)


BREAK: Node = {"type": "hardBreak"}
TICKET = body(
    node("heading", text("Crane stops"), level=1),
    paragraph(
        "The ", text("north", "em"), " crane stops, says ", inline("mention", id="5f", text="@Dana Reyes"), " on ",
        inline("date", timestamp="1714521600000"), ", ", inline("status", text="OPEN", color="red"), ": ",
        inline("inlineCard", url="https://a.example/PORT-1"), ".",
        inline("emoji", shortName=":ok:"), inline("emoji", text="☂", shortName=":umbrella:"),
    ),
    node("heading", text('Steps "now" 港'), level=2),
    paragraph("Do this:"),
    node("bulletList",
         node("listItem", paragraph("Look"), node("orderedList", node("listItem", paragraph("twice")))), node("listItem", paragraph("Port: 5432"))),
    node("taskList", node("taskItem", text("Oil it"), state="DONE"), localId="x"),
    paragraph(text("Owner:", "strong"), " Dana Reyes", BREAK, text("Severity:", "strong"), " high"),
    node("codeBlock", text("lift --slow\nlift"), text(" --fast"), language="sh"),
    node("panel", paragraph("Mind the", BREAK, "tide."), panelType="info"),
    node("expand", paragraph("Hidden."), title="More"),
    node("blockquote", paragraph("It stops.")),
    {"type": "rule"},
    node("mediaSingle", inline("media", id="1", alt="x"), node("caption", text("The crane"))),
    node(
        "table",
        node("tableRow", cell("Berth", "tableHeader"), cell("Length", "tableHeader")),
        node("tableRow", cell("North", colspan=1), cell("40 m")),
        node("tableRow", cell(""), cell("")),
    ),
    node("unheard", paragraph("Still said.")),
)  # fmt: skip
STEPS = ('Steps "now" 港',)


def test_a_ticket_of_everything_becomes_blocks_under_section_paths() -> None:
    assert said(TICKET, ADF) == [
        ("prose", (), "", "The north crane stops, says Dana Reyes on 2024-05-01, OPEN: https://a.example/PORT-1.☂"),
        ("lead", STEPS, "", "Do this:"),
        ("item", STEPS, "Do this:", "Look"),
        ("item", STEPS, "", "twice"),
        ("item", STEPS, "", "Port: 5432"),
        ("item", STEPS, "", "Oil it"),
        ("item", STEPS, "", "Owner: Dana Reyes"),
        ("item", STEPS, "", "Severity: high"),
        ("code", STEPS, "", "lift --slow\nlift --fast"),
        ("prose", STEPS, "", "Mind the tide."),
        ("prose", STEPS, "", "More"),
        ("prose", STEPS, "", "Hidden."),
        ("prose", STEPS, "", "It stops."),
        ("prose", STEPS, "", "The crane"),
        ("row", STEPS, "", "North: Length is 40 m"),
        ("prose", STEPS, "", "Still said."),
    ]
    assert_places_hold(TICKET.replace('"1714521600000"', '"soon"'), ADF, written)


def test_title_sections_and_facts_are_those_of_the_ticket() -> None:
    found = read(TICKET, ADF)
    assert (found.title, [section.path for section in found.sections]) == ("Crane stops", [STEPS])
    assert [(predicate, value) for _, _, predicate, value in facts(TICKET, ADF)] == [
        ("listens on", "5432"),
        ("owner", "Dana Reyes"),
        ("severity", "high"),
        ("length", "40 m"),
    ]


def test_a_block_reaches_from_its_first_to_its_last_text_literal() -> None:
    source = body(paragraph("A ", text("quay", "em"), ' "named" 港.'))
    (block,) = parsed(source, ADF, VOCABULARY).tree.blocks
    assert source[block.start] == source[block.end - 1] == '"'
    assert source[block.start : block.end].startswith('"A "')
    assert source[block.start : block.end].endswith('\\u6e2f."')


@pytest.mark.parametrize(
    ("blocks", "texts"),
    [
        ([node("heading"), node("codeBlock"), node("table"), paragraph(), paragraph("  "), {"type": "media"}, node("table", node("tableRow"))], []),
        ([paragraph(inline("date", timestamp="-86400000"), " ", inline("date", timestamp="9" * 20), inline("date", timestamp=5))], ["1969-12-31"]),
        ([paragraph(inline("mention", id="x"), inline("status"), inline("placeholder", text="type"), "a", BREAK, BREAK, "b")], ["a b"]),
        ([node("taskItem", text("free"))], ["free"]),
        ([node("listItem", paragraph("free"))], ["free"]),
        ([{"type": "paragraph", "content": ["text", 3, None, {"type": 7}, {"type": "text", "text": 5}]}, {"type": "paragraph", "content": "x"}], []),
        ([{"type": "heading", "attrs": {"level": "x"}, "content": [text("h")]}, {"type": "expand", "attrs": [], "content": [paragraph("b")]}], ["b"]),
        ([node("table", node("tableRow", cell("a", colspan=2, rowspan=True), cell("b", "tableHeader"))), node("expand", title=" ")], ["a; b"]),
        ([paragraph(text("A:", "strong"), " b", BREAK, "c")], ["A: b c"]),
        ([paragraph("a\u0000b \ud800 \u2028c")], ["ab � c"]),
    ],
)  # fmt: skip
def test_what_is_unusual_or_broken_is_read_as_far_as_it_goes(blocks: list[Node], texts: list[str]) -> None:
    assert [block.text for block in parsed(body(*blocks), ADF, VOCABULARY).tree.blocks] == texts


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{", "no JSON"),
        ("[]", "no Atlassian document: '\\[\\]' is no object of type doc"),
        ('{"type": "page"}', "no object of type doc"),
        ("[" * 5000 + "]" * 5000, "nested too deeply"),
        ("[" * 100_000, "nested too deeply|no JSON"),
        ('{"type":"doc","content":' + '[{"type":"panel","content":' * 90 + "[]" + "}]" * 90 + "}", ""),
    ],
)
def test_what_is_no_document_is_a_bad_reading_that_says_why(source: str, problem: str) -> None:
    if problem:
        with pytest.raises(BadReading, match=problem):
            parsed(source, ADF, VOCABULARY)
    else:
        assert parsed(source, ADF, VOCABULARY).tree.blocks == ()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def stripped(value: object) -> object:
    if isinstance(value, Literal):
        return value.text
    if isinstance(value, list):
        return [stripped(item) for item in value]
    return {name: stripped(item) for name, item in value.items()} if isinstance(value, dict) else value


@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_located_json_is_the_json_with_places(value: object, indent: int | None, ascii_only: bool) -> None:  # noqa: FBT001
    source = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = located(source)
    assert stripped(found) == value
    assert not isinstance(found, Literal) or json.loads(source[found.start : found.end]) == value


WORDS = st.lists(st.sampled_from(["quay", "lock:", "港口", 'a "b"', "tide\n"]), min_size=1, max_size=5).map(" ".join)
LINE = st.lists(
    st.one_of(
        WORDS.map(lambda words: text(f" {words} ")),
        WORDS.map(lambda words: text(f" {words} ", "strong")),
        st.just(BREAK),
        WORDS.map(lambda words: inline("mention", text=f"@{words} ")),
        WORDS.map(lambda words: inline("status", text=f" {words} ")),
    ),
    max_size=4,
).map(tuple)
BLOCKS = st.recursive(
    st.one_of(
        LINE.map(lambda words: node("paragraph", *words)),
        st.tuples(st.integers(1, 6), LINE).map(lambda pair: node("heading", *pair[1], level=pair[0])),
        WORDS.map(lambda words: node("codeBlock", text(words))),
    ),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["panel", "expand", "blockquote", "layoutSection"]), inner).map(lambda pair: node(pair[0], pair[1], title="x")),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: node("bulletList", *(node("listItem", item) for item in items))),
        st.lists(st.lists(inner, min_size=1, max_size=2), min_size=1, max_size=3).map(
            lambda rows: node("table", *(node("tableRow", *(node("tableCell", cell) for cell in row)) for row in rows))
        ),
    ),
    max_leaves=8,
)


@given(st.lists(BLOCKS, min_size=1, max_size=4))
@settings(deadline=None)
def test_every_block_of_any_document_stands_where_it_says(blocks: list[Node]) -> None:
    assert_places_hold(body(*blocks), ADF, written)


@given(VALUES)
@settings(deadline=None)
def test_any_json_is_read_or_refused(value: object) -> None:
    for source in (json.dumps(value), json.dumps({"type": "doc", "content": value}), json.dumps({"type": "doc", "content": [value]})):
        try:
            parsed(source, ADF, VOCABULARY)
        except BadReading:
            continue


@pytest.mark.parametrize("unit", ["[", '{"a":', '"', "\\", '{"type":"text","text":"a"},', '"\\u0041",', "[],"])
def test_hostile_text_takes_time_that_grows_with_it_only(unit: str) -> None:
    begun = time.process_time()
    for source in (unit * (300_000 // len(unit)), '{"type":"doc","content":[' + (unit * (300_000 // len(unit))).rstrip(",") + "]}"):
        try:
            parsed(source, ADF, VOCABULARY)
        except BadReading:
            continue
    assert time.process_time() - begun < 12
