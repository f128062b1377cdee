"""Definition lists of Markdown: what is said of a term is read with it, as in every other markup."""

import time

import pytest

from derive.reading import parsed
from derive.text import normalise
from derive.tree import Block, BlockKind
from schemas.vocabulary import shipped
from tests.reading.spans import facts

VOCABULARY = shipped()
MARKDOWN = "text/markdown"


def blocks(body: str) -> tuple[Block, ...]:
    return parsed(body, MARKDOWN, VOCABULARY).blocks


DEFINITIONS = """Depth
: 6 m

Owner:
: **Dana Reyes**

Quay
: A place where ships lie. It has bollards.

  Nobody swims there.
: 12 m

Crane
:   - Slowly
    - Surely

Hook
: ```
  lift
  ```

Rope
: | Part | Load |
  | --- | --- |
  | Core | 4 t |

Mast
: <p>Of wood</p>

Ship
: Hull

  : It floats. It is wet.
: It sails. It sinks.

Alone
: ***

<!-- -->
: No term is said here.
"""


def test_definition_lists_are_keys_and_values_or_items_behind_their_terms() -> None:
    assert [(block.kind, block.statement) for block in blocks(DEFINITIONS)] == [
        (BlockKind.ITEM, "Depth: 6 m"),
        (BlockKind.ITEM, "Owner: Dana Reyes"),
        (BlockKind.ITEM, "Quay: A place where ships lie. It has bollards."),
        (BlockKind.PROSE, "Nobody swims there."),
        (BlockKind.ITEM, "Quay: 12 m"),
        (BlockKind.LEAD, "Crane:"),
        (BlockKind.ITEM, "Crane: Slowly"),
        (BlockKind.ITEM, "Crane: Surely"),
        (BlockKind.LEAD, "Hook:"),
        (BlockKind.CODE, "lift"),
        (BlockKind.LEAD, "Rope:"),
        (BlockKind.ROW, "Core: Load is 4 t"),
        (BlockKind.LEAD, "Mast:"),
        (BlockKind.PROSE, "Of wood"),
        (BlockKind.LEAD, "Ship:"),
        (BlockKind.ITEM, "Hull: It floats. It is wet."),
        (BlockKind.ITEM, "Ship: It sails. It sinks."),
        (BlockKind.ITEM, "Alone"),
        (BlockKind.ITEM, "No term is said here."),
    ]


def test_the_first_definition_stands_with_its_term_and_the_others_alone() -> None:
    body = f"---\ntitle: Words\n---\n{DEFINITIONS}"
    assert [normalise(body)[block.start : block.end] for block in blocks(body)[:5]] == [
        "Depth\n: 6 m",
        "Owner:\n: **Dana Reyes**",
        "Quay\n: A place where ships lie. It has bollards.",
        "  Nobody swims there.",
        ": 12 m",
    ]


def test_definitions_state_facts_of_the_document() -> None:
    assert [(predicate, value) for _, _, predicate, value in facts(DEFINITIONS, MARKDOWN)] == [
        ("depth", "6 m"),
        ("owner", "Dana Reyes"),
        ("quay", "12 m"),
        ("load", "4 t"),
    ]


@pytest.mark.parametrize("piece", ["a\n: b\n\n", ": ", "a\n: b\n", "a\n\n  : b\n", "a\n~ b\n~ c\n"])
def test_hostile_definition_lists_take_time_that_grows_with_them_only(piece: str) -> None:
    begun = time.process_time()
    parsed("a\n" + piece * (200_000 // len(piece)), MARKDOWN, VOCABULARY)
    assert time.process_time() - begun < 15
