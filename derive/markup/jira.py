"""Jira's wiki markup to the block tree: lines say what they are at their start, macros in braces hold code, quotes and panels."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.markup.jira_inline import cells, plain, said
from derive.markup.nesting import Nesting
from derive.markup.outline import Place, Writer, outlined
from derive.markup.tables import Cell
from derive.tree import Front, Tree
from schemas.vocabulary import Vocabulary

_VERBATIM = re.compile(r"\{(code|noformat)(?::[^{}\n]{0,200})?\}")
_HEADING = re.compile(r"\s*h(?P<level>[1-6])\.\s+(?P<text>\S.*)")
_ITEM = re.compile(r"\s*(?P<marks>[*#-]{1,12})\s+(?=\S)")
_QUOTE = re.compile(r"\s*bq\.\s+")
_RULE = re.compile(r"\s*-{4,}\s*$")
_PANEL = re.compile(r"\{(?:panel|info|note|tip|warning|expand|code|noformat):(?:[^{}\n]*\|)?(?:title=)?(?P<title>[^{}|=\n]*)(?:\|[^{}\n]*)?\}")
_BORDER = re.compile(r"\{(?:quote|panel|info|note|tip|warning|expand|section|column)(?::[^{}\n]*)?\}")


def jira_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in Jira's wiki markup."""
    walk = _Walk()
    for start, end, code in _stretches(text):
        if code:
            walk.end_block()
            walk.writer.code(text[start:end], (start, end))
        else:
            walk.read(text[start:end], start)
    walk.end_block()
    return outlined(walk.writer.said, len(text), Front(), vocabulary)


def _stretches(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield what stands between macros for verbatim text, and what stands in them; one that nothing closes is none."""
    marks = list(_VERBATIM.finditer(text))
    last = {mark[1]: number for number, mark in enumerate(marks)}
    place = number = 0
    while number < len(marks):
        opening = marks[number]
        yield place, opening.start(), False
        place = opening.end()
        number += 1
        if number <= last[opening[1]]:
            while marks[number][1] != opening[1]:
                number += 1
            yield place, marks[number].start(), True
            place = marks[number].end()
            number += 1
    yield place, len(text), False


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int

    @property
    def place(self) -> Place:
        return self.start + len(self.text) - len(self.text.lstrip()), self.start + len(self.text.rstrip())


class _Walk:
    """One pass over the lines of one body."""

    def __init__(self) -> None:
        self.writer = Writer()
        self._nesting = Nesting(self.writer)
        self._paragraph: list[_Line] = []
        self._rows: list[list[Cell]] = []
        self._cut: _Line | None = None

    def read(self, text: str, start: int) -> None:
        """Read the lines of a stretch without verbatim text."""
        place = start
        for part in text.split("\n"):
            self._line(_Line(part, place))
            place += len(part) + 1

    def end_block(self) -> None:
        """End all that is open."""
        self._end_paragraph()
        self._end_table()
        self._nesting.within("")

    def _line(self, line: _Line) -> None:
        if borders := list(_BORDER.finditer(line.text)):
            self._bordered(line, borders)
        elif not line.text.strip():
            self._end_paragraph()
            self._end_table()
        elif self._cut or line.text.lstrip().startswith("|"):
            self._row(line)
        elif heading := _HEADING.match(line.text):
            self.end_block()
            self.writer.heading(int(heading["level"]), plain(heading["text"]), line.place)
        elif _RULE.match(line.text):
            self.end_block()
        elif item := _ITEM.match(line.text):
            self._end_paragraph()
            self._end_table()
            self._nesting.item(item["marks"])
            self._paragraph = [_Line(" " * item.end() + line.text[item.end() :], line.start)]
        else:
            self._words(line)

    def _words(self, line: _Line) -> None:
        """Take a line into the paragraph or item that is open, else begin a paragraph, which ends the lists."""
        quote = _QUOTE.match(line.text)
        if quote or not self._paragraph:
            self.end_block()
        self._paragraph.append(_Line(" " * quote.end() + line.text[quote.end() :], line.start) if quote else line)

    def _bordered(self, line: _Line, borders: list[re.Match[str]]) -> None:
        """Read a line with borders of quotes and panels in it: each ends what is open, and may say a title."""
        reached = 0
        for border in borders:
            self._between(line, reached, border.start())
            self.end_block()
            panel = _PANEL.fullmatch(border[0])
            if panel and panel["title"].strip():
                begin = line.start + border.start()
                self.writer.paragraph(plain(panel["title"]), (begin + panel.start("title"), begin + panel.end()))
            reached = border.end()
        self._between(line, reached, len(line.text))

    def _between(self, line: _Line, start: int, end: int) -> None:
        if line.text[start:end].strip():
            self._line(_Line(line.text[start:end], line.start + start))

    def _row(self, line: _Line) -> None:
        """Take a row in; one that does not end in a bar goes on in the next line."""
        self._end_paragraph()
        whole = _Line(f"{self._cut.text}\n{line.text}", self._cut.start) if self._cut else line
        if not whole.text.rstrip().endswith("|") and len(whole.text) < 10_000:
            self._cut = whole
            return
        self._cut = None
        self._rows.append(_cells(whole))

    def _end_table(self) -> None:
        if self._cut:
            cut, self._cut = self._cut, None
            self._rows.append(_cells(cut))
        if self._rows:
            rows, self._rows = self._rows, []
            self._nesting.within("")
            self.writer.table(rows)

    def _end_paragraph(self) -> None:
        lines, self._paragraph = self._paragraph, []
        keyed = [line for line in lines if line.text.lstrip().startswith("*")]
        if lines and len(keyed) == len(lines):
            for line in lines:
                self._say([line], marked=True)
        elif lines:
            self._say(lines, marked=bool(keyed) and keyed[0] is lines[0])

    def _say(self, lines: list[_Line], *, marked: bool) -> None:
        line = said("\n".join(line.text for line in lines))
        if line.text:
            self.writer.paragraph(line.text, (lines[0].place[0], lines[-1].place[1]), marked=marked, links=line.links)


def _cells(line: _Line) -> list[Cell]:
    """Return the cells of a row."""
    found = ((said(text), line.start + start, line.start + end, header) for text, start, end, header in cells(line.text))
    return [Cell(shown.text, start, end, header, links=shown.links) for shown, start, end, header in found]
