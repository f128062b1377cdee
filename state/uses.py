"""The view of uses: which names and documents the assertions of a claim speak of."""

import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from schemas.fact import SELF
from schemas.statement import Assertion, What
from schemas.value import ValueKind
from state.codec import ASSERTION
from state.facts import Place
from state.names import Names
from state.sql import select_in, select_join
from state.touched import Causes, Touched
from state.views import Difference, View

Use = tuple[bool, str]
"""Whether the newest version says so now, and the least of the spellings."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """All inputs of one claim: its assertions, and the audience that its names belong to."""

    audience: int
    assertions: tuple[Assertion, ...]


class UsesView(View[Place, Spoken, Use]):
    """Keyed by document and claim; outputs are uses, by node."""

    def __init__(self, db: sqlite3.Connection, names: Names) -> None:
        self._db = db
        self._names = names

    def take(self, touched: Touched) -> dict[Place, Causes]:
        return touched.uses.take()

    def load(self, keys: Iterable[Place]) -> Mapping[Place, Spoken]:
        statement = "SELECT a.doc, a.claim, a.body FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2"
        made: dict[Place, list[Assertion]] = {}
        for doc, claim, body in select_join(self._db, statement, keys):
            made.setdefault((doc, claim), []).append(ASSERTION.unpack(body))
        audiences = dict(select_in(self._db, "SELECT doc, audience FROM documents WHERE doc IN ({})", {doc for doc, _ in made}))
        return {place: Spoken(audiences[place[0]], tuple(some)) for place, some in made.items()}

    def derive(self, key: Place, inputs: Spoken) -> Mapping[Hashable, Use]:
        found: dict[Hashable, Use] = {}
        for assertion in inputs.assertions:
            if assertion.claim.what is not What.FACT:
                continue
            for name, surface in _named(assertion):
                node = -key[0] if name == SELF else self._names.number(inputs.audience, name)
                current, spelt = found.get(node, (False, surface))
                found[node] = (current or assertion.current, min(spelt, surface))
        return found

    def held(self, keys: Iterable[Place]) -> Mapping[Place, Mapping[Hashable, Use]]:
        statement = "SELECT u.node, u.doc, u.claim, u.live, u.surface FROM {} CROSS JOIN uses u ON u.doc = k.column1 AND u.claim = k.column2"
        found: dict[Place, dict[Hashable, Use]] = {}
        for node, doc, claim, live, surface in select_join(self._db, statement, keys):
            found.setdefault((doc, claim), {})[node] = (bool(live), surface)
        return found

    def write(self, differences: Iterable[Difference[Place, Use]]) -> None:
        for difference in differences:
            gone = [(node, *difference.key) for node in difference.before if node not in difference.after]
            self._db.executemany("DELETE FROM uses WHERE node = ? AND doc = ? AND claim = ?", gone)
            fresh = [(node, *difference.key, live, surface) for node, (live, surface) in difference.after.items()]
            self._db.executemany("INSERT OR REPLACE INTO uses VALUES(?, ?, ?, ?, ?)", fresh)

    def touch(self, differences: Iterable[Difference[Place, Use]], touched: Touched) -> None:
        for difference in differences:
            nodes = (node for node in {*difference.before, *difference.after} if isinstance(node, int))
            touched.nodes.update(nodes, difference.causes)


def _named(assertion: Assertion) -> Iterator[tuple[str, str]]:
    claim, wording = assertion.claim, assertion.wording
    yield claim.subject, wording.subject
    if claim.value.kind is ValueKind.NAME:
        yield claim.value.normal, wording.object
    yield from wording.mentions
