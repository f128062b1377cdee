"""HTML: what a person sees on the page, in its order, with places in the source; hostile markup costs time in proportion to its length."""

import html
import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from derive.reading import parsed
from derive.text import normalise
from derive.tree import BlockKind
from schemas.fact import SELF
from schemas.vocabulary import shipped
from tests.reading import spans
from tests.reading.spans import assert_places_hold, assert_sections_are_records, facts, read

HTML = "text/html"
_INLINE = re.compile(r"</?(?:b|i|a|code|span|strong)\b[^>]*>|<!--.*?-->", re.DOTALL)

_PICTURE = re.compile(r'<img [^>]*alt="([^"]*)">')


def shown(markup: str) -> str:
    """Return the text of a stretch of generated markup."""
    return html.unescape(re.sub(r"<[^>]*>", " ", _INLINE.sub("", _PICTURE.sub(r"\1", markup))))


def said(body: str, media_type: str) -> list[tuple[BlockKind, tuple[str, ...], str]]:
    """Return kind, section and statement of each block."""
    return [(BlockKind(kind), section, f"{lead} {text}" if lead else text) for kind, section, lead, text in spans.said(body, media_type)]


HANDBOOK = """<h1>Quay Handbook</h1>
<p>The <i>north</i> quay lies at <a href="https://example.org/?a=1&amp;b=2">the&nbsp;basin</a> &amp; uses <code>q&#99;tl</code>.<br>It has two cranes.
<h2>Cranes</h2>
<p>The cranes need:
<ul><li>oil <b>and</b> grease<li>a driver<ul><li>with a licence</ul></ul>
<blockquote>Never lift people.</blockquote>
<h3>Plan</h3>
<pre><code>lift --slow
  now &lt;</code></pre>
Loose text <!-- not this --> here, and <img src="x.png" alt="the old crane">.
<script>var p = "</p><p>no"; // <!-- </script><style>p { color: red }</style><p hidden>no</p><p style="display: none">no</p>
"""


def test_html_becomes_blocks_under_section_paths_as_a_person_reads_it() -> None:
    assert said(HANDBOOK, HTML) == [
        (BlockKind.PROSE, (), "The north quay lies at the basin & uses qctl. It has two cranes."),
        (BlockKind.LEAD, ("Cranes",), "The cranes need:"),
        (BlockKind.ITEM, ("Cranes",), "The cranes need: oil and grease"),
        (BlockKind.ITEM, ("Cranes",), "The cranes need: a driver"),
        (BlockKind.ITEM, ("Cranes",), "with a licence"),
        (BlockKind.PROSE, ("Cranes",), "Never lift people."),
        (BlockKind.CODE, ("Cranes", "Plan"), "lift --slow\n  now <"),
        (BlockKind.PROSE, ("Cranes", "Plan"), "Loose text here, and the old crane."),
    ]
    assert_places_hold(HANDBOOK, HTML, shown)


def test_sections_are_records_with_their_extent() -> None:
    found = read(HANDBOOK, HTML)
    assert found.title == "Quay Handbook"
    assert [section.path for section in found.sections] == [("Cranes",), ("Cranes", "Plan")]
    assert HANDBOOK[found.sections[1].start :].startswith("<h3>Plan</h3>")
    assert_sections_are_records(HANDBOOK, HTML)
    assert found.sections[0].end == found.sections[1].end == len(normalise(HANDBOOK))


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<title>Cranes - Tarn Ferries</title><h1>Cranes</h1><p>Text.", "Cranes"),
        ("<title>Cranes &amp; quays</title><p>Text.", "Cranes & quays"),
        ("<title>All</title><h1>One</h1><p>a</p><h1>Two</h1>", "All"),
        ("<h1>One</h1><p>a</p><h1>Two</h1>", "One"),
        ("<p>Text.", None),
        ("<h1></h1><title> </title><p>Text.", None),
    ],
)
def test_the_title_is_the_only_main_heading_else_that_of_the_page(body: str, title: str | None) -> None:
    assert read(body, HTML).title == title


def test_key_value_lines_speak_of_the_document() -> None:
    body = """<p><strong>Owner:</strong> Dana Reyes<br><strong>Status:</strong> active</p><ul><li><b>Priority</b>: high</li><li>Type: bug</li></ul>
    <p><b>Note: all of this is bold</b></p><p>Plain: text</p>"""
    assert facts(body, HTML) == [
        (SELF, (), "owner", "Dana Reyes"),
        (SELF, (), "status", "active"),
        (SELF, (), "priority", "high"),
        (SELF, (), "type", "bug"),
    ]
    assert_places_hold(body, HTML, shown)


def test_definition_lists_are_keys_and_values_or_items_behind_their_terms() -> None:
    body = """<dl><dt>Depth<dd>6 m<dt>Owner<dd><p>Dana Reyes</p></dd>
    <div><dt>Quay<dt>Wharf<dd>A place where ships lie. It has bollards.<dd>12 m</div>
    <dt>Crane<dd><p>It lifts.</p><ul><li>Slowly</ul><dd></dd><dt>Alone</dl><dl><dd>No term</dd>loose<dt></dt></dl>"""
    assert facts(body, HTML) == [(SELF, (), "depth", "6 m"), (SELF, (), "owner", "Dana Reyes")]
    assert [text for _, _, text in said(body, HTML)] == [
        "Depth: 6 m",
        "Owner: Dana Reyes",
        "Quay, Wharf: A place where ships lie. It has bollards.",
        "Quay, Wharf: 12 m",
        "Crane: It lifts.",
        "Slowly",
        "Alone",
        "No term",
        "loose",
    ]


TABLE = """<table><caption>Loads in tonnes of <b>Crane 7</b></caption>
<thead><tr><td rowspan=2>Part<th colspan="2">Spring</th></tr><tr><th>Load<th>Reach</tr></thead>
<tbody><tr><th scope=row>Hook</th><td>40 t</td><td>30&nbsp;m</td></tr><tr hidden><td>x<td>y<td>z</tr>
<tr><td>Arm<td colspan=junk>-<td><ul><li>4 m<li>5 m</ul></table>"""


def test_tables_state_a_fact_per_cell_under_their_headers() -> None:
    assert facts(TABLE, HTML) == [
        ("Hook", ("Loads in tonnes of Crane 7", "Spring"), "load", "40 t"),
        ("Hook", ("Loads in tonnes of Crane 7", "Spring"), "reach", "30 m"),
        ("Arm", ("Loads in tonnes of Crane 7", "Spring"), "reach", "4 m; 5 m"),
    ]
    assert said(TABLE, HTML)[0][::2] == (BlockKind.LEAD, "Loads in tonnes of Crane 7")
    rows = [block for block in assert_places_hold(TABLE, HTML, shown) if block.kind is BlockKind.ROW]
    assert TABLE[rows[0].start : rows[0].end] == "<th scope=row>Hook</th><td>40 t</td><td>30&nbsp;m</td>"


def test_a_row_of_bold_cells_on_top_is_the_header() -> None:
    rows = "<tr><td><b>Crane</b><td><strong>Load</strong><tr><td>Crane 1<td>40 t"
    assert facts(f"<table>{rows}</table>", HTML) == [("Crane 1", (), "load", "40 t")]
    assert facts("<table><tr><td>Crane<td><b>Load</b><tr><td>Crane 1<td>40 t</table>", HTML) == []
    assert facts("<table><tr><th>Owner<td>Dana Reyes<tr><th>Port<td rowspan=0>80</table>", HTML)[1] == (SELF, (), "listens on", "80")


@pytest.mark.parametrize(
    "table",
    [
        "<table role=presentation><tr><td><p>One.</p><td><p>Two.</p></table>",
        "<table><tr><td>One.<tr><td>Two.</table>",
        "<table><tr><td><h2></h2>One.<td>Two.</table>",
        "<table><tr><td>One.<td><table><tr><td>Two.</table></table>",
    ],
)
def test_a_table_that_only_arranges_is_read_cell_by_cell(table: str) -> None:
    assert [(kind, text) for kind, _, text in said(table, HTML)] == [(BlockKind.PROSE, "One."), (BlockKind.PROSE, "Two.")]


@pytest.mark.parametrize(
    "table", ["<table><tr><td></td></tr></table>", "<table></table>", "<table><tr><th></th><td> </td></tr><tr><td>&nbsp;<td></table>"]
)
def test_an_empty_table_is_counted_as_skipped(table: str) -> None:
    found = read(f"{table}<p>Good.</p>", HTML)
    assert (found.skipped, [unit.text for unit in found.units]) == (1, ["Good."])


def test_marks_of_footnotes_and_readings_of_characters_are_not_text() -> None:
    body = "<p>The quay<sup><a href='#n'>[3]</a></sup> is 4 m<sup>2</sup> <ruby>水<rt>shui</rt></ruby> and wa\xadter.<sup>†</sup></p>"
    assert said(body, HTML)[0][2] == "The quay is 4 m2 水 and water."


def test_end_tags_that_nobody_wrote_are_supplied() -> None:
    body = "<div><p>One<p>Two<ul><li>a<p>b</div><p>Three</b></i> four</span></div> five<table><tr><td>x</p>y</b><td>z</li></table></p></body>six"
    assert [text for _, _, text in said(body, HTML)] == ["One", "Two", "a", "b", "Three four five", "xy; z", "six"]
    assert said("<h2>Head<div>more</div></h2>text", HTML) == [(BlockKind.PROSE, ("Head more",), "text")]
    assert len(said(f"<h2>Head<p>{'text ' * 300}", HTML)) == 2
    assert said("a < b <3 </> <- & c <!doctype html>", HTML)[0][2] == "a < b <3 </> <- & c"
    assert said("<p>a<!-- b > c -->d<!-- e > f", HTML)[0][2] == "ad f"
    assert said("<p>a<!-->b-->c<![CDATA[ d ]]>", HTML)[0][2] == "ab-->c d"
    assert [text for _, _, text in said('<p title="a > b">x</p><p title="never closed>y</p><i>z</i>', HTML)] == ["x", "y", "z"]
    assert [text for _, _, text in said('<p a=">">x<p a="<i b=' + "'y<p>z", HTML)] == ["x", "z"]
    assert said("<textarea><b>no</b></textarea><p>yes", HTML) == [(BlockKind.PROSE, (), "yes")]


def test_a_quote_that_nothing_closes_costs_its_own_tag_only() -> None:
    body = '<p>one</p><a b="x>two</a> <i c="three'
    assert [text for _, _, text in said(body, HTML)] == ["one", 'two <i c="three']


def test_items_in_a_cell_are_set_off_from_each_other_and_from_what_follows() -> None:
    table = "<table><tr><th>Crane<th>Parts<tr><td>Crane 1<td>needs\n<ul>\n<li>oil</li>\n<li>grease</li>\n</ul>\nand <p>a driver</p></table>"
    assert [text for _, _, text in said(table, HTML)] == ["Crane 1: Parts is needs oil; grease and a driver"]


def test_character_references_of_any_size_are_text() -> None:
    assert said(f"<p>a&#{'9' * 6000}; &#x{'f' * 6000}; &#1;&#xd800; &#8364; b</p>", HTML)[0][2] == "a\ufffd \ufffd \ufffd € b"


PAGE = """<!doctype html><html lang=en><head><title>Crane 7 stops in rain | Tarn Ferries</title></head><body>
<div><a href="/">Tarn Ferries</a><ul><li><a href="/a">Timetables for all quays</a></li><li><a href="/b">News from the harbour</a></li></ul></div>
<div class="content"><div class="post"><h1>Crane 7 stops in rain</h1>
<p>Crane 7 on the north quay stopped on Monday because water came into the switch box. The harbour office has ordered a new seal.</p>
<p>Orla Finch leads the repair. She expects the crane to lift again on 3 March 2031, after a test with a load of 20 tonnes.</p>
<h2>Loads</h2><table><tr><th>Crane</th><th>Load</th></tr><tr><td>Crane 7</td><td>40 t</td></tr></table>
<ul><li>Seal: ordered</li></ul><pre>lift --test 20</pre><p>See <a href="/log">the log</a>.</p>
<div><h3>Related articles</h3><ul>
<li><a href="/1">The new ferry arrives in May</a></li><li><a href="/2">Storm closes the southern basin</a></li></ul></div>
</div></div><div class="bottom"><p>Copyright 2031 Tarn Ferries Ltd, all rights reserved.</p></div>
<nav><p>Where to go from here today</p></nav></body></html>"""


def test_of_a_whole_page_only_the_content_is_read() -> None:
    found = read(PAGE, HTML)
    assert (found.title, [section.path for section in found.sections]) == ("Crane 7 stops in rain", [("Loads",)])
    assert [text for _, _, text in said(PAGE, HTML)] == [
        "Crane 7 on the north quay stopped on Monday because water came into the switch box. The harbour office has ordered a new seal.",
        "Orla Finch leads the repair. She expects the crane to lift again on 3 March 2031, after a test with a load of 20 tonnes.",
        "Crane 7: Load is 40 t",
        "Seal: ordered",
        "lift --test 20",
        "See the log.",
    ]
    assert_places_hold(PAGE, HTML, shown)


def test_a_page_of_a_few_words_and_one_too_large_to_judge_are_read_whole() -> None:
    assert [text for _, _, text in said("<html><body><p>Short.</p><div>Also short.</div></body></html>", HTML)] == ["Short.", "Also short."]
    large = PAGE.replace("<h2>", f"<p>Large.</p><!--{'x' * 500_000}--><h2>")
    assert "Copyright 2031 Tarn Ferries Ltd, all rights reserved." in [text for _, _, text in said(large, HTML)]


WORD = st.sampled_from(["quay", "Tarn", "4", "é", "R&amp;D", "a&lt;b", "x&nbsp;y", "港口", "ends.", "key:", "&#99;rane"])
INLINE = st.recursive(
    st.lists(WORD, min_size=1, max_size=6).map(" ".join),
    lambda inner: st.builds("{0}<{2} class='x'>{1}</{2}>".format, inner, inner, st.sampled_from(["b", "i", "a", "code", "span"])),
    max_leaves=4,
)


def table(rows: list[list[str]]) -> str:
    cells = ["".join(f"<{'td' if number else 'th'}>{cell}" for cell in row) for number, row in enumerate(rows)]
    return f"<table>{''.join(f'<tr>{row}' for row in cells)}</table>"


TABLES = st.lists(st.lists(INLINE, min_size=2, max_size=3), min_size=2, max_size=3).map(table)
DOCUMENTS = st.recursive(
    st.one_of(
        st.tuples(st.sampled_from(["p", "h2", "h3", "pre", "blockquote", "div"]), INLINE).map(lambda one: f"<{one[0]}>{one[1]}</{one[0]}>"),
        INLINE.map(lambda text: f"<p>{text}"),
        INLINE.map(lambda text: f"<p>{text}<br>{text}<!-- no <p> -->"),
        st.tuples(INLINE, INLINE).map(lambda one: f"<dl><dt>{one[0]}<dd>{one[1]}</dl>"),
        TABLES,
        st.sampled_from(["<script>if (a<b) '</p>'</script>", "<hr>", "<nav><p>no</nav>", "<p></p>"]),
    ),
    lambda inner: st.lists(inner, max_size=4).flatmap(
        lambda parts: st.sampled_from(
            [
                "".join(parts),
                f"<div>{''.join(parts)}</div>",
                "<ul>" + "".join(f"<li>{part}" for part in parts) + "</ul>",
                "<p>They need:<ol>" + "".join(f"<li>{part}</li>" for part in parts) + "</ol>",
            ]
        )
    ),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_every_unit_stands_in_the_body_where_it_says(body: str) -> None:
    assert_places_hold(body, HTML, shown)


PIECES = '< > </ <p <td> <table> <tr> <li> <ul> </p> <!-- --> <![CDATA[ ]]> =" \' " & &#9 ; <title> <script> <html> <body> <dl><dd> <dt> <b>'.split()
PIECES += [*"<br/> <h1> </h1> colspan=9 hidden <sup> [1]".split(), "<a href=x>", " word", "\n"]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=30).map("".join))
@example("<table><tr><td>" * 120 + "deep")
@example("<html><body>" + "<ul><li><a href=x>some link text</a>" * 40)
def test_any_text_is_read_with_places_inside_it(body: str) -> None:
    found = read(body, HTML)
    assert all(0 <= unit.start < unit.end <= len(normalise(body)) for unit in found.units)
    whole = parsed(body, HTML, shipped()).tree.blocks
    assert all(one.end <= other.start for one, other in pairwise(whole))


HOSTILE = {
    "open tags": "<a" * 500_000,
    "comments": "<!--" * 250_000,
    "declarations": "<![x" * 200_000 + ">",
    "nested": "<div>" * 100_000 + "text",
    "nested tables": "<table><tr><td>" * 60_000,
    "nested lists": "<ul><li>a" * 100_000,
    "nested footnotes": "<sup>" * 200_000,
    "quotes": '<a b="' * 160_000,
    "odd quotes": "<a b='x>" * 60_000 + '<a b="x>' * 60_000,
    "quoted ends": '<a b=">">' + '<a b="' * 100_001,
    "attributes": "<a " + "b=c " * 250_000 + ">x",
    "references": "&#0;" * 250_000,
    "scripts": "<script>" * 120_000,
    "sections": "<![CDATA[x]]>" * 70_000,
    "ends": "<div>" * 99 + "</span>" * 140_000,
    "spans": "<table><tr><th>A<th colspan=99999>B" + "<tr><td rowspan=99999>a<td colspan=99999>b" * 20_000,
    "page": "<html><body><nav></nav>" + "<div><p>some words of text here" * 15_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_take_time_in_proportion_to_their_length(name: str) -> None:
    began = time.process_time()
    read(HOSTILE[name][:200_000], HTML)
    assert time.process_time() - began < 20  # below 3 without coverage; what grows with the square takes minutes
