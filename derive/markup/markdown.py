"""Markdown to the block tree (CommonMark with tables and definition lists; markdown-it-py gives the line maps)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from derive.markup.frontmatter import front_matter
from derive.markup.links import CLOSE, Shown, opening, path_of, shown, spaced
from derive.markup.structure import pair, paired
from derive.markup.tables import Cell, table_blocks
from derive.split_tables import Closed, closed_tables
from derive.text import cleaned, squeeze, unescaped
from derive.tree import Block, BlockKind, Growing, Heading, Tree, key_and_value, lead_in
from schemas.version import Part
from schemas.vocabulary import Vocabulary

_PARSER = MarkdownIt("commonmark").enable("table").use(deflist_plugin).disable("inline")
_INLINE = MarkdownIt("commonmark").enable("strikethrough")
_MARKED = re.compile(r"[*_`\[\]<>!\\&~]|  \n")
_BOLD_KEY = re.compile(r"(\*\*|__)(?P<key>[^*_\n]{1,40}?):?\1:?\s+\S")
_HTML_BREAK = re.compile(r"</(?:p|div|tr|li|h\d|table|td|th)>|<br\s*/?>", re.IGNORECASE)


def markdown_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised Markdown body; BadReading if its front matter is broken."""
    front = front_matter(text, vocabulary)
    return _Walk(closed_tables(text), Growing(len(text), front), vocabulary).tree()


References: TypeAlias = Mapping[str, Mapping[str, Any]]
"""What the labels of a body lead to, as markdown-it-py has it."""


@lru_cache(maxsize=4096)
def _remembered(inline: str) -> Shown:
    return _said(inline, {})


def _said(inline: str, references: References) -> Shown:
    if not _MARKED.search(inline):
        return Shown(squeeze(inline))
    parts: list[str] = []
    for token in _INLINE.parseInline(inline, {"references": references})[0].children or ():
        match token.type:
            case "text" | "code_inline" | "image":
                parts.append(cleaned(token.content))  # again, since a percent-encoded address brings in what the body may not hold
            case "softbreak" | "hardbreak":
                parts.append(" ")
            case "link_open":
                parts.append(opening(path_of(str(token.attrs["href"]))))
            case "link_close":
                parts.append(CLOSE)
            case _:
                continue
    return shown("".join(parts))


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
        self._references: References = {}
        self._items: list[_Item] = []
        self._lists: list[str] = []
        self._terms: list[tuple[str, tuple[int, int] | None]] = []
        self._last = ""

    def _said(self, inline: str) -> Shown:
        """Return inline Markdown as plain text on one line with its links: marks, addresses and tags gone, images as their description.

        Remembered where it names no label, since it is most of the work on a page, and nine paragraphs of ten are those of the version before.
        """
        return _said(inline, self._references) if self._references and "[" in inline else _remembered(inline)

    def _plain(self, inline: str) -> str:
        return self._said(inline).text

    def tree(self) -> Tree:
        env: dict[str, Any] = {}
        tokens = _PARSER.parse(self._body, env)
        self._references = {label: one for label, one in env.get("references", {}).items() if not label.startswith("^")}  # a footnote is none
        titles = [tokens[place + 1].content for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h1"]
        self._growing.titled = len(titles) == 1
        if titles and self._growing.front.title is None:
            self._growing.front = replace(self._growing.front, title=self._plain(titles[0]) or None)
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
                self._growing.heading(Heading(int(token.tag[1:]), self._plain(tokens[place + 1].content), *self._place(token)))
                self._last = ""
                return place + 3
            case "paragraph_open":
                self._paragraph(token, tokens[place + 1].content)
                return place + 3
            case "dt_open":
                self._terms[-1] = (self._plain(tokens[place + 1].content), self._line(token))
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
                self._terms.append(("", None))
            case "dd_open":
                term, line = self._terms[-1]
                line = line or (self._place(token)[0], self._place(token)[0])
                self._terms[-1] = (term, None)
                self._items.append(_Item(f"{term.removesuffix(':')}:" if term else "", "", term, line))
            case "dd_close":
                self._end_definition(self._items.pop())
            case "dl_close":
                self._terms.pop()
                self._last = ""
            case _:
                pass

    def _paragraph(self, token: Token, inline: str) -> None:
        said, place, section = self._said(inline), self._place(token), self._growing.section
        text = said.text
        item = self._items[-1] if self._items and not self._items[-1].text else None
        if item and item.term and (defined := key_and_value(f"{item.lead} {text}", marked=False)):
            line = spaced([Shown(item.lead), said])
            self._growing.add(paired(pair(*defined, section, (item.place[0], place[1]), self._vocabulary), line.text, line.links))
        elif pairs := [] if item and item.term else self._pairs(inline):
            for key, value, line in pairs:
                self._growing.add(paired(pair(key, value, section, place, self._vocabulary), line.text, line.links))
        elif item:
            within = (item.place[0], place[1]) if item.term else place
            self._growing.add(Block(BlockKind.ITEM, text, section, *within, lead=item.lead, links=said.links))
        else:
            kind = BlockKind.LEAD if text and lead_in(text) == text else BlockKind.PROSE
            self._growing.add(Block(kind, text, section, *place, links=said.links))
        if item:
            item.text = text
        self._last = text

    def _pairs(self, inline: str) -> list[tuple[str, str, Shown]]:
        """Return key, value and line of an item such as "**Owner:** Dana Reyes", or of each line of a paragraph of bold keys; nothing for prose."""
        if not self._items and not _BOLD_KEY.match(inline):
            return []
        lines = inline.split("\n") if all(_BOLD_KEY.match(line) for line in inline.split("\n")) else [inline]
        said = [(self._said(line), _BOLD_KEY.match(line) is not None) for line in lines]
        found = [(key_and_value(line.text, marked=marked), line) for line, marked in said]
        pairs = [(*parts, line) for parts, line in found if parts]
        return pairs if len(pairs) == len(found) else []

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
                said = self._said(tokens[place].content)
                rows[-1].append(Cell(said.text, *within, header=len(rows) == 1, links=said.links))
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
