"""A coast with four pages for each of its piers, as long as a test wants it: what the cases about cost measure on.

Pages are made as readings, since what is measured is the store. Of four pages one names a ferry that stops at the pier, one counts bollards, and two
say nothing that could be a fact.
"""

from pathlib import Path

from schemas.change import Position, Put, Stamp, Text
from schemas.fact import Fact, FactKind
from schemas.ids import ContentHash, DocumentId, Tenant, digest
from schemas.instant import DAY, Instant
from schemas.receipt import Receipt
from schemas.rules import SourceRules
from schemas.version import Reading, Unit, Version
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore
from tests.cases.desk import WIKI

TENANT = Tenant("coast")
NOW = Instant(20_000 * DAY)
BATCH = 250


class Coast:
    """A store that grows."""

    def __init__(self, path: Path) -> None:
        self._store = SqliteStore.open(path, TENANT, {WIKI: SourceRules(WIKI, readers=frozenset({"*"}))}, shipped())
        self._pages = 0
        self._offset = 0

    def grow(self, pages: int) -> None:
        """Grow to so many pages."""
        while self._pages < pages:
            numbers = range(self._pages, min(pages, self._pages + BATCH))
            self._store.apply([self._version(f"page {number}", _page(number)) for number in numbers], NOW)
            self._pages = numbers.stop

    def visit(self, pier: int) -> tuple[Receipt, int]:
        """Take a document about three piers that two pages each know already; return its receipt, and how many steps the database's machine went."""
        steps = 0

        def step() -> None:
            nonlocal steps
            steps += 1

        version = self._version(f"visit {pier}", *(_stop(1_000_000 + pier, pier + number) for number in range(3)))
        self._store._db.set_progress_handler(step, 1)
        (receipt,) = self._store.apply([version], NOW).receipts
        self._store._db.set_progress_handler(None, 0)
        return receipt, steps

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def _version(self, document: str, *units: Unit) -> Version:
        self._offset += 1
        position = Position("wiki.changes", 0, self._offset, previous=self._offset - 1)
        stamp = Stamp(TENANT, WIKI, DocumentId(document), (1,), NOW, NOW, position)
        return Version(Put(stamp, Text("")), Reading(ContentHash(digest(*(unit.text for unit in units))), units))


def _page(number: int) -> Unit:
    pier = f"Pier {number // 4}"
    match number % 4:
        case 0:
            return _stop(number, number // 4)
        case 1:
            return _unit(pier, "offers", f"{number} bollards", FactKind.ATTRIBUTE, pier)
        case _:
            text = f"Notice {number}: mind the step."
            return Unit(text, (), 0, len(text))


def _stop(ferry: int, pier: int) -> Unit:
    return _unit(f"Ferry {ferry}", "stops at", f"Pier {pier}", FactKind.RELATION, f"Ferry {ferry}", f"Pier {pier}")


def _unit(subject: str, predicate: str, value: str, kind: FactKind, *mentions: str) -> Unit:
    text = f"{subject} {predicate} {value}."
    fact = Fact(text, kind, subject, predicate, value, 0, len(text), 0.9, mentions=mentions)
    return Unit(text, (), 0, len(text), 0, (fact,))
