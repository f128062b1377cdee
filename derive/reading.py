"""Reading: from a body to its tree, from the tree and the facts of its blocks to what the body says."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from derive.antecedents import bound
from derive.declared import declared_pairs
from derive.facts import structural_facts
from derive.forms import form_of, tree_of
from derive.text import content_hash, normalise
from derive.tree import Block, Form, Tree
from derive.units import Piece, divided, pieces
from schemas.fact import Fact
from schemas.ids import ContentHash, digest
from schemas.version import Reading, Unit
from schemas.vocabulary import Vocabulary

_REDIRECT = re.compile(r"#\s?REDIRECT:?\s*\[\[\s*([^\]|#]+?)\s*(?:[|#][^\]]*)?\]\]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A body as blocks of readable size, before facts of prose are known. `keys` names the memo entry of each block that is extracted."""

    content: ContentHash
    tree: Tree
    blocks: tuple[Block, ...]
    keys: tuple[str | None, ...]


def parsed(body: str, media_type: str, vocabulary: Vocabulary) -> Parsed:
    """Return a body's blocks; BadReading if it cannot be read. An empty body has none, and counts as one piece without content."""
    text, form = normalise(body), form_of(media_type)
    content = content_hash(text, form)
    if not text:
        return Parsed(content, Tree(skipped=1), (), ())
    if target := _REDIRECT.fullmatch(text):
        return Parsed(content, Tree(redirect=target[1]), (), ())
    tree = tree_of(text, form, vocabulary)
    blocks = tuple(piece for block in tree.blocks for piece in divided(block))
    return Parsed(content, tree, blocks, tuple(block_key(block, form) if block.extracted else None for block in blocks))


def block_key(block: Block, form: Form) -> str:
    """Return the memo key of a block: its statement, its section path and the kind of markup it came from."""
    return digest("block", form, len(block.section), *block.section, block.statement)


def reading_of(read: Parsed, prose: Mapping[str, tuple[Fact, ...]], vocabulary: Vocabulary) -> Reading:
    """Return what a body says, given the facts of each extracted block by its key (spans in the block's statement)."""
    drawn = bound(read.blocks, [prose[key] if key is not None else () for key in read.keys])
    stated = structural_facts(read.blocks, vocabulary, read.tree.name)
    facts = {id(block): both for block, *both in zip(read.blocks, drawn, stated, strict=True)}
    cut = pieces(read.blocks, [section.start for section in read.tree.sections])
    return Reading(
        content=read.content,
        units=_numbered([_unit(piece, facts) for piece in cut]),
        sections=read.tree.sections,
        title=read.tree.title,
        aliases=read.tree.aliases,
        pairs=declared_pairs(block.text for block in read.blocks if block.extracted),
        redirect=read.tree.redirect,
        skipped=read.tree.skipped,
    )


def _unit(piece: Piece, facts: Mapping[int, Sequence[tuple[Fact, ...]]]) -> Unit:
    found: list[Fact] = []
    for placed in piece.placed:
        drawn, stated = facts[id(placed.block)]
        found += (_moved(fact, *placed.within_unit(fact.start, fact.end)) for fact in drawn)
        found += (_moved(fact, fact.start + placed.text, fact.end + placed.text) for fact in stated)
    return Unit(piece.text, piece.section, piece.start, piece.end, facts=tuple(found))


def _moved(fact: Fact, start: int, end: int) -> Fact:
    """Return a fact with another span; written out, since `replace` takes ten times as long and this runs for every fact of every version."""
    return Fact(
        fact.text, fact.kind, fact.subject, fact.predicate, fact.object, start, end, fact.confidence,
        fact.scope, fact.mentions, fact.dates, fact.negated, fact.structural,
    )  # fmt: skip


def _numbered(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return the units with equal ones counted."""
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    found = []
    for unit in units:
        place = (unit.section, unit.text)
        found.append(replace(unit, number=seen[place]) if seen[place] else unit)
        seen[place] += 1
    return tuple(found)
