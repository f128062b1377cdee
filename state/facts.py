"""The view of facts: what each document asserts, from when to when (DESIGN.md 5.4)."""

import sqlite3
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from derive.history import Run, assertions
from schemas.rules import OnDelete, SourceRules
from schemas.statement import Claim, What
from state.codec import ASSERTION, CLAIM
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

    def __init__(self, db: sqlite3.Connection, timeline: Timeline, rules: Callable[[str], SourceRules]) -> None:
        self._db = db
        self._timeline = timeline
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
        """Touch the records of a unit or section; for a fact, the names that it uses and the groups that it was in and will be in."""
        for difference in differences:
            place, causes = difference.key, difference.causes
            if _is_fact(difference):
                touched.uses.add(place, causes)
                touched.members.add(place, causes)
                before = ((*place, number) for number in difference.before if isinstance(number, int))
                touched.groups.update((self._groups[key] for key in before if key in self._groups), causes)
            else:
                touched.stretches.add(place, causes)


def _is_fact(difference: Difference[Place, bytes]) -> bool:
    some = next(iter([*difference.after.values(), *difference.before.values()]))
    return ASSERTION.unpack(some).claim.what is What.FACT
