"""Facts with the dates that their source writes in its own way: figures in an order of its own, times without a zone.

The memo keeps such dates open, since an extractor knows blocks and no sources; they are settled when the facts of a body are put together. So a
reading is a function of the body and of `Writing`, and two sources that write differently share what was extracted.
"""

import re

from derive.dates.figures import FIGURES, in_figures
from derive.dates.time import settled
from schemas.fact import NO_DATES, Dates, Moment, Written
from schemas.instant import iso
from schemas.rules import Writing

_ZONELESS = re.compile(
    r"(?<![\w./-])\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?![\w:+-]|[.,]\d|\s?(?:Z|UTC|GMT|[+-]\d))", re.IGNORECASE
)


def depends_on_writing(text: str) -> bool:
    """Tell whether another source could read other dates in a body: not without a figure.

    Where dates stand shows only behind the markup: 03/<b>04</b>/2031, or 2031-03-04&nbsp;10:00.
    """
    return any(map(str.isnumeric, text))


def settled_dates(dates: Dates, writing: Writing) -> Dates:
    """Return dates with nothing left open; as sure as the least sure of them."""
    start, one = _settled(dates.start, writing)
    end, other = _settled(dates.end, writing)
    return Dates(start, end, min(dates.confidence, one, other)) if start or end else NO_DATES


def _settled(moment: Moment | None, writing: Writing) -> tuple[Moment | None, float]:
    return settled(moment, writing) if isinstance(moment, Written) else (moment, 1.0)


def settled_value(value: str, writing: Writing) -> str:
    """Return the value of a fact, a day in figures as ISO if the source has an order, a time with the source's zone if it names none."""
    if not value[:1].isdigit():
        return value
    if FIGURES.fullmatch(value):
        found = in_figures(value)
        period = settled(found, writing)[0] if isinstance(found, Written) and writing.order else found
        return value if period is None or isinstance(period, Written) else iso(period.first)
    return value + _zone(writing) if _ZONELESS.fullmatch(value) else value


def _zone(writing: Writing) -> str:
    minutes = writing.zone_offset_minutes
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}" if minutes else "Z"
