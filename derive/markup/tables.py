"""Tables of every markup: cells with spans to one grid, the grid to a block per row with the facts that its headers make of it.

Leading rows of header cells are column headers; a header cell alone in its row names the rows below it. Cells at the left of a row are its row
headers if they are header cells, else the first one is; so are those behind it as long as the one before reaches over several rows. The row speaks of
the innermost row header that is a name; the others, the outer column headers and a caption that tells tables apart are its scope.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from derive.markup.structure import comparable, fields_of, is_name, readable, says_nothing
from derive.text import has_content
from derive.tree import Block, BlockKind, Field, links_in
from schemas.fact import SELF
from schemas.version import Link
from schemas.vocabulary import Vocabulary, fold

_VALUE_HEADS = frozenset({"value", "values", "detail", "details", "setting", "content", ""})
_KEY_HEADS = frozenset({"key", "field", "property", "attribute", "setting", "item", "parameter", "option", "fact", "name", ""})
_MOST_HEADERS = 6
"""Rows of column headers, and columns of row headers, of one table: those of real tables are three at most."""
_MOST_COLUMNS = 1000
"""Columns that one cell reaches over (HTML's own limit)."""
_MOST_REPEATS = 50_000
"""Places of one table that cells reach into besides their own; once they are used up a cell holds its own place only."""
_LONGEST_HEADER = 100
"""Characters above which a header cell is text: it would be repeated in every row."""
_GROWTH = 20
"""Characters of rows for one of cells, on average: labels and headers are repeated in every field. A row beyond it is only its cells."""
_SPARE = 1_000_000
"""Characters that a small table may grow by in any case."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell as it is written: plain text with its links, and how many rows and columns it reaches over.

    [start, end) is its place in the normalised body.
    """

    text: str
    start: int
    end: int
    header: bool = False
    rows: int = 1
    columns: int = 1
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell in a row of the grid, with the columns that it takes there; `own` if it begins in this row."""

    cell: Cell
    columns: range
    own: bool

    @property
    def blank(self) -> bool:
        return not has_content(self.cell.text)


@dataclass(frozen=True, slots=True)
class _Header:
    """What stands above a column or before a row; outer headers first."""

    text: str
    outer: tuple[str, ...] = ()


_Row = Sequence[_Place]
_NO_HEADER = _Header("")


def table_blocks(rows: Sequence[Sequence[Cell]], section: tuple[str, ...], vocabulary: Vocabulary, *, caption: str = "") -> list[Block]:
    """Return one block for each row that says something, in their order; none overlaps another if no two rows do.

    Where a caption says which of several like tables this is ("Crane 7"), it is part of the scope. Work and text are bounded by the cells.
    """
    return list(_Table(_grid(rows), section, vocabulary, caption).blocks())


def _grid(rows: Sequence[Sequence[Cell]]) -> list[_Row]:
    """Return the rows with the cells that reach into them from above; an empty place is in no row."""
    grid: list[_Row] = []
    left = _MOST_REPEATS
    above: dict[int, tuple[Cell, int]] = {}  # by column: the cell that reaches down, and into how many more rows
    for row in rows:
        places: list[tuple[int, Cell, bool]] = [(column, cell, False) for column, (cell, _) in above.items()]
        column = 0
        for cell in row:
            while column in above:
                column += 1
            places.append((column, cell, True))
            last = column + max(1, min(cell.columns, _MOST_COLUMNS, left))
            column += 1
            while column < last and column not in above:
                places.append((column, cell, True))
                column += 1
        left -= len(places) - len(row)
        above = {number: (cell, reach - 1) for number, (cell, reach) in above.items() if reach > 1}
        above |= {number: (cell, cell.rows - 1) for number, cell, own in places if own and cell.rows > 1}
        if left <= 0:
            above = {}
        places.sort(key=lambda place: place[0])
        runs = (list(run) for _, run in groupby(places, key=lambda place: (id(place[1]), place[2])))
        grid.append([_Place(run[0][1], range(run[0][0], run[-1][0] + 1), run[0][2]) for run in runs])
    return grid


class _Table:
    """One table while it is read; it owns the group that the rows are in and what is left of the text."""

    def __init__(self, grid: Sequence[_Row], section: tuple[str, ...], vocabulary: Vocabulary, caption: str) -> None:
        self._section = section
        self._vocabulary = vocabulary
        self._width = max((row[-1].columns.stop for row in grid if row), default=0)
        titled = len(grid) > 1 and self._names_rows(grid[0])
        self._title = grid[0][0] if titled else None
        self._caption = _naming(caption, vocabulary) if caption or self._title is None else _naming(self._title.cell.text, vocabulary)
        self._grid = grid[1:] if titled else grid
        heads = self._heads()
        self._columns = self._column_headers(self._grid[:heads])
        self._body = self._grid[heads:]
        self._group = ""
        self._speaking = any(header.text for header in self._columns)
        self._left = _SPARE + _GROWTH * sum(len(place.cell.text) for row in grid for place in row if place.own)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of the rows; headers that no row repeats stand for themselves."""
        if self._title is not None:
            yield from self._plain([self._title])
        for row in self._grid[: len(self._grid) - len(self._body)]:
            yield from self._plain([place for place in row if not self._body or len(place.cell.text) > _LONGEST_HEADER])
        for row in self._body:
            if self._names_rows(row):
                self._group = row[0].cell.text if len(row[0].cell.text) <= _LONGEST_HEADER else ""
                yield from self._plain(row)
            elif any(not place.blank for place in row if place.own):
                block = self._row(row) if self._left > 0 else None
                yield from [block] if block is not None and has_content(block.text) else self._plain(row)

    def _plain(self, row: _Row) -> Iterator[Block]:
        """Yield a row as the text of its own cells, without facts."""
        own = [place for place in row if place.own and not place.blank]
        if own:
            label = f"{own[0].cell.text}: " if own[0].cell.header and not own[-1].cell.header else ""
            text = label + "; ".join(place.cell.text for place in (own[1:] if label else own))
            yield Block(BlockKind.ROW, text, self._section, *_extent(own), links=_plain_links(own))

    def _names_rows(self, row: _Row) -> bool:
        """Tell whether a row is one header cell alone, which names the rows below it (or, on top, the table)."""
        return len(row) == 1 and self._width > 1 and row[0].own and row[0].cell.header and not row[0].blank

    def _heads(self) -> int:
        """Return how many rows on top are column headers: header cells throughout, but never the whole table."""
        heads = 0
        for row in self._grid[:_MOST_HEADERS]:
            if self._names_rows(row) or not _all_headers(row):
                break
            heads += 1
        return heads if heads < len(self._grid) or heads < 2 else 1

    def _column_headers(self, heads: Sequence[_Row]) -> list[_Header]:
        """Return the header of each column; a cell that reaches over several columns is an outer header of theirs."""
        paths: list[list[Cell]] = [[] for _ in range(self._width)]
        for row in heads:
            for place in row:
                if not place.blank and len(place.cell.text) <= _LONGEST_HEADER:
                    for column in place.columns:
                        if not any(cell is place.cell for cell in paths[column]):
                            paths[column].append(place.cell)
        return [_Header(path[-1].text, tuple(cell.text for cell in path[:-1])) if path else _NO_HEADER for path in paths]

    def _row(self, row: _Row) -> Block | None:
        """Return the block of a row with what it states; None if nothing says what its cells mean."""
        headed = self._headed_keys_and_values()
        if self._speaking and not headed:
            return self._record(row)
        keys = row if headed and len(row) == 2 else _pairs(row)
        values = [(_Header(key.cell.text.rstrip(":： ")), value) for key, value in zip(keys[::2], keys[1::2], strict=True) if not key.blank]
        if not values:
            return None
        label, scope = (f"{self._group}: ", (self._group,)) if self._group else ("", ())
        return self._block(row, label, " is " if label else ": ", SELF, scope, (), values)

    def _headed_keys_and_values(self) -> bool:
        """Tell whether the table is headed "Field | Value" or the like, and so speaks of the document."""
        if self._width != 2 or not self._speaking:
            return False
        return fold(self._columns[1].text) in _VALUE_HEADS and fold(self._columns[0].text) in _KEY_HEADS

    def _record(self, row: _Row) -> Block:
        """Return the block of a row under column headers; where no short cell names the row, its words only."""
        count = _row_headers(row)
        outer = [_Header(text) for text in (self._caption, self._group) if text]
        inner = [_Header(place.cell.text, (self._columns[place.columns.start].text,)) for place in row[:count] if not place.blank]
        if not inner or any(len(header.text) > _LONGEST_HEADER for header in inner):
            return replace(self._block(row, "", " is ", SELF, (), (), self._values(row)), fields=None)
        subject = self._subject(inner)
        others = [header for header in (*outer, *inner) if header is not subject]
        scope = tuple(part for header in others for part in _spoken(header))
        names = tuple(header.text for header in others if is_name(header.text))
        label = ", ".join(" ".join(_spoken(header)) for header in (*outer, *inner))
        block = self._block(row, f"{label}: ", " is ", subject.text if subject else SELF, scope, names, self._values(row[count:]))
        return replace(block, links=(*_label_links(row[:count], label), *block.links))

    def _values(self, row: _Row) -> list[tuple[_Header, _Place]]:
        """Return each cell under each header that it stands below."""
        return [(header, place) for place in row for header in dict.fromkeys(self._columns[column] for column in place.columns)]

    def _subject(self, headers: Sequence[_Header]) -> _Header | None:
        """Return the row header that the row speaks of: the innermost one written as a name, else the outermost that can be one."""
        able = [header for header in headers if is_name(header.text) and fold(header.text) not in self._vocabulary.qualifiers]
        written = [header for header in able if not header.text[0].islower()]
        return written[-1] if written else next(iter(able), None)

    def _block(
        self, row: _Row, label: str, link: str, subject: str, scope: tuple[str, ...], names: tuple[str, ...], values: Sequence[tuple[_Header, _Place]]
    ) -> Block:
        text, fields, links = label, [], list[Link]()
        for header, place in values:
            value = place.cell.text
            if says_nothing(value) or not (place.own or comparable(value)):
                continue
            outer = f" ({', '.join(header.outer)})" if header.outer else ""
            statement = f"{readable(header.text)}{outer}{link}{value}" if header.text else value
            text += statement if text == label else f"; {statement}"
            links += links_in(place.cell.links, 0, len(value), len(text) - len(value))
            if header.text and comparable(value):
                own = (*names, *(name for name in (*header.outer, header.text) if self._is_name(name)))
                fields.append(Field(header.text, value, label + statement, len(text) - len(statement), len(text), header.outer, own))
        self._left -= len(text) + sum(len(field.text) for field in fields)
        stated = fields_of(subject, scope, fields, self._vocabulary)
        own_places = [place for place in row if place.own]
        shown = text if text != label else label.removesuffix(": ")
        return Block(BlockKind.ROW, shown, self._section, *_extent(own_places), fields=stated, links=tuple(links))

    def _is_name(self, header: str) -> bool:
        """Tell whether a column header names a thing: it is no predicate that the vocabulary knows, no bound and no "Value"."""
        known = self._vocabulary
        bound = known.valid_from | known.valid_to | _VALUE_HEADS | _KEY_HEADS
        return is_name(header) and not header[0].islower() and fold(header) not in bound and known.canonical(header) not in known.predicates


def _all_headers(row: _Row) -> bool:
    """Tell whether a row holds header cells only; others may be empty, but keys with empty values are no headers of columns."""
    spoken = [place.cell.header for place in row if not place.blank]
    return bool(spoken) and all(spoken) and not _pairs(row)


def _spoken(header: _Header) -> tuple[str, ...]:
    """Return a header as it narrows a row: a name alone; a figure behind the header of its own column."""
    return (header.text,) if is_name(header.text) else (*filter(None, header.outer), header.text)


def _row_headers(row: _Row) -> int:
    """Return how many places at the left of a row name it."""
    count = next((number for number, place in enumerate(row) if not place.cell.header), 1)
    count = max(1, count)
    while count < min(len(row) - 1, _MOST_HEADERS) and row[count - 1].cell.rows > 1:
        count += 1
    return min(count, _MOST_HEADERS)


def _pairs(row: _Row) -> _Row:
    """Return a row of keys and values in turn, header cells before others; nothing if it is written otherwise."""
    turns = [place.cell.header or place.cell.text.endswith((":", "：")) for place in row]
    return row if turns == [True, False] * (len(turns) // 2) else ()


def _naming(caption: str, vocabulary: Vocabulary) -> str:
    """Return a caption that says which of several like tables this is: short, with a figure, a name or a qualifier in it; else nothing."""
    words = caption.split()
    if len(words) > 6 or not is_name(caption):
        return ""
    telling = (word for number, word in enumerate(words) if (number and word[0].isupper()) or any(map(str.isdigit, word)))
    return caption if any(telling) or not vocabulary.qualifiers.isdisjoint(map(fold, words)) else ""


def _plain_links(row: _Row) -> tuple[Link, ...]:
    """Return the links of a row whose cells stand two characters apart in its text."""
    found: list[Link] = []
    length = 0
    for place in row:
        found += links_in(place.cell.links, 0, len(place.cell.text), length)
        length += len(place.cell.text) + 2
    return tuple(found)


def _label_links(headers: _Row, label: str) -> tuple[Link, ...]:
    """Return the links of row headers in the label that they make."""
    found: list[Link] = []
    reached = 0
    for place in headers:
        at = label.find(place.cell.text, reached)
        if not place.blank and at >= 0:
            found += links_in(place.cell.links, 0, len(place.cell.text), at)
            reached = at + len(place.cell.text)
    return tuple(found)


def _extent(places: _Row) -> tuple[int, int]:
    return min(place.cell.start for place in places), max(place.cell.end for place in places)
