"""Census: how many records a store has of each kind and status, kept from its transitions.

It is part of the snapshot: it counts the transitions up to the sequence that was emitted, so after a restart the ones that are emitted again
are counted once. Counting the records themselves would read the whole store at every start.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from flows.traffic import Effect
from schemas.transition import Transition

Counts: TypeAlias = tuple[tuple[str, str, int], ...]
"""(kind, status, how many): plain data, for the snapshot."""


class Census:
    """The counts of one store. Owned by the step that emits."""

    def __init__(self, counts: Counts = ()) -> None:
        self._counts = Counter({(kind, status): count for kind, status, count in counts})

    def take(self, effects: Iterable[Effect]) -> None:
        """Count the transitions among what is emitted; each must be taken once."""
        for effect in effects:
            if isinstance(effect, Transition):
                self._move(effect)

    def _move(self, transition: Transition) -> None:
        """Count a record out of its status and into the next."""
        if transition.before is not None:
            self._counts[transition.kind.value, transition.before.status.value] -= 1
        if transition.after is not None:
            self._counts[transition.kind.value, transition.after.status.value] += 1

    @property
    def counts(self) -> Mapping[tuple[str, str], int]:
        """How many there are by kind and status; a status that emptied is 0."""
        return dict(self._counts)

    def saved(self) -> Counts:
        """Return the counts as plain data."""
        return tuple((kind, status, count) for (kind, status), count in sorted(self._counts.items()))
