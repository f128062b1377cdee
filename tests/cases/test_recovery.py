"""Acceptance case C24, through the whole flow: a broker, the indexer, Milvus Lite, and the command that replays."""

import json
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from connectors.broker import Broker
from connectors.kafka import Feed, ensure_topics
from connectors.milvus_server import MilvusServer
from connectors.spacy_extractor import SpacyExtractor
from flows.cli import app
from flows.run import Run
from flows.runner import STOPPED, execute
from flows.settings import read
from flows.wiring import opened
from schemas.ids import Tenant
from state.reader import StoreReader
from tests.cases.desk import put

TOPIC = "wiki.changes"
SETTINGS = """
data = "{data}"
[kafka]
bootstrap = "{bootstrap}"
[index]
uri = "{milvus}"
collection = "{name}"
[reading]
embedding = "ngram"
[metrics]
off = true
[[sources]]
name = "wiki"
topic = "wiki.changes"
readers = ["*"]
"""
BERTHS = "The quay has nine berths."
POISON = {
    "value": (b"page", b'{"id": "quay", "order": 1, "body": "The quay'),
    "id": (b"page", orjson.dumps({"order": 1, "body": BERTHS})),
    "kind": (b"page", orjson.dumps({"kind": "upsert", "id": "quay", "order": 1, "body": BERTHS})),
    "key": (None, b""),
}
"""By the field at fault: broken JSON, no id, an unknown type, a row without the key that is its only id."""


class Mill:
    """One Millstream: fed through Kafka, run to the end of its topics, asked by its commands."""

    def __init__(self, file: Path, english: SpacyExtractor, capture: pytest.CaptureFixture[str]) -> None:
        self._file = file
        self._english = english
        self._capture = capture
        self.settings = read(file)
        self.connection = self.settings.kafka.connection({})
        ensure_topics(self.connection, dict.fromkeys(self.settings.every_topic, 1))

    def run(self) -> None:
        """Index all that is in the topics."""
        run = Run(self.settings, bounded=True, environment={})
        assert execute(run, partial(opened, make_extractor=lambda _: self._english)) == STOPPED

    def json(self, *words: str) -> Any:
        """Give a command; return what it says."""
        self._capture.readouterr()
        with pytest.raises(SystemExit) as ended:
            app([*words, "--json", "--settings", str(self._file)])
        out, err = self._capture.readouterr()
        assert not ended.value.code, err
        return json.loads(out)

    @property
    def outcomes(self) -> dict[str, int]:
        """How many changes ended in which way."""
        with closing(StoreReader(self.settings.store(Tenant("main")))) as store:
            return {outcome.value: count for outcome, count in store.outcomes().items()}

    def answers(self, question: str) -> set[str]:
        """Return the texts that answer a question."""
        return {hit["record"]["text"] for hit in self.json("ask", question)["hits"]}


@pytest.fixture
def mill(tmp_path: Path, lite: MilvusServer, english: SpacyExtractor, capfd: pytest.CaptureFixture[str]) -> Iterator[Mill]:
    with Broker() as broker:
        file = tmp_path / "millstream.toml"
        file.write_text(SETTINGS.format(data=tmp_path / "data", bootstrap=broker.bootstrap, milvus=lite.uri, name=tmp_path.name))
        yield Mill(file, english, capfd)


def test_c24_poison_becomes_dead_letters_and_a_corrected_one_is_applied_by_the_replay_command(mill: Mill, tmp_path: Path) -> None:
    good = [(b"page", orjson.dumps(put(f"page {number}", 1, f"The pier {number} opens at six.")), ()) for number in range(100)]
    poison = [(key, value, ()) for key, value in POISON.values()]
    with Feed(mill.connection) as feed:
        positions = feed.send_all(TOPIC, [*good[:50], *poison, *good[50:]])
    mill.run()
    letters = mill.json("dead-letters", "list")
    assert [letter["reason"].partition(":")[0] for letter in letters] == list(POISON)
    assert [_position(letter) for letter in letters] == [(at.topic, at.partition, at.offset) for at in positions[50:54]]
    assert [(letter["key"]["text"], letter["payload"]["text"]) for letter in letters] == [
        ((key or b"").decode(), value.decode()) for key, value in POISON.values()
    ]
    assert mill.outcomes == {"applied": 100, "dead-letter": 4}
    assert "The pier 99 opens at six." in mill.answers("When does the pier 99 open?")
    assert mill.answers("How many berths does the quay have?").isdisjoint({BERTHS})

    corrected = tmp_path / "corrected.json"
    corrected.write_bytes(orjson.dumps(put("quay", 1, BERTHS)))
    (sent,) = mill.json("dead-letters", "replay", str(positions[52]), "--with", str(corrected))
    assert sent["from"] == str(positions[52])
    mill.run()
    assert mill.outcomes == {"applied": 101, "dead-letter": 4}
    assert BERTHS in mill.answers("How many berths does the quay have?")
    assert [_position(letter)[2] for letter in mill.json("dead-letters", "list")] == [positions[number].offset for number in (50, 51, 53)]


def test_c24_a_deletion_without_its_key_is_replayed_with_it(mill: Mill) -> None:
    with Feed(mill.connection) as feed:
        feed.send(TOPIC, b"quay", orjson.dumps(put("quay", 1, BERTHS)))
        position = feed.send(TOPIC, None, b"")
    mill.run()
    assert BERTHS in mill.answers("How many berths does the quay have?")
    mill.json("dead-letters", "replay", str(position), "--key", "quay")
    mill.run()
    assert mill.outcomes == {"applied": 2, "dead-letter": 1}
    assert mill.answers("How many berths does the quay have?") == set()


def _position(letter: Any) -> tuple[str, int, int]:
    at = letter["position"]
    return at["topic"], at["partition"], at["offset"]
