"""Views: derived tables, and the one loop that keeps them true to their inputs (DESIGN.md section 4).

A view says what its keys need (`load`), what follows from it (`derive`, pure), what is stored now (`held`), how differences are written (`write`) and
which keys of later views they touch (`touch`). Nobody writes a transition or undoes anything: whatever happened, the touched keys are derived again
from all that holds now, and what differs is written.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from state.touched import Causes, Touched

K = TypeVar("K", bound=Hashable)
Inputs = TypeVar("Inputs")
Output = TypeVar("Output")


@dataclass(frozen=True, slots=True)
class Difference(Generic[K, Output]):
    """What of one key differs: outputs by their id, before and after. Neither has what is equal in both; `kept` counts that."""

    key: K
    before: Mapping[Hashable, Output]
    after: Mapping[Hashable, Output]
    kept: int
    causes: Causes

    def __bool__(self) -> bool:
        """Tell whether anything differs."""
        return bool(self.before or self.after)


class View(ABC, Generic[K, Inputs, Output]):
    """One kind of derived thing. Outputs compare with `==`."""

    @abstractmethod
    def take(self, touched: Touched) -> dict[K, Causes]:
        """Return the keys to derive again, with their causes; a view may add the keys that hang together with the touched ones."""

    @abstractmethod
    def load(self, keys: Iterable[K]) -> Mapping[K, Inputs]:
        """Return all inputs of the keys; a key without any input may be absent."""

    @abstractmethod
    def derive(self, key: K, inputs: Inputs) -> Mapping[Hashable, Output]:
        """Return the outputs of a key. Pure: it must not look at anything but its arguments and the vocabulary."""

    @abstractmethod
    def held(self, keys: Iterable[K]) -> Mapping[K, Mapping[Hashable, Output]]:
        """Return the stored outputs of the keys."""

    @abstractmethod
    def write(self, differences: Iterable[Difference[K, Output]]) -> None:
        """Store what differs."""

    @abstractmethod
    def touch(self, differences: Iterable[Difference[K, Output]], touched: Touched) -> None:
        """Name the keys of later views that the differences touch."""


def refresh(view: View[K, Inputs, Output], touched: Touched) -> list[Difference[K, Output]]:
    """Make a view true again for all that was touched; afterwards every key of it equals its derivation. Returns a difference for every key."""
    keys = view.take(touched)
    if not keys:
        return []
    inputs, held = view.load(keys), view.held(keys)
    found = [_difference(key, held.get(key, {}), view.derive(key, inputs[key]) if key in inputs else {}, causes) for key, causes in keys.items()]
    differing = [difference for difference in found if difference]
    view.write(differing)
    view.touch(differing, touched)
    return found


def _difference(key: K, before: Mapping[Hashable, Output], after: Mapping[Hashable, Output], causes: Causes) -> Difference[K, Output]:
    gone = {name: output for name, output in before.items() if after.get(name) != output}
    fresh = {name: output for name, output in after.items() if before.get(name) != output}
    return Difference(key, gone, fresh, len(after) - len(fresh), causes)
