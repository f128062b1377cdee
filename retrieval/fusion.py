"""Fusion: the rankings of several channels become one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from connectors.index import Match
from schemas.ids import RecordId
from schemas.record import Record

RRF_K = 60  # the constant of reciprocal rank fusion as its authors chose it
WEIGHTS = {"lexical": 0.4, "dense": 0.5, "exact": 0.1}  # NuggetIndex; the rest goes to names


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record with its fused score; `channels` names those that found it, with its rank there from 1 on."""

    record: Record
    score: float
    channels: Mapping[str, int]


def reciprocal_rank(rankings: Mapping[str, Sequence[Match]]) -> list[Candidate]:
    """Return the candidates by the sum of 1 / (60 + rank) over the channels, best first, ties by id."""
    return _fused(rankings, {channel: [1 / (RRF_K + rank) for rank in range(1, len(found) + 1)] for channel, found in rankings.items()})


def min_max(rankings: Mapping[str, Sequence[Match]], weights: Mapping[str, float] | None = None) -> list[Candidate]:
    """Return the candidates by the weighted sum of their scores, each channel's scaled to 0..1, best first, ties by id."""
    chosen = weights or WEIGHTS
    return _fused(rankings, {channel: [chosen[channel] * score for score in _scaled(found)] for channel, found in rankings.items()})


def _fused(rankings: Mapping[str, Sequence[Match]], shares: Mapping[str, Sequence[float]]) -> list[Candidate]:
    records: dict[RecordId, Record] = {}
    scores: dict[RecordId, float] = {}
    ranks: dict[RecordId, dict[str, int]] = {}
    for channel, found in rankings.items():
        for rank, (match, share) in enumerate(zip(found, shares[channel], strict=True), 1):
            name = match.record.id
            records[name] = match.record
            scores[name] = scores.get(name, 0.0) + share
            ranks.setdefault(name, {})[channel] = rank
    order = sorted(scores, key=lambda name: (-scores[name], name))
    return [Candidate(records[name], scores[name], ranks[name]) for name in order]


def _scaled(found: Sequence[Match]) -> list[float]:
    """Return the scores between 0 (the worst that was found) and 1; all 1 if they are equal."""
    worst, best = min(match.score for match in found), max(match.score for match in found)
    return [(match.score - worst) / (best - worst) if best > worst else 1.0 for match in found]
