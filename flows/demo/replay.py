"""The replay: events go to Kafka at a steady pace, and each is followed until it is searchable."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from connectors.kafka import Feed
from flows.demo.histories import Event
from flows.demo.watch import Notebook, Sight
from flows.settings import Settings
from schemas.errors import Unreachable
from schemas.instant import Instant

PACE = 0.1
"""Seconds between two events: slow enough to look at, and far below what the flow can do."""
LOOK = 0.05  # seconds between two looks at the notebook
PATIENCE = 120.0  # seconds without any progress after which something is wrong


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the replay has come: `sent` of `total` events, the date that the story has reached, and what was seen."""

    sent: int
    total: int
    date: Instant
    sight: Sight


@dataclass(frozen=True, slots=True)
class Freshness:
    """Seconds from Kafka until searchable: the quantiles over all changes but the first, which waited for models to load."""

    count: int
    p50: float
    p99: float
    longest: float
    first: float


class Stopped(Exception):
    """The demo was asked to stop."""


def replay(settings: Settings, events: Sequence[Event], notebook: Notebook, stop: threading.Event, show: Callable[[Progress], None]) -> float:
    """Send all events and wait until all are searchable; return the seconds that this took after the first.

    The first event is waited for alone, so that loading the language model counts as a start and not as freshness.
    """
    began = time.monotonic()
    with Feed(settings.kafka.connection({})) as feed:
        for number, event in enumerate(events):
            feed.send(settings.source(event.source).topic, event.document.encode(), event.value)
            show(Progress(number + 1, len(events), event.arrives, notebook.sight()))
            if number == 0:
                _until_searchable(1, len(events), event.arrives, notebook, stop, show)
                began = time.monotonic()
            elif stop.wait(PACE):
                raise Stopped
        _until_searchable(len(events), len(events), events[-1].arrives, notebook, stop, show)
    return time.monotonic() - began


def _until_searchable(sent: int, total: int, date: Instant, notebook: Notebook, stop: threading.Event, show: Callable[[Progress], None]) -> None:
    """Wait until so many changes are searchable."""
    done, deadline = -1, 0.0
    while (sight := notebook.sight()).done < sent:
        if sight.done > done:
            done, deadline = sight.done, time.monotonic() + PATIENCE
        if time.monotonic() > deadline:
            message = f"{sent - sight.done} of {sent} changes are not searchable after {PATIENCE:g} s without progress"
            raise Unreachable(message)
        if stop.wait(LOOK):
            raise Stopped
        show(Progress(sent, total, date, sight))
    show(Progress(sent, total, date, sight))


def freshness(notebook: Notebook) -> Freshness:
    """Return how fresh the changes were."""
    first, *rest = [seconds for _, seconds in notebook.waits()]
    ordered = sorted(rest) or [first]
    return Freshness(len(ordered), _quantile(ordered, 0.5), _quantile(ordered, 0.99), ordered[-1], first)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that so large a share of the values does not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
