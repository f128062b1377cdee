"""Up to where the index is whole, as a reader sees it, and what it holds."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing

from bench.support.indexer import Indexer
from connectors.embedding import open_embedder
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.watermark import SourcePartition, read
from flows.settings import Settings
from schemas.change import Position
from schemas.instant import FOREVER
from schemas.record import Record

LOOK_S = 0.005
"""Seconds between two looks at the watermark; that much a latency may be overstated."""


def ends(positions: Iterable[Position]) -> dict[SourcePartition, int]:
    """Return the last offset of each partition."""
    found: dict[SourcePartition, int] = {}
    for at in positions:
        place = (at.topic, at.partition)
        found[place] = max(at.offset, found.get(place, at.offset))
    return found


def is_searchable(settings: Settings, wanted: Mapping[SourcePartition, int]) -> bool:
    """Whether the watermark covers these offsets."""
    reached = read(settings.watermark)
    return all(reached.get(place, -1) >= offset for place, offset in wanted.items())


def wait(indexer: Indexer, wanted: Mapping[SourcePartition, int], patience_s: float) -> None:
    """Wait until the index covers these offsets; an indexer that ends, or takes longer, ends the bench."""
    deadline = time.monotonic() + patience_s
    settings = indexer.plan.settings
    while not is_searchable(settings, wanted):
        if not indexer.alive:
            sys.exit(f"the flow ended:\n{indexer.last_words()}")
        if time.monotonic() > deadline:
            sys.exit(f"{wanted} is not searchable after {patience_s:.0f} s, only {read(settings.watermark)}:\n{indexer.last_words()}")
        time.sleep(LOOK_S)


def current(settings: Settings) -> Iterator[Record]:
    """Yield the records of the index that are not closed versions."""
    embedder = open_embedder(settings.reading.embedding, settings.data / "models")
    with closing(MilvusIndex(MilvusSettings(settings.milvus, settings.index.collection), embedder.fingerprint, embedder.dimension)) as index:
        index.ensure()
        yield from (stored.record for stored in index.scan() if stored.record.known_to == FOREVER)
