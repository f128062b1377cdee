"""Lineage: which document a file of a repository is, from commit to commit.

A document's id is the path at which its file first appeared; the n-th file born at one path is `path~n` (n from 2). It follows its file through
renames. Two files that exchange their texts in one commit are two edits, as git itself says: each document is what stands at its own path.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

Path: TypeAlias = str
Blob: TypeAlias = bytes
"""The id of a content in git."""


@dataclass(frozen=True, slots=True)
class Born:
    """A file that was not there before; also one that was copied."""

    path: Path
    blob: Blob


@dataclass(frozen=True, slots=True)
class Edited:
    """A file with another content at the same path."""

    path: Path
    blob: Blob


@dataclass(frozen=True, slots=True)
class Renamed:
    """A file at another path, and with another content if `edited`."""

    old: Path
    path: Path
    blob: Blob
    edited: bool


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that is no longer there."""

    path: Path


Step: TypeAlias = Born | Edited | Renamed | Gone


@dataclass(slots=True)
class Lineage:
    """The documents that exist after the commits taken so far. Owned by one walk over one history, from its root."""

    live: dict[Path, str] = field(default_factory=dict)
    _born: Counter[Path] = field(default_factory=Counter)

    def take(self, steps: Iterable[Step]) -> list[tuple[str, Step]]:
        """Take one commit's steps, all at once; return each with its document's id, in a fixed order."""
        ordered = sorted(steps, key=_place)
        left = self._leave(ordered)
        return [(self._arrive(step, left), step) for step in ordered]

    def _leave(self, steps: Sequence[Step]) -> dict[Path, str]:
        """Take from their paths the documents that leave them, before any other arrives there: a -> b and b -> c may be one commit."""
        paths = [step.old if isinstance(step, Renamed) else step.path for step in steps if isinstance(step, Renamed | Gone)]
        return {path: self.live.pop(path) for path in paths}

    def _arrive(self, step: Step, left: dict[Path, str]) -> str:
        match step:
            case Gone():
                return left[step.path]
            case Renamed():
                self.live[step.path] = left[step.old]
            case Born():
                self._born[step.path] += 1
                number = self._born[step.path]
                self.live[step.path] = step.path if number == 1 else f"{step.path}~{number}"
            case Edited():
                pass
            case _:
                assert_never(step)
        return self.live[step.path]


def _place(step: Step) -> tuple[Path, bool]:
    return step.path, not isinstance(step, Gone)
