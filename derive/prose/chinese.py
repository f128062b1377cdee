"""Facts from Chinese prose: rules over clauses. Who finds names is somebody else's; what is here is pure (design notes on facts and time)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from derive.dates.timing import Relation, Timing
from derive.dates.timings import timings
from derive.prose.chinese_asides import asides
from derive.prose.chinese_clauses import Clause, Text, clauses, is_asserted, is_open, names_only, reports, text_of, value_timing, within_aside
from derive.prose.chinese_drafts import LONGEST_SENTENCE, Draft, drafts
from derive.prose.chinese_nouns import LEFT_OUT, PERSON, Lexicon, Noun, is_vague, looks_named
from derive.prose.chinese_words import THAT
from derive.prose.english import DROPPED, jointly
from derive.prose.statements import CLEAN, validity
from derive.text import sentences
from schemas.fact import NO_DATES, SELF, Dates, Fact, FactKind, Relative
from schemas.vocabulary import Cardinality

VERSION = "2"
"""Part of every fingerprint: to be raised whenever these rules, or what they stand on, give other facts for the same text."""
MOST = 6
"""Facts of one sentence that are kept, the surest first; Chinese sentences run on over many clauses."""
_UNSURE_WHO = 0.15
_THING = 0.03
"""What 该公司 costs: it is the one company that was spoken of, if nothing else is meant."""
_IT, _PERSONS = frozenset({"它", "其"}), frozenset({"他", "她"})
_DAYS = frozenset({Relation.AT, Relation.VALUE})
_BOUNDS = {
    "ends": _DAYS | {Relation.UNTIL},
    "effective": _DAYS | {Relation.FROM},
    "starts": _DAYS | {Relation.FROM},
    "opens": _DAYS | {Relation.FROM},
}
"""How a date may stand by a verb that it completes: 有效期至2027年, 自2021年起施行."""
_CLASS = re.compile(r"(?:.*的)?(?P<kind>.{1,4})$")


@dataclass(frozen=True, slots=True)
class Names:
    """What a tagger finds in a block, as spans: names of any kind, and those of people among them. `sure` is False without a tagger."""

    every: tuple[tuple[int, int], ...] = ()
    people: tuple[tuple[int, int], ...] = ()
    sure: bool = False


def chinese_facts(block: str, names: Names, lexicon: Lexicon) -> tuple[Fact, ...]:
    """Return the facts of a Chinese block in the order of its text, spans as offsets into the block."""
    dates = [timing for timing in timings(block) if not within_aside(block, timing)]
    text = text_of(block, dates, names.every, names.people, sure=names.sure)
    found: list[Fact] = []
    known = _Known()
    for start, end in sentences(block):
        if end - start <= LONGEST_SENTENCE:
            inside = [timing for timing in dates if start <= timing.start and timing.end <= end]
            stated = jointly(list(_Sentence(text, start, end, inside, lexicon, known).facts()), lexicon.vocabulary)
            kept = sorted(stated, key=lambda fact: -fact.confidence)[:MOST]
            found += (fact for fact in stated if fact in kept)
        known.next_sentence()
    return tuple(dict.fromkeys(found))


class _Known:
    """What 它, 他 and 该公司 stand for, sentence by sentence."""

    def __init__(self) -> None:
        self._first = True
        self._last: set[str] = set()
        self._now: set[str] = set()
        self._every: list[str] = []
        self._people: list[str] = []
        self._kinds: dict[str, set[str]] = {}

    def said(self, name: str) -> None:
        """Note what a clause speaks of."""
        if name != SELF and name not in self._every:
            self._every.append(name)
        self._now.add(name)

    def person(self, name: str) -> None:
        """Note somebody who can be 他 or 她."""
        if name not in self._people:
            self._people.append(name)

    def is_a(self, kind: str, name: str) -> None:
        """Note what sort of thing a name stands for."""
        self._kinds.setdefault(kind, set()).add(name)

    def next_sentence(self) -> None:
        """Go on; a sentence that says nothing is no antecedent."""
        self._last, self._now, self._first = self._now, set(), False

    def opening(self) -> tuple[str, float] | None:
        """Return what a statement without a subject is about if nothing was spoken of yet: whatever the document is about."""
        return (SELF, _THING) if self._first and not self._every else None

    def antecedent(self, said: str) -> tuple[str, float] | None:
        """Return what a word stands for and what that costs in certainty; None if it cannot be told."""
        if said in _IT:
            names = self._now or self._last
            if len(names) == 1:
                return next(iter(names)), 0.0
            return (SELF, 0.0) if self._first and not names else None
        if said in _PERSONS:
            return (self._people[-1], 0.0 if len(self._people) == 1 else _UNSURE_WHO) if self._people else None
        that = THAT.match(said)
        return self._of_kind(that["kind"]) if that else None

    def _of_kind(self, kind: str) -> tuple[str, float] | None:
        names = {name for name in self._every if name.endswith(kind)} | {
            name for known, some in self._kinds.items() if known.endswith(kind) for name in some
        }
        if len(names) == 1:
            return names.pop(), _THING
        return self.opening()


class _Sentence:
    """One sentence and what is known before it."""

    def __init__(self, text: Text, start: int, end: int, dates: Sequence[Timing], lexicon: Lexicon, known: _Known) -> None:
        self._text = text
        self._start, self._end = start, end
        self._lexicon = lexicon
        self._known = known
        self._clauses = clauses(text, start, end, dates)
        self._topic: str | None = ""

    def facts(self) -> Iterator[Fact]:
        """Yield the facts of the sentence; behind "he says" it states nothing but what stands beside names."""
        asserted = is_asserted(self._text, self._start, self._end)
        for clause in self._clauses:
            for draft in asides(self._text, clause, self._lexicon):
                self._known.person(draft.topic.text)
                yield from self._stated(draft, clause)
            asserted = asserted and not reports(self._text, clause)
            if asserted:
                yield from self._of_clause(clause)

    def _of_clause(self, clause: Clause) -> Iterator[Fact]:
        found = drafts(self._text, clause, self._lexicon)
        topics = list(dict.fromkeys(draft.topic for draft in found))
        open_ended = is_open(self._text, clause)
        for draft in found:
            if not open_ended:
                yield from self._stated(draft, clause)
        if len(topics) == 1:
            resolved = self._resolved(topics[0])
            self._topic = resolved[0] if resolved is not None else None
        elif not found:
            named = names_only(self._text, clause)
            resolved = self._resolved(named) if named is not None else None
            self._topic = resolved[0] if resolved is not None else None

    def _resolved(self, said: Noun) -> tuple[str, float] | None:
        """Return what a noun stands for, and what that costs; None if it points elsewhere or is no name for anything."""
        if said is LEFT_OUT:
            return (self._topic, 0.0) if self._topic else self._known.opening() if self._topic == "" else None
        found = self._known.antecedent(said.text)
        if found is not None or THAT.match(said.text):
            return found
        named = self._without_role(said)
        return None if is_vague(named) or named.endswith("的") or named in _IT | _PERSONS else (named, 0.0)

    def _without_role(self, said: Noun) -> str:
        """Return 陈爱丽 for 港务局局长陈爱丽."""
        person = next((span for span in self._text.people if span[1] == said.end and span[0] > said.start), None)
        named = person is not None and PERSON.match(f"{self._text.shown[slice(*person)]}。") is not None
        if person is None or not named or (not self._text.sure and self._lexicon.role(self._text.shown, said.start, person[0]) is None):
            return said.text
        return self._text.shown[slice(*person)]

    def _stated(self, draft: Draft, clause: Clause) -> Iterator[Fact]:
        subject = self._resolved(draft.subject)
        if draft.value is LEFT_OUT and not self._topic:
            return  # 负责北闸: nobody knows who
        value = self._value(draft, clause)
        if subject is None or value is None or draft.mark == "unsaid":
            return
        fact = self._fact(draft, clause, subject[0], value[0])
        if fact is None:
            return
        cost = draft.cost + subject[1] + value[1] + _doubts(draft, clause, subject[0], value[0], fact.dates)
        if CLEAN - cost >= DROPPED:
            self._noted(draft, subject[0], value[0])
            yield replace(fact, confidence=round(CLEAN - cost, 2))

    def _value(self, draft: Draft, clause: Clause) -> tuple[str, float] | None:
        if draft.value is None:
            date = value_timing(clause, _BOUNDS.get(draft.predicate, _DAYS))
            return (date.text, 0.0) if date is not None and not isinstance(date.first or date.last, Relative) else None
        if draft.value.counted is not None:
            return draft.value.text, 0.15 if draft.value.loose else 0.0
        return self._resolved(draft.value)

    def _fact(self, draft: Draft, clause: Clause, subject: str, value: str) -> Fact | None:
        predicate = self._lexicon.vocabulary.predicate(draft.predicate)
        counted = draft.value.counted if draft.value is not None else None
        if not _fits(predicate.object, draft, value) or value == SELF:
            return None
        functional = predicate.cardinality is Cardinality.FUNCTIONAL
        dates = NO_DATES if draft.value is None else _dates(draft, clause.timings)
        start, end, text = self._wording(draft, clause)
        mentions = [name for name in (subject, value if counted is None and draft.value is not None else "") if looks_named(name) and name != SELF]
        return Fact(
            text=text,
            kind=draft.kind,
            subject=subject,
            predicate=draft.predicate,
            object=value,
            start=start,
            end=end,
            confidence=CLEAN,
            scope=(*draft.scope, *((counted,) if counted and functional else ())),
            mentions=tuple(dict.fromkeys(mentions)),
            dates=dates,
            negated=draft.mark in {"negated", "ended"},
        )

    def _noted(self, draft: Draft, subject: str, value: str) -> None:
        topic = subject if draft.topic in (draft.subject, LEFT_OUT) else value
        if not draft.aside:
            self._known.said(topic)
        if topic != subject or draft.aside:
            self._known.person(value)
        if draft.kind is FactKind.DEFINITION and (kind := _CLASS.match(value)):
            self._known.is_a(kind["kind"], subject)

    def _wording(self, draft: Draft, clause: Clause) -> tuple[int, int, str]:
        """Return where a statement stands, and how it reads alone: the sentence if it has one clause, else the clause, pronouns put in."""
        block = self._text.block
        if draft.aside:
            return draft.topic.start, draft.topic.end, draft.aside
        topic = self._resolved(draft.topic)
        if topic is not None and topic[0] in draft.topic.text:
            if len(self._clauses) == 1:
                return self._start, self._end, block[self._start : self._end]
            return clause.start, clause.reach, _closed(block[clause.start : clause.reach])
        start, rest = clause.start, block[max(draft.start, clause.start) : clause.reach].lstrip(" ，,")
        name = "" if topic is None or topic[0] == SELF else topic[0]
        return start, clause.reach, _closed(f"{name}{rest}")


def _closed(said: str) -> str:
    return said.strip().rstrip("。，,；;！!") + "。"


def _fits(kind: str, draft: Draft, value: str) -> bool:
    """Tell whether a value can be of the type that the vocabulary declares."""
    if draft.value is None:
        return kind in {"date", "any"}
    match kind:
        case "name":
            return draft.value.counted is None and looks_named(value)
        case "quantity" | "number":
            return draft.value.counted is not None
        case "date":
            return False
        case _:
            return True


def _dates(draft: Draft, timings: Sequence[Timing]) -> Dates:
    """Return the validity that the dates of a clause give a statement; a date that is what is said gives it none."""
    when = [timing for timing in timings if timing.relation is not Relation.VALUE]
    return validity(when, event=draft.event, ended=draft.mark == "ended")


def _size(said: str) -> float:
    """Return how long a phrase is in Chinese characters: a Latin word of seven letters says as much as three."""
    return sum(0.4 if character.isascii() else 1.0 for character in said)


def _doubts(draft: Draft, clause: Clause, subject: str, value: str, dates: Dates) -> float:
    """Return what takes certainty from a statement: great length, 可以 (what is possible, mostly also is), a past without an end."""
    doubt = 0.1 * (_size(subject) > 14) + 0.1 * (_size(value) > 20) + 0.1 * (clause.end - clause.start > 60)
    if draft.mark == "possible":
        doubt += 0.2
    if draft.mark == "past" and dates.end is None:
        doubt += 1.0
    return doubt
