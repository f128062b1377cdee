"""Links between documents: what each format calls a link, where its words stand in the unit, and that no cut or stitch moves it off them."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.markup.links import Shown, linked, name_of, path_of, shown, spaced, unmarked
from derive.reading import parsed, reading_of
from derive.repair import repaired
from derive.text import squeeze
from derive.tree import Block, BlockKind
from derive.units import LONGEST, divided, pieces
from schemas.version import Link
from schemas.vocabulary import shipped

VOCABULARY = shipped()
MARKDOWN, RST, WIKI, HTML = "text/markdown", "text/x-rst", "text/x-wiki", "text/html"
JIRA, STORAGE, ADF = "text/x-jira", "text/x-confluence-storage", "application/vnd.atlassian.adf+json"


def links(body: str, media_type: str) -> list[tuple[str, str]]:
    """Return target and words of each link in a body's units."""
    found = parsed(body, media_type, VOCABULARY)
    read = reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)
    return [(link.target, unit.text[link.start : link.end]) for unit in read.units for link in unit.links]


def adf(*nodes: object) -> str:
    return json.dumps({"type": "doc", "content": [{"type": "paragraph", "content": list(nodes)}]})


def text(words: str, *marks: dict[str, object]) -> dict[str, object]:
    return {"type": "text", "text": words, "marks": list(marks)}


def to(address: str) -> dict[str, object]:
    return {"type": "link", "attrs": {"href": address}}


LINKS: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "markdown inline": (MARKDOWN, "The quay and [the **quay**\nrules](../rules.md#night) hold.", [("../rules.md", "the quay rules")]),
    "markdown reference": (
        MARKDOWN,
        "See [the rules][R] and [cranes], not [x][y].\n\n[r]: rules.md 'Rules'\n[cranes]: <lift the%20crane.md>",
        [("rules.md", "the rules"), ("lift the crane.md", "cranes")],
    ),
    "markdown elsewhere": (MARKDOWN, "[a](https://a.example/b) <https://a.example> [b](#b) [c](mailto:x@a.example) ![d](d.png) [e](//a.example)", []),
    "markdown note": (MARKDOWN, "The quay[^1] is closed.\n\n[^1]: repaired", []),
    "markdown heading": (MARKDOWN, "# One\n\n## To [the rules](rules.md)\n\nText.", []),
    "markdown pair": (
        MARKDOWN,
        "- Owner: see [Dana Reyes](people/dana.md)\n- [Crane 7](crane.md): in [repair](repair.md)\n\n**Load:** [40 t](load.md)\n**Of:** [it](it.md)",
        [("people/dana.md", "Dana Reyes"), ("crane.md", "Crane 7"), ("repair.md", "repair"), ("load.md", "40 t"), ("it.md", "it")],
    ),
    "markdown definition": (
        MARKDOWN,
        "Owner\n: [Dana](d.md)\n\nQuay\n: A place for [ships](ships.md). It is wet.",
        [("d.md", "Dana"), ("ships.md", "ships")],
    ),
    "markdown item": (MARKDOWN, "It needs:\n\n- some [oil](oil.md) and grease", [("oil.md", "oil")]),
    "markdown table": (
        MARKDOWN,
        "| Crane | Load |\n|---|---|\n| [Crane 7](c7.md) | up to [40 t](load.md) |\n| Crane 8 | [-](none.md) |",
        [("c7.md", "Crane 7"), ("load.md", "40 t")],
    ),
    "rst": (
        RST,
        "See :doc:`/rules/night`, :doc:`the cranes <cranes>`, `the plan <../p.rst#n>`_,\n`o <https://a.example>`_, :ref:`x`.\n\n| a :doc:`line`\n| b",
        [("/rules/night", "/rules/night"), ("cranes", "the cranes"), ("../p.rst", "the plan"), ("line", "line")],
    ),
    "rst tables": (
        RST,
        ("=== ============\nA   Rules\n=== ============\nOne :doc:`rules`\n=== ============\n\n"
        ".. csv-table::\n   :header: A, Rules\n\n   Two, :doc:`more`\n\n.. note:: Not :doc:`there`"),
        [("rules", "rules"), ("more", "more"), ("there", "there")],
    ),
    "wikitext": (
        WIKI,
        "The [[night_rules#Quay|rules]] of [[Gate Crew]]s, [[:Harbour (north)|]] and {{nowrap|[[Crane 7]]}} {{lang|en|[[Dock]]}}; [[Help:Boats]]",
        [("night rules", "rules"), ("Gate Crew", "Gate Crew"), ("Harbour (north)", "Harbour"), ("Crane 7", "Crane 7"), ("Dock", "Dock"),
         ("Help:Boats", "Help:Boats")],
    ),
    "wikitext elsewhere": (
        WIKI,
        ("Not [[#here|up]] [[File:x.png|thumb|a [[Nested]]]] [[Category:Ships]] [[:Category:Ships]] [[de:Kai]] [[de:Kai|Kai]] [[wikt:quay|quay]] "
        "[https://a.example out]"),
        [],
    ),
    "wikitext infobox": (
        WIKI,
        ("{{Infobox harbour\n| owner = owner [[Dana Reyes]]\n| cranes = * [[Crane 7|Seven]]\n* [[Crane 8]]\n| depth = -\n}}\n\n"
        "{{Box\n| a = [[A]]\n| b = c\n}}"),
        [("Dana Reyes", "Dana Reyes"), ("Crane 7", "Seven"), ("Crane 8", "Crane 8"), ("A", "A")],
    ),
    "wikitext blocks": (
        WIKI,
        "* an [[item]]\n; Owner : [[Dana]]\n\n{{quote|Go to [[sea]].}}\n\n a [[code]]\n\n{|\n! Crane !! Rules\n|-\n| One || [[Lift]]\n|}",
        [("item", "item"), ("Dana", "Dana"), ("sea", "sea"), ("Lift", "Lift")],
    ),
    "html": (
        HTML,
        ('<p>The quay, <a href="quay.html#n"> the <b>quay</b> </a>. <a href="https://a.example">out</a> <a name=x>x</a> <a href=i><img></a></p>'
        '<ul><li><a href="/oil">oil</a></ul><dl><dt>Owner<dd><a href=d>Dana</a></dl><table><tr><th>A<th>B<tr><td>1<td><a href=two>2 t</a></table>'
        "<p>one<br><a href=br.html>two<br>lines</a></p>"),
        [("quay.html", "the quay"), ("/oil", "oil"), ("d", "Dana"), ("two", "2 t"), ("br.html", "two")],
    ),
    "storage": (
        STORAGE,
        ('<p><ac:link><ri:page ri:content-title="Night: rules" /><ac:link-body>the <b>rules</b></ac:link-body></ac:link> and '
        '<ac:link><ri:page ri:content-title="Cranes" ri:space-key="H" /></ac:link>, <ac:link ac:anchor="up" />, '
        '<ac:link><ri:attachment ri:filename="x.pdf" /></ac:link> <ac:link><ri:user ri:username="d" /></ac:link> <a href="plan.html">plan</a></p>'),
        [("Night: rules", "the rules"), ("Cranes", "Cranes"), ("plan.html", "plan")],
    ),
    "jira": (
        JIRA,
        "See [HARB-12], [the _night_ rules|Night_Rules_1#top], [it|HARB-7], HARB-9, [a].\n\n||Crane||Rules||\n|One|[Lift]|\n|Two|[lift|Lift rules]|",
        [("HARB-12", "HARB-12"), ("Night_Rules_1", "the night rules"), ("HARB-7", "it"), ("Lift rules", "lift")],
    ),
    "jira elsewhere": (
        JIRA, "[m|mailto:a@a.example], [here|#x], [file|^x.pdf], [out|https://a.example|smart-link], [https://a.example], [Dana|~dana], [^a.pdf]", [],
    ),
    "adf": (
        ADF,
        adf(
            text("See "), text("the ", to("/rules#a")), text("rules", to("/rules#a"), {"type": "strong"}), text(" and "), text("out", to("https://a.example")),
            text(" "), {"type": "inlineCard", "attrs": {"url": "/browse/HARB-7"}}, text("."), text(" none", {"type": "link"}),
        ),
        [("/rules", "the rules"), ("/browse/HARB-7", "/browse/HARB-7")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LINKS)
def test_a_link_names_its_target_and_stands_at_its_own_words(name: str) -> None:
    media_type, body, expected = LINKS[name]
    assert links(body, media_type) == expected


def test_a_link_is_where_it_is_written_and_not_where_its_words_come_first() -> None:
    (block,) = parsed("The quay, [quay](quay.md).", MARKDOWN, VOCABULARY).blocks
    assert block.links == (Link("quay.md", 10, 14),)


def test_a_key_that_reads_otherwise_in_its_unit_loses_its_link_and_the_value_keeps_its_own() -> None:
    assert links("- [owner_name](o.md): [Dana](d.md)", MARKDOWN) == [("d.md", "Dana")]


def test_links_change_no_key_of_the_memo() -> None:
    one, other = (parsed(body, MARKDOWN, VOCABULARY) for body in ("See [the rules](rules.md).", "See the rules."))
    assert one.keys == other.keys
    assert one.blocks[0].text == other.blocks[0].text


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("a%20b.md#c", "a b.md"),
        ("#c", ""),
        ("?page=2", ""),
        ("HTTP://a", ""),
        ("C:/a", ""),
        ("../a.md?x=1", "../a.md?x=1"),
        ("a" * 301, ""),
        ("%ff\n", "\ufffd"),
    ],
)
def test_a_path_is_as_the_source_names_it_without_its_fragment(address: str, path: str) -> None:
    assert path_of(address) == path


def test_a_name_has_words_and_no_end_without_bounds() -> None:
    assert [name_of(title) for title in (" Night  rules#top", "#top", "--", "a" * 301)] == ["Night rules", "", "", ""]


words = st.text("ab .\n", max_size=6)
stretches = st.lists(st.tuples(words, st.sampled_from(["", "x", "y.md"])), max_size=8)


@given(stretches)
def test_marks_leave_the_text_as_it_is_without_them(parts: list[tuple[str, str]]) -> None:
    marked = "".join(linked(part, target) for part, target in parts)
    plain = "".join(part for part, _ in parts)
    found = shown(marked)
    assert found.text == squeeze(plain)
    assert unmarked(marked) == plain
    assert [(link.target, found.text[link.start : link.end]) for link in found.links] == [
        (target, squeeze(part)) for part, target in parts if target and set(part) & set("ab")
    ]


@given(st.text("a \2\3\4", max_size=20))
def test_marks_that_nothing_closes_are_not_shown(text: str) -> None:
    found = shown(text.replace("\2", "\2x\3").replace("\3\3", "\3"))
    assert all(0 <= link.start < link.end <= len(found.text) for link in found.links)


@st.composite
def linked_blocks(draw: st.DrawFn) -> list[Block]:
    """Draw blocks as a chunker may leave them: each word that is capital letters is a link to itself."""
    blocks: list[Block] = []
    for piece in draw(
        st.lists(st.lists(st.sampled_from("the ABLE of quay BAKER, closed. and CHA- x".split()), min_size=1, max_size=60), min_size=1, max_size=8)
    ):
        line = spaced([shown(linked(word, word) if word.isupper() else word) for word in piece])
        start = blocks[-1].end + 2 if blocks else 0
        kind = draw(st.sampled_from([BlockKind.PROSE, BlockKind.ITEM]))
        blocks.append(Block(kind, line.text, (), start, start + len(line.text), links=line.links))
    return blocks


@given(linked_blocks(), st.integers(0, 3))
def test_stitching_dividing_and_joining_keep_each_link_at_its_words(blocks: list[Block], times: int) -> None:
    grown = [
        Block(block.kind, longer.text, (), block.start, block.end, links=longer.links)
        for block in blocks
        for longer in [spaced([Shown(block.text, block.links)] * (times * LONGEST // (3 * len(block.text) + 1) + 1))]
    ]
    whole = repaired(grown, [])
    units = pieces([part for block in whole for part in divided(block)], [])
    found = [(link.target, unit.text[link.start : link.end]) for unit in units for link in unit.links]
    assert all(words == target or (target.endswith("-") and words == target[:-1]) for target, words in found)
    assert [target for target, _ in found] == [link.target for block in grown for link in block.links]


@pytest.mark.parametrize(("media_type", "piece"), [(MARKDOWN, "[a](b.md) "), (WIKI, "[[a|b]] "), (HTML, "<a href=b>a</a> "), (JIRA, "[a|b] ")])
def test_many_links_take_time_that_grows_with_them_only(media_type: str, piece: str) -> None:
    begun = time.process_time()
    count = 100_000 // len(piece)
    assert len(links(piece * count, media_type)) == count
    assert time.process_time() - begun < 12


def test_a_definition_that_everything_refers_to_costs_what_it_is_long() -> None:
    begun = time.process_time()
    assert links(f"[a]: {'b' * 200_000}\n\n" + "[a] " * 20_000, MARKDOWN) == []
    assert time.process_time() - begun < 12
