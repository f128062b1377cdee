"""Confluence's storage format to the block tree: its macros, links and tasks are put into HTML, which is then read as such.

What a macro computes when the page is shown (tables of contents, lists of children, included pages) is not in the body and says nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from derive.markup.elements import BLOCKS, PARTS, Element, Node, elements
from derive.markup.html import Walk, has_words, line_of, prune
from derive.markup.inline import PAGE
from derive.markup.outline import outlined
from derive.markup.tags import Characters
from derive.text import squeeze
from derive.tree import Front, Tree
from schemas.vocabulary import Vocabulary

_MACROS = frozenset({"ac:structured-macro", "ac:macro"})
_SILENT = frozenset({"ac:adf-attribute", "ac:adf-fallback", "ac:parameter", "ac:placeholder", "ac:task-id", "ac:task-uuid"})
_SILENT_MACROS = frozenset({"anchor", "html", "iframe", "include", "excerpt-include", "style", "widget"})
"""Macros whose body, if any, is not text of this page."""
_FLOWING = frozenset({"ac:adf-content", "ac:adf-extension", "ac:adf-node", "ac:layout", "ac:layout-cell", "ac:layout-section", "ac:rich-text-body"})
_SAID_BY = {"status": "title", "jira": "key"}
"""Macros within a line, and the parameter that is seen there."""
_TARGETS = ("ri:content-title", "ri:filename", "ri:value", "ri:username", "ri:userkey", "ri:account-id", "ac:anchor")
_PEOPLE = frozenset({"ri:username", "ri:userkey", "ri:account-id"})
_EMOTICONS = {"tick": "✓", "cross": "✗"}


def storage_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in storage format. The page's title is not part of it, so all its headings are sections."""
    root = elements(text, xml=True)
    prune(root)
    walk = Walk(outermost=2)
    walk.flow(_made("", root, _rewritten(root.children)))
    return outlined(walk.writer.said, len(text), Front(), vocabulary)


def _made(name: str, source: Element, children: Sequence[Node], start: int | None = None) -> Element:
    """Return an element in the place of another."""
    inside = [child for child in children if isinstance(child, Element)]
    flows = any(child.flows or child.name in BLOCKS for child in inside)
    parted = any(child.parted or child.name in PARTS for child in inside)
    return Element(name, source.attributes, source.start if start is None else start, source.end, list(children), flows=flows, parted=parted)


def _rewritten(nodes: Sequence[Node]) -> list[Node]:
    return [made for node in nodes for made in ([node] if isinstance(node, Characters) else _element(node))]


def _element(element: Element) -> Iterator[Node]:
    """Yield what an element is in HTML."""
    name = element.name
    if name in _MACROS:
        yield from _macro(element)
    elif name in _NAMED:
        yield from _NAMED[name](element)
    elif name in _FLOWING:
        yield _made("div", element, _rewritten(element.children))
    elif name not in _SILENT:
        yield _made(name, element, _rewritten(element.children))


def _macro(element: Element) -> Iterator[Node]:
    """Yield what a macro shows: its title and body, code as it is written, a word in a line; nothing for one that computes."""
    name = element.attributes.get("ac:name", "").lower()
    parameters = {inner.attributes.get("ac:name", ""): inner for inner in element.elements("ac:parameter")}
    if name in _SILENT_MACROS:
        return
    if name in _SAID_BY:
        if _SAID_BY[name] in parameters:
            yield _made("span", parameters[_SAID_BY[name]], parameters[_SAID_BY[name]].children)
        return
    if "title" in parameters and has_words(parameters["title"]):
        yield _made("p", parameters["title"], parameters["title"].children)
    for body in element.elements("ac:rich-text-body"):
        inner = _rewritten(body.children)
        yield _made("div", body, _properties(inner) if name == "details" else inner)
    for body in element.elements("ac:plain-text-body"):
        yield _made("pre", body, body.children)


def _link(element: Element) -> Iterator[Node]:
    """Yield the text of a link, and what it leads to where the text does not say so."""
    bodies = list(element.elements("ac:link-body", "ac:plain-text-link-body"))
    shown = _made("a", element, _rewritten([node for body in bodies for node in body.children]))
    target = next(filter(None, map(_target, element.elements(*_RESOURCES))), "") or _target(element)
    line = line_of(shown)
    if line is None:
        shown.children = [Characters(target, element.start, element.end)]
    shown.attributes = {PAGE: next((page.attributes.get(PAGE, "") for page in element.elements("ri:page", "ri:blog-post")), "")}
    if line is not None and target and squeeze(target).casefold() not in line.text.casefold():
        yield _made("span", element, [shown, Characters(f" ({target})", bodies[-1].end, element.end)])
    else:
        yield shown


_RESOURCES = ("ri:page", "ri:blog-post", "ri:attachment", "ri:url", "ri:user", "ri:shortcut", "ri:space", "ri:content-entity")


def _target(element: Element) -> str:
    """Return what a resource is called; people are set off by an @."""
    for name in _TARGETS:
        if value := element.attributes.get(name, "").strip():
            return f"@{value}" if name in _PEOPLE else value
    return ""


def _image(element: Element) -> Iterator[Node]:
    alt = element.attributes.get("ac:alt", "").strip()
    end = element.children[0].start if element.children else element.end
    yield _made("span", element, [Characters(alt, element.start, end)] if alt else [])
    yield from (_made("p", caption, _rewritten(caption.children)) for caption in element.elements("ac:caption"))


def _emoticon(element: Element) -> Iterator[Node]:
    told = element.attributes.get("ac:emoji-fallback", "") or _EMOTICONS.get(element.attributes.get("ac:name", ""), "")
    if told and not told.startswith(":"):
        yield Characters(told, element.start, element.end)


def _task(element: Element) -> Iterator[Node]:
    """Yield a task as an item; of one that is done the state is part of the text."""
    states = [line for status in element.elements("ac:task-status") if (line := line_of(status)) and line.text == "complete"]
    done: list[Node] = [Characters("[complete] ", *line.place) for line in states]
    bodies = [node for body in element.elements("ac:task-body") for node in _rewritten(body.children)]
    yield _made("li", element, done + bodies)


def _tasks(element: Element) -> Iterator[Node]:
    yield _made("ul", element, _rewritten(element.children))


def _properties(nodes: Sequence[Node]) -> list[Node]:
    """Return the body of a macro of page properties: its tables are keys and values of the page, upright or lying."""
    made: list[Node] = []
    for node in nodes:
        if isinstance(node, Characters):
            made.append(node)
        elif node.name == "table":
            made.append(_made("table", node, _pairs(node)))
        else:
            made.append(_made(node.name, node, _properties(node.children)))
    return made


def _pairs(table: Element) -> list[Node]:
    """Return the rows of a table of properties, one for each key: in a row of two, or above its value."""
    rows = [row for group in (table, *table.elements("thead", "tbody", "tfoot")) for row in group.elements("tr")]
    cells = [list(row.elements("td", "th")) for row in rows]
    if len(cells) == 2 and len(cells[0]) == len(cells[1]) and all(cell.name == "th" for cell in cells[0]):
        below = [(replace(key, start=value.start, end=value.start), value) for key, value in zip(*cells, strict=True)]
        return [_row(value, key, value) for key, value in below]
    return [_row(row, *own) if len(own) == 2 else row for row, own in zip(rows, cells, strict=True)]


def _row(source: Element, key: Element, value: Element) -> Element:
    """Return a row of a key and its value."""
    return _made("tr", source, [replace(key, name="th"), replace(value, name="td")])


_NAMED: dict[str, Callable[[Element], Iterator[Node]]] = {
    "ac:link": _link,
    "ac:image": _image,
    "ac:emoticon": _emoticon,
    "ac:task": _task,
    "ac:task-list": _tasks,
}
