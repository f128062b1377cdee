"""Atlassian's document format (JSON) to the block tree.

Offsets are those of the JSON as it is written: a block reaches from the first to the last text literal that it is made of, quotes included, so that
what stands there, with JSON's escapes undone, says what the block says. A date is written as milliseconds and read as a day.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from derive.markup.links import Shown, linked, path_of, shown
from derive.markup.literals import Json, Literal, located
from derive.markup.outline import Place, Writer, outlined
from derive.markup.tables import Cell
from derive.text import cleaned, normalise, squeeze
from derive.tree import Front, Tree
from schemas.errors import BadReading
from schemas.vocabulary import Vocabulary

_LISTS = frozenset({"bulletList", "orderedList", "taskList", "decisionList"})
_ITEMS = frozenset({"listItem", "taskItem", "decisionItem"})
_WORDS = frozenset({"text", "hardBreak", "mention", "emoji", "date", "status", "inlineCard", "inlineExtension", "mediaInline", "placeholder"})
"""Nodes that stand in a line."""
_UNSEEN = frozenset({"media", "mediaInline", "rule", "extension", "inlineExtension", "placeholder", "blockCard", "embedCard", "syncBlock"})


def adf_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in Atlassian's document format; BadReading if it is no JSON, or JSON of something else."""
    value = located(text)
    if not isinstance(value, dict) or _kind(value) != "doc":
        message = f"no Atlassian document: {text[:60]!r} is no object of type doc"
        raise BadReading(message)
    writer = Writer()
    _blocks(value, writer)  # takes fewer frames for each level than the JSON did
    return outlined(writer.said, len(text), Front(), vocabulary)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a line, and where they are written; `strong` if they are set off. `target` is the document that they lead to."""

    text: str
    place: Place | None
    strong: bool = False
    target: str = ""


def _kind(node: Json) -> str:
    kind = node.get("type") if isinstance(node, dict) else None
    return kind.text if isinstance(kind, Literal) else ""


def _content(node: Json) -> list[Json]:
    held = node.get("content") if isinstance(node, dict) else None
    return held if isinstance(held, list) else []


def _attribute(node: Json, *names: str) -> Literal | None:
    """Return the first of the attributes that is a text."""
    held = node.get("attrs") if isinstance(node, dict) else None
    found = (held.get(name) for name in names) if isinstance(held, dict) else ()
    return next((value for value in found if isinstance(value, Literal)), None)


def _number(node: Json, name: str, default: int) -> int:
    held = node.get("attrs") if isinstance(node, dict) else None
    value = held.get(name) if isinstance(held, dict) else None
    return value if type(value) is int and 0 < value < 1000 else default


def _blocks(parent: Json, writer: Writer) -> None:
    """Say what a node holds: words directly in it are a paragraph."""
    words: list[Json] = []
    for node in _content(parent):
        if _kind(node) in _WORDS:
            words.append(node)
            continue
        _paragraph(words, writer)
        words = []
        _block(node, writer)
    _paragraph(words, writer)


def _block(node: Json, writer: Writer) -> None:
    kind = _kind(node)
    if kind == "heading":
        text, place = _joined(list(_words(node)))
        if place:
            writer.heading(min(_number(node, "level", 1), 6), text.text, place)
    elif kind in _LISTS:
        writer.begin_list()
        _blocks(node, writer)
        writer.end_list()
    elif kind == "codeBlock":
        words = [one for one in _words(node) if one.place]
        if words:
            writer.code("".join(one.text for one in words), _reach(words))
    elif kind == "table":
        _table(node, writer)
    elif kind not in _UNSEEN:
        _inside(node, kind, writer)


def _inside(node: Json, kind: str, writer: Writer) -> None:
    title = _attribute(node, "title")
    if title and squeeze(title.text):
        writer.paragraph(squeeze(normalise(title.text)), (title.start, title.end))
    if kind in _ITEMS:
        writer.begin_item()
    _blocks(node, writer)
    if kind in _ITEMS:
        writer.end_item()


def _table(node: Json, writer: Writer) -> None:
    reached = 0
    rows: list[list[Cell]] = []
    for row in _content(node):
        cells = []
        for cell in _content(row):
            text, place = _joined(list(_words(cell)))
            start, end = place or (reached, reached)
            reached = max(reached, end)
            header, spans = _kind(cell) == "tableHeader", (_number(cell, "rowspan", 1), _number(cell, "colspan", 1))
            cells.append(Cell(text.text, start, end, header, *spans, text.links))
        rows.append(cells)
    writer.table(rows)


def _paragraph(nodes: list[Json], writer: Writer) -> None:
    """Say words in a line; lines that all begin with a key that is set off are said one by one."""
    lines: list[list[_Words]] = [[]]
    for node in nodes:
        if _kind(node) == "hardBreak":
            lines.append([])
        else:
            lines[-1] += _words(node)
    said = [line for line in lines if _joined(line)[1]]
    parted = len(said) > 1 and all(line[0].strong for line in said)
    whole = [word for line in said for word in (*line, _Words(" ", None))]
    for line in said if parted else [whole]:
        text, place = _joined(line)
        if place:
            writer.paragraph(text.text, place, marked=line[0].strong, links=text.links)


def _words(node: Json) -> Iterator[_Words]:
    """Yield what is seen of a node in a line; of blocks in it with spaces between them."""
    kind = _kind(node)
    written = node.get("text") if isinstance(node, dict) else None
    if isinstance(written, Literal):
        yield _Words(written.text, (written.start, written.end), _is_strong(node), _target(node))
    elif kind == "date":
        yield from _day(_attribute(node, "timestamp"))
    elif kind in ("mention", "emoji", "status", "inlineCard"):
        said = _attribute(node, "text", "url")
        if said:
            target = path_of(said.text) if kind == "inlineCard" else ""
            yield _Words(said.text.removeprefix("@") if kind == "mention" else said.text, (said.start, said.end), target=target)
    elif kind == "hardBreak":
        yield _Words("\n", None)
    elif kind not in _UNSEEN:
        for inner in _content(node):
            yield from _words(inner)
            if _kind(inner) not in _WORDS:
                yield _Words(" ", None)


def _marks(node: Json) -> list[Json]:
    marks = node.get("marks") if isinstance(node, dict) else None
    return marks if isinstance(marks, list) else []


def _is_strong(node: Json) -> bool:
    return any(_kind(mark) == "strong" for mark in _marks(node))


def _target(node: Json) -> str:
    """Return what a text leads to by its marks."""
    addresses = (_attribute(mark, "href") for mark in _marks(node) if _kind(mark) == "link")
    return next((path_of(address.text) for address in addresses if address), "")


def _day(written: Literal | None) -> Iterator[_Words]:
    if written is not None and written.text.lstrip("-").isascii() and written.text.lstrip("-").isdigit() and len(written.text) <= 14:
        yield _Words(datetime.fromtimestamp(int(written.text) // 1000, UTC).date().isoformat(), (written.start, written.end))


def _joined(words: list[_Words]) -> tuple[Shown, Place | None]:
    """Return words as plain text on one line, and their place; none if they say nothing."""
    runs = groupby(words, key=lambda one: one.target)
    text = shown("".join(linked(cleaned("".join(one.text for one in run)), target) for target, run in runs))
    placed = [one for one in words if one.place]
    return text, _reach(placed) if text.text and placed else None


def _reach(words: list[_Words]) -> Place:
    places = [one.place for one in words if one.place]
    return min(start for start, _ in places), max(end for _, end in places)
