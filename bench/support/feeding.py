"""A whole Millstream that a bench feeds: broker, the wired flow in a process of its own, and Milvus Lite, all embedded."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from bench.support.indexer import Indexer, Plan
from bench.support.searchable import LOOK_S, current, ends, is_searchable, wait
from connectors.broker import Broker
from connectors.embedding import open_embedder
from connectors.kafka import Feed, ensure_topics
from connectors.milvus_server import start_lite
from connectors.watermark import SourcePartition, read
from schemas.record import Record

PATIENCE_S = 300.0
RATE = 5
"""Messages a second where latency is measured: a quarter of what all wikis of the largest family see together."""
EMBEDDING = "static"
MODELS = Path.home() / ".cache" / "millstream" / "models"
Sent = tuple[bytes, bytes]
"""Key and value of one message."""


@dataclass(slots=True)
class Feeding:
    """Sends messages to one topic and waits until they are searchable. Owned by the bench. `busy_s`: seconds that sending and waiting took."""

    feed: Feed
    indexer: Indexer
    topic: str
    busy_s: float = 0.0

    def at_once(self, some: Sequence[Sent], step: Callable[[int], None]) -> None:
        """Send messages together and wait for the last one; `step` is told, again and again, how many are searchable."""
        began = time.monotonic()
        positions = self.feed.send_all(self.topic, [(key, value, ()) for key, value in some])
        last, settings = ends(positions), self.indexer.plan.settings
        place, seen, moved = (self.topic, positions[0].partition), -1, began
        while not is_searchable(settings, last):
            reached = read(settings.watermark).get(place, -1)
            if reached != seen:
                seen, moved = reached, time.monotonic()
                step(max(0, reached - positions[0].offset + 1))
            if not self.indexer.alive or time.monotonic() - moved > PATIENCE_S:
                sys.exit(f"the flow ended, or stands still at {reached} of {last}:\n{self.indexer.last_words()}")
            time.sleep(10 * LOOK_S)
        self.busy_s += time.monotonic() - began
        step(len(some))

    def slowly(self, some: Sequence[Sent], step: Callable[[int], None]) -> list[float]:
        """Send messages one by one at a rate; return after how many milliseconds each was searchable."""
        began = time.monotonic()
        waiting: list[tuple[float, dict[SourcePartition, int]]] = []
        times: list[float] = []
        for number, (key, value) in enumerate(some, start=1):
            sent = time.monotonic()
            waiting.append((sent, ends([self.feed.send(self.topic, key, value)])))
            step(number)
            times += self._arrived(waiting, until=began + number / RATE)
        return times + self._arrived(waiting, until=time.monotonic() + PATIENCE_S, all_of_them=True)

    def _arrived(self, waiting: list[tuple[float, dict[SourcePartition, int]]], until: float, *, all_of_them: bool = False) -> list[float]:
        """Watch until a time; take out what has become searchable and return how long each took."""
        times: list[float] = []
        settings = self.indexer.plan.settings
        while time.monotonic() < until and not (all_of_them and not waiting):
            while waiting and is_searchable(settings, waiting[0][1]):
                times.append((time.monotonic() - waiting.pop(0)[0]) * 1000)
            time.sleep(LOOK_S)
        if all_of_them and waiting:
            sys.exit(f"{len(waiting)} messages are not searchable:\n{self.indexer.last_words()}")
        return times

    def records(self) -> list[Record]:
        """Return what the index holds now, closed versions left out."""
        return list(current(self.indexer.plan.settings))


def shown(progress: Progress, task: TaskID, fed: int) -> Callable[[int], None]:
    """Return what shows how many messages of a section are searchable, `fed` before it."""

    def step(done: int) -> None:
        progress.update(task, completed=fed + done)

    return step


@contextmanager
def whole(topic: str, models: Path) -> Iterator[tuple[Feeding, Progress]]:
    """Yield a running Millstream that has loaded its models, and a place to show progress.

    It embeds with the static model, kept in `models`: what is compared is what is believed, and the default model would take most of the time.
    """
    with Console(stderr=True).status("opening the embedding model; where there is none it is distilled, half a minute on a machine at rest"):
        open_embedder(EMBEDDING, models)
    with tempfile.TemporaryDirectory(prefix="millstream-bench-") as folder, Broker() as broker, start_lite(Path(folder) / "milvus") as lite:
        data = Path(folder) / "data"
        data.mkdir()
        (data / "models").symlink_to(models.resolve())
        overrides = {
            "reading.embedding": EMBEDDING,
            "kafka.bootstrap": broker.bootstrap,
            "index.uri": lite.uri,
            "metrics.off": True,
            "flow.startup_s": PATIENCE_S,
        }
        plan = Plan(data, overrides)
        ensure_topics(broker.connection, dict.fromkeys(plan.settings.every_topic, 1))
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Indexer(plan) as indexer, Feed(broker.connection) as feed, Progress(*columns, console=Console(stderr=True)) as progress:
            _warm(feed, indexer, progress)
            yield Feeding(feed, indexer, topic), progress


def _warm(feed: Feed, indexer: Indexer, progress: Progress) -> None:
    """Start the flow and let it load its models."""
    task = progress.add_task("loading the models", total=None)
    indexer.start()
    ticket = {"id": "T-1", "order": 1, "time": "2024-01-01", "body": "The north quay is closed."}  # dated, so that two runs hold the same
    position = feed.send("ticket.changes", b"T-1", orjson.dumps(ticket))
    wait(indexer, ends([position]), PATIENCE_S)
    progress.remove_task(task)
