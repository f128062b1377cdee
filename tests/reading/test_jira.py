"""Jira's wiki markup: what is read as what, where it stands, and that nothing breaks the reading."""

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.markup.jira_inline import plain
from derive.reading import parsed
from tests.reading.spans import VOCABULARY, assert_places_hold, assert_sections_are_records, facts, read, said

JIRA = "text/x-jira"
PAYLOADS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "payloads" / "jira"

TICKET = """\
h1. Crane stops
The *north* crane {color:red}stops{color} at [the quay|https://example.org/quay] when it _rains_, says [~dana];
see PORT-12, {{qctl}} and [https://a.example]. !crane.png|width=300!

h2. Steps
Do this:
* Look at the -old- fuse
** twice
* Call
the harbour
# one
# two

*Owner:* Dana Reyes
*Severity:* high

{code:java|title=Main.java}
int a = *b*;

h1. no
{code}
{quote}
It stops.
Often.
{quote}
{panel:title=To do|borderStyle=solid}
Oil it.
* well
{panel}
bq. A short quote.
----
||Berth||Length||Used by||
|North|40 m|[Tarn|https://tarn.example]|
|South|30 m|two
ferries|
- dash
-- dash again
- Port: 5432
{noformat}raw{noformat} after
"""
EXPECTED = [
    ("prose", (), "", "The north crane stops at the quay when it rains, says dana; see PORT-12, qctl and https://a.example."),
    ("lead", ("Steps",), "", "Do this:"),
    ("item", ("Steps",), "Do this:", "Look at the -old- fuse"),
    ("item", ("Steps",), "", "twice"),
    ("item", ("Steps",), "Do this:", "Call the harbour"),
    ("item", ("Steps",), "", "one"),
    ("item", ("Steps",), "", "two"),
    ("item", ("Steps",), "", "Owner: Dana Reyes"),
    ("item", ("Steps",), "", "Severity: high"),
    ("code", ("Steps",), "", "int a = *b*;\n\nh1. no"),
    ("prose", ("Steps",), "", "It stops. Often."),
    ("prose", ("Steps",), "", "To do"),
    ("prose", ("Steps",), "", "Oil it."),
    ("item", ("Steps",), "", "well"),
    ("prose", ("Steps",), "", "A short quote."),
    ("row", ("Steps",), "", "North: Length is 40 m; Used by is Tarn"),
    ("row", ("Steps",), "", "South: Length is 30 m; Used by is two ferries"),
    ("item", ("Steps",), "", "dash"),
    ("item", ("Steps",), "", "dash again"),
    ("item", ("Steps",), "", "Port: 5432"),
    ("code", ("Steps",), "", "raw"),
    ("prose", ("Steps",), "", "after"),
]


def test_a_ticket_of_everything_becomes_blocks_under_section_paths() -> None:
    assert said(TICKET, JIRA) == EXPECTED
    assert_places_hold(TICKET, JIRA)
    assert_sections_are_records(TICKET, JIRA)
    assert read(TICKET, JIRA).title == "Crane stops"


def test_key_value_lines_and_tables_state_facts() -> None:
    assert [(predicate, value) for _, _, predicate, value in facts(TICKET, JIRA)] == [
        ("owner", "Dana Reyes"),
        ("severity", "high"),
        ("length", "40 m"),
        ("used by", "Tarn"),
        ("length", "30 m"),
        ("used by", "two ferries"),
        ("listens on", "5432"),
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("*a* _b_ +c+ ^d^ ~e~ ??f?? {{g*h*}} {color:#ff0000}i{color}", "a b c d e f g*h* i"),
        ("2*3*4 snake_case_name a - b - c 5 * 6 * 7 \\*not bold\\*", "2*3*4 snake_case_name a - b - c 5 * 6 * 7 *not bold*"),
        ("[a|https://b.example|tip] [https://c.example] [#d] [^e.txt] [~f] [~accountid:5f:6] [mailto:g@h.example] [i]",
         "a https://c.example #d f mailto:g@h.example [i]"),
        ("!x.png! !http://a.example/b.png|width=3! wow! and so! {anchor:here}{toc}", "wow! and so!"),
        ("{status:colour=Green|title=Done} {jira:PORT-1|columns=a} {unheard:of} line\\\\ break", "Done PORT-1 {unheard:of} line break"),
    ],
)  # fmt: skip
def test_inline_markup_is_what_a_reader_sees(markup: str, text: str) -> None:
    assert plain(markup) == text


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("{code}a\n{noformat}b{code}c{noformat}d", ["a\n{noformat}b", "c d"]),
        ("{code:title=x}never closed\nb", ["never closed b"]),
        ("a {quote}b{quote} c\n{panel:bgColor=red|title=T}d{panel}\n{info}e{info}", ["a", "b", "c", "T", "d", "e"]),
        ("|a|b|\n\n|c|[d|e] \\| {f|g}|\n||h|i|", ["a; b", "c; d | {f|g}", "h: i"]),
        ("| |\n|cut\n", ["cut"]),
        ("|never|ends\n\nText", ["never; ends", "Text"]),
        ("|" + "x" * 10_001, ["x" * 10_001]),
        ("Text\n* item\n\nmore\nbq. quoted\nh7. no\nh2. \n-----", ["Text", "item", "more", "quoted h7. no h2."]),
        ("*Owner:* Dana\n*Port:* 5432\nplain", ["Owner: Dana Port: 5432 plain"]),
        ("{color}{color}\n\n[^a]\n* \n", []),
    ],
)  # fmt: skip
def test_what_is_unusual_is_read_as_far_as_it_goes(body: str, blocks: list[str]) -> None:
    assert [block.text for block in assert_places_hold(body, JIRA)] == blocks


SEEN = ["quay", "*lock*", "_ferry_", "{{tide}}", "[crane|https://a.example]", "港口", "{color:red}mast{color}", "!x.png!", "PORT-1", "a|b"]
INLINE = st.lists(st.sampled_from(SEEN), min_size=1, max_size=8).map(" ".join)
LINES = st.one_of(
    INLINE,
    st.tuples(st.sampled_from(["*", "**", "#", "-", "*#", "bq.", "h1.", "h3."]), INLINE).map(" ".join),
    st.lists(st.sampled_from(["quay", "[a|b]", "*lock*", " "]), min_size=1, max_size=4).map(lambda cells: f"|{'|'.join(cells)}|"),
    st.sampled_from(["", "", "----", "{code}", "{code:java}x{code}", "{quote}", "{panel:title=T}", "{panel}", "||a||b||", "{noformat}", "|open"]),
)


@given(st.lists(LINES, min_size=1, max_size=10).map("\n".join))
@settings(deadline=None)
def test_every_block_of_any_ticket_stands_where_it_says(body: str) -> None:
    said = re.compile(r"\[([^|\]]*)\|[^\]]*\]|\{color[^}]*\}|!x\.png!")
    assert_places_hold(body, JIRA, lambda place: said.sub(r"\1", place) + place)  # code says the markup itself
    assert_sections_are_records(body, JIRA)


@given(st.text("ab*_-+^~{}[]|!?#\\h1. \n:code", max_size=150))
@settings(deadline=None)
def test_any_text_is_read(body: str) -> None:
    for block in parsed(body, JIRA, VOCABULARY).tree.blocks:
        assert 0 <= block.start < block.end <= len(body)


@pytest.mark.parametrize(
    "unit",
    ["*a ", "[a|", "{code}a", "{code:", "|a", "|a\n", "* a\n", "h1. a\n", "!a.", "{panel:title=", "{{a", "{quote}", "\\", "_a_", "|{a|", "!a|"],
)
def test_hostile_text_takes_time_that_grows_with_it_only(unit: str) -> None:
    begun = time.process_time()
    parsed(unit * (300_000 // len(unit)), JIRA, VOCABULARY)
    assert time.process_time() - begun < 12


@pytest.mark.skipif(not PAYLOADS.is_dir(), reason="the shared webhooks are not beside this checkout")
def test_every_block_of_real_tickets_and_comments_stands_where_it_says() -> None:
    def texts(held: object, name: str = "") -> list[str]:
        if isinstance(held, dict):
            return [text for key, value in held.items() for text in texts(value, key)]
        if isinstance(held, list):
            return [text for value in held for text in texts(value, name)]
        return [held] if isinstance(held, str) and name in ("description", "body") else []

    bodies = {text for path in sorted(PAYLOADS.glob("*.json")) for text in texts(json.loads(path.read_text("utf-8")))}
    assert len(bodies) > 15
    for body in bodies:
        assert_places_hold(body, JIRA)
    assert plain("[~user] _Issue from a [message in chat|https://a.example/b]_.") == "user Issue from a message in chat."
