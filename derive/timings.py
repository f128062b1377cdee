"""Dates inside sentences, and how each bears on what is said there.

English dates are found by date-wrangler. What it misses or sees wrongly is put right here: versions and ids are masked, "2015-2018" and "to present"
are read by own rules, a bare year counts only behind a preposition, seasons ("from May to September") are no dates.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from derive.time import dates_without_today, iso_moment, may_hold_date, moment_of, period_of
from schemas.fact import Moment, Period, Relative
from schemas.instant import DAY, Instant

if TYPE_CHECKING:
    from date_wrangler import DateMatch


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
    """

    start: int
    end: int
    relation: Relation
    first: Moment | None
    last: Moment | None
    text: str


_DAY_NAME = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MASK = re.compile(
    rf"""https?://\S+ | \bwww\.\S+ | \S+@\S+
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b                              # addresses
    | \bv?\d+\.\d+(?:\.\d+)*[\w.+-]*                                 # versions
    | \b(?:version|release|rfc|pep|port|ticket|issue|channel|room|berth|shed|section|chapter|page|build|no\.?|number)\ \#?\d+\b
    | \b[A-Za-z]+-\d+\b(?!-) | \#\d+                                 # ticket ids
    | \b\d{{1,3}}(?:,\d{{3}})+\b | \b\d{{1,2}}:\d{{2}}\b             # thousands, times of day
    | \b(?:each|every|any)\ (?:\w+\ )?{_DAY_NAME} | \b{_DAY_NAME}s\b # what returns is no date
    """,
    re.VERBOSE | re.IGNORECASE,
)
_INSTANT = re.compile(r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}\b))?")
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
_SPOKEN = re.compile(r"\b(?:last|next|this|ago|yesterday|today|tomorrow|past|coming)\b", re.IGNORECASE)
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
    for read in (_instants, _year_spans, _dates, _years):
        for timing in read(text, rest):
            found.append(timing)
            rest = rest[: timing.start] + " " * (timing.end - timing.start) + rest[timing.end :]
    return tuple(sorted(found, key=lambda timing: timing.start))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)


def _instants(text: str, _: str) -> Iterator[Timing]:
    for match in _INSTANT.finditer(text):
        moment = _quietly(iso_moment, match[0])
        if moment is not None:
            yield _with_cue(text, match.start(), match.end(), moment)


def _quietly(read: Callable[[str], Period], value: str) -> Period | None:
    try:
        return read(value)
    except ValueError:
        return None


def _year_spans(text: str, rest: str) -> Iterator[Timing]:
    for match in _YEARS.finditer(rest):
        last = match[2] if len(match[2]) == 4 else match[1][:2] + match[2]
        if last > match[1]:
            yield Timing(match.start(), match.end(), Relation.BETWEEN, iso_moment(match[1]), iso_moment(last), match[0])


def _dates(text: str, rest: str) -> Iterator[Timing]:
    open_ends = [match.span() for match in _TO_PRESENT.finditer(rest)]
    for match in dates_without_today(_blank(_TO_PRESENT, rest)):
        timing = _span_of_two(match) if match.endpoints else _one_date(text, match)
        if timing is not None:
            stop = next((last for first, last in open_ends if first == timing.end), None)
            yield timing if stop is None else Timing(timing.start, stop, Relation.FROM, timing.first or timing.last, None, timing.text)


def _years(text: str, rest: str) -> Iterator[Timing]:
    for match in _BARE_YEAR.finditer(rest):
        timing = _with_cue(text, match.start(), match.end(), iso_moment(match[0]))
        if timing.relation is not Relation.VALUE:
            yield timing


def _span_of_two(match: "DateMatch") -> Timing | None:
    """Return "from X to Y"; None for seasons, whose years are not said."""
    assert match.endpoints is not None
    if isinstance(moment_of(match), Relative):
        return None
    first, last = (period_of(end) for end in match.endpoints)
    return Timing(*match.span, Relation.BETWEEN, first, last, match.text) if first and last else None


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
    timing = _with_cue(text, start + cores[0].span[0], end, moment)
    uncued = timing.relation is Relation.VALUE
    if isinstance(moment, Relative) and not _SPOKEN.search(timing.text) and timing.relation is not Relation.AT:
        return None
    if isinstance(moment, Relative) and uncued:
        return Timing(timing.start, timing.end, Relation.AT, moment, moment, timing.text)
    return timing


def _with_cue(text: str, start: int, end: int, moment: Moment) -> Timing:
    """Return the date at [start, end) as the word before it, or "onwards" behind it, makes it bear on the statement."""
    date = text[start:end]
    cue = _CUE_BEFORE.search(text, max(0, start - 30), start)
    relation = Relation.VALUE if cue is None or cue.lastgroup is None else Relation(cue.lastgroup)
    begin = start if cue is None or relation is Relation.VALUE else cue.start()
    word = text[begin:start].casefold().strip()
    if onwards := _ONWARDS.match(text, end):
        return Timing(begin, onwards.end(), Relation.FROM, moment, None, date)
    match relation:
        case Relation.FROM:
            return Timing(begin, end, relation, _next(moment) if word.startswith("after") else moment, None, date)
        case Relation.UNTIL:
            return Timing(begin, end, relation, None, _before(moment) if word.startswith(("before", "prior")) else moment, date)
        case _:
            return Timing(begin, end, relation, moment, moment, date)


def _next(moment: Moment) -> Moment:
    """Return the day after a period; a relative one stays as it is, since it cannot be counted yet."""
    return moment if isinstance(moment, Relative) else Period(moment.last, Instant(moment.last + DAY))


def _before(moment: Moment) -> Moment:
    """Return the day before a period: an end includes what it names, and "before 2019" does not include 2019."""
    return moment if isinstance(moment, Relative) else Period(Instant(moment.first - DAY), moment.first)
