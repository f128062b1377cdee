"""The runner: starts the index flow on a directory of its own, stops it cleanly on SIGTERM and SIGINT, and says how it ended."""

import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from types import FrameType
from typing import TypeAlias

from bytewax.recovery import RecoveryConfig
from bytewax.run import cli_main

from flows.index import build, partitions
from flows.ports import Ports
from flows.recovery import locked, prepare
from flows.run import Run
from flows.settings import MetricsPart, Settings
from flows.wiring import opened
from schemas.errors import Problem

log = logging.getLogger(__name__)

STOPPED = 0
ENDED = 4
"""The exit code of an endless flow that ended without being asked to: whoever supervises it must start it again."""

Opener: TypeAlias = Callable[[Run], AbstractContextManager[Ports]]
"""Opens the ports of a run and closes them behind it."""


def run(settings: Settings, *, bounded: bool = False, forget: bool = False) -> int:
    """Run the flow of the settings with its real parts; see `execute`. `forget` drops the positions of partitions that are gone."""
    return execute(Run(settings, bounded, forget), opened)


def execute(run: Run, opener: Opener) -> int:
    """Run the flow to its end; return the exit code. Only the main thread can, since signals are its own.

    After a requested stop the position is committed and the code is 0. What ends a flow is raised as the Problem that it is, where it is one.
    """
    os.environ.pop("BYTEWAX_DATAFLOW_API_ENABLED", None)  # set to anything, Bytewax opens a port to the whole network
    settings = run.settings
    with _stopping(run), locked(settings.data), opener(run) as ports:
        prepare(settings.recovery, partitions(ports), forget=run.forget)
        with _served(settings.metrics, ports):
            run.fault("start")
            _flow(run, ports)
    return STOPPED if run.stop.is_set() or run.bounded else ENDED


def _flow(run: Run, ports: Ports) -> None:
    """Run Bytewax; raise what ended it."""
    flow = run.settings.flow
    try:
        cli_main(
            build(ports),
            workers_per_process=flow.workers,
            epoch_interval=timedelta(seconds=flow.epoch_s),
            # Backup interval 0: snapshots that are superseded go at once, else every epoch keeps a copy.
            recovery_config=RecoveryConfig(run.settings.recovery, timedelta(0)),
        )
    except Exception as err:
        raise (_problem(err) or err) from err


def _problem(err: BaseException) -> Problem | None:
    """Return the problem behind what Bytewax raised, if there is one."""
    cause: BaseException | None = err
    while cause is not None and not isinstance(cause, Problem):
        cause = cause.__cause__ or cause.__context__
    return cause


@contextmanager
def _stopping(run: Run) -> Iterator[None]:
    """Let SIGTERM and SIGINT ask for the end: sources end, which commits the position. A second signal is not waited for."""

    def stop(number: int, _frame: FrameType | None) -> None:
        if run.stop.is_set():
            signal.default_int_handler(number, None)
        log.info("stopping on signal %d", number)
        run.stop.set()

    former = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _served(metrics: MetricsPart, ports: Ports) -> AbstractContextManager[object]:
    """Serve the metrics, unless switched off."""
    return nullcontext() if metrics.off else ports.applying.metrics.served(metrics.host, metrics.port)
