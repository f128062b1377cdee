"""A desk: one tenant's whole way from messages to answers in one thread, so that a test reads like its case.

The parts are the real ones: native adapter, reader, store, embedding behind its memo, index, search. Only the flow between them is a loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from connectors.embedding import MemoisedEmbedder, NgramEmbedder, Vector
from connectors.extractor import Extractor
from connectors.index import Index
from connectors.limits import fit
from connectors.memo import MemoryMemo
from connectors.reader import Reader
from connectors.sources.native import NativeAdapter
from connectors.sources.settings import SourceSettings
from derive.dates.time import parse_instant
from derive.keys import document_entity
from retrieval.service import Hit, Search
from schemas.change import audience_of
from schemas.deadletter import DeadLetter
from schemas.ids import RecordId, Source, Tenant, document_key
from schemas.instant import EPOCH, FOREVER, Instant
from schemas.message import Mark, Message
from schemas.receipt import Outcome, Receipt
from schemas.record import Kind, Record, Row, Status, status_at
from schemas.rules import OnDelete, SourceRules
from schemas.transition import Transition
from schemas.version import Incoming
from schemas.vocabulary import Vocabulary, shipped
from state.sqlite import SqliteStore

TOPIC = "wiki.changes"
WIKI = Source("wiki")
WIDTH = 64
BEGIN = "2024-06-01"
Given = Mapping[str, object] | Message


def put(document: str, order: int, body: str, at: str = BEGIN, **fields: object) -> dict[str, object]:
    """Return a version of a document."""
    return {"id": document, "order": order, "time": at, "body": body, **fields}


def delete(document: str, order: int, at: str = BEGIN) -> dict[str, object]:
    """Return the end of a document."""
    return {"kind": "delete", "id": document, "order": order, "time": at}


def restore(document: str, order: int, at: str = BEGIN) -> dict[str, object]:
    """Return the return of a document as it was."""
    return {"kind": "restore", "id": document, "order": order, "time": at}


def move(document: str, order: int, title: str, at: str = BEGIN) -> dict[str, object]:
    """Return a new title."""
    return {"kind": "move", "id": document, "order": order, "time": at, "title": title}


def day(text: str) -> Instant:
    """Return the instant of a date or time."""
    return parse_instant(text)[0]


@dataclass(frozen=True, slots=True)
class Work:
    """What one batch cost, and what became of its changes; the counters are those of the acceptance cases."""

    receipts: tuple[Receipt, ...]
    rows: tuple[Row, ...]
    transitions: tuple[Transition, ...]
    letters: tuple[DeadLetter, ...]
    extract: int
    embed: int

    @property
    def writes(self) -> int:
        """How many records were upserted or removed."""
        return len(self.rows)

    @property
    def bridges(self) -> int:
        """How many bridges were derived again, kept ones included."""
        return sum(receipt.kept + receipt.added + receipt.removed for receipt in self.receipts)

    @property
    def counters(self) -> tuple[int, int, int, int]:
        """Extract, embed, writes and bridges."""
        return self.extract, self.embed, self.writes, self.bridges

    @property
    def outcomes(self) -> list[Outcome]:
        """What became of each change."""
        return [receipt.outcome for receipt in self.receipts]

    @property
    def written(self) -> list[Record]:
        """The current records among what was written."""
        return [row.record for row in self.rows if row.record.known_to == FOREVER]


NOTHING = (0, 0, 0, 0)
"""0 work."""


class Counted:
    """An embedder that keeps count of the texts that it was asked for."""

    def __init__(self) -> None:
        self._embedder = NgramEmbedder(WIDTH)
        self.fingerprint = self._embedder.fingerprint
        self.dimension = WIDTH
        self.windowed = 0
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.texts.extend(texts)
        return self._embedder.embed(texts)


class Desk:
    """One tenant with one source. The clock is the time of the newest change heard of, moved on by a second with each batch."""

    def __init__(
        self, path: Path, tenant: Tenant, index: Index, extractor: Extractor, *,
        ordered: bool = True, on_delete: OnDelete = OnDelete.WITHDRAW, vocabulary: Vocabulary | None = None,
    ) -> None:  # fmt: skip
        vocabulary = vocabulary or shipped()
        settings = SourceSettings(WIKI, tenant, TOPIC, ordered=ordered)
        rules = {WIKI: SourceRules(WIKI, readers=frozenset({"*"}), ordered=ordered, on_delete=on_delete)}
        memo = MemoryMemo()
        self.tenant = tenant
        self.index = index
        self.store = SqliteStore.open(path, tenant, rules, vocabulary)
        self.clock = EPOCH
        self.embedded = Counted()
        self._embedder = MemoisedEmbedder(self.embedded, memo)
        self._adapter = NativeAdapter(settings)
        self._reader = Reader(extractor, memo, vocabulary)
        self._search = Search(index, NgramEmbedder(WIDTH), tenant, lambda: [audience_of({"*"})])
        self._offset = -1
        self._sent = 0

    def put(self, document: str, order: int, body: str, at: str = BEGIN, **fields: object) -> Work:
        """Take one version of a document."""
        return self.take(put(document, order, body, at, **fields))

    def delete(self, document: str, order: int, at: str = BEGIN) -> Work:
        """Take the end of a document."""
        return self.take(delete(document, order, at))

    def take(self, *given: Given) -> Work:
        """Take changes as one batch, from the messages to the index."""
        return self.apply(self.read(*given))

    def read(self, *given: Given) -> list[Incoming]:
        """Return what the reader makes of changes; those of one batch come at one time, after all that they tell of."""
        times = [day(str(one["time"])) for one in given if isinstance(one, Mapping) and "time" in one]
        self.clock = max([Instant(self.clock + 1_000), *times])
        decoded = [found for one in given for found in self._adapter.decode(self._message(one))]
        changes = [found for found in decoded if not isinstance(found, DeadLetter | Mark)]
        versions = iter(self._reader.read(changes))
        return [found if isinstance(found, DeadLetter) else next(versions) for found in decoded if not isinstance(found, Mark)]

    def apply(self, incoming: Sequence[Incoming]) -> Work:
        """Apply versions in one transaction and publish what it wrote."""
        calls = sum(one.calls for one in incoming if not isinstance(one, DeadLetter))
        applied = self.store.apply(incoming, self.clock)
        return self._published(applied.receipts, calls)

    def tick(self, at: str) -> Work:
        """Let time pass without any change."""
        self.clock = day(at)
        self.store.tick(self.clock)
        return self._published((), 0)

    def ask(self, question: str, at: str = "", view: str = "full", document: str = "", k: int = 10, until: str = "", known: str = "") -> list[Hit]:
        """Ask the index; now, unless another time is given."""
        only = frozenset({document_key(WIKI, document)}) if document else None
        then, end, known_at = (day(text) if text else None for text in (at, until, known))
        return self._search.search(question, self.clock if then is None else then, view, k=k, documents=only, until=end, known_at=known_at)

    def told(self, question: str, at: str = "", view: str = "full", document: str = "") -> str:
        """Return all that an answer says, one text a line."""
        return "\n".join(hit.record.text for hit in self.ask(question, at, view, document))

    def facts(self, question: str, at: str = "", view: str = "full", document: str = "") -> set[str]:
        """Return the statements among the answers."""
        return {hit.record.text for hit in self.ask(question, at, view, document) if hit.record.kind is Kind.NUGGET}

    def records(self, *kinds: Kind) -> list[Record]:
        """Return all current records of the index, of some kinds."""
        mine = [stored.record for stored in self.index.scan() if stored.record.tenant == self.tenant]
        return [record for record in mine if record.known_to == FOREVER and (not kinds or record.kind in kinds)]

    def runs(self, text: str) -> list[Record]:
        """Return all runs of the nugget that says a text, in the order of time."""
        return sorted((record for record in self.records(Kind.NUGGET) if record.text == text), key=lambda record: record.valid_from)

    def about(self, document: str, predicate: str) -> list[Record]:
        """Return all runs of what is said of a document under a predicate, in the order of time."""
        entity = document_entity(audience_of({"*"}), WIKI, document)
        said = [record for record in self.records(Kind.NUGGET) if record.predicate == predicate and record.entities[0] == entity]
        return sorted(said, key=lambda record: (record.valid_from, record.object))

    def nugget(self, text: str) -> Record:
        """Return the one run of the nugget that says a text."""
        (only,) = self.runs(text)
        return only

    def status(self, text: str, at: str = "") -> Status:
        """Return what a nugget is at a time: in the run that holds then, else in the last before it."""
        instant = day(at) if at else self.clock
        runs = self.runs(text)
        run = next((one for one in reversed(runs) if one.valid_from <= instant), runs[0])
        return status_at(run.belief, run.valid_from, run.valid_to, instant)

    def ids(self, *kinds: Kind) -> set[RecordId]:
        """Return the ids of all current records of some kinds."""
        return {record.id for record in self.records(*kinds)}

    def check(self) -> None:
        """Compare the index with the store: the same records, of the same state."""
        held = {stored.record.id: stored.record for stored in self.index.scan() if stored.record.tenant == self.tenant}
        live = (item for chunk in self.store.after(0) for item in chunk if isinstance(item, Record) and not item.deleted)
        assert held == {record.id: fit(record) for record in live}

    def close(self) -> None:
        """Check for the last time, and let go of the store."""
        self.check()
        self.store.close()

    def _published(self, receipts: Sequence[Receipt], calls: int) -> Work:
        emitted = [item for chunk in self.store.after(self._sent) for item in chunk]
        self._sent = self.store.sequence
        before = self._embedder.calls
        rows = self._rows([item for item in emitted if isinstance(item, Record)])
        assert self.index.write(rows) == []
        return Work(
            tuple(receipts),
            tuple(rows),
            tuple(item for item in emitted if isinstance(item, Transition)),
            tuple(item for item in emitted if isinstance(item, DeadLetter)),
            calls,
            self._embedder.calls - before,
        )

    def _rows(self, records: Sequence[Record]) -> list[Row]:
        texts = list(dict.fromkeys(record.text for record in records if not record.deleted))
        vectors = dict(zip(texts, self._embedder.embed(texts), strict=True))
        return [Row(record, () if record.deleted else vectors[record.text], self._embedder.fingerprint) for record in records]

    def _message(self, given: Given) -> Message:
        self._offset += 1
        message = given if isinstance(given, Message) else Message(TOPIC, 0, 0, -1, EPOCH, b"page", orjson.dumps(given))
        return replace(message, offset=self._offset, previous=self._offset - 1, timestamp=self.clock)
