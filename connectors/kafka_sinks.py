"""Sinks of the flow that write to a topic. Delivery is checked before Bytewax may commit, so a message arrives at least once."""

from dataclasses import dataclass

from bytewax.outputs import FixedPartitionedSink, StatefulSinkPartition

from connectors.kafka import Connection, Feed


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be written. A replay writes the same key and value again, by which readers know it."""

    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True)
class TopicSink(FixedPartitionedSink[Outgoing, None]):
    """Writes to one topic, in order, through one producer. Fixed-partitioned, since a DynamicSink is outside the recovery barrier."""

    connection: Connection
    topic: str

    def list_parts(self) -> list[str]:
        """Return the one partition; the name is persistent."""
        return ["out"]

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> "TopicWriter":
        """Open a producer."""
        return TopicWriter(Feed(self.connection), self.topic)


class TopicWriter(StatefulSinkPartition[Outgoing, None]):
    """Writes batches to a topic; what is not acknowledged raises, and is sent again after the restart."""

    def __init__(self, feed: Feed, topic: str) -> None:
        self._feed = feed
        self._topic = topic

    def write_batch(self, values: list[Outgoing]) -> None:
        """Deliver a batch."""
        self._feed.send_all(self._topic, [(out.key, out.value, out.headers) for out in values])

    def snapshot(self) -> None:
        """Keep nothing: everything written is delivered."""
        return

    def close(self) -> None:
        """Release the producer."""
        self._feed.close()
