"""Tables of reStructuredText: drawn ones, and those that a directive writes as a list of lists or as comma-separated values."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from docutils import nodes
from docutils.utils import Reporter

from derive.markup.links import Shown, spaced
from derive.markup.outline import Place
from derive.markup.rst_parser import Directive
from derive.markup.tables import Cell
from derive.text import squeeze

Rows: TypeAlias = list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Tables:
    """Reads the tables of a stretch. `said` makes plain text with links of inline markup, `place` the place of so many lines from a number on."""

    said: Callable[[str], Shown]
    place: Callable[[int, int], Place]

    def drawn(self, node: nodes.table) -> Rows:
        """Return the rows of a grid or simple table."""
        rows = list(node.findall(nodes.row))
        return self._rows([(row.children, isinstance(row.parent, nodes.thead)) for row in rows], 0)

    def listed(self, node: Directive) -> Rows:
        """Return the rows of a list of lists."""
        lists = [row.children[0] for one in node.children if isinstance(one, nodes.bullet_list) for row in one.children if row.children]
        rows = [one.children for one in lists if isinstance(one, nodes.bullet_list)]
        heads = _count(node, "header-rows")
        return self._rows([(row, number < heads) for number, row in enumerate(rows)], _count(node, "stub-columns"))

    def separated(self, node: Directive) -> Rows:
        """Return the rows of comma-separated values; broken ones are rows of one cell."""
        options, line = node["options"], node["line"]
        heads = [(line, line, next(csv.reader([options["header"]], skipinitialspace=True), []))] if "header" in options else []
        rows = [
            *heads,
            *(row for block in node.children if isinstance(block, nodes.literal_block) for row in _values(block, options.get("delim", ","))),
        ]
        count = len(heads) + _count(node, "header-rows")
        return [
            [_cell(self.said(text), self.place(first, last - first + 1), header=number < count) for text in cells]
            for number, (first, last, cells) in enumerate(rows)
        ]

    def _rows(self, rows: Sequence[tuple[Sequence[nodes.Node], bool]], stubs: int) -> Rows:
        spans = _row_spans([[_line_span(cell) for cell in cells] for cells, _ in rows])
        return [
            [self._cell(cell, span, header=header or column < stubs) for column, cell in enumerate(cells)]
            for (cells, header), span in zip(rows, spans, strict=True)
        ]

    def _cell(self, node: nodes.Node, lines: range, *, header: bool) -> Cell:
        words = spaced([text for part in node.findall(nodes.TextElement) if _is_said(part) and (text := self.said(part.astext())).text])
        spans = (node.get("morerows", 0) + 1, node.get("morecols", 0) + 1) if isinstance(node, nodes.entry) else (1, 1)
        return _cell(words, self.place(lines.start, len(lines)), spans, header=header)


def _cell(words: Shown, place: Place, spans: tuple[int, int] = (1, 1), *, header: bool) -> Cell:
    return Cell(words.text, *place, header, *spans, words.links)


def _is_said(node: nodes.TextElement) -> bool:
    """Tell whether the document says it, and not docutils in a message; the text in an error is the document's."""
    message = node.parent
    if not isinstance(message, nodes.system_message):
        return True
    return isinstance(node, nodes.literal_block) and message["level"] >= Reporter.ERROR_LEVEL


def _line_span(node: nodes.Node) -> range:
    """Return the numbers of the lines that a cell is written on, as far as its paragraphs tell."""
    found = [(one.line, one.rawsource.count("\n") + 1) for one in node.findall(nodes.TextElement) if one.line]
    return range(min(line for line, _ in found), max(line + count for line, count in found)) if found else range(0)


def _row_spans(rows: Sequence[Sequence[range]]) -> list[range]:
    """Return the lines of each row; where a cell reaches into the next row, its row ends before that."""
    starts = [min((cell.start for cell in row if cell), default=0) for row in rows]
    ends = [max((cell.stop for cell in row), default=0) for row in rows]
    found, below = list[range](), None
    for start, end in zip(reversed(starts), reversed(ends), strict=True):
        stop = end if below is None else min(end, below)
        found.append(range(start, max(stop, start + 1)))
        below = start or below
    return found[::-1]


def _count(node: Directive, option: str) -> int:
    written = node["options"].get(option, "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 4 else 0


def _values(block: nodes.literal_block, delimiter: str) -> list[tuple[int, int, list[str]]]:
    """Return the rows of a text, each with its first and last line; if they are broken each line is a row."""
    lines = block.astext().split("\n")
    start = first = block.line or 1
    rows = csv.reader([f"{line}\n" for line in lines], delimiter=" " if delimiter == "space" else delimiter[:1] or ",", skipinitialspace=True)
    found: list[tuple[int, int, list[str]]] = []
    try:
        for cells in rows:
            last = start + rows.line_num - 1
            found.append((first, last, [squeeze(cell) for cell in cells]))
            first = last + 1
    except csv.Error:
        return [(start + number, start + number, [squeeze(line)]) for number, line in enumerate(lines)]
    return found
