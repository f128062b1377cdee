"""Chinese dates: what one phrase names, such as 2024年3月5日, 二〇二四年三月, 2024年第三季度, 去年底, 上周三, 两周前.

`dates` finds the phrases of a text. A date without a year, or one that counts from the day of the document, is relative; `period_on` reads it once
that day is known. Other eras (民国, 昭和), years before the first, centuries, and what returns ("每年3月") are no dates.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from derive.dates.periods import days, months, through, years
from derive.dates.timing import EXACT, LOOSE, SPOKEN, VAGUE
from derive.script import HAN, holds_chinese
from schemas.fact import Moment, Period, Relative
from schemas.instant import to_datetime


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase at [start, end) of a text, what it names, and how sure that is."""

    start: int
    end: int
    moment: Moment
    confidence: float


LONGEST = 24
"""Characters of a phrase: 二〇二四年十二月三十一日 with blanks between."""
_HAN = re.compile(f"[{HAN}]")
_WIDTHS = str.maketrans({code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " "})
_NUMERALS = {numeral: value for value, numeral in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2}

_YEAR = "(?:1\\d{3}|20\\d{2}|[一二][〇零○一二三四五六七八九]{3})"
_SMALL = "(?:\\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_EDGE = "[底末初](?![中级步次始等层部座端尾班])"


def _in_month(name: str) -> str:
    """Return the pattern of what follows a month: a day, a third, an edge."""
    return rf"(?:\s?(?P<{name}_day>{_SMALL})\s?[日号號]|(?P<{name}_third>[上中下])旬|份?(?P<{name}_edge>{_EDGE})|份)"


_ERAS = "民国|民國|昭和|平成|令和|大正|明治|康熙|雍正|乾隆|嘉庆|道光|咸丰|同治|光绪|宣统|贞观|洪武|永乐|公元前|西元前"
_MASK = re.compile(
    rf"""(?:{_ERAS})\s?(?:元|\d{{1,4}}|[{"".join(_NUMERALS)}十百]{{1,6}})\s?年(?:\s?{_SMALL}\s?月)?(?:\s?{_SMALL}\s?[日号號])?
    | 每(?:[年天日逢隔]|个?(?:月|周|星期|季度))(?:\s?{_SMALL}\s?月份?)?(?:\s?{_SMALL}\s?[日号號])?(?:(?:周|星期)?[一二三四五六日天末])?
    | (?:{_YEAR})\s?年(?:来|间|历史|的历史|以上)                                              # so many years, not that year
    | (?:版本?|[vV])\s?\d[\d.-]*""",
    re.VERBOSE,
)
_DATE = re.compile(
    rf"""(?<![A-Za-z0-9_./-])(?:
      (?P<stamp>{_YEAR}(?P<sign>[-/.])\d{{1,2}}(?P=sign)\d{{1,2}}(?![\d.版]) | {_YEAR}-\d{{2}}(?![\d/-]))
    | (?P<year_of_span>{_YEAR})(?=\s?(?:[-–~至到]|—{{1,2}})\s?{_YEAR}年)
    | (?P<decade>(?P<century>20|19|二十|十九)世纪(?P<tens>\d|[一二三四五六七八九])[0十]年代 | (?P<tens_year>1\d{{2}}|20\d)0年代)
    | (?P<dated>(?:(?P<year>{_YEAR})|(?P<ref>[今去明本]|(?<!\d)前))\s?年(?:
        \s?(?P<month>{_SMALL})\s?月{_in_month("m")}?
        | 第?(?P<quarter>[一二三四1-4])季度(?P<quarter_edge>{_EDGE})?
        | 前(?P<quarters>[二两三23])个?季度
        | (?P<half>[上下])半年
        | 年?(?P<year_edge>{_EDGE})|年(?P<middle>中)
      )?)
    | (?P<yearless>(?P<own>\d{{1,2}})\s?月{_in_month("o")}? | (?P<own_han>{_SMALL})月{_in_month("h")}?)
    | (?P<quarterly>第?(?P<own_quarter>[一二三四1-4])季度)
    | (?P<daily>(?P<which_day>[今昨前明后])[天日](?!头条|之))
    | (?P<monthly>(?P<which_month>上个?|本|这个|下个?)月(?![球亮台饼老]){_in_month("r")}?)
    | (?P<weekly>(?P<which_week>上上|[上本这下])个?(?:周|星期|礼拜)(?:(?P<weekday>[一二三四五六日天末])|(?![边围长期年刊转密全])))
    | (?P<seasonal>(?P<which_quarter>上个?|本|下个?)季度)
    | (?P<ago>(?P<count>\d{{1,3}}|[一二三]?十[一二三四五六七八九]?|[一二两三四五六七八九])(?P<step>天|周|个?星期|个月|年)(?:之前|以前|前)(?![端后任]))
    )""",
    re.VERBOSE,
)
_DAY_ALONE = re.compile(rf"({_SMALL})\s?[日号號]")
_REFERENCE = re.compile(r"[今去前明本]\s?年")
_RECENT = {"前": -2, "去": -1, "昨": -1, "今": 0, "本": 0, "这": 0, "这个": 0, "明": 1, "后": 2, "上上": -2, "上": -1, "上个": -1, "下": 1, "下个": 1}
_THIRDS = {"上": (1, 10), "中": (11, 20), "下": (21, 31)}
_VAGUE = frozenset({"yearless", "quarterly"})
_SPOKEN = frozenset({"daily", "monthly", "weekly", "seasonal", "ago"})


def without_han(text: str) -> str:
    """Return a text of the same length with a stop for each Chinese character, so that what stands beside them is read alone."""
    return _HAN.sub(";", text)


def plain(text: str) -> str:
    """Return a text of the same length with full-width characters made plain."""
    return text.translate(_WIDTHS)


def masked(text: str) -> str:
    """Return a text of the same length without full-width characters, and with blanks for what looks like a date and is none."""
    return _MASK.sub(lambda match: " " * len(match[0]), plain(text))


def dates(text: str) -> Iterator[Found]:
    """Yield the dates of a masked text in their order. Figures such as 2024-03-05 count only beside a Chinese character."""
    for match in _DATE.finditer(text):
        if (not match["stamp"] or beside_han(text, *match.span())) and not _bare(match) and (found := _found(match)) is not None:
            yield found


def whole_date(text: str) -> Found | None:
    """Return the date that a text is as a whole. Figures alone are left to readers of figures."""
    match = _DATE.fullmatch(plain(text))
    return _found(match) if match and not match["stamp"] and not _bare(match) else None


def _bare(match: re.Match[str]) -> bool:
    """Tell whether a match is a month in words and no more: 三月 is as often a name. It may end a span."""
    return match["own_han"] is not None and match[0].endswith("月")


def end_of_span(text: str, place: int, first: Found) -> Found | None:
    """Return the date at a place of a masked text, read as the end of a span that another one begins: 6月 of 2023年3月至6月 is in 2023.

    None if there is none, or its year cannot be told.
    """
    if (day := _DAY_ALONE.match(text, place)) is not None:
        return _same_month(day, first)
    match = _DATE.match(text[place : place + LONGEST])
    if match is None:
        return None
    start, end = place + match.start(), place + match.end()
    if _kind(match) != "yearless":
        found = _found(match)
        return replace(found, start=start, end=end) if found else None
    if not isinstance(first.moment, Period):
        year = _REFERENCE.match(first.moment.phrase)
        return Found(start, end, Relative(year[0] + match[0]), SPOKEN) if year else None
    begun = to_datetime(first.moment.first)
    name, month = ("o", _number(match["own"])) if match["own"] else ("h", _number(match["own_han"]))
    possible = (_in_year(match, name, year, month) for year in (begun.year, begun.year + 1))
    period = next((period for period in possible if period and period.last > first.moment.first), None)
    return Found(start, end, period, first.confidence) if period else None


def _same_month(day: re.Match[str], first: Found) -> Found | None:
    if not isinstance(first.moment, Period):
        return None
    begun = to_datetime(first.moment.first).date()
    try:
        last = begun.replace(day=_number(day[1]))
    except ValueError:
        return None
    return Found(*day.span(), through(last, last), first.confidence) if last > begun else None


def period_on(phrase: str, today: date) -> Period | None:
    """Return the period that a phrase names to a reader on a day; None if it is no date."""
    match = _DATE.fullmatch(plain(phrase))
    return None if match is None else _quietly(match, today)


def beside_han(text: str, start: int, end: int) -> bool:
    """Tell whether a Chinese character stands before or behind [start, end), a blank between them or not."""
    before, behind = text[max(0, start - 2) : start].strip()[-1:], text[end : end + 2].strip()[:1]
    return holds_chinese(before + behind)


def _found(match: re.Match[str]) -> Found | None:
    kind = _kind(match)
    if kind in _VAGUE or kind in _SPOKEN or match["ref"]:
        possible = _quietly(match, date(2024, 2, 29)) is not None
        return Found(*match.span(), Relative(match[0]), VAGUE if kind in _VAGUE else SPOKEN) if possible else None
    period = _quietly(match, date.min)
    soft = match["m_third"] or match["m_edge"] or match["quarter_edge"] or match["year_edge"] or match["middle"]
    return Found(*match.span(), period, LOOSE if soft else EXACT) if period else None


def _kind(match: re.Match[str]) -> str:
    """Return the outermost alternative that matched; it closes last."""
    assert match.lastgroup is not None
    return match.lastgroup


def _quietly(match: re.Match[str], today: date) -> Period | None:
    """Return the period of a match; what lies beyond the calendar (30 February) is no date."""
    try:
        return _READERS[_kind(match)](match, today)
    except (ValueError, OverflowError):
        return None


def _stamp(match: re.Match[str], _: date) -> Period:
    year, month, *day = (int(part) for part in re.split(r"[-/.]", match[0]))
    return through(date(year, month, day[0]), date(year, month, day[0])) if day else months(year, month, month)


def _dated(match: re.Match[str], today: date) -> Period:
    year = _number(match["year"]) if match["year"] else today.year + _RECENT[match["ref"]]
    if match["month"]:
        return _in(match, "m", year, _number(match["month"]))
    if match["quarter"]:
        return _quarter(year, _number(match["quarter"]), match["quarter_edge"])
    if match["quarters"]:
        return months(year, 1, 3 * _number(match["quarters"]))
    if match["half"]:
        return months(year, 1, 6) if match["half"] == "上" else months(year, 7, 12)
    if match["year_edge"]:
        return months(year, 1, 1) if match["year_edge"] == "初" else months(year, 12, 12)
    return months(year, 6, 7) if match["middle"] else years(year, year)


def _year_of_span(match: re.Match[str], _: date) -> Period:
    year = _number(match[0])
    return years(year, year)


def _decade(match: re.Match[str], _: date) -> Period:
    begun = match["tens_year"]
    first = int(begun) * 10 if begun else (_number(match["century"]) - 1) * 100 + _number(match["tens"]) * 10
    return years(first, first + 9)


def _yearless(match: re.Match[str], today: date) -> Period:
    """Return the month or day of the year in which it is nearest to the reader's day."""
    name = "o" if match["own"] else "h"
    month = _number(match["own"] or match["own_han"])
    around = [_in_year(match, name, year, month) for year in (today.year - 1, today.year, today.year + 1)]
    here = days(today, today + timedelta(1)).first
    return min((period for period in around if period), key=lambda period: (abs(period.first - here), period.first))


def _in_year(match: re.Match[str], name: str, year: int, month: int) -> Period | None:
    """Return the part of a month in one year; 29 February is in some only."""
    try:
        return _in(match, name, year, month)
    except ValueError:
        return None


def _quarterly(match: re.Match[str], today: date) -> Period:
    return _quarter(today.year, _number(match["own_quarter"]), None)


def _daily(match: re.Match[str], today: date) -> Period:
    day = today + timedelta(_RECENT[match["which_day"]])
    return through(day, day)


def _monthly(match: re.Match[str], today: date) -> Period:
    return _in(match, "r", *_shifted(today, _RECENT[match["which_month"]]))


def _weekly(match: re.Match[str], today: date) -> Period:
    monday = today - timedelta(today.weekday()) + timedelta(7 * _RECENT[match["which_week"]])
    weekday = match["weekday"]
    if not weekday:
        return through(monday, monday + timedelta(6))
    if weekday == "末":
        return through(monday + timedelta(5), monday + timedelta(6))
    day = monday + timedelta("一二三四五六日".index(weekday.replace("天", "日")))
    return through(day, day)


def _seasonal(match: re.Match[str], today: date) -> Period:
    year, month = _shifted(today, 3 * _RECENT[match["which_quarter"]])
    return _quarter(year, (month + 2) // 3, None)


def _ago(match: re.Match[str], today: date) -> Period:
    count = _number(match["count"])
    match match["step"]:
        case "天":
            day = today - timedelta(count)
            return through(day, day)
        case "个月":
            year, month = _shifted(today, -count)
            return months(year, month, month)
        case "年":
            return years(today.year - count, today.year - count)
        case _:
            monday = today - timedelta(today.weekday()) - timedelta(7 * count)
            return through(monday, monday + timedelta(6))


def _in(match: re.Match[str], name: str, year: int, month: int) -> Period:
    """Return the day, third, edge or whole of a month."""
    if spoken := match[f"{name}_day"]:
        day = date(year, month, _number(spoken))
        return through(day, day)
    whole = months(year, month, month)
    third = match[f"{name}_third"] or {"初": "上"}.get(match[f"{name}_edge"] or "", "下" if match[f"{name}_edge"] else "")
    if not third:
        return whole
    first, last = _THIRDS[third]
    period = through(date(year, month, first), date(year, month, min(last, 28)))
    return Period(period.first, whole.last) if third == "下" else period


def _quarter(year: int, quarter: int, edge: str | None) -> Period:
    first, last = 3 * quarter - 2, 3 * quarter
    return months(year, first if edge in {None, "初"} else last, first if edge == "初" else last)


def _shifted(today: date, by: int) -> tuple[int, int]:
    """Return year and month so many months away."""
    count = today.year * 12 + today.month - 1 + by
    return count // 12, count % 12 + 1


def _number(spoken: str) -> int:
    """Return a number in figures, digit by digit (二〇二四), or up to 39 (三十一)."""
    if spoken.isascii():
        return int(spoken)
    tens, ten, ones = spoken.partition("十")
    if ten:
        return (_NUMERALS[tens] if tens else 1) * 10 + (_NUMERALS[ones] if ones else 0)
    return int("".join(str(_NUMERALS[character]) for character in spoken))


_READERS: Mapping[str, Callable[[re.Match[str], date], Period]] = {
    "stamp": _stamp,
    "dated": _dated,
    "year_of_span": _year_of_span,
    "decade": _decade,
    "yearless": _yearless,
    "quarterly": _quarterly,
    "daily": _daily,
    "monthly": _monthly,
    "weekly": _weekly,
    "seasonal": _seasonal,
    "ago": _ago,
}
