"""Spending: what calls of a language model cost, kept in a file, and the budget that it may not pass."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import BadSettings, Unreachable

_SCHEMA = """
CREATE TABLE IF NOT EXISTS spent (minute INTEGER PRIMARY KEY, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, cost REAL NOT NULL) WITHOUT ROWID;
"""
_HOUR = 60
_BEFORE = 0
"""The minute under which everything older than an hour is added up."""
_LAST = 1 << 62


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls, tokens in and out together, and money in the currency of the prices."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent within an hour and in all; 0 is no limit."""

    calls_per_hour: int = 0
    tokens_per_hour: int = 0
    cost_per_hour: float = 0.0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def left(self, hour: Spent, total: Spent) -> dict[str, float]:
        """Return what is left of each limit that is set; never below 0."""
        limits = {
            "calls_per_hour": (self.calls_per_hour, hour.calls),
            "tokens_per_hour": (self.tokens_per_hour, hour.tokens),
            "cost_per_hour": (self.cost_per_hour, hour.cost),
            "calls": (self.calls, total.calls),
            "tokens": (self.tokens, total.tokens),
            "cost": (self.cost, total.cost),
        }
        return {name: max(0.0, limit - spent) for name, (limit, spent) in limits.items() if limit}


class Spending:
    """The ledger of one data directory. It outlives the process; threads and processes may share the file. `clock` counts seconds since 1970.

    A call is entered with an estimate before it is made and put right afterwards, so that calls under way count, and a crash forgets none. A limit is
    passed at most by what the calls under way turn out to cost above their estimates.
    """

    def __init__(self, path: Path, budget: Budget, clock: Callable[[], float] = time.time) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._db = _opened(path)
        self._lock = threading.Lock()
        self._budget = budget
        self._clock = clock

    def begin(self, tokens: int, cost: float) -> int:
        """Enter a call with its estimates and return the minute it is entered under; Unreachable if a limit is reached."""
        minute = self._minute()
        with self._writing():
            self._settle(minute)
            reached = next((self._exhausted(name, minute) for name, rest in self._left(minute).items() if rest <= 0), "")
            if not reached:
                self._enter(minute, 1, tokens, cost)
        if reached:
            raise Unreachable(reached)
        return minute

    def correct(self, minute: int, calls: int, tokens: int, cost: float) -> None:
        """Add to what was entered under a minute; negative numbers take away."""
        with self._writing():
            self._enter(minute if minute > self._minute() - _HOUR else _BEFORE, calls, tokens, cost)

    @property
    def left(self) -> Mapping[str, float]:
        """What is left of each limit."""
        with self._lock:
            return self._left(self._minute())

    @property
    def total(self) -> Spent:
        """All that was ever spent."""
        with self._lock:
            return self._sum(0)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _settle(self, minute: int) -> None:
        """Add up what is older than an hour; what was entered while the clock was ahead counts from now, so that it holds up nobody for years."""
        for first, last, under in ((_BEFORE + 1, minute - _HOUR, _BEFORE), (minute + 1, _LAST, minute)):
            found = self._sum(first, last)
            if found != Spent():
                self._db.execute("DELETE FROM spent WHERE minute BETWEEN ? AND ?", (first, last))
                self._enter(under, found.calls, found.tokens, found.cost)

    def _enter(self, minute: int, calls: int, tokens: int, cost: float) -> None:
        self._db.execute(
            "INSERT INTO spent VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, tokens = tokens + excluded.tokens, "
            "cost = cost + excluded.cost",
            (minute, calls, tokens, cost),
        )

    def _left(self, minute: int) -> dict[str, float]:
        return self._budget.left(self._sum(minute - _HOUR + 1), self._sum(0))

    def _sum(self, first: int, last: int = _LAST) -> Spent:
        statement = "SELECT coalesce(sum(calls), 0), coalesce(sum(tokens), 0), coalesce(sum(cost), 0.0) FROM spent WHERE minute BETWEEN ? AND ?"
        return Spent(*self._db.execute(statement, (first, last)).fetchone())

    def _minute(self) -> int:
        return int(self._clock() // 60)

    def _exhausted(self, name: str, minute: int) -> str:
        limit = getattr(self._budget, name)
        if not name.endswith("_per_hour"):
            return f"llm.budget_{name} = {limit:g} is used up: nothing more is extracted until it is raised"
        (oldest,) = self._db.execute("SELECT min(minute) FROM spent WHERE minute > ?", (minute - _HOUR,)).fetchone()
        return f"llm.budget_{name} = {limit:g} is used up: the next call is possible in {max(1, oldest + _HOUR - minute)} min at the earliest"


def _opened(path: Path) -> sqlite3.Connection:
    """Open the ledger, made if it is missing; BadSettings if it is damaged: nobody but the operator can say what was spent."""
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=60)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(_SCHEMA)
        db.execute("SELECT minute, calls, tokens, cost FROM spent LIMIT 1")
    except sqlite3.DatabaseError as err:
        db.close()
        message = f"{path} is no ledger of what the language model cost ({err}): restore it, or remove it and lower llm.budget_* by what was spent"
        raise BadSettings(message) from err
    return db
