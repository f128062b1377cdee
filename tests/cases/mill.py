"""A whole Millstream for the cases that need one: broker, flow, Milvus Lite and the commands."""

import json
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from connectors.embedding import NgramEmbedder
from connectors.extractor import Extractor
from connectors.kafka import Feed, Headers, ensure_topics
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.spacy_extractor import SpacyExtractor
from flows.cli import app
from flows.run import Run
from flows.runner import STOPPED, execute
from flows.settings import read
from flows.wiring import opened
from schemas.change import Position
from schemas.ids import RecordId, Tenant
from state.reader import StoreReader

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


class Mill:
    """One Millstream: fed through Kafka, run to the end of its topics, asked by its commands."""

    def __init__(self, file: Path, english: SpacyExtractor, capture: pytest.CaptureFixture[str]) -> None:
        self._file = file
        self._english = english
        self._capture = capture
        self.settings = read(file)
        self.connection = self.settings.kafka.connection({})
        ensure_topics(self.connection, dict.fromkeys(self.settings.every_topic, 1))

    def run(self, extractor: Extractor | None = None) -> None:
        """Index all that is in the topics, and read again what another extractor read."""
        run = Run(self.settings, bounded=True, environment={})
        assert execute(run, partial(opened, make_extractor=lambda _: extractor or self._english)) == STOPPED

    def run_as_set(self, environment: Mapping[str, str], reading: str) -> None:
        """Index all with the extractor that the settings name, with another table `reading` and what follows it."""
        before, _, rest = self._file.read_text().partition('[reading]\nembedding = "ngram"\n')
        whole = self._file.with_name("whole.toml")
        whole.write_text(before + reading + rest)
        assert execute(Run(read(whole), bounded=True, environment=environment), opened) == STOPPED

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

    def feed(self, *messages: tuple[bytes | None, bytes]) -> list[Position]:
        """Send messages, each a key and a value; return where they stand."""
        nothing: Headers = ()
        with Feed(self.connection) as feed:
            return feed.send_all(TOPIC, [(key, value, nothing) for key, value in messages])

    def rows(self) -> dict[RecordId, int]:
        """Return the sequence of every record that the index holds, closed versions included."""
        embedder = NgramEmbedder()
        index = MilvusIndex(MilvusSettings(self.settings.milvus, self.settings.index.collection), embedder.fingerprint, embedder.dimension)
        index.ensure()
        with closing(index):
            return {stored.record.id: stored.record.sequence for stored in index.scan()}
