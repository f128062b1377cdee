"""How much work one change makes: calls of the extractor, texts embedded and records written, for changes that should cost little or nothing.

A page of ten paragraphs of 40 to 400 characters goes through the real reader (rules over a parse), the store, the static embedding model and Milvus
Lite. Every row of the table is one change to it. The first three columns are counts, so they are the same on every machine.

Usage: python bench/work.py
"""

import json
import logging
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from connectors.embedding import MemoisedEmbedder, open_embedder
from connectors.memo import SqliteMemo
from connectors.metrics import Metrics
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.reader import Reader
from connectors.spacy_extractor import SpacyExtractor
from flows.embedding import Embedding
from schemas.change import Change, Delete, DocumentChange, Move, Position, Put, Stamp, Text
from schemas.ids import DocumentId, Source, Tenant
from schemas.instant import DAY, Instant
from schemas.record import Record, Row
from schemas.rules import SourceRules
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore

TENANT, WIKI = Tenant("bench"), Source("wiki")
NOW = Instant(20_000 * DAY)
PARAGRAPHS = (
    "The night ferry carries 90 cars and 400 passengers.",
    "The harbour office is located in Quay Street. It opens at eight. Visitors report to the front desk before they enter the yard.",
    "Mara Lind heads the berth crew. The berth crew operates the east crane, the west crane and the two mobile ramps of the outer pier.",
    "The east crane is 40 m high.",
    "The billing service depends on Redis. The billing service is operated by the platform crew, which also runs the booking service.",
    "The pilot permit is valid until 2031-06-30. The permit office in Gull Lane renews it on request.",
    "Storm rules apply from wind force nine. The duty officer closes the outer pier first, then the two ramps, then the north basin.",
    "The north lock is 12 m wide. The north lock is operated by the lock crew.",
    "Tickets are sold at the kiosk, on board and online. A return ticket is valid for ten days; a season ticket is valid for one summer.",
    "The lamp at the end of the outer pier was replaced in March 2024.",
)
EDITED = "The night ferry carries 75 cars and 400 passengers."
ADDED = "Larkfield Freight owns the north basin. The north basin is 9 m deep at low tide, and two metres more at high tide."


@dataclass(frozen=True, slots=True)
class Work:
    """What one change cost: blocks extracted, texts embedded, rows written to the index, and milliseconds."""

    extract: int
    embed: int
    write: int
    milliseconds: float


class Desk:
    """One tenant on real parts."""

    def __init__(self, folder: Path) -> None:
        vocabulary = shipped()
        memo = SqliteMemo(folder / "memo.db")
        self._reader = Reader(SpacyExtractor(vocabulary), memo, vocabulary)
        self._store = SqliteStore.open(folder / "store.db", TENANT, {WIKI: SourceRules(WIKI, readers=frozenset({"*"}))}, vocabulary)
        self._embedder = MemoisedEmbedder(open_embedder("static", folder), memo)
        self._embedding = Embedding(self._embedder, Metrics())
        self._index = MilvusIndex(MilvusSettings(str(folder / "index.db"), "bench"), self._embedder.fingerprint, self._embedder.dimension)
        self._index.ensure()
        self._offset = 0

    def change(self, make: Callable[[Stamp], DocumentChange], document: str, order: int) -> Work:
        """Send one change and return what it cost."""
        position = Position("wiki", 0, self._offset, previous=self._offset - 1)
        self._offset += 1
        at = Instant(NOW + order * DAY)
        return self.send([make(Stamp(TENANT, WIKI, DocumentId(document), (order,), at, at, position))])

    def send(self, changes: list[Change]) -> Work:
        """Send changes as one batch."""
        began, embedded, sequence = time.perf_counter(), self._embedder.calls, self._store.sequence
        versions = self._reader.read(changes)
        self._store.apply(versions, Instant(NOW + 1000 * DAY))
        records = [one for chunk in self._store.after(sequence) for one in chunk if isinstance(one, Record)]
        rows = [row for row in self._embedding([("bench", record) for record in records]) if isinstance(row, Row)]
        refused = self._index.write(rows)
        if refused:
            message = f"the index refused {refused[0][1]}"
            raise SystemExit(message)
        calls = sum(getattr(version, "calls", 0) for version in versions)
        return Work(calls, self._embedder.calls - embedded, len(rows), (time.perf_counter() - began) * 1000)

    def close(self) -> None:
        """Release the files."""
        self._index.close()
        self._store.close()


def page(*paragraphs: str) -> Callable[[Stamp], DocumentChange]:
    """Return a put of a page of these paragraphs."""
    return lambda stamp: Put(stamp, Text("\n\n".join(paragraphs) + "\n"), "Harbour notes")


def measure(desk: Desk) -> dict[str, Work]:
    """Return the work of every kind of change."""
    edited, inserted = (EDITED, *PARAGRAPHS[1:]), (ADDED, EDITED, *PARAGRAPHS[1:])
    found = {"first": desk.change(page(*PARAGRAPHS), "notes", 1)}
    found["edit"] = desk.change(page(*edited), "notes", 2)
    found["insert"] = desk.change(page(*inserted), "notes", 3)
    found["rename"] = desk.change(lambda stamp: Move(stamp, "Notes of the harbour"), "notes", 4)
    found["copy"] = desk.change(page(*inserted), "copy", 1)
    found["revert"] = desk.change(page(*edited), "notes", 5)
    bodies = [PARAGRAPHS, edited, inserted]
    stamps = [
        Stamp(TENANT, WIKI, DocumentId("notes"), (n,), Instant(NOW + n * DAY), Instant(NOW + n * DAY), Position("again", 0, n)) for n in (1, 2, 3)
    ]
    found["replay"] = desk.send([page(*body)(stamp) for body, stamp in zip(bodies, stamps, strict=True)])
    found["delete"] = desk.change(Delete, "notes", 6)
    return found


def main() -> None:
    """Print the table and the result."""
    logging.disable(logging.WARNING)
    console = Console()
    with tempfile.TemporaryDirectory() as folder, console.status("loading the models (the static one is distilled once, about 20 s)"):
        desk = Desk(Path(folder))
        found = measure(desk)
        desk.close()
    table = Table("change", "extractor calls", "texts embedded", "rows written", "ms", title="Work per change, page of ten paragraphs")
    for name, work in found.items():
        table.add_row(name, str(work.extract), str(work.embed), str(work.write), f"{work.milliseconds:.0f}")
    console.print(table)
    kinds = [name for name in found if name != "first"]
    result = {name: found[name].extract for name in kinds}
    result |= {f"embed_{name}": found[name].embed for name in kinds} | {f"write_{name}": found[name].write for name in kinds}
    print("RESULT", json.dumps(result))


if __name__ == "__main__":
    main()
