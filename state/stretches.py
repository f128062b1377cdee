"""The records of units, sections and entities."""

import sqlite3
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from derive.records import entity_record, stretches
from schemas.draft import About, Draft
from schemas.ids import Audience, DocumentKey, EntityId, RecordId, Tenant, digest
from schemas.record import Kind, Record
from schemas.statement import Assertion
from state.audiences import Audiences
from state.codec import ASSERTION, RECORD
from state.documents import display_name
from state.facts import Place
from state.outbox import Held, Outbox
from state.sql import select_in, select_join
from state.touched import Causes, Touched
from state.views import Difference, View

_WITNESSES = 50
"""Uses of a name that its spelling is chosen among, least document first: a hub's display name must not cost a scan of the hub."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """All inputs of one unit or section of one document."""

    audience: Audience
    document: DocumentKey
    about: About
    assertions: tuple[Assertion, ...]


class StretchesView(View[Place, Stretch, bytes]):
    """Keyed by document and claim of a unit or section; outputs are its records, as bytes, by record id."""

    def __init__(self, db: sqlite3.Connection, tenant: Tenant, audiences: Audiences, outbox: Outbox) -> None:
        self._db = db
        self._tenant = tenant
        self._audiences = audiences
        self._outbox = outbox
        self._held: dict[bytes, dict[RecordId, Held]] = {}

    def take(self, touched: Touched) -> dict[Place, Causes]:
        return touched.stretches.take()

    def load(self, keys: Iterable[Place]) -> Mapping[Place, Stretch]:
        places = list(keys)
        statement = "SELECT a.doc, a.claim, a.body FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2 WHERE a.grp IS NULL"
        made: dict[Place, list[Assertion]] = {}
        for doc, claim, body in select_join(self._db, statement, places):
            made.setdefault((doc, claim), []).append(ASSERTION.unpack(body))
        columns = "doc, key, source, document, audience, coalesce(title, body_title), path"
        rows = select_in(self._db, f"SELECT {columns} FROM documents WHERE doc IN ({{}})", {doc for doc, _ in places})
        documents = {
            doc: (self._audiences.readers(audience), DocumentKey(key.hex()), About(source, document, display_name(title, None, path, document)))
            for doc, key, source, document, audience, title, path in rows
        }
        return {place: Stretch(*documents[place[0]], tuple(assertions)) for place, assertions in made.items()}

    def derive(self, key: Place, inputs: Stretch) -> Mapping[Hashable, bytes]:
        drafts = stretches(self._tenant, inputs.audience, inputs.document, inputs.about, inputs.assertions)
        return {draft.record.id: RECORD.pack(draft.record) for draft in drafts}

    def held(self, keys: Iterable[Place]) -> Mapping[Place, Mapping[Hashable, bytes]]:
        self._held = self._outbox.held(_owner(place) for place in keys)
        return {place: {record: held.body for record, held in self._held.get(_owner(place), {}).items()} for place in keys}

    def write(self, differences: Iterable[Difference[Place, bytes]]) -> None:
        for difference in differences:
            owner = _owner(difference.key)
            before = {record: held for record, held in self._held.get(owner, {}).items() if record in difference.before}
            after = [Draft(RECORD.unpack(body)) for body in difference.after.values()]
            some = next(iter([*difference.after.values(), *difference.before.values()]))
            self._outbox.write(RECORD.unpack(some).kind, owner, before, after, difference.causes)

    def touch(self, differences: Iterable[Difference[Place, bytes]], touched: Touched) -> None:
        """Nothing is derived from units and sections."""


def _owner(place: Place) -> bytes:
    return bytes.fromhex(digest("unit or section", *place))


@dataclass(frozen=True, slots=True)
class Known:
    """All inputs of one entity's record: its names with the spellings in use, and the documents that stand for it."""

    audience: Audience
    spellings: tuple[tuple[str, str], ...]
    titles: tuple[tuple[str, str, str], ...]


class EntitiesView(View[str, Known, bytes]):
    """Keyed by entity; its only output is its record, while a live document uses one of its names or stands for it."""

    def __init__(self, db: sqlite3.Connection, tenant: Tenant, audiences: Audiences, outbox: Outbox) -> None:
        self._db = db
        self._tenant = tenant
        self._audiences = audiences
        self._outbox = outbox
        self._held: dict[bytes, dict[RecordId, Held]] = {}

    def take(self, touched: Touched) -> dict[str, Causes]:
        return touched.entities.take()

    def load(self, keys: Iterable[str]) -> Mapping[str, Known]:
        entities = [bytes.fromhex(entity) for entity in keys]
        audiences: dict[str, int] = {}
        spellings: dict[str, list[tuple[str, str]]] = {}
        titles: dict[str, list[tuple[str, str, str]]] = {}
        statement = "SELECT e.entity, n.name, n.normal, n.audience FROM nodes e JOIN names n ON n.name = e.node WHERE e.entity IN ({})"
        for entity, name, text, audience in list(select_in(self._db, statement, entities)):
            audiences[entity.hex()] = audience
            for surface in self._surfaces(name):
                spellings.setdefault(entity.hex(), []).append((text, surface))
        columns = "d.audience, d.key, d.source, d.document, coalesce(d.title, d.body_title), d.path"
        rows = select_in(
            self._db, f"SELECT e.entity, {columns} FROM nodes e JOIN documents d ON d.doc = -e.node WHERE d.live AND e.entity IN ({{}})", entities
        )
        for entity, audience, key, source, document, title, path in rows:
            audiences[entity.hex()] = audience
            titles.setdefault(entity.hex(), []).append((f"{source}\0{document}", key.hex(), display_name(title, None, path, document)))
        known = set(spellings) | set(titles)
        return {
            entity: Known(self._audiences.readers(audiences[entity]), tuple(spellings.get(entity, ())), tuple(titles.get(entity, ())))
            for entity in known
        }

    def _surfaces(self, name: int) -> Sequence[str]:
        rows = self._db.execute("SELECT surface FROM uses WHERE node = ? AND live ORDER BY doc, claim LIMIT ?", (name, _WITNESSES))
        return [row[0] for row in rows]

    def derive(self, key: str, inputs: Known) -> Mapping[Hashable, bytes]:
        record = known_entity(self._tenant, EntityId(key), inputs)
        return {record.id: RECORD.pack(record)}

    def held(self, keys: Iterable[str]) -> Mapping[str, Mapping[Hashable, bytes]]:
        self._held = self._outbox.held(_entity_owner(entity) for entity in keys)
        return {entity: {record: held.body for record, held in self._held.get(_entity_owner(entity), {}).items()} for entity in keys}

    def write(self, differences: Iterable[Difference[str, bytes]]) -> None:
        for difference in differences:
            owner = _entity_owner(difference.key)
            after = [Draft(RECORD.unpack(body)) for body in difference.after.values()]
            self._outbox.write(Kind.ENTITY, owner, self._held.get(owner, {}), after, difference.causes)

    def touch(self, differences: Iterable[Difference[str, bytes]], touched: Touched) -> None:
        """Nothing is derived from the records of entities."""


def known_entity(tenant: Tenant, entity: EntityId, known: Known) -> Record:
    """Return the record of an entity: named by the least document's title, else by the most frequent spelling of all its names."""
    counted: dict[str, int] = {}
    for _, surface in known.spellings:
        counted[surface] = counted.get(surface, 0) + 1
    titles = [title for _, _, title in sorted(known.titles)]
    name = titles[0] if titles else min(counted, key=lambda surface: (-counted[surface], surface))
    best: dict[str, str] = {}
    for text, surface in sorted(known.spellings, key=lambda one: (one[0], -counted[one[1]], one[1])):
        best.setdefault(text, surface)
    aliases = sorted({*titles, *best.values()})
    return entity_record(tenant, known.audience, entity, name, aliases, sorted(DocumentKey(key) for _, key, _ in known.titles))


def _entity_owner(entity: str) -> bytes:
    return bytes.fromhex(digest("record of", entity))
