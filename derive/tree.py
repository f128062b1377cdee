"""The block tree: a body as blocks of text under section paths, whatever the markup was.

The tree is kept flat: each block carries the path of headings above it, and the sections carry their extent.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from derive.text import has_content, sentences
from schemas.fact import NO_DATES, Dates
from schemas.version import Link, Part, Section


class Form(StrEnum):
    """How a body is written."""

    MARKDOWN = "markdown"
    RST = "rst"
    WIKITEXT = "wikitext"
    JIRA = "jira"
    ADF = "adf"
    PLAIN = "plain"
    HTML = "html"
    STORAGE = "storage"
    PDF = "pdf"


class BlockKind(StrEnum):
    """What a block is: prose and items go to the extractor; rows and records state their facts by structure; code and lead-ins state none."""

    PROSE = "prose"
    ITEM = "item"
    LEAD = "lead"
    ROW = "row"
    RECORD = "record"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a record or row: its name as written, the value, the statement a person reads and where it stands in the block's text.

    `scope` narrows this field within the scope of its record (the outer headers of a column); `names` are the headers that it is mentioned with.
    """

    name: str
    value: str
    text: str
    start: int
    end: int
    scope: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fields:
    """What a record, a row or a key-value line states of one subject (a name, or SELF) under one scope."""

    subject: str
    scope: tuple[str, ...]
    fields: tuple[Field, ...]
    dates: Dates = NO_DATES


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf of the tree. `text` is plain; [start, end) is its place in the normalised body, markup included.

    `lead` is the sentence that an item continues; the item is never shown or extracted without it. `parts` are its sources if it arrived cut.
    `links` are those in its text, not in its lead.
    """

    kind: BlockKind
    text: str
    section: tuple[str, ...]
    start: int
    end: int
    lead: str = ""
    fields: Fields | None = None
    parts: tuple[Part, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def statement(self) -> str:
        """What the extractor reads: the text behind its lead-in."""
        return f"{self.lead} {self.text}" if self.lead else self.text

    @property
    def extracted(self) -> bool:
        """Whether prose facts are drawn from it."""
        return self.kind in (BlockKind.PROSE, BlockKind.ITEM) and self.fields is None

    def sources(self, offset: int) -> tuple[Part, ...]:
        """Return where its text came from, as places in a text that has it at `offset`; a block that arrived whole has one source."""
        parts = self.parts or (Part(0, len(self.text), self.start, self.end),)
        return tuple(Part(part.first + offset, part.last + offset, part.start, part.end) for part in parts)


def links_in(links: Iterable[Link], start: int, end: int, place: int = 0) -> tuple[Link, ...]:
    """Return the links of a text that reach into [start, end) of it, as they stand where that stretch begins at `place`."""
    inside = (link for link in links if link.start < end and start < link.end)
    return tuple(Link(link.target, max(link.start, start) - start + place, min(link.end, end) - start + place) for link in inside)


@dataclass(frozen=True, slots=True)
class Tree:
    """A body as blocks in their order. Fields as in `schemas.version.Reading`; `designation` is the name that a series gives it: "Note 31"."""

    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    title: str | None = None
    aliases: tuple[str, ...] = ()
    redirect: str | None = None
    skipped: int = 0
    designation: str = ""

    @property
    def name(self) -> str:
        """What the body calls its document, "" if it does not."""
        return self.designation or self.title or ""


@dataclass(frozen=True, slots=True)
class Front:
    """What stands before the body proper: front matter or headers. The body begins at `end`."""

    end: int = 0
    blocks: tuple[Block, ...] = ()
    title: str | None = None
    aliases: tuple[str, ...] = ()
    redirect: str | None = None
    designation: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: level 1 is the outermost; [start, end) is its own place."""

    level: int
    text: str
    start: int
    end: int


@dataclass(slots=True)
class Growing:
    """A tree while one parser builds it; the parser owns it.

    `titled`: the body has one heading of level 1. If that comes before all others it is the document's title and no section, so that renaming it
    leaves all paths alone.
    """

    length: int
    front: Front
    blocks: list[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    path: list[tuple[int, str]] = field(default_factory=list)
    titled: bool = False
    skipped: int = 0

    @property
    def section(self) -> tuple[str, ...]:
        """The path of headings at the place that the parser has reached."""
        return tuple(text for _, text in self.path)

    def heading(self, heading: Heading) -> None:
        """Open a section, or take the title."""
        if not has_content(heading.text):
            self.skipped += 1
        elif self.titled and heading.level == 1 and not self.headings:
            self.front = replace(self.front, title=self.front.title or heading.text)
        else:
            self.headings.append(heading)
            self.path = [*((level, text) for level, text in self.path if level < heading.level), (heading.level, heading.text)]

    def add(self, block: Block) -> None:
        """Append a block; one without content is counted and left out."""
        if has_content(block.text):
            self.blocks.append(block)
        else:
            self.skipped += 1

    def finish(self) -> Tree:
        """Return the tree."""
        front = self.front
        return Tree((*front.blocks, *self.blocks), self._sections(), front.title, front.aliases, front.redirect, self.skipped, front.designation)

    def _sections(self) -> tuple[Section, ...]:
        found: list[Section] = []
        path: list[tuple[int, str]] = []
        seen: Counter[tuple[str, ...]] = Counter()
        ends = self._ends()
        for heading, end in zip(self.headings, ends, strict=True):
            path = [*((level, text) for level, text in path if level < heading.level), (heading.level, heading.text)]
            texts = tuple(text for _, text in path)
            found.append(Section(texts, heading.start, end, seen[texts]))
            seen[texts] += 1
        return tuple(found)

    def _ends(self) -> list[int]:
        """Return where each heading's section ends: at the next heading of its level or above."""
        ends = [self.length] * len(self.headings)
        waiting: list[int] = []
        for number, heading in enumerate(self.headings):
            while waiting and self.headings[waiting[-1]].level >= heading.level:
                ends[waiting.pop()] = heading.start
            waiting.append(number)
        return ends


_PAIR = re.compile(r"(?P<key>(?=[^:：]*[^\W\d_])[^\W_](?:[\w /()'.-]{0,38}[\w)])?)(?::\s+|：\s*)(?P<value>\S.*)", re.DOTALL)
_SENTENCE = re.compile(r"[.!?;:]\s+\S|[.!?]$|[。！？；，]")
_EDITION = re.compile(r"(?P<key>v?\d{1,6}(?:\.\d{1,6}){1,4}[\w-]{0,20}(?: [a-z0-9]{1,20}){0,3}?),? (?P<value>\d{4}-\d{2}(?:-\d{2})?)")
"""A line of a list of editions: "2.7.18 release candidate 2031-04-04"."""


def key_and_value(text: str, *, marked: bool) -> tuple[str, str] | None:
    """Return the parts of a line such as "Owner: Dana Reyes" or "2.7.18 2031-04-18", or None for prose.

    `marked` says that the key is set off (bold); else the value must be short and no sentence.
    """
    match = _PAIR.fullmatch(text) or _EDITION.fullmatch(text)
    if match is None or len(match["key"].split()) > 4:
        return None
    value = match["value"].strip()
    if not marked and (len(value) > 80 or _SENTENCE.search(value)):
        return None
    return match["key"], value


def lead_in(text: str) -> str:
    """Return the sentence that a list behind this paragraph continues: its last one, if it ends in a colon."""
    if not text.endswith((":", "：")):
        return ""
    start, end = sentences(text)[-1]
    return text[start:end]
