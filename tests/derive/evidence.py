"""Short words for tests of governance: what is said, from when to when, by whom; and what comes of it.

Times are small numbers, so that a test reads as a table. A run is spoken as "belief from-to reason", with "vs" and its rivals if it is disputed.
"""

from collections.abc import Iterable, Mapping

from derive.govern import govern
from schemas.change import Verdict
from schemas.fact import NO_DATES
from schemas.ids import DocumentKey
from schemas.instant import FOREVER, Instant
from schemas.nugget import Evidence, Judgement, Run, Stance
from schemas.statement import Assertion, Claim, Standing, What, Wording
from schemas.value import Value, ValueKind
from schemas.vocabulary import Cardinality, Predicate, Vocabulary

VOCABULARY = Vocabulary(
    predicates={
        "head": Predicate("head", Cardinality.FUNCTIONAL, "name"),
        "opens": Predicate("opens", Cardinality.FUNCTIONAL, "date"),
        "status": Predicate("status", Cardinality.FUNCTIONAL, "text"),
        "superseded by": Predicate("superseded by", Cardinality.MULTI, "name", excludes=(("status", "Accepted"),)),
        "closed": Predicate("closed", Cardinality.MULTI, "text", excludes=(("status", ""),)),
        "member": Predicate("member", Cardinality.MULTI, "name"),
        "visit": Predicate("visit", Cardinality.LOG, "date"),
    }
)
_KINDS = {"opens": ValueKind.DATE, "visit": ValueKind.DATE, "status": ValueKind.TEXT, "closed": ValueKind.TEXT}


def stance(value: str, predicate: str = "head") -> Stance:
    """Return the stance of a value as it is spelt in normal form; "not X" denies X."""
    plain = value.removeprefix("not ")
    return Stance(predicate, Value(_KINDS.get(predicate, ValueKind.NAME), plain), negated=plain != value)


def said(
    value: str,
    start: int,
    end: int = FOREVER,
    *,
    by: str = "a",
    dated: bool = False,
    ends_in: int = FOREVER,
    rank: int = 0,
    origin: str = "",
    sentence: str = "",
    predicate: str = "head",
    weak: bool = False,
    standing: Standing = Standing.EVIDENCE,
) -> Evidence:
    """Return that document `by` asserts a value for [start, end). Each assertion has a sentence of its own unless one is given."""
    taken = stance(value, predicate)
    claim = Claim(What.FACT, "tarn works", predicate, (), taken.value, taken.negated, weak=weak)
    wording = Wording(sentence or f"{by} says {value} from {start} to {end}", by, 0, 9, dates=NO_DATES)
    assertion = Assertion(
        claim, wording, Instant(start), Instant(end), Instant(start), Instant(end), dated=dated, ends_in=Instant(ends_in), standing=standing
    )
    return Evidence(taken, assertion, DocumentKey(by), rank, origin or by, wording.text)


def review(verdict: Verdict, value: str, at: int, *, by: str = "dana", predicate: str = "head") -> Judgement:
    """Return a review."""
    return Judgement(stance(value, predicate), verdict, Instant(at), by)


def outcome(*evidence: Evidence, reviews: Iterable[Judgement] = (), vocabulary: Vocabulary = VOCABULARY) -> dict[str, list[str]]:
    """Return what governance makes of some assertions: the runs of each value, as words."""
    found: dict[str, list[str]] = {}
    for run in govern(evidence, reviews, vocabulary):
        found.setdefault(_name(run.stance), []).append(spoken(run))
    return found


def spoken(run: Run) -> str:
    """Return a run as words."""
    end = "" if run.end == FOREVER else run.end
    rivals = f" vs {', '.join(_name(rival) for rival in run.rivals)}" if run.rivals else ""
    return f"{run.belief} {run.start}-{end} {run.reason}{rivals}"


def at(runs: Iterable[Run], instant: int) -> Mapping[Stance, Run]:
    """Return the run that holds of each value at an instant."""
    return {run.stance: run for run in runs if run.start <= instant < run.end}


def _name(one: Stance) -> str:
    return f"{'not ' if one.negated else ''}{one.value.normal}"
