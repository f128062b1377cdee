"""The elements of a body in HTML or XHTML as a tree, each with its place in the source.

End tags that are left out are supplied as the HTML standard says for the elements of documents (paragraphs, items, rows, cells, options).
Elements nested deeper than a person can have meant are read as if their tags were not there, so that every walk may recurse.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from derive.markup.tags import Characters, End, Start, tokens

_DEEPEST = 100
"""Levels of elements. Pages of large sites have some 40; browsers stop at 512."""
_VOID = frozenset("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split())
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CELLS = frozenset({"td", "th", "caption"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
"""Elements that begin on a line of their own."""
PARTS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "table"})
_CLOSED_BY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), _LISTS),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "tr": (frozenset({"tr"}) | _CELLS, frozenset({"table"})),
    "td": (_CELLS, frozenset({"table", "tr"})),
    "th": (_CELLS, frozenset({"table", "tr"})),
    **dict.fromkeys(_ROW_GROUPS, (_ROW_GROUPS | _CELLS | {"tr"}, frozenset({"table"}))),
    "body": (frozenset({"head"}), frozenset()),
    "option": (frozenset({"option"}), frozenset({"select"})),
}
"""Which open elements a start tag ends, up to which element around them."""
_PARAGRAPH_STAYS = frozenset({"caption", "html", "body", "object", "button", "table", *_CELLS})


@dataclass(slots=True)
class Element:
    """An element: its children are elements and texts in their order. [start, end) is its place in the body, tags included.

    `flows` says that an element which begins a line of its own stands somewhere inside, `parted` that a heading or a table does. The builder owns it
    until the tree is whole.
    """

    name: str
    attributes: dict[str, str]
    start: int
    end: int
    children: list["Node"] = field(default_factory=list)
    flows: bool = False
    parted: bool = False

    def elements(self, *names: str) -> Iterator["Element"]:
        """Yield the children that are elements of these names, in their order."""
        return (child for child in self.children if isinstance(child, Element) and child.name in names)

    def descendants(self) -> Iterator["Element"]:
        """Yield all elements inside, outer ones first, in their order."""
        waiting = [child for child in reversed(self.children) if isinstance(child, Element)]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += (child for child in reversed(element.children) if isinstance(child, Element))


Node: TypeAlias = Element | Characters


def elements(text: str, *, xml: bool = False) -> Element:
    """Return the nameless root of a body's elements. In XML a tag may close itself, and no end tag is supplied before that of an outer element."""
    builder = _Builder(text, xml=xml)
    for token in tokens(text):
        if isinstance(token, Start):
            builder.open(token)
        elif isinstance(token, End):
            builder.close(token)
        else:
            builder.open_elements[-1].children.append(token)
    return builder.whole()


class _Builder:
    """A tree while it grows; `open_elements` are those that the next token is inside of, outermost first."""

    def __init__(self, text: str, *, xml: bool) -> None:
        self._length = len(text)
        self._xml = xml
        self.open_elements = [Element("", {}, 0, self._length)]

    def open(self, tag: Start) -> None:
        if not self._xml:
            self._supply_ends(tag)
        within = self.open_elements
        made = Element(tag.name, tag.attributes() if tag.written else {}, tag.start, tag.end)
        if tag.name in BLOCKS:
            self._mark(parted=tag.name in PARTS)
        if tag.name in _VOID or (tag.closed and (self._xml or ":" in tag.name)):
            within[-1].children.append(made)
        elif len(within) < _DEEPEST:
            within[-1].children.append(made)
            within.append(made)

    def close(self, tag: End) -> None:
        """End the innermost open element of that name, and all inside it; an end tag without one is nothing. A cell ends with its table only."""
        for number in range(len(self.open_elements) - 1, 0, -1):
            name = self.open_elements[number].name
            if name == tag.name:
                self._end(number, tag.start)
                self.open_elements.pop().end = tag.end
                return
            if not self._xml and name in _CELLS and tag.name not in _CELLS | _ROW_GROUPS | {"tr", "table", "body", "html"}:
                return

    def whole(self) -> Element:
        """Return the root; what is still open ends with the body."""
        self._end(0, self._length)
        return self.open_elements[0]

    def _mark(self, *, parted: bool) -> None:
        """Tell the open elements what begins inside them; one that knows it already has told those around it."""
        for outer in reversed(self.open_elements):
            if outer.flows and outer.parted >= parted:
                break
            outer.flows, outer.parted = True, outer.parted or parted

    def _supply_ends(self, tag: Start) -> None:
        if tag.name in BLOCKS:
            self._end_within(frozenset({"p"}), _PARAGRAPH_STAYS, tag.start)
        if tag.name in _CLOSED_BY:
            self._end_within(*_CLOSED_BY[tag.name], tag.start)

    def _end_within(self, names: frozenset[str], stop: frozenset[str], place: int) -> None:
        """End the outermost open element of these names that is not outside one of `stop`."""
        found = 0
        for number in range(len(self.open_elements) - 1, 0, -1):
            name = self.open_elements[number].name
            if name in stop:
                break
            if name in names:
                found = number
        if found:
            self._end(found - 1, place)

    def _end(self, number: int, place: int) -> None:
        """End all open elements inside the one of this number."""
        for element in self.open_elements[number + 1 :]:
            element.end = place
        del self.open_elements[number + 1 :]
