"""Documents: what each aspect of a document is now. Body, title, path, readers, aliases and existence each keep their own newest."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import PurePosixPath

import orjson

from schemas.change import audience_of
from schemas.draft import About
from schemas.event import Event
from schemas.ids import Audience, DocumentKey
from schemas.rules import SourceRules
from state.sql import select_in

BEFORE_ALL = b""
_LIFE = {"put": True, "restore": True, "delete": False}


def display_name(title: str | None, body_title: str | None, path: str | None, document: str) -> str:
    """Return a document's title as people see it: the source's, else the body's own, else the file's name, else the id."""
    return title or body_title or (PurePosixPath(path).stem if path else "") or document


def number_of(key: bytes) -> int:
    """Return a document's number, from its key alone: whatever is ordered or cut by number must not depend on which document came first.

    63 bits: among 10^7 documents two share a number with a chance of 5 in a million; the table refuses the second.
    """
    return max(1, int.from_bytes(key[:8], "big") >> 1)


@dataclass(slots=True)
class Document:
    """One row of the table of documents, owned by the gate while a batch is accepted. The `*_at` are places.

    `titles` are all that it ever had, the present one among them; `content` is that of the newest body. `restored`: it was, at some time.
    """

    doc: int
    key: bytes
    source: str
    document: str
    audience: int = 0
    incarnation: int = 0
    live: bool = False
    exists_at: bytes = BEFORE_ALL
    body_at: bytes = BEFORE_ALL
    content: bytes | None = None
    body_title: str | None = None
    title_at: bytes = BEFORE_ALL
    title: str | None = None
    path_at: bytes = BEFORE_ALL
    path: str | None = None
    readers_at: bytes = BEFORE_ALL
    readers: str | None = None
    aliases_at: bytes = BEFORE_ALL
    aliases: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    restored: bool = False

    @property
    def name(self) -> str:
        """The title as people see it."""
        return display_name(self.title, self.body_title, self.path, self.document)

    def audience_by(self, rules: SourceRules) -> Audience:
        """Return who may read it: as it says, else as the source's rules say, else nobody."""
        return Audience(self.readers) if self.readers is not None else audience_of(rules.readers)

    def hear(self, event: Event, at: bytes, incarnation: int) -> bool:
        """Take over every aspect of which the event is the newest word.

        Return whether it is: of existence for a put, delete or restore, else of any aspect; a redaction always is.
        """
        self.incarnation = max(self.incarnation, incarnation)
        self.restored |= event.kind == "restore"
        newest = [event.kind == "redact"]
        if event.kind in _LIFE and at >= self.exists_at:
            self.exists_at, self.live = at, _LIFE[event.kind]
            newest.append(True)
        heard = [self._titled(at, event.title), self._pathed(at, event.path), self._read_by(at, event.readers), self._aliased(at, event.aliases)]
        return any(newest) if event.kind in _LIFE else any(newest + heard)

    def speak(self, at: bytes, content: bytes, body_title: str | None) -> None:
        """Take over a body, if it is the newest; its title is remembered either way."""
        self._bore(body_title)
        if at >= self.body_at:
            self.body_at, self.content, self.body_title = at, content, body_title

    def reset(self) -> None:
        """Forget every aspect, to hear all events again."""
        for column in fields(self):
            if column.name not in ("doc", "key", "source", "document", "audience"):
                fresh = column.default_factory() if callable(column.default_factory) else column.default
                setattr(self, column.name, fresh)

    def _bore(self, title: str | None) -> None:
        if title and title not in self.titles:
            self.titles = sorted([*self.titles, title])

    def _titled(self, at: bytes, title: str | None) -> bool:
        self._bore(title)
        if not title or at < self.title_at:
            return False
        self.title_at, self.title = at, title
        return True

    def _pathed(self, at: bytes, path: str | None) -> bool:
        if not path or at < self.path_at:
            return False
        self.path_at, self.path = at, path
        return True

    def _read_by(self, at: bytes, readers: str | None) -> bool:
        if readers is None or at < self.readers_at:
            return False
        self.readers_at, self.readers = at, readers
        return True

    def _aliased(self, at: bytes, aliases: tuple[str, ...]) -> bool:
        if not aliases or at < self.aliases_at:
            return False
        self.aliases_at, self.aliases = at, list(aliases)
        return True


@dataclass(frozen=True, slots=True)
class Told:
    """What records tell of a document: its key, its audience's number, and who it is."""

    key: DocumentKey
    audience: int
    about: About


def told(db: sqlite3.Connection, docs: Iterable[int]) -> dict[int, Told]:
    """Return what records tell of some documents."""
    columns = "doc, key, audience, source, document, coalesce(title, body_title), path"
    return {
        doc: Told(DocumentKey(key.hex()), audience, About(source, document, display_name(title, None, path, document)))
        for doc, key, audience, source, document, title, path in select_in(db, f"SELECT {columns} FROM documents WHERE doc IN ({{}})", docs)
    }


_COLUMNS = [column.name for column in fields(Document)]
_MARKS = ", ".join("?" * len(_COLUMNS))


class Documents:
    """The table of documents; rows are loaded once per batch and saved at its end."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._held: dict[bytes, Document] = {}

    def get(self, key: bytes, source: str, document: str) -> Document:
        """Return the row of a document, a new one if it was never heard of."""
        held = self._held.get(key)
        if held is None:
            row = self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM documents WHERE key = ?", (key,)).fetchone()
            held = self._held[key] = _row(row) if row else Document(number_of(key), key, source, document)
        return held

    def numbered(self, doc: int) -> Document:
        """Return the row of a document that is known by its number."""
        key, source, document = self._db.execute("SELECT key, source, document FROM documents WHERE doc = ?", (doc,)).fetchone()
        return self.get(key, source, document)

    def save(self) -> None:
        """Write all rows of the batch and forget them."""
        rows = [[_cell(getattr(one, column)) for column in _COLUMNS] for one in self._held.values()]
        self._db.executemany(f"INSERT OR REPLACE INTO documents({', '.join(_COLUMNS)}) VALUES({_MARKS})", rows)
        self._held = {}

    def forget(self) -> None:
        """Drop the rows of a batch that failed."""
        self._held = {}


def _cell(value: object) -> object:
    return orjson.dumps(value).decode() if isinstance(value, list) else value


def _row(row: tuple) -> Document:  # type: ignore[type-arg]  # columns in the order of the class
    cells = dict(zip(_COLUMNS, row, strict=True))
    cells["live"], cells["restored"] = bool(cells["live"]), bool(cells["restored"])
    cells["aliases"], cells["titles"] = orjson.loads(cells["aliases"]), orjson.loads(cells["titles"])
    return Document(**cells)
