"""Tables that a page break or a chunker split: rows whose headers stand in the piece before, and rows that were cut themselves.

A Markdown table ends at an empty line, so what follows it would be prose full of bars. Closed up before it is parsed, it is one table under one
header.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Span = tuple[int, int]

_BAR = re.compile(r"(?<!\\)\|")
_DELIMITERS = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Closed:
    """A body of the same length whose split tables are whole; `rows` are the places of each mended row in it, by where the row begins."""

    text: str
    rows: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)


def closed_tables(text: str) -> Closed:
    """Return a normalised Markdown body with the empty lines inside its tables filled by spaces, so that every offset stays.

    A piece belongs to the table before it if nothing but empty lines is between them, and its first row has as many cells as the header, or makes
    up what the last row lacks. A piece with a header of its own is another table.
    """
    if "|" not in text:
        return Closed(text)
    table = _Table()
    lines = list(_lines(text))
    for number, (start, end) in enumerate(lines):
        after = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
        table.line(text[start:end], start, end, after)
    if not table.gaps:
        return Closed(text)
    parts: list[str] = []
    place = 0
    for first, last in table.gaps:
        parts += (text[place:first], " " * (last - first))
        place = last
    return Closed("".join(parts) + text[place:], table.rows)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield start, end
        start = end + 1
    yield start, len(text)


@dataclass(slots=True)
class _Table:
    """The table that a walk over the lines is in; `bars` is 0 outside of any.

    `bars` counts the bars of its header; `last` is its last row, `missing` how many bars that lacks. `apart`: an empty line came since. `mended`: the
    rows stand behind such a gap. `fence` is the mark of the block of code that the walk is in; `above` the line before.
    """

    bars: int = 0
    last: Span = (0, 0)
    missing: int = 0
    apart: bool = False
    mended: bool = False
    fence: str = ""
    above: str = ""
    gaps: list[Span] = field(default_factory=list)
    rows: dict[int, tuple[Span, ...]] = field(default_factory=dict)

    def line(self, line: str, start: int, end: int, after: str) -> None:
        """Read one line; `after` is the next one."""
        fence = _FENCE.match(line)
        if fence or self.fence:
            self._code(fence[1][:3] if fence else "")
            return
        bare = line.strip()
        if self.bars and bare:
            self._inside(bare, start, end, after.strip())
        elif self.bars:
            self.apart = True
        elif _DELIMITERS.fullmatch(bare) and self.above.startswith("|") and _bars(bare) == _bars(self.above):
            self.bars, self.last, self.missing, self.apart, self.mended = _bars(bare), (start, end), 0, False, False
        self.above = bare

    def _code(self, fence: str) -> None:
        """Open or close a block of code; a table does not go on behind it."""
        self.bars, self.above = 0, ""
        if not self.fence or fence == self.fence:
            self.fence = "" if self.fence else fence

    def _inside(self, bare: str, start: int, end: int, after: str) -> None:
        bars = _bars(bare)
        if not self.apart and bars:
            self._row(start, end, self.bars - bars)
        elif self.apart and 0 < bars == self.missing and not _DELIMITERS.fullmatch(after):
            self.gaps.append((self.last[1], start))
            self.rows[self.last[0]] = (self.last, (start, end))
            self.last, self.missing, self.apart, self.mended = (self.last[0], end), 0, False, True
        elif self.apart and bars == self.bars and bare.startswith("|") and not _DELIMITERS.fullmatch(after):
            self.gaps.append((self.last[1], start - 1))
            self.apart, self.mended = False, True
            self._row(start, end, 0)
        else:
            self.bars = 0

    def _row(self, start: int, end: int, missing: int) -> None:
        self.last, self.missing = (start, end), missing
        if self.mended:
            self.rows[start] = ((start, end),)


def _bars(line: str) -> int:
    return len(_BAR.findall(line))
