"""Calls to Milvus that outlast an outage: what may be tried again is tried again, the rest becomes an error of ours."""

import logging
import time
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeAlias, TypeVar

import grpc
from pymilvus import MilvusException

from schemas.errors import Inconsistent, Problem, Unreachable

P = ParamSpec("P")
T = TypeVar("T")

FIRST_WAIT = 0.2  # seconds; doubled up to LAST_WAIT
LAST_WAIT = 5.0
NOT_LOADED = 101
MISSING = 100
_AWAY = {2, 8}  # connection refused; rate limit exceeded
_AWAY_STATUS = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
_STARTING = ("not ready", "not healthy", "initializing")  # a server that is just coming up answers with code 1 or none

Failure: TypeAlias = MilvusException | grpc.RpcError

_log = logging.getLogger(__name__)


class Refusal(Problem):
    """Milvus says no to what was sent, and would say so again."""


class Calls:
    """Makes calls with a patience in seconds. `reload` is called when a server restarted and let go of the collection."""

    def __init__(self, patience: float, reload: Callable[[], None]) -> None:
        self._patience = patience
        self._reload = reload

    def __call__(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the method returns.

        Unreachable after the patience; Refusal if it is the request's fault; Inconsistent if the collection is gone.
        A call that timed out may have been carried out all the same: only calls that may run twice are made this way.
        """
        waits = self._waits()
        while True:
            try:
                return method(*args, **kwargs)
            except (MilvusException, grpc.RpcError) as error:
                self._bear(error, waits)

    def _bear(self, error: Failure, waits: Iterator[float]) -> None:
        code = _code(error)
        if code == MISSING:
            message = f"the collection is gone from Milvus ({_shown(error)}); stop, then start again to create and fill it"
            raise Inconsistent(message) from error
        if code != NOT_LOADED and not _is_away(error):
            raise Refusal(_shown(error)) from error
        wait = next(waits, None)
        if wait is None:
            message = f"Milvus did not answer within {self._patience:g} s ({_shown(error)}); is it running?"
            raise Unreachable(message) from error
        time.sleep(wait)
        if code == NOT_LOADED:
            self._try_reload()

    def _try_reload(self) -> None:
        try:
            self._reload()
        except (MilvusException, grpc.RpcError) as error:
            if not _is_away(error):
                raise Refusal(_shown(error)) from error

    def _waits(self) -> Iterator[float]:
        end = time.monotonic() + self._patience
        wait = FIRST_WAIT
        while time.monotonic() < end:
            _log.log(logging.INFO if wait == FIRST_WAIT else logging.WARNING, "Milvus is away, next try in %.1f s", wait)
            yield wait
            wait = min(2 * wait, LAST_WAIT)


def _code(error: Failure) -> object:
    code = getattr(error, "code", None)
    return code() if callable(code) else code


def _is_away(error: Failure) -> bool:
    code = _code(error)
    return code in _AWAY or code in _AWAY_STATUS or any(words in str(error) for words in _STARTING)


def _shown(error: Failure) -> str:
    return " ".join(str(error).split())[:300]
