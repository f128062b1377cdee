"""What "it", "she", "the company" and "this standard" stand for within a block, sentence by sentence. Precision before recall."""

from collections.abc import Iterable

from derive.prose.phrases import Phrase
from schemas.fact import SELF
from schemas.vocabulary import Vocabulary

_POSSESSIVE = {"its": "it", "his": "he", "her": "she", "their": "they"}
_PERSONS = frozenset({"he", "she"})
_FIRMS = frozenset("company firm business organisation organization corporation enterprise agency foundation startup".split())
"""Nouns that, with "the" and nothing else, mean what was named before."""
_PAPERS = frozenset(
    "act law regulation directive ordinance standard statute document page guide policy proposal specification manual notice charter".split()
)
"""Nouns that, with "this", mean the document that they stand in."""
_THINGS = frozenset({"organisation", "place", "product", "document", "ticket"})
_UNSURE_WHO = 0.15
"""What a pronoun costs that might mean another one."""
_FAIRLY_SURE = 0.04


class Subjects:
    """Those spoken of so far. It is told of every sentence in turn, and within one of every clause in turn; owned by the reading of one block."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._kinds: dict[str, set[str]] = {}
        self._things: set[str] = set()
        self._first = True
        self._last: dict[str, bool] = {}
        self._now: dict[str, bool] = {}
        self._persons: list[str] = []

    def said(self, subject: Phrase, *, plural: bool = False) -> None:
        """Note a subject that stands for itself."""
        self._now[subject.text] = plural
        if subject.names == (subject.text,) and " " in subject.text:
            self.is_a(subject.text.split()[-1], subject.text)
        if subject.names == (subject.text,) and 2 <= len(subject.text.split()) <= 3 and subject.text not in self._persons:
            self._persons.append(subject.text)

    def is_a(self, kind: str, name: str) -> None:
        """Note what sort of thing a name stands for: the Basin Bridge is a bridge."""
        self._kinds.setdefault(kind.casefold(), set()).add(name)

    def has(self, name: str, predicate: str) -> None:
        """Note that a predicate was said of a name: who employs 90 people is no person."""
        if self._vocabulary.predicate(predicate).subject in _THINGS:
            self._things.add(name)

    def carried(self, name: str) -> None:
        """Note that a sentence went on about the same thing."""
        self._now[name] = False

    def next_sentence(self) -> None:
        """Go on; a sentence that says nothing is no antecedent."""
        self._last, self._now, self._first = self._now, {}, False

    def of(self, words: str, before: Iterable[Phrase]) -> tuple[str | None, float]:
        """Return what a subject stands for, and what that costs in certainty: "" for itself, None if it cannot be told.

        `words` are those of the subject, articles and all, in lower case; `before` the subjects of the clauses before it in its sentence.
        """
        word = _POSSESSIVE.get(words.partition(" ")[0], words)
        if word == "it":
            return self._thing(before)
        if word == "they":
            return self._several()
        if word in _PERSONS:
            return self._person(word, before)
        article, _, noun = words.partition(" ")
        if article == "this" and noun in _PAPERS and self._first:
            return SELF, _FAIRLY_SURE
        if article == "the":
            return self._definite(noun)
        return "", 0.0

    def _thing(self, before: Iterable[Phrase]) -> tuple[str | None, float]:
        """Return what "it" stands for: the subject before it in its sentence, else the only one of the sentence before, else the document."""
        inside = list(dict.fromkeys(phrase.text for phrase in before if not phrase.vague))
        if inside:
            return (inside[0], 0.0) if len(inside) == 1 else (None, 0.0)
        if self._first:
            return SELF, 0.0
        return (next(iter(self._last)), 0.0) if len(self._last) == 1 else (None, 0.0)

    def _several(self) -> tuple[str | None, float]:
        plural = [name for name, several in self._last.items() if several]
        return (plural[0], 0.0) if len(self._last) == len(plural) == 1 else (None, 0.0)

    def _person(self, word: str, before: Iterable[Phrase]) -> tuple[str | None, float]:
        """Return the person spoken of last. Ships are "she" too, where no person was spoken of; a document about a person may open with one."""
        inside = [phrase.text for phrase in before if phrase.names == (phrase.text,)]
        persons = [name for name in [*self._persons, *inside] if name not in self._things]
        if persons:
            return persons[-1], 0.0 if len(set(persons)) == 1 else _UNSURE_WHO
        if word == "she" and len(self._last) == 1:
            return next(iter(self._last)), _FAIRLY_SURE
        return (SELF, _UNSURE_WHO) if self._first else (None, 0.0)

    def _definite(self, noun: str) -> tuple[str | None, float]:
        names = self._kinds.get(noun, set())
        if len(names) == 1:
            return next(iter(names)), 0.0
        if noun not in _FIRMS:
            return "", 0.0
        if self._first:
            return SELF, _FAIRLY_SURE
        firms = [name for name in self._last if name in self._things]
        return (firms[0], _FAIRLY_SURE) if len(firms) == 1 else (None, 0.0)


def is_possessive(word: str) -> bool:
    """Tell whether a word owns what follows: "its width"."""
    return word in _POSSESSIVE
