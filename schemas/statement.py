"""Statements: what the versions of one document state, and the assertions that follow."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from schemas.fact import NO_DATES, Dates
from schemas.instant import FOREVER, Instant
from schemas.value import Value

Key: TypeAlias = int
"""63-bit hash of a claim, unique within one document."""


class What(StrEnum):
    """What is stated."""

    FACT = "fact"
    UNIT = "unit"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Claim:
    """The identity of a statement within its document: the same claim in two versions is one statement that goes on.

    `subject` is a normal form or SELF; for units and sections all of it is empty but `value`, which is the unit's identity.
    `weak` claims are below the quality gate; claims of different incarnations never meet.
    """

    what: What
    subject: str
    predicate: str
    scope: tuple[str, ...]
    value: Value
    negated: bool = False
    structural: bool = False
    weak: bool = False
    incarnation: int = 0


@dataclass(frozen=True, slots=True)
class Wording:
    """How one version words a claim, and where: what may differ while the claim stays the same.

    `unit` is the id of the unit within the document; `start`/`end` are offsets in the unit's text. `mentions` are (normal form, surface form).
    `parts` are the sources of a unit that was stitched, as spans in its text.
    """

    text: str
    unit: str
    start: int
    end: int
    subject: str = ""
    object: str = ""
    kind: str = ""
    confidence: float = 1.0
    dates: Dates = NO_DATES
    mentions: tuple[tuple[str, str], ...] = ()
    section: tuple[str, ...] = ()
    parts: tuple[tuple[int, int], ...] = ()


class Standing(StrEnum):
    """Whether an assertion counts as evidence."""

    EVIDENCE = "evidence"
    WITHDRAWN = "withdrawn"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Assertion:
    """A claim with its validity [start, end) as one document asserts it.

    `dated` says that the start is explicit; `ends_in` is the beginning of the period that an explicit end names, FOREVER without one.
    Dates that are a guess (confidence below `schemas.fact.GOVERNS`) give the interval, and are not explicit.
    The document said so in [said_from, said_to). `current`: its newest version says so now, and it is not withdrawn.
    """

    claim: Claim
    wording: Wording
    start: Instant
    end: Instant
    said_from: Instant
    said_to: Instant = FOREVER
    dated: bool = False
    ends_in: Instant = FOREVER
    standing: Standing = Standing.EVIDENCE
    current: bool = False
