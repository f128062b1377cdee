"""Dates inside sentences, English, Chinese or mixed, and how each bears on what is said there.

Chinese dates are found by `derive.chinese_time`, English ones by date-wrangler. What that misses or sees wrongly is put right here: versions and ids
are masked, "2015-2018" and "to present" are read by own rules, a bare year counts only behind a preposition, seasons ("from May to September") are no
dates.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from derive.chinese_dates import Found, beside_han, holds_han, without_han
from derive.chinese_time import bearing, chinese_timings
from derive.english_dates import dates_without_today, moment_of, period_of
from derive.figures import FIGURES, in_figures
from derive.time import iso_moment, may_hold_date, open_moment
from derive.timing import EXACT, LOOSE, SPOKEN, VAGUE, Relation, Timing, day_ahead, next_day
from schemas.fact import Moment, Period, Relative, Written

if TYPE_CHECKING:
    from date_wrangler import DateMatch


_DAY_NAME = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MASK = re.compile(
    rf"""https?://\S+ | \bwww\.\S+ | [\w.+-]{{1,64}}@[\w.-]+
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b                              # addresses
    | (?<!\d\.)\b(?!\d{{1,2}}\.\d{{1,2}}\.(?:1\d|20)\d{{2}}\b)v?\d+\.\d+(?:\.\d+)*[\w.+-]*   # versions, not 13.03.2024
    | \b(?:version|release|rfc|pep|port|ticket|issue|channel|room|berth|shed|section|chapter|page|build|no\.?|number)\ \#?\d[\d.]*\b
    | \b[A-Za-z]+-\d+\b(?!-) | \#\d+ | (?<![\d/])\d{{1,2}}/\d{{1,2}}(?![\d/])  # ticket ids, fractions
    | \b\d{{1,3}}(?:,\d{{3}})+\b | \b\d{{1,2}}:\d{{2}}\b             # thousands, times of day
    | \b(?:each|every|any)\ (?:\w+\ )?{_DAY_NAME} | \b{_DAY_NAME}s\b # what returns is no date
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INSTANT = re.compile(
    r"""(?<![A-Za-z0-9_])\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?
    (?:\ ?(?:(?:Z|UTC|GMT)(?![A-Za-z0-9])|[+-]\d{2}:?\d{2}(?!\d)))?""",
    re.VERBOSE,
)
_YEARS = re.compile(r"\b(1\d{3}|20\d{2})\s?[-–—]\s?(1\d{3}|20\d{2}|\d{2})\b(?![-–—]?\d)")
_TO_PRESENT = re.compile(r"\s*(?:-|–|—|\bto\b|\buntil\b|\btill\b)\s*(?:the\s+)?(?:present|now|today|date)\b", re.IGNORECASE)
_CUES = {
    Relation.FROM: r"since|from|as\ of|as\ from|effective(?:\ from|\ as\ of)?|starting(?:\ in|\ on|\ from)?|beginning(?:\ in|\ on)?|after",
    Relation.UNTIL: r"until|till|through|up\ to|before|prior\ to",
    Relation.AT: r"in|on|at|during",
    Relation.VALUE: r"by|of|for|to|than",
}
_CUE = re.compile("|".join(rf"(?P<{relation}>\b(?:{words})\b)" for relation, words in _CUES.items()), re.IGNORECASE)
_CUE_BEFORE = re.compile(rf"(?:{_CUE.pattern})(?:\s+(?:the|early|late|about|around))*\s*$", re.IGNORECASE)
_CUE_INSIDE = re.compile(rf"(?:{_CUE.pattern})\s+", re.IGNORECASE)
_ONWARDS = re.compile(r"\s+(?:onwards?|on)(?=[\s.,;:)]|$)", re.IGNORECASE)
_JOIN = re.compile(r"\s?(?:-|–|—)\s?|\s(?:to|until|till|through)\s", re.IGNORECASE)
_SPOKEN_WORD = re.compile(r"\b(?:last|next|this|ago|yesterday|today|tomorrow|past|coming)\b", re.IGNORECASE)
_SOFT = re.compile(r"\b(?:early|mid|middle|late|end|beginning|start)\b", re.IGNORECASE)
_BARE_YEAR = re.compile(
    r"""\b(?:1\d{3}|20\d{2})\b(?=\s*(?:[.,;:)]|$)|\s+onwards?\b
    |\s+(?:[A-Z]|(?:and|or|but|to|until|till|the|an?|it|he|she|by|as|for|with|at|in|on|when)\b))""",
    re.VERBOSE,
)
"""A year is followed by the end of its phrase; "up to 2000 cars" is a number."""
_STOP = re.compile(r"\.(?=\s|$)")


def timings(text: str) -> tuple[Timing, ...]:
    """Return the dates of a text in their order; no two overlap."""
    if not may_hold_date(text):
        return ()
    rest = _STOP.sub(";", _blank(_MASK, text))  # date-wrangler takes "06." for an ordinal
    found: list[Timing] = []
    for read in (_instants, _chinese, _figures, _year_spans, _dates, _years):
        new = list(read(text, rest))
        rest = _without(rest, new)
        found += new
    return tuple(sorted(found, key=lambda timing: timing.start))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)


def _without(text: str, found: Sequence[Timing]) -> str:
    """Return a text of the same length with blanks for what was found in it, in the order of the text."""
    kept, place = [], 0
    for timing in found:
        kept += [text[place : timing.start], " " * (timing.end - timing.start)]
        place = timing.end
    return "".join([*kept, text[place:]])


def _instants(text: str, _: str) -> Iterator[Timing]:
    place = 0
    for match in _INSTANT.finditer(text):
        moment = _quietly(open_moment, match[0])
        if moment is None or match.start() < place:
            continue
        found = bearing(text, Found(*match.span(), moment, EXACT), place) if beside_han(text, *match.span()) else None
        timing = found or _with_cue(text, *match.span(), moment, EXACT)
        place = timing.end
        yield timing


def _chinese(text: str, rest: str) -> Iterator[Timing]:
    for timing in chinese_timings(rest) if holds_han(rest) else ():
        core = rest.index(timing.text, timing.start)
        yield replace(timing, text=text[core : core + len(timing.text)])


def _quietly(read: Callable[[str], Period | Written], value: str) -> Period | Written | None:
    try:
        return read(value)
    except ValueError:
        return None


def _figures(text: str, rest: str) -> Iterator[Timing]:
    """Yield days in figures; two of them with "to" or a dash between are one span."""
    found = [(match.span(), moment) for match in FIGURES.finditer(rest) if (moment := in_figures(match[0])) is not None]
    number = 0
    while number < len(found):
        (start, end), moment = found[number]
        number += 1
        timing = _with_cue(text, start, end, moment, EXACT)
        join = _JOIN.fullmatch(text, end, found[number][0][0]) if number < len(found) else None
        if join is not None:
            (_, end), last = found[number]
            number += 1
            begin = timing.start if timing.relation is Relation.FROM else start
            timing = Timing(begin, end, Relation.BETWEEN, moment, last, text[start:end], EXACT)
        yield timing


def _year_spans(_: str, rest: str) -> Iterator[Timing]:
    for match in _YEARS.finditer(without_han(rest)):
        last = match[2] if len(match[2]) == 4 else match[1][:2] + match[2]
        if last > match[1]:
            yield Timing(match.start(), match.end(), Relation.BETWEEN, iso_moment(match[1]), iso_moment(last), match[0])


def _dates(text: str, read: str) -> Iterator[Timing]:
    rest = without_han(read)
    open_ends = [match.span() for match in _TO_PRESENT.finditer(rest)]
    for match in dates_without_today(_blank(_TO_PRESENT, rest)):
        timing = _span_of_two(match) if match.endpoints else _one_date(text, match)
        if timing is not None:
            stop = next((last for first, last in open_ends if first == timing.end), None)
            yield timing if stop is None else replace(timing, end=stop, relation=Relation.FROM, first=timing.first or timing.last, last=None)


def _years(text: str, rest: str) -> Iterator[Timing]:
    for match in _BARE_YEAR.finditer(without_han(rest)):
        timing = _with_cue(text, *match.span(), iso_moment(match[0]), EXACT)
        if timing.relation is not Relation.VALUE:
            yield timing


def _span_of_two(match: "DateMatch") -> Timing | None:
    """Return "from X to Y"; None for seasons, whose years are not said."""
    assert match.endpoints is not None
    if isinstance(moment_of(match), Relative):
        return None
    first, last = (period_of(end) for end in match.endpoints)
    return Timing(*match.span, Relation.BETWEEN, first, last, match.text, _sure(match)) if first and last else None


def _one_date(text: str, match: "DateMatch") -> Timing | None:
    start, end = match.span
    if own := _CUE_INSIDE.match(match.text):
        start += own.end()
    if onwards := _ONWARDS.search(text, start, end):
        end = onwards.start()
    if _BARE_YEAR.fullmatch(text[start:end]):
        return None
    cores = dates_without_today(text[start:end])
    moment = moment_of(cores[0]) if cores else None
    if moment is None:
        return None
    timing = _with_cue(text, start + cores[0].span[0], end, moment, _sure(cores[0]))
    if not isinstance(moment, Relative):
        return timing
    spoken = _SPOKEN_WORD.search(timing.text) is not None
    if not spoken and timing.relation is not Relation.AT:
        return None
    relation = Relation.AT if timing.relation is Relation.VALUE else timing.relation
    return replace(timing, relation=relation, confidence=SPOKEN if spoken else VAGUE)


def _sure(match: "DateMatch") -> float:
    """Return the confidence of a date that needs no other day to be read."""
    return LOOSE if _SOFT.search(match.text) else EXACT


def _with_cue(text: str, start: int, end: int, moment: Moment, confidence: float) -> Timing:
    """Return the date at [start, end) as the word before it, or "onwards" behind it, makes it bear on the statement."""
    date = text[start:end]
    cue = _CUE_BEFORE.search(text, max(0, start - 30), start)
    relation = Relation.VALUE if cue is None or cue.lastgroup is None else Relation(cue.lastgroup)
    begin = start if cue is None or relation is Relation.VALUE else cue.start()
    word = text[begin:start].casefold().strip()
    if onwards := _ONWARDS.match(text, end):
        return Timing(begin, onwards.end(), Relation.FROM, moment, None, date, confidence)
    match relation:
        case Relation.FROM:
            return Timing(begin, end, relation, next_day(moment) if word.startswith("after") else moment, None, date, confidence)
        case Relation.UNTIL:
            return Timing(begin, end, relation, None, day_ahead(moment) if word.startswith(("before", "prior")) else moment, date, confidence)
        case _:
            return Timing(begin, end, relation, moment, moment, date, confidence)
