"""The view of nuggets: what is believed of each group of values (DESIGN.md 5.6)."""

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

import orjson

from derive.govern import govern
from derive.keys import stance_of
from derive.records import Group, nuggets
from schemas.draft import About, Draft
from schemas.fact import SELF
from schemas.ids import Audience, DocumentKey, EntityId, RecordId, Tenant
from schemas.nugget import Evidence, Judgement
from schemas.record import Kind
from schemas.rules import SourceRules
from schemas.statement import Assertion
from schemas.vocabulary import Vocabulary
from state.audiences import Audiences
from state.codec import ASSERTION, RECORD, pack_premise
from state.documents import told
from state.members import OWN, SUBJECT, unpack_review
from state.outbox import Held, Outbox
from state.sql import select_in
from state.touched import Causes, Touched
from state.views import Difference, View


@dataclass(frozen=True, slots=True)
class Source:
    """What governance needs of a document: who it is, and what its word weighs."""

    key: DocumentKey
    about: About
    audience: Audience
    rules: SourceRules


@dataclass(frozen=True, slots=True)
class Given:
    """All inputs of one group: assertions, each with its document and what its names stand for; and the reviews."""

    assertions: tuple[tuple[Source, Assertion, Mapping[str, str]], ...]
    reviews: tuple[Judgement, ...]


class NuggetsView(View[bytes, Given, bytes]):
    """Keyed by group; outputs are the drafts of its runs, as bytes, by record id."""

    def __init__(
        self,
        db: sqlite3.Connection,
        tenant: Tenant,
        audiences: Audiences,
        rules: Callable[[str], SourceRules],
        vocabulary: Vocabulary,
        outbox: Outbox,
    ) -> None:
        self._db = db
        self._tenant = tenant
        self._audiences = audiences
        self._rules = rules
        self._vocabulary = vocabulary
        self._outbox = outbox
        self._held: dict[bytes, dict[RecordId, Held]] = {}
        self._drafts: dict[RecordId, Draft] = {}

    def take(self, touched: Touched) -> dict[bytes, Causes]:
        self._drafts = {}
        return touched.groups.take()

    def load(self, keys: Iterable[bytes]) -> Mapping[bytes, Given]:
        groups = list(keys)
        rows = list(select_in(self._db, "SELECT grp, doc, entities, body FROM assertions WHERE grp IN ({})", groups))
        sources = self._sources({row[1] for row in rows})
        found: dict[bytes, list[tuple[Source, Assertion, Mapping[str, str]]]] = {}
        for group, doc, entities, body in rows:
            found.setdefault(group, []).append((sources[doc], ASSERTION.unpack(body), orjson.loads(entities)))
        reviews = self._reviews(groups)
        return {group: Given(tuple(given), tuple(reviews.get(group, ()))) for group, given in found.items()}

    def _sources(self, docs: Iterable[int]) -> dict[int, Source]:
        return {
            doc: Source(one.key, one.about, self._audiences.readers(one.audience), self._rules(one.about.source))
            for doc, one in told(self._db, docs).items()
        }

    def _reviews(self, groups: Iterable[bytes]) -> dict[bytes, list[Judgement]]:
        statement = "SELECT r.grp, r.body, n.entity FROM reviews r LEFT JOIN nodes n ON n.node = r.target WHERE r.grp IN ({})"
        found: dict[bytes, list[Judgement]] = {}
        for group, body, target in select_in(self._db, statement, groups):
            judgement, _ = unpack_review(body, EntityId(target.hex()) if target else None)
            found.setdefault(group, []).append(judgement)
        return found

    def derive(self, key: bytes, inputs: Given) -> Mapping[Hashable, bytes]:
        drafts = nuggets_of(self._tenant, inputs, self._vocabulary)
        self._drafts.update((draft.record.id, draft) for draft in drafts)
        return {draft.record.id: packed(draft) for draft in drafts}

    def held(self, keys: Iterable[bytes]) -> Mapping[bytes, Mapping[Hashable, bytes]]:
        self._held = self._outbox.held(keys)
        return {group: {record: _joined(held.body, held.premise) for record, held in records.items()} for group, records in self._held.items()}

    def write(self, differences: Iterable[Difference[bytes, bytes]]) -> None:
        for difference in differences:
            before = {record: held for record, held in self._held.get(difference.key, {}).items() if record in difference.before}
            after = [self._drafts[RecordId(str(record))] for record in difference.after]
            self._outbox.write(Kind.NUGGET, difference.key, before, after, difference.causes)
            self._mention(difference)

    def _mention(self, difference: Difference[bytes, bytes]) -> None:
        before, after = _mentions(difference.before), _mentions(difference.after)
        self._db.executemany("DELETE FROM mentions WHERE entity = ? AND doc = ? AND record = ?", self._rows(before - after))
        self._db.executemany("INSERT OR IGNORE INTO mentions VALUES(?, ?, ?)", self._rows(after - before))

    def _rows(self, mentions: set[tuple[str, str, str]]) -> list[tuple[bytes, int, bytes]]:
        keys = {bytes.fromhex(document) for _, document, _ in mentions if document}
        docs = dict(select_in(self._db, "SELECT key, doc FROM documents WHERE key IN ({})", keys))
        return [(bytes.fromhex(entity), docs[bytes.fromhex(key)] if key else 0, bytes.fromhex(record)) for entity, key, record in mentions]

    def touch(self, differences: Iterable[Difference[bytes, bytes]], touched: Touched) -> None:
        """Touch every entity that a premise, before or now, mentions."""
        for difference in differences:
            for one in [*difference.before.items(), *difference.after.items()]:
                for entity, _, _ in _mentions(dict([one])):
                    touched.bridged.add(entity, difference.causes)


def nuggets_of(tenant: Tenant, given: Given, vocabulary: Vocabulary) -> list[Draft]:
    """Return the nuggets of a group."""
    first, _, named = given.assertions[0]
    evidence: list[Evidence] = []
    about: dict[DocumentKey, About] = {}
    entities: dict[str, EntityId] = {}
    for source, assertion, names in given.assertions:
        known = {name: EntityId(entity) for name, entity in names.items() if name not in (SUBJECT, SELF, OWN)}
        entities.update(known)
        about[source.key] = source.about
        evidence.append(
            Evidence(
                stance_of(assertion.claim, known.__getitem__),
                assertion,
                source.key,
                source.rules.rank + bool(names[OWN]),
                source.rules.origin or source.key,
                " ".join(assertion.wording.text.casefold().split()),
            )
        )
    group = Group(tenant, first.audience, EntityId(named[SUBJECT]), given.assertions[0][1].claim.scope, about, entities)
    return nuggets(group, govern(evidence, given.reviews, vocabulary), vocabulary)


def packed(draft: Draft) -> bytes:
    """Return a draft as the bytes by which two drafts are compared."""
    return _joined(RECORD.pack(draft.record), pack_premise(draft.premise) if draft.premise else None)


def _joined(body: bytes, premise: bytes | None) -> bytes:
    return body + b"\n" + (premise or b"")


def _mentions(outputs: Mapping[Hashable, bytes]) -> set[tuple[str, str, str]]:
    """Return (entity, document whose newest version states it or "", record) of all premises among some drafts."""
    found: set[tuple[str, str, str]] = set()
    for record, output in outputs.items():
        raw = output.partition(b"\n")[2]
        if not raw:
            continue
        _, _, _, entities, documents = orjson.loads(raw)
        found.update((entity, document, str(record)) for entity in entities for document in (documents or [""]))
    return found
