"""Timings: dates as they stand in a text, and how each bears on the statement beside it. English and Chinese give the same."""

from dataclasses import dataclass, replace
from enum import StrEnum

from derive.dates.periods import day_after, day_before
from schemas.fact import Moment, Period, Written

EXACT = 1.0
"""Confidence of a date that has one reading: "2031-02-03", "March 2019", 2024年3月5日."""
SPOKEN = 0.8
"""A date that counts from the document's own: "last Tuesday", 去年."""
ZONELESS = 0.9
"""A time without a zone: it has that of its source, for want of a better one."""
LOOSE = 0.7
"""A stretch with soft ends: "late March 2020", 年底."""
VAGUE = 0.4
"""A date that may well be another one: a month without a year, 03/05/2024 from a source without an order, "circa 1990"."""


class Relation(StrEnum):
    """How a date bears on the statement beside it."""

    AT = "at"
    FROM = "from"
    UNTIL = "until"
    BETWEEN = "between"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Timing:
    """A date in a text: [start, end) is the phrase with its preposition, `text` the date alone.

    FROM has no `last`, UNTIL no `first`; AT and VALUE have both, equal. VALUE has no preposition: it is what is said rather than when it holds.
    `confidence` (0..1) is that of the date's reading, not of the statement.
    """

    start: int
    end: int
    relation: Relation
    first: Moment | None
    last: Moment | None
    text: str
    confidence: float = EXACT


def next_day(moment: Moment) -> Moment:
    """Return the day after a moment; a relative one stays as it is, since it cannot be counted yet."""
    match moment:
        case Period():
            return day_after(moment)
        case Written():
            return replace(moment, step=1)
        case _:
            return moment


def day_ahead(moment: Moment) -> Moment:
    """Return the day before a moment; a relative one stays as it is."""
    match moment:
        case Period():
            return day_before(moment)
        case Written():
            return replace(moment, step=-1)
        case _:
            return moment
