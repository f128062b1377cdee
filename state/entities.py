"""The view of entities: the record of each entity, with its display name and all its other names."""

import sqlite3
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from derive.records import entity_record
from schemas.draft import About
from schemas.ids import Audience, DocumentKey, EntityId, Tenant, digest
from schemas.record import Record
from state.audiences import Audiences
from state.codec import RECORD
from state.documents import told
from state.outbox import Outbox
from state.recorded import RecordsView
from state.sql import select_in
from state.touched import Causes, Touched

_WITNESSES = 50
"""Uses of a name that its spelling is chosen among, least document first: a hub's display name must not cost a scan of the hub."""
_NAMED = 3
"""Documents that are named as using an entity that no document stands for."""


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


class EntitiesView(RecordsView[str, Known]):
    """Keyed by entity; its only output is its record, while a live document uses one of its names or stands for it."""

    def __init__(self, db: sqlite3.Connection, tenant: Tenant, audiences: Audiences, outbox: Outbox) -> None:
        super().__init__(outbox)
        self._db = db
        self._tenant = tenant
        self._audiences = audiences

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
        using = told(self._db, {doc for some in spelt.values() for doc, _ in some})
        for entity, name, text, audience in named:
            audiences[entity.hex()] = audience
            witnesses.setdefault(entity.hex(), []).extend(
                Witness(text, surface, doc, using[doc].key, using[doc].about) for doc, surface in spelt[name]
            )
        statement = "SELECT e.entity, d.doc, d.audience FROM nodes e JOIN documents d ON d.doc = -e.node WHERE d.live AND e.entity IN ({})"
        standing = list(select_in(self._db, statement, entities))
        stands = told(self._db, {doc for _, doc, _ in standing})
        for entity, doc, audience in standing:
            audiences[entity.hex()] = audience
            documents.setdefault(entity.hex(), []).append((stands[doc].key, stands[doc].about))
        return {
            entity: Known(self._audiences.readers(audience), tuple(witnesses.get(entity, ())), tuple(documents.get(entity, ())))
            for entity, audience in audiences.items()
            if witnesses.get(entity) or documents.get(entity)
        }

    def _spellings(self, name: int) -> Sequence[tuple[int, str]]:
        used = self._db.execute("SELECT doc, surface FROM uses WHERE node = ? AND live ORDER BY doc, claim LIMIT ?", (name, _WITNESSES))
        declared = self._db.execute("SELECT doc, surface FROM spellings WHERE name = ? ORDER BY doc, surface LIMIT ?", (name, _WITNESSES))
        return [*used.fetchall(), *declared.fetchall()]

    def derive(self, key: str, inputs: Known) -> Mapping[Hashable, bytes]:
        record = known_entity(self._tenant, EntityId(key), inputs)
        return {record.id: RECORD.pack(record)}

    def owner(self, key: str) -> bytes:
        return bytes.fromhex(digest("record of", key))


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
