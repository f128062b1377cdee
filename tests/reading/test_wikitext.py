"""Wikitext through mwparserfromhell: what is read as what, where it stands, and that nothing breaks the reading."""

import gzip
import inspect
import json
import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.reading import parsed
from derive.tree import BlockKind
from schemas.errors import BadReading
from schemas.fact import SELF
from tests.reading.spans import VOCABULARY, assert_places_hold, assert_sections_are_records, facts, read, said

WIKI = "text/x-wiki"
HISTORY = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "payloads" / "mediawiki" / "content-history" / "mediawikidumper"

PAGE = """\
{{Short description|A quay}}
{{Use dmy dates|date=May 2024}}
{{Infobox port
| name     = North Quay
| image    = quay.jpg
| owner    = [[Tarn Works|Tarn]]<ref name="a">Said by {{cite web|url=x}}</ref>
| opened   = {{start date|1987|5|4}}
| depth    = {{convert|7|m}}
| cranes   =
* Crane 1
* Crane 2
| manager  = {{Infobox person | name = Orla Finch | born = 1950 }}
| note     =
}}
'''North Quay''' is a [[quay (harbour)|quay]] of [[Tarn Works]]<!-- a note -->, built {{as of|1987}} by
[https://example.org Milo &amp; Sons]; see [[:File:x.png|the plan]].<ref>Away</ref> {{citation needed}}

[[File:Quay.jpg|thumb|The quay]]
[[Category:Quays]]
[[de:Nordkai]]

== History ==
The quay needs:
* oil ''and'' grease
* a driver
** with a licence
*: who is awake
# first
# second

; Berth : A place where a ship lies for days, with power and water.
; Owner
: Dana Reyes
; Lonely

:An indented word.
::A deeper one.

 lift --slow
 lift --fast

<pre>
raw ''text'' [[here]]
</pre>
<nowiki>not ''bold''</nowiki>

=== Berths ===
{| class="wikitable sortable"
|+ Berths of the quay
! Berth !! Length
! Depth
|-
| [[North Berth]] || 40 m || 7 m
|-
! scope="row" | South Berth
| colspan=2 | 30 m<ref>x</ref>
|}

{{quote|A quay is no pier.}}
{{Ship|name=Tove|flag=Norway}}
----
__NOTOC__
'''Phone:''' 555
'''Fax:''' 556
<table><tr><th>Key</th><td>Value</td></tr></table>
"""


EXPECTED = [
    ("record", (), "", "name: North Quay\nowner: Tarn\nopened: 1987-05-04\ndepth: 7 m\ncranes: Crane 1\ncranes: Crane 2"),
    ("record", (), "", "manager: name is Orla Finch; born is 1950"),
    ("prose", (), "", "North Quay is a quay of Tarn Works, built as of 1987 by Milo & Sons; see the plan."),
    ("lead", ("History",), "", "The quay needs:"),
    ("item", ("History",), "The quay needs:", "oil and grease"),
    ("item", ("History",), "The quay needs:", "a driver"),
    ("item", ("History",), "", "with a licence"),
    ("prose", ("History",), "", "who is awake"),
    ("item", ("History",), "", "first"),
    ("item", ("History",), "", "second"),
    ("item", ("History",), "Berth:", "A place where a ship lies for days, with power and water."),
    ("item", ("History",), "", "Owner: Dana Reyes"),
    ("prose", ("History",), "", "Lonely"),
    ("prose", ("History",), "", "An indented word."),
    ("prose", ("History",), "", "A deeper one."),
    ("code", ("History",), "", " lift --slow\n lift --fast"),
    ("code", ("History",), "", "raw ''text'' [[here]]"),
    ("code", ("History",), "", "not ''bold''"),
    ("row", ("History", "Berths"), "", "North Berth: Length is 40 m; Depth is 7 m"),
    ("row", ("History", "Berths"), "", "South Berth: Length is 30 m; Depth is 30 m"),
    ("prose", ("History", "Berths"), "", "A quay is no pier."),
    ("record", ("History", "Berths"), "", "ship: name is Tove; flag is Norway"),
    ("item", ("History", "Berths"), "", "Phone: 555"),
    ("item", ("History", "Berths"), "", "Fax: 556"),
    ("row", ("History", "Berths"), "", "Key: Value"),
]
FACTS = [
    (SELF, (), "name", "North Quay"),
    (SELF, (), "owner", "Tarn"),
    (SELF, (), "opens", "1987-05-04"),
    (SELF, (), "depth", "7 m"),
    (SELF, (), "cranes", "Crane 1"),
    (SELF, (), "cranes", "Crane 2"),
    (SELF, ("manager",), "name", "Orla Finch"),
    (SELF, ("manager",), "born", "1950"),
    (SELF, ("History",), "owner", "Dana Reyes"),
    ("North Berth", (), "length", "40 m"),
    ("North Berth", (), "depth", "7 m"),
    ("South Berth", (), "length", "30 m"),
    ("South Berth", (), "depth", "30 m"),
    (SELF, ("ship",), "name", "Tove"),
    (SELF, ("ship",), "flag", "Norway"),
    (SELF, (), "phone", "555"),
    (SELF, (), "fax", "556"),
    (SELF, (), "key", "Value"),
]


def test_a_page_of_everything_becomes_blocks_under_section_paths() -> None:
    assert said(PAGE, WIKI) == EXPECTED
    assert_places_hold(PAGE, WIKI)
    assert_sections_are_records(PAGE, WIKI)


def test_infoboxes_tables_and_definitions_state_facts() -> None:
    assert facts(PAGE, WIKI) == FACTS


@pytest.mark.parametrize(
    "body",
    [
        "#REDIRECT [[West Quay]]",
        "#redirect: [[ West Quay |there]]\n{{R from move}}",
        "#WEITERLEITUNG [[West Quay#Kran]]\n[[Kategorie:Kai]]",
        "#重定向 [[West Quay]]",
        "#перенаправление [[:West Quay]]",
    ],
)
def test_a_page_that_points_elsewhere_is_a_redirect_in_any_language(body: str) -> None:
    found = read(body, WIKI)
    assert (found.redirect, found.units) == ("West Quay", ())


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("A [[quay]]s [[a b|c]] [[a (b)|]] [[a#b]] [[Help:a|]] [[w:a|b]] [[fr:a]] [[File:a.png|b]] [[Datei:a]] [[:Category:A]]",
         "A quays c a a#b a b Category:A"),
        ("[http://a.example b] [http://a.example] http://a.example", "b http://a.example"),
        ("a [1] [b] [http://a.example c [[d]] e] [http://b.example f", "a [1] [b] c d e http://b.example f"),
        ("'''a''' ''b'' <b>c</b> <small>d</small> e<br>f <math>g</math> &amp; &nbsp;&#xA; &#1; &bogus; h", "a b c d e f & &bogus; h"),
        ("{{as of|2024}} {{circa|1660}} {{convert|5|km|mi}} {{lang|fr|quai}} {{nowrap|x y}} {{en|z}} {{Unheard|of}}",
         "as of 2024 circa 1660 5 km quai x y z"),
        ("{{start date|2024|5|1}} {{date|2024|05}} {{ubl|a|b}} {{hlist|c}} {{nowrap}} {{lang}} {{as of}} {{other date|circa|1660}}",
         "2024-05-01 2024-05 a b c as of circa 1660"),
        ("{{dts|1991|January|24}} {{dts|24 May 1991}} {{dts|1991|1|24}} {{as of|2024|5}} {{film date|1999|3|31|Tarn}} {{c.|1660}}",
         "1991 January 24 24 May 1991 1991-01-24 as of 2024-05 1999-03-31 c. 1660"),
        ("{{val|3.5|u=m/s}} {{val|3|e=5}} {{val|2|ul=kg}} {{frac|1|2}} {{frac|3|1|2}} {{frac|4}}{{frac}}", "3.5 m/s 3×10^5 2 kg 1/2 3 1/2 1/4"),
        ("{{US$|2.5&nbsp;billion}} {{€}}{{gaps|1|000}} {{formatnum:37}}", "US$2.5 billion 1000 37"),
        ("{{NYSE|TARN}}{{NYSE}} {{HMS|Tove|1765}} {{ship|HMS|Ark|R07}} {{sortname|Orla|Finch|x}} {{ill|Otto|de}} {{ill|Otto|de|lt=Ott}}",
         "NYSE: TARN HMS Tove HMS Ark Orla Finch Otto Ott"),
        ("{{lang-de|Kai}} {{zh|s=码头|p=x}} {{nihongo|Quay|岸壁|ganpeki}} {{nihongo|Quay}} {{nihongo}}", "Kai 码头 Quay (岸壁, ganpeki) Quay"),
        ("{{yes}} {{no|Never}} a{{ndash}}b {{hs|c}}", "Yes Never a–b"),
        ("The quay ({{IPA|x}}; {{lang|de|Kai}}) {{cn}}, built ({{efn|y}}) late {{sfn|z}}. f ( ) g", "The quay (Kai), built late. f g"),
        ("f ( ) , g", "f ( ) , g"),
        ("a {{{1|b}}} {{{c}}} -{d}- ~~~~ __NOTOC__ <nowiki>''e''</nowiki> <code>f</code> {{PAGENAME}}", "a b d ''e'' f"),
        ("a<ref>b</ref>, c<ref name=x/>. d<!-- e -->f <ref>open", "a, c. df open"),
        ("a <!-- never closed", "a"),
        ("<b>" * 14 + "a" + "</b>" * 14 + " b", "a b"),
        ("{{nowrap|b\n== c ==\n}} &#x110000; </b> [[a <b>c]]", "b c &#x110000; a c"),
        ("<div>\n{| class=x\n| inner\n| cell\n|}\n</div> a", "inner cell a"),
        ("a [[b [[c]] ]] ]] d", "a [[b c ]] d"),
        ("a <ref group=b></ref><REF>c</REF > d </ref>", "a d"),
    ],
)  # fmt: skip
def test_inline_markup_is_what_a_reader_sees(body: str, text: str) -> None:
    assert " ".join(block.text for block in parsed(body, WIKI, VOCABULARY).tree.blocks) == text


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("* a\n** b\n*** c\n* d\n# e\n", ["a", "b", "c", "d", "e"]),
        ("*** deep\n* a\n*: more\n:: quoted\n: quoted", ["deep", "a", "more", "quoted", "quoted"]),
        ("; Term\n* a\n; Other : said\n: and said\n; Last", ["Term", "a", "Other: said", "and said", "Last"]),
        ("; Term\nText.\n; [[A]]\n:: b", ["Term", "Text.", "A: b"]),
        ("a\n code\n  more\ntext\n code\n\n code", ["a", " code\n  more", "text", " code", " code"]),
        ("a\nb\n\nc\n----\nd", ["a b", "c d"]),
        ("Text.\n<pre>x</pre> y\n<syntaxhighlight lang=py>z\n</syntaxhighlight>", ["Text.", "x", "y", "z"]),
        ("== ''A'' ==\n====\n== ==\nb", ["b"]),
        ("{|\n|a\n|b\n|-\n|}\n{|\n|}\n<table><tbody><tr><td rowspan='2'>c</td><td>d</td></tr></tbody></table>", ["a; b", "c; d"]),
        ("{|\n<b>x</b>\n<tr/><td/>\n| a\n| b\n|}", ["a; b"]),
        ("{|\n! a\n| b\n|-\n{{unheard}}\n| rowspan=x | c || d\n|}", ["a: b", "c; d"]),
        ("{|\n|+ Berths <ref>x</ref>\n! Berth !! Length\n|-\n| North || 4 m\n|}\nEnd", ["North: Length is 4 m", "End"]),
        ("{{Infobox\n|image=x.png\n}}\n{{Box|a=1}}\n{{cite web|url=a|title=b}}\n{{Navbox|a=1|b=2}}", []),
        ("{{Infobox|a=\n* b\n* c\n|d=long " + "e " * 60 + "\nf|<!-- -->g=h|=i}}", None),
        ("{{quote|text=a b}}\n{{Quote}}\nc {{quote|d}}", ["a b", "c"]),
        ("{{columns-list|colwidth=9em|\n* a\n** b\n* [[c]]\n}}\n{{ubl|d {{x}}|2=e}}\nf {{ubl|g}}", ["a", "b", "c", "d", "e", "f g"]),
        ("{{Infobox|label1=[[Depth]]|data1=7 m|leader_title=Master|leader_name=Orla|blank2_name=Tide|blank2_info=low|data2=x|label3=Lost}}",
         ["Depth: 7 m\nMaster: Orla\nTide: low\ndata2: x"]),
        ("{{a|b=1|c={{d|e=2|f={{g|h=3|i=4}}}}}}", ["b: 1", "c: e is 2", "c, f: h is 3; i is 4"]),
    ],
)  # fmt: skip
def test_what_is_unusual_is_read_as_far_as_it_goes(body: str, blocks: list[str] | None) -> None:
    found = [block.text for block in assert_places_hold(body, WIKI)]
    assert blocks is None or found == blocks


def test_tables_nested_too_deeply_are_a_bad_reading() -> None:
    body = "{|\n|\n" * 60 + "a" + "\n|}" * 60
    assert parsed(body, WIKI, VOCABULARY).tree.blocks
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 80)
    try:
        with pytest.raises(BadReading, match="nested too deeply"):
            parsed(body, WIKI, VOCABULARY)
    finally:
        sys.setrecursionlimit(limit)


WORDS = st.lists(
    st.sampled_from("quay ''lock'' [[ferry]] [[tide|tides]] '''crane''' 港口 {{as of|2024}} &amp; <b>mast</b>".split()), min_size=1, max_size=9
).map(" ".join)
INLINE = WORDS.map(lambda text: text.replace("of|", "of|"))


def box(values: list[str]) -> str:
    return "{{Infobox x\n" + "".join(f"| f{number} = {value}\n" for number, value in enumerate(values)) + "}}"


LINES = st.one_of(
    INLINE,
    st.tuples(st.sampled_from(["*", "**", "#", "*#", ":", "::", ";", " ", "#:", "*;"]), INLINE).map(lambda pair: f"{pair[0]} {pair[1]}"),
    st.tuples(INLINE, INLINE).map(lambda pair: f"; {pair[0]} : {pair[1]}"),
    st.tuples(st.integers(1, 6), INLINE).map(lambda pair: f"{'=' * pair[0]} {pair[1]} {'=' * pair[0]}"),
    st.lists(st.lists(INLINE, min_size=1, max_size=3), min_size=1, max_size=3).map(
        lambda rows: "{|\n" + "\n|-\n".join("| " + " || ".join(row) for row in rows) + "\n|}"
    ),
    st.lists(INLINE, min_size=1, max_size=3).map(box),
    st.sampled_from(["", "", "----", "<pre>x y</pre>", "<!-- x -->", "<ref>x</ref>", "[[Category:X]]", "{{unheard|of}}", "{{quote|a b}}", "__TOC__"]),
)  # fmt: skip


@given(st.lists(LINES, min_size=1, max_size=9).map("\n".join))
@settings(deadline=None)
def test_every_block_of_any_page_stands_where_it_says(body: str) -> None:
    assert_places_hold(body, WIKI)
    assert_sections_are_records(body, WIKI)


MARKS = "[[ ]] {{ }} {| |} |- | || ! !! = == * # : ; ''' '' <ref> </ref> <nowiki> </nowiki> <!-- --> <b </b> a b1 & &#; \n http://a"


@given(st.lists(st.sampled_from(MARKS.split(" ")), max_size=40).map("".join))
@settings(deadline=None)
def test_any_text_is_read_or_refused(body: str) -> None:
    for block in parsed(body, WIKI, VOCABULARY).tree.blocks:
        assert 0 <= block.start < block.end <= len(body)


HOSTILE = [
    "[http://a ",
    "[[a|",
    "{{a|",
    "[[",
    "{{",
    "{|\n|",
    "|-\n|a\n",
    "<b>",
    "<ref>",
    "* a\n",
    "; a : b\n",
    "a\n\n",
    "'''",
    "== a ==\n",
    "<table><tr><td>",
    "{{a|[[b|",
    "[[a]] ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_time_that_grows_with_it_only(unit: str) -> None:
    begun = time.process_time()
    parsed(unit * (100_000 // len(unit)), WIKI, VOCABULARY)
    assert time.process_time() - begun < 8


@pytest.mark.skipif(not HISTORY.is_dir(), reason="the shared content histories are not beside this checkout")
def test_every_block_of_real_revisions_stands_where_it_says_and_their_infobox_states_facts() -> None:
    with gzip.open(HISTORY / "wmf_content_mediawiki_content_history_v1.json.gz", "rt", encoding="utf8") as lines:
        slots = [slot for line in lines for slot in (json.loads(line)["revision_content_slots"] or {}).values()]
    bodies = {slot["content_body"] for slot in slots if slot.get("content_model") == "wikitext" and slot.get("content_body")}
    assert len(bodies) > 40
    boxes = 0
    for body in bodies:
        blocks = assert_places_hold(body, WIKI, lambda place: re.sub(r"<[^<>]*>", "", place))
        assert_sections_are_records(body, WIKI)
        stated = {(fact.subject, fact.predicate) for unit in read(body, WIKI).units for fact in unit.facts}
        boxes += (SELF, "artist") in stated
        assert "{{" not in "".join(block.text for block in blocks if block.kind is BlockKind.PROSE)
    assert boxes > 20
