"""HTML to the block tree: what a person reads on the page, in the order of its source."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from derive.markup.elements import BLOCKS, Element, elements
from derive.markup.inline import Line, Text, inline, paragraphs, whole
from derive.markup.links import Shown, spaced
from derive.markup.outline import Writer, outlined
from derive.markup.page import content
from derive.markup.tables import Cell
from derive.markup.tags import Characters
from derive.tree import Front, Tree, key_and_value
from schemas.vocabulary import Vocabulary

_DROPPED = frozenset(
    "aside audio base button canvas datalist dialog embed footer frameset head iframe input link map meta nav noframes noscript object param script "
    "select source style svg template textarea track video".split()
)
_DROPPED_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "toolbar", "dialog", "tooltip"})
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LONGEST_HEADING = 1000
"""Characters of a heading with blocks inside, tags included; a longer one is a heading that nothing closes."""
_NUMBER = re.compile(r"\s*(\d{1,6})")
_ALL_ROWS = 65_534
"""What a rowspan of 0 says: all rows that are left."""


def html_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in HTML: of a fragment all of it, of a whole page its content."""
    root = elements(text)
    named = next((element for element in root.descendants() if element.name == "title"), None)
    title = line_of(named) if named else None
    page = any(element.name in ("html", "body") for element in root.descendants())
    prune(root)
    tree = tree_of(root, root, title, len(text), vocabulary)
    return tree_of(root, content(text, root, tree.blocks), title, len(text), vocabulary) if page else tree


def tree_of(root: Element, part: Element, title: Line | None, length: int, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a part of a body. A single heading of level 1 in the body is a better title than the one given."""
    firsts = [line for element in root.descendants() if element.name == "h1" and (line := line_of(element))]
    named = firsts[0] if firsts and (len(firsts) == 1 or title is None) else title
    walk = Walk()
    walk.flow(part)
    return outlined(walk.writer.said, length, Front(title=named.text if named else None), vocabulary)


def prune(element: Element) -> None:
    """Take out what nobody sees, and what leads round the page: navigation, footers, side notes, controls."""
    element.children = [child for child in element.children if isinstance(child, Characters) or not _is_dropped(child)]
    for child in element.children:
        if isinstance(child, Element):
            prune(child)


def _is_dropped(element: Element) -> bool:
    attributes = element.attributes
    if element.name in _DROPPED or not attributes:
        return element.name in _DROPPED
    hidden = "hidden" in attributes or attributes.get("aria-hidden", "").strip().lower() == "true"
    return hidden or attributes.get("role", "").strip().lower() in _DROPPED_ROLES or _UNSEEN.search(attributes.get("style", "")) is not None


class Walk:
    """One pass over the elements of one body, which tells its writer what they say."""

    def __init__(self, *, outermost: int = 1) -> None:
        """`outermost` is the level of an h1: 2 where the title of a document is kept apart from its body."""
        self.writer = Writer()
        self._inward = outermost - 1

    def flow(self, element: Element) -> None:
        """Read the children of an element: texts between blocks are paragraphs."""
        run: list[Text] = []
        for child in element.children:
            if isinstance(child, Element) and (child.flows or child.name in BLOCKS):
                self._paragraphs(run)
                run = []
                self.block(child)
            else:
                run += inline([child])
        self._paragraphs(run)

    def _paragraphs(self, run: Sequence[Text]) -> None:
        for lines in paragraphs(run):
            if all(line.marked and key_and_value(line.text, marked=True) for line in lines):
                for line in lines:
                    self.writer.paragraph(line.text, line.place, marked=True, links=line.links)
            else:
                whole_text = spaced([Shown(line.text, line.links) for line in lines])
                place = (lines[0].place[0], lines[-1].place[1])
                self.writer.paragraph(whole_text.text, place, marked=lines[0].marked, links=whole_text.links)

    def block(self, element: Element) -> None:
        """Read an element that begins a line of its own."""
        name = element.name
        if name in _HEADINGS and (not element.flows or element.end - element.start <= _LONGEST_HEADING):
            line = line_of(element)
            self.writer.heading(_HEADINGS[name] + self._inward, line.text if line else "", (element.start, element.end))
        elif name in _LISTS:
            self.writer.begin_list()
            self._items(element)
            self.writer.end_list()
        elif name == "dl":
            self._terms(element)
        elif name == "table":
            self._table(element)
        elif name == "pre":
            self.writer.code(verbatim(element), (element.start, element.end))
        else:
            self.flow(element)

    def _items(self, element: Element) -> None:
        """Read a list; what stands in it besides its items is read as if it stood around it."""
        for child in element.children:
            if isinstance(child, Element) and child.name == "li":
                self.writer.begin_item()
                self.flow(child)
                self.writer.end_item()
            else:
                self.flow(Element("", {}, child.start, child.end, [child]))

    def _terms(self, element: Element) -> None:
        """Read a definition list: each description behind the terms that stand before it."""
        terms: list[Line] = []
        said = True
        for part in _parts(element):
            if part.name == "dt":
                terms = [] if said else terms
                said = False
                terms += filter(None, [line_of(part)])
            elif part.name == "dd" and terms and has_words(part):
                place = (part.start, part.start) if said else (terms[0].place[0], terms[-1].place[1])
                self.writer.begin_definition(", ".join(term.text for term in terms), place)
                self.flow(part)
                self.writer.end_item()
                said = True
            else:
                self.flow(part)
        if terms and not said:
            self.writer.paragraph(", ".join(term.text for term in terms), (terms[0].place[0], terms[-1].place[1]))

    def _table(self, element: Element) -> None:
        """Read a table; one that only arranges what stands in it is read cell by cell."""
        if _arranges(element) and has_words(element):
            self.flow(element)
            return
        caption = next(filter(None, map(line_of, element.elements("caption"))), None)
        groups = [part for part in element.children if isinstance(part, Element)]
        rows = [(row, part.name == "thead") for part in groups for row in ([part] if part.name == "tr" else part.elements("tr"))]
        read = [[(cell, list(inline(cell.children))) for cell in row.elements("td", "th")] for row, _ in rows]
        heads = [head for _, head in rows]
        if len(read) > 1 and not any(cell.name == "th" for cell, _ in read[0]):
            heads[0] = heads[0] or all(text.bold for _, texts in read[0] for text in texts if text.text.strip())
        cells = [[_cell(*cell, head=head) for cell in row] for row, head in zip(read, heads, strict=True)]
        self.writer.table(cells, caption.text if caption else "", caption.place if caption else None)


def line_of(element: Element) -> Line | None:
    """Return the text of an element on one line; None if it has none."""
    return whole(list(inline(element.children)))


def has_words(element: Element) -> bool:
    """Tell whether there is text in an element."""
    inside = chain([element], element.descendants())
    return any(child.text.strip() for inner in inside for child in inner.children if isinstance(child, Characters))


def _parts(element: Element) -> Iterator[Element]:
    """Yield what a definition list holds; groups of it are looked into, texts between are paragraphs."""
    for child in element.children:
        if isinstance(child, Element) and child.name == "div":
            yield from _parts(child)
        elif isinstance(child, Element):
            yield child
        else:
            yield Element("", {}, child.start, child.end, [child])


def _arranges(table: Element) -> bool:
    """Tell whether a table is there for its looks: it says so, holds headings or tables, or has one column without a header."""
    if table.parted or table.attributes.get("role", "").strip().lower() in ("presentation", "none"):
        return True
    inside = [element.name for element in table.descendants()]
    return "th" not in inside and inside.count("td") <= inside.count("tr")


def _cell(element: Element, texts: Sequence[Text], *, head: bool) -> Cell:
    line, attributes = whole(texts), element.attributes
    header = head or element.name == "th" or "scope" in attributes
    rows, columns = (_count(attributes.get(name, ""), none) for name, none in (("rowspan", _ALL_ROWS), ("colspan", 1)))
    return Cell(line.text if line else "", element.start, element.end, header, rows, columns, line.links if line else ())


def _count(written: str, none: int) -> int:
    """Return a span as it is written; `none` for 0, 1 for what is no number."""
    match = _NUMBER.match(written)
    return (int(match[1]) or none) if match else 1


def verbatim(element: Element) -> str:
    """Return the text of an element with its line ends."""
    parts: list[str] = []
    for child in element.children:
        if isinstance(child, Characters):
            parts.append(child.text)
        else:
            parts.append("\n" if child.name == "br" else verbatim(child))
    return "".join(parts)
