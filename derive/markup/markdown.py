"""Markdown to the block tree (CommonMark with tables and definition lists; markdown-it-py gives the line maps)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from derive.markup.frontmatter import front_matter
from derive.markup.structure import pair
from derive.markup.tables import Cell, table_blocks
from derive.split_tables import Closed, closed_tables
from derive.text import normalise, squeeze, unescaped
from derive.tree import Block, BlockKind, Growing, Heading, Tree, key_and_value, lead_in
from schemas.version import Part
from schemas.vocabulary import Vocabulary

_PARSER = MarkdownIt("commonmark").enable("table").use(deflist_plugin).disable("inline")
_INLINE = MarkdownIt("commonmark")
_MARKED = re.compile(r"[*_`\[\]<>!\\&~]|  \n")
_BOLD_KEY = re.compile(r"(\*\*|__)(?P<key>[^*_\n]{1,40}?):?\1:?\s+\S")
_HTML_BREAK = re.compile(r"</(?:p|div|tr|li|h\d|table|td|th)>|<br\s*/?>", re.IGNORECASE)


def markdown_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised Markdown body; BadReading if its front matter is broken."""
    front = front_matter(text, vocabulary)
    return _Walk(closed_tables(text), Growing(len(text), front), vocabulary).tree()


@lru_cache(maxsize=4096)
def plain(inline: str) -> str:
    """Return inline Markdown as plain text on one line: marks, link targets and tags gone, images as their description.

    Remembered, since it is most of the work on a page, and nine paragraphs of ten are those of the version before.
    """
    if not _MARKED.search(inline):
        return squeeze(inline)
    parts: list[str] = []
    for token in _INLINE.parseInline(inline)[0].children or ():
        match token.type:
            case "text" | "code_inline" | "image":
                parts.append(token.content)
            case "softbreak" | "hardbreak":
                parts.append(" ")
            case _:
                continue
    return squeeze(normalise("".join(parts)))  # again, since a percent-encoded address brings in what the body may not hold


@dataclass(slots=True)
class _Item:
    """A list item, or what is said of a term that stands at `place`: its lead-in, and the plain text of its first paragraph."""

    lead: str
    text: str = ""
    term: str = ""
    place: tuple[int, int] = (0, 0)


class _Walk:
    """One pass over the tokens of one body."""

    def __init__(self, closed: Closed, growing: Growing, vocabulary: Vocabulary) -> None:
        self._text = text = closed.text
        self._mended = closed.rows
        self._growing = growing
        self._vocabulary = vocabulary
        self._body = text[growing.front.end :]
        self._lines = [0]
        for line in self._body.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._items: list[_Item] = []
        self._lists: list[str] = []
        self._terms: list[tuple[str, tuple[int, int]]] = []
        self._last = ""

    def tree(self) -> Tree:
        tokens = _PARSER.parse(self._body)
        titles = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h1"]
        self._growing.titled = len(titles) == 1
        if titles and self._growing.front.title is None:
            self._growing.front = replace(self._growing.front, title=plain(titles[0]) or None)
        place = 0
        while place < len(tokens):
            place = self._step(tokens, place)
        return self._growing.finish()

    def _place(self, token: Token) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        offset = self._growing.front.end
        return offset + self._lines[first], min(offset + max(self._lines[last] - 1, self._lines[first]), len(self._text))

    def _line(self, token: Token) -> tuple[int, int]:
        """Return the place of the line of a term, whose map says only where it begins."""
        first, _ = token.map or (0, 0)
        offset = self._growing.front.end
        return offset + self._lines[first], offset + self._lines[first + 1] - 1

    def _say_term(self) -> None:
        """Say the term that the walk is in as a lead-in, if no paragraph has brought it in yet."""
        item = self._items[-1] if self._items else None
        if item and item.term and not item.text:
            item.text = self._last = item.lead
            self._growing.add(Block(BlockKind.LEAD, item.lead, self._growing.section, *item.place))

    def _end_definition(self, item: _Item) -> None:
        """Say a term of which nothing was said as an item."""
        if item.term and not item.text:
            self._growing.add(Block(BlockKind.ITEM, item.term, self._growing.section, *item.place))

    def _step(self, tokens: Sequence[Token], place: int) -> int:
        """Read the token at `place`; return where to go on."""
        token = tokens[place]
        match token.type:
            case "heading_open":
                self._growing.heading(Heading(int(token.tag[1:]), plain(tokens[place + 1].content), *self._place(token)))
                self._last = ""
                return place + 3
            case "paragraph_open":
                self._paragraph(token, tokens[place + 1].content)
                return place + 3
            case "dt_open":
                self._terms[-1] = (plain(tokens[place + 1].content), self._line(token))
                return place + 3
            case "fence" | "code_block":
                self._say_term()
                self._growing.add(Block(BlockKind.CODE, token.content.strip("\n"), self._growing.section, *self._place(token)))
            case "html_block":
                self._html(token)
            case "table_open":
                return self._table(tokens, place)
            case _:
                self._border(token)
        return place + 1

    def _border(self, token: Token) -> None:
        """Begin or end a list, an item or a definition."""
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._say_term()
                self._lists.append(lead_in(self._last))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._last = ""
            case "list_item_open":
                self._items.append(_Item(self._lists[-1]))
            case "list_item_close":
                self._items.pop()
            case "dl_open":
                self._say_term()
                self._terms.append(("", (0, 0)))
            case "dd_open":
                term, line = self._terms[-1]
                self._items.append(_Item(f"{term.removesuffix(':')}:" if term else "", "", term, line))
            case "dd_close":
                self._end_definition(self._items.pop())
            case "dl_close":
                self._terms.pop()
                self._last = ""
            case _:
                pass

    def _paragraph(self, token: Token, inline: str) -> None:
        text, place, section = plain(inline), self._place(token), self._growing.section
        item = self._items[-1] if self._items and not self._items[-1].text else None
        if item and item.term and (defined := key_and_value(f"{item.lead} {text}", marked=False)):
            self._growing.add(pair(*defined, section, (item.place[0], place[1]), self._vocabulary))
        elif pairs := [] if item and item.term else self._pairs(inline):
            for key, value in pairs:
                self._growing.add(pair(key, value, section, place, self._vocabulary))
        elif item:
            self._growing.add(Block(BlockKind.ITEM, text, section, *place, lead=item.lead))
        else:
            kind = BlockKind.LEAD if text and lead_in(text) == text else BlockKind.PROSE
            self._growing.add(Block(kind, text, section, *place))
        if item:
            item.text = text
        self._last = text

    def _pairs(self, inline: str) -> list[tuple[str, str]]:
        """Return key and value of an item such as "**Owner:** Dana Reyes", or of each line of a paragraph of bold keys; nothing for prose."""
        if not self._items and not _BOLD_KEY.match(inline):
            return []
        lines = inline.split("\n") if all(_BOLD_KEY.match(line) for line in inline.split("\n")) else [inline]
        found = [key_and_value(plain(line), marked=_BOLD_KEY.match(line) is not None) for line in lines]
        return [parts for parts in found if parts] if all(found) else []

    def _html(self, token: Token) -> None:
        if token.content.lstrip().startswith("<!--"):
            return
        self._say_term()
        text = unescaped(_untagged(_HTML_BREAK.sub(" ", token.content)))
        self._growing.add(Block(BlockKind.PROSE, squeeze(text), self._growing.section, *self._place(token)))

    def _table(self, tokens: Sequence[Token], place: int) -> int:
        """Read a whole table; one without a cell that says anything is counted as a piece without content."""
        self._say_term()
        rows: list[list[Cell]] = []
        within = self._place(tokens[place])
        while tokens[place].type != "table_close":
            if tokens[place].type == "tr_open":
                rows.append([])
                within = self._place(tokens[place])
            elif tokens[place].type == "inline":
                rows[-1].append(Cell(plain(tokens[place].content), *within, header=len(rows) == 1))
            place += 1
        found = table_blocks(rows, self._growing.section, self._vocabulary)
        self._growing.skipped += not found
        for block in found:
            parts = (Part(0, len(block.text), *span) for span in self._mended.get(block.start, ()))
            self._growing.add(replace(block, parts=tuple(parts)))
        return place + 1


def _untagged(text: str) -> str:
    """Return HTML without comments and tags, in time linear to its length; a `<` that nothing closes stays."""
    last_comment, last_tag = text.rfind("-->"), text.rfind(">")
    parts: list[str] = []
    place = 0
    while place <= (start := text.find("<", place)) < last_tag:
        parts.append(text[place:start])
        comment = text.startswith("<!--", start) and start + 4 <= last_comment
        place = text.index("-->", start + 4) + 3 if comment else text.index(">", start) + 1
    return "".join(parts) + text[place:]
