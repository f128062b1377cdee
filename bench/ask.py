"""Asking: how long a question takes, and how many rows a second an index takes, in memory and on Milvus Lite.

    python bench/ask.py [--rows 5000 50000] [--questions 40] [--index memory lite]

Texts are sentences made of a few hundred words; vectors are random and normalised (384 numbers), which changes nothing for an exact search.
Questions are asked as of times at which about a third of the rows are valid. The embedding of the question is measured apart. Ends with a line
RESULT.
"""

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed

from connectors.embedding import Vector, open_embedder
from connectors.index import Filter, Index
from connectors.memory_index import MemoryIndex
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.milvus_server import start_lite
from retrieval.service import Search
from schemas.change import audience_of
from schemas.ids import DocumentKey, EntityId, Fingerprint, RecordId, Tenant, digest
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Row, Support

WIDTH = 384
GENERATION = Fingerprint("bench")
TENANT = Tenant("town")
SPAN = 1_000  # validities lie between 0 and this; each is a third of it long, or open
SUBJECTS = ["quay", "crane", "ferry", "harbour master", "pilot boat", "customs office", "dry dock", "light house", "tide table", "grain silo"]
VERBS = ["is led by", "opens at", "belongs to", "lies north of", "was built in", "is inspected by", "costs", "replaces", "depends on", "is owned by"]
NAMES = [f"{first} {last}" for first in ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal") for last in ("Ruiz", "Lind", "Okoro", "Meyer", "Sato")]


class Drawn:
    """An embedder that draws a vector for each text, always the same one, and remembers it: embedding is measured apart."""

    def __init__(self) -> None:
        self._known: dict[str, Vector] = {}

    fingerprint = GENERATION
    dimension = WIDTH
    windowed = 0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `connectors.embedding.Embedder.embed`."""
        for text in texts:
            if text not in self._known:
                self._known[text] = vector(text)
        return [self._known[text] for text in texts]


def vector(text: str) -> Vector:
    """Return a direction that depends on the text alone."""
    numbers = np.random.default_rng(int(digest(text)[:15], 16)).standard_normal(WIDTH).astype(np.float32)
    return tuple((numbers / np.linalg.norm(numbers)).tolist())


def row(number: int) -> Row:
    """Return the row of a number: mostly nuggets, some units and bridges, and an entity now and then."""
    chance = random.Random(number)
    subject = f"{chance.choice(SUBJECTS)} {chance.randrange(200)}"
    text = f"The {subject} {chance.choice(VERBS)} {chance.choice(NAMES)}, as the {chance.choice(SUBJECTS)} of pier {number} says in its book."
    kind = Kind.ENTITY if number % 50 == 0 else chance.choices([Kind.NUGGET, Kind.UNIT, Kind.BRIDGE], [7, 2, 1])[0]
    start = chance.randrange(SPAN)
    record = Record(
        id=RecordId(digest("row", number)),
        kind=kind,
        tenant=TENANT,
        audience=audience_of({"*"}),
        text=subject if kind is Kind.ENTITY else text,
        belief=Belief.BELIEVED,
        reason="current",
        valid_from=Instant(start),
        valid_to=Instant(start + SPAN // 3) if chance.random() < 0.8 else FOREVER,
        said_at=Instant(start),
        entities=(EntityId(digest(subject)), EntityId(digest(text[-20:]))),
        documents=(DocumentKey(digest("document", number // 10)),),
        subject=subject,
        predicate="is",
        object=text[-20:],
        provenance=(Support("wiki", f"page {number // 10}", digest("unit", number // 3), 0, len(text), Instant(start)),),
        sequence=number + 1,
        version=1,
    )
    return Row(record, vector(text), GENERATION)


def batches(rows: int, size: int) -> Iterator[list[Row]]:
    """Yield the rows in batches."""
    for start in range(0, rows, size):
        yield [row(number) for number in range(start, min(start + size, rows))]


def fill(index: Index, rows: int) -> float:
    """Write the rows in batches of 256 and return how many went a second, the making of them left out."""
    spent = 0.0
    for batch in batches(rows, 256):
        start = time.perf_counter()
        refused = index.write(batch)
        spent += time.perf_counter() - start
        assert not refused, refused[0]
    return rows / spent


def timed(calls: Sequence[Callable[[], object]]) -> tuple[float, float]:
    """Return p50 and p95 of the calls in milliseconds, after one that warms up."""
    calls[0]()
    times = []
    for call in calls:
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1_000)
    times.sort()
    return statistics.median(times), times[int(0.95 * (len(times) - 1))]


def measured(index: Index, rows: int, questions: int) -> dict[str, tuple[float, float]]:
    """Return the times of whole questions and of their parts."""
    embedder = Drawn()
    search = Search(index, embedder, TENANT, lambda: [audience_of({"*"})])
    words = Search(index, None, TENANT, lambda: [audience_of({"*"})])
    asked = [f"Who leads the {SUBJECTS[number % 10]} {number * 7 % 200} of {NAMES[number % 40]}?" for number in range(questions)]
    embedder.embed(asked)
    times = [Instant(number * 37 % SPAN) for number in range(questions)]
    where = [Filter(TENANT, frozenset({audience_of({"*"})}), at) for at in times]
    known = [RecordId(digest("row", number * 31 % rows)) for number in range(questions)]
    return {
        "hybrid": timed([partial(search.search, question, at) for question, at in zip(asked, times, strict=True)]),
        "words only": timed([partial(words.search, question, at) for question, at in zip(asked, times, strict=True)]),
        "dense channel": timed([partial(index.dense, vector(question), only, 60) for question, only in zip(asked, where, strict=True)]),
        "lexical channel": timed([partial(index.lexical, question, only, 60) for question, only in zip(asked, where, strict=True)]),
        "get one": timed([partial(index.get, TENANT, [name]) for name in known]),
    }


def report(name: str, rows: int, upserts: float, found: dict[str, tuple[float, float]], result: dict[str, float]) -> None:
    """Print the table of one index and take its figures into the result."""
    print(f"\n{name}, {rows:,} rows: {upserts:,.0f} upserts/s in batches of 256; {memory_mb():,.0f} MB resident at most")
    for what, (middle, high) in found.items():
        print(f"  {what:16} p50 {middle:8.1f} ms   p95 {high:8.1f} ms")
    result[f"{name}_{rows}_upserts_per_s"] = round(upserts)
    result |= {f"{name}_{rows}_{what.replace(' ', '_')}_p50_ms": round(middle, 1) for what, (middle, _) in found.items()}


def memory_mb() -> float:
    """Return the greatest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def embedding(result: dict[str, float]) -> None:
    """Measure the embedding of a question by the static model, which is made first if need be."""
    with tempfile.TemporaryDirectory() as folder:
        embedder = open_embedder("ngram", Path(folder))
        middle, high = timed([partial(embedder.embed, [f"Who leads the harbour office number {number}?"]) for number in range(50)])
    print(f"\nembedding of a question by hashed n-grams: p50 {middle:.2f} ms, p95 {high:.2f} ms")
    result["embed_ngram_p50_ms"] = round(middle, 2)


def main() -> None:
    """Run the bench."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, nargs="+", default=[5_000, 50_000])
    options.add_argument("--questions", type=int, default=40)
    options.add_argument("--index", nargs="+", choices=["memory", "lite"], default=["memory", "lite"])
    given = options.parse_args()
    result: dict[str, float] = {}
    for rows in given.rows:
        if "memory" in given.index:
            index: Index = MemoryIndex(GENERATION, WIDTH)
            report("memory", rows, fill(index, rows), measured(index, rows, given.questions), result)
        if "lite" in given.index:
            with tempfile.TemporaryDirectory() as folder, start_lite(Path(folder) / "lite") as server:
                index = MilvusIndex(MilvusSettings(server.uri), GENERATION, WIDTH)
                index.ensure()
                report("lite", rows, fill(index, rows), measured(index, rows, given.questions), result)
                index.close()
    embedding(result)
    print("RESULT", json.dumps(result))


if __name__ == "__main__":
    main()
