"""History: what one document asserts, from when to when (DESIGN.md 5.4), as a function of all its versions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from derive.dates.time import bind
from schemas.fact import GOVERNS
from schemas.instant import FOREVER, Instant
from schemas.statement import Assertion, Claim, Standing, Wording


@dataclass(frozen=True, slots=True)
class Point:
    """One version in its document's timeline.

    `at` is its position (any comparable bytes), `time` its effective time: the running maximum up to it. `kept` is false for a version taken out by
    a revert; then `next_at`/`next_time` are those of the next kept version (there always is one: the version that reverts).
    """

    at: bytes
    time: Instant
    kept: bool = True
    next_at: bytes = b""
    next_time: Instant = FOREVER


@dataclass(frozen=True, slots=True)
class Run:
    """A maximal row of versions that word a claim the same: from `first` to before `last` (the first that does not), None while it goes on."""

    first: Point
    last: Point | None
    wording: Wording


@dataclass(frozen=True, slots=True)
class _Span:
    first: bytes
    last: bytes | None
    from_time: Instant
    to_time: Instant
    wording: Wording


def taken_out(contents: Sequence[str], times: Sequence[Instant], window: int) -> list[bool]:
    """Return which versions a revert takes out.

    Judged from the newest backwards: if a version equals an earlier one, and all between them are younger than `window` (milliseconds), those are
    out; the farthest such earlier version counts, and judging goes on from it.
    """
    out = [False] * len(contents)
    at = len(contents) - 1
    while at > 0:
        found = revert_of(at, contents, times, window)
        for between in range(found + 1, at):
            out[between] = True
        at = found
    return out


def revert_of(at: int, contents: Sequence[str], times: Sequence[Instant], window: int) -> int:
    """Return the version that version `at` goes back to, else the one before it. `times` must not fall."""
    found = at - 1
    earlier = at - 1
    while earlier >= 0:
        if contents[earlier] == contents[at]:
            found = earlier
        if times[at] - times[earlier] >= window:
            break
        earlier -= 1
    return found


def assertions(claim: Claim, runs: Iterable[Run], *, withdrawn: bool) -> list[Assertion]:
    """Return what the document asserts of one claim, in the order of time.

    Versions in a row that state the claim are one assertion with the last one's dates; several starts in that last version are one assertion each.
    What was said for no time (versions of one effective time) or holds for none makes nothing.
    """
    held, corrected = _spans(runs, structural=claim.structural)
    found = [_asserted(claim, span) for stretch in _stretches(held) for span in _last(stretch)]
    found += [_corrected(claim, span) for span in corrected]
    kept = [one for one in found if one.start < one.end and one.said_from < one.said_to]
    if withdrawn:
        kept = [replace(one, standing=Standing.WITHDRAWN, current=False) if one.standing is Standing.EVIDENCE else one for one in kept]
    return sorted(kept, key=_assertion_order) if len(kept) > 1 else kept  # mostly one, and its order would cost more than the rest


def _assertion_order(one: Assertion) -> tuple[object, ...]:
    return (one.start, one.end, one.said_from, one.standing, repr(one.wording))


def _spans(runs: Iterable[Run], *, structural: bool) -> tuple[list[_Span], list[_Span]]:
    held: list[_Span] = []
    corrected: list[_Span] = []
    for run in runs:
        whole = _Span(run.first.at, run.last.at if run.last else None, run.first.time, run.last.time if run.last else FOREVER, run.wording)
        if structural:
            held.append(whole)
            continue
        first, from_time = _kept(run.first)
        last, to_time = _kept(run.last) if run.last else (None, FOREVER)
        if last is not None and first >= last:
            corrected.append(whole)
        else:
            held.append(_Span(first, last, from_time, to_time, run.wording))
    return held, corrected


def _kept(point: Point) -> tuple[bytes, Instant]:
    return (point.at, point.time) if point.kept else (point.next_at, point.next_time)


def _stretches(spans: Sequence[_Span]) -> list[list[_Span]]:
    """Join spans that touch or overlap."""
    joined: list[list[_Span]] = []
    reach: bytes | None = b""
    for span in sorted(spans, key=lambda span: (span.first, span.last is None, span.last or b"")):
        if joined and (reach is None or span.first <= reach):
            joined[-1].append(span)
            reach = None if reach is None or span.last is None else max(reach, span.last)
        else:
            joined.append([span])
            reach = span.last
    return joined


def _last(stretch: Sequence[_Span]) -> list[_Span]:
    """Return, for each distinct start that the last version gives, the best wording (the latest end of equals), spread over the whole stretch."""
    final = None if any(span.last is None for span in stretch) else max(span.last or b"" for span in stretch)
    first = min(stretch, key=lambda span: span.first)
    to_time = max(span.to_time for span in stretch)
    chosen: dict[Instant | None, tuple[_Span, tuple[float, int, str, int, int, str]]] = {}
    for span in stretch:
        if span.last != final:
            continue
        start = bind(span.wording.dates.start, span.from_time)
        ends = bind(span.wording.dates.end, span.from_time)
        rank = (
            -span.wording.confidence,
            -(ends.last if ends else FOREVER),
            span.wording.unit,
            span.wording.start,
            span.wording.end,
            repr(span.wording),
        )
        key = start.first if start else None
        if key not in chosen or rank < chosen[key][1]:
            chosen[key] = (span, rank)
    return [_Span(span.first, final, first.from_time, to_time, _bound(span)) for span, _ in chosen.values()]


def _bound(span: _Span) -> Wording:
    """Bind relative dates to the first version that uses them, so that an unchanged "last Tuesday" stays the day that it was."""
    dates = span.wording.dates
    return replace(span.wording, dates=replace(dates, start=bind(dates.start, span.from_time), end=bind(dates.end, span.from_time)))


def _asserted(claim: Claim, span: _Span) -> Assertion:
    said_from, said_to = span.from_time, span.to_time
    dates = span.wording.dates
    starts, ends = bind(dates.start, said_from), bind(dates.end, said_from)
    start = starts.first if starts else said_from
    end = ends.last if ends else FOREVER
    governs = dates.confidence >= GOVERNS
    if ends and not starts and ends.last <= said_from:
        start = ends.first
    current = span.last is None
    standing = Standing.EVIDENCE
    if not current:
        if start >= said_to or end <= said_from:
            standing = Standing.WITHDRAWN
        else:
            end = min(end, said_to)
    ends_in = ends.first if ends and governs else FOREVER
    return Assertion(
        claim, span.wording, start, end, said_from, said_to, dated=starts is not None and governs, ends_in=ends_in, standing=standing, current=current
    )


def _corrected(claim: Claim, span: _Span) -> Assertion:
    return Assertion(claim, span.wording, span.from_time, span.to_time, span.from_time, span.to_time, standing=Standing.CORRECTED)


def timeline(versions: Sequence[tuple[bytes, str, Instant]], window: int) -> list[Point]:
    """Return the points of a document from all its (position, content, time) in the order of positions."""
    times: list[Instant] = []
    for _, _, time in versions:
        times.append(max(time, times[-1]) if times else time)
    out = taken_out([content for _, content, _ in versions], times, window)
    points: list[Point] = []
    after = Point(b"", FOREVER)
    for (at, _, _), time, gone in zip(reversed(versions), reversed(times), reversed(out), strict=True):
        point = Point(at, time, kept=not gone, next_at=after.at if gone else b"", next_time=after.time if gone else FOREVER)
        points.append(point)
        if not gone:
            after = point
    return points[::-1]


def stated(points: Sequence[Point], states: Sequence[Mapping[tuple[int, int], tuple[Claim, Wording]]]) -> dict[int, tuple[Claim, list[Run]]]:
    """Return every claim with its runs, from what each version states, all versions at once. The store gets the same by comparing neighbours."""
    found: dict[int, tuple[Claim, list[Run]]] = {}
    open_runs: dict[tuple[int, int], tuple[Point, Claim, Wording]] = {}
    for point, state in zip(points, states, strict=True):
        for key in [key for key in open_runs if key not in state]:
            first, claim, wording = open_runs.pop(key)
            found.setdefault(key[0], (claim, []))[1].append(Run(first, point, wording))
        for key, (claim, wording) in state.items():
            open_runs.setdefault(key, (point, claim, wording))
    for key, (first, claim, wording) in open_runs.items():
        found.setdefault(key[0], (claim, []))[1].append(Run(first, None, wording))
    return found
