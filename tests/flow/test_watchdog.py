"""A start that hangs ends, and says where it hung."""

import subprocess
import sys


def test_what_hangs_is_ended_with_its_stack_and_what_does_not_is_left_alone() -> None:
    script = "import time\nfrom flows.watchdog import watched\nwith watched(0.3): pass\ntime.sleep(0.5)\nwith watched({}): time.sleep(60)"
    ran = subprocess.run([sys.executable, "-c", script.format(0.3)], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 1
    assert "line 5" in ran.stderr
