"""The view of bridges: what follows from nuggets of several documents through one entity (DESIGN.md 5.7)."""

import sqlite3
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import orjson

from derive.bridge import bridges
from derive.names import is_acronym, is_entity_name
from derive.records import bridge_record
from schemas.bridge import Premise
from schemas.ids import Audience, EntityId, Tenant, digest
from schemas.vocabulary import Vocabulary
from state.codec import RECORD, unpack_premise
from state.outbox import Outbox
from state.recorded import RecordsView
from state.sql import select_in
from state.touched import Causes, Touched
from state.views import Difference

_PER_DOCUMENT = 64
"""Premises of one document that are looked at, least record first; 8 of them are used at most. A page that is nothing but links to one entity
must not cost a scan of all of them."""


@dataclass(frozen=True, slots=True)
class Joint:
    """All inputs of one entity: its premises, if it is eligible by name and number of documents; a hub costs a count, nothing more."""

    audience: Audience
    premises: tuple[Premise, ...]


class BridgesView(RecordsView[str, Joint]):
    """Keyed by entity; outputs are the records of its bridges."""

    def __init__(self, db: sqlite3.Connection, tenant: Tenant, vocabulary: Vocabulary, outbox: Outbox, tau: int) -> None:
        super().__init__(outbox)
        self._db = db
        self._tenant = tenant
        self._vocabulary = vocabulary
        self._tau = tau

    def take(self, touched: Touched) -> dict[str, Causes]:
        return touched.bridged.take()

    def load(self, keys: Iterable[str]) -> Mapping[str, Joint]:
        entities = list(keys)
        named = self._named(entities)
        places = {entity: self._documents(bytes.fromhex(entity)) for entity in entities if entity in named}
        records: dict[str, list[bytes]] = {}
        for entity, docs in places.items():
            if 2 <= len(docs) <= self._tau:
                records[entity] = self._records(bytes.fromhex(entity), docs)
        wanted = {record for listed in records.values() for record in listed}
        rows = select_in(self._db, "SELECT id, premise, body FROM records WHERE premise IS NOT NULL AND id IN ({})", wanted)
        premises = {record: unpack_premise(raw, RECORD.unpack(body)) for record, raw, body in rows}
        return {
            entity: Joint(named[entity], tuple(premises[record] for record in listed if record in premises)) for entity, listed in records.items()
        }

    def _named(self, entities: Iterable[str]) -> dict[str, Audience]:
        """Return the audience of every entity that has a name fit for bridges."""
        keys = [bytes.fromhex(entity) for entity in entities]
        statement = (
            "SELECT e.entity, n.normal, a.readers, n.name FROM nodes e "
            "JOIN names n ON n.name = e.node JOIN audiences a ON a.audience = n.audience WHERE e.entity IN ({})"
        )
        found: dict[str, Audience] = {}
        for entity, text, readers, name in select_in(self._db, statement, keys):
            if is_entity_name(text) or (len(text) == 3 and self._is_acronym(name)):
                found[entity.hex()] = Audience(readers)
        return found

    def _is_acronym(self, name: int) -> bool:
        return any(is_acronym(row[0]) for row in self._db.execute("SELECT surface FROM uses WHERE node = ? AND live", (name,)))

    def _documents(self, entity: bytes) -> list[int]:
        """Return the documents that mention an entity now, one more than a hub needs at most: each step jumps to the next document."""
        found: list[int] = []
        last = 0
        while len(found) <= self._tau:
            row = self._db.execute("SELECT doc FROM mentions WHERE entity = ? AND doc > ? LIMIT 1", (entity, last)).fetchone()
            if row is None:
                break
            last = row[0]
            found.append(last)
        return found

    def _records(self, entity: bytes, docs: Iterable[int]) -> list[bytes]:
        found: set[bytes] = set()
        for doc in docs:
            rows = self._db.execute("SELECT record FROM mentions WHERE entity = ? AND doc = ? ORDER BY record LIMIT ?", (entity, doc, _PER_DOCUMENT))
            found.update(row[0] for row in rows)
        return sorted(found)

    def derive(self, key: str, inputs: Joint) -> Mapping[Hashable, bytes]:
        premises = {premise.record: premise for premise in inputs.premises}
        made = bridges(EntityId(key), inputs.audience, inputs.premises, self._vocabulary, self._tau)
        return {bridge.id: RECORD.pack(bridge_record(self._tenant, bridge, premises)) for bridge in made}

    def owner(self, key: str) -> bytes:
        return bytes.fromhex(digest("bridges of", key))

    def write(self, differences: Iterable[Difference[str, bytes]]) -> None:
        """Store the records and the reverse index from every entity of a bridge to it."""
        differing = list(differences)
        super().write(differing)
        for difference in differing:
            old, new = _ends(difference.before), _ends(difference.after)
            self._db.executemany("DELETE FROM bridges WHERE entity = ? AND record = ?", old - new)
            self._db.executemany("INSERT OR IGNORE INTO bridges VALUES(?, ?)", new - old)


def _ends(outputs: Mapping[Hashable, bytes]) -> set[tuple[bytes, bytes]]:
    return {(bytes.fromhex(entity), bytes.fromhex(str(record))) for record, body in outputs.items() for entity in orjson.loads(body)["entities"]}
