"""Touched keys: what each view has to derive again in this batch, and because of which changes."""

from collections.abc import Iterable
from typing import Generic, TypeAlias, TypeVar

K = TypeVar("K")

Causes: TypeAlias = frozenset[int]
"""Numbers of changes within the batch; CLOCK for the clock, READER for a body that was read again."""
CLOCK, READER = -1, -2


class Keys(Generic[K]):
    """Keys of one kind, each with the changes that touched it. Owned by one transaction."""

    def __init__(self) -> None:
        self._causes: dict[K, Causes] = {}

    def add(self, key: K, causes: Causes) -> None:
        """Touch a key, once more or for the first time."""
        held = self._causes.get(key)
        self._causes[key] = causes if held is None else held | causes

    def update(self, keys: Iterable[K], causes: Causes) -> None:
        """Touch several keys."""
        for key in keys:
            self.add(key, causes)

    def take(self) -> dict[K, Causes]:
        """Return all keys and forget them."""
        taken, self._causes = self._causes, {}
        return taken


class Touched:
    """What a batch has touched so far, by kind of key."""

    def __init__(self) -> None:
        self.claims: Keys[tuple[int, int]] = Keys()
        """(document, claim): its assertions."""
        self.moved: Keys[bytes] = Keys()
        """Documents whose readers changed, by key: their closed versions."""
        self.uses: Keys[tuple[int, int]] = Keys()
        """(document, claim): which names its assertions speak of."""
        self.documents: Keys[int] = Keys()
        """Documents whose title, aliases or existence may differ: their links."""
        self.nodes: Keys[int] = Keys()
        """Names and documents whose links or existence differ: their group."""
        self.members: Keys[tuple[int, int]] = Keys()
        """(document, claim): which nugget group its assertions belong to."""
        self.reviews: Keys[bytes] = Keys()
        """Reviews: which nugget group they judge."""
        self.groups: Keys[bytes] = Keys()
        """Groups of values: their nuggets."""
        self.bridged: Keys[str] = Keys()
        """Entities whose premises differ: their bridges."""
        self.entities: Keys[str] = Keys()
        """Entities whose names differ: their record."""
        self.stretches: Keys[tuple[int, int]] = Keys()
        """(document, claim) of units and sections: their records."""
