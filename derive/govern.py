"""Governance: what to believe of one group of values, instant by instant (DESIGN.md 5.6; NuggetIndex, section 3).

`govern` is a pure function of all assertions of the group, ended ones too, and of its reviews. Between two neighbouring bounds nothing changes, so
every elementary interval is decided once, in `decide`; runs are what neighbouring intervals have in common.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import assert_never

from derive.values import agree, counts_for, finest, value_for
from schemas.change import Verdict
from schemas.instant import FOREVER, Instant
from schemas.nugget import Evidence, Judgement, Run, Stance
from schemas.record import Belief
from schemas.statement import Standing
from schemas.value import ValueKind
from schemas.vocabulary import Cardinality, Vocabulary

CURRENT = "current"
SUCCEEDED = "succeeded"
ENDED = "ended"
RIVALS = "rivals"
OUTVOTED = "outvoted"
REVIEW = "review"
WEAK = "weak"

LISTED = 64
"""Rivals of a run that are listed, least value first; all of them count."""

Conflict = Callable[[Stance, Stance], bool]


@dataclass(frozen=True, slots=True)
class _Moment:
    """What one value is during one elementary interval.

    `belief` None: asserted, but left out (`reason` says by what) or hidden beside a finer value (`reason` empty). `support` are assertions of another
    grain that count for it.
    """

    start: Instant
    end: Instant
    belief: Belief | None
    reason: str
    support: tuple[Evidence, ...] = ()

    @property
    def asserted(self) -> bool:
        """Weak, withdrawn and corrected words assert nothing that could be left out later."""
        return self.belief not in (Belief.WEAK, Belief.REJECTED)


def govern(evidence: Iterable[Evidence], reviews: Iterable[Judgement], vocabulary: Vocabulary) -> list[Run]:
    """Return the runs of every value of the group, by value and time."""
    by_stance: dict[Stance, list[Evidence]] = {}
    for one in evidence:
        by_stance.setdefault(one.stance, []).append(one)
    judged = in_force(reviews)
    moments: dict[Stance, list[_Moment]] = {stance: [] for stance in by_stance}
    alone = len(by_stance) == 1 and not judged  # mostly true of a hub's groups: there is nothing to compare
    for start, end, here in _intervals(by_stance, alone=alone):
        counted = [one for own in here.values() for one in own if _counts_as_evidence(one)] if len(here) > 1 or judged else []
        decision = decide(counted, start, judged, vocabulary)
        for stance, own in here.items():
            moments[stance].append(_moment(start, end, stance, own, decision))
    runs = [run for stance in sorted(by_stance, key=_stance_order) for run in _runs(stance, moments[stance], by_stance[stance])]
    disputed = [run for run in runs if run.belief is Belief.DISPUTED]
    return [replace(run, rivals=_rivals(run, disputed, vocabulary)) if run.belief is Belief.DISPUTED else run for run in runs]


def _rivals(run: Run, disputed: Iterable[Run], vocabulary: Vocabulary) -> tuple[Stance, ...]:
    """Return the values that dispute a run, in order, LISTED at most: two disputed values that contradict each other dispute wherever they meet."""
    meeting = (other.stance for other in disputed if other.start < run.end and run.start < other.end)
    rivals = (stance for stance in meeting if contradicts(run.stance, stance, vocabulary) or excludes(run.stance, stance, vocabulary))
    return tuple(dict.fromkeys(islice(rivals, LISTED)))


def _intervals(by_stance: Mapping[Stance, Sequence[Evidence]], *, alone: bool) -> Iterator[tuple[Instant, Instant, dict[Stance, list[Evidence]]]]:
    """Yield every elementary interval with the assertions that hold in it; of each standing one witness only for a value `alone`."""
    opening: dict[Instant, list[Evidence]] = {}
    bounds: set[Instant] = set()
    for own in by_stance.values():
        for one in own:
            opening.setdefault(one.assertion.start, []).append(one)
            bounds.update((one.assertion.start, one.assertion.end))
            if not alone and one.assertion.start < one.assertion.ends_in < one.assertion.end:
                bounds.add(one.assertion.ends_in)
    active: list[Evidence] = []
    for start, end in pairwise(sorted(bounds)):
        active = [one for one in active if one.assertion.end > start] + opening.get(start, [])
        if alone:
            active = _longest(active)
        here: dict[Stance, list[Evidence]] = {}
        for one in active:
            here.setdefault(one.stance, []).append(one)
        if here:
            yield start, end, here


def _longest(active: Sequence[Evidence]) -> list[Evidence]:
    best: dict[tuple[Standing, bool], Evidence] = {}
    for one in active:
        kind = (one.assertion.standing, one.assertion.claim.weak)
        if kind not in best or one.assertion.end > best[kind].assertion.end:
            best[kind] = one
    return list(best.values())


def _counts_as_evidence(one: Evidence) -> bool:
    return one.assertion.standing is Standing.EVIDENCE and not one.assertion.claim.weak


def _moment(start: Instant, end: Instant, stance: Stance, own: Sequence[Evidence], decision: "Decision") -> _Moment:
    if not any(_counts_as_evidence(one) for one in own):
        if any(one.assertion.standing is Standing.EVIDENCE for one in own):
            return _Moment(start, end, Belief.WEAK, WEAK)
        return _Moment(start, end, Belief.REJECTED, min(one.assertion.standing for one in own))
    if stance in decision.left:
        return _Moment(start, end, None, decision.left[stance])
    if stance in decision.hidden:
        return _Moment(start, end, None, "")
    support = tuple(decision.support.get(stance, ()))
    return _Moment(start, end, Belief.DISPUTED if stance in decision.disputed else Belief.BELIEVED, "", support)


@dataclass(frozen=True, slots=True)
class Decision:
    """What holds at one instant.

    `disputed` are the values that are left and contradict each other; what is left besides is believed. `left` has the values left out and why.
    `hidden` are coarser values that stand beside a finer one; `support` are the assertions of other grain that count for a value.
    """

    disputed: frozenset[Stance]
    left: dict[Stance, str]
    hidden: frozenset[Stance]
    support: dict[Stance, list[Evidence]]


def decide(counted: Sequence[Evidence], at: Instant, reviews: Sequence[Judgement], vocabulary: Vocabulary) -> Decision:
    """Decide one instant among the assertions that hold at it: steps (a) to (c), each judging all at once, after the reviews."""
    values = {one.stance for one in counted}
    if len(values) <= 1 and not reviews:
        return Decision(frozenset(), {}, frozenset(), {})
    left: dict[Stance, str] = {}

    def leave(remaining: list[Evidence], gone: set[int], reason: str) -> list[Evidence]:
        kept = [one for index, one in enumerate(remaining) if index not in gone]
        for stance in {one.stance for one in remaining} - {one.stance for one in kept}:
            left[stance] = reason
        return kept

    def rival(one: Stance, other: Stance) -> bool:
        return contradicts(one, other, vocabulary)

    def any_conflict(one: Stance, other: Stance) -> bool:
        return rival(one, other) or excludes(one, other, vocabulary)

    rest = leave(list(counted), _reviewed(counted, reviews, any_conflict), REVIEW)
    rest = leave(rest, _outranked(rest, any_conflict), OUTVOTED)
    rest = leave(rest, _succeeded(rest, at, rival), SUCCEEDED)
    rest = leave(rest, _outvoted(rest, rival, vocabulary), OUTVOTED)
    held = {one.stance for one in rest}
    dates = {stance for stance in held if stance.value.kind is ValueKind.DATE}
    hidden = frozenset(stance for stance in dates if _functional(stance, vocabulary) and any(_finer(other, stance) for other in dates))
    shown = held - hidden
    disputed = frozenset(stance for stance in shown if any(any_conflict(stance, other) for other in shown))
    support = {stance: [one for one in rest if one.stance != stance and _counts(one.stance, stance, dates, vocabulary)] for stance in dates - hidden}
    return Decision(disputed, left, hidden, support)


def in_force(reviews: Iterable[Judgement]) -> list[Judgement]:
    """Return the reviews that count: the newest per value, of these no cleared ones, and of the preferred values the newest only."""
    newest: dict[Stance, Judgement] = {}
    for review in sorted(reviews, key=lambda one: (one.at, one.verdict, one.by)):
        newest[review.stance] = review
    counted = [review for review in newest.values() if review.verdict is not Verdict.CLEAR]
    preferred = [review for review in counted if review.verdict is Verdict.PREFER]
    best = {
        predicate: max((one for one in preferred if one.stance.predicate == predicate), key=lambda one: (one.at, _stance_order(one.stance)))
        for predicate in {one.stance.predicate for one in preferred}
    }
    return [one for one in counted if one.verdict is Verdict.REJECT or best[one.stance.predicate] is one]


def contradicts(one: Stance, other: Stance, vocabulary: Vocabulary) -> bool:
    """Tell whether two values of one predicate cannot both hold: values of a functional key, or a value and its own negation."""
    if one.predicate != other.predicate:
        return False
    if one.negated != other.negated:
        return one.value == other.value
    return not one.negated and one.value != other.value and _functional(one, vocabulary) and not agree(one.value, other.value)


def excludes(one: Stance, other: Stance, vocabulary: Vocabulary) -> bool:
    """Tell whether the vocabulary declares two values of different predicates exclusive, in either direction."""
    if one.negated or other.negated or one.predicate == other.predicate:
        return False
    return _declared(one, other, vocabulary) or _declared(other, one, vocabulary)


def _declared(one: Stance, other: Stance, vocabulary: Vocabulary) -> bool:
    """Tell whether one excludes the other; the vocabulary spells values as people do. A name cannot be spelt there: it stands as an entity here."""
    declared = vocabulary.predicate(one.predicate).excludes
    excluded = vocabulary.predicate(other.predicate)
    return any(name == excluded.name and (not value or value_for(excluded, value) == other.value) for name, value in declared)


def _functional(stance: Stance, vocabulary: Vocabulary) -> bool:
    return vocabulary.predicate(stance.predicate).cardinality is Cardinality.FUNCTIONAL


def _finer(one: Stance, other: Stance) -> bool:
    return one.predicate == other.predicate and not one.negated and not other.negated and counts_for(one.value, other.value)


def _counts(one: Stance, stance: Stance, held: Iterable[Stance], vocabulary: Vocabulary) -> bool:
    """Tell whether an assertion of another grain counts for a value: a finer one does; a coarser one unless finer ones contradict each other."""
    if not _functional(stance, vocabulary):
        return False
    if _finer(one, stance):
        return True
    return _finer(stance, one) and len(finest(other.value for other in held if other == one or _finer(other, one))) == 1


def _reviewed(rest: Sequence[Evidence], reviews: Sequence[Judgement], conflict: Conflict) -> set[int]:
    gone: set[int] = set()
    held = {one.stance for one in rest}
    for review in reviews:
        for index, one in enumerate(rest):
            if one.assertion.dated and one.assertion.start > review.at:
                continue
            hit = one.stance == review.stance if review.verdict is Verdict.REJECT else review.stance in held and conflict(one.stance, review.stance)
            if hit:
                gone.add(index)
    return gone


def _outranked(rest: Sequence[Evidence], conflict: Conflict) -> set[int]:
    highest: dict[Stance, int] = {}
    for one in rest:
        highest[one.stance] = max(one.rank, highest.get(one.stance, one.rank))
    if len({one.rank for one in rest}) < 2:
        return set()
    return {index for index, one in enumerate(rest) if any(rank > one.rank and conflict(one.stance, stance) for stance, rank in highest.items())}


def _succeeded(rest: Sequence[Evidence], at: Instant, rival: Conflict) -> set[int]:
    latest: dict[Stance, Instant] = {}
    for one in rest:
        if one.assertion.dated:
            latest[one.stance] = max(one.assertion.start, latest.get(one.stance, one.assertion.start))
    newest = sorted(latest.items(), key=lambda pair: -pair[1])
    return {
        index
        for index, one in enumerate(rest)
        if at >= one.assertion.ends_in or one.assertion.ends_in == FOREVER
        if any(rival(one.stance, stance) for stance in _later_than(one.assertion.start, newest))
    }


def _later_than(start: Instant, newest: Sequence[tuple[Stance, Instant]]) -> Iterator[Stance]:
    for stance, later in newest:
        if later <= start:
            return
        yield stance


def _outvoted(rest: Sequence[Evidence], rival: Conflict, vocabulary: Vocabulary) -> set[int]:
    witnesses: dict[Stance, list[Evidence]] = {}
    for one in rest:
        witnesses.setdefault(one.stance, []).append(one)
    dates = {stance for stance in witnesses if stance.value.kind is ValueKind.DATE}
    for stance in dates:
        witnesses[stance] = [one for one in rest if one.stance == stance or _counts(one.stance, stance, dates, vocabulary)]
    strong = {stance for stance, some in witnesses.items() if independent(some) >= 2}
    return {index for index, one in enumerate(rest) if one.stance not in strong and any(rival(one.stance, other) for other in strong)}


def independent(witnesses: Sequence[Evidence]) -> int:
    """Return the number of independent sources: the smaller of distinct sentences and distinct origins."""
    return min(len({one.sentence for one in witnesses}), len({one.origin for one in witnesses}))


def _runs(stance: Stance, moments: Sequence[_Moment], own: Sequence[Evidence]) -> list[Run]:
    """Join neighbouring moments of one belief. A value left out from the start of a stretch is rejected there; left out later, it has ended."""
    runs: list[Run] = []
    pending: list[_Moment] = []
    before: _Moment | None = None
    held = False
    for moment in moments:
        apart = before is None or before.end != moment.start
        held = held and not apart and moment.asserted
        seen = moment if moment.belief is not None else None if held or not moment.reason else _rejected(moment)
        if pending and (apart or seen is None or seen.belief is not pending[-1].belief):
            runs.append(_run(stance, pending, own, succeeded=not apart and moment.belief is None))
            pending = []
        if seen is not None:
            pending.append(seen)
        held = held or (moment.asserted and (moment.belief is not None or not moment.reason))
        before = moment
    if pending:
        runs.append(_run(stance, pending, own, succeeded=False))
    return runs


def _rejected(moment: _Moment) -> _Moment:
    return _Moment(moment.start, moment.end, Belief.REJECTED, REVIEW if moment.reason == REVIEW else OUTVOTED)


def _run(stance: Stance, moments: Sequence[_Moment], own: Sequence[Evidence], *, succeeded: bool) -> Run:
    first, end = moments[0], moments[-1].end
    belief = first.belief or Belief.REJECTED
    match belief:
        case Belief.BELIEVED:
            reason = CURRENT if end >= FOREVER else SUCCEEDED if succeeded else ENDED
        case Belief.DISPUTED:
            reason = RIVALS
        case Belief.REJECTED | Belief.WEAK:
            reason = first.reason
        case _:
            assert_never(belief)
    taken_back = {moment.reason in (Standing.WITHDRAWN, Standing.CORRECTED) for moment in moments}
    within = [one for one in own if one.assertion.start < end and first.start < one.assertion.end and _fits(one, belief, taken_back)]
    evidence = sorted({*within, *(one for moment in moments for one in moment.support)}, key=_evidence_order)
    return Run(stance, belief, reason, first.start, end, tuple(evidence))


def _fits(one: Evidence, belief: Belief, taken_back: Set[bool]) -> bool:
    """Tell whether an assertion is what a run rests on; `taken_back`: whether some of it, or all, or none is withdrawn or corrected."""
    if belief is Belief.WEAK:
        return one.assertion.claim.weak and one.assertion.standing is Standing.EVIDENCE
    if one.assertion.standing is Standing.EVIDENCE:
        return False in taken_back and not one.assertion.claim.weak
    return True in taken_back


def _stance_order(stance: Stance) -> tuple[str, str, str, bool]:
    return (stance.predicate, stance.value.kind, stance.value.normal, stance.negated)


def _evidence_order(one: Evidence) -> tuple[object, ...]:
    assertion = one.assertion
    wording = assertion.wording
    return (
        one.document, *_stance_order(one.stance), assertion.start, assertion.end, assertion.said_from, assertion.standing,
        wording.unit, wording.start, wording.end, wording.text, assertion.claim.structural, assertion.claim.weak, assertion.claim.incarnation,
    )  # fmt: skip
