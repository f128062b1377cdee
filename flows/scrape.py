"""What a running flow says of itself: its metrics endpoint, read back into numbers."""

import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from prometheus_client.parser import text_string_to_metric_families

_WAIT = 2.0  # seconds; the endpoint is on this machine
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}


@dataclass(frozen=True, slots=True)
class Waits:
    """How long changes took until they were searchable, in seconds, since the flow started; as exact as the histogram's buckets.

    None is longer than the longest of these, an hour.
    """

    count: int
    p50: float | None
    p99: float | None


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What the language model did since the flow started: calls by what became of them, tokens, money, facts kept and dropped by reason.

    `breaker`: 0 it is called, 1 one call tries, 2 it is left alone for a while. `left`: of each limit of the budget.
    """

    calls: Mapping[str, int]
    tokens_in: int
    tokens_out: int
    cost: float
    kept: int
    dropped: Mapping[str, int]
    breaker: int
    left: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Scrape:
    """Messages of each source partition that are not read yet; how long changes took since their event and since their time in Kafka.

    The waits are None as long as no change was indexed, `model` as long as no language model was called. `reread_left`: bodies that another extractor
    read and that are still to be read again.
    """

    unread: Mapping[tuple[str, int], int]
    since_event: Waits | None
    since_commit: Waits | None
    model: ModelUse | None = None
    reread_left: int = 0


def scrape(host: str, port: int) -> Scrape | None:
    """Return what the endpoint says, None if nobody answers."""
    try:
        with urllib.request.urlopen(f"http://{_ANY.get(host, host)}:{port}/metrics", timeout=_WAIT) as answer:
            return parse(answer.read().decode())
    except OSError:
        return None


def parse(text: str) -> Scrape:
    """Return the numbers of a text in Prometheus' format."""
    unread: dict[tuple[str, int], int] = {}
    buckets: dict[str, Counter[float]] = {}
    single: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "millstream_lag_messages":
                unread[sample.labels["topic"], int(sample.labels["partition"])] = int(sample.value)
            elif sample.name.startswith("millstream_freshness") and sample.name.endswith("_bucket"):
                buckets.setdefault(family.name, Counter())[float(sample.labels["le"])] += int(sample.value)
            elif sample.name.startswith(("millstream_llm_", "millstream_reread_left")):
                single.setdefault(sample.name, {})["".join(sample.labels.values())] = sample.value
    since_event, since_commit = (_waits(buckets.get(f"millstream_freshness_{name}")) for name in ("seconds", "commit_seconds"))
    return Scrape(unread, since_event, since_commit, _model(single), int(single.get("millstream_reread_left", {}).get("", 0)))


def _model(single: Mapping[str, Mapping[str, float]]) -> ModelUse | None:
    calls, left = single.get("millstream_llm_calls_total"), single.get("millstream_llm_budget_left", {})
    if not calls and not left:
        return None
    tokens, facts = single.get("millstream_llm_tokens_total", {}), single.get("millstream_llm_facts_total", {})
    return ModelUse(
        calls=_whole(calls or {}),
        tokens_in=int(tokens.get("in", 0)),
        tokens_out=int(tokens.get("out", 0)),
        cost=single.get("millstream_llm_cost_total", {}).get("", 0.0),
        kept=int(facts.get("kept", 0)),
        dropped={reason: count for reason, count in _whole(facts).items() if reason != "kept"},
        breaker=int(single.get("millstream_llm_breaker", {}).get("", 0)),
        left=dict(left),
    )


def _whole(counts: Mapping[str, float]) -> dict[str, int]:
    return {name: int(count) for name, count in sorted(counts.items())}


def _waits(buckets: Mapping[float, int] | None) -> Waits | None:
    """Return the quantiles of a histogram with cumulative buckets."""
    ordered = sorted((buckets or {}).items())
    if not ordered or not ordered[-1][1]:
        return None
    return Waits(ordered[-1][1], _quantile(ordered, 0.5), _quantile(ordered, 0.99))


def _quantile(buckets: Iterable[tuple[float, int]], share: float) -> float | None:
    """Return the value below which a share of all lies, taking each bucket as evenly filled; None where that is the endless one."""
    ordered = [(0.0, 0), *buckets]
    wanted = share * ordered[-1][1]
    for (low, before), (high, upto) in pairwise(ordered):
        if upto >= wanted and upto > before:
            return None if high == inf else low + (high - low) * (wanted - before) / (upto - before)
    return None
