"""Bad input: thirty malformed events, each followed by a good one, through a real broker and the whole flow into Milvus Lite.

    python bench/bad_input.py

After each malformed event the next good one must become searchable, which the published watermark says. At the end every malformed event must lie
on the topic of dead letters with a reason that names field and value, and every good one in the index. The flow runs in a process of its own and must
stop cleanly.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed

from connectors.broker import Broker
from connectors.embedding import NgramEmbedder
from connectors.kafka import Connection, Feed, ensure_topics
from connectors.kafka_source import Topics
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.watermark import read
from flows.run import Run
from flows.runner import execute
from flows.settings import Settings, embedded
from flows.wiring import opened
from schemas.deadletter import DeadLetter
from schemas.message import Message
from schemas.wire import dead_letter_from
from tests.sources.malformed import MALFORMED, Malformed

NATIVE, REVIEWS = "wiki.changes", "reviews"
REVIEW = {"subject": "Dock Board", "predicate": "chair", "value": "Orla Finch", "verdict": "prefer", "by": "Milo Reyes"}
BAD_REVIEWS = (
    Malformed("a review without its key", orjson.dumps({name: REVIEW[name] for name in ("value", "verdict", "by")}), "subject", "None", None),
    Malformed("a review without its value", orjson.dumps({name: REVIEW[name] for name in REVIEW if name != "value"}), "value", "None", None),
    Malformed("a review with an unknown verdict", orjson.dumps(REVIEW | {"verdict": "approve"}), "verdict", "'approve'", None),
)
EVENTS = [*((NATIVE, event) for event in MALFORMED[:27]), *((REVIEWS, event) for event in BAD_REVIEWS)]
PATIENCE_S = 60.0


def good(number: int) -> bytes:
    """Return a good event; each has a text of its own."""
    body = (
        f"---\nowner: Crew {number}\n---\n\nBerth number {number} lies on the north side of the quay and takes ships of up to {number + 40} metres."
    )
    return orjson.dumps({"id": f"berth-{number}", "order": 1, "body": body, "time": "2024-05-01T12:00:00"})


@contextmanager
def flow(data: Path, bootstrap: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the flow in a process of its own; at the end ask it to stop and wait."""
    command = [sys.executable, __file__, "--flow", str(data), bootstrap]
    log = data.with_suffix(".log")
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)
    if process.returncode:
        print(f"WRONG the flow stopped with {process.returncode}:\n{log.read_text()[-3000:]}")


def wait_for(data: Path, partition: tuple[str, int], offset: int, process: subprocess.Popen[bytes]) -> float:
    """Wait until the watermark has reached an offset; return the seconds that it took."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE_S:
        if process.poll() is not None:
            sys.exit(f"the flow ended with {process.returncode}")
        path = data / "watermark.db"
        if path.exists() and read(path).get(partition, -1) >= offset:
            return time.monotonic() - start
        time.sleep(0.02)
    sys.exit(f"{partition} did not reach offset {offset} within {PATIENCE_S:.0f} s")


def send_all(settings: Settings, data: Path, process: subprocess.Popen[bytes]) -> dict[str, Malformed]:
    """Send each malformed event with a good one behind it, and wait for the good one; return the malformed ones by position."""
    sent: dict[str, Malformed] = {}
    with Feed(Connection(settings.kafka.bootstrap)) as feed:
        for number, (topic, event) in enumerate(EVENTS):
            at = feed.send(topic, event.key, event.value)
            sent[str(at)] = event
            behind = feed.send(NATIVE, f"berth-{number}".encode(), good(number))
            seconds = wait_for(data, (behind.topic, behind.partition), behind.offset, process)
            print(f"{event.name:40} then a good event, searchable after {seconds * 1000:5.0f} ms")
    return sent


def buried(settings: Settings) -> dict[str, DeadLetter]:
    """Return what lies on the topic of dead letters, by position."""
    source = Topics(Connection(settings.kafka.bootstrap), [settings.kafka.dead_letters], bounded=True)
    messages: list[Message] = []
    for name in source.list_parts():
        part = source.build_part("letters", name, None)
        with suppress(StopIteration):
            while True:
                messages += part.next_batch()
        part.close()
    letters = [dead_letter_from(message.value or b"") for message in messages]
    return {str(letter.position): letter for letter in letters}


def explained(letters: dict[str, DeadLetter], sent: dict[str, Malformed]) -> int:
    """Count the malformed events whose dead letter names field and value; print those that are wrong, and dead letters of good events."""
    right = 0
    for position, event in sent.items():
        reason = letters[position].reason if position in letters else "no dead letter"
        if reason.startswith(f"{event.field}: ") and event.shown in reason:
            right += 1
        else:
            print(f"WRONG {event.name} at {position}: {reason}")
    for position in sorted(letters.keys() - sent.keys()):
        print(f"WRONG a good event at {position}: {letters[position].reason}")
    return right


def indexed(settings: Settings, count: int) -> int:
    """Count the good events whose text the index holds."""
    embedder = NgramEmbedder()
    index = MilvusIndex(MilvusSettings(settings.milvus, settings.index.collection, ""), embedder.fingerprint, embedder.dimension)
    index.ensure()
    try:
        texts = [stored.record.text for stored in index.scan()]
    finally:
        index.close()
    return sum(any(f"Berth number {number} lies" in text for text in texts) for number in range(count))


def settings_of(data: Path, bootstrap: str) -> Settings:
    """Return the settings of both processes: short epochs, and hashed vectors since embedding is not what is tried here."""
    return embedded(data, {"kafka.bootstrap": bootstrap, "flow.epoch_s": 0.25, "reading.embedding": "ngram", "metrics.off": True})


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flow", nargs=2, metavar=("DATA", "BOOTSTRAP"), help="be the flow's process")
    arguments = parser.parse_args()
    return execute(Run(settings_of(Path(arguments.flow[0]), arguments.flow[1])), opened) if arguments.flow else tried()


def tried() -> int:
    """Send everything, look where it ended, print the result."""
    with tempfile.TemporaryDirectory(prefix="millstream-bad-input-") as folder, Broker() as broker:
        data = Path(folder) / "data"
        settings = settings_of(data, broker.bootstrap)
        ensure_topics(broker.connection, dict.fromkeys([*settings.topics, settings.kafka.transitions, settings.kafka.dead_letters], 1))
        with flow(data, broker.bootstrap) as process:
            sent = send_all(settings, data, process)
            named = explained(buried(settings), sent)
        there = indexed(settings, len(EVENTS))
    result = {"malformed": len(EVENTS), "dead_letters": named, "good": len(EVENTS), "indexed": there}
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 0 if process.returncode == 0 and named == there == len(EVENTS) else 1


if __name__ == "__main__":
    sys.exit(main())
