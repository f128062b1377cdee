"""Repair: pieces that arrive already cut become whole again before anything is drawn from them (DESIGN.md 5.3).

Two neighbouring blocks under one heading are stitched where `derive.damage` says that they were one; the block that results names its sources.
Whether two are stitched depends on these two alone, and the result shows no damage that stitching mends: repairing it again changes nothing. Blocks
of more than 2,000 characters are cut afterwards, at the ends of sentences, as any long block is (`derive.units`).
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from derive.damage import WINDOW, Damage, damage, joined
from derive.tree import Block, BlockKind, lead_in

_BEGINS = (BlockKind.PROSE, BlockKind.ITEM)
_GOES_ON = (BlockKind.PROSE, BlockKind.LEAD)
"""What the first piece of a text that was cut is taken for, and what the others are."""


def repaired(blocks: Sequence[Block], section_starts: Sequence[int]) -> tuple[Block, ...]:
    """Return the blocks with those stitched that were one; the same objects where nothing is damaged.

    `section_starts` are where headings stand, ascending. Each character of the blocks is in exactly one block of the result, but for the hyphens of
    cut words. Work is linear to the number of blocks and their characters.
    """
    done: list[_Whole] = []
    for block in blocks:
        whole = _Whole.of(block, bisect_right(section_starts, block.start))
        while done and done[-1].damage(whole):
            whole = done[-1].followed_by(whole)
            done.pop()
        done.append(whole)
    return _with_leads(done)


@dataclass(slots=True)
class _Whole:
    """Blocks that were one, while their neighbours are looked at; owned by `repaired`.

    `place` counts the headings before it; `head` and `tail` are its first and last characters, as many as are judged; `size` counts all. Before each
    block but the first, `joints` says how many characters fall away and what stands there instead.
    """

    blocks: list[Block]
    joints: list[tuple[int, str]]
    place: int
    head: str
    tail: str
    size: int

    @classmethod
    def of(cls, block: Block, place: int) -> "_Whole":
        return cls([block], [], place, block.text[:WINDOW], block.text[-WINDOW:], len(block.text))

    def damage(self, after: "_Whole") -> Damage | None:
        """Return how this and the next show that they were one."""
        first, second = self.blocks[0], after.blocks[0]
        if first.kind not in _BEGINS or second.kind not in _GOES_ON or first.fields or second.fields or not self.beside(after):
            return None
        return damage(self.tail, after.head)

    def beside(self, after: "_Whole") -> bool:
        """Tell whether no heading stands between this and the next."""
        return self.blocks[0].section == after.blocks[0].section and self.place == after.place

    def followed_by(self, after: "_Whole") -> "_Whole":
        """Return this and the next as one; this one is used up."""
        dropped, joint = joined(self.tail, after.head)
        head = self.head if self.size > WINDOW else self.head[: self.size - dropped] + joint + after.head
        tail = self.tail[: len(self.tail) - dropped] + joint + after.tail
        self.blocks += after.blocks
        self.joints += ((dropped, joint), *after.joints)
        return _Whole(self.blocks, self.joints, self.place, head[:WINDOW], tail[-WINDOW:], self.size + after.size - dropped + len(joint))

    def block(self) -> Block:
        """Return the one block that these make, with the place of each source in its text."""
        first, *others = self.blocks
        if not others:
            return first
        texts, parts, length = [first.text], list(first.sources(0)), len(first.text)
        for block, (dropped, joint) in zip(others, self.joints, strict=True):
            texts[-1] = texts[-1][: len(texts[-1]) - dropped]
            parts[-1] = replace(parts[-1], last=parts[-1].last - dropped)
            length += len(joint) - dropped
            texts += (joint, block.text)
            parts += block.sources(length)
            length += len(block.text)
        text = "".join(texts)
        kind = BlockKind.LEAD if first.kind is BlockKind.PROSE and lead_in(text) == text else first.kind
        return replace(first, kind=kind, text=text, end=max(block.end for block in self.blocks), parts=tuple(parts))


def _with_leads(wholes: Sequence[_Whole]) -> tuple[Block, ...]:
    """Return the blocks with the lead-ins that were cut, and those of the items that a cut parted from theirs."""
    found: list[Block] = []
    before: _Whole | None = None
    changed: dict[str, str] = {}
    for whole in wholes:
        block = whole.block()
        if before is None or not before.beside(whole):
            changed = {}
        elif is_orphan(found[-1], block):
            block = replace(block, lead=found[-1].lead, parts=block.sources(0))
        if block.lead in changed:
            block = replace(block, lead=changed[block.lead])
        if len(whole.blocks) > 1 and (lead := lead_in(block.text)):
            changed[lead_in(whole.blocks[-1].text)] = lead
        found.append(block)
        before = whole
    return tuple(found)


def is_orphan(before: Block, after: Block) -> bool:
    """Tell whether an item lost its lead-in because the item before it was cut."""
    both = before.kind is BlockKind.ITEM and after.kind is BlockKind.ITEM and after.fields is None
    return both and bool(before.parts and before.lead) and not after.lead
