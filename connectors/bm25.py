"""BM25 over terms in memory, kept up to date row by row."""

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]
Postings = tuple[npt.NDArray[np.int64], Scores]

K1 = 1.5  # as Milvus Lite has it, milvus.md section 3
B = 0.75
COMMON = 0.25  # share of the rows from which on a term says too little to be worth its postings ...
MANY = 1_000  # ... in an index of at least so many rows


class Bm25:
    """An inverted index over numbered rows. Not safe for concurrent use; its owner holds the lock.

    The packed arrays of a term are built when it is first asked for and dropped when a row with it changes: a stream of writes pays for the
    terms that questions use, not for all.
    """

    def __init__(self) -> None:
        self._counts: dict[str, dict[int, int]] = {}
        self._packed: dict[str, Postings] = {}
        self._terms: dict[int, tuple[str, ...]] = {}
        self._lengths = np.zeros(1024, np.float32)
        self._total = 0

    def put(self, row: int, found: Iterable[str]) -> None:
        """Say which terms, repetitions included, a row has; replaces what was said of it."""
        self.drop(row)
        counts = Counter(found)
        for term, count in counts.items():
            self._counts.setdefault(term, {})[row] = count
            self._packed.pop(term, None)
        self._terms[row] = tuple(counts)
        self._reserve(row)
        self._lengths[row] = counts.total()
        self._total += counts.total()

    def drop(self, row: int) -> None:
        """Forget a row; an unknown one is no error."""
        for term in self._terms.pop(row, ()):
            holders = self._counts[term]
            del holders[row]
            self._packed.pop(term, None)
            if not holders:
                del self._counts[term]
        if row < len(self._lengths):
            self._total -= int(self._lengths[row])
            self._lengths[row] = 0

    def scores(self, asked: Iterable[str], rows: int) -> Scores:
        """Return the score of each row below `rows`; 0 for a row that shares no term with the question.

        In a large index terms that are in a quarter of the rows count only if the question has no others.
        """
        sums = np.zeros(rows, np.float32)
        self._reserve(rows)
        mean = self._total / len(self._terms) if self._total else 1.0
        for term in self._telling(asked):
            at, frequency = self._postings(term)
            weight = self._rarity(len(at)) * (K1 + 1)
            sums[at] += weight * frequency / (frequency + K1 * (1 - B + B * self._lengths[at] / mean))
        return sums

    def _telling(self, asked: Iterable[str]) -> list[str]:
        known = [term for term in dict.fromkeys(asked) if term in self._counts]
        if len(self._terms) < MANY:
            return known
        return [term for term in known if len(self._counts[term]) < COMMON * len(self._terms)] or known

    def _rarity(self, holders: int) -> float:
        return math.log(1 + (len(self._terms) - holders + 0.5) / (holders + 0.5))

    def _postings(self, term: str) -> Postings:
        if term not in self._packed:
            counts = self._counts[term]
            self._packed[term] = np.fromiter(counts, np.int64, len(counts)), np.fromiter(counts.values(), np.float32, len(counts))
        return self._packed[term]

    def _reserve(self, row: int) -> None:
        if row >= len(self._lengths):
            self._lengths = np.concatenate([self._lengths, np.zeros(max(row + 1, len(self._lengths)), np.float32)])
