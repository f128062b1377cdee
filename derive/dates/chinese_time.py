"""Chinese timings: how a date bears on its sentence, by the words around it.

Tried in this order at each date: a span (自A至B), as of (截至A), until (至A, A前, A止), since (自A起, A以来, A后), else the date as it stands.
Without such a word a date is when something holds, unless 为, 是 or a colon before it or 的 behind it make it what is said; a year alone needs more.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from derive.dates.chinese_dates import Found, dates, end_of_span, masked
from derive.dates.periods import last_day
from derive.dates.timing import Relation, Timing, day_ahead, next_day
from schemas.fact import Moment, Period

_BEFORE = re.compile(
    r"(?:(?P<asof>截至|截止到|截止至)|(?P<until>直到|直至|(?<![甚以乃])至)|(?P<since>自从|自|从)|(?P<at>于|在)|(?P<value>[为是:]))\s?$",
)
_LEAD = 4
"""Characters: the longest word before a date, with a space."""
_TO = re.compile(r"\s?起?\s?(?:至|到|—{1,2}|–|-|~)\s?")
_OPEN = re.compile(r"今(?![年天日])|现在|目前|如今")
_CLOSING = re.compile(r"止|期间|之间")
_UNTIL = re.compile(r"\s?(?:(?P<within>为止|截止|止(?![步痛血]))|之前|以前|前(?![的端后任身台部线列排景沿夕三两二四五六七八九十几半首]))")
_SINCE = re.compile(r"\s?(?:(?P<behind>之后|以后|后(?![来端备续台勤面方期果门天半的]))|以来|开始|起(?![草诉飞步义源码初始因火点伏]))")
_NO_BOUND = re.compile(r"前|后[期半]")
"""Behind a date: what says neither when nor what, as in 2019年前的两倍."""
_MODIFIES = re.compile(r"\s?[的版款]")
_YEAR_ALONE = re.compile(r".{4}\s?年")
_CLAUSE = re.compile(
    r"\s?(?:$|[，,、。.；;)!！?？\n]|出任|就任|担任|接任|接替|任|加入|成立|建成|启用|停用|上线|下线|开通|发布|建立|更名|改|卸任|离任|离职|辞|退役|关闭)",
)
"""What may follow a year that says when: the end of its phrase, or a verb. 2008年金融危机 is a name."""


def chinese_timings(text: str) -> Iterator[Timing]:
    """Yield the dates of a text in their order; no two overlap. Offsets are those of the text."""
    shown = masked(text)
    place = 0
    for found in dates(shown):
        if found.start < place:
            continue
        timing = bearing(shown, found, place)
        place = max(found.end, timing.end if timing else place)
        if timing is not None:
            core = shown.index(timing.text, timing.start)
            yield replace(timing, text=text[core : core + len(timing.text)])


def bearing(text: str, found: Found, place: int = 0) -> Timing | None:
    """Return a date of a masked text as the words around it, none before `place`, make it bear on the sentence; None if it says nothing of it."""
    return _span(text, place, found) or _single(text, place, found)


def _lead(text: str, place: int, start: int) -> tuple[str, int]:
    """Return what sort of word stands before a date, and where it begins."""
    before = _BEFORE.search(text, max(place, start - _LEAD), start)
    return (before.lastgroup or "", before.start()) if before else ("", start)


def _span(text: str, place: int, first: Found) -> Timing | None:
    """Return 自A至B, or 自A至今."""
    to = _TO.match(text, first.end)
    if to is None:
        return None
    kind, start = _lead(text, place, first.start)
    start = start if kind in {"since", "at"} else first.start
    if open_end := _OPEN.match(text, to.end()):
        return Timing(start, open_end.end(), Relation.FROM, first.moment, None, text[first.start : first.end], first.confidence)
    last = end_of_span(text, to.end(), first)
    if last is None:
        return None
    closing = _CLOSING.match(text, last.end)
    end = closing.end() if closing else last.end
    confidence = min(first.confidence, last.confidence)
    return Timing(start, end, Relation.BETWEEN, first.moment, last.moment, text[first.start : last.end], confidence)


def _single(text: str, place: int, found: Found) -> Timing | None:
    kind, start = _lead(text, place, found.start)
    until, since = _UNTIL.match(text, found.end), _SINCE.match(text, found.end)

    def timing(relation: Relation, first: Moment | None, last: Moment | None, end: int = found.end) -> Timing:
        begin = found.start if relation is Relation.VALUE else start if kind != "value" else found.start
        return Timing(begin, end, relation, first, last, text[found.start : found.end], found.confidence)

    if kind == "asof":
        moment = last_day(found.moment) if isinstance(found.moment, Period) else found.moment
        return timing(Relation.FROM, moment, None, until.end() if until and until["within"] else found.end)
    if until is not None and kind != "since":
        return timing(Relation.UNTIL, None, found.moment if until["within"] else day_ahead(found.moment), until.end())
    if kind == "until":
        return timing(Relation.UNTIL, None, found.moment)
    if since is not None:
        late = since["behind"] and kind != "since"
        return timing(Relation.FROM, next_day(found.moment) if late else found.moment, None, since.end())
    if kind == "since":
        return timing(Relation.FROM, found.moment, None)
    if _NO_BOUND.match(text, found.end):
        return None
    relation = Relation.VALUE if kind == "value" or (kind != "at" and _says_what(text, found)) else Relation.AT
    return timing(relation, found.moment, found.moment)


def _says_what(text: str, found: Found) -> bool:
    """Tell whether a date without a preposition is part of what is said: 2024年的版本, or a year that nothing marks as a time."""
    if _MODIFIES.match(text, found.end):
        return True
    return _YEAR_ALONE.fullmatch(text, found.start, found.end) is not None and _CLAUSE.match(text, found.end) is None
