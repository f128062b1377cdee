"""Grounding: what a language model says of a block becomes facts, as far as the block itself says so.

A model may misread, invent, or obey what a document tells it. So nothing of its answer is taken at its word: the quotation must stand in the block;
subject, object, dates and qualifiers must stand beside it and are taken over as the block spells them; negation, doubt and orders are read from the
block. What fails is refused, with the reason. Predicates go through the vocabulary and dates through `derive.dates.timings`, as with every extractor.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from derive.dates.time import whole_moment
from derive.dates.timing import Relation, Timing
from derive.markup.structure import is_name
from derive.prose import doubts
from derive.prose.english import DROPPED, jointly
from derive.prose.ground import Ground, Span
from derive.prose.kinds import can_be
from derive.prose.phrases import UNITS
from derive.prose.statements import validity
from derive.prose.verbs import base_form, third_person
from derive.text import squeeze
from schemas.fact import NO_DATES, SELF, Dates, Fact, FactKind
from schemas.vocabulary import Cardinality, Vocabulary, fold

VERSION = "4"
"""Part of the fingerprint of every extractor that grounds: to be raised whenever the same answer gives other facts."""
MOST = 8
"""Facts of one block, the surest first; 3 to 8 are asked for."""
LOOKED_AT = 100
"""Answers for one block that are checked: an answer of 4,000 tokens holds no more. One that has a million would stop the flow."""
BEST = 0.95
"""Confidence of a fact at most: models are surer than they are right."""
ITSELF = "SELF"
"""The subject by which a model means the document."""
_UNSUPPORTED, _UNREAD, _POSSIBLE, _UNDATED, _NARROWED = 0.15, 0.15, 0.2, 0.2, 0.2
"""What is taken off: no word of the quotation supports the predicate; a date that cannot be read; "can"; "was" without a date; a narrowed denial."""
_ANYBODY, _DONE_BY_ANYBODY = 0.2, 0.35
"""What an indefinite subject costs ("a passenger waits"), and more in the past: nobody knows which."""


class Refusal(StrEnum):
    """Why a fact was dropped; the label of a metric."""

    QUOTE = "quote"
    SUBJECT = "subject"
    PREDICATE = "predicate"
    OBJECT = "object"
    TYPE = "type"
    DATE = "date"
    SCOPE = "scope"
    POLARITY = "polarity"
    STANCE = "stance"
    ORDER = "order"
    CONFIDENCE = "confidence"
    SURPLUS = "surplus"


@dataclass(frozen=True, slots=True)
class Said:
    """A fact as a model words it. `subject` is ITSELF for the document; `start`, `end`: dates as written, "" without; `confidence` 0..1."""

    quote: str
    subject: str
    predicate: str
    object: str
    kind: FactKind
    negated: bool = False
    start: str = ""
    end: str = ""
    qualifiers: tuple[str, ...] = ()
    confidence: float = 1.0


_FIRST_WORDS = re.compile(r"(?:it|this|these|here|its|their|his|her|he|she|they|that)\b", re.IGNORECASE)
_OWNERS = frozenset({"its", "their", "his", "her"})
_OF_ITSELF = re.compile(
    r"""\W*(?:(it|its|this|these|here)\b | 本(?!地|人|身|质|来)
    | the\ (?:document|page|article|guide|note|ticket|issue|proposal|policy|plan|manual|runbook)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_BACK = re.compile(r"\b(?:it|its|he|his|she|her|they|their|this|these)\b|[该其它他她此]", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?:it|he|she|they|them|him|her|we|us|i|you|this|that|these|those|who|which|one|others?|someone|everyone|the (?:same|former|latter)"
    r"|(?:this|that|these|those|such|its|his|her|their|our|your|my|another|other) .*)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\A(?:the|an?) (?=\S)", re.IGNORECASE)
_WORD = re.compile(r"\b(?!(?:the|an?)\b)\w", re.IGNORECASE)
_ANY = re.compile(r"(?:an?|some|several|another)\s+\Z", re.IGNORECASE)
_AUXILIARY = re.compile(r"(?:is|are|was|were|be|been|has been|have been|had been) (?=\w+ (?:by|of|in|at|on|to|for|from|with|as)\b|\w+ed\b)")
_NUMBER = re.compile(r"\d|(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
_COUNTED = re.compile(r"\d[\d.,]*\s+(\S.*)")
_STEM = 4
"""Letters by which a word is known again: "operates", "operated", "operator"."""


class _Refused(Exception):
    """One fact is refused."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why = why


def grounded(ground: Ground, answers: Sequence[Said], vocabulary: Vocabulary) -> tuple[tuple[Fact, ...], list[Refusal]]:
    """Return the facts among a model's answers that the block bears out, in the order of its text, and why the others were refused."""
    found: list[Fact] = []
    refused: list[Refusal] = [Refusal.SURPLUS] * max(0, len(answers) - LOOKED_AT)
    for said in answers[:LOOKED_AT]:
        try:
            found.append(_Check(ground, said, vocabulary).fact())
        except _Refused as one:
            refused.append(one.why)
    distinct = list(dict.fromkeys(found))
    kept = sorted(distinct, key=lambda fact: (-fact.confidence, fact.start))[:MOST]
    refused += [Refusal.SURPLUS] * (len(distinct) - len(kept))
    by_sentence: dict[int, list[Fact]] = {}
    for fact in sorted(kept, key=lambda fact: (fact.start, fact.end)):
        by_sentence.setdefault(ground.around((fact.start, fact.end))[0].start, []).append(fact)
    return tuple(fact for facts in by_sentence.values() for fact in jointly(facts, vocabulary)), refused


class _Check:
    """Checks one answer, part by part."""

    def __init__(self, ground: Ground, said: Said, vocabulary: Vocabulary) -> None:
        self._ground = ground
        self._said = said
        self._vocabulary = vocabulary
        found = ground.find(said.quote, (0, len(ground.text)))
        sentences = ground.around(found) if found else []
        if found is None or not 1 <= len(sentences) <= 2:
            raise _Refused(Refusal.QUOTE)
        self._quote = found
        self._scene = sentences[0].start, sentences[-1].end
        self._words = ground.text[slice(*found)]

    def fact(self) -> Fact:
        """Return the fact, as the block spells it."""
        said, ground = self._said, self._ground
        subject = self._subject()
        value = self._object(subject)
        span = self._span(subject)
        self._asserted(span)
        predicate, turned = self._predicate(subject, value)
        negated = self._polarity(span)
        dates, cost = self._dates(value, span)
        scope = self._scope(predicate, subject, value)
        confidence = round(min(said.confidence, BEST) - cost - self._cost(predicate, subject, dates, narrowed=negated and bool(scope)), 2)
        if confidence < DROPPED:
            raise _Refused(Refusal.CONFIDENCE)
        one, other = (SELF if subject is None else ground.text[slice(*subject)]), squeeze(ground.text[slice(*value)])
        one = squeeze(one) if subject else one
        names = dict.fromkeys([one, *([other] if self._can_be_a_name(other) else []), *ground.names(self._quote)])
        if turned:
            one, other = other, one
        return Fact(
            text=self._text(subject),
            kind=said.kind,
            subject=one,
            predicate=predicate,
            object=other,
            start=self._quote[0],
            end=self._quote[1],
            confidence=confidence,
            scope=scope,
            mentions=tuple(name for name in names if name != SELF),
            dates=dates,
            negated=negated,
        )

    def _span(self, subject: Span | None) -> Span:
        """Return the part of the sentences that says it: the quotation, and the subject beside it, so that a short quotation hides no word."""
        if subject is None or subject[0] < self._scene[0]:
            return self._quote
        return min(self._quote[0], subject[0]), max(self._quote[1], subject[1])

    def _asserted(self, span: Span) -> None:
        """Refuse what the block does not assert: orders to a machine, questions, doubts, plans. A procedure may say what ought to be, and when."""
        before = self._ground.text[self._scene[0] : span[1]]
        known = self._vocabulary.canonical(self._said.predicate) in self._vocabulary.predicates
        procedure = self._said.kind is FactKind.PROCEDURE and not known
        if span[1] > self._ground.orders:
            raise _Refused(Refusal.ORDER)
        if self._ground.text[: self._scene[1]].rstrip("\"')]”’ ").endswith("?"):
            raise _Refused(Refusal.STANCE)
        if not procedure and (doubts.unsure(before) or doubts.conditional(self._ground.text[slice(*self._scene)]) or doubts.duty(before)):
            raise _Refused(Refusal.STANCE)
        if doubts.former(self._clause(span)) and not self._said.end:
            raise _Refused(Refusal.STANCE)

    def _clause(self, span: Span) -> str:
        start, end = self._scene
        return doubts.clause(self._ground.text[start:end], span[0] - start, span[1] - start)

    def _subject(self) -> Span | None:
        """Return where the subject stands: beside the quotation, or before it if the sentence points back. None for the document itself."""
        said, text = self._said.subject.strip(), self._ground.text
        if said == ITSELF:
            itself = _OF_ITSELF.match(text, self._scene[0])
            if itself is None or (itself[1] and self._scene[0] > self._ground.sentences[0].start):
                raise _Refused(Refusal.SUBJECT)
            return None
        bare = _ARTICLE.sub("", said)
        if _VAGUE.fullmatch(said) or _VAGUE.fullmatch(bare):
            raise _Refused(Refusal.SUBJECT)
        found = self._ground.find(bare, self._quote) or self._ground.find(bare, self._scene)
        if found is None and _BACK.search(text, *self._scene):
            found = self._ground.find(bare, (0, self._scene[0]))
        if found is None:
            raise _Refused(Refusal.SUBJECT)
        return found

    def _object(self, subject: Span | None) -> Span:
        """Return where the object stands: in the quotation, and not as its subject."""
        said = self._said.object.strip()
        bare = _ARTICLE.sub("", said)
        found = self._ground.find(bare, self._quote)
        if found is None or _VAGUE.fullmatch(said) or (subject and subject[0] <= found[0] and found[1] <= subject[1]):
            raise _Refused(Refusal.OBJECT)
        taken = [found, *([subject] if subject else [])]
        rest = "".join(letter for place, letter in enumerate(self._words, self._quote[0]) if not any(_meet((place, place + 1), one) for one in taken))
        if not _WORD.search(rest):  # two names beside each other state nothing
            raise _Refused(Refusal.QUOTE)
        return found

    def _predicate(self, subject: Span | None, value: Span) -> tuple[str, bool]:
        """Return the canonical predicate, and whether subject and object change places. Words that nobody knows must stand in the sentences."""
        vocabulary = self._vocabulary
        words = fold(self._said.predicate)
        other = squeeze(self._ground.text[slice(*value)])
        for form in _forms(words):
            inverse = vocabulary.inverses.get(form)
            if inverse is not None and subject is not None and self._can_be_a_name(other) and can_be(other, vocabulary.predicate(inverse).subject):
                return inverse, True
            canonical = vocabulary.canonical(form)
            if canonical in vocabulary.predicates:
                return self._typed(canonical, form, subject, other), False
        if not words or len(words) > 60 or not self._supported([words]):
            raise _Refused(Refusal.PREDICATE)
        return words, False

    def _typed(self, canonical: str, form: str, subject: Span | None, value: str) -> str:
        """Return the predicate for a value: the canonical one if it takes it, else the bare verb ("carry" mail, where "carries" takes quantities)."""
        form = form if form.isascii() else canonical  # words of another language mean what the name means
        first, _, rest = form.partition(" ")
        plain = f"{base_form(first)} {rest}".rstrip()
        known = self._vocabulary.predicate(canonical)
        if _fits(value, known.object) and can_be(squeeze(self._ground.text[slice(*subject)]) if subject else SELF, known.subject):
            return canonical
        if plain == form or self._vocabulary.canonical(plain) in self._vocabulary.predicates:
            raise _Refused(Refusal.TYPE)
        return plain

    def _supported(self, spellings: Sequence[str]) -> bool:
        """Tell whether a word of any spelling of a predicate stands, by its stem, in the sentences; short words alone support nothing."""
        scene = fold(self._ground.text[slice(*self._scene)])
        stems = {word[:_STEM] for words in spellings for word in words.split() if len(word) > 2 or not word.isascii()}
        return any(re.search(rf"\b{re.escape(stem)}" if stem.isascii() else re.escape(stem), scene) for stem in stems) or not stems

    def _polarity(self, span: Span) -> bool:
        """Return whether the fact is negated; refuse it if the block says otherwise."""
        if doubts.denied(self._clause(span)) != self._said.negated:
            raise _Refused(Refusal.POLARITY)
        return self._said.negated

    def _dates(self, value: Span, span: Span) -> tuple[Dates, float]:
        """Return the validity by the dates that the answer points to, and what an unreadable one costs."""
        chosen: list[Timing] = []
        unread = 0.0
        for said in filter(None, (self._said.start.strip(), self._said.end.strip())):
            place = self._ground.find(said, self._scene)
            if place is None:
                raise _Refused(Refusal.DATE)
            timing = next((one for one in self._ground.dates if one.start < place[1] and place[0] < one.end), None)
            if timing is None or timing.relation is Relation.VALUE:
                unread = _UNREAD
            elif timing not in chosen and not (value[0] <= place[0] and place[1] <= value[1]):
                chosen.append(timing)
        ended = self._said.negated and doubts.ended(self._clause(span))
        return validity(chosen, event=self._said.kind is FactKind.EVENT, ended=ended), unread

    def _scope(self, predicate: str, subject: Span | None, value: Span) -> tuple[str, ...]:
        """Return what narrows a functional statement: qualifiers beside it, as the block spells them, and those that the vocabulary knows."""
        spans = {self._ground.find(words, self._scene) for words in self._said.qualifiers if words.strip()}
        if None in spans:
            raise _Refused(Refusal.SCOPE)
        if self._vocabulary.predicate(predicate).cardinality is not Cardinality.FUNCTIONAL:
            return ()
        taken = [*([subject] if subject else []), value, *((date.start, date.end) for date in self._ground.dates)]
        spans |= {
            (word.start, word.end)
            for sentence in self._ground.around(self._quote)
            for word in sentence.words
            if fold(word.text) in self._vocabulary.qualifiers and self._quote[0] <= word.start and word.end <= self._quote[1]
        }
        free = sorted(
            span for span in spans if span and not any(_meet(span, other) for other in [*taken, *((d.start, d.end) for d in self._ground.dates)])
        )
        counted = _COUNTED.fullmatch(squeeze(self._ground.text[slice(*value)]))
        nouns = [counted[1].casefold()] if counted and counted[1].split()[0].casefold() not in UNITS else []
        return tuple(dict.fromkeys([*nouns, *(squeeze(self._ground.text[slice(*span)]).casefold() for span in free)]))

    def _cost(self, predicate: str, subject: Span | None, dates: Dates, *, narrowed: bool) -> float:
        event = self._said.kind is FactKind.EVENT
        known = self._vocabulary.predicate(predicate)
        spellings = [known.name, *known.aliases, known.inverse, *(words for words, name in self._vocabulary.inverses.items() if name == predicate)]
        cost = 0.0 if self._supported(spellings) else _UNSUPPORTED
        cost += _POSSIBLE if doubts.possible(self._words) else 0.0
        cost += _UNDATED if doubts.past(self._words) and not event and dates == NO_DATES else 0.0
        cost += _NARROWED if narrowed else 0.0
        if subject and _ANY.search(self._ground.text, 0, subject[0]):
            cost += _DONE_BY_ANYBODY if event else _ANYBODY
        return cost

    def _can_be_a_name(self, words: str) -> bool:
        return is_name(words) and not _NUMBER.match(words) and len(words.split()) <= 8

    def _text(self, subject: Span | None) -> str:
        """Return how the quotation reads alone: with its subject in front where a pronoun stood, without one where that is the document."""
        words = squeeze(self._words).rstrip(".;,:")
        if subject is not None and self._quote[0] <= subject[0] and subject[1] <= self._quote[1]:
            return words[:1].upper() + words[1:] + "."
        first = _FIRST_WORDS.match(words)
        rest = words[first.end() :].lstrip() if first else words
        if subject is None:
            return rest + "."
        name = squeeze(self._ground.text[slice(*subject)])
        joint = "'s" if first and first[0].casefold() in _OWNERS else "" if first or words[:1].islower() else ":"
        lead = name + joint
        return f"{lead[:1].upper()}{lead[1:]} {rest}."


def _forms(words: str) -> Iterator[str]:
    """Yield the spellings under which a predicate may be known: as it is, without an auxiliary, in the third person."""
    yield words
    bare = _AUXILIARY.sub("", words, count=1)
    if bare != words:
        yield bare
    first, _, rest = words.partition(" ")
    if first.isascii() and first.isalpha():
        yield f"{third_person(first)} {rest}".rstrip()


def _fits(value: str, kind: str) -> bool:
    """Tell whether a value can be one of a type of the vocabulary."""
    match kind:
        case "name":
            return is_name(value) and not _NUMBER.match(value)
        case "quantity":
            return _NUMBER.match(value) is not None
        case "number":
            return value[:1].isdigit()
        case "date":
            return whole_moment(value) is not None
        case "version" | "boolean":
            return not is_name(value)
        case _:
            return True


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
