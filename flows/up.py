"""`millstream up`: a broker, Milvus Lite, the index flow and its metrics on this machine, over one directory, until it is asked to stop.

The broker has no memory: its topics are gone when it stops. Stores, index and memo stay, and the version gate knows what is fed again.
"""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from connectors.broker import Broker
from connectors.kafka import ensure_topics
from connectors.milvus_server import HOST, MilvusServer, free_port
from flows.lite import INDEX as INDEX  # the demo lays its index where `up` finds it
from flows.lite import lite
from flows.located import Addresses, addresses, overrides, published
from flows.ports import Ports
from flows.recovery import locked
from flows.run import Run
from flows.runner import execute
from flows.settings import Settings, embedded
from flows.vocabulary import vocabulary
from flows.wiring import opened

KAFKA, MILVUS, METRICS = 9092, 19530, 9464
"""The ports that are taken where none is given and they are free."""
STARTUP_S = 300.0
"""Seconds until a start counts as hung: the first one may distil the static embedding model, half a minute on a machine with nothing else to do."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller wants of an embedded Millstream; None leaves the choice: a usual port or any free one, what the last start read with.

    An empty `vocabulary` is the one that ships alone.
    """

    kafka: int | None = None
    milvus: int | None = None
    metrics: int | None = None
    embedding: str | None = None
    vocabulary: str | None = None


def up(data: Path, wanted: Wanted, step: Callable[[str], None], ready: Callable[[Settings], None]) -> int:
    """Start all parts and run until SIGINT or SIGTERM; return the exit code of the flow. Only the main thread can.

    `step` hears what is being started, `ready` the settings once all parts answer. BadSettings: the directory or a port asked for is in use.
    """
    vocabulary(_vocabulary(data, wanted))  # a bad one is told before anything starts
    with locked(data):  # for a moment only: a second one is told so before it has started anything
        pass
    step("starting the broker")
    with Broker(_port(wanted.kafka, KAFKA)) as broker:
        step("starting Milvus Lite")
        with lite(data, _port(wanted.milvus, MILVUS)) as index:
            found = _addresses(data, wanted, broker, index)
            settings = embedded(data, {**overrides(found), "flow.startup_s": STARTUP_S})
            ensure_topics(broker.connection, dict.fromkeys(settings.every_topic, 1))
            step("loading the language and embedding models")
            return execute(Run(settings), partial(_announced, data=data, found=found, ready=ready))


@contextmanager
def _announced(run: Run, data: Path, found: Addresses, ready: Callable[[Settings], None]) -> Iterator[Ports]:
    """Open the parts of the flow, and let others find them."""
    from connectors.spacy_extractor import SpacyExtractor  # here, once this was said to be under way: else the first change waits for it

    with opened(run, SpacyExtractor) as ports, published(data, found):
        ready(run.settings)
        yield ports


def _addresses(data: Path, wanted: Wanted, broker: Broker, index: MilvusServer) -> Addresses:
    former = addresses(data)
    embedding = wanted.embedding or (former.embedding if former else embedded(data).reading.embedding)
    return Addresses(os.getpid(), broker.bootstrap, index.uri, _port(wanted.metrics, METRICS), embedding, _vocabulary(data, wanted))


def _vocabulary(data: Path, wanted: Wanted) -> str:
    """Return the path of the file that extends the vocabulary, whole, so that a later start elsewhere finds it; "" without one."""
    if wanted.vocabulary is not None:
        return str(Path(wanted.vocabulary).absolute()) if wanted.vocabulary else ""
    former = addresses(data)
    return former.vocabulary if former else ""


def _port(wanted: int | None, usual: int) -> int:
    """Return the port that is wanted, else the usual one, else any that is free."""
    if wanted:
        return wanted
    return usual if wanted is None and _is_free(usual) else free_port()


def _is_free(port: int) -> bool:
    """Whether a server could listen on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True
