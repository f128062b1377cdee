"""Values: the normal form in which two of them are compared (DESIGN.md 5.6, rule 1). Exact, never fuzzy."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date

from derive.dates.chinese_dates import whole_date
from derive.dates.time import parse_instant
from derive.dates.timing import EXACT
from derive.names import normal as normal_name
from derive.quantities import quantity_of
from derive.script import holds_chinese
from schemas.fact import Period
from schemas.instant import DAY, to_datetime
from schemas.value import Value, ValueKind
from schemas.vocabulary import Predicate

_YEAR = re.compile(r"\d{4}")
_DAY = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*")
_QUARTER = re.compile(r"(?:Q([1-4])[ -/]?(\d{4})|(\d{4})[ -]?Q([1-4]))", re.IGNORECASE)
_MONTHS = "january february march april may june july august september october november december".split()
_DAY_MONTH = re.compile(r"(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? )?([A-Za-z]{3,9})\.? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})")
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY = re.compile(
    r"""(?P<english>(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6})\.?,?\ (?P<date>.{6,30})
    |(?P<chinese>.{6,20}?)\ ?[(]?(?:星期|周)(?P<day>[一二三四五六日天])[)]?""",
    re.IGNORECASE | re.VERBOSE,
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.]?[A-Za-z][\w.]*)?|v\d+")
_BOOLEANS = {
    "true": "true", "yes": "true", "on": "true", "是": "true", "false": "false", "no": "false", "off": "false", "否": "false",
}  # fmt: skip
_POWER = re.compile(r"(?<=\d)(?=[²³¹⁰⁴-⁹⁺⁻])")
"""Where an exponent begins: NFKC makes 102 of 10²."""
LONGEST_NAME = 80
"""Characters; a longer object is a text, not a name. The longest title in the shared question sets has 77."""


def value_of(surface: str, declared: str = "any") -> Value:
    """Return the normal form of a value, read as the vocabulary declares its predicate, else by its looks.

    Dates keep their grain ("2025-10" is a month, "2025" a year where a date is declared); numbers have a unit (`derive.quantities`); versions keep
    every part ("3.6" is not "3.6.1", "3.10" not "3.1").
    A declared type that does not fit the text falls back to its looks, so nothing raises.
    """
    text = " ".join(unicodedata.normalize("NFKC", _POWER.sub("^", surface)).split())
    if declared == "name":
        return Value(ValueKind.NAME, normal_name(text))
    if declared == "text":
        return _text(text)
    if declared == "version":
        return Value(ValueKind.VERSION, text.casefold().removeprefix("v"))
    if declared == "date" and _YEAR.fullmatch(text):
        return Value(ValueKind.DATE, text)
    for read in (_boolean, _date, _weekday, _version, _number):
        found = read(text)
        if found is not None:
            return found
    if len(text) > LONGEST_NAME or not any(character.isalpha() for character in text):
        return _text(text)
    return Value(ValueKind.NAME, normal_name(text))


def value_for(predicate: Predicate, surface: str) -> Value:
    """Return the normal form of a value of a predicate: the words that the vocabulary knows for one value are one, "WIP" and "draft"."""
    return value_of(predicate.word(surface), predicate.object)


def _text(text: str) -> Value:
    return Value(ValueKind.TEXT, text.casefold().rstrip(" ."))


def _boolean(text: str) -> Value | None:
    found = _BOOLEANS.get(text.casefold())
    return Value(ValueKind.BOOLEAN, found) if found else None


def _date(text: str) -> Value | None:
    """Return a year and month, a quarter, a day or an instant; instants with a zone in UTC, to the second unless they say more."""
    if not text[:1].isdigit() and not text[-1:].isdigit() and not holds_chinese(text):
        return None
    if found := _DAY.fullmatch(text):
        return _day(*found.groups())
    if _INSTANT.fullmatch(text):
        return _instant(text)
    if found := _QUARTER.fullmatch(text):
        return Value(ValueKind.DATE, f"{found[2] or found[3]}-Q{found[1] or found[4]}")
    if found := _DAY_MONTH.fullmatch(text):
        before, spoken, after, year = found.groups()
        month = _month(spoken.casefold())
        return None if month is None or (before and after) else _day(year, str(month), before or after)
    return _chinese_date(text) if holds_chinese(text) else None


def _day(year: str, month: str, day: str | None) -> Value | None:
    """Return a day or a month of the calendar."""
    try:
        found = date(int(year), int(month), int(day or 1)).isoformat()
    except ValueError:
        return None
    return Value(ValueKind.DATE, found if day else found[:7])


def _instant(text: str) -> Value | None:
    try:
        instant, zoneless = parse_instant(text)
    except ValueError:
        return None
    found = to_datetime(instant).isoformat(timespec="milliseconds").partition("+")[0].removesuffix(".000")
    return Value(ValueKind.DATE, found if zoneless else found + "Z")


def _chinese_date(text: str) -> Value | None:
    """Return a year, quarter, month or day in Chinese; 2024年上半年 and what is relative are none."""
    found = whole_date(text)
    if found is None or not isinstance(found.moment, Period) or found.confidence < EXACT:
        return None
    first, last = to_datetime(found.moment.first), to_datetime(found.moment.last - DAY)
    match ((last.year - first.year) * 12 + last.month - first.month, first.day == last.day):
        case 0, True:
            return Value(ValueKind.DATE, first.strftime("%Y-%m-%d"))
        case 0, False:
            return Value(ValueKind.DATE, first.strftime("%Y-%m"))
        case 2, _:
            return Value(ValueKind.DATE, f"{first.year}-Q{last.month // 3}")
        case 11, _:
            return Value(ValueKind.DATE, str(first.year))
        case _:
            return None


def _weekday(text: str) -> Value | None:
    """Return "Monday, 2031-03-03" as its day; a day that is no Monday is no date."""
    found = _WEEKDAY.fullmatch(text)
    if found is None:
        return None
    day = _date(found["date"] or found["chinese"])
    if day is None or len(day.normal) != len("2031-03-03"):
        return None
    spoken = found["english"].casefold() if found["english"] else _WEEKDAYS["一二三四五六日".index(found["day"].replace("天", "日"))]
    return day if _WEEKDAYS[date.fromisoformat(day.normal).weekday()].startswith(spoken) else None


def _month(spoken: str) -> int | None:
    """Return the number of a month by its name or any shortening of it; "Marina" and "Mayor" are none."""
    return next((number for number, name in enumerate(_MONTHS, start=1) if name.startswith(spoken)), None)


def _version(text: str) -> Value | None:
    if text.count(".") < 2 and not text.startswith("v") and not re.search(r"[A-Za-z]", text):
        return None
    return Value(ValueKind.VERSION, text.casefold().removeprefix("v")) if _VERSION.fullmatch(text) else None


def _number(text: str) -> Value | None:
    found = quantity_of(text)
    return Value(ValueKind.NUMBER, found) if found else None


def counts_for(finer: Value, coarser: Value) -> bool:
    """Tell whether a value says the same as another, only finer: 2025-10-31 for 2025-10, October for the last quarter, a time for its day."""
    if not finer.kind is coarser.kind is ValueKind.DATE:
        return False
    year, quarter, number = coarser.normal.partition("-Q")
    if quarter:
        month = finer.normal[5:7]
        return finer.normal.startswith(year + "-") and month.isdigit() and (int(month) + 2) // 3 == int(number)
    return finer.normal.startswith((coarser.normal + "-", coarser.normal + "T"))


def agree(one: Value, other: Value) -> bool:
    """Tell whether two values do not contradict each other as values of one functional key."""
    return one == other or counts_for(one, other) or counts_for(other, one)


def finest(values: Iterable[Value]) -> set[Value]:
    """Return the values that no other one of them is finer than."""
    held = set(values)
    return {value for value in held if not any(counts_for(other, value) for other in held)}
