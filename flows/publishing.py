"""Publish: rows go to the index, and behind them the receipts that say they are there.

Receipts and marks go to every partition of the index, each in the order of the store; a partition takes them over only when it has written the rows
before them. Writing twice changes nothing; a batch that broke off is written again after the restart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from zlib import adler32

from bytewax.outputs import FixedPartitionedSink, StatefulSinkPartition

from connectors.index import Index, Refused
from connectors.metrics import Metrics
from connectors.watermark import Saved, Watermarks
from flows.traffic import Fault, Indexed
from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.message import Mark
from schemas.receipt import Receipt
from schemas.record import Row

Addressed: TypeAlias = tuple[str, Indexed]
"""What the index takes, with its way: the record's id, or `@n` for partition n."""


@dataclass(frozen=True, slots=True)
class Addressing:
    """The step: a row goes to the partition of its record, a receipt or mark to all partitions."""

    parts: int

    def __call__(self, item: Indexed) -> list[Addressed]:
        """Return the item once for every partition that it goes to."""
        if isinstance(item, Row):
            return [(item.record.id, item)]
        return [(f"@{number}", item) for number in range(self.parts)]


def part_names(parts: int) -> list[str]:
    """Return the names of the index's partitions. They are persistent, and sort in the order of their numbers."""
    return [f"s{number:02d}" for number in range(parts)]


@dataclass(frozen=True)
class IndexSink(FixedPartitionedSink[Indexed, tuple[Saved, ...]]):
    """The index as a sink. One partition where the index has one writer; on a server as many as workers, at least."""

    index: Index
    parts: int
    watermarks: Watermarks
    metrics: Metrics
    fault: Fault
    bury: Callable[[Sequence[DeadLetter]], None]
    write_rows: int = 256

    def list_parts(self) -> list[str]:
        """Return the partitions."""
        return part_names(self.parts)

    def part_fn(self, item_key: str) -> int:
        """Return the partition of an address."""
        return int(item_key[1:]) if item_key.startswith("@") else adler32(item_key.encode())

    def build_part(self, step_id: str, for_part: str, resume_state: tuple[Saved, ...] | None) -> "IndexWriter":
        """Open a partition; what waited for an earlier position waits again."""
        self.watermarks.restore(for_part, resume_state or ())
        return IndexWriter(self, for_part)


class IndexWriter(StatefulSinkPartition[Indexed, tuple[Saved, ...]]):
    """One partition of the index."""

    def __init__(self, sink: IndexSink, part: str) -> None:
        self._sink = sink
        self._part = part

    def write_batch(self, values: list[Indexed]) -> None:
        """Write the rows of a batch, then take over its receipts and marks."""
        with self._sink.metrics.stage("publish"):
            self._write([value for value in values if isinstance(value, Row)])
        self._take_over([value for value in values if isinstance(value, Receipt)], [value for value in values if isinstance(value, Mark)])

    def _write(self, rows: Sequence[Row]) -> None:
        """Write rows in pieces that keep readers waiting for a short time only."""
        for first in range(0, len(rows), self._sink.write_rows):
            piece = rows[first : first + self._sink.write_rows]
            refused = self._sink.index.write(piece)
            self._sink.fault("milvus-write")
            if refused:
                self._sink.bury([_letter(refusal) for refusal in refused])
            self._sink.metrics.wrote(piece)

    def _take_over(self, receipts: Sequence[Receipt], marks: Sequence[Mark]) -> None:
        """Account for changes that are searchable now."""
        done = [*(receipt.position for receipt in receipts), *(mark.position for mark in marks)]
        self._sink.metrics.watermark(self._sink.watermarks.take(self._part, done))
        self._sink.metrics.searchable(receipts)
        if self._part == part_names(1)[0]:  # every partition sees every receipt; one counts them
            self._sink.metrics.receipts(receipts)

    def snapshot(self) -> tuple[Saved, ...]:
        """Return what waits for an earlier position."""
        return self._sink.watermarks.saved(self._part)


def _letter(refusal: Refused) -> DeadLetter:
    """Return the dead letter of a record that the index refuses. It has no message; its position names the tenant's store and the sequence in it."""
    row, reason = refusal
    record = row.record
    position = Position(f"store:{record.tenant}", 0, record.sequence)
    document = record.provenance[0].document if record.provenance else ""
    source = record.provenance[0].source if record.provenance else ""
    payload = record.text.encode("utf-8", "replace")
    return DeadLetter(record.tenant, source, document, "publish", str(reason), position, record.recorded_at, record.id.encode(), payload)
