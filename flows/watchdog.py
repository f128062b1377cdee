"""The watchdog over what may hang for ever, however short its own time-outs are: a TLS client at a plain port does."""

import faulthandler
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """End the process, with the stacks of its threads on standard error, if the context lasts longer than this."""
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
