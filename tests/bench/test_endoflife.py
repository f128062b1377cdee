"""The comparison of the endoflife bench: what counts as agreement."""

from bench.support.agreement import Held, states, stored_states
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
