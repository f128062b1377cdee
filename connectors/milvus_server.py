"""A Milvus server as a child process: Milvus Lite for one machine, and the real server of the package `milvus` for tests.

Milvus Lite writes its last rows down when it is told to stop, and its lock goes with the process. So its child also stops when the parent is
gone, however that ended: it reads from a pipe that the parent holds open.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Self

from pymilvus import MilvusClient

from connectors.milvus_schema import LITE_BUFFER
from schemas.errors import BadSettings, Unreachable

HOST = "127.0.0.1"  # Milvus Lite has no authentication
LITE_START = 60.0  # seconds; 200,000 rows in the log take some
REAL_START = 180.0  # after a kill -9 an old lease has to expire first
STOP = 30.0
LINGER = 120.0  # twice the minute for which Linux keeps a closed connection


@dataclass(frozen=True, slots=True)
class MilvusServer:
    """A running server; `stop` (or leaving the `with`) ends it in good order. Its output is in `log`."""

    uri: str
    log: Path
    _process: "subprocess.Popen[bytes]"

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the server; what was acknowledged is on disk afterwards. An ended one is no error."""
        if self.alive:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.kill()
        self._let_go()

    def kill(self) -> None:
        """End the server as a crash would, with all processes that it started."""
        if self.alive:
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        _wait(lambda: not _listens(_port(self.uri)), STOP)  # its children are not ours to wait for
        self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _let_go(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()


def start_lite(folder: Path, port: int = 0) -> MilvusServer:
    """Start Milvus Lite over a folder and return it when it answers. Port 0 takes a free one. A port in use or a folder in use: BadSettings."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", __name__, str(folder)]
    return _start(command, _free(port), folder.with_name(f"{folder.name}.log"), LITE_START, subprocess.PIPE)


def start_real(folder: Path, port: int = 0) -> MilvusServer:
    """Start the server of the package `milvus` over a folder and return it when it answers. BadSettings if the package is not installed.

    A port that was in use until now is waited for: the server would take another one in silence as long as old connections linger on it.
    """
    program = shutil.which("milvus-server", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        message = "milvus-server is not installed; install the extra: pip install '.[server]'"
        raise BadSettings(message)
    folder.mkdir(parents=True, exist_ok=True)
    command = [program, "--data", str(folder), "--proxy-port"]
    chosen = _free(port)
    _wait(lambda: _can_listen(chosen), LINGER)
    return _start(command, chosen, folder.with_name(f"{folder.name}.log"), REAL_START, subprocess.DEVNULL)


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def serve_lite(folder: str, port: int) -> None:
    """Serve Milvus Lite in this process until SIGINT or SIGTERM, or until standard input ends with the parent."""
    from milvus_lite.adapter.grpc.server import run_server

    signal.signal(signal.SIGTERM, _interrupt)  # Lite writes down what it holds on SIGINT only
    threading.Thread(target=_follow_parent, daemon=True).start()
    run_server(data_dir=folder, host=HOST, port=port)


def _start(command: Sequence[str], port: int, log: Path, patience: float, source: int) -> MilvusServer:
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**dict([LITE_BUFFER]), **os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with log.open("ab") as output:
        process = subprocess.Popen([*command, str(port)], stdin=source, stdout=output, stderr=output, start_new_session=True, env=environment)
    server = MilvusServer(f"http://{HOST}:{port}", log, process)
    try:
        _wait(lambda: _answers(server), patience)
    except BaseException:
        server.stop()
        raise
    return server


def _wait(ready: Callable[[], bool], patience: float) -> None:
    end = time.monotonic() + patience
    while not ready():
        if time.monotonic() > end:
            message = f"the Milvus server did not answer within {patience:g} s"
            raise Unreachable(message)
        time.sleep(0.1)


def _answers(server: MilvusServer) -> bool:
    if not server.alive:
        message = f"the Milvus server ended at once; its last words in {server.log}: {_last_words(server.log)}"
        raise BadSettings(message)
    if not _listens(_port(server.uri)):
        return False
    try:
        client = MilvusClient(server.uri, timeout=5)
        client.list_collections(timeout=5)
        client.close()
    except Exception:  # noqa: BLE001 - whatever a server says before it is up, it is not up
        return False
    return True


def _last_words(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 600))
        return " ".join(file.read().decode("utf-8", "replace").split())


def _free(port: int) -> int:
    """Return the port if nobody listens on it: a second Lite server on one port also starts, and each gets some of the requests."""
    if not port:
        return free_port()
    if _listens(port):
        message = f"port {port} is in use; stop what listens there or choose another"
        raise BadSettings(message)
    return port


def _port(uri: str) -> int:
    return int(uri.rpartition(":")[2])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def _can_listen(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _follow_parent() -> None:
    """Wait until the pipe from the parent ends, then interrupt this process. Below `sys.stdin`, whose lock would outlive the interpreter."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    serve_lite(sys.argv[1], int(sys.argv[2]))
