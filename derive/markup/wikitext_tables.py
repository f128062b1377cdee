"""Tables of wikitext, written with bars or in HTML, as cells with their places."""

from collections.abc import Iterator

from mwparserfromhell.nodes import Tag

from derive.markup.tables import Cell
from derive.markup.wikitext_plain import plain, shown_of

_CELLS = frozenset({"td", "th"})
_INSIDE = frozenset({"tbody", "thead", "tfoot"})


def is_table(tag: Tag) -> bool:
    """Tell whether a tag is a table."""
    return _name(tag) == "table"


def cells_of(table: Tag, start: int) -> tuple[list[list[Cell]], str]:
    """Return the rows of a table that begins at `start` in the body, and its caption."""
    rows: list[list[Cell]] = [[]]
    captions: list[str] = []
    for tag, place in _tags(table, start):
        name = _name(tag)
        if name == "caption" or (name == "td" and str(tag).startswith("|+")):
            captions.append(plain(tag.contents).lstrip("+ "))
        elif name == "tr":
            rows.append([_cell(cell, where) for cell, where in _tags(tag, place) if _name(cell) in _CELLS])
        elif name in _CELLS:
            rows[-1].append(_cell(tag, place))
    return [row for row in rows if row], next(iter(captions), "")


def _tags(parent: Tag, start: int) -> Iterator[tuple[Tag, int]]:
    """Yield the tags in another one with their places, those of a table's body as its own."""
    written, inside = str(parent), str(parent.contents)
    closing = (
        "" if parent.implicit or parent.self_closing else str(parent.closing_wiki_markup or "") if parent.wiki_markup else f"</{parent.closing_tag}>"
    )
    place = start + len(written) - len(closing) - len(inside)
    for node in parent.contents.nodes:
        if isinstance(node, Tag):
            if _name(node) in _INSIDE:
                yield from _tags(node, place)
            else:
                yield node, place
        place += len(str(node))


def _cell(tag: Tag, start: int) -> Cell:
    words, end = shown_of(tag.contents), start + len(str(tag).rstrip())
    return Cell(words.text, start, end, _name(tag) == "th", _span(tag, "rowspan"), _span(tag, "colspan"), words.links)


def _span(tag: Tag, name: str) -> int:
    written = str(tag.get(name).value or "").strip(" \"'") if tag.has(name) else ""
    return max(1, int(written)) if written.isascii() and written.isdigit() and len(written) < 5 else 1


def _name(tag: Tag) -> str:
    return str(tag.tag).strip().casefold()
