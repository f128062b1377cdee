"""Decode: the adapter of its topic turns each message into changes, dead letters or a mark."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from connectors.metrics import Metrics
from connectors.sources.adapters import Adapter
from connectors.sources.settings import SourceSettings
from flows.traffic import Arrival
from schemas.deadletter import DeadLetter
from schemas.message import Message

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Intake:
    """One topic's adapter and the settings that it follows."""

    settings: SourceSettings
    adapter: Adapter


@dataclass(frozen=True, slots=True)
class Decoding:
    """The step: messages in, arrivals out, in order. A message leaves as at least one arrival, so the watermark can pass it."""

    intakes: Mapping[str, Intake]
    metrics: Metrics

    def __call__(self, messages: list[Message]) -> list[Arrival]:
        """Decode one batch."""
        with self.metrics.stage("decode"):
            return [arrival for message in messages for arrival in self._arrivals(message)]

    def _arrivals(self, message: Message) -> list[Arrival]:
        """Decode one message."""
        intake = self.intakes[message.topic]
        key, payload = message.key or b"", message.value or b""
        try:
            items = intake.adapter.decode(message)
        except Exception as err:  # a fault of the adapter must not stop the flow at this message for ever
            log.exception("%s cannot be decoded", message.position())
            items = [_letter(intake.settings, message, err)]
        return [Arrival(intake.settings.tenant, item, key, payload) for item in items]


def _letter(settings: SourceSettings, message: Message, err: Exception) -> DeadLetter:
    """Return the dead letter of a message that the adapter failed on."""
    return DeadLetter(
        tenant=settings.tenant,
        source=settings.name,
        document="",
        step="decode",
        reason=f"{type(err).__name__}: {err}",
        position=message.position(),
        recorded_at=message.timestamp,
        key=message.key or b"",
        payload=message.value or b"",
    )
