"""Whatever is said of one group: governance is a function of the set, decides per instant, and holds one truth per key (G1, G10)."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from derive.govern import govern
from derive.values import counts_for
from schemas.change import Verdict
from schemas.instant import FOREVER
from schemas.nugget import Evidence, Judgement, Run
from schemas.record import Belief
from schemas.statement import Standing
from tests.derive.evidence import VOCABULARY, at, review, said

Said = list[Evidence]
Reviewed = list[Judgement]
Group = tuple[Said, Reviewed]
HELD = (Belief.BELIEVED, Belief.DISPUTED)
GROUPS = (
    (("head", "finch"), ("head", "reyes"), ("head", "vale"), ("head", "not reyes")),
    (("opens", "2025-10"), ("opens", "2025-10-30"), ("opens", "2025-10-31"), ("opens", "2025-11")),
    (("status", "accepted"), ("status", "draft"), ("superseded by", "note 31")),
    (("member", "reyes"), ("member", "not reyes")),
)
"""Values that are decided together: of a functional key, of dates of two grains, of predicates that an exclusion ties, of a multi-valued key."""


@st.composite
def sayings(draw: st.DrawFn, group: Sequence[tuple[str, str]]) -> Evidence:
    predicate, value = draw(st.sampled_from(group))
    start = draw(st.integers(0, 20))
    end = draw(st.one_of(st.just(FOREVER), st.integers(start + 1, 24)))
    ends_in = draw(st.sampled_from([FOREVER, end - 1, end - 3])) if end < FOREVER else FOREVER
    return said(
        value, start, end, predicate=predicate, by=draw(st.sampled_from("abcde")), dated=draw(st.booleans()), ends_in=ends_in,
        rank=draw(st.sampled_from([0, 0, 0, 1])), origin=draw(st.sampled_from(["", "", "desk"])),
        sentence=draw(st.sampled_from(["", "", "the same"])),
        weak=draw(st.sampled_from([False, False, False, True])),
        standing=draw(st.sampled_from([Standing.EVIDENCE] * 5 + [Standing.WITHDRAWN, Standing.CORRECTED])),
    )  # fmt: skip


@st.composite
def judgements(draw: st.DrawFn, group: Sequence[tuple[str, str]]) -> Judgement:
    predicate, value = draw(st.sampled_from([pair for pair in group if not pair[1].startswith("not ")]))
    return review(draw(st.sampled_from(list(Verdict))), value, draw(st.sampled_from([0, 5, 12])), predicate=predicate)


@st.composite
def groups(draw: st.DrawFn) -> tuple[Said, Reviewed]:
    """All that is said of one group, and its reviews; mostly none."""
    group = draw(st.sampled_from(GROUPS))
    reviews = draw(st.lists(judgements(group), max_size=4)) if draw(st.booleans()) else []
    return draw(st.lists(sayings(group), max_size=8)), reviews


@given(groups(), st.randoms(use_true_random=False))
def test_the_outcome_does_not_depend_on_the_order_in_which_anything_is_given(group: Group, random: Random) -> None:
    said_here, reviewed = group
    shuffled, again = list(said_here), list(reviewed)
    random.shuffle(shuffled)
    random.shuffle(again)
    assert govern(shuffled, again, VOCABULARY) == govern(said_here, reviewed, VOCABULARY)


@given(groups())
def test_a_functional_key_is_never_two_truths(group: Group) -> None:
    """G10: among the believed values of one functional predicate no two contradict each other, and of two grains of one date one is shown."""
    said_here, reviewed = group
    runs = govern(said_here, reviewed, VOCABULARY)
    for instant in range(25):
        believed = [run.stance for run in at(runs, instant).values() if run.belief is Belief.BELIEVED and not run.stance.negated]
        for predicate in ("head", "opens", "status"):
            assert sum(one.predicate == predicate for one in believed) <= 1


@given(groups())
def test_runs_of_one_value_follow_each_other_and_neighbours_differ_in_belief(group: Group) -> None:
    said_here, reviewed = group
    by_value: dict[object, list[Run]] = {}
    for run in govern(said_here, reviewed, VOCABULARY):
        by_value.setdefault(run.stance, []).append(run)
    for runs in by_value.values():
        for one, other in pairwise(runs):
            assert one.start < one.end <= other.start < other.end
            assert one.end < other.start or one.belief is not other.belief


@given(groups(), st.integers(0, 24))
def test_what_is_held_at_an_instant_depends_only_on_what_is_asserted_then(group: Group, instant: int) -> None:
    """Neighbours decide where a run begins and whether a value that is left out was rejected or has ended; never what is held."""
    said_here, reviewed = group
    now = [one for one in said_here if one.assertion.start <= instant < one.assertion.end]
    assert _held(govern(now, reviewed, VOCABULARY), instant) == _held(govern(said_here, reviewed, VOCABULARY), instant)


def _held(runs: Sequence[Run], instant: int) -> dict[object, tuple[object, ...]]:
    return {stance: (run.belief, _rivals(runs, stance, instant)) for stance, run in at(runs, instant).items() if run.belief in (*HELD, Belief.WEAK)}


def _rivals(runs: Sequence[Run], stance: object, instant: int) -> set[object]:
    """Return who disputes a value at an instant: a run names everyone who did so while it went on."""
    holding = at(runs, instant)
    return {rival for rival in holding[stance].rivals if rival in holding and holding[rival].belief is Belief.DISPUTED}  # type: ignore[index]


@given(groups())
def test_every_run_is_supported_while_it_goes_on_by_words_of_its_own_standing(group: Group) -> None:
    said_here, reviewed = group
    for run in govern(said_here, reviewed, VOCABULARY):
        own = [one for one in run.evidence if one.stance == run.stance]
        assert own
        for instant in range(run.start, min(run.end, 25)):
            assert any(one.assertion.start <= instant < one.assertion.end for one in own)
        for one in own:
            assert one.assertion.start < run.end
            assert run.start < one.assertion.end
            if run.belief in HELD:
                assert one.assertion.standing is Standing.EVIDENCE
                assert not one.assertion.claim.weak
        for other in (one for one in run.evidence if one.stance != run.stance):
            assert counts_for(other.stance.value, run.stance.value) or counts_for(run.stance.value, other.stance.value)


@given(groups())
def test_a_dispute_is_seen_from_both_sides(group: Group) -> None:
    said_here, reviewed = group
    runs = govern(said_here, reviewed, VOCABULARY)
    for instant in range(25):
        holding = at(runs, instant)
        disputed = {stance for stance, run in holding.items() if run.belief is Belief.DISPUTED}
        for stance in disputed:
            for rival in _rivals(runs, stance, instant):
                assert stance in holding[rival].rivals  # type: ignore[index]
            assert _rivals(runs, stance, instant)


@given(groups())
def test_words_that_are_no_evidence_never_change_what_is_held(group: Group) -> None:
    """Weak, withdrawn and corrected words are shown, and that is all."""
    said_here, reviewed = group
    counted = [one for one in said_here if one.assertion.standing is Standing.EVIDENCE and not one.assertion.claim.weak]
    with_all, without = govern(said_here, reviewed, VOCABULARY), govern(counted, reviewed, VOCABULARY)
    for instant in range(25):
        assert _evident(with_all, instant) == _evident(without, instant)


def _evident(runs: Sequence[Run], instant: int) -> dict[object, object]:
    return {stance: run.belief for stance, run in at(runs, instant).items() if run.belief in HELD}


@given(groups())
def test_every_value_that_is_asserted_is_somewhere_unless_it_ended_or_is_hidden(group: Group) -> None:
    """From the first instant of its first assertion a value has a run, if no finer value hides it."""
    said_here, reviewed = group
    runs = govern(said_here, reviewed, VOCABULARY)
    for stance in {one.stance for one in said_here}:
        first = min(one.assertion.start for one in said_here if one.stance == stance)
        finer = any(counts_for(one.stance.value, stance.value) and one.stance.predicate == stance.predicate for one in said_here)
        assert finer or stance in at(runs, first)
