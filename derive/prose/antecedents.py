"""What "it" at the beginning of a block stands for.

The extractor reads a block alone, so such a fact has the subject SELF. It holds for the document if the block is the first prose of the document;
otherwise "it" is what the paragraph before speaks of, if that is one thing only; otherwise the fact is dropped. Precision before recall.
"""

from collections.abc import Sequence
from dataclasses import replace

from derive.script import is_chinese
from derive.tree import Block
from schemas.fact import SELF, Fact

SURE = 0.85
"""The quality gate (DESIGN.md 5.3): what is below it names no antecedent."""


def bound(blocks: Sequence[Block], facts: Sequence[tuple[Fact, ...]]) -> list[tuple[Fact, ...]]:
    """Return the prose facts of each block with every SELF confirmed, replaced or dropped."""
    found: list[tuple[Fact, ...]] = []
    previous: Block | None = None
    subject = SELF
    for block, stated in zip(blocks, facts, strict=True):
        if not block.extracted:
            found.append(stated)
            continue
        known = subject if previous is None or previous.section == block.section else ""
        stated = tuple(fact for fact in (_bound(fact, known) for fact in stated) if fact is not None)
        found.append(stated)
        subjects = {fact.subject for fact in stated if fact.confidence >= SURE}
        subject = subjects.pop() if len(subjects) == 1 else ""
        previous = block
    return found


def _bound(fact: Fact, subject: str) -> Fact | None:
    if fact.subject != SELF or subject == SELF:
        return fact
    if not subject:
        return None
    text = f"{subject}{fact.text}" if is_chinese(fact.text) else f"{subject[:1].upper()}{subject[1:]} {fact.text}"
    return replace(fact, subject=subject, text=text, mentions=(subject, *fact.mentions))
