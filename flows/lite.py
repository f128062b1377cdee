"""Milvus Lite over a data directory, for `millstream up`, and for a single question where nothing runs."""

import fcntl
import signal
import time
from pathlib import Path

from connectors.milvus_server import MilvusServer, start_lite
from schemas.errors import BadSettings

INDEX = "milvus"
"""The folder of Milvus Lite under the data directory."""
LINGER = 60.0
"""Seconds that Milvus Lite is given to end after its parent was killed; 200,000 rows take some."""


def lite(data: Path, port: int = 0) -> MilvusServer:
    """Start Milvus Lite over a data directory; see `start_lite`. One whose parent was killed is waited for while it writes its last rows down."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So begin shells what they run in the background. The child would inherit it, and SIGINT is what makes it write its rows down and end.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = data / INDEX
    end = time.monotonic() + LINGER
    while held(folder):
        if time.monotonic() > end:
            message = f"{folder} is in use by another Milvus Lite; stop that process"
            raise BadSettings(message)
        time.sleep(0.2)
    return start_lite(folder, port)


def held(folder: Path) -> bool:
    """Whether a process has the Milvus Lite of a folder open; only one can."""
    lock = folder / "LOCK"
    if not lock.exists():
        return False
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
