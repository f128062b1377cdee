"""The view of members: which nugget group an assertion or a review belongs to, once its names are entities."""

import sqlite3
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

import orjson

from derive.keys import Clusters, stance_of
from schemas.fact import SELF
from schemas.ids import Audience, EntityId
from schemas.nugget import Judgement
from schemas.statement import Assertion
from schemas.value import ValueKind
from state.audiences import Audiences
from state.codec import ASSERTION, JUDGEMENT
from state.documents import display_name
from state.facts import Place
from state.sql import select_in, select_join
from state.touched import Causes, Touched
from state.views import Difference, View

SUBJECT, OWN = "", "\x02"
Member = tuple[bytes | None, str]
"""The group, and as JSON what the names stand for: {name: entity}, the subject's entity under SUBJECT, under SELF the title that speaks for it, and
under OWN whether the subject is the document itself."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What the names of one claim stand for in its audience."""

    audience: Audience
    title: str
    itself: EntityId
    entities: Mapping[str, EntityId]
    assertions: Mapping[int, Assertion]


class MembersView(View[Place, Naming, Member]):
    """Keyed by document and claim; outputs are the groups of its assertions, by number."""

    def __init__(self, db: sqlite3.Connection, audiences: Audiences, clusters: Clusters) -> None:
        self._db = db
        self._audiences = audiences
        self._clusters = clusters

    def take(self, touched: Touched) -> dict[Place, Causes]:
        return touched.members.take()

    def load(self, keys: Iterable[Place]) -> Mapping[Place, Naming]:
        places = list(keys)
        made: dict[Place, dict[int, Assertion]] = {}
        statement = "SELECT a.doc, a.claim, a.number, a.body FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2"
        for doc, claim, number, body in select_join(self._db, statement, places):
            made.setdefault((doc, claim), {})[number] = ASSERTION.unpack(body)
        rows = select_in(
            self._db,
            "SELECT d.doc, d.audience, coalesce(d.title, d.body_title), d.path, d.document, n.entity FROM documents d "
            "LEFT JOIN nodes n ON n.node = -d.doc WHERE d.doc IN ({})",
            {doc for doc, _ in places},
        )
        documents = {row[0]: row[1:] for row in rows}
        entities = self._entities(made)
        found: dict[Place, Naming] = {}
        for place, numbered in made.items():
            audience, title, path, document, itself = documents[place[0]]
            name = display_name(title, None, path, document)
            found[place] = Naming(self._audiences.readers(audience), name, EntityId(itself.hex()), entities.get(place, {}), numbered)
        return found

    def _entities(self, places: Iterable[Place]) -> dict[Place, dict[str, EntityId]]:
        statement = (
            "SELECT u.doc, u.claim, n.normal, e.entity FROM {} CROSS JOIN uses u ON u.doc = k.column1 AND u.claim = k.column2 "
            "JOIN names n ON n.name = u.node JOIN nodes e ON e.node = u.node"
        )
        found: dict[Place, dict[str, EntityId]] = {}
        for doc, claim, name, entity in select_join(self._db, statement, places):
            found.setdefault((doc, claim), {})[name] = EntityId(entity.hex())
        return found

    def derive(self, key: Place, inputs: Naming) -> Mapping[Hashable, Member]:
        members: dict[Hashable, Member] = {}
        for number, assertion in inputs.assertions.items():
            claim = assertion.claim
            subject = inputs.itself if claim.subject == SELF else inputs.entities[claim.subject]
            stance = stance_of(claim, inputs.entities.__getitem__)
            group = self._clusters.group(inputs.audience, subject, stance, claim.scope)
            spoken = {SUBJECT: subject, **inputs.entities, SELF: inputs.title if claim.subject == SELF else ""}
            spoken[OWN] = OWN if subject == inputs.itself else ""
            members[number] = (group, orjson.dumps(spoken, option=orjson.OPT_SORT_KEYS).decode())
        return members

    def held(self, keys: Iterable[Place]) -> Mapping[Place, Mapping[Hashable, Member]]:
        statement = "SELECT a.doc, a.claim, a.number, a.grp, a.entities FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2"
        found: dict[Place, dict[Hashable, Member]] = {}
        for doc, claim, number, group, entities in select_join(self._db, statement, keys):
            found.setdefault((doc, claim), {})[number] = (group, entities)
        return found

    def write(self, differences: Iterable[Difference[Place, Member]]) -> None:
        rows = [(group, entities, *difference.key, number) for difference in differences for number, (group, entities) in difference.after.items()]
        self._db.executemany("UPDATE assertions SET grp = ?, entities = ? WHERE doc = ? AND claim = ? AND number = ?", rows)

    def touch(self, differences: Iterable[Difference[Place, Member]], touched: Touched) -> None:
        for difference in differences:
            for group, _ in [*difference.before.values(), *difference.after.values()]:
                if group is not None:
                    touched.groups.add(group, difference.causes)


class ReviewsView(View[bytes, bytes, bytes]):
    """Keyed by review; its only output is the group that it judges."""

    def __init__(self, db: sqlite3.Connection, audiences: Audiences, clusters: Clusters) -> None:
        self._db = db
        self._audiences = audiences
        self._clusters = clusters

    def take(self, touched: Touched) -> dict[bytes, Causes]:
        return touched.reviews.take()

    def load(self, keys: Iterable[bytes]) -> Mapping[bytes, bytes]:
        statement = (
            "SELECT r.id, r.audience, r.body, s.entity, t.entity FROM reviews r JOIN nodes s ON s.node = r.subject "
            "LEFT JOIN nodes t ON t.node = r.target WHERE r.id IN ({})"
        )
        found: dict[bytes, bytes] = {}
        for name, audience, body, subject, target in select_in(self._db, statement, keys):
            judgement, scope = unpack_review(body, EntityId(target.hex()) if target else None)
            group = self._clusters.group(self._audiences.readers(audience), EntityId(subject.hex()), judgement.stance, scope)
            found[name] = group
        return found

    def derive(self, key: bytes, inputs: bytes) -> Mapping[Hashable, bytes]:
        return {key: inputs}

    def held(self, keys: Iterable[bytes]) -> Mapping[bytes, Mapping[Hashable, bytes]]:
        rows = select_in(self._db, "SELECT id, grp FROM reviews WHERE grp IS NOT NULL AND id IN ({})", keys)
        return {name: {name: group} for name, group in rows}

    def write(self, differences: Iterable[Difference[bytes, bytes]]) -> None:
        rows = [(group, difference.key) for difference in differences for group in difference.after.values()]
        self._db.executemany("UPDATE reviews SET grp = ? WHERE id = ?", rows)

    def touch(self, differences: Iterable[Difference[bytes, bytes]], touched: Touched) -> None:
        for difference in differences:
            touched.groups.update([*difference.before.values(), *difference.after.values()], difference.causes)


def unpack_review(body: bytes, target: EntityId | None) -> tuple[Judgement, tuple[str, ...]]:
    """Return a stored review with the name of its value resolved, and its scope."""
    spoken, _, scope = body.partition(b"\n")
    judgement = JUDGEMENT.unpack(spoken)
    value = judgement.stance.value
    if target is not None and value.kind is ValueKind.NAME:
        judgement = replace(judgement, stance=replace(judgement.stance, value=replace(value, normal=target)))
    return judgement, tuple(orjson.loads(scope))
