"""Commands as people give them, in this process, and `millstream up` in one of its own."""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flows.cli import app

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 90.0
"""Seconds until something that should have happened counts as failed; a busy machine takes its time."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Command:
    """Gives commands over one data directory."""

    data: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Said:
        """Give a command; a problem is an exit code, never a traceback."""
        self.capture.readouterr()
        with pytest.raises(SystemExit) as ended:
            app([*words, "--data", str(self.data)])
        out, err = self.capture.readouterr()
        assert "Traceback" not in err
        return Said(int(ended.value.code or 0), out, err)

    def json(self, *words: str) -> Any:
        """Give a command that must succeed with `--json`; return what it said."""
        said = self(*words, "--json")
        assert said.code == 0, said.err
        return said.json


class Up:
    """`millstream up` over a data directory, on free ports and with an embedding that needs no model."""

    def __init__(self, data: Path) -> None:
        ports = [word for name in ("kafka", "milvus", "metrics") for word in (f"--{name}-port", "0")]
        command = [sys.executable, "-m", "flows.cli", "up", "--data", str(data), *ports, "--embedding", "ngram", "--json"]
        self._errors = (data.parent / f"{data.name}.err").open("a+")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._errors, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True
        )
        self.addresses: dict[str, Any] = json.loads(self._line())

    def _line(self) -> str:
        """Return the line that says that all parts answer."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            assert selector.select(PATIENCE), self.said
        return self.process.stdout.readline() or f"null {self.said}"

    @property
    def said(self) -> str:
        """What it said on standard error."""
        self._errors.seek(0)
        return self._errors.read()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Stop it; return its exit code. An ended one is no error."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()
        return code


def until(command: Command, words: Sequence[str], ready: str) -> Any:
    """Give a command until its JSON, as text, holds something; return the JSON."""
    end = time.monotonic() + PATIENCE
    while True:
        said = command(*words, "--json")
        if said.code == 0 and ready in said.out:
            return said.json
        assert time.monotonic() < end, said
        time.sleep(0.2)


class Follower:
    """`millstream feed git --follow` in a process of its own."""

    def __init__(self, data: Path, repository: Path) -> None:
        command = [sys.executable, "-m", "flows.cli", "feed", "git", str(repository), "--follow", "--json", "--data", str(data)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True)

    def line(self) -> str:
        """Return the next line that it prints."""
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            assert selector.select(PATIENCE)
        return self._process.stdout.readline()

    def stop(self) -> int:
        """Ask it to end; return its exit code."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code
