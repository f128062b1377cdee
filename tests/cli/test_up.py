"""Milvus Lite under `millstream up`: it ends in good order whoever started it, and a former one is waited for."""

import fcntl
import signal
import threading
import time
from pathlib import Path

import pytest
from pymilvus import MilvusClient

from flows import up
from flows.up import INDEX, lite
from schemas.errors import BadSettings

HELD = 1.0


def test_one_that_a_shell_began_in_the_background_ends_when_asked_and_a_former_one_is_waited_for(tmp_path: Path) -> None:
    """A shell lets its background jobs ignore SIGINT; a killed parent leaves a child that still writes."""
    (tmp_path / INDEX).mkdir()
    former = (tmp_path / INDEX / "LOCK").open("w")
    fcntl.flock(former, fcntl.LOCK_EX)
    threading.Timer(HELD, former.close).start()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        began = time.monotonic()
        with lite(tmp_path) as server:
            assert time.monotonic() - began >= HELD
            client = MilvusClient(server.uri)
            assert client.list_collections() == []
            client.close()
            asked = time.monotonic()
        assert time.monotonic() - asked < 20  # it would be killed after 30
        assert not server.alive
    finally:
        signal.signal(signal.SIGINT, handler)


def test_one_that_does_not_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "LINGER", 0.3)
    (tmp_path / INDEX).mkdir()
    with (tmp_path / INDEX / "LOCK").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BadSettings, match="in use by another Milvus Lite"):
            lite(tmp_path)
