"""Rules of a source: the settings that decide what its changes mean."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.ids import Source


class OnDelete(StrEnum):
    """What a deletion does to what the document said."""

    WITHDRAW = "withdraw"
    END = "end"


@dataclass(frozen=True, slots=True)
class SourceRules:
    """What one source's changes mean.

    `rank`: authority; facts of a higher rank win. `origin`: sources with one origin are no independent witnesses ("": each document is its own).
    `readers`: who may read documents that do not say so; empty means nobody. `history` False: only the newest version counts.
    `ordered` False: the source has no real order, the last delivered is the newest. `revert_window` in milliseconds.
    """

    source: Source
    on_delete: OnDelete = OnDelete.WITHDRAW
    rank: int = 0
    origin: str = ""
    readers: frozenset[str] = frozenset()
    history: bool = True
    ordered: bool = True
    revert_window: int = 24 * 3_600_000
