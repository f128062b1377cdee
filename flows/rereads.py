"""Rereads: bodies that the stores keep and another extractor read are read again at start, beside the changes that come in.

They go the way of a change, from here through the step that reads to the one that applies, a few documents at a time, so that changes pass between
them. What was done stands in the store: after a stop or a crash the next start goes on with the rest. What was read before stays until then.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from connectors.metrics import Metrics
from flows.traffic import Arrival
from schemas.ids import ContentHash, Tenant
from state.reader import StoreReader

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Bodies per step; a document with more is read whole, so that its history never speaks with two voices for longer than a transaction."""
REPORT = 1_000
"""Bodies between two log lines."""


@dataclass(frozen=True)
class Rereads(FixedPartitionedSource[Arrival, None]):
    """Emits the kept texts of every tenant's store that was read by another than `reader()` says, then ends. It keeps no position: the stores do.

    `stores` are paths by tenant. `reader` returns the fingerprint of what reads now; it is called only if some store keeps a text, since it may have
    to load a model, and `delay` after the start, so that changes that wait go first.
    """

    stores: Sequence[tuple[Tenant, Path]]
    reader: Callable[[], str]
    metrics: Metrics
    stop: Event
    delay: timedelta = timedelta(0)

    def list_parts(self) -> list[str]:
        """Return the one partition."""
        return ["all"]

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> "Rereading":
        """Open the partition."""
        return Rereading(self)


class Rereading(StatefulSourcePartition[Arrival, None]):
    """One pass over the stores."""

    def __init__(self, rereads: Rereads) -> None:
        self._rereads = rereads
        self._due = datetime.now(UTC) + rereads.delay
        self._arrivals = self._all()

    def next_batch(self) -> list[Arrival]:
        """Return the texts of a few documents; StopIteration when all were emitted, or the flow was asked to stop."""
        if self._rereads.stop.is_set():
            raise StopIteration
        return next(self._arrivals)

    def next_awake(self) -> datetime:
        """Return when to begin; afterwards every step takes a batch."""
        return self._due

    def snapshot(self) -> None:
        """Keep nothing."""
        return

    def _all(self) -> Iterator[list[Arrival]]:
        for tenant, path in self._rereads.stores:
            if path.exists():
                with closing(StoreReader(path)) as store:
                    yield from self._tenant(tenant, store)

    def _tenant(self, tenant: Tenant, store: StoreReader) -> Iterator[list[Arrival]]:
        documents = store.stale(self._rereads.reader()) if store.keeps_texts else []
        left = total = sum(map(len, documents))
        if total:
            log.info("tenant %s: %d bodies were read by another extractor and are read again", tenant, total)
        for some in _gathered(documents):
            self._rereads.metrics.reread_left(tenant, left)
            if left // REPORT != (left - len(some)) // REPORT:
                log.info("tenant %s: %d of %d bodies are still to be read again", tenant, left - len(some), total)
            left -= len(some)
            yield [Arrival(tenant, text) for text in store.texts(some)]
        self._rereads.metrics.reread_left(tenant, 0)


def _gathered(documents: Sequence[list[ContentHash]]) -> Iterator[list[ContentHash]]:
    """Yield the contents of documents in groups of at least AT_ONCE; the last may be smaller."""
    group: list[ContentHash] = []
    for contents in documents:
        group += contents
        if len(group) >= AT_ONCE:
            yield group
            group = []
    if group:
        yield group
