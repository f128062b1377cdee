"""The source of the flow: one consumer per partition, resumed from Bytewax's recovery store; and its twin over a list in memory."""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError

from connectors.kafka import Connection, Topic, describe, unreachable
from schemas.errors import BadSettings, Inconsistent
from schemas.instant import Instant
from schemas.message import Message

log = logging.getLogger(__name__)

Snapshot: TypeAlias = tuple[str, int, int]
"""(topic id, next offset, last delivered offset or -1): plain data, since a class would tie the recovery store to its module."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a partition was read: the next offset, the end of the partition, and the time in Kafka of the newest message, if there was one."""

    topic: str
    partition: int
    next: int
    end: int
    newest: Instant | None


def _ignore(_seen: object) -> None:
    """Observe nothing."""


@dataclass(frozen=True)
class Topics(FixedPartitionedSource[Message, Snapshot]):
    """All partitions of some topics.

    `bounded`: end where the partitions ended when they were first read. `stop`: when set, every partition ends, which takes a snapshot.
    `recreated`: what to do when a topic was created anew under its name; only a broker without a memory may say "restart".
    `idle` seconds is the longest pause between two looks at a silent partition. `observe` hears what was read, `committed` the end of each epoch.
    """

    connection: Connection
    topics: Sequence[str]
    stop: threading.Event = field(default_factory=threading.Event)
    bounded: bool = False
    recreated: Literal["restart", "refuse"] = "refuse"
    batch: int = 50  # one transaction of the store takes at most 50 changes
    idle: float = 0.1
    max_errors: int = 8
    fetch_max_wait_ms: int = 100
    observe: Callable[[Progress], None] = _ignore
    committed: Callable[[str], None] = _ignore
    _known: dict[str, Topic] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def describe(self) -> dict[str, Topic]:
        """Return the topics; asks the broker once. Every worker thread calls this."""
        with self._lock:
            if not self._known:
                self._known.update(describe(self.connection, self.topics))
            return dict(self._known)

    def consumer(self) -> Any:
        """Return a new consumer, of no group and without a position."""
        return KafkaConsumer(
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="none",
            allow_auto_create_topics=False,
            fetch_max_wait_ms=self.fetch_max_wait_ms,
            **self.connection.options(),
        )

    def list_parts(self) -> list[str]:
        """Return `topic:partition` of every partition. Partitions that are added later need a restart."""
        return [f"{name}:{number}" for name, topic in sorted(self.describe().items()) for number in topic.partitions]

    def build_part(self, step_id: str, for_part: str, resume_state: Snapshot | None) -> "Partition":
        """Open a partition where the last run committed, a new one at its beginning."""
        name, _, number = for_part.rpartition(":")
        return Partition(self, self.describe()[name], int(number), resume_state)


class Partition(StatefulSourcePartition[Message, Snapshot]):
    """One partition and its consumer. All partitions of a worker share a thread, so nothing here waits for the broker but `_open`."""

    def __init__(self, source: Topics, topic: Topic, number: int, resume: Snapshot | None) -> None:
        self._source = source
        self._topic = topic
        self._at = TopicPartition(topic.name, number)
        self._previous = -1
        self._errors = 0
        self._pause = 0.0
        self._awake: datetime | None = None
        self._target: int | None = None
        self._consumer: Any = None
        self._open(self._resume_offset(resume))

    def _resume_offset(self, resume: Snapshot | None) -> int | None:
        """Return where to go on, None for the beginning."""
        if resume is None:
            return None
        topic_id, offset, previous = resume
        if topic_id == self._topic.id:
            self._previous = previous
            return offset
        if self._source.recreated == "refuse":
            message = (
                f"topic {self._topic.name} was re-created (id {self._topic.id}, was {topic_id}): offset {offset} means nothing in it; "
                'set `recreated = "restart"` to read it from its beginning'
            )
            raise BadSettings(message)
        log.info("topic %s was re-created; reading it from its beginning", self._topic.name)
        return None

    def _open(self, offset: int | None) -> None:
        """Build a new consumer at an offset. Also the only way back after an error: a consumer that raised spins for ever when polled again."""
        self.close()
        try:
            self._consumer = self._source.consumer()
            self._consumer.assign([self._at])
            self._offset = self._start(offset)
        except KafkaError as err:
            self.close()
            raise unreachable(self._source.connection, err) from err
        except Inconsistent:
            self.close()
            raise
        self._consumer.seek(self._at, self._offset)

    def _start(self, offset: int | None) -> int:
        """Return the offset to start from. One that the broker has deleted already would be a hidden gap: Inconsistent."""
        first: int = self._consumer.beginning_offsets([self._at], timeout_ms=10_000)[self._at]
        if offset is not None and offset < first:
            message = (
                f"{self._topic.name}:{self._at.partition}: {first - offset} messages from offset {offset} on expired before they were read; "
                "feed the documents again, and start with an empty recovery directory"
            )
            raise Inconsistent(message)
        return first if offset is None else offset

    def next_batch(self) -> list[Message]:
        """Return what has arrived, without waiting. Ends when asked to stop, which takes a snapshot."""
        if self._source.stop.is_set():
            raise StopIteration
        try:
            found = self._consumer.poll(timeout_ms=0, max_records=self._source.batch).get(self._at, [])
            position: int = self._consumer.position(self._at)  # steps over control records and holes of compaction
        except KafkaError as err:
            self._reopen(err)
            return []
        return self._took(found, position)

    def _reopen(self, err: KafkaError) -> None:
        """Build a new consumer, and wait longer each time; more than `max_errors` in a row end the flow."""
        self._errors += 1
        if self._errors > self._source.max_errors:
            raise err
        log.warning("%s:%d: %r; reopening at offset %d", self._topic.name, self._at.partition, err, self._offset)
        self._open(self._offset)
        self._awake = _later(min(30.0, 0.2 * 2**self._errors))

    def _took(self, found: Sequence[Any], position: int) -> list[Message]:
        """Account for one poll and return its messages."""
        end = self._consumer.highwater(self._at)
        if self._target is None:
            self._target = end  # of the first response: `end_offsets` is too small on Tansu, and later values move on
        if position != self._offset:
            self._offset, self._errors = position, 0
            newest = Instant(found[-1].timestamp) if found else None
            self._source.observe(Progress(self._topic.name, self._at.partition, position, end if end is not None else position, newest))
        elif self._source.bounded and self._target is not None and position >= self._target:
            raise StopIteration
        self._rest(found)
        return self._messages(found)

    def _rest(self, found: Sequence[Any]) -> None:
        """Decide when to look again: at once after messages, then after 5 ms and ever longer pauses up to `idle`, which 0.4 s of silence reach."""
        self._pause = 0.0 if found else min(self._source.idle, max(0.005, self._pause * 1.3))
        self._awake = _later(self._pause) if self._pause else None

    def _messages(self, found: Iterable[Any]) -> list[Message]:
        """Return the messages, each with the offset delivered before it."""
        messages = []
        for record in found:
            messages.append(_message(record, self._previous))
            self._previous = record.offset
        return messages

    def next_awake(self) -> datetime | None:
        """Return when to look again."""
        return self._awake

    def snapshot(self) -> Snapshot:
        """Return where to go on. Every partition is asked at the end of every epoch."""
        self._source.committed(f"{self._topic.name}:{self._at.partition}")
        return (self._topic.id, self._offset, self._previous)

    def close(self) -> None:
        """Release the consumer and its thread."""
        if self._consumer is not None:
            self._consumer.close(timeout_ms=2000)
            self._consumer = None


def _later(seconds: float) -> datetime:
    """Return the time in some seconds, as Bytewax wants it."""
    return datetime.now(UTC) + timedelta(seconds=seconds)


def _message(record: Any, previous: int) -> Message:
    """Return kafka-python's record as a message. A header without a value counts as empty."""
    headers = tuple((name, value or b"") for name, value in record.headers)
    return Message(record.topic, record.partition, record.offset, previous, Instant(record.timestamp), record.key, record.value, headers)


@dataclass(frozen=True)
class Messages(FixedPartitionedSource[Message, int]):
    """The twin of Topics over messages in memory: a partition per (topic, partition), resumed at the number of messages taken."""

    messages: Sequence[Message]
    batch: int = 50
    stop: threading.Event = field(default_factory=threading.Event)

    def list_parts(self) -> list[str]:
        """Return `topic:partition` of every partition that has a message."""
        return sorted({f"{message.topic}:{message.partition}" for message in self.messages})

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> "Listed":
        """Open a partition at the message after the last one that was committed."""
        mine = [message for message in self.messages if f"{message.topic}:{message.partition}" == for_part]
        return Listed(mine, resume_state or 0, self)


class Listed(StatefulSourcePartition[Message, int]):
    """One partition of Messages."""

    def __init__(self, messages: Sequence[Message], taken: int, source: Messages) -> None:
        self._messages = messages
        self._taken = taken
        self._source = source

    def next_batch(self) -> list[Message]:
        """Return the next messages; ends after the last, or when asked to stop."""
        if self._taken >= len(self._messages) or self._source.stop.is_set():
            raise StopIteration
        found = list(self._messages[self._taken : self._taken + self._source.batch])
        self._taken += len(found)
        return found

    def snapshot(self) -> int:
        """Return how many messages were taken."""
        return self._taken
