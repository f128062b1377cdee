"""Repair: pieces that arrive already cut become whole again before anything is drawn from them (DESIGN.md 5.3).

Two neighbouring blocks under one heading are stitched where `derive.damage` says that they were one; the block that results names its sources.
A border is judged by the two sources beside it, whatever else is stitched to them: so an insertion changes the block that it goes into or those next
to it, and repairing again changes nothing. Blocks of more than 2,000 characters are cut afterwards, at the ends of sentences, as any long block is
(`derive.units`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from derive.damage import damage, joined
from derive.tree import Block, BlockKind, lead_in, links_in
from schemas.version import Link

_BEGINS = (BlockKind.PROSE, BlockKind.LEAD, BlockKind.ITEM)
_GOES_ON = (BlockKind.PROSE, BlockKind.LEAD)
"""What the first piece of a text that was cut is taken for, and what the others are."""


def repaired(blocks: Sequence[Block], section_starts: Sequence[int]) -> tuple[Block, ...]:
    """Return the blocks with those stitched that were one; the same objects where nothing is damaged.

    `section_starts` are where headings stand, ascending. Each character of the blocks is in exactly one block of the result, but for the hyphens of
    cut words. Work is linear to the number of blocks and their characters.
    """
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and _are_one(groups[-1][-1], block, section_starts):
            groups[-1].append(block)
        else:
            groups.append([block])
    return _with_leads(groups, section_starts)


def _are_one(before: Block, after: Block, starts: Sequence[int]) -> bool:
    if before.kind not in _BEGINS or after.kind not in _GOES_ON or before.fields or after.fields or not _beside(before, after, starts):
        return False
    return damage(_last_source(before), _first_source(after)) is not None


def _beside(before: Block, after: Block, starts: Sequence[int]) -> bool:
    """Tell whether no heading stands between two blocks."""
    return before.section == after.section and bisect_right(starts, before.start) == bisect_right(starts, after.start)


def _last_source(block: Block) -> str:
    return block.text[block.parts[-1].first :] if block.parts else block.text


def _first_source(block: Block) -> str:
    return block.text[: block.parts[0].last] if block.parts else block.text


def _stitched(blocks: Sequence[Block]) -> Block:
    """Return the one block that these make, with the place of each source in its text."""
    first, *others = blocks
    texts, parts, length = [first.text], list(first.sources(0)), len(first.text)
    before = first
    for block in others:
        dropped, joint = joined(_last_source(before), _first_source(block))
        texts[-1] = texts[-1][: len(texts[-1]) - dropped]
        parts[-1] = replace(parts[-1], last=parts[-1].last - dropped)
        length += len(joint) - dropped
        texts += (joint, block.text)
        parts += block.sources(length)
        length += len(block.text)
        before = block
    text = "".join(texts)
    links = _links(blocks, texts)
    kind = first.kind if first.kind is BlockKind.ITEM else BlockKind.LEAD if lead_in(text) == text else BlockKind.PROSE
    return replace(first, kind=kind, text=text, end=max(block.end for block in blocks), parts=tuple(parts), links=links)


def _links(blocks: Sequence[Block], texts: Sequence[str]) -> tuple[Link, ...]:
    """Return the links of blocks whose texts, as far as they are kept, stand in turn with what joins them."""
    found: list[Link] = []
    place = 0
    for block, kept, joint in zip(blocks, texts[::2], [*texts[1::2], ""], strict=True):
        found += links_in(block.links, 0, len(kept), place)
        place += len(kept) + len(joint)
    return tuple(found)


def _with_leads(groups: Sequence[Sequence[Block]], starts: Sequence[int]) -> tuple[Block, ...]:
    """Return each group as one block, with lead-ins that were cut, and those of the items that a cut parted from theirs."""
    found: list[Block] = []
    changed: dict[str, str] = {}
    for group in groups:
        block = _stitched(group) if len(group) > 1 else group[0]
        if not found or not _beside(found[-1], block, starts):
            changed = {}
        elif _is_orphan(found[-1], block):
            block = replace(block, lead=found[-1].lead, parts=block.sources(0))
        if block.lead in changed:
            block = replace(block, lead=changed[block.lead])
        if len(group) > 1 and (lead := lead_in(block.text)):
            changed[lead_in(group[-1].text)] = lead
        found.append(block)
    return tuple(found)


def _is_orphan(before: Block, after: Block) -> bool:
    """Tell whether an item lost its lead-in because the item before it was cut."""
    both = before.kind is BlockKind.ITEM and after.kind is BlockKind.ITEM and after.fields is None
    return both and bool(before.parts and before.lead) and not after.lead
