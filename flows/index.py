"""The index flow: changes in Kafka become governed, searchable records (DESIGN.md section 5)."""

import atexit
import os
from contextlib import ExitStack
from pathlib import Path

import bytewax.operators as op
from bytewax.dataflow import Dataflow, Stream
from bytewax.operators import KeyedStream

from flows.ports import Ports
from flows.publishing import Addressed, Addressing
from flows.reading import bucket
from flows.run import Run
from flows.settings import FILE, read
from flows.side import Announcing, Burying, dead_letter, searched, transition
from flows.traffic import Arrival, Effect, Indexed, Searched
from flows.wakes import Wakes
from flows.wiring import opened
from schemas.deadletter import DeadLetter
from schemas.message import Message
from schemas.transition import Transition

FLOW = "index"
"""The flow's name. It and the names of the steps are persistent: positions and sequences are stored under them."""


def build(ports: Ports) -> Dataflow:
    """Return the flow. What the index gets is one stream from `apply` on: a branch that merges again would let a receipt overtake its records."""
    flow = Dataflow(FLOW)
    messages: Stream[Message] = op.input("changes", flow, ports.source)
    decoded: Stream[Arrival] = op.flat_map_batch("decode", messages, ports.decoding)
    again: Stream[Arrival] = op.input("again", flow, ports.rereads)
    readable: Stream[Arrival] = op.merge("readable", decoded, again)
    buckets: KeyedStream[Arrival] = op.key_on("bucket", readable, bucket(ports.buckets))
    read: KeyedStream[Arrival] = op.stateful_batch("read", buckets, ports.reading.build)
    wakes: Stream[Arrival] = op.input("wakes", flow, Wakes(ports.known))
    arrivals: Stream[Arrival] = op.merge("arrivals", op.key_rm("arrived", read), wakes)
    tenants: KeyedStream[Arrival] = op.key_on("tenant", arrivals, tenant_of)
    applied: KeyedStream[Effect] = op.stateful_batch("apply", tenants, ports.applying.build)

    effects: KeyedStream[Searched] = op.filter_map_value("searched", applied, searched)
    indexed: Stream[Indexed] = op.flat_map_batch("embed", effects, ports.embedding)
    addressed: Stream[Addressed] = op.flat_map("address", indexed, Addressing(ports.index.parts))
    op.output("publish", addressed, ports.index)

    transitions: KeyedStream[Transition] = op.filter_map_value("transitions", applied, transition)
    op.output("announce", op.flat_map_batch("announcing", transitions, Announcing(ports.applying.metrics)), ports.transitions)
    letters: KeyedStream[DeadLetter] = op.filter_map_value("dead_letters", applied, dead_letter)
    op.output("bury", op.flat_map_batch("burying", letters, Burying(ports.applying.metrics)), ports.dead_letters)
    return flow


def flow() -> Dataflow:
    """Return the flow of the settings in `MILLSTREAM_SETTINGS`, else `millstream.toml`, for Bytewax's own tools such as `bytewax.visualize`.

    To index, use `millstream index`: it also locks and cleans the recovery directory, without which recovery is not exact.
    """
    stack = ExitStack()
    atexit.register(stack.close)
    return build(stack.enter_context(opened(Run(read(Path(os.environ.get("MILLSTREAM_SETTINGS", FILE)))))))


def tenant_of(arrival: Arrival) -> str:
    """Return the key of a tenant's store."""
    return arrival.tenant


def partitions(ports: Ports) -> dict[str, list[str]]:
    """Return the partitions of every step that keeps a position of its own, by the step's full name."""
    parts = {
        "changes": ports.source.list_parts(),
        "publish": ports.index.list_parts(),
        "announce": ports.transitions.list_parts(),
        "bury": ports.dead_letters.list_parts(),
    }
    return {f"{FLOW}.{step}": names for step, names in parts.items()}
