"""Reading: from a body to its tree, from the tree and the facts of its blocks to what the body says."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from derive.dates.written import depends_on_writing, settled_dates, settled_value
from derive.facts import structural_facts
from derive.markup.forms import form_of, text_of, tree_of
from derive.markup.redirect import redirect_of
from derive.prose.antecedents import bound
from derive.prose.declared import declared_pairs
from derive.repair import repaired
from derive.text import content_hash
from derive.tree import Block, Form, Tree
from derive.units import Piece, divided, pieces
from schemas.fact import NO_DATES, Fact
from schemas.ids import ContentHash, digest
from schemas.rules import UNSAID, Writing
from schemas.version import Reading, Unit
from schemas.vocabulary import Vocabulary

VERSION = "1"
"""Raise it when a body would read differently (its tree, units, tables, links): what stores keep is then read again at start. Blocks whose statement
stays the same cost nothing."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A body as blocks of readable size, before facts of prose are known. `keys` names the memo entry of each block that is extracted.

    `writing` says how the body's source writes dates.
    """

    content: ContentHash
    tree: Tree
    blocks: tuple[Block, ...]
    keys: tuple[str | None, ...]
    writing: Writing = UNSAID


def parsed(body: str, media_type: str, vocabulary: Vocabulary, writing: Writing = UNSAID) -> Parsed:
    """Return a body's blocks; BadReading if it cannot be read. An empty body has none, and counts as one piece without content."""
    form = form_of(media_type)
    text = text_of(body, form)
    content = content_hash(text, form)
    if writing != UNSAID and depends_on_writing(text):
        content = ContentHash(digest(content, writing.order or "", writing.zone_offset_minutes))
    if not text:
        return Parsed(content, Tree(skipped=1), (), ())
    if target := redirect_of(text):
        return Parsed(content, Tree(redirect=target), (), ())
    tree = tree_of(text, form, vocabulary)
    whole = repaired(tree.blocks, [section.start for section in tree.sections])
    blocks = tuple(piece for block in whole for piece in divided(block))
    return Parsed(content, tree, blocks, tuple(block_key(block, form) if block.extracted else None for block in blocks), writing)


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
        units=_numbered([_unit(piece, facts, read.writing) for piece in cut]),
        sections=read.tree.sections,
        title=read.tree.title,
        aliases=read.tree.aliases,
        pairs=declared_pairs(block.text for block in read.blocks if block.extracted),
        redirect=read.tree.redirect,
        skipped=read.tree.skipped,
    )


def _unit(piece: Piece, facts: Mapping[int, Sequence[tuple[Fact, ...]]], writing: Writing) -> Unit:
    found: list[Fact] = []
    for placed in piece.placed:
        drawn, stated = facts[id(placed.block)]
        found += (_moved(fact, *placed.within_unit(fact.start, fact.end), writing) for fact in drawn)
        found += (_moved(fact, fact.start + placed.text, fact.end + placed.text, writing) for fact in stated)
    return Unit(piece.text, piece.section, piece.start, piece.end, facts=tuple(found), parts=piece.parts, links=piece.links)


def _moved(fact: Fact, start: int, end: int, writing: Writing) -> Fact:
    """Return a fact with another span, its dates settled.

    Written out, since `replace` takes ten times as long and this runs for every fact of every version.
    """
    return Fact(
        fact.text, fact.kind, fact.subject, fact.predicate, settled_value(fact.object, writing), start, end, fact.confidence,
        fact.scope, fact.mentions, NO_DATES if fact.dates == NO_DATES else settled_dates(fact.dates, writing), fact.negated, fact.structural,
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
