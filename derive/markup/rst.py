"""reStructuredText to the block tree: docutils finds the blocks of each section; they are remembered, since most sections stay as they were.

The body is cut at what looks like headings (a long stretch without one at its paragraphs), so that work grows with the body and no faster. docutils
names the first line of a block; its place in the body are whole lines.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

from docutils import nodes
from docutils.utils import Reporter

from derive.markup.headers import headers
from derive.markup.links import Shown, spaced
from derive.markup.outline import Said, Writer, outlined, shifted
from derive.markup.rst_inline import Substitutions, plain
from derive.markup.rst_inline import said as inline
from derive.markup.rst_parser import CODE, Directive, Title, document_of
from derive.markup.rst_tables import Tables
from derive.text import squeeze
from derive.tree import Heading, Tree
from schemas.vocabulary import Vocabulary

_MARKS = r"[!-/:-@\[-`{-~]"
_HEADING = re.compile(
    rf"(?:(?<=\n\n)|\A)(?:(?P<over>{_MARKS})(?P=over){{2,}}[ ]*\n[ ]*\S[^\n]*\n(?P=over){{3,}}|\S[^\n]*\n(?P<under>{_MARKS})(?P=under){{2,}})[ ]*$",
    re.MULTILINE,
)
_DRAWN = re.compile(r"\+[-=+]+|=+ +=[ =]*$")
"""The top of a table."""
_GAP = re.compile(r"\n\n(?=\S)")
_STRETCH = 20_000
"""Characters without a heading after which a stretch ends at the next paragraph: docutils copies what is left of one for every list in it."""
_SUBSTITUTION = re.compile(r"^\.\. \|(?P<name>\S[^|\n]*)\|[ ]+replace::[ ]*(?P<text>[^\n]*(?:\n[ ]+\S[^\n]*)*)", re.MULTILINE)
_SILENT = frozenset(
    "toctree contents include literalinclude raw index highlight highlightlang default-role role meta title sectnum target-notes tabularcolumns "
    "module py:module currentmodule py:currentmodule program sectionauthor moduleauthor codeauthor youtube date unicode replace header footer".split()
)
_UNNAMED = frozenset("container class only ifconfig compound hlist tabs tab-set grid cssclass rst-class".split())
"""Directives whose argument is no text."""
_NOTES = frozenset("note warning important tip caution attention hint danger error seealso todo epigraph highlights pull-quote impl-detail".split())
"""Directives whose text may begin behind the name."""
_VERSION = re.compile(r"(?s)((?:next|v?\d\S*)(?:\s+\d[\w.]*)*)\s*(.*)")
_CHANGES = frozenset("versionadded versionchanged versionremoved deprecated deprecated-removed soft-deprecated availability".split())
"""Directives whose name is part of what they say."""


def rst_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in reStructuredText; BadReading if its blocks are nested too deeply."""
    front = headers(text, vocabulary, plain)
    known = tuple((squeeze(one["name"]).casefold(), plain(one["text"])) for one in _SUBSTITUTION.finditer(text))
    styles: list[str] = []
    said: list[Said] = []
    for start, end in _stretches(text, front.end):
        read = _read(text[start:end], known)
        styles += (style for style in read.styles if style not in styles)
        levels = [styles.index(style) + 1 for style in read.styles]
        said += (replace(one, level=levels[one.level]) if isinstance(one, Heading) else one for one in shifted(read.said, start))
    return outlined(said, len(text), front, vocabulary)


def _stretches(text: str, start: int) -> Iterator[tuple[int, int]]:
    borders = [start, *(match.start() for match in _HEADING.finditer(text, start) if match.start() > start), len(text)]
    for begin, end in pairwise(borders):
        while (gap := _GAP.search(text, begin + _STRETCH, end)) is not None:
            yield begin, gap.end()
            begin = gap.end()
        yield begin, end


@dataclass(frozen=True, slots=True)
class _Read:
    """What a stretch says; the level of a heading is an index in `styles`, since what is above what only the whole body knows."""

    styles: tuple[str, ...]
    said: tuple[Said, ...]


@lru_cache(maxsize=1024)
def _read(text: str, known: Substitutions) -> _Read:
    walk = _Walk(text, known)
    walk.read(document_of(text.split("\n")).children)
    return _Read(tuple(walk.styles), tuple(walk.writer.said))


_Node: TypeAlias = Any
"""A node of docutils, whose types do not say that lines and attributes are there once it is parsed."""


class _Walk:
    """One pass over what docutils found in a stretch."""

    def __init__(self, text: str, known: Substitutions) -> None:
        self.writer = Writer()
        self.styles: list[str] = []
        self._known = known
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self._tables = Tables(self._said, self._place)

    def read(self, found: Iterable[nodes.Node]) -> None:
        """Read nodes in their order; comments, targets and what docutils says about the markup are not read."""
        for node in found:
            read = _READERS.get(type(node))
            if read is not None:
                read(self, node)

    def _plain(self, raw: str) -> str:
        return self._said(raw).text

    def _said(self, raw: str) -> Shown:
        return inline(raw, self._known if "|" in raw else ())

    def _place(self, line: int, count: int = 1) -> tuple[int, int]:
        """Return the place of so many lines, the first one by its number (from 1), without white space around them."""
        first = min(max(line, 1), len(self._lines)) - 1
        last = min(first + count, len(self._lines)) - 1
        start, end = self._lines[first], self._lines[last]
        return self._starts[first] + len(start) - len(start.lstrip()), self._starts[last] + len(end.rstrip())

    def title(self, node: Title) -> None:
        if node["style"] not in self.styles:
            self.styles.append(node["style"])
        self.writer.heading(self.styles.index(node["style"]), self._plain(node["text"]), self._place(node["line"], node.rawsource.count("\n") + 1))

    def paragraph(self, node: _Node) -> None:
        line = self._said(node.astext())
        if line.text:
            place = self._place(node.line, node.rawsource.count("\n") + 1)
            self.writer.paragraph(line.text, place, marked=node.rawsource.startswith("**"), links=line.links)

    def code(self, node: _Node) -> None:
        self.writer.code(node.astext(), self._place(node.line, node.rawsource.count("\n") + 1))

    def list(self, node: _Node) -> None:
        self.writer.begin_list()
        for item in node.children:
            self.writer.begin_item()
            self.read(item.children)
            self.writer.end_item()
        self.writer.end_list()

    def definitions(self, node: _Node) -> None:
        for item in node.children:
            term, *kinds, definition = item.children
            self._define(" ".join([term.astext(), *(f"({kind.astext()})" for kind in kinds)]), self._place(item.line), definition)

    def fields(self, node: _Node) -> None:
        for one in node.children:
            name, body = one.children
            if body.children:
                self._define(name.astext(), self._place(one.line), body)

    def options(self, node: _Node) -> None:
        for item in node.children:
            options, description = item.children
            line = description.children[0].line
            self._define(", ".join(option.rawsource for option in options.children), self._place(line), description)

    def _define(self, term: str, place: tuple[int, int], said: _Node, *, pair: bool = True) -> None:
        self.writer.begin_definition(self._plain(term), place, pair=pair)
        self.read(said.children)
        self.writer.end_item()

    def inside(self, node: _Node) -> None:
        self.read(node.children)

    def lines_of(self, node: _Node) -> None:
        lines = list(node.findall(nodes.line))
        whole = spaced([line for line in (self._said(one.astext()) for one in lines) if line.text])
        if whole.text:
            place = self._place(lines[0].line)[0], self._place(lines[-1].line, lines[-1].rawsource.count("\n") + 1)[1]
            self.writer.paragraph(whole.text, place, links=whole.links)

    def message(self, node: _Node) -> None:
        """Read the text of broken headings, and that of broken tables as code; docutils puts it nowhere else."""
        for text in node.children[1:] if node["level"] >= Reporter.ERROR_LEVEL else ():
            lines = text.astext().split("\n")
            place = self._found(lines, node.get("line", 1))
            if _DRAWN.match(lines[0]):
                self.writer.code("\n".join(lines), place)
            else:
                self.say(" ".join(lines), place)

    def _found(self, lines: Sequence[str], near: int) -> tuple[int, int]:
        """Return the place of lines nearest to a number, as messages have it; what they stand in may stand before the first."""
        wanted = [line.strip() for line in lines]
        numbers = sorted(range(max(0, near - len(lines) - 3) + 1, near + 4), key=lambda number: abs(number - near))
        return self._place(next((number for number in numbers if self._stands(number, wanted)), near), len(lines))

    def _stands(self, number: int, wanted: Sequence[str]) -> bool:
        there = [line.expandtabs().strip() for line in self._lines[number - 1 : number - 1 + len(wanted)]]
        return there[1:] == wanted[1:] and there[:1] != [] and there[0].endswith(wanted[0])

    def directive(self, node: Directive) -> None:
        name, argument = node["name"], node["argument"]
        place = self._place(node["line"], argument.count("\n") + 1)
        if name in _SILENT:
            return
        if name in _CHANGES:
            self._change(node, place)
        elif name == "list-table":
            self.writer.table(self._tables.listed(node), self._plain(node["argument"]))
        elif name == "csv-table":
            self.writer.table(self._tables.separated(node), self._plain(node["argument"]))
        elif name in ("image", "figure"):
            self.say(node["options"].get("alt", ""), self._place(node["line"], node["lines"]))
            self.read(node.children)
        elif name in _NOTES:
            self.say(argument, place)
            self.read(node.children)
        elif not argument or name in _UNNAMED or name in CODE or name == "table":
            self._captioned(node)
        else:
            self._define(argument, place, node, pair=False)

    def say(self, raw: str, place: tuple[int, int]) -> None:
        line = self._said(raw)
        if line.text:
            self.writer.paragraph(line.text, place, links=line.links)

    def _change(self, node: Directive, place: tuple[int, int]) -> None:
        """Read what was changed in a version: the name of the directive and the version come before the words."""
        match = _VERSION.match(node["argument"])
        version, words = match.groups() if match else ("", node["argument"])
        self.writer.begin_definition(f"{node['name']} {version}".rstrip(), self._place(node["line"]), pair=False)
        self.say(words, place)
        self.read(node.children)
        self.writer.end_item()

    def _captioned(self, node: Directive) -> None:
        for child in node.children:
            if isinstance(child, nodes.table):
                self.table(child, self._plain(node["argument"]) if node["name"] == "table" else "")
            else:
                self.read([child])

    def table(self, node: _Node, caption: str = "") -> None:
        self.writer.table(self._tables.drawn(node), caption)


_READERS: dict[type[nodes.Node], Callable[[_Walk, Any], None]] = {
    Title: _Walk.title,
    Directive: _Walk.directive,
    nodes.paragraph: _Walk.paragraph,
    nodes.attribution: _Walk.paragraph,
    nodes.literal_block: _Walk.code,
    nodes.doctest_block: _Walk.code,
    nodes.bullet_list: _Walk.list,
    nodes.enumerated_list: _Walk.list,
    nodes.definition_list: _Walk.definitions,
    nodes.field_list: _Walk.fields,
    nodes.option_list: _Walk.options,
    nodes.line_block: _Walk.lines_of,
    nodes.block_quote: _Walk.inside,
    nodes.footnote: _Walk.inside,
    nodes.citation: _Walk.inside,
    nodes.table: _Walk.table,
    nodes.system_message: _Walk.message,
}
