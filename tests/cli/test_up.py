"""Milvus Lite under `millstream up`: it ends in good order whoever started it, and a former one is waited for."""

import fcntl
import signal
import threading
import time
from pathlib import Path

import pytest
from pymilvus import MilvusClient

from flows import lite as started
from flows.cli import app
from flows.lite import INDEX, held, lite
from schemas.errors import BadSettings
from tests.sources.intake import Intake

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
            assert held(tmp_path / INDEX)
            asked = time.monotonic()
        assert time.monotonic() - asked < 20  # it would be killed after 30
        assert not server.alive
        assert not held(tmp_path / INDEX)
    finally:
        signal.signal(signal.SIGINT, handler)


def test_one_that_does_not_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started, "LINGER", 0.3)
    (tmp_path / INDEX).mkdir()
    with (tmp_path / INDEX / "LOCK").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BadSettings, match="in use by another Milvus Lite"):
            lite(tmp_path)


def test_a_question_about_an_index_that_the_indexer_has_open_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Milvus Lite in a file serves the process that opened it, and no other."""
    settings = tmp_path / "millstream.toml"
    settings.write_text(f'data = "{tmp_path}"\n[reading]\nembedding = "ngram"\n[[sources]]\nname = "wiki"\ntopic = "wiki.changes"\n')
    (tmp_path / "stores").mkdir()
    Intake(tmp_path / "stores" / "main.db").close()
    (tmp_path / "milvus.db").mkdir()
    with (tmp_path / "milvus.db" / "LOCK").open("w") as indexer:
        fcntl.flock(indexer, fcntl.LOCK_EX)
        with pytest.raises(SystemExit) as ended:
            app(["ask", "Who?", "--settings", str(settings)])
    assert ended.value.code == 1
    assert "is open in the indexer, and Milvus Lite serves one process" in capsys.readouterr().err
