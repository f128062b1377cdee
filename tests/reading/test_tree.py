"""Bodies as block trees: Markdown, front matter, plain text with headers, reStructuredText."""

import pytest

from derive.markup.forms import form_of
from derive.markup.structure import singular
from derive.reading import parsed, reading_of
from derive.text import normalise, sentences
from derive.tree import Block, BlockKind, Form
from schemas.errors import BadReading
from schemas.version import Reading
from schemas.vocabulary import shipped

VOCABULARY = shipped()


def blocks(body: str, media_type: str = "text/markdown") -> tuple[Block, ...]:
    return parsed(body, media_type, VOCABULARY).blocks


def reading(body: str, media_type: str = "text/markdown") -> Reading:
    """Read a body with nothing drawn from its prose."""
    found = parsed(body, media_type, VOCABULARY)
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def texts(body: str, media_type: str = "text/markdown") -> list[tuple[BlockKind, str]]:
    return [(block.kind, block.text) for block in blocks(body, media_type)]


PAGE = """# Quay Handbook

The *north* quay lies at [the basin](https://example.org/basin) and uses `qctl`.
It has two cranes.

## Cranes

The cranes need:

- oil **and** grease
- a driver
  - with a licence

> Never lift people.

### Plan

```
lift --slow
```

| Crane | Load |
| --- | --- |
| Crane 1 | 40 t |

![the old crane](x.png)
"""


def test_markdown_becomes_blocks_under_section_paths_with_plain_text() -> None:
    found = [(block.kind, block.section, block.text) for block in blocks(PAGE)]
    assert found == [
        (BlockKind.PROSE, (), "The north quay lies at the basin and uses qctl. It has two cranes."),
        (BlockKind.LEAD, ("Cranes",), "The cranes need:"),
        (BlockKind.ITEM, ("Cranes",), "oil and grease"),
        (BlockKind.ITEM, ("Cranes",), "a driver"),
        (BlockKind.ITEM, ("Cranes",), "with a licence"),
        (BlockKind.PROSE, ("Cranes",), "Never lift people."),
        (BlockKind.CODE, ("Cranes", "Plan"), "lift --slow"),
        (BlockKind.ROW, ("Cranes", "Plan"), "Crane 1: Load is 40 t"),
        (BlockKind.PROSE, ("Cranes", "Plan"), "the old crane"),
    ]
    assert reading(PAGE).title == "Quay Handbook"


def test_an_item_is_read_with_its_lead_in() -> None:
    items = [block.statement for block in blocks(PAGE) if block.kind is BlockKind.ITEM]
    assert items[:2] == ["The cranes need: oil and grease", "The cranes need: a driver"]


def test_every_block_knows_its_place_in_the_body() -> None:
    for block in blocks(PAGE):
        place = normalise(PAGE)[block.start : block.end]
        own = [word for word in block.text.replace(":", " ").split() if word != "is"]
        assert all(word.strip(".") in place or block.kind is BlockKind.ROW for word in own)
    row = next(block for block in blocks(PAGE) if block.kind is BlockKind.ROW)
    assert normalise(PAGE)[row.start : row.end] == "| Crane 1 | 40 t |"


def test_sections_reach_to_the_next_heading_of_their_level_and_equal_paths_are_counted() -> None:
    body = "## One\n\ntext\n\n### Below\n\nmore\n\n## Two\n\nother\n\n## One\n\nagain"
    found = reading(body).sections
    assert [(section.path, section.number) for section in found] == [
        (("One",), 0),
        (("One", "Below"), 0),
        (("Two",), 0),
        (("One",), 1),
    ]
    assert body[found[0].start : found[0].end].endswith("more\n\n")
    assert found[-1].end == len(body)


def test_a_heading_of_level_one_on_top_is_the_title_and_no_section() -> None:
    assert reading("# Title\n\nText of the page.\n\n## Part\n\nMore text.").units[0].section == ()
    assert reading("## Part\n\n# Late\n\nText.").sections[1].path == ("Late",)
    several = reading("# One\n\nText.\n\n# Two\n\nMore.")
    assert (several.title, [unit.section for unit in several.units]) == ("One", [("One",), ("Two",)])


def test_line_ends_byte_order_mark_and_forbidden_characters_do_not_matter() -> None:
    assert reading("\ufeff# A\r\n\r\nsome\x00 text\r\nhere\r\n") == reading("# A\n\nsome text\nhere")
    assert reading("# A\n\nlone \ud800 one").units[0].text == "lone \ufffd one"


def test_the_same_words_in_other_markup_are_another_content() -> None:
    assert reading("a b c").content == reading("  a b c \n").content
    assert reading("a b c").content != reading("a b c", "text/plain").content
    assert form_of("text/markdown; charset=utf-8") is Form.MARKDOWN
    assert form_of("application/x-unheard") is Form.PLAIN


FRONT = """---
title: Boarding App
aliases: [BA, Board App]
repository: line/boarding
tags:
  - ramp
  - ticket
stable: true
since when: null
description: |
  Scans tickets.

  At the ramp.
releases:
  - releaseCycle: "3.12"
    latest: 3.12.0
    eol: 2028-10-31
  - cycle: 3.11
    eol: false
contact:
  mail: desk@example.org
---
Text.
"""


def test_front_matter_becomes_one_block_per_record() -> None:
    found = blocks(FRONT)
    assert [block.text for block in found] == [
        "repository: line/boarding\ntags: ramp\ntags: ticket\nstable: True\ndescription: Scans tickets.\n\nAt the ramp.",
        "release 3.12: latest is 3.12.0; eol is 2028-10-31",
        "release 3.11: eol is False",
        "contact: mail is desk@example.org",
        "Text.",
    ]
    assert FRONT[found[1].start : found[1].end].strip().startswith('releaseCycle: "3.12"')
    read = reading(FRONT)
    assert (read.title, read.aliases) == ("Boarding App", ("BA", "Board App"))


TOML = """+++
title = "Boarding App"
aliases = ["BA"]
tags = ["ramp", "ticket"]
stable = true
opens = 08:30:00
day = 2024-05-01

[[releases]]
cycle = "3.12"
latest = "3.12.0"

[contact]
mail = "desk@example.org"
+++
Text.
"""


def test_front_matter_in_toml_is_read_as_in_yaml() -> None:
    assert [block.text for block in blocks(TOML)] == [
        "tags: ramp\ntags: ticket\nstable: True\nopens: 08:30:00\nday: 2024-05-01",
        "release 3.12: latest is 3.12.0",
        "contact: mail is desk@example.org",
        "Text.",
    ]
    assert (reading(TOML).title, reading(TOML).aliases) == ("Boarding App", ("BA",))
    assert texts("+++\nnot closed") == [(BlockKind.PROSE, "+++ not closed")]
    with pytest.raises(BadReading, match="front matter: "):
        parsed("+++\na = [1\n+++\ntext", "text/markdown", VOCABULARY)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("---\na: [1, 2\n---\ntext", "front matter: .*expected"),
        ("---\na: 1\n b: 2\n---\ntext", "front matter: .*mapping"),
        ("---\nday: 2023-02-30\n---\ntext", "front matter: .*day"),
        ("---\n? [a, b]\n: c\n---\n", "front matter: the field in line 2 has no plain name"),
        ("---\na: !!python/object:os.system x\n---\ntext", "front matter: .*constructor"),
    ],
)
def test_broken_front_matter_is_refused_with_the_problem(body: str, problem: str) -> None:
    with pytest.raises(BadReading, match=problem):
        parsed(body, "text/markdown", VOCABULARY)


def test_a_rule_on_top_is_no_front_matter() -> None:
    assert texts("---\n\nOne line.\n\n---\n\nAnother.") == [(BlockKind.PROSE, "One line."), (BlockKind.PROSE, "Another.")]
    assert texts("---\nnot closed") == [(BlockKind.PROSE, "not closed")]


@pytest.mark.parametrize("body", ["#REDIRECT [[West Quay]]", "# Redirect: [[ West Quay | there ]]\n", "---\nredirect_to: West Quay\n---\n"])
def test_a_body_that_only_points_elsewhere_is_a_redirect(body: str) -> None:
    found = reading(body)
    assert (found.redirect, found.units) == ("West Quay", ())


TICKET = """Title: Crane stops
Status: in progress
Assignee: Dana Reyes
Notes: it stops
    when it rains

The crane stops when it rains.

- Severity: high
- Look at the fuse first.
"""


def test_headers_on_top_of_plain_text_are_a_record_with_continuations() -> None:
    assert texts(TICKET, "text/plain") == [
        (BlockKind.RECORD, "Title: Crane stops\nStatus: in progress\nAssignee: Dana Reyes\nNotes: it stops when it rains"),
        (BlockKind.PROSE, "The crane stops when it rains."),
        (BlockKind.ITEM, "Severity: high"),
        (BlockKind.ITEM, "Look at the fuse first."),
    ]
    assert reading(TICKET, "text/plain").title == "Crane stops"


def test_lists_of_names_in_headers_are_several_values_without_addresses() -> None:
    body = "PEP: 31\nReplaces: 4, 18, 25\nAuthor: Ada Lund <ada@example.org>, Bo Fjell\nStatus: Final\n\nText."
    assert texts(body, "text/x-rst")[0][1] == "PEP: 31\nReplaces: 4\nReplaces: 18\nReplaces: 25\nAuthor: Ada Lund\nAuthor: Bo Fjell\nStatus: Final"


@pytest.mark.parametrize("body", ["Note: this is prose.\nAnd more of it.", "One: two.", "Just text."])
def test_prose_with_a_colon_is_no_header(body: str) -> None:
    assert [kind for kind, _ in texts(body, "text/plain")] == [BlockKind.PROSE]


RST = """PEP: 12
Title: Quays

Abstract
========

Use ``qctl`` and :ref:`the manual <manual>`, see `Basin <https://example.org>`_.

.. note:: The quay is *closed*.

.. _target:

Example::

    qctl open

Steps:

1. Look.
2. Jump.

Rationale
---------

Because.
"""


def test_restructured_text_has_headers_sections_code_and_items() -> None:
    found = [(block.kind, block.section, block.text, block.lead) for block in blocks(RST, "text/x-rst")]
    assert found == [
        (BlockKind.RECORD, (), "PEP: 12\nTitle: Quays", ""),
        (BlockKind.PROSE, (), "Use qctl and the manual, see Basin.", ""),
        (BlockKind.PROSE, (), "The quay is closed.", ""),
        (BlockKind.LEAD, (), "Example:", ""),
        (BlockKind.CODE, (), "qctl open", ""),
        (BlockKind.LEAD, (), "Steps:", ""),
        (BlockKind.ITEM, (), "Look.", "Steps:"),
        (BlockKind.ITEM, (), "Jump.", "Steps:"),
        (BlockKind.PROSE, ("Rationale",), "Because.", ""),
    ]


def test_overlined_headings_are_a_level_of_their_own() -> None:
    body = "=====\nTitle\n=====\n\nOne\n===\n\ntext\n\nTwo\n---\n\nmore\n\nThree\n-----\nend"
    assert [block.section for block in blocks(body, "text/x-rst")] == [("One",), ("One", "Two"), ("One", "Three")]
    assert reading(body, "text/x-rst").title == "Title"


def test_plain_text_has_underlined_headings_and_lists_over_empty_lines() -> None:
    body = "====\nQuay\n====\n\nSailing:\n\n1. Look.\n   Twice.\n\n2. Jump.\n\nAfter.\nCranes\n------\nTwo.\n\nBarges\n------\n\n====\n\nEnd ==\n"
    assert [(block.section, block.lead, block.text) for block in blocks(body, "text/plain")] == [
        ((), "", "Sailing:"),
        ((), "Sailing:", "Look. Twice."),
        ((), "Sailing:", "Jump."),
        ((), "", "After."),
        (("Cranes",), "", "Two."),
        (("Barges",), "", "End =="),
    ]
    assert reading(body, "text/plain").title == "Quay"


def test_names_that_a_text_declares_equal_are_pairs() -> None:
    body = "The Harbour Control System (HCS) and the Basin Bridge, also known as the Swing Bridge. A note (see) and X (YZ)."
    assert reading(body).pairs == (("Harbour Control System", "HCS"), ("Basin Bridge", "Swing Bridge"))


def test_sentences_are_cut_at_their_ends_and_nowhere_else() -> None:
    text = "Dr. Reyes came at 5 p.m. on Monday. The pier (built 1990) is e.g. long. Done!"
    assert [text[start:end] for start, end in sentences(text)] == [
        "Dr. Reyes came at 5 p.m. on Monday.",
        "The pier (built 1990) is e.g. long.",
        "Done!",
    ]


@pytest.mark.parametrize("text", ["Mark \u222f here. Then go.", "The \u0238 sign. It stays.", "It stays. At 5 p.m. \u0238"])
def test_a_splitter_that_loses_its_way_is_not_followed(text: str) -> None:
    assert [text[start:end] for start, end in sentences(text)] == [text]


def test_comments_and_empty_rows_say_nothing_and_headings_without_words_are_counted() -> None:
    found = reading("<!-- a note -->\n\n##\n\n| a | b |\n| --- | --- |\n| | |\n| Quay | 4 m |\n\n## .\n\nText.")
    assert [unit.text for unit in found.units] == ["Quay: b is 4 m\n\nText."]
    assert found.skipped == 2


def test_headers_need_no_body() -> None:
    assert texts("Status: open\nType: bug", "text/plain") == [(BlockKind.RECORD, "Status: open\nType: bug")]


@pytest.mark.parametrize(
    ("many", "one"),
    [("releases", "release"), ("policies", "policy"), ("addresses", "address"), ("boxes", "box"), ("status", "status"), ("data", "data")],
)
def test_a_record_of_a_list_is_called_by_the_singular(many: str, one: str) -> None:
    assert singular(many) == one
