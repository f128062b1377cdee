"""Whole web pages: which part of one is its content.

trafilatura returns the text that it takes for the content; which blocks say that text decides which elements stay. So spans, tables and code come
from our own walk, and what trafilatura leaves out inside the content stays unless it is mostly links.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from derive.markup.elements import BLOCKS, Element
from derive.markup.tags import Characters
from derive.tree import Block, BlockKind

_LARGEST = 500_000
"""Characters of a page that is shown to trafilatura, which takes a second for so many; of a larger one everything is content."""
_WORD = re.compile(r"\w+")
_RUN = 3
"""Words in a row that tell where a text comes from; blocks with fewer words are not asked."""
_TRUSTED = 0.5
"""Share of a page's text that trafilatura must find for what lies outside it to be dropped: on tiny pages it keeps a line or two."""


def content(text: str, root: Element, blocks: Sequence[Block]) -> Element:
    """Return the element of a page that holds its content, lists of links taken out of it; `blocks` are those of the whole page."""
    from trafilatura import extract  # here: its import takes half a second, and most bodies are no pages

    found = extract(text, include_comments=False, favor_recall=True, fast=True) if len(text) <= _LARGEST else None
    runs = set(_runs(found or ""))
    asked = [block for block in blocks if block.kind in (BlockKind.PROSE, BlockKind.ITEM, BlockKind.CODE) and any(_runs(block.text))]
    kept = [block for block in asked if sum(run in runs for run in _runs(block.text)) * 2 > sum(1 for _ in _runs(block.text))]
    links = _Links(root)
    plain = sum(len(block.text) for block in asked if not links.fill(block.start, block.end))
    if not kept or sum(len(block.text) for block in kept) < _TRUSTED * plain:
        return root
    inner = _innermost(root, kept[0].start, max(block.end for block in kept))
    _without_links(inner, links, [block.start for block in kept])
    return inner


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return zip(*(words[number:] for number in range(_RUN)), strict=False)


def _innermost(root: Element, start: int, end: int) -> Element:
    """Return the innermost block element that holds a span."""
    inner = root
    for element in root.descendants():
        if element.start <= start and end <= element.end and element.name in BLOCKS:
            inner = element
    return inner


class _Links:
    """How much of a page's text is in links, by place."""

    def __init__(self, root: Element) -> None:
        texts = sorted(_texts(root, linked=False))
        self._starts = [start for start, _, _ in texts]
        self._all = [0, *accumulate(length for _, length, _ in texts)]
        self._linked = [0, *accumulate(length * linked for _, length, linked in texts)]

    def fill(self, start: int, end: int) -> bool:
        """Tell whether most of the text that begins in a span is links."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return 2 * (self._linked[last] - self._linked[first]) > self._all[last] - self._all[first]


def _texts(element: Element, *, linked: bool) -> Iterator[tuple[int, int, bool]]:
    """Yield place, length and whether it is a link of each text inside an element."""
    waiting = [(element, linked)]
    while waiting:
        outer, within = waiting.pop()
        for child in outer.children:
            if isinstance(child, Characters):
                yield child.start, len(child.text.strip()), within
            else:
                waiting.append((child, within or child.name == "a"))


def _without_links(element: Element, links: _Links, kept: Sequence[int]) -> None:
    """Take blocks that are mostly links, and hold nothing that is kept, out of an element."""

    def stays(child: Element) -> bool:
        holds = bisect_left(kept, child.start) < bisect_left(kept, child.end)
        return holds or child.name not in BLOCKS or not links.fill(child.start, child.end)

    element.children = [child for child in element.children if isinstance(child, Characters) or stays(child)]
    for child in element.children:
        if isinstance(child, Element):
            _without_links(child, links, kept)
