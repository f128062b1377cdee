"""The records of units, sections and entities."""

import sqlite3
from collections import Counter
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
_NAMED = 3
"""Documents that are named as using an entity that no document stands for."""


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
class Witness:
    """One live document's way to spell one name of an entity."""

    name: str
    surface: str
    doc: int
    document: DocumentKey
    about: About


@dataclass(frozen=True, slots=True)
class Known:
    """All inputs of one entity's record: who uses or declares its names, and the documents that stand for it, each as (key, about)."""

    audience: Audience
    witnesses: tuple[Witness, ...]
    documents: tuple[tuple[DocumentKey, About], ...]


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
        witnesses: dict[str, list[Witness]] = {}
        documents: dict[str, list[tuple[DocumentKey, About]]] = {}
        statement = "SELECT e.entity, n.name, n.normal, n.audience FROM nodes e JOIN names n ON n.name = e.node WHERE e.entity IN ({})"
        named = list(select_in(self._db, statement, entities))
        spelt = {name: self._spellings(name) for _, name, _, _ in named}
        about = self._about({doc for some in spelt.values() for doc, _ in some})
        for entity, name, text, audience in named:
            audiences[entity.hex()] = audience
            witnesses.setdefault(entity.hex(), []).extend(Witness(text, surface, doc, *about[doc]) for doc, surface in spelt[name])
        statement = "SELECT e.entity, d.doc, d.audience FROM nodes e JOIN documents d ON d.doc = -e.node WHERE d.live AND e.entity IN ({})"
        standing = list(select_in(self._db, statement, entities))
        about = self._about({doc for _, doc, _ in standing})
        for entity, doc, audience in standing:
            audiences[entity.hex()] = audience
            documents.setdefault(entity.hex(), []).append(about[doc])
        return {
            entity: Known(self._audiences.readers(audience), tuple(witnesses.get(entity, ())), tuple(documents.get(entity, ())))
            for entity, audience in audiences.items()
            if witnesses.get(entity) or documents.get(entity)
        }

    def _about(self, docs: Iterable[int]) -> dict[int, tuple[DocumentKey, About]]:
        columns = "doc, key, source, document, coalesce(title, body_title), path"
        return {
            doc: (DocumentKey(key.hex()), About(source, document, display_name(title, None, path, document)))
            for doc, key, source, document, title, path in select_in(self._db, f"SELECT {columns} FROM documents WHERE doc IN ({{}})", docs)
        }

    def _spellings(self, name: int) -> Sequence[tuple[int, str]]:
        used = self._db.execute("SELECT doc, surface FROM uses WHERE node = ? AND live ORDER BY doc, claim LIMIT ?", (name, _WITNESSES))
        declared = self._db.execute("SELECT doc, surface FROM spellings WHERE name = ? ORDER BY doc, surface LIMIT ?", (name, _WITNESSES))
        return [*used.fetchall(), *declared.fetchall()]

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
    counted = Counter(witness.surface for witness in known.witnesses)
    standing = sorted(known.documents, key=lambda one: (one[1].source, one[1].document))
    name = standing[0][1].title if standing else min(counted, key=lambda surface: (-counted[surface], surface))
    best: dict[str, str] = {}
    for witness in sorted(known.witnesses, key=lambda one: (one.name, -counted[one.surface], one.surface)):
        best.setdefault(witness.name, witness.surface)
    using = {witness.doc: (witness.document, witness.about) for witness in known.witnesses}
    return entity_record(tenant, known.audience, entity, name, sorted({*best.values()}), standing or [using[doc] for doc in sorted(using)[:_NAMED]])


def _entity_owner(entity: str) -> bytes:
    return bytes.fromhex(digest("record of", entity))
