"""Judging: what an extractor found in labelled sentences, beside what a careful reader finds."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from bench.support.labels import Expected, Sentence
from derive.dates.time import iso_moment
from derive.names import normal
from derive.values import value_of
from schemas.fact import Period
from schemas.value import ValueKind
from schemas.vocabulary import Vocabulary, fold

_BE = frozenset({"is", "are", "was", "were", "be", "been"})
_SAME_AS_IS = frozenset({*_BE, "type", "kind"})
_ARTICLES = frozenset({"a", "an", "the"})
_WORD = re.compile(r"-?[^\W_]+(?:[.,/&'+:-]+[^\W_]+)*")
_EXACT = frozenset({ValueKind.DATE, ValueKind.NUMBER, ValueKind.VERSION, ValueKind.BOOLEAN})


@dataclass(frozen=True, slots=True)
class Found:
    """A fact as the index would hold it: names resolved within the document, dates bound to the document's own."""

    subject: str
    predicate: str
    object: str
    scope: tuple[str, ...] = ()
    negated: bool = False
    start: Period | None = None
    end: Period | None = None

    def __str__(self) -> str:
        """Return it on one line."""
        marks = ["not "] * self.negated, [f" [{part}]" for part in self.scope], [" with dates"] * (self.start is not None or self.end is not None)
        return f"{''.join(marks[0])}{self.subject} | {self.predicate} | {self.object}{''.join(marks[1])}{''.join(marks[2])}"


@dataclass(slots=True)
class Score:
    """Counts over sentences; sums of them are counts again. Facts, not sentences, except `sentences`. Owned by who adds up.

    `matched` of the `expected` facts were found, `right` of the `found` ones are expected or optional. `dates_said`: matched facts whose label or
    whose finding has a date; `dates_right` of them have both ends right. `scopes_said` and `scopes_right`: the same for qualifiers.
    """

    sentences: int = 0
    expected: int = 0
    matched: int = 0
    found: int = 0
    right: int = 0
    polarity_errors: int = 0
    dates_said: int = 0
    dates_right: int = 0
    scopes_said: int = 0
    scopes_right: int = 0

    def add(self, other: "Score") -> None:
        """Count another one in."""
        for name in Score.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def precision(self) -> float:
        """Share of the facts found that are right; 1 if none was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of the facts expected that were found; 1 if none is expected."""
        return self.matched / self.expected if self.expected else 1.0

    @property
    def validity(self) -> float:
        """Share of the matched facts with a date, said or found, that have both ends right."""
        return self.dates_right / self.dates_said if self.dates_said else 1.0

    @property
    def scope(self) -> float:
        """Share of the matched facts with a qualifier that kept it."""
        return self.scopes_right / self.scopes_said if self.scopes_said else 1.0


@dataclass(slots=True)
class Judgement:
    """What came of one sentence: the counts, and what is to be shown of it. Owned by `judged`."""

    sentence: Sentence
    score: Score = field(default_factory=Score)
    missed: list[Expected] = field(default_factory=list)
    false: list[Found] = field(default_factory=list)
    polarity: list[Found] = field(default_factory=list)
    misdated: list[tuple[Expected, Found]] = field(default_factory=list)
    unscoped: list[tuple[Expected, Found]] = field(default_factory=list)


def judged(sentence: Sentence, found: Sequence[Found], vocabulary: Vocabulary) -> Judgement:
    """Compare what was found in a sentence with its labels.

    A polarity error is a statement that is taken for its contrary, or one that is believed although the sentence only plans, supposes, reports, asks
    or denies it. It counts as false too.
    """
    judgement, compare = Judgement(sentence, Score(sentences=1, found=len(found))), _Comparison(vocabulary)
    taken: dict[str, tuple[Expected, Found]] = {}
    for one in found:
        alike = [fact for fact in sentence.facts if compare.same(fact, one)]
        right = [fact for fact in alike if _polarity_fits(fact, one)]
        if right:
            judgement.score.right += 1
            for fact in right:
                _keep(taken, _group(sentence, fact), fact, one)
            continue
        judgement.false.append(one)
        if _is_polarity_error(sentence, one, alike, compare):
            judgement.polarity.append(one)
    _count(judgement, taken)
    return judgement


def _keep(taken: dict[str, tuple[Expected, Found]], group: str, fact: Expected, one: Found) -> None:
    """Remember a match, unless the group has a better one already."""
    before = taken.get(group)
    if before is None or (_dates_fit(*before), _scope_fits(*before)) < (_dates_fit(fact, one), _scope_fits(fact, one)):
        taken[group] = (fact, one)


def _group(sentence: Sentence, fact: Expected) -> str:
    return fact.either or str(sentence.facts.index(fact))


def _count(judgement: Judgement, taken: dict[str, tuple[Expected, Found]]) -> None:
    sentence, score = judgement.sentence, judgement.score
    required = {_group(sentence, fact): fact for fact in reversed(sentence.facts) if not fact.optional}
    score.expected, score.matched = len(required), len(required.keys() & taken.keys())
    score.polarity_errors = len(judgement.polarity)
    judgement.missed = [required[group] for group in reversed(required) if group not in taken]
    for fact, one in taken.values():
        if fact.dated or one.start or one.end:
            score.dates_said += 1
            score.dates_right += _dates_fit(fact, one)
            judgement.misdated += [(fact, one)] * (not _dates_fit(fact, one))
        if fact.scope:
            score.scopes_said += 1
            score.scopes_right += _scope_fits(fact, one)
            judgement.unscoped += [(fact, one)] * (not _scope_fits(fact, one))


def _is_polarity_error(sentence: Sentence, one: Found, alike: Sequence[Expected], compare: "_Comparison") -> bool:
    if alike:
        return True
    if any(compare.same_ends(fact, one) and fact.negated != one.negated and not fact.ended for fact in sentence.facts):
        return True
    if one.negated:
        return False
    return not sentence.asserts or any(compare.same(fact, one) for fact in sentence.unsaid)


def _polarity_fits(fact: Expected, one: Found) -> bool:
    if fact.ended:
        return one.negated or one.end is not None or "former" in {*one.scope, *one.predicate.split(), *one.subject.casefold().split()}
    return fact.negated == one.negated


def _dates_fit(fact: Expected, one: Found) -> bool:
    """Tell whether both ends are right. What has ended says when by the start of its negation or by its end; if no date is said, any will do."""
    if not fact.ended:
        return one.start in _periods(fact.start) and one.end in _periods(fact.end)
    changed = [period for period in _periods(fact.end) if period]
    if one.negated:
        return one.end is None and (not changed or one.start in changed)
    return one.start in _periods(fact.start) and (not changed or any(one.end in (day, _until(day)) for day in changed))


def _periods(dates: Iterable[str]) -> list[Period | None]:
    return [iso_moment(date) if date else None for date in dates]


def _until(period: Period) -> Period:
    """Return the end of what stopped when a period began."""
    return replace(period, last=period.first)


def _scope_fits(fact: Expected, one: Found) -> bool:
    kept = {*one.scope, *one.predicate.casefold().split(), *one.subject.casefold().split(), *one.object.casefold().split()}
    return all(part in kept for part in fact.scope)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Tells whether two wordings say the same."""

    vocabulary: Vocabulary

    def same(self, fact: Expected, one: Found) -> bool:
        """Tell whether a finding is an expected fact, polarity and dates aside; "heads" is "headed by" turned round."""
        wanted = {form for words in fact.predicate for form in self._forms(words)}
        for name, turned in self._forms(one.predicate):
            if (name, turned) in wanted and self.same_ends(fact, one):
                return True
            if (name, not turned) in wanted and self.same_ends(fact, replace(one, subject=one.object, object=one.subject)):
                return True
        return False

    def same_ends(self, fact: Expected, one: Found) -> bool:
        """Tell whether subject and object are the expected ones; a qualifier in the scope may stand before the one or behind the other."""
        subjects = [one.subject, *(f"{part} {one.subject}" for part in one.scope)]
        objects = [one.object, *(f"{one.object} {part}" for part in one.scope), *(f"{part} {one.object}" for part in one.scope)]
        return _any_same(fact.subject, subjects) and _any_same(fact.object, objects)

    def _forms(self, words: str) -> Iterator[tuple[str, bool]]:
        """Yield the names of a predicate, and whether it is said from the other side: with an inverse, or in the passive.

        A plain verb is a name too: where the value is not of the declared type, the vocabulary's name is not given.
        """
        for spelled in dict.fromkeys((fold(words), _without_be(fold(words)))):
            if spelled in self.vocabulary.inverses:
                yield self.vocabulary.inverses[spelled], True
            yield self.vocabulary.canonical(spelled), False
            verb = spelled.removesuffix(" by")
            yield " ".join(map(_stem, verb.split())), verb != spelled
        if fold(words) in _SAME_AS_IS or _without_be(fold(words)) in _SAME_AS_IS:
            yield "is", False


def _without_be(words: str) -> str:
    kept = [word for word in words.split() if word not in _ARTICLES]
    while len(kept) > 1 and kept[0] in _BE:
        kept = kept[1:]
    return " ".join(kept)


def _stem(word: str) -> str:
    """Return a regular English verb without its ending: "measured" and "measures" are one; nothing else needs to be told apart here."""
    if word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        return word[:-1]
    return word.removesuffix("e")


def _any_same(wanted: Sequence[str], given: Sequence[str]) -> bool:
    return any(_same(one, other) for one, other in product(wanted, given))


def _same(one: str, other: str) -> bool:
    """Tell whether two spans are alike: as names, or but for case, articles, spaces and punctuation; numbers, dates and versions as values."""
    if _plain(one) == _plain(other):
        return True
    if not any(character.isdigit() for character in one + other):
        return normal(one) == normal(other)
    first, second = value_of(one), value_of(other)
    return first.kind in _EXACT and first == second


def _plain(text: str) -> str:
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    joined = " ".join(word for word in words if word not in _ARTICLES)
    return joined.replace(" ", "") if any("\u4e00" <= character <= "\u9fff" for character in joined) else joined
