"""Days in figures: 25/12/2024 has one reading, 03/05/2024 two, 24/03/05 three. Which one is meant is for the order of the source to tell."""

import re
from contextlib import suppress
from datetime import date

from derive.dates.periods import through
from schemas.fact import Period, Written
from schemas.rules import DateOrder

FIGURES = re.compile(r"(?<![\w./-])(?:\d{1,2}([/.-])\d{1,2}\1(?:1\d|20)\d{2}|\d{2}/\d{2}/\d{2})(?![\w/-]|\.\d)")
_PLACES = {DateOrder.MDY: (2, 0, 1), DateOrder.DMY: (2, 1, 0), DateOrder.YMD: (0, 1, 2)}
"""Where year, month and day stand."""
_THIS_CENTURY = 69
"""Years of two figures below it are of this century; POSIX draws the line at 69."""


def in_figures(text: str) -> Period | Written | None:
    """Return the day that figures name, open if it is the source's to tell; None if they are no day in any order."""
    found = _readings(text)
    if len(set(found.values())) == 1 and _long(text):
        return next(iter(found.values()))
    return Written(text) if found else None


def figures_in(text: str, order: DateOrder | None) -> Period | None:
    """Return the day that figures name in an order; None if they are none in it.

    Without an order the year must stand in full, and the month is first.
    """
    if order is None:
        return _readings(text).get(DateOrder.MDY) if _long(text) else None
    return _readings(text).get(order)


def _long(text: str) -> bool:
    return text[-4:].isdigit()


def _readings(text: str) -> dict[DateOrder, Period]:
    parts = [int(part) for part in re.split(r"[/.-]", text)]
    found = {}
    for order in (DateOrder.MDY, DateOrder.DMY) if _long(text) else DateOrder:
        year, month, day = (parts[place] for place in _PLACES[order])
        with suppress(ValueError):
            spoken = date(year if _long(text) else year + (2000 if year < _THIS_CENTURY else 1900), month, day)
            found[order] = through(spoken, spoken)
    return found
