"""Read: changes become versions. Keyed by a bucket of the document, so that a document stays in order while workers share the load; no state."""

import logging
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, get_args

from bytewax.operators import StatefulBatchLogic

from connectors.metrics import Metrics
from flows.traffic import Arrival, Wake, with_message
from schemas.change import Change, Position, Review
from schemas.deadletter import DeadLetter
from schemas.errors import Unreachable
from schemas.instant import Instant
from schemas.message import Mark
from schemas.version import KeptText, Reread, Version

log = logging.getLogger(__name__)

CHANGES = get_args(Change)

Bucketed: TypeAlias = tuple[str, Arrival]


class Reader(Protocol):
    """Reads the bodies of changes; see connectors/reader.py."""

    def read(self, changes: Sequence[Change]) -> list[Version | DeadLetter]:
        """Return one answer per change, in order. An extractor that is away is waited for; Unreachable ends the waiting and the flow."""

    def reread(self, texts: Sequence[KeptText]) -> list[Reread | None]:
        """Return what kept texts say to this reader, in order; None for one that it fails on."""


def bucket(buckets: int) -> Callable[[Arrival], str]:
    """Return the function that names the bucket of an arrival, one of so many. Buckets hold no state, so their number may change between runs."""

    def of(arrival: Arrival) -> str:
        return str(zlib.crc32(_identity(arrival).encode("utf-8", "surrogatepass")) % buckets)

    return of


def _identity(arrival: Arrival) -> str:
    """Return what must stay in order with itself."""
    item = arrival.item
    match item:
        case Version():
            return _document(item.change)
        case KeptText():
            return item.document
        case Reread():
            return item.reading.content
        case DeadLetter() | Mark():
            return f"{item.position.topic}:{item.position.partition}"
        case Wake():
            return arrival.tenant
        case _:
            return _document(item)


def _document(change: Change) -> str:
    """Return the document of a change, or the subject of a review."""
    return change.subject if isinstance(change, Review) else change.stamp.key


@dataclass(frozen=True, slots=True)
class Reading:
    """What the step needs; one for all buckets of the process. `reader` returns the reader of the calling thread."""

    reader: Callable[[], Reader]
    metrics: Metrics

    def build(self, _resume: None) -> "ReadLogic":
        """Return the logic of one bucket."""
        return ReadLogic(self.reader(), self.metrics)


class ReadLogic(StatefulBatchLogic[Arrival, Arrival, None]):
    """One bucket of documents."""

    def __init__(self, reader: Reader, metrics: Metrics) -> None:
        self._reader = reader
        self._metrics = metrics

    def on_batch(self, values: list[Arrival]) -> tuple[list[Arrival], bool]:
        """Read what needs reading; the rest passes, in order."""
        with self._metrics.stage("read"):
            changes = [arrival.item for arrival in values if isinstance(arrival.item, CHANGES)]
            answers = iter(self._versions(changes) if changes else ())
            read = [replace(arrival, item=next(answers)) if isinstance(arrival.item, CHANGES) else arrival for arrival in values]
            again = self._again([arrival for arrival in values if isinstance(arrival.item, KeptText)])
        return [*(_whole(arrival) for arrival in read if not isinstance(arrival.item, KeptText)), *again], self.RETAIN

    def _again(self, values: Sequence[Arrival]) -> list[Arrival]:
        """Read kept texts; what cannot be read stays as it was read before."""
        texts = [arrival.item for arrival in values if isinstance(arrival.item, KeptText)]
        found = self._reader.reread(texts) if texts else []
        self._metrics.reread(sum(one is not None for one in found), found.count(None))
        return [replace(arrival, item=one) for arrival, one in zip(values, found, strict=True) if one is not None]

    def _versions(self, changes: Sequence[Change]) -> list[Version | DeadLetter]:
        """Read changes, one answer each; a change that the reader fails on is a dead letter and harms no other."""
        try:
            return self._reader.read(changes)
        except Unreachable:
            raise
        except Exception as err:
            if len(changes) > 1:
                return [answer for change in changes for answer in self._versions([change])]
            log.exception("%s cannot be read", position_of(changes[0]))
            return [letter_of(changes[0], "read", err)]

    def snapshot(self) -> None:
        """Keep nothing."""
        return


def _whole(arrival: Arrival) -> Arrival:
    """Return the arrival; a dead letter without its message gets it, so that it can be replayed."""
    item = arrival.item
    return replace(arrival, item=with_message(item, arrival)) if isinstance(item, DeadLetter) and not item.payload else arrival


def position_of(change: Change) -> Position:
    """Return where a change came from."""
    return change.position if isinstance(change, Review) else change.stamp.position


def recorded_at(change: Change) -> Instant:
    """Return when Kafka got a change."""
    return change.recorded_at if isinstance(change, Review) else change.stamp.recorded_at


def letter_of(change: Change, step: str, err: Exception) -> DeadLetter:
    """Return the dead letter of a change that a step failed on."""
    document = "" if isinstance(change, Review) else change.stamp.document
    owner = change if isinstance(change, Review) else change.stamp
    return DeadLetter(owner.tenant, owner.source, document, step, f"{type(err).__name__}: {err}", position_of(change), recorded_at(change))
