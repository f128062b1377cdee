"""Chinese clauses: a sentence cut at its commas, each part with its dates, its verb found, and how it holds what it says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from derive.dates.cues import Cue, cues
from derive.dates.timing import Relation, Timing
from derive.prose.chinese_nouns import FILL, PERSON, Noun, noun, trimmed
from derive.prose.chinese_words import ASKS, CONDITIONS, EITHER, REPORTS, VERB

_COMMA = re.compile(
    r"[，；;]|(?<!\d),|,(?!\d)|(?:并且|而且|同时|并(?![非不未没]))(?=[^，,；;]{0,3}(?:由|负责|担任|兼任|位于|管理|运营|领导|拥有|成立|隶属|属于|改|更名|维护|收购|是))"
)
_ASIDE = re.compile(r"[（(][^（()）\n]{0,60}[)）]")
_REACH = 60
"""Characters before a date in which its bracket opens."""
_THING = re.compile("[^，。、]{1,16}(?:公司|[局处港院馆社站会部组队班厂号桥塔闸校店库所室]|系统|服务|集团|大学|医院|码头|渡轮)")
"""A phrase that ends in what a thing is called by; anything else may be a clause whose verb is not known."""
_TITLE = re.compile(r"《[^《》\n]{1,40}》|[“「『][^“”「」『』\n]{1,12}[”」』]")
_BARE = re.compile(r"(?:正式|起|生效|开始|施行|实施|执行|为止|止|任期|有效|有效期|即日|期间|当时|其间|[\s，,：:]){0,4}")
_WORK = re.compile("(?:工作|事务|事宜)?")


@dataclass(frozen=True, slots=True)
class Text:
    """A block as patterns see it: same length, dates and brackets filled. `names`: spans that hold no verb and no joint; `people`: those of persons.

    `sure`: names come from a tagger, not from looks.
    """

    block: str
    shown: str
    masked: str
    asides: tuple[tuple[int, int], ...]
    names: tuple[tuple[int, int], ...]
    people: tuple[tuple[int, int], ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence at [start, end), without its comma, and the dates that say when it holds or what it says.

    `reach` is where the last of its dates ends, which may stand behind it: 陈爱丽担任局长，自2024年起生效.
    """

    start: int
    end: int
    timings: tuple[Timing, ...]
    reach: int


def text_of(block: str, timings: Sequence[Timing], names: Sequence[tuple[int, int]], people: Sequence[tuple[int, int]], *, sure: bool) -> Text:
    """Return a block as patterns see it; without a tagger's names, people are found by their looks."""
    asides = tuple(match.span() for match in _ASIDE.finditer(block))
    shown = _over(block, [*((timing.start, timing.end) for timing in timings), *asides], FILL)
    spoken = [match.span() for match in VERB.finditer(shown) if match["verb"] and len(match["verb"]) > 1]
    names, people = _free(names, spoken), _free(people, spoken)
    persons = tuple(people) if sure else tuple(match.span() for match in PERSON.finditer(shown))
    kept = (*names, *persons, *(match.span() for match in _TITLE.finditer(shown)))
    return Text(block, shown, _over(shown, kept, "N"), asides, tuple(kept), persons, sure)


def _free(names: Sequence[tuple[int, int]], spoken: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the names without those that a tagger drew into a verb: 生领 of 周海生领导. Both in the order of the text."""
    found, place = [], 0
    for start, end in names:
        while place < len(spoken) and spoken[place][1] <= start:
            place += 1
        if place == len(spoken) or end <= spoken[place][0]:
            found.append((start, end))
    return tuple(found)


def _over(text: str, spans: Sequence[tuple[int, int]], sign: str) -> str:
    """Return the text with spans written over by a sign."""
    parts, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            parts += [text[place:start], sign * (end - start)]
            place = end
    return "".join([*parts, text[place:]])


def clauses(text: Text, start: int, end: int, timings: Sequence[Timing]) -> list[Clause]:
    """Return the clauses of a sentence in their order; one that holds nothing but a date gives it to the next, the last ones to the one before.

    A clause then reaches over the date that it was given.
    """
    found: list[Clause] = []
    waiting: list[Timing] = []
    first = -1
    for begin, stop in _cut(text.shown, start, end):
        own = [timing for timing in timings if begin <= timing.start < stop]
        bare = _BARE.fullmatch(text.shown[begin:stop].replace(FILL, "")) is not None
        if bare and not found:
            waiting += own
            first = begin if first < 0 else first
        elif bare:
            found[-1] = replace(found[-1], reach=stop, timings=(*found[-1].timings, *own)) if own else found[-1]
        else:
            found.append(Clause(first if first >= 0 else begin, stop, (*waiting, *own), stop))
            waiting, first = [], -1
    return found


def _cut(shown: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    place = start
    for comma in [*_COMMA.finditer(shown, start, end), None]:
        first, last = trimmed(shown, place, comma.start() if comma else end)
        wide = _widened(shown, place, comma.start() if comma else end)
        if first < last or FILL in shown[slice(*wide)]:
            yield wide
        place = comma.end() if comma else end


def _widened(shown: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without white space and stops at either end; fills stay, they are part of the clause."""
    while start < end and shown[start] in " \t\n\u3000，,。；;！!？?":
        start += 1
    while start < end and shown[end - 1] in " \t\n\u3000，,。；;！!？?":
        end -= 1
    return start, end


def is_asserted(text: Text, start: int, end: int) -> bool:
    """Tell whether a sentence asserts anything: it asks nothing, and holds under no condition."""
    said = text.masked[start:end]
    return ASKS.search(said) is None and CONDITIONS.search(said) is None


def reports(text: Text, clause: Clause) -> bool:
    """Tell whether a clause puts what it says, and what follows, into somebody's mouth or into doubt."""
    return REPORTS.search(text.masked, clause.start, clause.end) is not None or any(
        cue.cue is Cue.REPORTED for cue in cues(text.block[clause.start : clause.end])
    )


def is_open(text: Text, clause: Clause) -> bool:
    """Tell whether a clause says what is planned or possible only, or leaves a choice."""
    return EITHER.search(text.masked, clause.start, clause.end) is not None or any(
        cue.cue is Cue.PLANNED for cue in cues(text.masked[clause.start : clause.end])
    )


def verbs(text: Text, start: int, end: int) -> list[re.Match[str]]:
    """Return the verbs of a span in their order.

    Left out are words that only look like one, those of a relative clause (陈爱丽管理的船队) and those that are nouns (北闸的维护).
    """
    found = [match for match in VERB.finditer(text.masked, start, end) if match["verb"]]
    return [match for match in found if text.masked[match.end() : match.end() + 1] != "的" and not _is_noun(text.masked, match, end)]


def _is_noun(masked: str, verb: re.Match[str], end: int) -> bool:
    return verb.start() > 0 and masked[verb.start() - 1] == "的" and _WORK.fullmatch(masked, verb.end(), end) is not None


def within_aside(block: str, timing: Timing) -> bool:
    """Tell whether a date stands in brackets: it is said of the name before them, not of the sentence."""
    before = block.rfind("（", max(0, timing.start - _REACH), timing.start), block.rfind("(", max(0, timing.start - _REACH), timing.start)
    opened = max(before)
    return opened >= 0 and (match := _ASIDE.match(block, opened)) is not None and timing.end <= match.end()


def names_only(text: Text, clause: Clause) -> Noun | None:
    """Return the thing that a clause names, if that is all it does: 默罗航运公司，总部设在北港."""
    start, end = trimmed(text.shown, clause.start, clause.end)
    return noun(text.shown, start, end) if _THING.fullmatch(text.shown, start, end) and not verbs(text, start, end) else None


def value_timing(clause: Clause, relations: frozenset[Relation]) -> Timing | None:
    """Return the date that completes a verb as its value: the only one, if it bears on the clause in one of these ways."""
    return clause.timings[0] if len(clause.timings) == 1 and clause.timings[0].relation in relations else None
