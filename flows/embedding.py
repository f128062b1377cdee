"""Embed: records become rows. The embedder remembers texts, so a replay and a text seen in another document cost no model call."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from connectors.metrics import Metrics
from flows.traffic import Indexed, Searched
from schemas.ids import Fingerprint
from schemas.record import Record, Row

Keyed: TypeAlias = tuple[str, Searched]
"""(tenant, effect)."""


class Embedder(Protocol):
    """Turns texts into vectors of one generation."""

    fingerprint: Fingerprint
    dimension: int

    @property
    def windowed(self) -> int:
        """How many texts so far were longer than the model's window."""

    def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one vector per text, in order."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The step: effects in, what the index takes out, in order. A tombstone has no vector; receipts and marks pass."""

    embedder: Embedder
    metrics: Metrics

    def __call__(self, effects: list[Keyed]) -> list[Indexed]:
        """Embed the texts of one batch in one call."""
        with self.metrics.stage("embed"):
            texts = list(dict.fromkeys(item.text for _, item in effects if isinstance(item, Record) and not item.deleted))
            vectors = dict(zip(texts, self.embedder.embed(texts) if texts else (), strict=True))
            self.metrics.windowed(self.embedder.windowed)
            return [self._row(item, vectors) if isinstance(item, Record) else item for _, item in effects]

    def _row(self, record: Record, vectors: dict[str, tuple[float, ...]]) -> Row:
        """Return a record with its vector."""
        return Row(record, () if record.deleted else vectors[record.text], self.embedder.fingerprint)
