"""What a store knows entities by: which entity a name means, and the evidence that joins an entity's names (DESIGN.md 5.5)."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from derive.names import initials, normal
from schemas.ids import Audience, EntityId
from state.reader import StoreReader
from state.sql import select_in

_WITNESSES = 3
"""Documents told per name and kind of evidence; a hub's name is used in thousands."""
_SPELLINGS = 1000
"""Uses of a name that its spellings are counted among."""
_VISIBLE = "JOIN audiences a ON a.audience = n.audience"


class Why(StrEnum):
    """How a name came to stand for an entity."""

    TITLE = "title"
    FORMER_TITLE = "former title"
    DECLARED = "declared"
    ACRONYM = "acronym"
    USED = "used"


@dataclass(frozen=True, slots=True)
class Witness:
    """One piece of evidence. `other` is the name that this one is declared equal to or abbreviates; "" where it is the document's own."""

    why: Why
    source: str = ""
    document: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """One name of an entity: its normal form, the spellings in use with the most frequent first, and why it stands for the entity."""

    normal: str
    spellings: tuple[str, ...]
    witnesses: tuple[Witness, ...]


def entities(reader: StoreReader, name: str, audiences: Iterable[Audience]) -> list[EntityId]:
    """Return the entities that a name means within some audiences: by normal form, as a title, or as the id of a document; each once, in this order.

    A title that several documents bear means each of them. An entity's own id means itself.
    """
    known = sorted(audiences)
    found = [row[0] for statement, key in _WAYS for row in select_in(reader.db, statement, known, (key(name),))]
    return [EntityId(entity.hex()) for entity in dict.fromkeys(found)]


def _as_id(name: str) -> bytes:
    """Return the bytes of an entity's id, none if the name is no id."""
    return bytes.fromhex(name) if _ID.fullmatch(name) else b""


_ID = re.compile("[0-9a-f]{32}")
_TITLED = "JOIN titles t ON t.name = n.name AND t.current JOIN nodes e ON e.node = -t.doc"
_WAYS: tuple[tuple[str, Callable[[str], str | bytes]], ...] = (
    (f"SELECT e.entity FROM names n JOIN nodes e ON e.node = n.name {_VISIBLE} WHERE n.normal = ? AND a.readers IN ({{}})", normal),
    (f"SELECT e.entity FROM names n {_TITLED} {_VISIBLE} WHERE n.normal = ? AND a.readers IN ({{}})", normal),
    (f"SELECT e.entity FROM documents n JOIN nodes e ON e.node = -n.doc {_VISIBLE} WHERE n.document = ? AND a.readers IN ({{}})", str),
    (f"SELECT e.entity FROM nodes e JOIN names n ON n.name = e.node {_VISIBLE} WHERE e.entity = ? AND a.readers IN ({{}})", _as_id),
    (f"SELECT e.entity FROM nodes e JOIN documents n ON n.doc = -e.node {_VISIBLE} WHERE e.entity = ? AND a.readers IN ({{}})", _as_id),
)


def names_of(reader: StoreReader, entity: EntityId) -> list[Named]:
    """Return the names of an entity that anything speaks for, each with its evidence; the most used first."""
    rows = reader.db.execute(
        "SELECT n.name, n.normal FROM nodes e JOIN names n ON n.name = e.node WHERE e.entity = ? ORDER BY n.normal", (bytes.fromhex(entity),)
    ).fetchall()
    group = dict(rows)
    named = [(_uses(reader, name), Named(text, _spellings(reader, name), tuple(_witnesses(reader, name, group)))) for name, text in rows]
    return [one for _, one in sorted(named, key=lambda pair: (-pair[0], pair[1].normal)) if one.witnesses]


def _uses(reader: StoreReader, name: int) -> int:
    count: int = reader.db.execute("SELECT count(*) FROM uses WHERE node = ? AND live", (name,)).fetchone()[0]
    return count


def _spellings(reader: StoreReader, name: int) -> tuple[str, ...]:
    rows = reader.db.execute(
        "SELECT surface FROM (SELECT surface FROM uses WHERE node = ? AND live LIMIT ?) GROUP BY surface ORDER BY count(*) DESC, surface",
        (name, _SPELLINGS),
    )
    return tuple(surface for (surface,) in rows)


def _witnesses(reader: StoreReader, name: int, group: dict[int, str]) -> Iterator[Witness]:
    yield from _titles(reader, name)
    yield from _declared(reader, name, group)
    yield from (Witness(Why.ACRONYM, other=full) for full in group.values() if initials(full) == group[name])
    rows = reader.db.execute(
        "SELECT DISTINCT d.source, d.document FROM uses u JOIN documents d ON d.doc = u.doc WHERE u.node = ? AND u.live LIMIT ?", (name, _WITNESSES)
    )
    yield from (Witness(Why.USED, source, document) for source, document in rows)


def _titles(reader: StoreReader, name: int) -> Iterator[Witness]:
    rows = reader.db.execute(
        "SELECT t.current, d.source, d.document FROM titles t JOIN documents d ON d.doc = t.doc WHERE t.name = ? "
        "ORDER BY t.current DESC, d.source, d.document LIMIT ?",
        (name, _WITNESSES),
    )
    return (Witness(Why.TITLE if current else Why.FORMER_TITLE, source, document) for current, source, document in rows)


def _declared(reader: StoreReader, name: int, group: dict[int, str]) -> Iterator[Witness]:
    rows = reader.db.execute(
        "SELECT l.one, l.other, d.source, d.document FROM links l JOIN documents d ON d.doc = l.doc WHERE l.one = ? OR l.other = ? "
        "ORDER BY d.source, d.document LIMIT ?",
        (name, name, _WITNESSES),
    )
    for one, other, source, document in rows:
        yield Witness(Why.DECLARED, source, document, group.get(other if one == name else one, ""))
