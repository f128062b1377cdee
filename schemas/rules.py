"""Rules of a source: the settings that decide what its changes mean."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.ids import Source


class OnDelete(StrEnum):
    """What a deletion does to what the document said."""

    WITHDRAW = "withdraw"
    END = "end"


class DateOrder(StrEnum):
    """In which order a source writes the figures of a day: 03/05/2024 is 5 March or 3 May, 24/03/05 begins with its year."""

    MDY = "mdy"
    DMY = "dmy"
    YMD = "ymd"


@dataclass(frozen=True, slots=True)
class Writing:
    """How the bodies of a source write dates.

    `order` is that of figures, None if the source has none; `zone_offset_minutes` (east positive) is the zone of times that name none.
    """

    order: DateOrder | None = None
    zone_offset_minutes: int = 0


UNSAID = Writing()
"""What holds for a source that does not say."""


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
