"""Crash: the index flow is killed again and again while changes pour in; in the end Milvus must hold what a build from nothing gives.

    python bench/crash.py [--kills 20] [--seed 1]

Broker and Milvus Lite run in processes of their own and live on; the index flow is a child that is killed and started again. It dies in turn between
a commit of its store and the emission, between two pieces of a write to Milvus, at its start, and by `kill -9` from outside at a random moment, while
it works or while it starts. Changes of 20 documents that share their facts (`bench/support/harbour.py`) come all the while, over four topics of two
partitions each. At the end all current rows of Milvus are compared field for field with `tests/oracle.py` over all versions; the index's own diary
(version, sequence, recorded_at) and closed versions are left out. Tombstones are pruned as early as ever allowed, epochs and pieces are short.

The same is then run with the emission after a restart switched off and every kill before the emission. This must come out wrong: else the comparison
shows nothing.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from itertools import cycle, islice
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes beside every log, and looks at this when it is imported

from bench.support.harbour import changes
from bench.support.indexer import Indexer, Plan
from bench.support.searchable import current, ends, wait
from connectors.broker import Broker
from connectors.extractor import PatternExtractor
from connectors.kafka import Connection, Feed, ensure_topics
from connectors.kafka_source import Topics
from connectors.memo import MemoryMemo
from connectors.milvus_server import start_lite
from connectors.reader import Reader
from connectors.sources.adapters import adapter_for
from connectors.watermark import read
from flows.reading import CHANGES
from flows.run import NO_REEMIT
from flows.settings import Settings
from flows.wiring import wall_clock
from schemas.change import Position
from schemas.ids import RecordId
from schemas.instant import EPOCH
from schemas.message import Message
from schemas.record import Record
from schemas.version import Version
from schemas.vocabulary import shipped
from tests.oracle import expected

RATE = 5.0
"""Changes a second; each writes some 30 rows, and a busy machine must keep up while the flow dies every few seconds."""
PATIENCE_S = 180.0
LONGEST_LIFE_S = 15.0
"""A fault that has not struck by then is replaced by a kill from outside."""
FAULTS = {"commit-emit": "commit-emit:0.3", "milvus-write": "milvus-write:0.15", "start": "start:1"}
"""What strikes where; a life lasts some transactions or pieces."""
WAYS = ("commit-emit", "milvus-write", "while it works", "commit-emit", "milvus-write", "while it starts", "commit-emit", "while it works", "start")
SMALL = {"flow.epoch_s": 0.25, "flow.kept": 0, "flow.transaction": 10, "index.write_rows": 16, "reading.embedding": "ngram", "metrics.off": True}
SHOWN = 5


class Load(threading.Thread):
    """Sends the stream at its rate until told to stop."""

    def __init__(self, connection: Connection, seed: int) -> None:
        super().__init__(daemon=True)
        self._connection = connection
        self._seed = seed
        self._stop_asked = threading.Event()
        self.positions: list[Position] = []
        self.failure: Exception | None = None

    def run(self) -> None:
        """Be the thread."""
        try:
            with Feed(self._connection) as feed:
                for change in changes(self._seed):
                    if self._stop_asked.wait(1 / RATE):
                        return
                    self.positions.append(feed.send(change.topic, change.key, change.value))
        except Exception as err:  # noqa: BLE001 - whatever ended the load is raised in the thread that waits for it
            self.failure = err

    def finish(self) -> None:
        """Stop sending; what was sent is acknowledged. A load that failed before raises here."""
        self._stop_asked.set()
        self.join()
        if self.failure is not None:
            raise self.failure


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one run: rows that differ as (index, oracle), kills by what struck, rows in all, rows emitted again, changes sent."""

    differing: Sequence[tuple[Record | None, Record | None]]
    kills: Mapping[str, int]
    rows: int
    emitted_again: int
    sent: int


@contextmanager
def parts(folder: Path) -> Iterator[Indexer]:
    """Run a broker and Milvus Lite; yield an index flow over them that has not begun."""
    with Broker() as broker, start_lite(folder / "milvus") as lite:
        plan = Plan(folder / "data", {**SMALL, "kafka.bootstrap": broker.bootstrap, "index.uri": lite.uri}, patterns=True)
        ensure_topics(broker.connection, dict.fromkeys(plan.settings.every_topic, 2))
        with Indexer(plan) as indexer:
            yield indexer


def tried(ways: Sequence[str], seed: int, environment: Mapping[str, str]) -> Trial:
    """Kill the flow in these ways under load, let it finish, and compare."""
    with tempfile.TemporaryDirectory(prefix="millstream-crash-") as folder, parts(Path(folder)) as indexer:
        settings = indexer.plan.settings
        load = Load(settings.kafka.connection({}), seed)
        load.start()
        chance = Random(seed)
        struck: Counter[str] = Counter()
        for number, way in enumerate(ways, start=1):
            struck[_killed(indexer, way, chance, environment, f"kill {number:2} of {len(ways)}")] += 1
        load.finish()
        indexer.start(**environment)
        wait(indexer, ends(load.positions), PATIENCE_S)
        indexer.stop()
        print(f"{len(load.positions)} changes are searchable; comparing")
        return _compared(settings, struck, indexer.emitted_again, load)


def _killed(indexer: Indexer, way: str, chance: Random, environment: Mapping[str, str], title: str) -> str:
    """Begin a life and end it in this way; return what struck, which is a kill from outside where a fault did not."""
    began, before = time.monotonic(), _reached(indexer.plan.settings)
    faults = {"MILLSTREAM_FAULT": FAULTS[way]} if way in FAULTS else {}
    indexer.start(**environment, **faults)
    if way in FAULTS:
        struck = indexer.ended(LONGEST_LIFE_S)
        way = way if struck else "from outside"
    elif way == "while it works":
        while indexer.alive and _reached(indexer.plan.settings) == before and time.monotonic() < began + LONGEST_LIFE_S:
            time.sleep(0.02)
        time.sleep(chance.uniform(0.0, 1.5))
    else:
        time.sleep(chance.uniform(0.0, 2.0))
    if way not in FAULTS and not indexer.alive:
        sys.exit(f"the flow ended by itself:\n{indexer.last_words()}")
    indexer.kill()
    passed = _reached(indexer.plan.settings) - before
    print(f"{title}, {way}: lived {time.monotonic() - began:4.1f} s, {passed} changes became searchable", flush=True)
    return way


def _reached(settings: Settings) -> int:
    """Return how many positions the watermarks cover."""
    return sum(offset + 1 for offset in read(settings.watermark).values())


def _compared(settings: Settings, struck: Mapping[str, int], emitted_again: int, load: Load) -> Trial:
    """Compare what Milvus holds with what all versions together say."""
    found = {record.id: _without_diary(record) for record in current(settings)}
    (tenant,) = settings.tenants
    versions = _versions(settings, len(load.positions))
    wanted = expected(versions, settings.rules(tenant), shipped(), tenant, wall_clock())
    names: list[RecordId] = sorted({*found, *wanted})
    differing = [(found.get(name), wanted.get(name)) for name in names if found.get(name) != wanted.get(name)]
    return Trial(differing, struck, len(wanted), emitted_again, len(load.positions))


def _without_diary(record: Record) -> Record:
    return replace(record, version=0, sequence=0, recorded_at=EPOCH)


def _versions(settings: Settings, count: int) -> list[Version]:
    """Return everything that was sent as versions, read on their own."""
    adapters = {source.topic: adapter_for(source.adapter_settings()) for source in settings.sources}
    decoded = [change for message in _delivered(settings) for change in adapters[message.topic].decode(message)]
    vocabulary = shipped()
    versions = Reader(PatternExtractor(vocabulary), MemoryMemo(), vocabulary).read([change for change in decoded if isinstance(change, CHANGES)])
    found = [version for version in versions if isinstance(version, Version)]
    if len(found) != count:
        sys.exit(f"{count} changes were sent, {len(found)} of them can be read")
    return found


def _delivered(settings: Settings) -> Iterator[Message]:
    """Yield what lies in the topics that are read."""
    source = Topics(settings.kafka.connection({}), settings.topics, bounded=True)
    for name in source.list_parts():
        part = source.build_part("all", name, None)
        with suppress(StopIteration):
            while True:
                yield from part.next_batch()
        part.close()


def _shown(found: Record | None, wanted: Record | None) -> str:
    """Return one difference as people read it."""
    if found is None or wanted is None:
        one = found or wanted
        assert one is not None
        return f"{'missing' if found is None else 'orphan'}: {one.kind} {one.text!r} {one.belief} {one.reason}"
    which = [field.name for field in fields(Record) if getattr(found, field.name) != getattr(wanted, field.name)]
    shown = "; ".join(f"{name} is {getattr(found, name)!r}, should be {getattr(wanted, name)!r}" for name in which)
    return f"wrong: {found.kind} {found.text!r}: {shown}"


def _report(trial: Trial) -> None:
    """Print what came of a run."""
    print(f"{trial.sent} changes, {trial.rows} rows, {trial.emitted_again} rows emitted again; {len(trial.differing)} rows differ")
    for pair in trial.differing[:SHOWN]:
        print("  ", _shown(*pair))


def main() -> int:
    """Run both; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    trial = tried(list(islice(cycle(WAYS), arguments.kills)), arguments.seed, {})
    _report(trial)
    fewer = max(1, min(arguments.kills, 6))
    print(f"\nthe same with {fewer} kills and nothing emitted again after a restart, which must come out wrong")
    control = tried(["commit-emit"] * fewer, arguments.seed, {NO_REEMIT: "1"})
    _report(control)
    result = {
        "kills": sum(trial.kills.values()),
        "equal": not trial.differing,
        "reemitted": trial.emitted_again,
        "rows": trial.rows,
        "struck": dict(trial.kills),
        "differences_without_reemission": len(control.differing),
    }
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 0 if not trial.differing and control.differing else 1


if __name__ == "__main__":
    sys.exit(main())
