"""The circuit breaker: who fails several times in a row is left alone for a while, then tried with one call."""

import threading
import time
from collections.abc import Callable
from enum import IntEnum

from schemas.errors import Unreachable


class Circuit(IntEnum):
    """Whether calls go through; the numbers are a metric."""

    CLOSED = 0
    HALF_OPEN = 1
    OPEN = 2


class Breaker:
    """Opens after `failures` failed calls in a row, for `pause` seconds; then one call goes ahead of the others. Threads share it.

    Every call that was admitted must end in `succeeded` or `failed`. `clock` counts seconds.
    """

    def __init__(self, failures: int, pause: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = failures
        self._pause = pause
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._until: float | None = None
        self._probing = False
        self._why = ""

    @property
    def circuit(self) -> Circuit:
        """Whether calls go through now."""
        with self._lock:
            if self._until is None:
                return Circuit.CLOSED
            return Circuit.OPEN if self._clock() < self._until else Circuit.HALF_OPEN

    def admit(self) -> None:
        """Let a call through, or raise Unreachable."""
        with self._lock:
            if self._until is None:
                return
            left = self._until - self._clock()
            if left > 0 or self._probing:
                wait = f"not called for another {left:.1f} s" if left > 0 else "one call tries whether it is back"
                message = f"{wait}, after {self._failures} failed calls in a row; the last: {self._why}"
                raise Unreachable(message)
            self._probing = True

    def succeeded(self) -> None:
        """Account for a call that was answered."""
        with self._lock:
            self._failures, self._until, self._probing = 0, None, False

    def failed(self, why: str, retry_after: float = 0.0) -> None:
        """Account for a call that was not; `retry_after`: seconds for which the other side asked to be left alone, whatever the count."""
        with self._lock:
            self._failures, self._why, self._probing = self._failures + 1, why, False
            pause = max(self._pause if self._failures >= self._most else 0.0, retry_after)
            if pause:
                self._until = max(self._until or 0.0, self._clock() + pause)
