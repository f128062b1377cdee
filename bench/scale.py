"""Whether the cost of a change grows with the number of documents: processor time per change, restart, latency and memory at 1,000 to 100,000.

Documents are short pages about berths and vessels of an invented port: four facts each, of which some share their subject, object or a hub with other
documents, so that names, governance and bridges have work to do. They go through the real reader (patterns, no model) and the store; what leaves the
store is read as the index would read it. At each size the same number of edits, new documents and deletions is measured, after a warm-up.

Usage: python bench/scale.py [--sizes 1000,10000,100000] [--changes 1000]
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from connectors.extractor import PatternExtractor
from connectors.memo import MemoryMemo
from connectors.reader import Reader
from schemas.change import Delete, DocumentChange, Position, Put, Stamp, Text
from schemas.ids import DocumentId, Source, Tenant
from schemas.instant import DAY, Instant
from schemas.receipt import Receipt
from schemas.rules import SourceRules
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore

TENANT, PORT = Tenant("port"), Source("port")
RULES = {PORT: SourceRules(PORT, readers=frozenset({"*"}))}
NOW = Instant(20_000 * DAY)
BATCH = 20


@dataclass(frozen=True, slots=True)
class Cost:
    """What was measured at one size. Milliseconds of processor time per change; seconds; MiB."""

    documents: int
    cpu_ms: float
    p99_ms: float
    rows: float
    bridges: float
    restart_s: float
    rss_mb: float
    file_mb: float


class Port:
    """The documents, deterministic in their number and version."""

    def __init__(self) -> None:
        self._orders: dict[int, int] = {}
        self._offset = 0

    def put(self, number: int) -> DocumentChange:
        """Return the next version of a document: a new one, or an edit of one sentence."""
        return Put(self._stamp(number), Text(self._body(number)), f"Berth {number}")

    def delete(self, number: int) -> DocumentChange:
        """Return a deletion."""
        return Delete(self._stamp(number))

    def _stamp(self, number: int) -> Stamp:
        order = self._orders[number] = self._orders.get(number, 0) + 1
        position = Position("port", 0, self._offset, previous=self._offset - 1)
        self._offset += 1
        at = Instant(NOW + order * DAY)
        return Stamp(TENANT, PORT, DocumentId(f"berth/{number}"), (order,), at, at, position)

    def _body(self, number: int) -> str:
        order = self._orders[number]
        vessel, crew = f"Vessel {number // 3}", f"Mooring Crew {number // 40}"
        return (
            f"{vessel} is operated by {crew}.\n\n{crew} is located in Larkfield Basin.\n\n"
            f"Quay {number} is {6 + order} m wide.\n\nQuay {number} depends on Pump {number // 5}.\n"
        )


def fill(store: SqliteStore, reader: Reader, port: Port, numbers: range, progress: Progress) -> None:
    """Add documents, in larger batches than a flow would use."""
    task = progress.add_task(f"{numbers.stop:,} documents", total=len(numbers))
    for first in range(numbers.start, numbers.stop, 200):
        part = range(first, min(first + 200, numbers.stop))
        store.apply(reader.read([port.put(number) for number in part]), NOW)
        progress.advance(task, len(part))


def changes(port: Port, documents: int, count: int, random_: random.Random) -> Iterator[DocumentChange]:
    """Yield eight edits, one new document and one deletion, again and again. What is deleted is put again at its next edit."""
    for number in range(count):
        match number % 10:
            case 8:
                yield port.put(documents + number)
            case 9:
                yield port.delete(random_.randrange(documents))
            case _:
                yield port.put(random_.randrange(documents))


def measure(path: Path, store: SqliteStore, reader: Reader, port: Port, documents: int, count: int) -> Cost:
    """Measure changes at one size."""
    random_ = random.Random(documents)
    sequence = store.sequence
    receipts: list[Receipt] = []
    times: list[float] = []
    began = 0.0
    for number in range(2 * count // BATCH):
        batch = list(changes(port, documents, BATCH, random_))
        if number == count // BATCH:
            began, receipts, times, sequence = time.process_time(), [], [], store.sequence
        start = time.perf_counter()
        applied = store.apply(reader.read(batch), NOW)
        emitted = sum(len(chunk) for chunk in store.after(sequence))
        times.append((time.perf_counter() - start) * 1000)
        sequence = store.sequence
        receipts.extend(applied.receipts)
        if not emitted:
            message = "nothing left the store"
            raise SystemExit(message)
    cpu = (time.process_time() - began) * 1000 / count
    rows = sum(receipt.records for receipt in receipts) / count
    bridges = sum(receipt.entities for receipt in receipts) / count
    store.close()
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    p99 = sorted(times)[int(len(times) * 0.99) - 1]
    return Cost(documents, cpu, p99, rows, bridges, restart(path, documents), rss, path.stat().st_size / 2**20)


def restart(path: Path, documents: int) -> float:
    """Return the seconds from opening the store in a new process to its first change having left it, without the loading of the interpreter."""
    code = f"from bench.scale import first_change; first_change({str(path)!r}, {documents})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout)


def first_change(path: str, documents: int) -> None:
    """Open a store, apply one change and read what leaves; print the seconds."""
    began = time.perf_counter()
    vocabulary = shipped()
    store = SqliteStore.open(path, TENANT, RULES, vocabulary)
    reader = Reader(PatternExtractor(vocabulary), MemoryMemo(), vocabulary)
    sequence = store.sequence
    stamp = Stamp(TENANT, PORT, DocumentId("first"), (1,), NOW, NOW, Position("first", documents, time.time_ns()))
    store.apply(reader.read([Put(stamp, Text("The first quay is 9 m wide.\n"))]), NOW)
    list(store.after(sequence))
    print(time.perf_counter() - began)


def main() -> None:
    """Print the table and the result."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default="1000,10000,100000")
    arguments.add_argument("--changes", type=int, default=1000)
    given = arguments.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    console = Console()
    vocabulary = shipped()
    reader = Reader(PatternExtractor(vocabulary), MemoryMemo(), vocabulary)
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder, Progress(console=console) as progress:
        path, port, filled = Path(folder) / "store.db", Port(), 0
        for size in sizes:
            store = SqliteStore.open(path, TENANT, RULES, vocabulary)
            fill(store, reader, port, range(filled, size), progress)
            filled = size
            costs.append(measure(path, store, reader, port, size, given.changes))
    table = Table("documents", "cpu ms/change", "p99 ms/batch of 20", "rows/change", "entities/change", "restart s", "MiB", "file MiB")
    for cost in costs:
        row = (cost.cpu_ms, cost.p99_ms, cost.rows, cost.bridges, cost.restart_s, cost.rss_mb, cost.file_mb)
        table.add_row(f"{cost.documents:,}", *(f"{number:.2f}" for number in row))
    console.print(table)
    last = costs[-1]
    ratio = round(last.cpu_ms / costs[0].cpu_ms, 2)
    print(
        "RESULT",
        json.dumps({"cost_ratio_100k": ratio, "restart_s": round(last.restart_s, 2), "p99_ms": round(last.p99_ms), "rss_mb": round(last.rss_mb)}),
    )


if __name__ == "__main__":
    main()
