"""Facts (AKUs): atomic statements as one block of text makes them, before document, date and entities are known."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from schemas.instant import Instant

SELF = "\x01"
"""The subject that stands for the document itself; it is bound to the document when the version is applied."""


class FactKind(StrEnum):
    """What sort of statement a fact is (NuggetIndex, section 3)."""

    ATTRIBUTE = "attribute"
    RELATION = "relation"
    EVENT = "event"
    DEFINITION = "definition"
    PROCEDURE = "procedure"


@dataclass(frozen=True, slots=True)
class Period:
    """The half-open stretch of time that a date names: "2024-06" is [2024-06-01, 2024-07-01)."""

    first: Instant
    last: Instant


@dataclass(frozen=True, slots=True)
class Relative:
    """A date that needs the version's own date: "last Tuesday". Bound by `derive.dates.time.bind`."""

    phrase: str


@dataclass(frozen=True, slots=True)
class Written:
    """A date that needs to know how its source writes dates: "03/05/2024", or a time without a zone. Settled by `derive.dates.written`.

    `step` is -1 for the day before it ("before 03/05/2024"), 1 for the day after it.
    """

    phrase: str
    step: int = 0


Moment: TypeAlias = Period | Relative | Written

GOVERNS = 0.5
"""Confidence from which an explicit date governs (DESIGN.md 5.6, rules 2 and 4); below it the interval is a guess, and bars nobody."""
KNOWN = 0.6
"""Confidence from which validity counts as known. Between the two: the end of what is said to be no longer so, without a word about since when."""


@dataclass(frozen=True, slots=True)
class Dates:
    """The validity that a statement gives itself; None where it gives none. The end includes the period that it names.

    `confidence` (0..1) says how sure the reading of the dates is, the least sure of them: see `derive.dates.timing`.
    """

    start: Moment | None = None
    end: Moment | None = None
    confidence: float = 1.0


NO_DATES = Dates()


@dataclass(frozen=True, slots=True)
class Fact:
    """One atomic statement.

    `subject` is a surface form or SELF; `predicate` a canonical name of the vocabulary or, if unknown there, the normalised words of the text;
    `object` the surface form of the value. `scope` is what lets two values hold side by side, outermost first. `start`/`end` are character
    offsets into the text of the block. `confidence` is 0..1. `structural` facts come from headers, tables and the like; the others from prose.
    `mentions` are the surface forms of all names in the statement, subject and object included (never SELF).
    """

    text: str
    kind: FactKind
    subject: str
    predicate: str
    object: str
    start: int
    end: int
    confidence: float
    scope: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    dates: Dates = NO_DATES
    negated: bool = False
    structural: bool = False
