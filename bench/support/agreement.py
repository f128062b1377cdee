"""What counts as agreement: values and their validity as a gold has them and as an index has them, at one instant and as a whole."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Status, status_at
from schemas.value import Value

ALIKE = 5
"""Disagreements of one cause that are shown."""
_STRENGTH = {Status.CONTESTED: 3, Status.ACTIVE: 2, Status.DEPRECATED: 1}
"""What counts for a value that several runs hold: a run that is over hides nothing, one that is contested hides nothing either."""


@dataclass(frozen=True, slots=True)
class Held:
    """One value of a fact from start to end; `stored` is the status that the index keeps with it."""

    value: Value
    start: Instant
    end: Instant
    belief: Belief = Belief.BELIEVED
    stored: Status = Status.NONE


States = dict[Value, Status]
"""The status of every value that a fact had up to now."""
Stretch = tuple[Value, Belief, Instant, Instant]
"""A value, what is thought of it, and from when to when."""


def states(held: Iterable[Held], at: Instant) -> States:
    """Return the status at an instant of every value held by then."""
    begun = (one for one in held if one.start <= at and one.start < one.end)
    return _strongest((one.value, status_at(one.belief, one.start, one.end, at)) for one in begun)


def stored_states(held: Iterable[Held]) -> States:
    """Return the status that the index keeps with every value."""
    return _strongest((one.value, one.stored) for one in held)


def _strongest(given: Iterable[tuple[Value, Status]]) -> States:
    found: States = {}
    for value, status in given:
        if status is not Status.NONE and _STRENGTH[status] > _STRENGTH.get(found.get(value, Status.NONE), 0):
            found[value] = status
    return found


def at_each(wanted: Sequence[Held], found: Sequence[Held], instants: Sequence[Instant]) -> Iterator[tuple[States, States]]:
    """Yield the states of both at each of some rising instants; they are computed anew only where something has begun or ended in between."""
    bounds = sorted({bound for one in (*wanted, *found) for bound in (one.start, one.end)})
    passed = -1
    both: tuple[States, States] = ({}, {})
    for at in instants:
        if (now := bisect_right(bounds, at)) != passed:
            passed, both = now, (states(wanted, at), states(found, at))
        yield both


def stretches(held: Iterable[Held]) -> list[Stretch]:
    """Return the maximal stretches of each value, in order; those that touch are one, those of no length are none."""
    joined: list[Stretch] = []
    for one in sorted((one for one in held if one.start < one.end), key=lambda one: (str(one.value), one.belief, one.start, one.end)):
        if joined and joined[-1][:2] == (one.value, one.belief) and joined[-1][3] >= one.start:
            joined[-1] = (*joined[-1][:3], max(joined[-1][3], one.end))
        else:
            joined.append((one.value, one.belief, one.start, one.end))
    return joined


def up_to(held: Iterable[Held], last: Instant) -> list[Held]:
    """Return a history as it stood at an instant: what began later is not known yet, what ends later has not ended."""
    return [Held(one.value, one.start, one.end if one.end <= last else FOREVER, one.belief) for one in held if one.start <= last]


@dataclass(slots=True)
class Tally:
    """How much was compared and agreed, and what did not, by cause. Owned by the bench."""

    checked: int = 0
    agree: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[str]] = field(default_factory=dict)

    def right(self, count: int = 1) -> None:
        """Count what agrees."""
        self.checked += count
        self.agree += count

    def differs(self, cause: str, detail: str) -> None:
        """Count what does not."""
        self.checked += 1
        self.wrong[cause] += 1
        if len(shown := self.shown.setdefault(cause, [])) < ALIKE:
            shown.append(detail)

    def judge(self, cause: str, detail: str, *, right: bool) -> None:
        """Count what is right, or else why it is not."""
        if right:
            self.right()
        else:
            self.differs(cause, detail)

    def lines(self, name: str) -> Iterator[str]:
        """Yield the tally as a person reads it."""
        yield f"{name}: {self.agree} of {self.checked} agree"
        for cause, count in self.wrong.most_common():
            yield f"  {count} disagree: {cause}"
            yield from (f"    {line}" for line in self.shown[cause])


def cause_of(wanted: States, found: States) -> str:
    """Return what kind of disagreement it is."""
    if Status.CONTESTED in found.values():
        return "contested"
    if not found:
        return "not in the index"
    if not wanted:
        return "not in the gold"
    if wanted.keys() == found.keys():
        return "another status"
    active = [{value for value, status in one.items() if status is Status.ACTIVE} for one in (wanted, found)]
    return "another earlier value" if active[0] == active[1] else "another value"


def plain(given: States) -> str:
    """Return states as a person reads them."""
    return ", ".join(f"{value.normal!r} {status}" for value, status in given.items()) or "nothing"


def touching(held: Sequence[Held]) -> int:
    """Return how many rows continue, or are continued by, another row of the same value."""
    count = 0
    for value in {one.value for one in held}:
        rows = sorted((one for one in held if one.value == value and one.start < one.end), key=lambda one: one.start)
        met = [one.end >= other.start for one, other in pairwise(rows)]
        count += sum(before or after for before, after in zip([False, *met], [*met, False], strict=True)) if rows else 0
    return count
