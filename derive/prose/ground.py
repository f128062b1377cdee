"""Ground: a block of text that answers are held against, and where words stand in it."""

import re
from functools import cached_property
from typing import TypeAlias

from derive.dates.timing import Timing
from derive.dates.timings import timings
from derive.prose import doubts
from derive.prose.english import roles
from derive.prose.words import Sentence, sentences_of
from schemas.vocabulary import Vocabulary

Span: TypeAlias = tuple[int, int]
"""[start, end) in characters of the block."""

LONGEST = 1_000
"""Characters of a quotation, or of a part of one; blocks have 2,000 at most."""

_ALIKE = str.maketrans("‘’“”‐‑‒–—\u00a0", "''\"\"-----\u0020")
_HAN = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_WITHOUT_SPACES = re.compile(_HAN)


class Ground:
    """A block of text for answers to stand on; what is read of it is read once."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self._vocabulary = vocabulary
        self._flat, self._places = _flattened(text)

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Its sentences, with the names in them."""
        return list(sentences_of(self.text, roles(self._vocabulary)))

    @cached_property
    def dates(self) -> tuple[Timing, ...]:
        """Its dates."""
        return timings(self.text)

    @cached_property
    def orders(self) -> int:
        """Where the sentence begins from which on the block is not believed, since it talks to a machine; its length if nowhere."""
        place = doubts.orders_from(self.text)
        return max((sentence.start for sentence in self.sentences if sentence.start <= place), default=0) if place < len(self.text) else place

    def find(self, words: str, within: Span) -> Span | None:
        """Return where words stand, whole, in a part of the block; case, kinds of quotation marks and white space do not count."""
        wanted = _flattened(words)[0].strip()
        if not wanted or len(wanted) > LONGEST:
            return None
        for match in re.finditer(_whole(wanted), self._flat):
            span = self._places[match.start()], self._places[match.end() - 1] + 1
            if within[0] <= span[0] and span[1] <= within[1]:
                return span
        return None

    def around(self, span: Span) -> list[Sentence]:
        """Return the sentences that a span touches."""
        return [sentence for sentence in self.sentences if sentence.start < span[1] and span[0] < sentence.end]

    def names(self, span: Span) -> list[str]:
        """Return the names that stand in a span."""
        words = (word for sentence in self.around(span) for word in sentence.words)
        return [word.text for word in words if word.is_name and span[0] <= word.start and word.end <= span[1]]


def _flattened(text: str) -> tuple[str, list[int]]:
    """Return a text in lower case, quotation marks and dashes of one kind, single spaces; and the place of each of its characters in the text."""
    flat: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(_ALIKE)):
        lower = " " if character.isspace() else character.lower()
        if len(lower) == 1 and not (lower == " " and flat and flat[-1] == " "):
            flat.append(lower)
            places.append(place)
    return "".join(flat), places


def _whole(words: str) -> str:
    """Return the pattern that finds words as whole ones; scripts without spaces have no borders."""
    before = rf"(?:(?<!\w)|(?<={_HAN}))" if words[0].isalnum() and not _WITHOUT_SPACES.match(words[0]) else ""
    behind = rf"(?:(?!\w)|(?={_HAN}))" if words[-1].isalnum() and not _WITHOUT_SPACES.match(words[-1]) else ""
    return before + re.escape(words) + behind
