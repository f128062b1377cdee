"""A whole index in one process, for tests of the sample documents: the real reader, store and search, without broker and Milvus."""

import time
from contextlib import closing
from pathlib import Path

from connectors.embedding import MemoisedEmbedder, open_embedder
from connectors.memo import MemoryMemo
from connectors.memory_index import MemoryIndex
from connectors.reader import Reader
from connectors.sources.adapters import adapter_for
from connectors.spacy_extractor import SpacyExtractor
from flows.demo.answers import Answer, ask
from flows.demo.histories import Event, stream
from flows.demo.questions import load
from flows.settings import ReadingPart, embedded
from retrieval.service import Search
from schemas.deadletter import DeadLetter
from schemas.ids import Tenant
from schemas.instant import Instant
from schemas.message import Mark, Message
from schemas.record import Record, Row
from schemas.version import Incoming
from schemas.vocabulary import shipped
from state.reader import StoreReader
from state.sqlite import SqliteStore

TENANT = Tenant("main")


class Town:
    """Reads documents into a new index and asks it. What was read once is remembered from one index to the next."""

    def __init__(self) -> None:
        self._vocabulary = shipped()
        self._reader = Reader(SpacyExtractor(self._vocabulary), MemoryMemo(), self._vocabulary)
        model = open_embedder(ReadingPart().embedding, Path("no model is kept"))  # the one that ships: a question in one language finds the other's
        self._embedder = MemoisedEmbedder(model, MemoryMemo())

    def answers(self, documents: Path, data: Path) -> dict[str, Answer]:
        """Return the answers to the questions in a folder of documents, by topic. The store is made under `data`."""
        settings = embedded(documents)
        adapters = {source.name: adapter_for(source.adapter_settings()) for source in settings.sources}
        index = MemoryIndex(self._embedder.fingerprint, self._embedder.dimension)
        store = SqliteStore.open(data / "town.db", TENANT, settings.rules(TENANT), self._vocabulary)
        for offset, event in enumerate(stream(documents)):
            message = _message(event, offset)
            self._apply(store, [item for item in adapters[event.source].decode(message) if not isinstance(item, Mark)])
        self._fill(index, store)
        store.close()
        with closing(StoreReader(data / "town.db")) as reader:
            search = Search(index, self._embedder, TENANT, reader.audiences)
            return {question.topic: ask(search, reader, question, _now()) for question in load(documents / "questions.toml")}

    def _apply(self, store: SqliteStore, items: list[object]) -> None:
        incoming: list[Incoming] = []
        for item in items:
            incoming += [item] if isinstance(item, DeadLetter) else self._reader.read([item])  # type: ignore[list-item]
        store.apply(incoming, _now())

    def _fill(self, index: MemoryIndex, store: SqliteStore) -> None:
        records = [effect for chunk in store.after(0) for effect in chunk if isinstance(effect, Record)]
        vectors = self._embedder.embed([record.text for record in records])
        rows = [Row(record, vector, self._embedder.fingerprint) for record, vector in zip(records, vectors, strict=True)]
        assert index.write(rows) == []


def _message(event: Event, offset: int) -> Message:
    return Message(event.source, 0, offset, offset - 1, _now(), event.document.encode(), event.value)


def _now() -> Instant:
    return Instant(time.time_ns() // 1_000_000)
