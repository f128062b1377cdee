"""The text of PDF files to the block tree. A form feed ends a page; what repeats at the edges of pages is not said.

A PDF holds lines, not paragraphs. A line that falls well short of the usual width ends its paragraph if it ends a sentence or the next one begins
with a capital; so does the line before an item. Headings are lines whose numbers continue those of the headings before them; the path of a section
holds their titles alone, so that it may move.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from derive.markup.outline import Writer, outlined
from derive.text import has_content, normalise, squeeze
from derive.tree import Front, Tree, key_and_value
from schemas.vocabulary import Vocabulary

MEDIA_TYPE = "application/pdf"
PAGE_BREAK = "\f"
_EDGE = 3
"""Lines at the top and at the bottom of a page among which running headers and footers are looked for."""
_ALIKE = 3
"""Pages at whose edge a line must stand to be a running one; two if there are no more, or if it counts them."""
_SHORT = 0.8
"""Share of the usual width below which its writer ended a line, and not the edge of the page."""
_USUAL = 0.9
"""Share of the lines that are no longer than the usual width: headings and last lines are shorter, tables sometimes longer."""
_LONGEST_TITLE = 100
_GAP = 2
"""Steps that the numbers of headings may take at once: one of them may be hidden in a picture."""
_DIGITS = re.compile(r"\d+")
_ITEM = re.compile(r"(?:[•▪‣◦●○■□–*-]|\(?(?:\d{1,3}|[a-z])[.)])\s+(?=\S)")
_NUMBERED = re.compile(r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<dot>\.)?\s+(?P<title>[^\W\d_a-z].*)")
_CONTENTS = re.compile(r"(?:\.\s?){4}\s*(?:\d{1,4}|[ivxlc]{1,8})$")
_ENDED = re.compile(r"[.!?:;。！？：；][\"')\]”’]*$")
_CUT = re.compile(r"(?P<tail>[^\W\d_]+)-$")
_WORD = re.compile(r"[^\W\d_]+")
_COMPOUND = re.compile(r"(?<!\w)[^\W\d_]++-[^\W\d_]++")
_WIDE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
_SOFT_HYPHEN = "\xad"


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of text that says something, its place in the body, and its page from 0."""

    text: str
    start: int
    end: int
    page: int


def paged(body: str) -> str:
    """Return a body in pages as it is read, and into which all offsets point: each page in the one normal form."""
    text = PAGE_BREAK.join(map(normalise, body.split(PAGE_BREAK)))
    return text if text.strip() else ""


def pdf_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in pages."""
    pages = list(_pages(text))
    running = _running(pages)
    lines = [line for page in pages for line in page if line not in running and not _CONTENTS.search(line.text)]
    writer = _Walk(lines).read()
    return outlined(writer.said, len(text), Front(), vocabulary)


def pages_of(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the first and the last page, from 1, of a span of a normalised body in pages."""
    first = text.count(PAGE_BREAK, 0, start) + 1
    return first, first + text.count(PAGE_BREAK, start, end)


def _pages(text: str) -> Iterator[list[_Line]]:
    """Yield the lines of each page; those without a letter or digit are left out."""
    place = 0
    for number, page in enumerate(text.split(PAGE_BREAK)):
        lines: list[_Line] = []
        for line in page.split("\n"):
            if has_content(line):
                begin = place + len(line) - len(line.lstrip())
                lines.append(_Line(line.strip(), begin, place + len(line.rstrip()), number))
            place += len(line) + 1
        yield lines


def _running(pages: Sequence[Sequence[_Line]]) -> set[_Line]:
    """Return the running headers and footers: lines at the edge of several pages that are equal but for numbers which stay or count the pages."""
    edges: dict[tuple[bool, str], dict[int, _Line]] = defaultdict(dict)
    for page in pages:
        for top, lines in ((True, page[:_EDGE]), (False, page[::-1][:_EDGE])):
            for line in lines:
                edges[top, _DIGITS.sub("#", squeeze(line.text).casefold())].setdefault(line.page, line)
    found = (list(lines.values()) for lines in edges.values())
    alike = {line for lines in found if len(lines) >= _least(lines, len(pages)) for line in lines}
    return {line for page in pages for lines in (page, page[::-1]) for line in takewhile(alike.__contains__, lines[:_EDGE])}


def _least(lines: Sequence[_Line], pages: int) -> int:
    """Return on how many pages lines that are equal but for numbers must stand: fewer if a number counts the pages, none if one does neither."""
    columns = list(zip(*([(int(digits[:9]), line.page) for digits in _DIGITS.findall(line.text)] for line in lines), strict=True))
    counting = [len({value - page for value, page in column}) == 1 for column in columns]
    if not all(counts or len({value for value, _ in column}) == 1 for counts, column in zip(counting, columns, strict=True)):
        return pages + 1
    return 2 if any(counting) or pages < _ALIKE else _ALIKE


class _Walk:
    """One pass over the lines of one body; owns the paragraph that is being put together."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self._lines = lines
        self._writer = Writer()
        lengths = sorted(len(line.text) for line in lines)
        self._short = _SHORT * lengths[int(_USUAL * (len(lengths) - 1))] if lengths else 0.0
        self._compounds = {compound.casefold() for line in lines for compound in _COMPOUND.findall(line.text)}
        self._held: list[_Line] = []
        self._listing = False
        self._numbers: tuple[int, ...] = ()
        self._dotted: dict[int, bool] = {}

    def read(self) -> Writer:
        """Say all lines to the writer that is returned."""
        keys = [key_and_value(line.text, marked=False) is not None for line in self._lines]
        for place, line in enumerate(self._lines):
            before, after = keys[place - 1 : place], keys[place + 1 : place + 2]
            if keys[place] and any((*before, *after)):
                self._flush()
                self._say([line], marked=True)
            elif (not self._held or self._ends(line) or _ENDED.search(self._held[-1].text)) and (title := self._title(place)) is not None:
                self._flush()
                self._end_list()
                self._writer.heading(1 + len(self._numbers), title, (line.start, line.end))
            else:
                if self._held and (self._ends(line) or _ITEM.match(line.text)):
                    self._flush()
                self._held.append(line)
        self._flush()
        self._end_list()
        return self._writer

    def _is_short(self, line: _Line) -> bool:
        return len(line.text) < self._short

    def _ends(self, line: _Line) -> bool:
        """Tell whether the paragraph that is held has ended before a line."""
        last = self._held[-1]
        return self._is_short(last) and (_ENDED.search(last.text) is not None or not line.text[0].islower())

    def _title(self, place: int) -> str | None:
        """Return the title of a heading, and take over its number; None for any other line."""
        found = _heading(self._lines[place].text)
        if found is None or not self._continues(found):
            return None
        if place + 1 < len(self._lines):
            after = self._lines[place + 1].text
            other = _heading(after)
            if after[0].islower() or (other and other.number[:-1] == found.number[:-1]):
                return None  # a line of a paragraph, or of a list
        self._numbers = found.number
        self._dotted.setdefault(len(found.number), found.dotted)
        return found.title

    def _continues(self, found: "_Numbered") -> bool:
        """Tell whether a number follows on the last heading's: beside it, beside one around it, or as its first part; and is written like others."""
        *outer, own = found.number
        depth, last = len(outer), self._numbers
        before = last[depth] if depth < len(last) else 0
        follows = depth <= len(last) and tuple(outer) == last[:depth] and 0 < own - before <= (_GAP if depth else 1)
        return follows and self._dotted.get(len(found.number), found.dotted) == found.dotted

    def _flush(self) -> None:
        """Say the paragraph or item that is held."""
        if self._held:
            held, self._held = self._held, []
            self._say(held)

    def _say(self, lines: Sequence[_Line], *, marked: bool = False) -> None:
        text, place = self._joined(lines), (lines[0].start, lines[-1].end)
        match = _ITEM.match(text)
        if match is None or marked:
            self._end_list()
            self._writer.paragraph(text, place, marked=marked)
            return
        if not self._listing:
            self._writer.begin_list()
            self._listing = True
        self._writer.begin_item()
        self._writer.paragraph(text[match.end() :], place)
        self._writer.end_item()

    def _end_list(self) -> None:
        if self._listing:
            self._writer.end_list()
            self._listing = False

    def _joined(self, lines: Sequence[_Line]) -> str:
        """Return lines as one, words that were cut at their ends put together."""
        parts = [lines[0].text]
        for line, after in pairwise(lines):
            cut = _CUT.search(line.text[-_LONGEST_TITLE:])
            head = _WORD.match(after.text)
            if cut and head and after.text[0].islower():
                if f"{cut['tail']}-{head[0]}".casefold() not in self._compounds:
                    parts[-1] = parts[-1][:-1]
            elif not line.text.endswith(_SOFT_HYPHEN) and not (_WIDE.match(line.text[-1]) and _WIDE.match(after.text[0])):
                parts.append(" ")
            parts.append(after.text)
        return squeeze("".join(parts).replace(_SOFT_HYPHEN, ""))


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A line that could be a heading; `dotted` says that a full stop ends its number."""

    number: tuple[int, ...]
    title: str
    dotted: bool


def _heading(line: str) -> _Numbered | None:
    match = _NUMBERED.fullmatch(line) if len(line) <= _LONGEST_TITLE else None
    if match is None or _ENDED.search(line) or match["title"].split()[-1].isdigit():
        return None
    return _Numbered(tuple(map(int, match["number"].split("."))), match["title"], match["dot"] is not None)
