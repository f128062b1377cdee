"""Nuggets: what governance decides from, and what it decides."""

from dataclasses import dataclass

from schemas.change import Verdict
from schemas.ids import DocumentKey
from schemas.instant import Instant
from schemas.record import Belief
from schemas.statement import Assertion
from schemas.value import Value


@dataclass(frozen=True, slots=True)
class Stance:
    """A value of one predicate, affirmed or negated: what two assertions of a group are compared by. Names stand as their entity's id."""

    predicate: str
    value: Value
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One assertion with what is known of its document. `rank` is its authority, one higher for facts about the document's own object.

    `origin` tells independent witnesses apart; `sentence` tells copied words apart.
    """

    stance: Stance
    assertion: Assertion
    document: DocumentKey
    rank: int
    origin: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A review of one value of the group's key."""

    stance: Stance
    verdict: Verdict
    at: Instant
    by: str


@dataclass(frozen=True, slots=True)
class Run:
    """A maximal interval [start, end) of one belief in one value. `rivals` are the values that dispute it, `evidence` what supports it."""

    stance: Stance
    belief: Belief
    reason: str
    start: Instant
    end: Instant
    evidence: tuple[Evidence, ...]
    rivals: tuple[Stance, ...] = ()
