"""Readings, units and facts as bytes, for the store and the memo: compact lists behind a format number.

What an older format number wrote is refused, not guessed at: its reader must be kept beside a new one (a golden file of each format is in the tests).
"""

from collections.abc import Sequence
from typing import NoReturn, TypeAlias

import orjson

from schemas.errors import Inconsistent
from schemas.fact import NO_DATES, Dates, Fact, FactKind, Moment, Period, Relative, Written
from schemas.ids import ContentHash
from schemas.instant import Instant
from schemas.version import Link, Part, Reading, Section, Unit

FORMAT = 2
"""Format 2 has the confidence of dates, and dates that are their source's to read. In both a unit that was stitched has its sources behind its
facts, one that arrived whole nothing; in format 2 the links of one that has any stand behind those. What format 1 wrote is read too."""
_READ = (1, 2)

_NOTHING: tuple[list["Plain"], ...] = ([], [])
"""What a unit that was neither stitched nor has links has behind its facts."""

Plain: TypeAlias = "str | int | float | bool | list[Plain] | None"


def pack_facts(facts: Sequence[Fact]) -> bytes:
    """Return facts as bytes."""
    return orjson.dumps([FORMAT, [_fact(fact) for fact in facts]])


def unpack_facts(packed: bytes) -> tuple[Fact, ...]:
    """Return the facts that were packed."""
    return tuple(_as_fact(item) for item in _items(_content(packed)))


def pack_reading(reading: Reading) -> bytes:
    """Return a whole reading as bytes."""
    units: list[Plain] = [_unit(unit) for unit in reading.units]
    sections: list[Plain] = [[list(section.path), section.start, section.end, section.number] for section in reading.sections]
    pairs: list[Plain] = [list(pair) for pair in reading.pairs]
    rest: list[Plain] = [reading.title, list(reading.aliases), pairs, reading.redirect, reading.skipped, list(reading.keys)]
    return orjson.dumps([FORMAT, [reading.content, units, sections, *rest]])


def unpack_reading(packed: bytes) -> Reading:
    """Return the reading that was packed."""
    content, units, sections, title, aliases, pairs, redirect, skipped, keys = _items(_content(packed))
    return Reading(
        content=ContentHash(_text(content)),
        units=tuple(map(_as_unit, _items(units))),
        sections=tuple(_as_section(section) for section in _items(sections)),
        title=None if title is None else _text(title),
        aliases=_texts(aliases),
        pairs=tuple((_text(one), _text(other)) for one, other in map(_items, _items(pairs))),
        redirect=None if redirect is None else _text(redirect),
        skipped=_whole(skipped),
        keys=_texts(keys),
    )


def _content(packed: bytes) -> Plain:
    try:
        form, content = orjson.loads(packed)
    except (ValueError, TypeError) as err:
        message = f"packed text {packed[:40]!r} is damaged: {err}"
        raise Inconsistent(message) from err
    if form not in _READ:
        message = f"packed text of format {form!r}, this version reads {' and '.join(map(str, _READ))}: rebuild the store"
        raise Inconsistent(message)
    plain: Plain = content
    return plain


def _unit(unit: Unit) -> Plain:
    parts: list[Plain] = [[part.first, part.last, part.start, part.end] for part in unit.parts]
    plain: list[Plain] = [unit.text, list(unit.section), unit.start, unit.end, unit.number, [_fact(fact) for fact in unit.facts]]
    links: list[Plain] = [[link.target, link.start, link.end] for link in unit.links]
    return [*plain, parts, links] if links else [*plain, parts] if parts else plain


def _as_unit(plain: Plain) -> Unit:
    text, section, start, end, number, facts, *rest = _items(plain)
    stitched, linked = [*map(_items, rest), *_NOTHING][:2]
    parts = tuple(Part(*map(_whole, _items(part))) for part in stitched)
    links = tuple(_as_link(link) for link in linked)
    return Unit(_text(text), _texts(section), _whole(start), _whole(end), _whole(number), tuple(map(_as_fact, _items(facts))), parts, links)


def _as_link(plain: Plain) -> Link:
    target, start, end = _items(plain)
    return Link(_text(target), _whole(start), _whole(end))


def _as_section(plain: Plain) -> Section:
    path, start, end, number = _items(plain)
    return Section(_texts(path), _whole(start), _whole(end), _whole(number))


def _fact(fact: Fact) -> Plain:
    dates: Plain = None if fact.dates == NO_DATES else [_moment(fact.dates.start), _moment(fact.dates.end), fact.dates.confidence]
    return [
        fact.text, fact.kind.value, fact.subject, fact.predicate, fact.object, fact.start, fact.end, fact.confidence,
        list(fact.scope), list(fact.mentions), dates, fact.negated, fact.structural,
    ]  # fmt: skip


def _as_fact(plain: Plain) -> Fact:
    text, kind, subject, predicate, value, start, end, confidence, scope, mentions, dates, negated, structural = _items(plain)
    return Fact(
        text=_text(text),
        kind=FactKind(_text(kind)),
        subject=_text(subject),
        predicate=_text(predicate),
        object=_text(value),
        start=_whole(start),
        end=_whole(end),
        confidence=_number(confidence),
        scope=_texts(scope),
        mentions=_texts(mentions),
        dates=NO_DATES if dates is None else _as_dates(_items(dates)),
        negated=negated is True,
        structural=structural is True,
    )


def _moment(moment: Moment | None) -> Plain:
    match moment:
        case None:
            return None
        case Period():
            return [moment.first, moment.last]
        case Relative():
            return moment.phrase
        case _:
            return [moment.phrase, moment.step]


def _as_dates(plain: list[Plain]) -> Dates:
    """Return dates; format 1 gave them no confidence."""
    start, end, *confidence = plain
    return Dates(_as_moment(start), _as_moment(end), *map(_number, confidence))


def _as_moment(plain: Plain) -> Moment | None:
    match plain:
        case None:
            return None
        case str(phrase):
            return Relative(phrase)
        case [str(phrase), int(step)]:
            return Written(phrase, step)
        case _:
            first, last = _items(plain)
            return Period(Instant(_whole(first)), Instant(_whole(last)))


def _damaged(plain: Plain, expected: str) -> NoReturn:
    message = f"packed {plain!r} is not {expected}"
    raise Inconsistent(message)


def _items(plain: Plain) -> list[Plain]:
    return plain if isinstance(plain, list) else _damaged(plain, "a list")


def _text(plain: Plain) -> str:
    return plain if isinstance(plain, str) else _damaged(plain, "a text")


def _whole(plain: Plain) -> int:
    return plain if isinstance(plain, int) else _damaged(plain, "a whole number")


def _number(plain: Plain) -> float:
    return float(plain) if isinstance(plain, (int, float)) else _damaged(plain, "a number")


def _texts(plain: Plain) -> tuple[str, ...]:
    return tuple(map(_text, _items(plain)))
