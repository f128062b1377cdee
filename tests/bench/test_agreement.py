"""The comparison of the benches with a gold: what counts as agreement."""

from bench.support.agreement import Held, Tally, at_each, cause_of, plain, states, stored_states, stretches, touching, up_to
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Status
from schemas.value import Value, ValueKind

OLD, NEW = Value(ValueKind.VERSION, "3.12.0"), Value(ValueKind.VERSION, "3.12.1")


def held(value: Value, start: int, end: int, belief: Belief = Belief.BELIEVED) -> Held:
    return Held(value, Instant(start), Instant(end), belief)


def test_a_value_is_active_from_its_start_to_its_end_and_deprecated_after_it() -> None:
    history = [held(OLD, 10, 20), held(NEW, 20, FOREVER)]
    assert states(history, Instant(9)) == {}
    assert states(history, Instant(10)) == {OLD: Status.ACTIVE}
    assert states(history, Instant(20)) == {OLD: Status.DEPRECATED, NEW: Status.ACTIVE}


def test_a_value_that_came_back_is_active_although_its_first_run_is_over() -> None:
    assert states([held(OLD, 10, 20), held(OLD, 30, FOREVER)], Instant(30)) == {OLD: Status.ACTIVE}


def test_a_contested_value_is_seen_beside_a_run_that_is_active() -> None:
    assert states([held(OLD, 10, 20), held(OLD, 10, 20, Belief.DISPUTED)], Instant(15)) == {OLD: Status.CONTESTED}


def test_a_run_without_length_counts_for_nothing() -> None:
    assert states([held(OLD, 10, 10)], Instant(10)) == {}


def test_the_stored_status_is_taken_as_it_stands() -> None:
    runs = [Held(OLD, Instant(10), FOREVER, stored=Status.DEPRECATED), Held(NEW, Instant(10), FOREVER, stored=Status.NONE)]
    assert stored_states(runs) == {OLD: Status.DEPRECATED}


def test_the_states_at_rising_instants_are_those_at_each_of_them() -> None:
    wanted = [held(OLD, 10, 20), held(NEW, 20, FOREVER)]
    found = [held(OLD, 10, 25), held(NEW, 18, FOREVER, Belief.DISPUTED)]
    instants = [Instant(at) for at in range(5, 30)]
    assert list(at_each(wanted, found, instants)) == [(states(wanted, at), states(found, at)) for at in instants]


def test_stretches_that_touch_are_one_and_beliefs_and_values_stay_apart() -> None:
    rows = [held(OLD, 20, 30), held(OLD, 10, 20), held(OLD, 30, 40, Belief.DISPUTED), held(NEW, 30, 40), held(OLD, 50, 50)]
    assert stretches(rows) == [
        (OLD, Belief.BELIEVED, 10, 30),
        (OLD, Belief.DISPUTED, 30, 40),
        (NEW, Belief.BELIEVED, 30, 40),
    ]
    assert touching(rows) == 3


def test_a_history_up_to_an_instant_knows_nothing_of_what_came_later() -> None:
    rows = [held(OLD, 10, 20), held(OLD, 30, 40), held(NEW, 41, 50)]
    assert up_to(rows, Instant(35)) == [held(OLD, 10, 20), held(OLD, 30, FOREVER)]


def test_a_tally_counts_every_disagreement_and_shows_some() -> None:
    tally = Tally()
    tally.right(3)
    for number in range(9):
        tally.judge("another value", f"fact {number}", right=number == 0)
    assert (tally.checked, tally.agree, tally.wrong) == (12, 4, {"another value": 8})
    assert list(tally.lines("facts")) == [
        "facts: 4 of 12 agree",
        "  8 disagree: another value",
        *(f"    fact {number}" for number in range(1, 6)),
    ]


def test_the_cause_of_a_disagreement_says_what_differs() -> None:
    active, deprecated = Status.ACTIVE, Status.DEPRECATED
    assert cause_of({OLD: active}, {OLD: Status.CONTESTED}) == "contested"
    assert cause_of({OLD: active}, {}) == "not in the index"
    assert cause_of({}, {OLD: active}) == "not in the gold"
    assert cause_of({OLD: active}, {OLD: deprecated}) == "another status"
    assert cause_of({NEW: active}, {NEW: active, OLD: deprecated}) == "another earlier value"
    assert cause_of({NEW: active}, {OLD: active}) == "another value"
    assert plain({OLD: active}) == "'3.12.0' Active"
    assert plain({}) == "nothing"
