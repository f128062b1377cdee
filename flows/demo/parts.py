"""The parts of the demo: a broker, Milvus Lite and the index flow on this machine, under a directory that the demo may empty."""

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from connectors.broker import Broker
from connectors.kafka import ensure_topics
from connectors.milvus_server import start_lite
from flows.demo.watch import Watch
from flows.ports import Ports
from flows.recovery import locked
from flows.run import Run
from flows.runner import STOPPED, execute
from flows.settings import Settings, embedded
from flows.up import INDEX, STARTUP_S
from flows.wiring import opened
from schemas.errors import BadSettings, Inconsistent

MARK = ".demo"
KEPT = frozenset({MARK, ".lock", "models"})
"""What a new demo takes over from the last: a static embedding model, if one was asked for, costs half a minute to distil."""

Act = Callable[[Settings, Ports, threading.Event], None]
"""What the demo does while the flow runs. It ends soon after the event is set: somebody pressed Ctrl-C, or the flow broke down."""


def emptied(data: Path) -> Path:
    """Return the directory, made new: an edited document must not meet what an earlier demo remembers.

    BadSettings: it holds something and was not made by the demo, or a Millstream runs on it.
    """
    if data.exists() and any(data.iterdir()) and not (data / MARK).exists():
        message = f"{data} was not made by the demo, so it is not emptied; give another directory"
        raise BadSettings(message)
    data.mkdir(parents=True, exist_ok=True)
    (data / MARK).touch()
    with locked(data):
        for entry in data.iterdir():
            if entry.name not in KEPT:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return data


@contextmanager
def started(data: Path, overrides: Mapping[str, object]) -> Iterator[Settings]:
    """Start broker and index, yield the settings of a flow over them, and stop both."""
    with Broker() as broker, start_lite(data / INDEX) as lite:
        own = {"kafka.bootstrap": broker.bootstrap, "index.uri": lite.uri, "metrics.off": True, "flow.startup_s": STARTUP_S}
        settings = embedded(data, {**own, **overrides})
        ensure_topics(broker.connection, dict.fromkeys(settings.every_topic, 1))
        yield settings


def perform(settings: Settings, watch: Watch, act: Act) -> None:
    """Run the flow in this (the main) thread and the act beside it; return when both have ended. What the act raises is raised here."""
    run = Run(settings)
    raised: list[BaseException] = []

    @contextmanager
    def opener(run: Run) -> Iterator[Ports]:
        with opened(run) as ports:
            seen = replace(ports, applying=replace(ports.applying, metrics=watch), index=replace(ports.index, metrics=watch))
            thread = threading.Thread(target=_act, args=(act, run, seen, raised), name="demo")
            thread.start()
            try:
                yield seen
            finally:
                run.stop.set()
                thread.join()

    code = execute(run, opener)
    if raised:
        raise raised[0]
    if code != STOPPED:
        message = f"the index flow ended by itself (code {code})"
        raise Inconsistent(message)


def _act(act: Act, run: Run, ports: Ports, raised: list[BaseException]) -> None:
    try:
        act(run.settings, ports, run.stop)
    except BaseException as err:  # noqa: BLE001 - it is raised in the main thread
        raised.append(err)
    finally:
        run.stop.set()
