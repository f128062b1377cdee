"""Units: blocks joined or divided to 200..2,000 characters, so that each is worth finding and small enough to read.

Boundaries are content-defined: whether there is one behind a block depends on the blocks within 200 characters around it only. So an insertion or an
edit changes the units next to it and no others. Units never cross a heading; a sentence, a row and an item with its lead-in are never broken.
A section, or what is left between two long blocks, may be shorter than 200 characters. Where a list goes on in another unit its lead-in is repeated,
though it stands before the unit's place in the body.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import pairwise
from operator import attrgetter

from derive.damage import leaning
from derive.text import sentences
from derive.tree import Block, BlockKind, Fields, links_in
from schemas.version import Link, Part

SHORTEST = 200
LONGEST = 2000
_JOINT = 2
"""Characters between two blocks of a unit, at most."""

_NEVER = 2**60
"""A rank above every hash."""
_field_start, _part_first, _part_last = attrgetter("start"), attrgetter("first"), attrgetter("last")
_WORD = re.compile(r"\S+\s*")
_LINE = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Placed:
    """A block in the text of a unit: where its lead-in and its text begin there."""

    block: Block
    lead: int
    text: int

    def within_unit(self, start: int, end: int) -> tuple[int, int]:
        """Return a span of the block's statement as a span of the unit's text; what is in the lead-in stays there."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, offset: int) -> int:
        length = len(self.block.lead)
        return self.lead + offset if offset < length else self.text + max(0, offset - (length + 1 if length else 0))


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of one unit, and the blocks in it."""

    text: str
    section: tuple[str, ...]
    start: int
    end: int
    placed: tuple[Placed, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The sources of its text if one of its blocks arrived cut; else none."""
        if not any(placed.block.parts for placed in self.placed):
            return ()
        return tuple(part for placed in self.placed for part in placed.block.sources(placed.text))

    @property
    def links(self) -> tuple[Link, ...]:
        """The links of its blocks, as places in its text."""
        return tuple(link for placed in self.placed for link in links_in(placed.block.links, 0, len(placed.block.text), placed.text))


def divided(block: Block) -> tuple[Block, ...]:
    """Return a block as pieces of at most 2,000 characters, cut at sentence or line ends, in words only where a sentence is longer than that."""
    if len(block.text) <= LONGEST:
        return (block,)
    lined = block.kind in (BlockKind.CODE, BlockKind.RECORD)
    spans = _lines(block.text) if lined else sentences(block.text)
    atoms = [part for span in spans for part in _short(block.text, *span)]
    sizes = [after - start for (start, _), (after, _) in pairwise([*atoms, (atoms[-1][1], 0)])]  # with the white space behind each
    groups = _grouped(sizes, [block.text[start:end] for start, end in atoms], [False] * len(atoms))
    return tuple(_part(block, atoms[group.start][0], atoms[group.stop - 1][1]) for group in groups)


def _part(block: Block, start: int, end: int) -> Block:
    fields = block.fields
    if fields is not None:
        first, last = (bisect_left(fields.fields, place, key=_field_start) for place in (start, end))
        inside = fields.fields[first:last]
        moved = tuple(replace(field, start=field.start - start, end=min(field.end, end) - start) for field in inside)
        fields = Fields(fields.subject, fields.scope, moved, fields.dates)
    stop = bisect_left(block.parts, end, key=_part_first)
    sources = block.parts[bisect_right(block.parts, start, hi=stop, key=_part_last) : stop]
    parts = tuple(replace(part, first=max(part.first - start, 0), last=min(part.last, end) - start) for part in sources)
    return replace(block, text=block.text[start:end], fields=fields, parts=parts, links=links_in(block.links, start, end))


def _lines(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _LINE.finditer(text) if match[0]]


def _short(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield an atom, in words where it is longer than a unit may be, in plain cuts where a word is."""
    if end - start <= LONGEST:
        yield start, end
        return
    for word in _WORD.finditer(text, start, end):
        for first in range(word.start(), word.end(), LONGEST):
            yield first, min(first + LONGEST, word.end())


def pieces(blocks: Sequence[Block], section_starts: Sequence[int]) -> tuple[Piece, ...]:
    """Return the units that blocks in their order make; `section_starts` are where headings stand, ascending."""
    found: list[Piece] = []
    first = 0
    for last in range(1, len(blocks) + 1):
        if last == len(blocks) or _heading_between(blocks[first], blocks[last], section_starts):
            run = blocks[first:last]
            glued = [_is_glued(block, after) for block, after in pairwise(run)] + [False]
            groups = _grouped([len(block.text) + _JOINT for block in run], [block.text for block in run], glued)
            found += (_piece(run[group.start : group.stop]) for group in groups)
            first = last
    return tuple(found)


def _heading_between(one: Block, other: Block, starts: Sequence[int]) -> bool:
    return one.section != other.section or bisect_right(starts, one.start) < bisect_right(starts, other.start)


def _is_glued(block: Block, after: Block) -> bool:
    """Tell whether a block must not be parted from the next: a lead-in from its first item; a piece beside a cut from what leans on it."""
    if after.lead and block.text.endswith(after.lead):
        return True
    return bool(block.parts or after.parts) and leaning(block.text, after.text) is not None


def _piece(blocks: Sequence[Block]) -> Piece:
    text = ""
    placed: list[Placed] = []
    leads: dict[str, int] = {}
    for block in blocks:
        if text:
            text += "\n" if BlockKind.PROSE not in (block.kind, placed[-1].block.kind) else "\n\n"
        if block.lead and block.lead not in leads:
            leads[block.lead] = len(text)
            text += block.lead + "\n"
        lead = leads.get(block.lead, len(text))
        placed.append(Placed(block, lead, len(text)))
        text += block.text
        if block.kind in (BlockKind.LEAD, BlockKind.PROSE):
            sentence = next((item.lead for item in blocks if item.lead and block.text.endswith(item.lead)), None)
            if sentence is not None:
                leads[sentence] = len(text) - len(sentence)
    return Piece(text, blocks[0].section, blocks[0].start, max(block.end for block in blocks), tuple(placed))


def _grouped(sizes: Sequence[int], texts: Sequence[str], glued: Sequence[bool]) -> list[range]:
    """Return runs of atoms that make units: a boundary stands behind an atom of least rank within 200 characters.

    Long atoms rank lowest; those that are glued to the next, as a lead-in to its first item, highest.
    """
    ranks = [_rank(size, text, glue=glue) for size, text, glue in zip(sizes, texts, glued, strict=True)]
    ends: list[int] = []
    for size in sizes:
        ends.append((ends[-1] if ends else 0) + size)
    cuts = [number for number in range(len(sizes)) if _is_cut(number, ranks, ends)]
    groups = [range(first, last) for first, last in zip([0, *(cut + 1 for cut in cuts)], [*(cut + 1 for cut in cuts), len(sizes)], strict=True)]
    whole = _tail_joined([group for group in groups if group], ends)
    return [part for group in whole for part in _bounded(group, ends, ranks)]


def _is_cut(number: int, ranks: Sequence[int], ends: Sequence[int]) -> bool:
    if ends[number] < SHORTEST or ranks[number] == _NEVER:
        return False
    before = number - 1
    while before >= 0 and ends[number] - ends[before] < SHORTEST:
        if ranks[before] <= ranks[number]:
            return False
        before -= 1
    after = number + 1
    while after < len(ranks) and ends[after] - ends[number] < SHORTEST:
        if ranks[after] < ranks[number]:
            return False
        after += 1
    return True


def _tail_joined(groups: list[range], ends: Sequence[int]) -> list[range]:
    """Return the groups with a last one that is too short joined to the one before it, if both fit."""
    if len(groups) < 2:
        return groups
    *_, before, last = groups
    floor = ends[before.start - 1] if before.start else 0
    if ends[-1] - ends[last.start - 1] >= SHORTEST or ends[-1] - floor > LONGEST:
        return groups
    return [*groups[:-2], range(before.start, last.stop)]


def _bounded(group: range, ends: Sequence[int], ranks: Sequence[int]) -> Iterator[range]:
    """Yield a group in parts of at most 2,000 characters, cut behind the atom of least rank that leaves both sides long enough."""
    waiting = [group]
    while waiting:
        part = waiting.pop()
        floor = ends[part.start - 1] if part.start else 0
        if ends[part.stop - 1] - floor <= LONGEST or len(part) == 1:
            yield part
            continue
        cut = _best_cut(part, floor, ends, ranks)
        waiting += (range(cut + 1, part.stop), range(part.start, cut + 1))


def _best_cut(part: range, floor: int, ends: Sequence[int], ranks: Sequence[int]) -> int:
    """Return where to cut; only the atoms of the first 2,000 characters are looked at, so that a long part costs no more than its length."""
    stop = bisect_right(ends, min(floor + LONGEST, ends[part.stop - 1] - SHORTEST), part.start, part.stop - 1)
    candidates = range(bisect_right(ends, floor + SHORTEST - 1, part.start, part.stop - 1), stop)
    return min(candidates, key=lambda number: (ranks[number], number)) if candidates else part[-2]


def _rank(size: int, text: str, *, glue: bool) -> int:
    if glue:
        return _NEVER
    return 0 if size >= SHORTEST else 1 + _hash(text)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")
