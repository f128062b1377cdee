"""Values: the normal form in which two of them are compared (DESIGN.md 5.6, rule 1). Exact, never fuzzy."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal

from derive.names import normal as normal_name
from schemas.value import Value, ValueKind
from schemas.vocabulary import Predicate

_ISO_DATE = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]00:00(?::00)?(?:\.0+)?(?:Z|\+00:?00)?)?")
_ISO_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*")
_YEAR = re.compile(r"\d{4}")
_MONTHS = "january february march april may june july august september october november december".split()
_DAY_MONTH = re.compile(r"(?:(\d{1,2})(?:st|nd|rd|th)? )?([A-Za-z]{3,9})\.? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})")
_NUMBER = re.compile(r"([-+]?)(\d{1,3}(?:[,\u2009']\d{3})+|\d+)(\.\d+)?\s*([^\d\s][^\d]{0,30})?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.]?[A-Za-z][\w.]*)?|v\d+")
_BOOLEANS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_COUNTS = {
    word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split())
}
_UNITS = {
    "metre": "m", "metres": "m", "meter": "m", "meters": "m", "kilometre": "km", "kilometres": "km", "kilometer": "km", "kilometers": "km",
    "米": "m", "公尺": "m", "公里": "km", "千米": "km", "厘米": "cm", "毫米": "mm", "公斤": "kg", "千克": "kg", "吨": "tonne", "升": "litre",
    "海里": "mile", "天": "day", "日": "day", "小时": "hour", "分钟": "minute", "秒": "second", "秒钟": "second", "周": "week", "个月": "month",
    "年": "year", "元": "yuan", "人民币": "yuan", "美元": "dollar", "欧元": "euro", "英镑": "pound", "克朗": "crown", "节": "knot", "度": "degree",
    "人": "people",
}  # fmt: skip
_CHINESE_DATE = re.compile(r"(\d{4})\s?年(?:\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?[日号])?)?")
_CHINESE_FIGURE = re.compile(r"(?:(\d+(?:,\d{3})*(?:\.\d+)?)|([零一二两三四五六七八九十百千]{1,9}))\s?([万亿]?)(?=\D|$)")
_CHINESE_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_CHINESE_POWERS = {"十": 10, "百": 100, "千": 1000}
_MEASURED = re.compile(r"$|[个名艘座条辆只架台间家位人层级盏张件种项次班本米天日年元吨升周度节]|公|千|厘|毫|海|小时|分钟|秒|美元|欧元|英镑|克朗")
"""What stands behind a numeral that counts; 一号码头 and 百货公司 are names."""
_MYRIADS = {"": 0, "万": 4, "亿": 8}
_DIGITS = 10_000
_EXACT = Context(prec=_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""Keeps every digit; the context in force would round to 28. A figure of more digits than this is a text."""
LONGEST_NAME = 80
"""Characters; a longer object is a text, not a name. The longest title in the shared question sets has 77."""


def value_of(surface: str, declared: str = "any") -> Value:
    """Return the normal form of a value, read as the vocabulary declares its predicate, else by its looks.

    Dates keep their grain ("2025-10" is a month, "2025" a year where a date is declared); numbers keep their unit; versions keep every part ("3.6" is
    not "3.6.1", "3.10" not "3.1").
    A declared type that does not fit the text falls back to its looks, so nothing raises.
    """
    text = " ".join(unicodedata.normalize("NFKC", surface).split())
    if declared == "name":
        return Value(ValueKind.NAME, normal_name(text))
    if declared == "text":
        return _text(text)
    if declared == "version":
        return Value(ValueKind.VERSION, text.casefold().removeprefix("v"))
    if declared == "date" and _YEAR.fullmatch(text):
        return Value(ValueKind.DATE, text)
    for read in (_boolean, _date, _version, _number):
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
    if found := _ISO_DATE.fullmatch(text):
        return Value(ValueKind.DATE, "-".join(part for part in found.groups() if part))
    if _ISO_INSTANT.fullmatch(text):
        return Value(ValueKind.DATE, text)
    if found := _CHINESE_DATE.fullmatch(text):
        return Value(ValueKind.DATE, "-".join(part.zfill(2) for part in found.groups() if part))
    if found := _DAY_MONTH.fullmatch(text):
        before, spoken, after, year = found.groups()
        month = _month(spoken.casefold())
        if month is None or (before and after):
            return None
        day = before or after
        return Value(ValueKind.DATE, f"{year}-{month:02d}-{int(day):02d}" if day else f"{year}-{month:02d}")
    return None


def _month(spoken: str) -> int | None:
    """Return the number of a month by its name or any shortening of it; "Marina" and "Mayor" are none."""
    return next((number for number, name in enumerate(_MONTHS, start=1) if name.startswith(spoken)), None)


def _version(text: str) -> Value | None:
    if text.count(".") < 2 and not text.startswith("v") and not re.search(r"[A-Za-z]", text):
        return None
    return Value(ValueKind.VERSION, text.casefold().removeprefix("v")) if _VERSION.fullmatch(text) else None


def _number(text: str) -> Value | None:
    first, _, rest = text.partition(" ")
    counted = _COUNTS.get(first.casefold())
    found = _NUMBER.fullmatch(f"{counted} {rest}".strip() if counted else _with_digits(text))
    if not found:
        return None
    sign, whole, part, unit = found.groups()
    digits = re.sub(r"[,\u2009']", "", whole) + (part or "")
    if len(digits) > _DIGITS:
        return None
    number = Decimal(sign + digits).normalize(_EXACT)
    return Value(ValueKind.NUMBER, f"{number:f}{_unit(unit)}")


def _with_digits(text: str) -> str:
    """Return a text with the Chinese numeral at its start, or the 万 behind its figure, in digits: 三个泊位 is "3个泊位", 2.5万人 "25000人"."""
    found = _CHINESE_FIGURE.match(text)
    if found is None or not (found[2] or found[3]):
        return text
    digits = found[1].replace(",", "") if found[1] else str(_counted(found[2]))
    rest = text[found.end() :]
    if found[2] and not _MEASURED.match(rest):
        return text
    whole, _, part = digits.partition(".")
    power = _MYRIADS[found[3]]
    if not power:
        return digits + rest
    if len(part) > power:
        return text
    return whole + part.ljust(power, "0") + rest


def _counted(numeral: str) -> int:
    """Return the number that a Chinese numeral below 10,000 writes: 四十二, 十二, 两百零三."""
    total = digit = 0
    for sign in numeral:
        if sign in _CHINESE_POWERS:
            total += (digit or 1) * _CHINESE_POWERS[sign]
            digit = 0
        else:
            digit = _CHINESE_DIGITS[sign]
    return total + digit


def _unit(unit: str | None) -> str:
    if not unit or not unit.strip():
        return ""
    folded = unit.strip().casefold().rstrip(".")
    return " " + _UNITS.get(folded, normal_name(folded))


def counts_for(finer: Value, coarser: Value) -> bool:
    """Tell whether a value says the same as another, only finer: 2025-10-31 for 2025-10."""
    return finer.kind is coarser.kind is ValueKind.DATE and finer.normal.startswith(coarser.normal + "-")


def agree(one: Value, other: Value) -> bool:
    """Tell whether two values do not contradict each other as values of one functional key."""
    return one == other or counts_for(one, other) or counts_for(other, one)


def finest(values: Iterable[Value]) -> set[Value]:
    """Return the values that no other one of them is finer than."""
    held = set(values)
    return {value for value in held if not any(counts_for(other, value) for other in held)}
