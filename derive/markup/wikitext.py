"""Wikitext to the block tree: mwparserfromhell finds links, templates, tags and tables, whose lengths give their places; lines give the rest.

What does not show, or would hold up the parser, is hidden first, each of its characters by one that shows nothing, so that nothing moves.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import mwparserfromhell
from mwparserfromhell.nodes import Heading, Node, Tag, Template, Text
from mwparserfromhell.wikicode import Wikicode

from derive.markup.links import CLOSE, Shown, shown, spaced, unmarked
from derive.markup.nesting import Nesting
from derive.markup.outline import Place, Writer, outlined
from derive.markup.redirect import redirect_of
from derive.markup.wikitext_hidden import HIDDEN, visible_of
from derive.markup.wikitext_plain import VERBATIM, marked, node_text, plain, positional, template_name
from derive.markup.wikitext_said import LISTS
from derive.markup.wikitext_tables import cells_of, is_table
from derive.markup.wikitext_templates import records_of
from derive.text import squeeze
from derive.tree import Front, Tree
from schemas.errors import BadReading
from schemas.vocabulary import Vocabulary

_PREFIX = re.compile(r"[*#:;]*")
_MARKERS = frozenset("*#:;")
_AROUND_HOLES = re.compile(rf" ?\([ ,;:]*\)|(?<=\()[ ,;:]+| (?={CLOSE}?[,;.)])")
_BLANK = f" \t{HIDDEN}"
_QUOTES = frozenset({"quote", "blockquote", "cquote", "quotation", "quote box", "zitat"})


def wikitext_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in wikitext; BadReading if tables are nested too deeply."""
    if (target := redirect_of(text, whole=False)) is not None:
        return Tree(redirect=target)
    visible = visible_of(text)
    try:
        walk = _Walk(text, visible)
        walk.read(mwparserfromhell.parse(visible, skip_style_tags=True))
    except RecursionError as err:
        message = "wikitext: tables or tags are nested too deeply"
        raise BadReading(message) from err
    return outlined(walk.writer.said, len(text), Front(), vocabulary)


@dataclass(slots=True)
class _Line:
    """A line while it is read: where it begins, what is seen of it, and where a definition begins in it (in the body, and in `parts`)."""

    start: int
    parts: list[str] = field(default_factory=list)
    split: tuple[int, int] | None = None
    blank: bool = True
    holes: bool = False

    def add(self, shown: Iterable[str]) -> None:
        """Take in what is seen of a node; nothing, of many a template."""
        for part in shown:
            self.parts.append(part)
            self.blank = self.blank and not part.strip()
            self.holes = self.holes or not part

    @property
    def shown(self) -> Shown:
        """What is seen, without the marks around what is not."""
        text = "".join(self.parts)
        return shown(_AROUND_HOLES.sub("", squeeze(text)) if self.holes else text)


class _Walk:
    """One pass over the nodes of one body."""

    def __init__(self, text: str, visible: str) -> None:
        self.writer = Writer()
        self._text = text
        self._visible = visible
        self._line = _Line(0)
        self._paragraph: list[tuple[Shown, Place]] = []
        self._code: list[tuple[str, Place]] = []
        self._nesting = Nesting(self.writer)
        self._term: tuple[Shown, Place] | None = None
        self._recorded = False

    def read(self, code: Wikicode) -> None:
        """Read all nodes and end what is open."""
        self._end_line(self._nodes(code, 0))
        self._end_lists()

    def _nodes(self, code: Wikicode, place: int) -> int:
        """Read nodes that begin at a place; return where they end."""
        for node in code.nodes:
            end = place + len(str(node))
            self._node(node, place, end)
            place = end
        return place

    def _node(self, node: Node, start: int, end: int) -> None:
        if isinstance(node, Text):
            self._lines(node, start)
        elif isinstance(node, Heading):
            self._end_block(start)
            self.writer.heading(node.level, plain(node.title), (start, end))
            self._line = _Line(end)
        elif isinstance(node, Tag) and node.wiki_markup in _MARKERS:
            if node.wiki_markup == ":" and not self._line.blank:
                self._line.split = (end, len(self._line.parts))
        elif not self._block(node, start, end):
            self._line.add(node_text(node))

    def _lines(self, node: Text, start: int) -> None:
        place = start
        for number, part in enumerate(str(node.value).split("\n")):
            if number:
                self._end_line(place)
                place += 1
                self._line = _Line(place)
            self._line.add(node_text(Text(part)))
            place += len(part)

    def _block(self, node: Node, start: int, end: int) -> bool:
        """Read what is a block of its own; tell whether it was one."""
        alone = self._line.blank and self._visible[end : end + 40].lstrip(_BLANK)[:1] in ("", "\n")
        if isinstance(node, Tag) and is_table(node):
            self._end_block(start)
            self.writer.table(*cells_of(node, start))
        elif isinstance(node, Tag) and str(node.tag).casefold() in VERBATIM and (alone or str(node.tag).casefold() == "pre"):
            self._end_block(start)
            self.writer.code(str(node.contents).replace(HIDDEN, ""), (start, end))
        elif alone and isinstance(node, Template) and template_name(node) in _QUOTES:
            self._end_block(start)
            quoted = positional(node)[:1] or [param for param in node.params if str(param.name).strip() in ("text", "quote")]
            self._say(shown("".join(marked(param.value) for param in quoted)), (start, end))
        elif alone and isinstance(node, Template) and template_name(node) in LISTS:
            self._end_block(start)
            self._within(node, start)
        elif alone and isinstance(node, Template) and (records := records_of(node, first=not self._recorded)):
            self._end_block(start)
            self._recorded = True
            for path, label, values in records:
                named = [(name, value.text) for name, value in values]
                self.writer.record(path, label, named, (start, end), [value.links for _, value in values])
        else:
            return False
        self._line = _Line(end)
        return True

    def _within(self, template: Template, start: int) -> None:
        """Read what a template lays out in columns or lines: each value as if it stood there by itself."""
        place = start + len("{{") + len(str(template.name))
        for param in template.params:
            place += len("|") + (len(f"{param.name}=") if param.showkey else 0)
            end = place + len(str(param.value))
            if not param.showkey or str(param.name).strip().isdigit():
                self._line = _Line(place)
                self._nodes(param.value, place)
                self._end_block(end)
            place = end

    def _end_block(self, end: int) -> None:
        self._end_line(end)
        self._end_lists()

    def _end_line(self, end: int) -> None:
        """Take a line in: as an item, as code, or into the paragraph; an empty one ends the paragraph."""
        line, raw = self._line, self._visible[self._line.start : end]
        prefix = _PREFIX.match(raw)
        place = (line.start, line.start + len(raw.rstrip(_BLANK)))
        if not raw.strip():
            self._end_paragraph()
            self._end_term()
        elif prefix and prefix[0]:
            self._end_paragraph()
            self._item(prefix[0], line, place)
        elif self._text[line.start] == " " and not line.blank and self._text[max(0, line.start - 1)] == "\n":
            self._end_lists(keep_code=True)
            self._code.append((unmarked("".join(line.parts)).rstrip(), place))
        elif (words := line.shown).text.strip("-"):
            if self._nesting.marks or self._code or self._term:
                self._end_lists()
            self._paragraph.append((words, place))

    def _item(self, prefix: str, line: _Line, place: Place) -> None:
        marks = prefix.rstrip(":;")
        if prefix == marks or marks != self._nesting.marks:
            self._end_term()
        if prefix == marks:
            self._nesting.item(marks)
        else:
            self._nesting.within(marks)
        if prefix.endswith(";"):
            self._end_term()
            split = line.split or (place[1], len(line.parts))
            before, after = shown("".join(line.parts[: split[1]])), shown("".join(line.parts[split[1] :]))
            self._term = (before, (place[0], split[0]))
            if after.text:
                self._define(after, place)
        elif prefix != marks and self._term:
            self._define(line.shown, place)
        else:
            self._say(line.shown, place)

    def _define(self, text: Shown, place: Place) -> None:
        """Say a definition; the term is said with its first one."""
        term, where = self._term or (Shown(""), place)
        self.writer.begin_definition(term.text, where)
        self._say(text, place)
        self.writer.end_item()
        self._term = None

    def _end_lists(self, *, keep_code: bool = False) -> None:
        self._end_paragraph(keep_code=keep_code)
        self._nesting.within("")
        self._end_term()

    def _end_term(self) -> None:
        """Say a term that nothing defined; a heading in bold, mostly."""
        if self._term:
            term, self._term = self._term, None
            self._say(*term)

    def _end_paragraph(self, *, keep_code: bool = False) -> None:
        lines, self._paragraph = self._paragraph, []
        if lines and all(self._visible.startswith("'''", place[0]) for _, place in lines):
            for text, place in lines:
                self._say(text, place)
        elif lines:
            self._say(spaced([text for text, _ in lines]), (lines[0][1][0], lines[-1][1][1]))
        if self._code and not keep_code:
            code, self._code = self._code, []
            self.writer.code("\n".join(text for text, _ in code), (code[0][1][0], code[-1][1][1]))

    def _say(self, said: Shown, place: Place) -> None:
        if said.text:
            self.writer.paragraph(said.text, place, marked=self._visible.startswith("'''", place[0]), links=said.links)
