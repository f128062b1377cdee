"""Extractors: what draws facts from blocks of prose."""

from collections.abc import Sequence
from typing import Protocol

from connectors.chinese_reader import ChineseReader
from derive.prose.english import VERSION, facts_of_block, roles
from derive.prose.shallow import parse_plainly
from derive.prose.words import sentences_of
from derive.script import is_chinese
from schemas.fact import Fact
from schemas.ids import Fingerprint, digest
from schemas.vocabulary import Vocabulary


class Extractor(Protocol):
    """Draws facts from prose.

    `fingerprint` covers code, model, prompt and vocabulary: what has another fingerprint may answer differently.
    """

    fingerprint: Fingerprint

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        """Return the facts of each block, in order, spans as offsets into the block.

        A block is read alone; SELF is the subject of a statement about whatever the document is about.
        BadReading if it fails on one of the blocks, Unreachable if waiting may help.
        """


class PatternExtractor:
    """Reads plain statements without a model: fast, the same everywhere, silent about whatever is not plain. English and Chinese, block by block."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._chinese = ChineseReader(vocabulary)
        self.fingerprint = Fingerprint(digest("patterns", VERSION, self._chinese.fingerprint, vocabulary.version))
        self._vocabulary = vocabulary
        self._roles = roles(vocabulary)

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        """Return the facts of each block."""
        return [self._of(block) for block in blocks]

    def _of(self, block: str) -> tuple[Fact, ...]:
        if is_chinese(block):
            return self._chinese.facts(block)
        found = list(sentences_of(block, self._roles))
        return facts_of_block(block, found, [parse_plainly(sentence.words) for sentence in found], self._vocabulary)
