"""English timings: how a date bears on its sentence, by the words before it.

Dates are found by date-wrangler. What it misses or sees wrongly is put right here: "2015-2018" and "2015 to present", "circa 1990" and "spring 2021"
are read by own rules, a bare year counts only behind a preposition, seasons without a year ("from May to September") and centuries are no dates.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from derive.dates.english_dates import dates_without_today, moment_of, period_of
from derive.dates.figures import FIGURES, in_figures
from derive.dates.periods import months
from derive.dates.time import iso_moment
from derive.dates.timing import EXACT, LOOSE, SPOKEN, VAGUE, Relation, Timing, day_ahead, next_day
from schemas.fact import Moment, Period, Relative

if TYPE_CHECKING:
    from date_wrangler import DateMatch

Reader: TypeAlias = Callable[[str, str], Iterator[Timing]]
"""Yields dates of a text that stand in what is left of it: (text, rest), of equal length."""


def _joined(words: str) -> str:
    """Return alternatives on one line."""
    return re.sub(r"\n\s+", "", words)


_YEARS = re.compile(r"\b(1\d{3}|20\d{2})\s?[-–—]\s?(1\d{3}|20\d{2}|\d{2})\b(?![-–—]?\d)")
_TO_PRESENT = re.compile(r"\s{0,3}(?:-|–|—|\bto\b|\buntil\b|\btill\b)\s{0,3}(?:the\s{1,3})?(?:present|now|today|date)\b", re.IGNORECASE)
_PRESENT_YEAR = re.compile(rf"\b(?P<year>1\d{{3}}|20\d{{2}})(?:{_TO_PRESENT.pattern})", re.IGNORECASE)
_SEASON = re.compile(r"\b(?P<season>spring|summer|autumn|fall|winter)(?:\s+of)?\s+(?P<year>1\d{3}|20\d{2})\b", re.IGNORECASE)
_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}
_CUES = {
    Relation.FROM: r"""(?:since|from)(?:\ (?:its|the|his|her))?(?:\ (?:founding|foundation|opening|launch|start|creation|introduction)\ in)?
        |as\ of|as\ from|effective(?:\ from|\ as\ of)?|starting(?:\ in|\ on|\ from)?|beginning(?:\ in|\ on)?
        |on\ (?:and|or)\ after|not\ before|(?:no|not)\ earlier\ than|after""",
    Relation.UNTIL: r"until|till|through|up\ to(?:\ and\ including)?|before|prior\ to",
    Relation.AT: r"in|on|at|during|throughout|within",
    Relation.VALUE: r"by|of|for|to|than",
}
_CUE = re.compile("|".join(rf"(?P<{relation}>\b(?:{_joined(words)})\b)" for relation, words in _CUES.items()), re.IGNORECASE)
_LOOSELY = r"(?:\s+(?:the|year|early|mid|late|at\ least|at\ the\ latest))*"
_ABOUT = re.compile(r"(?:\b(?:circa|about|around|approximately|roughly|some\ time\ in)|\bca?\.)\s+(?:the\s+)?$", re.IGNORECASE)
_CUE_BEFORE = re.compile(rf"(?:{_CUE.pattern}){_LOOSELY}(?:\s+(?:about|around|circa|approximately))?(?:\s+the)?\s*$", re.IGNORECASE)
_CUE_INSIDE = re.compile(rf"(?:{_CUE.pattern})\s+", re.IGNORECASE)
_ONWARDS = re.compile(r"\s+(?:onwards?|on)(?=[\s.,;:)]|$)", re.IGNORECASE)
_GAP = re.compile(r"\s{4,}")
"""What ends a phrase anyway, and would keep date-wrangler busy for as long as it is."""
_JOIN = re.compile(r"\s?(?:-|–|—)\s?|\s(?:to|until|till|through)\s", re.IGNORECASE)
_SPOKEN_WORD = re.compile(r"\b(?:last|next|this|ago|yesterday|today|tomorrow|past|coming)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\d")
_SOFT = re.compile(r"\b(?:early|mid|middle|late|end|beginning|start)\b", re.IGNORECASE)
_BARE_YEAR = re.compile(
    r"""\b(?:1\d{3}|20\d{2})\b(?!\s*B\.?C)(?=\s*(?:[.,;:)]|$)|\s+onwards?\b
    |\s+(?:[A-Z]|(?:and|or|but|to|until|till|the|an?|it|he|she|by|as|for|with|at|in|on|when)\b))""",
    re.VERBOSE,
)
"""A year is followed by the end of its phrase; "up to 2000 cars" is a number."""


def _figures(text: str, rest: str) -> Iterator[Timing]:
    """Yield days in figures; two of them with "to" or a dash between are one span."""
    found = [(match.span(), moment) for match in FIGURES.finditer(rest) if (moment := in_figures(match[0])) is not None]
    number = 0
    while number < len(found):
        (start, end), moment = found[number]
        number += 1
        timing = with_cue(text, start, end, moment, EXACT)
        join = _JOIN.fullmatch(text, end, found[number][0][0]) if number < len(found) else None
        if join is not None:
            (_, end), last = found[number]
            number += 1
            begin = timing.start if timing.relation is Relation.FROM else start
            timing = Timing(begin, end, Relation.BETWEEN, moment, last, text[start:end], EXACT)
        yield timing


def _year_spans(_: str, rest: str) -> Iterator[Timing]:
    for match in _YEARS.finditer(rest):
        last = match[2] if len(match[2]) == 4 else match[1][:2] + match[2]
        if last > match[1]:
            yield Timing(match.start(), match.end(), Relation.BETWEEN, iso_moment(match[1]), iso_moment(last), match[0])


def _open_years(text: str, rest: str) -> Iterator[Timing]:
    """Yield "2015 to present"."""
    for match in _PRESENT_YEAR.finditer(rest):
        timing = with_cue(text, *match.span("year"), iso_moment(match["year"]), EXACT)
        start = timing.start if timing.relation is Relation.FROM else match.start()
        yield replace(timing, start=start, end=match.end(), relation=Relation.FROM, last=None)


def _seasons(text: str, rest: str) -> Iterator[Timing]:
    """Yield "summer of 2019", as the north has it: in the south it is another one."""
    for match in _SEASON.finditer(rest):
        timing = with_cue(text, *match.span(), _season(match["season"].casefold(), int(match["year"])), VAGUE)
        yield replace(timing, relation=Relation.AT) if timing.relation is Relation.VALUE else timing


def _season(name: str, year: int) -> Period:
    first = _MONTHS.get(name)
    return months(year, first, first + 2) if first else Period(months(year, 12, 12).first, months(year + 1, 2, 2).last)


def _dates(text: str, rest: str) -> Iterator[Timing]:
    open_ends = [match.span() for match in _TO_PRESENT.finditer(rest)]
    shown = _GAP.sub(lambda match: ";" * len(match[0]), _TO_PRESENT.sub(lambda match: " " * len(match[0]), rest))
    for match in dates_without_today(shown):
        timing = _span_of_two(text, match) if match.endpoints else _one_date(text, match)
        if timing is not None:
            stop = next((last for first, last in open_ends if first == timing.end), None)
            yield timing if stop is None else replace(timing, end=stop, relation=Relation.FROM, first=timing.first or timing.last, last=None)


def _years(text: str, rest: str) -> Iterator[Timing]:
    for match in _BARE_YEAR.finditer(rest):
        timing = with_cue(text, *match.span(), iso_moment(match[0]), EXACT)
        if timing.relation is not Relation.VALUE:
            yield timing


def _span_of_two(text: str, match: "DateMatch") -> Timing | None:
    """Return "from X to Y"; None for seasons, whose years are not said."""
    assert match.endpoints is not None
    first, last = (period_of(end) for end in match.endpoints)
    if first is None or last is None or isinstance(moment_of(match), Relative):
        return None
    cue = with_cue(text, *match.span, first, _sure(match))
    start, end = match.span
    return replace(cue, start=cue.start if cue.relation is Relation.FROM else start, end=end, relation=Relation.BETWEEN, first=first, last=last)


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
    timing = with_cue(text, start + cores[0].span[0], end, moment, _sure(cores[0]))
    if not isinstance(moment, Relative):
        return timing
    spoken = _SPOKEN_WORD.search(timing.text) is not None
    if not spoken and timing.relation is not Relation.AT and not _NUMBERED.search(timing.text):
        return None  # "from May to September" comes again every year
    relation = Relation.AT if timing.relation is Relation.VALUE else timing.relation
    return replace(timing, relation=relation, confidence=SPOKEN if spoken else VAGUE)


def _sure(match: "DateMatch") -> float:
    """Return the confidence of a date that needs no other day to be read."""
    return LOOSE if _SOFT.search(match.text) else EXACT


def with_cue(text: str, start: int, end: int, moment: Moment, confidence: float) -> Timing:
    """Return the date at [start, end) as the word before it, or "onwards" behind it, makes it bear on the statement."""
    date = text[start:end]
    cue = _CUE_BEFORE.search(text, max(0, start - 30), start)
    relation = Relation.VALUE if cue is None or cue.lastgroup is None else Relation(cue.lastgroup)
    begin = start if cue is None or relation is Relation.VALUE else cue.start()
    word = text[begin:start].casefold().strip()
    if about := _ABOUT.search(text, max(0, start - 30), start):
        begin, confidence = min(begin, about.start()), VAGUE
        relation = Relation.AT if relation is Relation.VALUE else relation
    if onwards := _ONWARDS.match(text, end):
        return Timing(begin, onwards.end(), Relation.FROM, moment, None, date, confidence)
    match relation:
        case Relation.FROM:
            return Timing(begin, end, relation, next_day(moment) if word.startswith("after") else moment, None, date, confidence)
        case Relation.UNTIL:
            return Timing(begin, end, relation, None, day_ahead(moment) if word.startswith(("before", "prior")) else moment, date, confidence)
        case _:
            return Timing(begin, end, relation, moment, moment, date, confidence)


READERS: tuple[Reader, ...] = (_figures, _year_spans, _seasons, _dates, _open_years, _years)
"""In this order, each on what those before it left."""
