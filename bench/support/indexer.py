"""The index flow as a process that a bench may kill: forked from a process that has the imports, so that a life begins in about a second."""

import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path

from connectors.extractor import PatternExtractor
from connectors.metrics import Metrics
from flows.ports import Ports
from flows.run import Run
from flows.runner import execute
from flows.settings import Settings, embedded
from flows.wiring import opened

LIVES = multiprocessing.get_context("forkserver")
LIVES.set_forkserver_preload(["bench.support.indexer", "date_wrangler"])  # the latter compiles its patterns for a second or two
STOP_S = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What every life runs with: the embedded settings with overrides; prose is read by patterns or by the settings' extractor."""

    data: Path
    overrides: Mapping[str, object]
    patterns: bool = False

    @property
    def settings(self) -> Settings:
        """The settings."""
        return embedded(self.data, self.overrides)

    @property
    def log(self) -> Path:
        """What all lives say, one after the other."""
        return self.data.with_suffix(".log")

    @property
    def emitted_again(self) -> Path:
        """How many rows each drain emitted again after a restart, a line each."""
        return self.data.with_suffix(".emitted-again")


class EmittedAgain(Metrics):
    """Metrics that also write down what was emitted again, since a killed process takes its counters with it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def reemitted(self, count: int) -> None:
        """See `Metrics.reemitted`."""
        super().reemitted(count)
        if count:
            with self._path.open("a") as file:
                file.write(f"{count}\n")


class Indexer:
    """The lives of one index flow, one at a time. Leaving the `with` ends the last one, however it stands."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._life: BaseProcess | None = None
        plan.data.mkdir(parents=True, exist_ok=True)

    @property
    def alive(self) -> bool:
        """Whether a life is going on."""
        return self._life is not None and self._life.is_alive()

    @property
    def emitted_again(self) -> int:
        """Rows that all lives emitted again."""
        path = self.plan.emitted_again
        return sum(map(int, path.read_text().split())) if path.exists() else 0

    def start(self, **environment: str) -> None:
        """Begin a life with these variables in its environment. The one before must have ended."""
        self.kill()
        self._life = LIVES.Process(target=_live, args=(self.plan, environment))
        self._life.start()

    def ended(self, seconds: float) -> bool:
        """Wait for the end of the life, so long at most; return whether it came."""
        if self._life is not None:
            self._life.join(seconds)
        return not self.alive

    def kill(self) -> None:
        """End the life as `kill -9` does; an ended one is let go of."""
        if self._life is not None:
            self._life.kill()
            self._life.join()
            self._life.close()
            self._life = None

    def stop(self) -> None:
        """Ask the life to stop; one that does not end in good order ends the bench, with its last words."""
        if self._life is None or self._life.pid is None:
            return
        if self._life.is_alive():
            os.kill(self._life.pid, signal.SIGTERM)
        self._life.join(STOP_S)
        if self._life.exitcode != 0:
            sys.exit(f"the flow ended with {self._life.exitcode}:\n{self.last_words()}")
        self.kill()

    def last_words(self) -> str:
        """Return the end of what the lives said."""
        return self.plan.log.read_text()[-3000:] if self.plan.log.exists() else ""

    def __enter__(self) -> "Indexer":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def _live(plan: Plan, environment: Mapping[str, str]) -> None:
    """Be the process."""
    with plan.log.open("a", buffering=1) as file:
        os.dup2(file.fileno(), sys.stderr.fileno())
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s", stream=sys.stderr, force=True)
        logging.getLogger("flows").setLevel(logging.INFO)
        run = Run(plan.settings, environment={**os.environ, **environment})

        @contextmanager
        def counted(run: Run) -> Iterator[Ports]:
            with opened(run, PatternExtractor if plan.patterns else None) as ports:
                yield replace(ports, applying=replace(ports.applying, metrics=EmittedAgain(plan.emitted_again)))

        sys.exit(execute(run, counted))
