"""Side outputs: transitions and dead letters on their way to Kafka. Both come at least once; their keys tell a repetition."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from connectors.kafka import Connection, Feed
from connectors.kafka_sinks import Outgoing
from connectors.metrics import Metrics
from flows.traffic import Effect, Searched
from schemas.deadletter import DeadLetter
from schemas.message import Mark
from schemas.receipt import Receipt
from schemas.record import Record
from schemas.transition import Transition
from schemas.wire import dead_letter_json, transition_json

Bury: TypeAlias = Callable[[Sequence[DeadLetter]], None]
"""Delivers dead letters that do not come from a store: records that the index refuses."""


def searched(effect: Effect) -> Searched | None:
    """Return what goes to the index."""
    return effect if isinstance(effect, Record | Receipt | Mark) else None


def transition(effect: Effect) -> Transition | None:
    """Return what goes to the topic of transitions."""
    return effect if isinstance(effect, Transition) else None


def dead_letter(effect: Effect) -> DeadLetter | None:
    """Return what goes to the topic of dead letters."""
    return effect if isinstance(effect, DeadLetter) else None


@dataclass(frozen=True, slots=True)
class Announcing:
    """The step that counts transitions and turns them into messages; the record's id is the key, so one record stays in order."""

    metrics: Metrics

    def __call__(self, transitions: list[tuple[str, Transition]]) -> list[tuple[str, Outgoing]]:
        """Return one message per transition."""
        self.metrics.transitions([transition for _, transition in transitions])
        return [(tenant, Outgoing(made.record.encode(), transition_json(made), (("tenant", tenant.encode()),))) for tenant, made in transitions]


@dataclass(frozen=True, slots=True)
class Burying:
    """The step that counts dead letters and turns them into messages; the position is the key."""

    metrics: Metrics

    def __call__(self, letters: list[tuple[str, DeadLetter]]) -> list[tuple[str, Outgoing]]:
        """Return one message per dead letter."""
        for _, letter in letters:
            self.metrics.dead_letter(letter)
        return [(tenant, outgoing(letter)) for tenant, letter in letters]


def outgoing(letter: DeadLetter) -> Outgoing:
    """Return a dead letter as a message; its step is a header too, for consumers that do not open the value."""
    return Outgoing(str(letter.position).encode(), dead_letter_json(letter), (("tenant", letter.tenant.encode()), ("step", letter.step.encode())))


@dataclass(frozen=True, slots=True)
class KafkaGrave:
    """Delivers dead letters of the index's sink. They are rare, so a producer is made for each batch."""

    connection: Connection
    topic: str
    metrics: Metrics

    def __call__(self, letters: Sequence[DeadLetter]) -> None:
        """Deliver the letters and wait for it."""
        with Feed(self.connection) as feed:
            feed.send_all(self.topic, [(out.key, out.value, out.headers) for out in map(outgoing, letters)])
        for letter in letters:
            self.metrics.dead_letter(letter)
