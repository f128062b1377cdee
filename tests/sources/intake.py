"""From messages to what the store holds: the native adapter, the reader and a store, with an extractor that leaves prose alone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from connectors.memo import MemoryMemo
from connectors.reader import Reader
from connectors.sources.native import NativeAdapter
from connectors.sources.settings import SourceSettings
from schemas.deadletter import DeadLetter
from schemas.fact import Fact
from schemas.ids import Fingerprint
from schemas.instant import FOREVER, Instant
from schemas.message import Mark, Message
from schemas.receipt import Outcome, Receipt
from schemas.record import Kind, Record, Status, status_at
from schemas.rules import SourceRules
from schemas.version import Incoming
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore
from tests.sources.messages import NOON, ORDERED


class Silent:
    """An extractor that draws nothing from prose."""

    fingerprint = Fingerprint("silent")

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        """Return nothing for each block."""
        return [() for _ in blocks]


class Intake:
    """One source and its store. Messages are a minute apart."""

    def __init__(self, path: Path, settings: SourceSettings = ORDERED) -> None:
        vocabulary = shipped()
        rules = SourceRules(settings.name, readers=frozenset({"*"}), ordered=settings.ordered)
        self._adapter = NativeAdapter(settings)
        self._reader = Reader(Silent(), MemoryMemo(), vocabulary)
        self._store = SqliteStore.open(path, settings.tenant, {settings.name: rules}, vocabulary)
        self._offset = 0

    def take(self, *messages: Message | Mapping[str, object]) -> list[Receipt]:
        """Take messages, or the native changes of messages, as one batch; return the receipts."""
        decoded = [found for message in messages for found in self._adapter.decode(self._numbered(message))]
        changes = [found for found in decoded if not isinstance(found, DeadLetter | Mark)]
        incoming: list[Incoming] = [*self._reader.read(changes), *(found for found in decoded if isinstance(found, DeadLetter))]
        return list(self._store.apply(incoming, Instant(NOON + self._offset * 60_000)).receipts)

    def outcomes(self, *messages: Message | Mapping[str, object]) -> list[Outcome]:
        """Take messages one batch each; return what became of them."""
        return [receipt.outcome for message in messages for receipt in self.take(message)]

    @property
    def texts(self) -> set[str]:
        """The texts of all units that are live now."""
        clock = NOON + self._offset * 60_000
        records = [item for chunk in self._store.after(0) for item in chunk if isinstance(item, Record)]
        current = [each for each in records if each.kind is Kind.UNIT and not each.deleted and each.known_to == FOREVER]
        return {each.text for each in current if status_at(each.belief, each.valid_from, each.valid_to, clock) is Status.ACTIVE}

    @property
    def letters(self) -> list[DeadLetter]:
        """The dead letters that the store keeps."""
        return [item for chunk in self._store.after(0) for item in chunk if isinstance(item, DeadLetter)]

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def _numbered(self, message: Message | Mapping[str, object]) -> Message:
        self._offset += 1
        if not isinstance(message, Message):
            message = Message("wiki.changes", 0, 0, -1, NOON, b"quay", orjson.dumps(message))
        return replace(message, offset=self._offset, previous=self._offset - 1, timestamp=Instant(NOON + self._offset * 60_000))
