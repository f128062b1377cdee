"""The text inside an element: one line, or several where it breaks them, each with its place in the body."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from derive.markup.elements import BLOCKS, Element, Node
from derive.markup.links import CLOSE, name_of, opening, path_of, shown
from derive.markup.tags import Characters
from derive.text import has_content
from schemas.version import Link

_BOLD = frozenset({"b", "strong"})
_TOLD = {"img": "alt", "time": "datetime"}
"""Elements without text that an attribute puts into words."""
PAGE = "ri:content-title"
"""The attribute of an anchor that leads to a page by its title."""
_LONGEST_KEY = 40
_LONGEST_REFERENCE = 300
"""Characters of the mark of a footnote, tags and addresses included."""
_SOFT_HYPHEN = "\xad"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text as a person reads it, and its place in the body; `marked` says that it begins with a bold key."""

    text: str
    place: tuple[int, int]
    marked: bool = False
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of text in one style; `ends` says that the line ends behind it."""

    text: str
    start: int
    end: int
    bold: bool = False
    ends: bool = False


def inline(nodes: Sequence[Node], *, bold: bool = False) -> Iterator[Text]:
    """Yield the texts of nodes in their order. Blocks inside are set off by spaces, items by semicolons; pictures are their description."""
    before = ""
    for node in nodes:
        block = isinstance(node, Element) and node.name in BLOCKS
        if before and isinstance(node, Characters) and not node.text.strip():
            continue
        if before or block:
            yield Text("; " if before == "li" and isinstance(node, Element) and node.name == "li" else " ", node.start, node.start)
        before = node.name if isinstance(node, Element) and block else ""
        yield from _inline(node, bold=bold)
    if before:
        yield Text(" ", nodes[-1].end, nodes[-1].end)


def _inline(node: Node, *, bold: bool) -> Iterator[Text]:
    if isinstance(node, Characters):
        yield Text(node.text.replace(_SOFT_HYPHEN, ""), node.start, node.end, bold)
    elif node.name == "br":
        yield Text(" ", node.start, node.end, bold, ends=True)
    elif node.name in _TOLD and not node.children:
        yield Text(node.attributes.get(_TOLD[node.name], ""), node.start, node.end, bold)
    elif node.name == "a":
        target = _target(node)
        yield from [Text(opening(target), node.start, node.start)] if target else ()
        yield from inline(node.children, bold=bold)
        yield from [Text(CLOSE, node.end, node.end)] if target else ()
    elif not _is_reference(node):
        yield from inline(node.children, bold=bold or node.name in _BOLD)


def _target(anchor: Element) -> str:
    """Return what an anchor leads to: the page that it names, or the path of its address."""
    return name_of(anchor.attributes.get(PAGE, "")) or path_of(anchor.attributes.get("href", ""))


def paragraphs(texts: Sequence[Text]) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph: an empty line parts two."""
    lines = [whole(line) for line in _broken(texts)]
    for written, group in groupby(lines, key=lambda line: line is not None):
        if written:
            yield [line for line in group if line is not None]


def whole(texts: Sequence[Text]) -> Line | None:
    """Return texts as one line; None if there is nothing in them."""
    said = [text for text in texts if text.text.strip() and text.start < text.end]
    if not said:
        return None
    line = shown("".join(text.text for text in texts))
    return Line(line.text, (said[0].start, said[-1].end), marked=_marked(said), links=line.links)


def _broken(texts: Sequence[Text]) -> list[list[Text]]:
    broken: list[list[Text]] = [[]]
    for text in texts:
        broken[-1].append(text)
        if text.ends:
            broken.append([])
    return broken


def _marked(texts: Sequence[Text]) -> bool:
    """Tell whether a line begins with a bold key and goes on behind it."""
    key = next((number for number, text in enumerate(texts) if not text.bold), 0)
    return 0 < sum(len(text.text) for text in texts[:key]) <= _LONGEST_KEY + 1


def _is_reference(element: Element) -> bool:
    """Tell whether an element is the mark of a footnote, such as [3], or how a character is read aloud."""
    if element.name != "sup" or element.end - element.start > _LONGEST_REFERENCE:
        return element.name in ("rt", "rp")
    texts = [child for inner in (element, *element.descendants()) for child in inner.children if isinstance(child, Characters)]
    text = "".join(text.text for text in texts).strip()
    return not has_content(text) or (text.startswith("[") and text.endswith("]"))
