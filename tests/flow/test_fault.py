"""Faults strike only where and when a crash test asked for them."""

import signal
import subprocess
import sys

import pytest

from flows.fault import fault_from, none
from schemas.errors import BadSettings


def test_nothing_strikes_unless_asked_for() -> None:
    assert fault_from({}) is none
    assert fault_from({"MILLSTREAM_FAULT": "start:0"})("start") is None
    assert fault_from({"MILLSTREAM_FAULT": "start:1"})("commit-emit") is None


def test_a_fault_ends_the_process_as_kill_minus_nine_does() -> None:
    script = "from flows.fault import fault_from; fault_from({'MILLSTREAM_FAULT': 'start:0.0,commit-emit:1.0'})('commit-emit')"
    assert subprocess.run([sys.executable, "-c", script], timeout=60, check=False).returncode == -signal.SIGKILL


@pytest.mark.parametrize("wanted", ["anywhere:0.5", "start", "start:x", "start:2"])
def test_a_fault_that_does_not_exist_is_refused(wanted: str) -> None:
    with pytest.raises(BadSettings, match=wanted):
        fault_from({"MILLSTREAM_FAULT": wanted})
