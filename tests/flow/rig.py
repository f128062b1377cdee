"""A rig for the flow: real steps and adapters, with twins in memory where the outside would be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from threading import Event

import orjson
from bytewax.outputs import FixedPartitionedSink, StatefulSinkPartition
from bytewax.recovery import RecoveryConfig, init_db_dir
from bytewax.testing import cluster_main, run_main

from connectors.embedding import NgramEmbedder
from connectors.kafka_sinks import Outgoing
from connectors.kafka_source import Messages
from connectors.memory_index import MemoryIndex
from connectors.metrics import Metrics
from connectors.sources.adapters import adapter_for
from connectors.sources.settings import SourceSettings
from connectors.watermark import SourcePartition, Watermarks, read
from flows.applying import Applying
from flows.decoding import Decoding, Intake
from flows.embedding import Embedding
from flows.fault import none
from flows.index import build, partitions
from flows.ports import Ports
from flows.publishing import IndexSink, part_names
from flows.reading import Reading
from flows.recovery import prepare
from flows.rereads import Rereads
from flows.stores import Stores
from flows.traffic import Fault
from schemas.change import Change, Position
from schemas.deadletter import DeadLetter
from schemas.errors import Problem
from schemas.ids import RecordId, Source, Tenant, document_key
from schemas.instant import Instant
from schemas.message import Message
from schemas.version import KeptText, Reread, Version
from state.port import Forgotten
from tests.flow.ledger import Ledger

TOPICS = {"wiki.changes": ("wiki", "ferries"), "ticket.changes": ("tickets", "ferries"), "other.changes": ("other", "harbours")}
CANNOT_READ = "this text cannot be read"


class Crash(Exception):
    """The process dies here: nothing after this point happens, and the epoch is not committed."""


class PlainReader:
    """A reader that finds nothing in a body, and fails on one text."""

    def read(self, changes: Sequence[Change]) -> list[Version | DeadLetter]:
        """Return a version per change."""
        if any(CANNOT_READ in str(change) for change in changes):
            raise ValueError(CANNOT_READ)
        return [Version(change) for change in changes]

    def reread(self, texts: Sequence[KeptText]) -> list[Reread | None]:
        """Fail on every text."""
        return [None] * len(texts)


@dataclass(frozen=True)
class Kept(FixedPartitionedSink[Outgoing, None]):
    """Keeps what a topic would get."""

    messages: list[Outgoing] = field(default_factory=list)

    def list_parts(self) -> list[str]:
        return ["out"]

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> "Keeper":
        return Keeper(self.messages)


class Keeper(StatefulSinkPartition[Outgoing, None]):
    """The one partition of Kept."""

    def __init__(self, messages: list[Outgoing]) -> None:
        self._messages = messages

    def write_batch(self, values: list[Outgoing]) -> None:
        self._messages.extend(values)

    def snapshot(self) -> None:
        return


def put(document: str, order: int, body: str, **fields: object) -> dict[str, object]:
    """Return a native put."""
    return {"id": document, "order": order, "body": body, **fields}


def delete(document: str, order: int) -> dict[str, object]:
    """Return a native delete."""
    return {"kind": "delete", "id": document, "order": order}


def record_of(source: str, document: str) -> RecordId:
    """Return the record that the ledger makes of a document."""
    return RecordId(document_key(source, document))


def topic_of(partition: str, *values: object, step: int = 1, first: int = 0) -> list[Message]:
    """Return the messages of one partition, `topic:number`; offsets go up by `step`, since real ones have gaps."""
    topic, _, number = partition.rpartition(":")
    messages = []
    for at, value in enumerate(values):
        raw = value if isinstance(value, bytes) else orjson.dumps(value)
        offset, previous = first + at * step, first + (at - 1) * step if at else -1
        messages.append(Message(topic, int(number), offset, previous, Instant(1_000 + at), None, raw))
    return messages


class Rig:
    """One Millstream in memory. Stores, index and topics outlive a run; `run` is one life of the process."""

    def __init__(self, data: Path, *, parts: int = 1, workers: int = 1, epoch_s: float = 0.0) -> None:
        self.data = data
        self.parts = parts
        self.workers = workers
        self.epoch_s = epoch_s
        self.ledgers = {tenant: Ledger(Tenant(tenant)) for _, tenant in TOPICS.values()}
        self.index = MemoryIndex(NgramEmbedder(8).fingerprint, 8)
        self.transitions = Kept()
        self.letters = Kept()
        self.refused: list[DeadLetter] = []
        self.metrics = Metrics()
        self.forgotten: list[Forgotten] = []
        self.early: list[Position] = []
        self.now = Instant(1)

    def run(self, messages: Sequence[Message], *, fault: Fault = none, batch: int = 7, wake: bool = True, **applying: object) -> None:
        """Run over messages to their end; a Crash ends it as a kill would."""
        watermarks = Checked(self.data / "watermark.db", part_names(self.parts), self)
        watermarks.begin({})
        ports = self._ports(Messages(messages, batch), watermarks, fault, wake=wake, **applying)
        self._recovery_of_two()
        prepare(self.data / "recovery", partitions(ports))
        recovery = RecoveryConfig(self.data / "recovery", timedelta(0))
        epoch = timedelta(seconds=self.epoch_s)
        try:
            if self.workers == 1:
                run_main(build(ports), epoch_interval=epoch, recovery_config=recovery)
            else:
                cluster_main(build(ports), [], 0, epoch_interval=epoch, recovery_config=recovery, worker_count_per_proc=self.workers)
        except BaseException as err:  # with several workers Bytewax panics, and hides what was raised
            raise _cause(err) from err
        finally:
            watermarks.close()

    def _recovery_of_two(self) -> None:
        """Make a recovery directory of 2 partitions: the 32 of real life cost a second per run."""
        directory = self.data / "recovery"
        if not directory.exists():
            directory.mkdir()
            init_db_dir(directory, 2)

    def _ports(self, source: Messages, watermarks: Watermarks, fault: Fault, *, wake: bool, **applying: object) -> Ports:
        embedder = NgramEmbedder(8)
        stores = Stores(lambda tenant, at_least, identity: self.ledgers[tenant].opened(at_least, identity))
        step = Applying(stores, self.metrics, lambda: self.now, fault, Event(), self.forgotten.append, transaction=5, kept=0)
        return Ports(
            source=source,
            known=[Tenant(tenant) for tenant, ledger in self.ledgers.items() if ledger.sequence and wake],
            decoding=Decoding(_intakes(), self.metrics),
            reading=Reading(PlainReader, self.metrics),
            buckets=16,
            applying=replace(step, **applying),  # type: ignore[arg-type]
            embedding=Embedding(embedder, self.metrics),
            index=IndexSink(self.index, self.parts, watermarks, self.metrics, fault, self.refused.extend, write_rows=2),
            transitions=self.transitions,
            dead_letters=self.letters,
            rereads=Rereads([], str, self.metrics, Event()),
        )

    @property
    def found(self) -> dict[str, dict[RecordId, str]]:
        """The texts that the index holds, by tenant."""
        texts: dict[str, dict[RecordId, str]] = {tenant: {} for tenant in self.ledgers}
        for stored in self.index.scan():
            texts[stored.record.tenant][stored.record.id] = stored.record.text
        return texts

    @property
    def expected(self) -> dict[str, dict[RecordId, str]]:
        """The texts that the stores hold."""
        return {tenant: ledger.live for tenant, ledger in self.ledgers.items()}

    @property
    def watermark(self) -> Mapping[SourcePartition, int]:
        """What other processes see."""
        return read(self.data / "watermark.db")


class Checked(Watermarks):
    """Watermarks that note every position that is taken over although the index lacks what its store has up to there."""

    def __init__(self, path: Path, parts: Sequence[str], rig: Rig) -> None:
        super().__init__(path, parts)
        self._rig = rig

    def take(self, part: str, positions: "Sequence[Position]") -> dict[SourcePartition, int]:  # type: ignore[override]
        """Check, then take over."""
        for position in positions:
            if self._rig.parts == 1 and not self._is_there(position):
                self._rig.early.append(position)
        return super().take(part, positions)

    def _is_there(self, position: Position) -> bool:
        ledger = self._rig.ledgers[TOPICS[position.topic][1]]
        receipt = ledger.receipt(position)
        if receipt is None:
            return True
        there = {stored.record.id: stored.record.sequence for stored in self._rig.index.scan() if stored.record.tenant == ledger.tenant}
        before = [record for record in ledger.records.values() if record.sequence < receipt.sequence and not record.deleted]
        return all(there.get(record.id, 0) >= record.sequence for record in before)


def striking(point: str, at: int) -> Fault:
    """Return a fault that crashes when a point is passed for the `at`-th time."""
    passed = 0

    def fault(here: str) -> None:
        nonlocal passed
        passed += here == point
        if here == point and passed == at:
            raise Crash(point)

    return fault


def _cause(err: BaseException) -> BaseException:
    """Return the crash or problem behind what Bytewax raised, as far as it can be seen."""
    cause: BaseException | None = err
    while cause is not None and not isinstance(cause, Crash | Problem):
        cause = cause.__cause__ or cause.__context__
    if cause is None and type(err).__name__ == "PanicException":
        return Crash("in another worker")
    return cause or err


def _intakes() -> dict[str, Intake]:
    settings = [SourceSettings(Source(source), Tenant(tenant), topic) for topic, (source, tenant) in TOPICS.items()]
    return {each.topic: Intake(each, adapter_for(each)) for each in settings}
