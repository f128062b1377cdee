"""Changes: what happened to one document, or one review of a nugget, as every source's adapter puts it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from schemas.ids import Audience, DocumentId, DocumentKey, Source, Tenant, digest, document_key
from schemas.instant import Instant

Order: TypeAlias = tuple[int, ...]
"""A source's own version number; compared like a tuple, and only within one incarnation of one document."""

EVERYONE = "*"
"""The reader that stands for everybody."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a change came from. A message may hold several changes: this is number `index` of `count`.

    `previous` is the offset delivered before this one on the partition (offsets have gaps), -1 if there was none:
    the watermark advances over contiguous positions only.
    """

    topic: str
    partition: int
    offset: int
    index: int = 0
    count: int = 1
    previous: int = -1

    def __str__(self) -> str:
        """Return the token that people see and pass on: topic:partition:offset."""
        return f"{self.topic}:{self.partition}:{self.offset}"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every change of a document carries.

    `recorded_at` is the time of the message in Kafka. `event_time` is when the source says it happened; it never decides the order.
    An `order` of () says that the source has no real order: then delivery counts, and the shell fills in (recorded_at, offset).
    `cleaned` marks a change from whose texts NUL or lone surrogates were taken, which nothing can store.
    """

    tenant: Tenant
    source: Source
    document: DocumentId
    order: Order
    event_time: Instant
    recorded_at: Instant
    position: Position
    incarnation: int = 0
    time_suspect: bool = False
    author: str = ""
    cleaned: bool = False

    @property
    def key(self) -> DocumentKey:
        """The document in one word."""
        return document_key(self.source, self.document)


@dataclass(frozen=True, slots=True)
class Text:
    """A body that is there."""

    text: str
    media_type: str = "text/markdown"


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A body that the event does not carry since it is as before."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A body that the source hides: it says nothing, and is no edit either."""


Body: TypeAlias = Text | Unchanged | Redacted


@dataclass(frozen=True, slots=True)
class Put:
    """The document says this now. `title`, `path` and `readers` are None where the event does not speak of them."""

    stamp: Stamp
    body: Body
    title: str | None = None
    path: str | None = None
    readers: frozenset[str] | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """The document has a new title or path; its text is as before."""

    stamp: Stamp
    title: str | None = None
    path: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Acl:
    """The document has other readers; its text is as before. No reader at all means nobody."""

    stamp: Stamp
    readers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Delete:
    """The document is gone."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Restore:
    """A deleted document is back as it was."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Redact:
    """The body of the version with this order must be forgotten, wherever it is kept."""

    stamp: Stamp


class Verdict(StrEnum):
    """What a review says of a value."""

    PREFER = "prefer"
    REJECT = "reject"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Review:
    """A person's word on one value of one key; the subject is given by name, so a review may come before the facts.

    `at` is when it was given. Scope as in `Fact.scope`.
    """

    tenant: Tenant
    source: Source
    subject: str
    predicate: str
    value: str
    verdict: Verdict
    by: str
    at: Instant
    recorded_at: Instant
    position: Position
    scope: tuple[str, ...] = ()
    readers: frozenset[str] | None = None


DocumentChange: TypeAlias = Put | Move | Acl | Delete | Restore | Redact
Change: TypeAlias = DocumentChange | Review

KIND: dict[type, Literal["put", "move", "acl", "redact", "delete", "restore"]] = {
    Put: "put",
    Move: "move",
    Acl: "acl",
    Redact: "redact",
    Delete: "delete",
    Restore: "restore",
}
RANK: dict[type, int] = {Put: 0, Restore: 0, Move: 1, Acl: 2, Redact: 3, Delete: 4}
"""Which of two changes with an equal order is the newer (events.md section 4, rule 2)."""


def audience_of(readers: Iterable[str]) -> Audience:
    """Return the canonical form of a set of readers: `*` for everybody, `|a|b|` sorted, `` (nobody) for no reader at all."""
    names = set(readers)
    if EVERYONE in names:
        return Audience(EVERYONE)
    return Audience("|" + "|".join(sorted(names)) + "|") if names else Audience("")


def change_id(change: Change) -> str:
    """Return the id of what the change says, the same for every delivery of it."""
    if isinstance(change, Review):
        readers = "unsaid" if change.readers is None else audience_of(change.readers)
        about = (change.subject, change.predicate, change.value, change.verdict, change.by)
        return digest("review", readers, *about, change.at, *change.scope)
    stamp = change.stamp
    return digest("change", KIND[type(change)], stamp.source, stamp.document, stamp.incarnation, *stamp.order)
