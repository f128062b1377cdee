"""Kafka from outside the flow: how to reach it, what its topics are, and feeding them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import NewTopic
from kafka.errors import KafkaError, MessageSizeTooLargeError, TopicAlreadyExistsError

from schemas.change import Position
from schemas.errors import BadChange, BadSettings, Unreachable

Headers = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach the brokers. `security` holds kafka-python's own names (security_protocol, sasl_mechanism, ...); it is never shown."""

    bootstrap: str
    security: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_ms: int = 30_000

    def options(self) -> dict[str, Any]:
        """Return what every client of kafka-python needs."""
        return {"bootstrap_servers": self.bootstrap.split(","), "bootstrap_timeout_ms": self.timeout_ms, **self.security}


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as the broker knows it. `id` is another one after the topic was re-created under its name."""

    name: str
    id: str
    partitions: tuple[int, ...]


def describe(connection: Connection, names: Iterable[str]) -> dict[str, Topic]:
    """Return the topics by name. One that is missing is BadSettings; a broker that does not answer is Unreachable."""
    wanted = list(dict.fromkeys(names))
    try:
        admin = KafkaAdminClient(**connection.options())
        try:
            found = {topic["name"]: topic for topic in admin.describe_topics(wanted)}
        finally:
            admin.close()
    except KafkaError as err:
        raise unreachable(connection, err) from err
    bad = [name for name in wanted if name not in found or found[name]["error_code"] or not found[name]["partitions"]]
    if bad:
        message = f"topics {bad} do not exist at {connection.bootstrap}; create them or correct `topic` of the source"
        raise BadSettings(message)
    return {name: _topic(found[name]) for name in wanted}


def ensure_topics(connection: Connection, partitions: Mapping[str, int]) -> None:
    """Create the topics that are missing; those that exist stay as they are. Running it twice changes nothing."""
    try:
        admin = KafkaAdminClient(**connection.options())
        try:
            for name, count in partitions.items():
                _create(admin, NewTopic(name, num_partitions=count, replication_factor=1))
        finally:
            admin.close()
    except KafkaError as err:
        raise unreachable(connection, err) from err


def _create(admin: Any, topic: Any) -> None:
    """Create one topic; that it exists already is as good."""
    try:
        admin.create_topics([topic])
    except TopicAlreadyExistsError:
        return


def _topic(described: Mapping[str, Any]) -> Topic:
    """Return a topic from what the broker says of it."""
    numbers = sorted(part["partition_index"] for part in described["partitions"])
    return Topic(described["name"], str(described["topic_id"]), tuple(numbers))


def unreachable(connection: Connection, err: Exception) -> Unreachable:
    """Return the error that says which broker is away. kafka-python hides the cause of a failed start in its log."""
    return Unreachable(
        f"Kafka at {connection.bootstrap} does not answer ({type(err).__name__}: {err}); is it running, and do address and password fit?"
    )


class Producer(Protocol):
    """Where changes are fed to."""

    def send(self, topic: str, key: bytes | None, value: bytes | None, headers: Headers = ()) -> Position:
        """Deliver one message; return where it stands. What was not acknowledged raises."""

    def send_all(self, topic: str, messages: Iterable[tuple[bytes | None, bytes | None, Headers]]) -> list[Position]:
        """Deliver many messages in order; return where each stands. When it raises, those at the front may have been delivered."""


class Feed:
    """A Producer that writes to Kafka and checks every delivery. Sending again after an error makes duplicates, which the version gate knows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        try:
            # No linger: a feed that waits for each answer would wait for the batch to fill as well.
            self._producer = KafkaProducer(acks="all", linger_ms=0, **connection.options())
        except KafkaError as err:
            raise unreachable(connection, err) from err

    def send(self, topic: str, key: bytes | None, value: bytes | None, headers: Headers = ()) -> Position:
        """Deliver one message; return where it stands."""
        return self.send_all(topic, [(key, value, headers)])[0]

    def send_all(self, topic: str, messages: Iterable[tuple[bytes | None, bytes | None, Headers]]) -> list[Position]:
        """Deliver many messages in order; return where each stands. A message over the producer's limit is BadChange."""
        sent = [self._enqueue(topic, *message) for message in messages]
        return [self._delivered(future) for future in sent]

    def _enqueue(self, topic: str, key: bytes | None, value: bytes | None, headers: Headers) -> Any:
        """Hand one message to the producer."""
        try:
            return self._producer.send(topic, key=key, value=value, headers=list(headers))
        except MessageSizeTooLargeError as err:
            raise BadChange(field="value", value=f"{len(value or b'')} bytes", expected="below the producer's limit of 1 MB") from err
        except KafkaError as err:
            raise unreachable(self._connection, err) from err

    def _delivered(self, future: Any) -> Position:
        """Wait for the acknowledgement."""
        try:
            at = future.get(timeout=self._connection.timeout_ms / 1000)
        except KafkaError as err:
            raise unreachable(self._connection, err) from err
        return Position(at.topic, at.partition, at.offset)

    def close(self) -> None:
        """Release the connection."""
        self._producer.close(timeout=5)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
