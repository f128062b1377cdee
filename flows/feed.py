"""Feed: a git repository or a file of JSON lines becomes messages on Kafka. A feed goes on where the last one stopped.

Where it stopped is kept in a small file under the data directory, written after the broker has acknowledged; so a crash sends some messages
again, which the version gate knows. It is kept per topic *as the broker knows it*: a topic that was created anew is fed from the beginning.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import orjson

from connectors.kafka import Connection, Headers, Producer, describe
from connectors.sources import files
from connectors.sources.git import History, Revision
from schemas.errors import Inconsistent
from schemas.ids import digest

Item = TypeVar("Item")

BATCH = 200  # messages that are acknowledged together: the wait is shared, and a crash repeats no more than these
BATCH_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a feed has come: `done` of `total` (commits or bytes), the messages that it delivered, and where it stands as people would say it."""

    done: int
    total: int
    messages: int
    at: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where a feed delivers, and under which directory it remembers that. `topic_id` is another one after the topic was created anew."""

    producer: Producer
    topic: str
    topic_id: str
    data: Path

    def deliver(self, messages: Iterable[tuple[str, bytes | None, bytes | None]]) -> int:
        """Deliver (topic, key, value), in order within each topic, and return how many that were, when all are acknowledged."""
        by_topic: dict[str, list[tuple[bytes | None, bytes | None, Headers]]] = {}
        for topic, key, value in messages:
            by_topic.setdefault(topic, []).append((key, value, ()))
        return sum(len(self.producer.send_all(topic, group)) for topic, group in by_topic.items())

    def place(self, kind: str, origin: Path) -> "Place":
        """Return where the feed of one origin to this topic remembers how far it came."""
        name = digest(kind, str(origin.resolve()), self.topic, self.topic_id)
        return Place(self.data / "feeds" / f"{kind}-{name}.json")


def target(producer: Producer, connection: Connection, topic: str, data: Path) -> Target:
    """Return the target of a topic that exists."""
    return Target(producer, topic, describe(connection, [topic])[topic].id, data)


@dataclass(frozen=True, slots=True)
class Place:
    """A small file that remembers how far a feed came."""

    path: Path

    def read(self) -> dict[str, object]:
        """Return what was written last, nothing at the first time."""
        try:
            kept = orjson.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except orjson.JSONDecodeError as err:
            message = f"{self.path} is damaged ({err}); remove it to feed from the beginning"
            raise Inconsistent(message) from err
        return dict(kept)

    def write(self, **kept: object) -> None:
        """Replace what is remembered, whole or not at all."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".draft")
        draft.write_bytes(orjson.dumps({"format": 1, **kept}))
        draft.replace(self.path)


def feed_git(
    to: Target, repository: Path, since: str | None = None, *, follow: bool = False, stop: threading.Event | None = None, pause_s: float = 2.0
) -> Iterator[Progress]:
    """Deliver a repository's history, then, if it is followed, what is committed until `stop` is set. Yield after each batch that was acknowledged.

    At the first time it begins at the root, or with `since` at that revision: with all documents as they stood then, and all changes after it.
    Later it goes on where it stopped. A history that was rewritten meanwhile is Inconsistent.
    """
    place = to.place("git", repository)
    messages = 0
    with History(repository) as history:
        for batch in _revisions(history, place.read(), since, stop or threading.Event(), pause_s if follow else None):
            messages += to.deliver((to.topic, key, value) for revision in batch for key, value in revision.messages)
            last = batch[-1]
            place.write(commit=last.commit, position=last.position, repository=str(repository.resolve()), topic=to.topic)
            yield Progress(last.position + 1, last.total, messages, last.commit[:10])


def feed_document(to: Target, path: Path) -> Iterator[Progress]:
    """Deliver the file of one document; nothing if it was delivered as it is now."""
    place = to.place("document", path)
    key, value = files.document(path)
    content = digest("file", value)
    if place.read().get("digest") != content:
        messages = to.deliver([(to.topic, key, value)])
        place.write(digest=content, file=str(path.resolve()), topic=to.topic)
        yield Progress(len(value), len(value), messages, path.name)


def feed_file(to: Target, path: Path) -> Iterator[Progress]:
    """Deliver a file of JSON lines. Yield after each batch that was acknowledged.

    It goes on behind the last line that was delivered, unless the lines up to there have changed: then it begins anew.
    """
    place = to.place("file", path)
    kept = place.read()
    mark = files.Mark(int(str(kept["lines"])), int(str(kept["size"])), str(kept["digest"])) if kept else files.Mark()
    messages = 0
    for batch in _batches(files.lines(path, mark), lambda line: [line.value or b""]):
        messages += to.deliver((line.topic or to.topic, line.key, line.value) for line in batch)
        last = batch[-1].mark
        place.write(lines=last.lines, size=last.size, digest=last.digest, file=str(path.resolve()), topic=to.topic)
        yield Progress(last.size, path.stat().st_size, messages, f"line {last.lines}")


def _revisions(
    history: History, kept: Mapping[str, object], since: str | None, stop: threading.Event, pause_s: float | None
) -> Iterator[list[Revision]]:
    """Yield the revisions that were not fed yet, in batches; `pause_s` between two looks for new ones, None for a single look."""
    if kept:
        history.go_to(str(kept["commit"]))
    elif since is not None:
        history.go_to(history.find(since))
        yield [history.standing()]
    while True:
        for batch in _batches(history.news(), lambda revision: [value for _, value in revision.messages]):
            yield batch
            if stop.is_set():
                return
        if pause_s is None or stop.wait(pause_s):
            return


def _batches(items: Iterable[Item], values: Callable[[Item], Sequence[bytes]]) -> Iterator[list[Item]]:
    """Yield the items in batches; one of them is never cut."""
    batch: list[Item] = []
    count = size = 0
    for item in items:
        batch.append(item)
        held = values(item)
        count += max(1, len(held))
        size += sum(map(len, held))
        if count >= BATCH or size >= BATCH_BYTES:
            yield batch
            batch, count, size = [], 0, 0
    if batch:
        yield batch
