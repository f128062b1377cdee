"""Ports: everything that the index flow touches. Each may be the real part or its twin in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bytewax.inputs import FixedPartitionedSource
from bytewax.outputs import FixedPartitionedSink

from connectors.kafka_sinks import Outgoing
from flows.applying import Applying
from flows.decoding import Decoding
from flows.embedding import Embedding
from flows.publishing import IndexSink
from flows.reading import Reading
from flows.traffic import Arrival
from schemas.ids import Tenant
from schemas.message import Message


@dataclass(frozen=True, slots=True)
class Ports:
    """The parts of one flow. `known` are the tenants that have a store already; `buckets` spreads documents over the workers that read.

    `rereads` emits the texts that the stores keep and another extractor read.
    """

    source: FixedPartitionedSource[Message, Any]
    known: Sequence[Tenant]
    decoding: Decoding
    reading: Reading
    buckets: int
    applying: Applying
    embedding: Embedding
    index: IndexSink
    transitions: FixedPartitionedSink[Outgoing, Any]
    dead_letters: FixedPartitionedSink[Outgoing, Any]
    rereads: FixedPartitionedSource[Arrival, Any]
