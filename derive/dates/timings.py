"""Dates inside sentences, English, Chinese or mixed, and how each bears on what is said there.

What looks like a date and is none (versions, ids, addresses) is masked; then each language reads what is left: `derive.dates.chinese_time`,
`derive.dates.english_time`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from derive.dates.chinese_dates import Found, beside_han, without_han
from derive.dates.chinese_time import bearing, chinese_timings
from derive.dates.english_time import READERS, with_cue
from derive.dates.time import may_hold_date, open_moment
from derive.dates.timing import EXACT, Timing
from derive.script import holds_chinese
from schemas.fact import Period, Written

_DAY_NAME = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MASK = re.compile(
    rf"""https?://\S+ | \bwww\.\S+ | [\w.+-]{{1,64}}@[\w.-]+
    | \b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b                              # addresses
    | (?<!\d\.)\b(?!\d{{1,2}}\.\d{{1,2}}\.(?:1\d|20)\d{{2}}\b)v?\d+\.\d+(?:\.\d+)*[A-Za-z0-9_.+-]*   # versions, not 13.03.2024
    | \b(?:version|release|rfc|pep|port|ticket|issue|channel|room|berth|shed|section|chapter|page|build|no\.?|number)\ \#?\d[\d.]*\b
    | \b(?!mid-)[A-Za-z]+-\d+\b(?!-) | \#\d+ | (?<![\d/])\d{{1,2}}/\d{{1,2}}(?![\d/]) | \b\d{{1,2}}\ of\ \d{{4}}\b  # ticket ids, fractions
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
_STOP = re.compile(r"\.(?=\s|$)")


def timings(text: str) -> tuple[Timing, ...]:
    """Return the dates of a text in their order; no two overlap."""
    if not may_hold_date(text):
        return ()
    rest = _masked(text)
    instants = list(_instants(text))
    rest = _without(rest, instants)
    chinese = list(_chinese(text, rest)) if holds_chinese(rest) else []
    found = [*instants, *chinese]
    if holds_chinese(rest):
        rest = _masked(without_han(_without(rest, chinese)))
    for read in READERS:
        new = list(read(text, rest))
        rest = _without(rest, new)
        found += new
    return tuple(sorted(found, key=lambda timing: timing.start))


def _masked(text: str) -> str:
    """Return a text of the same length with blanks for what is no date, and semicolons for full stops: date-wrangler takes "06." for an ordinal."""
    return _STOP.sub(";", _MASK.sub(lambda match: " " * len(match[0]), text))


def _without(text: str, found: Sequence[Timing]) -> str:
    """Return a text of the same length with blanks for what was found in it, in the order of the text."""
    kept, place = [], 0
    for timing in found:
        kept += [text[place : timing.start], " " * (timing.end - timing.start)]
        place = timing.end
    return "".join([*kept, text[place:]])


def _instants(text: str) -> Iterator[Timing]:
    place = 0
    for match in _INSTANT.finditer(text):
        moment = _quietly(open_moment, match[0])
        if moment is None or match.start() < place:
            continue
        found = bearing(text, Found(*match.span(), moment, EXACT), place) if beside_han(text, *match.span()) else None
        timing = found or with_cue(text, *match.span(), moment, EXACT)
        place = timing.end
        yield timing


def _chinese(text: str, rest: str) -> Iterator[Timing]:
    for timing in chinese_timings(rest):
        core = rest.index(timing.text, timing.start)
        yield replace(timing, text=text[core : core + len(timing.text)])


def _quietly(read: Callable[[str], Period | Written], value: str) -> Period | Written | None:
    try:
        return read(value)
    except ValueError:
        return None
