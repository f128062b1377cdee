"""Confluence's storage format: macros, links, tasks, layouts and page properties as a person sees them."""

import html
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.text import normalise
from schemas.fact import SELF
from tests.reading.spans import assert_places_hold, assert_sections_are_records, facts, read, said

STORAGE = "text/x-confluence-storage"
_ATTRIBUTE = re.compile(r'\s(?:ri:[\w-]+|ac:alt|ac:anchor|ac:emoji-fallback|datetime)="([^"]*)"')


def shown(markup: str) -> str:
    """Return what a stretch of storage format can show: its texts, and what attributes name."""
    plain = re.sub(r"<!\[CDATA\[(.*?)\]\]>", lambda part: html.escape(part[1]), markup, flags=re.DOTALL)
    linked = re.sub(r"<ac:link.*?</ac:link>", lambda link: link[0] + " ".join(_ATTRIBUTE.findall(link[0])), plain, flags=re.DOTALL)
    told = re.sub(r"<[^!/][^>]*>", lambda tag: "".join(f" {value} " for value in _ATTRIBUTE.findall(tag[0])), linked)
    return html.unescape(re.sub(r"</[^>]*>", " ", told))


def macro(name: str, body: str = "", plain: str = "", **parameters: str) -> str:
    """Return a macro in storage format."""
    said = "".join(f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items())
    rich = f"<ac:rich-text-body>{body}</ac:rich-text-body>" if body else ""
    code = f"<ac:plain-text-body><![CDATA[{plain}]]></ac:plain-text-body>" if plain else ""
    return f'<ac:structured-macro ac:name="{name}" ac:schema-version="1">{said}{rich}{code}</ac:structured-macro>'


PAGE = f"""{macro("toc", maxLevel="3")}<h1>Overview</h1>
<p>The north quay has two&nbsp;cranes.</p>{macro("info", "<p>The quay is slippery.</p>", title="Mind the step")}
<ac:layout><ac:layout-section ac:type="two_equal"><ac:layout-cell><p>They need:</p><ul><li>oil</li><li>a driver</li></ul></ac:layout-cell>
<ac:layout-cell><h2>Plan</h2>{macro("code", plain='if [ a < b ]; then echo "&amp;"', lang="sh")}</ac:layout-cell></ac:layout-section></ac:layout>
{macro("expand", "<h2>More</h2><p>Deep inside.</p>")}{macro("children")}{macro("include", "<p>not here</p>")}
<table><tbody><tr><th>Crane</th><th>State</th></tr><tr><td>Crane 7</td><td>{macro("status", colour="Green", title="IN USE")}</td></tr></tbody></table>
<p><ac:placeholder>Write here</ac:placeholder></p>"""


def test_a_page_is_read_as_it_is_seen() -> None:
    assert said(PAGE, STORAGE) == [
        ("prose", ("Overview",), "", "The north quay has two cranes."),
        ("prose", ("Overview",), "", "Mind the step"),
        ("prose", ("Overview",), "", "The quay is slippery."),
        ("lead", ("Overview",), "", "They need:"),
        ("item", ("Overview",), "They need:", "oil"),
        ("item", ("Overview",), "They need:", "a driver"),
        ("code", ("Overview", "Plan"), "", 'if [ a < b ]; then echo "&amp;"'),
        ("prose", ("Overview", "More"), "", "Deep inside."),
        ("row", ("Overview", "More"), "", "Crane 7: State is IN USE"),
    ]
    assert read(PAGE, STORAGE).title is None
    assert facts(PAGE, STORAGE) == [("Crane 7", (), "state", "IN USE")]
    assert_places_hold(PAGE, STORAGE, shown)
    assert_sections_are_records(PAGE, STORAGE)


def test_page_properties_speak_of_the_page_whether_upright_or_lying() -> None:
    upright = "<table><thead><tr><th>Owner</th><td>Dana Reyes</td></tr></thead><tbody><tr><td><b>Port</b></td><td>8080</td></tr>"
    upright += '<tr><th>Due</th><td><time datetime="2031-03-03" /></td></tr><tr><th>Notes</th><td></td></tr>'
    upright += '<tr><td colspan="2">So be it</td></tr></tbody></table>'
    body = macro("details", f"<p>Known:</p> <div>{upright}</div>")
    assert facts(body, STORAGE) == [(SELF, (), "owner", "Dana Reyes"), (SELF, (), "listens on", "8080"), (SELF, (), "due", "2031-03-03")]
    assert [text for *_, text in said(body, STORAGE)][-2:] == ["Notes", "So be it"]
    lying = macro("details", "<table><tr><th>Owner</th><th>Port</th></tr><tr><td>Dana Reyes</td><td>8080</td></tr></table>")
    assert facts(lying, STORAGE) == [(SELF, (), "owner", "Dana Reyes"), (SELF, (), "listens on", "8080")]
    for one in (body, lying):
        assert_places_hold(one, STORAGE, shown)


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ('<ac:link><ri:page ri:content-title="R&amp;D" ri:space-key="OPS" /></ac:link>', "R&D"),
        (
            '<ac:link><ri:page ri:content-title="Quay Handbook"/><ac:plain-text-link-body><![CDATA[the manual]]></ac:plain-text-link-body></ac:link>',
            "the manual (Quay Handbook)",
        ),
        ('<ac:link><ri:page ri:content-title="Quay"/><ac:link-body>the <em>quay</em></ac:link-body></ac:link>', "the quay"),
        ('<ac:link ac:anchor="Plan"><ac:link-body>below</ac:link-body></ac:link>', "below (Plan)"),
        ("<ac:link><ac:link-body>nowhere</ac:link-body></ac:link>", "nowhere"),
        ('<ac:link><ri:attachment ri:filename="plan.png"/></ac:link>', "plan.png"),
        ('<ac:link><ri:user ri:username="dreyes"/></ac:link>', "@dreyes"),
        ('<ac:link><ri:user ri:account-id="5b10"/></ac:link>', "@5b10"),
        ('<ac:image ac:alt="the crane"><ri:attachment ri:filename="a.png"/></ac:image>', "the crane"),
        ('<ac:image ac:alt="the crane"/>', "the crane"),
        ('<ac:emoticon ac:name="blue-star" ac:emoji-fallback="☂"/>', "☂"),
        ('<ac:emoticon ac:name="tick"/>', "✓"),
        (macro("jira", key="CRANE-7", server="x"), "CRANE-7"),
        ('<ac:inline-comment-marker ac:ref="1">deep</ac:inline-comment-marker>', "deep"),
    ],
)
def test_what_stands_in_a_line_is_text(link: str, text: str) -> None:
    body = f"<p>Look at {link} now.</p>"
    assert said(body, STORAGE) == [("prose", (), "", f"Look at {text} now.")]
    assert_places_hold(body, STORAGE, shown)


@pytest.mark.parametrize(
    "silent",
    [
        '<ac:emoticon ac:name="smile"/>',
        '<ac:emoticon ac:name="x" ac:emoji-fallback=":smile:"/>',
        "<ac:link></ac:link>",
        '<ac:image><ri:url ri:value="a.png"/></ac:image>',
        macro("status", colour="Red"),
        macro("jira", jqlQuery="project = CRANE"),
        macro("anchor", **{"": "here"}),
        macro("recently-updated"),
    ],
)
def test_what_shows_no_words_is_no_text(silent: str) -> None:
    assert [text for *_, text in said(f"<p>Look {silent} here.</p>", STORAGE)] == ["Look here."]


def test_tasks_are_items_and_say_when_they_are_done() -> None:
    task = "<ac:task><ac:task-id>{}</ac:task-id><ac:task-status>{}</ac:task-status><ac:task-body><span>{}</span></ac:task-body></ac:task>"
    body = (
        f"<p>Still to do:</p><ac:task-list>{task.format(7, 'incomplete', 'Order the seal')}{task.format(8, 'complete', 'Call them')}</ac:task-list>"
    )
    assert said(body, STORAGE)[1:] == [
        ("item", (), "Still to do:", "Order the seal"),
        ("item", (), "Still to do:", "[complete] Call them"),
    ]
    assert_places_hold(body, STORAGE, shown)


def test_panels_of_the_new_editor_and_captions_are_text_and_their_fallback_is_not_said_again() -> None:
    panel = '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute><ac:adf-content><p>Mind it.</p>'
    body = f"{panel}</ac:adf-content></ac:adf-node><ac:adf-fallback><p>Mind it.</p></ac:adf-fallback></ac:adf-extension>"
    body += '<ac:image ac:alt="the crane"><ri:attachment ri:filename="a.png"/><ac:caption><p>Crane 7</p></ac:caption></ac:image>'
    assert [text for *_, text in said(body, STORAGE)] == ["Mind it.", "the crane", "Crane 7"]
    assert_places_hold(body, STORAGE, shown)


WORDS = st.lists(st.sampled_from(["quay", "Tarn", "4", "é", "R&amp;D", "x&nbsp;y", "港口", "ends."]), min_size=1, max_size=5).map(" ".join)
LINES = st.one_of(
    WORDS,
    WORDS.map(lambda text: f'{text} <ac:link><ri:page ri:content-title="Quay Handbook"/></ac:link> <b>{text}</b>'),
    WORDS.map(lambda text: f"{text}<br/>{text} {macro('status', title='DONE')}"),
)
BODIES = st.recursive(
    st.one_of(
        LINES.map("<p>{}</p>".format),
        WORDS.map("<h2>{}</h2>".format),
        st.builds("<table><tr><th>{}</th><th>{}</th></tr><tr><td>{}</td><td>{}</td></tr></table>".format, WORDS, WORDS, LINES, LINES),
        st.builds(lambda one, two: macro("details", f"<table><tr><th>{one}</th><td>{two}</td></tr></table>"), WORDS, LINES),
        WORDS.map(lambda text: macro("code", plain=html.unescape(text))),
        st.sampled_from([macro("toc"), '<ac:emoticon ac:name="smile"/>', "<hr/>"]),
    ),
    lambda inner: st.lists(inner, max_size=3).flatmap(
        lambda parts: st.sampled_from(
            [
                "".join(parts),
                macro("panel", "".join(parts), title="Mind"),
                "<ul>" + "".join(f"<li>{part}</li>" for part in parts) + "</ul>",
                "<ac:layout><ac:layout-section><ac:layout-cell>" + "".join(parts) + "</ac:layout-cell></ac:layout-section></ac:layout>",
                "<ac:task-list>" + "".join(f"<ac:task><ac:task-body>{part}</ac:task-body></ac:task>" for part in parts) + "</ac:task-list>",
            ]
        )
    ),
    max_leaves=8,
)


@given(BODIES)
def test_every_unit_stands_in_the_body_where_it_says(body: str) -> None:
    assert_places_hold(body, STORAGE, shown)


PIECES = "<p> </p> <ac:link> </ac:link> <ac:image> <ac:task> <ac:task-list> <ac:task-status> <table> <tr> <td> <![CDATA[ ]]> < > /> & </ li".split()
PIECES += [
    '<ac:structured-macro ac:name="details">',
    "<ac:rich-text-body>",
    '<ri:page ri:content-title="Quay"/>',
    "</ac:structured-macro>",
    "complete",
    "\n",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=30).map("".join))
def test_any_text_is_read_with_places_inside_it(body: str) -> None:
    assert all(0 <= unit.start < unit.end <= len(normalise(body)) for unit in read(body, STORAGE).units)


@pytest.mark.parametrize(
    "unit", ["<ac:structured-macro ac:name='details'>", "<ac:link><ac:link-body>a", "<table><tr><td>", "<ac:task-list><ac:task>a", "<![CDATA["]
)
def test_hostile_bodies_take_time_in_proportion_to_their_length(unit: str) -> None:
    began = time.process_time()
    read(unit * (200_000 // len(unit)), STORAGE)
    assert time.process_time() - began < 20  # below 3 without coverage
