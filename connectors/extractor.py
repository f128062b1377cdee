"""Extractors: what draws facts from blocks of prose."""

from collections.abc import Sequence
from typing import Protocol

from schemas.fact import Fact
from schemas.ids import Fingerprint


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
