"""The view of stretches: the records of units and sections, one for each stretch of time in which a document has them."""

import sqlite3
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from derive.records import stretches
from schemas.draft import About
from schemas.ids import Audience, DocumentKey, Tenant, digest
from schemas.statement import Assertion
from state.audiences import Audiences
from state.codec import ASSERTION, RECORD
from state.documents import Told, told
from state.facts import Place
from state.outbox import Outbox
from state.recorded import RecordsView
from state.sql import select_join
from state.touched import Causes, Touched


@dataclass(frozen=True, slots=True)
class Stretch:
    """All inputs of one unit or section of one document."""

    audience: Audience
    document: DocumentKey
    about: About
    assertions: tuple[Assertion, ...]


class StretchesView(RecordsView[Place, Stretch]):
    """Keyed by document and claim of a unit or section; outputs are its records."""

    def __init__(self, db: sqlite3.Connection, tenant: Tenant, audiences: Audiences, outbox: Outbox) -> None:
        super().__init__(outbox)
        self._db = db
        self._tenant = tenant
        self._audiences = audiences

    def take(self, touched: Touched) -> dict[Place, Causes]:
        return touched.stretches.take()

    def load(self, keys: Iterable[Place]) -> Mapping[Place, Stretch]:
        places = list(keys)
        statement = "SELECT a.doc, a.claim, a.body FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2 WHERE a.grp IS NULL"
        made: dict[Place, list[Assertion]] = {}
        for doc, claim, body in select_join(self._db, statement, places):
            made.setdefault((doc, claim), []).append(ASSERTION.unpack(body))
        documents = told(self._db, {doc for doc, _ in made})
        return {place: self._stretch(documents[place[0]], assertions) for place, assertions in made.items()}

    def _stretch(self, document: Told, assertions: Iterable[Assertion]) -> Stretch:
        return Stretch(self._audiences.readers(document.audience), document.key, document.about, tuple(assertions))

    def derive(self, key: Place, inputs: Stretch) -> Mapping[Hashable, bytes]:
        drafts = stretches(self._tenant, inputs.audience, inputs.document, inputs.about, inputs.assertions)
        return {draft.record.id: RECORD.pack(draft.record) for draft in drafts}

    def owner(self, key: Place) -> bytes:
        return bytes.fromhex(digest("unit or section", *key))
