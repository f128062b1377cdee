"""Facts from prose: rules over a parse. The parser is somebody else's; what is here is pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.clauses import Clause, clauses
from derive.drafts import Draft, appositions, drafts_of
from derive.phrases import Phrase
from derive.stance import Stance, stance_of
from derive.statements import Setting, fact_of
from derive.timing import Timing
from derive.token import Parse
from derive.words import Sentence
from schemas.fact import SELF, Fact
from schemas.vocabulary import Cardinality, Vocabulary

VERSION = "4"
"""Part of every fingerprint: to be raised whenever these rules, or what they stand on, give other facts for the same text."""
MOST = 3
"""Facts of one sentence that are kept, the surest first: more is a sentence that was read wrongly."""
DROPPED = 0.6
"""Confidence below which a fact is not kept (DESIGN.md 5.3)."""
_IT = frozenset({"it"})
_PERSONS = frozenset({"he", "she"})
_UNSURE_WHO = 0.15
_RELATIVE, _FAR_RELATIVE = 0.03, 0.1
"""What a relative clause costs: right behind its noun, or with words between, where it may belong to another one."""


def roles(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the nouns that name roles ("ceo", "harbour master"): they are no part of a name."""
    return frozenset(words.removesuffix(" of") for words in vocabulary.inverses if words.endswith(" of"))


def facts_of_block(block: str, sentences: Sequence[Sentence], parses: Sequence[Parse | None], vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """Return the facts of a block in the order of its text; a sentence without a parse says nothing."""
    found: list[Fact] = []
    subjects = _Subjects()
    for sentence, parse in zip(sentences, parses, strict=True):
        if parse:
            stated = jointly(list(_of_sentence(block, sentence, parse, subjects, vocabulary)), vocabulary)
            kept = sorted(stated, key=lambda fact: -fact.confidence)[:MOST]
            found += (fact for fact in stated if fact in kept)
        subjects.next_sentence()
    return tuple(dict.fromkeys(found))


def jointly(facts: list[Fact], vocabulary: Vocabulary) -> list[Fact]:
    """Return the facts of a sentence; where it gives one functional key several values ("owned by A and B"), they hold together."""
    values: dict[tuple[str, str, tuple[str, ...]], set[str]] = {}
    for fact in facts:
        values.setdefault((fact.subject, fact.predicate, fact.scope), set()).add(fact.object)
    joint = {key for key, objects in values.items() if len(objects) > 1 and vocabulary.predicate(key[1]).cardinality is Cardinality.FUNCTIONAL}
    return [replace(fact, predicate=f"jointly {fact.predicate}") if (fact.subject, fact.predicate, fact.scope) in joint else fact for fact in facts]


class _Subjects:
    """What "it", "he", "she" and "the bridge" stand for, sentence by sentence."""

    def __init__(self) -> None:
        self._kinds: dict[str, set[str]] = {}
        self._first = True
        self._last: set[str] = set()
        self._now: set[str] = set()
        self._persons: list[str] = []

    def said(self, subject: Phrase) -> None:
        """Note a subject that stands for itself."""
        self._now.add(subject.text)
        if subject.names == (subject.text,) and " " in subject.text:
            self.is_a(subject.text.split()[-1], subject.text)
        if subject.names == (subject.text,) and 2 <= len(subject.text.split()) <= 3 and subject.text not in self._persons:
            self._persons.append(subject.text)

    def is_a(self, kind: str, name: str) -> None:
        """Note what sort of thing a name stands for: the Basin Bridge is a bridge."""
        self._kinds.setdefault(kind.casefold(), set()).add(name)

    def of_kind(self, kind: str) -> str:
        """Return the one thing of its kind that was spoken of; "" if there is none, or another one."""
        names = self._kinds.get(kind, set())
        return next(iter(names)) if len(names) == 1 else ""

    def carried(self, name: str) -> None:
        """Note that a sentence went on about the same thing."""
        self._now.add(name)

    def next_sentence(self) -> None:
        """Go on; a sentence that says nothing is no antecedent."""
        self._last, self._now, self._first = self._now, set(), False

    def antecedent(self, pronoun: str) -> tuple[str, float]:
        """Return what a pronoun stands for ("" if that cannot be told), and what that costs in certainty."""
        if pronoun in _IT:
            if self._first:
                return SELF, 0.0
            return (next(iter(self._last)), 0.0) if len(self._last) == 1 else ("", 0.0)
        if pronoun in _PERSONS and self._persons:
            return self._persons[-1], 0.0 if len(self._persons) == 1 else _UNSURE_WHO
        return "", 0.0


def _of_sentence(block: str, sentence: Sentence, parse: Parse, subjects: _Subjects, vocabulary: Vocabulary) -> Iterator[Fact]:
    found = list(clauses(parse))
    drafts = [(draft, clause) for clause in found for draft in drafts_of(parse, clause, vocabulary)]
    asides = [(draft, Clause(draft.verb, ())) for draft in appositions(parse, vocabulary)]
    verbs = [clause.verb for clause in found]
    for draft, clause in [*drafts, *asides]:
        aside = draft.aside
        stance = Stance.ASSERTED if aside else stance_of(parse, clause.verb)
        name, cost = _stands_for(draft, parse, subjects)
        if stance is Stance.NOT_ASSERTED or name is None:
            continue
        setting = Setting(
            parse,
            sentence.start,
            sentence.end,
            () if aside else _timings(sentence, parse, verbs, clause.verb),
            stance,
            name,
            cost + (0.0 if not clause.relative else _RELATIVE if clause.close else _FAR_RELATIVE),
            len(drafts) + len(asides) == 1,
        )
        fact = fact_of(draft, setting, vocabulary, block)
        if fact is not None and fact.confidence >= DROPPED:
            yield fact
            if not aside:
                subjects.carried(name) if name else subjects.said(draft.subject)
            if draft.definition and draft.object is not None and draft.subject.names:
                subjects.is_a(parse[draft.object.head].text, name or draft.subject.text)


def _stands_for(draft: Draft, parse: Parse, subjects: _Subjects) -> tuple[str | None, float]:
    """Return what the subject stands for if it is a pronoun or "the bridge"; "" if it stands for itself; None if it cannot be told."""
    token = parse[draft.subject.head]
    word = token.text.casefold()
    if token.pos == "PRON" or word in _POSSESSIVE:
        name, cost = subjects.antecedent(_POSSESSIVE.get(word, word))
        return name or None, cost
    definite = len(draft.subject.words) == 2 and parse[draft.subject.words[0]].text.casefold() == "the"
    return (subjects.of_kind(draft.subject.text) if definite and token.text.islower() else ""), 0.0


_POSSESSIVE = {"its": "it", "his": "he", "her": "she"}


def _timings(sentence: Sentence, parse: Parse, verbs: Sequence[int], verb: int) -> tuple[Timing, ...]:
    """Return the dates that belong to a verb: those behind it and before the next one; those before the first verb belong to it."""
    starts = sorted(parse[number].start for number in verbs)
    mine = parse[verb].start
    owners = [max((start for start in starts if start < timing.start), default=starts[0]) for timing in sentence.timings]
    return tuple(timing for timing, owner in zip(sentence.timings, owners, strict=True) if owner == mine)
