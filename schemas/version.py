"""Versions: what a document's body says, read once per content and independent of which document bears it and when."""

from dataclasses import dataclass
from typing import TypeAlias

from schemas.change import Change
from schemas.deadletter import DeadLetter
from schemas.fact import Fact
from schemas.ids import ContentHash, DocumentKey, Source


@dataclass(frozen=True, slots=True)
class Part:
    """One source of a text that was stitched: [first, last) of the text came from [start, end) of the body, markup included."""

    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another document: its words are [start, end) of the text that holds it.

    `target` is what the source calls that document there: the title of a page, a path without a fragment, the key of a ticket.
    """

    target: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A semantically whole piece of a body: the leaf of the document tree that is stored and searched.

    `text` is plain text without markup; `start`/`end` are character offsets of the piece in the source text, markup included.
    `section` is the path of headings above it, outermost first. `number` counts equal (section, text) pairs of one body.
    The spans of `facts` and `links` are offsets into `text`. `parts` are the sources of a unit that arrived cut and was stitched, in their order; it
    is empty for a unit that arrived whole.
    """

    text: str
    section: tuple[str, ...]
    start: int
    end: int
    number: int = 0
    facts: tuple[Fact, ...] = ()
    parts: tuple[Part, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it; the document's root has an empty path and no record."""

    path: tuple[str, ...]
    start: int
    end: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """All that one body says.

    `content` is the hash of the normalised body. `title` is the body's own title (front matter, else the first heading of level 1), if any.
    `aliases` are further names of the document itself that the body declares. `pairs` are (name, other name) that the text declares equal,
    as in "Harbour Control System (HCS)". `redirect` is the target's title if the body only points there.
    `skipped` counts pieces without content that were left out. `keys` are the memo's keys of what was extracted from it, for a redaction.
    """

    content: ContentHash
    units: tuple[Unit, ...] = ()
    sections: tuple[Section, ...] = ()
    title: str | None = None
    aliases: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    redirect: str | None = None
    skipped: int = 0
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """A change that is ready for the store. Only a put with a text has a reading.

    `calls` and `hits` say how many blocks went to the extractor and how many the memo answered; `reader` is the fingerprint of what read the body.
    """

    change: Change
    reading: Reading | None = None
    calls: int = 0
    hits: int = 0
    reader: str = ""


@dataclass(frozen=True, slots=True)
class KeptText:
    """A body that a store keeps and another reader read. `document` is the key of a document that says it, `source` that document's."""

    content: ContentHash
    text: str
    media_type: str
    document: DocumentKey
    source: Source


@dataclass(frozen=True, slots=True)
class Reread:
    """What a kept body says to another reader; it takes the place of what the former one read there."""

    reading: Reading
    reader: str


Incoming: TypeAlias = Version | DeadLetter
