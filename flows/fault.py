"""Faults on demand, for the crash bench: at a point, with some probability, the process kills itself as `kill -9` would.

`MILLSTREAM_FAULT="commit-emit:0.01,milvus-write:0.02"` in the environment switches them on; nobody else reads it, and without it nothing happens.

| point | where |
|---|---|
| start | the flow is built, no step has run |
| commit-emit | a transaction of the store is on disk, nothing of it was emitted |
| milvus-write | a piece of a batch (`index.write_rows` rows) is written, the pieces behind it are not, and no receipt was taken over |
"""

import os
import random
import signal
from collections.abc import Mapping

from flows.traffic import Fault
from schemas.errors import BadSettings

VARIABLE = "MILLSTREAM_FAULT"
POINTS = ("start", "commit-emit", "milvus-write")


def none(_point: str) -> None:
    """Let every point pass."""


def fault_from(environment: Mapping[str, str]) -> Fault:
    """Return the faults that the environment asks for."""
    wanted = environment.get(VARIABLE, "")
    if not wanted:
        return none
    chances = dict(_chance(entry) for entry in wanted.split(","))

    def strike(point: str) -> None:
        if random.random() < chances.get(point, 0.0):
            os.kill(os.getpid(), signal.SIGKILL)

    return strike


def _chance(entry: str) -> tuple[str, float]:
    """Return one point and its probability."""
    point, _, chance = entry.strip().partition(":")
    try:
        probability = float(chance)
    except ValueError:
        probability = -1.0
    if point not in POINTS or not 0 <= probability <= 1:
        message = f"{VARIABLE}: {entry!r} is not point:probability with one of {', '.join(POINTS)}"
        raise BadSettings(message)
    return point, probability
