"""reStructuredText through docutils: what is read as what, where it stands, and that nothing breaks the reading."""

import json
import lzma
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.markup.headers import headers
from derive.markup.rst_inline import plain
from derive.reading import parsed
from schemas.errors import BadReading
from tests.reading.spans import VOCABULARY, assert_places_hold, assert_sections_are_records, facts, read, said

RST = "text/x-rst"
STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"

HANDBOOK = """\
PEP: 412
Title: Quays and
    berths
Status: Final
Replaces: 4, 18

==========
Quay rules
==========

The |yard| uses ``qctl`` and :ref:`the manual <manual>`; see :pep:`8` and `Basin
<https://example.org>`_ [1]_.

.. |yard| replace:: Tarn
   *Works*

Before sailing, do this:

1. Look at the *lamp*.

   It hangs at the stern.
2. Sound the horn:

   - once for port
   - twice for starboard

Opening
-------

Run::

    qctl open --slow

    qctl close

:Owner: Dana Reyes
:Depth: 7 m

berth
    A place where a ship lies for days, with power and water.
crane : device
    40 t

-s, --slow  Opens slowly and
            carefully.

.. note:: The quay is *closed*
   on Sundays.

.. _target:

.. versionadded:: 3.5
   The ``slow`` switch.

.. function:: moor(ship)

   Ties the ship up.

   Returns nothing.

.. code-block:: python
   :linenos:

   moor("Tove")

.. toctree::
   :maxdepth: 2

   other

.. image:: lamp.png
   :alt: The lamp at the
         stern

.. rubric:: Footnotes

.. [1] Written in the harbour.

..
   A comment says nothing.

| Roses are red,
| lamps are green.

    A quoted word.

>>> moor(1)
2
"""


def test_a_page_of_everything_becomes_blocks_under_section_paths() -> None:
    assert said(HANDBOOK, RST) == [
        ("record", (), "", "PEP: 412\nTitle: Quays and berths\nStatus: Final\nReplaces: PEP 4\nReplaces: PEP 18"),
        ("prose", (), "", "The Tarn Works uses qctl and the manual; see PEP 8 and Basin."),
        ("lead", (), "", "Before sailing, do this:"),
        ("item", (), "Before sailing, do this:", "Look at the lamp."),
        ("prose", (), "", "It hangs at the stern."),
        ("item", (), "Before sailing, do this:", "Sound the horn:"),
        ("item", (), "Sound the horn:", "once for port"),
        ("item", (), "Sound the horn:", "twice for starboard"),
        ("lead", ("Opening",), "", "Run:"),
        ("code", ("Opening",), "", "qctl open --slow\n\nqctl close"),
        ("item", ("Opening",), "", "Owner: Dana Reyes"),
        ("item", ("Opening",), "", "Depth: 7 m"),
        ("item", ("Opening",), "berth:", "A place where a ship lies for days, with power and water."),
        ("item", ("Opening",), "", "crane (device): 40 t"),
        ("item", ("Opening",), "-s, --slow:", "Opens slowly and carefully."),
        ("prose", ("Opening",), "", "The quay is closed on Sundays."),
        ("item", ("Opening",), "versionadded 3.5:", "The slow switch."),
        ("item", ("Opening",), "moor(ship):", "Ties the ship up."),
        ("prose", ("Opening",), "", "Returns nothing."),
        ("code", ("Opening",), "", 'moor("Tove")'),
        ("prose", ("Opening",), "", "The lamp at the stern"),
        ("item", ("Opening",), "", "Footnotes"),
        ("prose", ("Opening",), "", "Written in the harbour."),
        ("prose", ("Opening",), "", "Roses are red, lamps are green."),
        ("prose", ("Opening",), "", "A quoted word."),
        ("code", ("Opening",), "", ">>> moor(1)\n2"),
    ]
    assert_places_hold(HANDBOOK.replace("|yard| uses", "Tarn Works uses"), RST)
    assert_sections_are_records(HANDBOOK, RST)


FIELDS = [("owner", "Dana Reyes"), ("depth", "7 m"), ("crane (device)", "40 t")]


def test_headers_fields_and_lists_of_names_state_facts() -> None:
    assert read(HANDBOOK, RST).title == "Quays and berths"
    stated = [(predicate, value) for _, _, predicate, value in facts(HANDBOOK, RST)]
    assert stated[2:] == [("status", "Final"), ("superseded by", "PEP 412"), ("superseded by", "PEP 412"), *FIELDS]


@pytest.mark.parametrize(
    "table",
    [
        """\
+------------+-------------------+
| Berth      | Size              |
|            +---------+---------+
|            | Length  | Depth   |
+============+=========+=========+
| North Quay | 40 m    | 7 m     |
+------------+---------+---------+
| South Quay | 30 m    | 5 m     |
+------------+---------+---------+
""",
        """\
==========  ======  =====
Berth          Size
----------  -------------
Berth       Length  Depth
==========  ======  =====
North Quay  40 m    7 m
South Quay  30 m    5 m
==========  ======  =====
""",
    ],
)
def test_drawn_tables_are_rows_under_their_headers(table: str) -> None:
    stated = [(subject, predicate, value) for subject, _, predicate, value in facts("The berths:\n\n" + table, RST)]
    assert stated == [
        ("North Quay", "length", "40 m"),
        ("North Quay", "depth", "7 m"),
        ("South Quay", "length", "30 m"),
        ("South Quay", "depth", "5 m"),
    ]
    rows = [block for block in assert_places_hold("The berths:\n\n" + table, RST) if block.kind == "row"]
    assert len(rows) == 2


@pytest.mark.parametrize(
    "table",
    [
        '.. csv-table:: Berths\n   :header: "Berth", Length\n\n   "North Quay", 40 m\n   South Quay, "30\n   m"\n',
        '.. csv-table:: Berths\n   :header-rows: 1\n   :delim: space\n\n   Berth Length\n   "North Quay" "40 m"\n   "South Quay" "30 m"\n',
        ".. csv-table::\n   :header-rows: 1\n   :delim:\n\n   Berth, Length\n   North Quay, 40 m\n   South Quay, 30 m\n",
        (
            ".. list-table:: Berths\n   :header-rows: 1\n   :widths: 20\n     80\n\n   * - Berth\n     - Length\n"
            "   * - North Quay\n     - 40 m\n   * - South Quay\n     - 30 m\n"
        ),
        (
            ".. table:: Berths\n\n   ==========  ======\n   Berth       Length\n   ==========  ======\n   North Quay  40 m\n"
            "   South Quay  30 m\n   ==========  ======\n"
        ),
    ],
)
def test_tables_that_a_directive_writes_are_rows_under_their_headers(table: str) -> None:
    assert [fact[0:1] + fact[2:] for fact in facts(table, RST)] == [("North Quay", "length", "40 m"), ("South Quay", "length", "30 m")]
    assert_places_hold(table, RST)


def test_cells_that_reach_over_rows_keep_the_rows_apart() -> None:
    table = "+---+---+\n|   | a |\n| X +---+\n|   | b |\n+---+---+\n"
    first, second = assert_places_hold(table, RST)
    assert first.end <= second.start


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("+---+\n| a |\n+--+\n\nText.", [("code", "+---+\n| a |\n+--+"), ("prose", "Text.")]),
        ("=====  ====\nBerth  Size\n\nText.", [("code", "=====  ====\nBerth  Size\n\nText.")]),
        ("+-------+-------+\n| A     | b     |\n| ====  |       |\n+-------+-------+\n", [("row", "A ====; b")]),
        ("* Berth\tone\n  =========\n\n\t* tabbed", [("item", "Berth one ========="), ("item", "tabbed")]),
        ("[1]_\n\n|\n\nText.", [("prose", "Text.")]),
        ("=====\nBerth\n---\n\nText.", [("prose", "===== Berth ---"), ("prose", "Text.")]),
        ("Text with `one open and *another.", [("prose", "Text with `one open and *another.")]),
        ("A 'quoted' \"*\" and |unknown| and 2*3 and a\\*b.", [("prose", "A 'quoted' \"*\" and unknown and 2*3 and a*b.")]),
        (":a:`b`_ :c:`d`:e: |x|_ `f <g_>`_ `<h>`_ _`i` k__ [L2]_", [("prose", ":a:`b`_ :c:`d`:e: x f h i k")]),
        ("Foo\n---\n\nUnder.\n\nBar\n===\n\nAbove.\n\n.. note::\n\n   Sub\n   ---\n   text", None),
        (f".. csv-table::\n\n   a, {'b' * 140_000}\n   c, d\n", None),
        (".. csv-table::\n\n   a, \"b\x0b\n\n.. csv-table::\n   :header-rows: x\n\n   c, d", [("row", "a; b"), ("row", "c; d")]),
        (".. list-table::\n\n   no list\n\n.. list-table::\n\n   * no cells\n   *\n", []),
        (".. include:: /etc/hostname\n\n.. raw:: html\n\n   <b>x</b>\n\n.. date::\n\n.. nonsense::\n\nEnd.", [("prose", "End.")]),
        (".. only:: html\n\n   Said.\n\n.. unheard:: Of this\n   :a: b\n   c\n\n.. deprecated:: 3.2",
         [("prose", "Said."), ("item", "Of this"), ("item", "deprecated 3.2")]),
        (".. availability:: Unix\n\n__ https://example.org\n\n.. __: x\n\n:orphan:\n\n.. figure:: a.png\n\n   Words.",
         [("item", "Unix"), ("prose", "Words.")]),
        ("-a  x\n-b\n    y\n\n* \n\n  z\n\n*", [("item", "x"), ("item", "y"), ("item", "z")]),
        (">>> quoted\n\nCode::\n\n> quoted\n> code\n\n----\n\n.. note::", [("code", ">>> quoted"), ("lead", "Code:"), ("code", "> quoted\n> code")]),
        ("term\n  - one\n  - two\n\nempty\n  .. silence\n\ncoded\n  ::\n\n    x",
         [("lead", "term:"), ("item", "one"), ("item", "two"), ("item", "empty"), ("lead", "coded:"), ("code", "x")]),
    ],
)  # fmt: skip
def test_what_is_unusual_or_broken_is_read_as_far_as_it_goes(body: str, blocks: list[tuple[str, str]] | None) -> None:
    found = [(block.kind.value, block.text) for block in assert_places_hold(body, RST)]
    assert blocks is None or found == blocks


def test_notes_that_number_themselves_are_read() -> None:
    found = parsed("The lock is old [#]_ and wide.\n\n.. [#] It was dug by hand.\n", "text/x-rst", VOCABULARY)
    assert [block.text for block in found.blocks] == ["The lock is old and wide.", "It was dug by hand."]


def test_headings_may_skip_levels_and_stand_inside_notes() -> None:
    body = "Foo\n----\n\nUnder.\n\nBar\n===\n\nAbove.\n\nBaz\n~~~\n\nDeep.\n\nQuux\n----\n\nEnd.\n"
    assert [block[1] for block in said(body, RST)] == [("Foo",), ("Foo", "Bar"), ("Foo", "Bar", "Baz"), ("Quux",)]


def test_headings_of_one_style_are_of_one_level_wherever_the_page_is_cut() -> None:
    body = "A\n==\n \nOne.\n \nB\n==\n \nTwo.\n\nC\n==\n\nThree.\n"
    assert [block[1] for block in said(body, RST)] == [("A",), ("B",), ("C",)]


def test_a_stretch_without_headings_is_cut_between_paragraphs() -> None:
    body = "\n\n".join(f"Paragraph {number} tells of the tide." for number in range(3000)) + "\n\n- end\n"
    assert [block.text for block in assert_places_hold(body, RST)] == [f"Paragraph {number} tells of the tide." for number in range(3000)] + ["end"]


def test_a_long_line_of_marks_is_plain_up_to_what_docutils_sees_at_once() -> None:
    assert plain("*a* " * 5000).count("*") <= 2 * 5
    assert plain("*" + "x" * 9000 + "*").count("x") == 9000


def test_prose_on_top_is_no_header() -> None:
    assert headers("Note: this.\nand that", VOCABULARY).end == 0


def test_blocks_nested_too_deeply_are_a_bad_reading() -> None:
    with pytest.raises(BadReading, match="nested too deeply"):
        parsed("- " * 5000 + "a", RST, VOCABULARY)


WORDS = st.lists(
    st.sampled_from("quay lock ferry *tide* ``crane`` |yard| rope_ `mast <x>`_ 港口 signal:: pilot\\ s".split()), min_size=1, max_size=9
).map(" ".join)


def indented(text: str, by: int = 3) -> str:
    return "\n".join(" " * by + line if line else line for line in text.split("\n"))


def grid(cells: list[list[str]]) -> str:
    wide = [row[:2] + ["x"] * (2 - len(row)) for row in cells]
    widths = [max(len(row[column]) for row in wide) for column in (0, 1)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in wide]
    return "\n".join([rule, *(part for line in lines for part in (line, rule))])


ASCII = st.text("abc xyz", min_size=1, max_size=9).map(lambda text: text.strip() or "a")
LEAVES = st.one_of(
    WORDS,
    st.tuples(WORDS, WORDS).map("\n".join),
    st.lists(WORDS, min_size=1, max_size=3).map(lambda items: "\n".join(f"* {item}" for item in items)),
    st.lists(WORDS, min_size=1, max_size=3).map(lambda items: "\n".join(f":f{number}: {item}" for number, item in enumerate(items))),
    st.lists(st.lists(ASCII, min_size=1, max_size=2), min_size=1, max_size=3).map(grid),
    st.sampled_from(["----", "..", ".. comment", "::", ">>> a", "| line\n| two", "-x  option", ".. [1] note", "__ x", "A\n===", "===\nB\n==="]),
)  # fmt: skip
BLOCKS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(WORDS, inner).map(lambda pair: f"{pair[0]}\n{indented(pair[1])}"),
        st.tuples(st.sampled_from(["note", "code-block", "tab", "versionadded", "csv-table", "list-table", "unheard"]), WORDS, inner).map(
            lambda parts: f".. {parts[0]}:: {parts[1]}\n\n{indented(parts[2])}"
        ),
        st.tuples(inner, inner).map("\n\n".join),
        inner.map(lambda text: f"* {indented(text, 2)[2:]}"),
        inner.map(indented),
    ),
    max_leaves=8,
)


@given(st.lists(BLOCKS, min_size=1, max_size=5).map("\n\n".join))
@settings(deadline=None)
def test_every_block_of_any_document_stands_where_it_says(body: str) -> None:
    assert_places_hold(body, RST)
    assert_sections_are_records(body, RST)


@given(st.text("ab:*`|_<>[]\\.+-=# \n\n  \t0(){}~'\"", max_size=120))
@settings(deadline=None)
def test_any_text_is_read_or_refused(body: str) -> None:
    assert_places_hold(body, RST)


@pytest.mark.parametrize(
    "unit", ["- a\n\n* b\n\n", "*a `b ``c |d ", "a::\n\n", "+-+\n|a|\n+-+\n\n", "a\n  b\n", "A\n==\n\n", ".. a:: b\n\n", "+-", " a\n"]
)
def test_hostile_text_takes_time_that_grows_with_it_only(unit: str) -> None:
    def seconds(size: int) -> float:
        begun = time.process_time()
        parsed(unit * (size // len(unit)), RST, VOCABULARY)
        return time.process_time() - begun

    assert seconds(80_000) < 8 * seconds(20_000) + 1


@pytest.mark.skipif(not STREAMS.is_dir(), reason="the shared change histories are not beside this checkout")
@pytest.mark.parametrize(("name", "every"), [("devguide.jsonl.xz", 79), ("peps-bodies.jsonl.xz", 167)])
def test_every_block_of_real_pages_stands_where_it_says(name: str, every: int) -> None:
    with lzma.open(STREAMS / name, "rt", encoding="utf8") as lines:
        rows = [json.loads(line) for number, line in enumerate(lines) if number % every == 0]
    bodies = [row["body"] for row in rows if row["op"] != "D" and row["path"].endswith((".rst", ".txt"))]
    assert len(bodies) > 15
    for body in bodies:
        assert assert_places_hold(body, RST)
        assert_sections_are_records(body, RST)
