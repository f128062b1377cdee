"""`millstream feed`: a git repository or a file of JSON lines becomes messages on Kafka."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from flows.cli_options import DATA, AsJson, Data, SettingsFile, find
from flows.cli_output import err, out, print_json
from schemas.change import Position
from schemas.errors import BadSettings

if TYPE_CHECKING:  # Kafka and dulwich take their time to load, and `--help` needs neither
    from connectors.kafka import Headers, Producer
    from flows.feed import Progress as Fed
    from flows.feed import Target
    from flows.located import Located

feeds = typer.Typer(no_args_is_help=True, help="Feed changes from a git repository or a file.")

LOOK = 0.2
"""Seconds between two looks at the watermark."""

Wait = Annotated[bool, typer.Option("--wait", help="Return when all that was delivered is searchable.")]


@feeds.command("git")
def git(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The repository: the folder that holds .git, or a bare one.")],
    *,
    since: Annotated[
        str | None, typer.Option("--since", metavar="REV", help="Begin with all documents as they stood then, instead of at the root.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with new commits until stopped. With --json a line per batch.")] = False,
    source: Annotated[str, typer.Option("--source", help="The source of the settings that it is fed to.")] = "git",
    wait: Wait = False,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Feed the history of a repository of texts (docs/formats.md); goes on where it stopped."""
    if follow and wait:
        message = "--follow never ends by itself, so there is nothing to --wait for"
        raise BadSettings(message)
    from flows.feed import feed_git

    with _stopping() as stop:
        start = partial(feed_git, repository=path, since=since, follow=follow, stop=stop)
        _feed(find(data, settings), source, start, "commits", wait=wait, lines=follow, as_json=as_json)


@feeds.command("file")
def file(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file of JSON lines, one change each (docs/sources.md), or a PDF or HTML file.")],
    *,
    source: Annotated[str, typer.Option("--source", help="The source of the settings that it is fed to.")] = "wiki",
    wait: Wait = False,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Feed a file of changes, behind the last line that was delivered; or a document, if it has changed since it was delivered."""
    from connectors.sources.files import is_document
    from flows.feed import feed_document, feed_file

    start = partial(feed_document if is_document(path) else feed_file, path=path)
    _feed(find(data, settings), source, start, "bytes", wait=wait, as_json=as_json)


class Heard:
    """A Producer that remembers where the last message of each partition stands."""

    def __init__(self, producer: "Producer") -> None:
        self._producer = producer
        self.last: dict[tuple[str, int], int] = {}

    def send(self, topic: str, key: bytes | None, value: bytes | None, headers: "Headers" = ()) -> Position:
        """Deliver one message; return where it stands."""
        return self.send_all(topic, [(key, value, headers)])[0]

    def send_all(self, topic: str, messages: "Iterable[tuple[bytes | None, bytes | None, Headers]]") -> list[Position]:
        """Deliver many messages in order; return where each stands."""
        positions = self._producer.send_all(topic, messages)
        self.last.update({(position.topic, position.partition): position.offset for position in positions})
        return positions


def _feed(
    place: "Located",
    source: str,
    start: "Callable[[Target], Iterator[Fed]]",
    unit: str,
    *,
    wait: bool,
    as_json: bool,
    lines: bool = False,
) -> None:
    """Feed, and tell how far it is; at the end, or with `lines` after each batch, what was delivered."""
    from connectors.kafka import Feed
    from flows.feed import target

    place.require_running()
    topic = place.settings.source(source).topic
    connection = place.settings.kafka.connection(os.environ)
    fed: Fed | None = None
    with Feed(connection) as kafka, _progress(err(), quiet=as_json) as progress:
        heard = Heard(kafka)
        task = progress.add_task(f"feeding {topic}", total=None, visible=False, unit=unit)
        for fed in start(target(heard, connection, topic, place.settings.data)):
            progress.update(task, completed=fed.done, total=fed.total, visible=True)
            if lines and as_json:
                print_json({"topic": topic, **asdict(fed)})
        if fed:
            progress.update(task, completed=fed.total)  # of a file, blank lines at the end are left
        if wait:
            _until_searchable(place, heard.last, progress)
    if as_json and not lines:
        print_json({"topic": topic, **(asdict(fed) if fed else {"messages": 0}), "searchable": wait})
    elif not as_json:
        said = f"{fed.messages} messages to {topic}, up to {fed.at}" if fed else f"nothing new for {topic}: it goes on where the last feed stopped"
        out().print(said if wait or not fed else f"{said}; `millstream status` shows when they are searchable")


def _progress(console: Console, *, quiet: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.completed} of {task.total} {task.fields[unit]}"),
    )
    return Progress(*columns, TimeElapsedColumn(), console=console, disable=quiet or not console.is_terminal)


def _until_searchable(place: "Located", last: Mapping[tuple[str, int], int], progress: Progress) -> None:
    """Return when the watermark has reached the last message of every partition; Unreachable if the flow has ended meanwhile."""
    from connectors.watermark import read

    task = progress.add_task("searchable", total=sum(last.values()) + len(last), unit="messages")
    while True:
        marks = read(place.settings.watermark)
        progress.update(task, completed=sum(min(marks.get(at, -1), offset) + 1 for at, offset in last.items()))
        if all(marks.get(at, -1) >= offset for at, offset in last.items()):
            return
        place.require_running()
        time.sleep(LOOK)


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set, so that a feed ends after a batch; a second one is not waited for."""
    stop = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            signal.default_int_handler(number, frame)
        stop.set()

    former = {number: signal.signal(number, ask) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
