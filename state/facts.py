"""The view of facts: what each document asserts, from when to when (DESIGN.md 5.4), and which names that needs."""

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from derive.history import Run, assertions
from schemas.fact import SELF
from schemas.rules import OnDelete, SourceRules
from schemas.statement import Assertion, Claim, What
from schemas.value import ValueKind
from state.codec import ASSERTION, CLAIM
from state.names import Names
from state.sql import select_in, select_join
from state.timeline import Timeline
from state.touched import Causes, Touched
from state.views import Difference, View

Place = tuple[int, int]
"""(document, claim)."""


@dataclass(frozen=True, slots=True)
class Stated:
    """All inputs of one claim of one document."""

    claim: Claim
    runs: tuple[Run, ...]
    withdrawn: bool


class FactsView(View[Place, Stated, bytes]):
    """Keyed by document and claim; outputs are assertions, by number, as bytes.

    A changed or vanished assertion touches the group that it was in; which group it is in now, the view of members says.
    """

    def __init__(self, db: sqlite3.Connection, timeline: Timeline, names: Names, rules: Callable[[str], SourceRules]) -> None:
        self._db = db
        self._timeline = timeline
        self._names = names
        self._rules = rules
        self._groups: dict[tuple[int, int, int], bytes] = {}

    def take(self, touched: Touched) -> dict[Place, Causes]:
        return touched.claims.take()

    def load(self, keys: Iterable[Place]) -> Mapping[Place, Stated]:
        places = list(keys)
        rows = select_in(self._db, "SELECT doc, source, live, incarnation FROM documents WHERE doc IN ({})", {doc for doc, _ in places})
        documents = {doc: (self._rules(source).on_delete, bool(live), incarnation) for doc, source, live, incarnation in rows}
        found: dict[Place, Stated] = {}
        for (doc, number), held in self._timeline.runs(places).items():
            claim = CLAIM.unpack(held[0][0])
            on_delete, live, incarnation = documents[doc]
            withdrawn = on_delete is OnDelete.WITHDRAW and (not live or claim.incarnation < incarnation)
            found[doc, number] = Stated(claim, tuple(run for _, run in held), withdrawn)
        return found

    def derive(self, key: Place, inputs: Stated) -> Mapping[Hashable, bytes]:
        made = assertions(inputs.claim, inputs.runs, withdrawn=inputs.withdrawn)
        return {number: ASSERTION.pack(assertion) for number, assertion in enumerate(made)}

    def held(self, keys: Iterable[Place]) -> Mapping[Place, Mapping[Hashable, bytes]]:
        statement = "SELECT a.doc, a.claim, a.number, a.grp, a.body FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2"
        found: dict[Place, dict[Hashable, bytes]] = {}
        self._groups = {}
        for doc, claim, number, group, body in select_join(self._db, statement, keys):
            found.setdefault((doc, claim), {})[number] = body
            if group is not None:
                self._groups[doc, claim, number] = group
        return found

    def write(self, differences: Iterable[Difference[Place, bytes]]) -> None:
        for difference in differences:
            gone = [(*difference.key, number) for number in difference.before if number not in difference.after]
            self._db.executemany("DELETE FROM assertions WHERE doc = ? AND claim = ? AND number = ?", gone)
            self._db.executemany(
                "INSERT INTO assertions(doc, claim, number, body) VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
                [(*difference.key, number, body) for number, body in difference.after.items()],
            )

    def touch(self, differences: Iterable[Difference[Place, bytes]], touched: Touched) -> None:
        """Touch the claim's nugget group or records, and the names that it began or ceased to use."""
        differing = {difference.key: difference for difference in differences}
        now: dict[Place, list[Assertion]] = {place: [] for place in differing}
        statement = "SELECT a.doc, a.claim, a.body FROM {} CROSS JOIN assertions a ON a.doc = k.column1 AND a.claim = k.column2"
        for doc, claim, body in select_join(self._db, statement, differing):
            now[doc, claim].append(ASSERTION.unpack(body))
        audiences = dict(select_in(self._db, "SELECT doc, audience FROM documents WHERE doc IN ({})", {doc for doc, _ in differing}))
        used = {place: _use(place, made, audiences[place[0]], self._names) for place, made in now.items()}
        for place, difference in differing.items():
            if _is_fact(difference, now[place]):
                touched.members.add(place, difference.causes)
                before = ((*place, number) for number in difference.before)
                touched.groups.update((self._groups[key] for key in before if key in self._groups), difference.causes)
            else:
                touched.stretches.add(place, difference.causes)
        self._use(used, {place: difference.causes for place, difference in differing.items()}, touched)

    def _use(self, used: Mapping[Place, dict[int, tuple[bool, str]]], causes: Mapping[Place, Causes], touched: Touched) -> None:
        stored: dict[Place, dict[int, tuple[bool, str]]] = {place: {} for place in used}
        for (doc, claim), before in self._used(used):
            stored[doc, claim] = before
        gone: list[tuple[int, int, int]] = [(node, *place) for place, nodes in stored.items() for node in nodes.keys() - used[place].keys()]
        fresh = [
            (node, *place, live, surface)
            for place, nodes in used.items()
            for node, (live, surface) in nodes.items()
            if stored[place].get(node) != (live, surface)
        ]
        self._db.executemany("DELETE FROM uses WHERE node = ? AND doc = ? AND claim = ?", gone)
        self._db.executemany("INSERT OR REPLACE INTO uses VALUES(?, ?, ?, ?, ?)", fresh)
        for node, doc, claim in [*gone, *((node, doc, claim) for node, doc, claim, _, _ in fresh)]:
            touched.nodes.add(node, causes[doc, claim])

    def _used(self, places: Iterable[Place]) -> Iterator[tuple[Place, dict[int, tuple[bool, str]]]]:
        statement = "SELECT u.node, u.doc, u.claim, u.live, u.surface FROM {} CROSS JOIN uses u ON u.doc = k.column1 AND u.claim = k.column2"
        found: dict[Place, dict[int, tuple[bool, str]]] = {}
        for node, doc, claim, live, surface in select_join(self._db, statement, places):
            found.setdefault((doc, claim), {})[node] = (bool(live), surface)
        yield from found.items()


def _is_fact(difference: Difference[Place, bytes], now: list[Assertion]) -> bool:
    some = now[0] if now else ASSERTION.unpack(next(iter(difference.before.values())))
    return some.claim.what is What.FACT


def _use(place: Place, made: Iterable[Assertion], audience: int, names: Names) -> dict[int, tuple[bool, str]]:
    """Return the nodes that the assertions of a claim need: the document itself for SELF, and every name; whether used now, and how spelt."""
    found: dict[int, tuple[bool, str]] = {}
    for assertion in made:
        if assertion.claim.what is not What.FACT:
            continue
        for name, surface in _names(assertion):
            node = -place[0] if name == SELF else names.number(audience, name)
            live, spelt = found.get(node, (False, surface))
            found[node] = (live or assertion.current, min(spelt, surface))
    return found


def _names(assertion: Assertion) -> Iterator[tuple[str, str]]:
    claim, wording = assertion.claim, assertion.wording
    yield claim.subject, wording.subject
    if claim.value.kind is ValueKind.NAME:
        yield claim.value.normal, wording.object
    yield from wording.mentions
