"""Prose as words for a parser: sentence by sentence, dates taken out, names of several words made one.

A parser that never saw "Orla Finch" reads "Orla Finch heads Tarn Works" wrongly, and "Smith heads Smith" rightly: so each name goes to the parser as
a well-known stand-in, while all offsets stay those of the text.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from derive.dates.timing import Relation, Timing
from derive.dates.timings import timings
from derive.prose.verbs import known_forms
from derive.text import sentences
from schemas.vocabulary import fold

NAME_FORM = "Smith"
DATE_FORM = "2020"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a sentence: as written at [start, end) of the block, and the form that a parser reads."""

    text: str
    form: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether a stand-in is read for it."""
        return self.form == NAME_FORM


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at [start, end) of a block; `words` without the dates that say when it holds, which are `timings`."""

    start: int
    end: int
    words: tuple[Word, ...]
    timings: tuple[Timing, ...]


_TOKEN = re.compile(
    r"""https?://[^\s)]+ | ['’]s\b | n['’]t\b | \w+?(?=n['’]t\b) | \b[Cc]an(?=not\b)
    | \d+(?:[.,:/-]\d+)*(?:%|st\b|nd\b|rd\b|th\b)? (?!\w)
    | \w[\w+\#]*(?:(?:[-./&:@]|['’](?!s\b))\w[\w+\#]*)*
    | \S""",
    re.VERBOSE,
)
_FUNCTION = frozenset(
    """a an the this that these those each every all any some no both most many few several another other such same it its he his she her they their
    them we our us i my you your who which what whose where when why how there here in on at by for from to of with without within into onto over
    under between among through during since until till before after about above below against as and or but nor so if unless because although
    though while whereas than then once however also both either neither not never only please is are was were be been has have had do does did will
    would can could may might must should shall one two three four five six seven eight nine ten eleven twelve today yesterday tomorrow now
    according given despite per via like unlike meanwhile currently recently formerly previously originally reportedly allegedly supposedly perhaps
    maybe possibly probably presumably apparently hopefully unfortunately finally usually normally generally typically additionally similarly
    consequently eventually initially notably officially
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    everybody everyone somebody someone anybody anyone nobody everything something anything nothing none others tonight
    suppose imagine assume consider let say""".split()
)
_NUMERALS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
"""They end a name ("Quay One"), and begin none."""
_CAPITAL = r"[A-Z][\w+#]*(?:(?:[-./&]|['’](?!s\b))\w[\w+#]*)*"
_NUMERAL = (
    r"\d+(?:[./]\d+)*(?:/[A-Z]{2,4})?\b(?![\w%.,:/-]*\d)(?!\s*(?:%|(?:m|km|cm|mm|kg|t|g|ms|days?|hours?|minutes?|years?|percent|people|members)\b))"
)
_INITIAL = r"[A-Z]\.(?=[ ][A-Z])"
_RUN = re.compile(rf"(?:(?:Mr|Mrs|Ms|Dr|Prof|St)\.\s)?(?:{_INITIAL}[ ]){{0,3}}{_CAPITAL}(?:[ ](?:&[ ])?(?:{_INITIAL}|{_CAPITAL}))*(?:[ ]{_NUMERAL})?")
_PIECE = re.compile(r"\S+")
_INSTITUTION = re.compile(
    r"""\b(?:academy|agency|association|board|bureau|cent(?:er|re)|college|commission|committee|council|department|faculty|federation|foundation
    |fund|institut(?:e|ion)|laboratory|ministry|museum|office|organi[sz]ation|school|secretariat|society|union|university)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_SEAT = re.compile(r"\b(?:college|school|university)\b", re.IGNORECASE)
_OWNS = re.compile(r"['’]s[ ][a-z]")
_NEXT = re.compile(r"\s+([a-z]+)\b")
_SERIAL = re.compile(r"\b[A-Z][\w-]*[ ](\d+(?:/\d+)+)")
"""A number with a year behind a capitalised noun: "Act 12/2021" is no month."""
_SEMICOLON = re.compile(r";\s+")
_WHOLE = re.compile(
    r"""["“”?:(] | \b(?:according|reportedly|allegedly|supposedly|perhaps|maybe|possibly|probably|presumably|apparently|said|says?|claim\w*|report\w*
    |stat(?:es?|ed)|announc\w*|argu\w*|believ\w*|think|thought|if|unless|whether|would|should)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What may hold for all parts of a sentence: such a one is not taken apart."""


def sentences_of(block: str, roles: Collection[str] = ()) -> Iterator[Sentence]:
    """Yield the sentences of a block. `roles` are folded nouns ("ceo", "managing director") that are no part of a name."""
    serials = [match.span(1) for match in _SERIAL.finditer(block)]
    dates = [timing for timing in timings(block) if not any(start < timing.end and timing.start < end for start, end in serials)]
    for start, end in (part for whole in sentences(block) for part in _parts(block, *whole)):
        inside = [timing for timing in dates if start <= timing.start and timing.end <= end]
        yield Sentence(start, end, tuple(_words(block, start, end, inside, roles)), tuple(t for t in inside if t.relation is not Relation.VALUE))


def _parts(block: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence between semicolons."""
    if not _WHOLE.search(block, start, end):
        for match in _SEMICOLON.finditer(block, start, end):
            yield start, match.start()
            start = match.end()
    yield start, end


def _words(block: str, start: int, end: int, dates: list[Timing], roles: Collection[str]) -> Iterator[Word]:
    """Yield the words between dates, with names merged, and the dates that are values; a comma behind a leading date goes with it."""
    place, first = start, True
    for timing in [*dates, None]:
        stop = timing.start if timing else end
        for word in _named(block, place, stop, roles, first=first):
            if not (first and word.text in {",", "("}):
                yield word
                first = False
        if timing is not None:
            place = timing.end
            if timing.relation is Relation.VALUE:
                yield Word(timing.text, DATE_FORM, timing.start, timing.end)
                first = False


def _named(block: str, start: int, end: int, roles: Collection[str], *, first: bool) -> Iterator[Word]:
    names = list(_names(block, start, end, roles, first=first))
    for match in _TOKEN.finditer(block, start, end):
        while names and names[0][1] <= match.start():
            names.pop(0)
        if not names or match.start() < names[0][0]:
            yield Word(match[0], _plain(match[0], roles), *match.span())
        elif match.start() == names[0][0]:
            begin, stop = names[0]
            yield Word(block[begin:stop], NAME_FORM, begin, stop)


def _plain(text: str, roles: Collection[str]) -> str:
    return text.casefold() if fold(text) in roles else text


def _names(block: str, start: int, end: int, roles: Collection[str], *, first: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of names: runs of capitalised words, with a number behind them, without function words and roles at either end.

    A single capitalised word that begins the sentence may be any word, unless it is written like an identifier or a verb of the third person follows.
    """
    runs = (span for match in _RUN.finditer(block, start, end) for span in _cleaned(block, *match.span(), roles))
    for span in _institutions(block, list(runs)):
        text = block[span[0] : span[1]]
        opening = first and not block[start : span[0]].strip()
        if not opening or " " in text or not text[1:].islower() or _acts(block, span[1], end):
            yield span


def _institutions(block: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans, those of one institution joined: "Institute for Advanced Study", "University of Tarn at Pellness"."""
    place = 0
    while place < len(spans):
        start, end = spans[place]
        place += 1
        while place < len(spans) and (joint := block[end : spans[place][0]]) in {" for ", " of ", " at "}:
            text = block[start : spans[place][0]]
            behind = place + 1 < len(spans) and block[spans[place][1] : spans[place + 1][0]] in {" for ", " at "}
            whole = {" for ": _INSTITUTION.search(text), " at ": _SEAT.search(text) and " of " in text, " of ": _INSTITUTION.search(text) and behind}
            if not whole[joint]:
                break
            end = spans[place][1]
            place += 1
        yield start, end


def _acts(block: str, place: int, end: int) -> bool:
    """Tell whether a verb of the third person follows ("Bramble runs on Node 16"), or what it owns ("Bramble's owner").

    A parser may take both words for common nouns.
    """
    following = _NEXT.match(block, place, end)
    verb = following is not None and "VBZ" in known_forms().get(following[1], ("", frozenset()))[1]
    return verb or _OWNS.match(block, place, end) is not None


def _cleaned(block: str, start: int, end: int, roles: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a run between function words, leading role nouns cut."""
    words = [match.span() for match in _PIECE.finditer(block, start, end)]
    part: list[tuple[int, int]] = []
    for span in [*words, (end, end)]:
        text = block[slice(*span)]
        if text and (text.casefold() not in _FUNCTION or (part and text.casefold() in _NUMERALS)):
            part.append(span)
            continue
        part = _without_role(block, part, roles)
        if part and not block[slice(*part[0])].isdigit():
            yield part[0][0], part[-1][1]
        part = []


def _without_role(block: str, part: list[tuple[int, int]], roles: Collection[str]) -> list[tuple[int, int]]:
    for size in (3, 2, 1):
        if len(part) >= size and fold(block[part[0][0] : part[size - 1][1]]) in roles:
            return part[size:]
    return part
