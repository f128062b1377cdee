"""The recovery directory is used by one process, holds nothing that was not committed, and never makes Bytewax panic."""

import sqlite3
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import bytewax.operators as op
import pytest
from bytewax.dataflow import Dataflow
from bytewax.recovery import RecoveryConfig
from bytewax.testing import TestingSink, run_main

from connectors.kafka_source import Messages
from flows.recovery import PARTITIONS, locked, prepare
from schemas.errors import BadSettings
from schemas.instant import Instant
from schemas.message import Message


def _messages(*partitions: int) -> Messages:
    return Messages([Message("t", number, offset, offset - 1, Instant(0), None, b"x") for number in partitions for offset in range(4)])


def _run(directory: Path, source: Messages) -> list[Message]:
    taken: list[Message] = []
    flow = Dataflow("f")
    op.output("out", op.input("in", flow, source), TestingSink(taken))
    run_main(flow, epoch_interval=timedelta(0), recovery_config=RecoveryConfig(directory, timedelta(0)))
    return taken


def _rows(directory: Path, statement: str) -> list[tuple[object, ...]]:
    found = []
    for path in sorted(directory.glob("part-*.sqlite3")):
        file = sqlite3.connect(path)
        found += file.execute(statement).fetchall()
        file.commit()
        file.close()
    return found


def test_a_new_directory_gets_its_partitions_once(tmp_path: Path) -> None:
    assert prepare(tmp_path, {}) is None
    assert len(list(tmp_path.glob("part-*.sqlite3"))) == PARTITIONS
    assert prepare(tmp_path, {}) is not None


def test_cleaning_keeps_the_committed_position_and_drops_what_no_run_needs(tmp_path: Path) -> None:
    prepare(tmp_path, {})
    assert len(_run(tmp_path, _messages(0, 1))) == 8
    cleaned = prepare(tmp_path, {"f.in": ["t:0", "t:1"]})
    assert cleaned is not None
    assert cleaned.uncommitted == 0
    assert len(_rows(tmp_path, "SELECT * FROM snaps WHERE step_id = 'f.in'")) == 2
    assert _run(tmp_path, _messages(0, 1)) == []


def test_a_snapshot_of_an_epoch_that_was_never_committed_is_dropped(tmp_path: Path) -> None:
    prepare(tmp_path, {})
    _run(tmp_path, _messages(0))
    ahead = "INSERT INTO snaps (step_id, state_key, snap_epoch, ser_change) SELECT step_id, state_key, snap_epoch + 1000, ser_change FROM snaps"
    _rows(tmp_path, ahead)
    before = len(_rows(tmp_path, "SELECT * FROM snaps WHERE snap_epoch >= 1000"))
    cleaned = prepare(tmp_path, {})
    assert cleaned is not None
    assert cleaned.uncommitted == before > 0
    assert _rows(tmp_path, "SELECT * FROM snaps WHERE snap_epoch >= 1000") == []


def test_a_partition_that_is_gone_is_named_and_dropped_only_if_wanted(tmp_path: Path) -> None:
    prepare(tmp_path, {})
    _run(tmp_path, _messages(0, 1))
    with pytest.raises(BadSettings, match=r"f\.in: t:1"):
        prepare(tmp_path, {"f.in": ["t:0"]})
    cleaned = prepare(tmp_path, {"f.in": ["t:0"]}, forget=True)
    assert cleaned is not None
    assert cleaned.forgotten == 1
    assert _run(tmp_path, _messages(0)) == []


def test_a_directory_is_held_by_one_process_and_free_when_it_ends(tmp_path: Path) -> None:
    script = f"from pathlib import Path\nfrom flows.recovery import locked\nwith locked(Path({str(tmp_path)!r})): print('held')"
    with locked(tmp_path):
        other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert other.returncode == 1
    assert "is in use by another Millstream" in other.stderr
    with locked(tmp_path):
        pass
