"""The outline: what a body of headings, lists, tables and paragraphs says, in its order, before it becomes a block tree.

The reader of a form walks what its parser found and tells a `Writer`; `outlined` makes the tree. So lead-ins, key-value lines, definitions, titles
and tables are read alike in all forms. Places are [start, end) in the normalised body; texts are plain and on one line, code keeps its lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from derive.markup.structure import Named, pair, paired, record
from derive.markup.tables import Cell, table_blocks
from derive.tree import Block, BlockKind, Front, Growing, Heading, Tree, key_and_value, lead_in, links_in
from schemas.version import Link
from schemas.vocabulary import Vocabulary

Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph, item, lead-in or piece of code, as in `Block`."""

    kind: BlockKind
    text: str
    place: Place
    lead: str = ""
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """A line that says key and value of the document; `links` are those of the line as it is written."""

    key: str
    value: str
    place: Place
    line: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """Values of the document, or of what a path in it leads to, as a template states them, and the links of each."""

    path: tuple[str, ...]
    label: str
    values: tuple[Named, ...]
    place: Place
    links: tuple[tuple[Link, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table, row by row."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


Said: TypeAlias = Heading | Part | Pair | Record | Table


@dataclass(slots=True)
class _Item:
    """What the writer is in: an item, or what is said of a term that stands at `place`. `text` is its first paragraph.

    `pair`: a short text is the value of the term.
    """

    lead: str
    term: str = ""
    place: Place = (0, 0)
    pair: bool = True
    text: str = ""


@dataclass(slots=True)
class Writer:
    """Takes down what a body says; owned by the reader that fills it."""

    said: list[Said] = field(default_factory=list)
    _items: list[_Item] = field(default_factory=list)
    _leads: list[str] = field(default_factory=list)
    _last: str = ""

    def heading(self, level: int, text: str, place: Place) -> None:
        """Open a section; 1 is the outermost level."""
        self.said.append(Heading(level, text, *place))
        self._last = ""

    def begin_list(self) -> None:
        """Begin a list; the paragraph before it may lead in to its items."""
        self._say_term()
        self._leads.append(lead_in(self._last))

    def end_list(self) -> None:
        """End the list that was begun last."""
        self._leads.pop()
        self._last = ""

    def begin_item(self) -> None:
        """Begin an item of the list, if there is one around it; the next paragraph is its text."""
        self._items.append(_Item(self._leads[-1] if self._leads else ""))

    def begin_definition(self, term: str, place: Place, *, pair: bool = True) -> None:
        """Begin what is said of a term. `pair`: if that is short, it is a value that the document has under the term."""
        self._say_term()
        self._items.append(_Item(f"{term.removesuffix(':')}:", term, place, pair))

    def end_item(self) -> None:
        """End the item or definition that was begun last; a term of which nothing was said is an item itself."""
        item = self._items.pop()
        if item.term and not item.text:
            self.said.append(Part(BlockKind.ITEM, item.term, item.place))

    def _say_term(self) -> None:
        """Say the term that the writer is in as a lead-in, if no paragraph has brought it in yet."""
        item = self._items[-1] if self._items else None
        if item and item.term and not item.text:
            item.text = self._last = item.lead
            self.said.append(Part(BlockKind.LEAD, item.lead, item.place))

    def paragraph(self, text: str, place: Place, *, marked: bool = False, links: tuple[Link, ...] = ()) -> None:
        """Say a paragraph; the first one of an item is its text. `marked`: it begins with a key that is set off. `links` are those in it."""
        item = self._items[-1] if self._items and not self._items[-1].text else None
        if item and text:
            self.said.append(_first(item, text, place, marked=marked, links=links))
            item.text = text
        elif marked and (parts := key_and_value(text, marked=True)):
            self.said.append(Pair(*parts, place, text, links))
        else:
            kind = BlockKind.LEAD if text and lead_in(text) == text else BlockKind.PROSE
            self.said.append(Part(kind, text, place, links=links))
        self._last = text

    def code(self, text: str, place: Place) -> None:
        """Say a piece of code, line by line."""
        self._say_term()
        self.said.append(Part(BlockKind.CODE, text.strip("\n"), place))
        self._last = ""

    def record(self, path: Sequence[str], label: str, values: Iterable[Named], place: Place, links: Iterable[tuple[Link, ...]] = ()) -> None:
        """Say a record; `links` are those of each value."""
        self._say_term()
        self.said.append(Record(tuple(path), label, tuple(values), place, tuple(links)))
        self._last = ""

    def table(self, rows: Iterable[Sequence[Cell]], caption: str = "", place: Place | None = None) -> None:
        """Say a table; `place` is where the caption stands, if its words are to be found by themselves."""
        self._say_term()
        if place is not None:
            self.said.append(Part(BlockKind.LEAD, caption, place))
        self.said.append(Table(tuple(map(tuple, rows)), caption))
        self._last = ""


def _first(item: _Item, text: str, place: Place, *, marked: bool, links: tuple[Link, ...]) -> Said:
    """Return the first paragraph of an item or definition: a pair if it is short enough for one."""
    line = f"{item.lead} {text}" if item.term else text
    whole = (item.place[0] if item.term else place[0], place[1])
    parts = key_and_value(line, marked=marked and not item.term) if item.pair else None
    if parts is None:
        return Part(BlockKind.ITEM, text, whole, item.lead, links)
    return Pair(*parts, whole, line, links_in(links, 0, len(text), len(line) - len(text)))


def shifted(said: Iterable[Said], offset: int) -> Iterator[Said]:
    """Yield what was said by a stretch of the body that begins at `offset`."""
    for one in said:
        match one:
            case Heading():
                yield replace(one, start=one.start + offset, end=one.end + offset)
            case Part() | Pair() | Record():
                yield replace(one, place=(one.place[0] + offset, one.place[1] + offset))
            case Table():
                rows = tuple(tuple(replace(cell, start=cell.start + offset, end=cell.end + offset) for cell in row) for row in one.rows)
                yield replace(one, rows=rows)
            case _:
                assert_never(one)


def outlined(said: Sequence[Said], length: int, front: Front, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a body of that length: a single heading of level 1 that comes first is its title."""
    levels = [one.level for one in said if isinstance(one, Heading)]
    growing = Growing(length, front, titled=levels.count(1) == 1 and levels[0] == 1)
    for one in said:
        section = growing.section
        match one:
            case Heading():
                growing.heading(one)
            case Part():
                growing.add(Block(one.kind, one.text, section, *one.place, lead=one.lead, links=one.links))
            case Pair():
                growing.add(paired(pair(one.key, one.value, section, one.place, vocabulary), one.line, one.links))
            case Record():
                growing.add(replace(record(one.path, one.label, one.values, one.place, vocabulary, one.links), section=section))
            case Table():
                rows = table_blocks(one.rows, section, vocabulary, caption=one.caption)
                growing.skipped += not rows
                growing.blocks += rows
            case _:
                assert_never(one)
    return growing.finish()
