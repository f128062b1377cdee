"""The demo from beginning to end: start, replay, look, ask, and say how to go on."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.text import Text

from flows.cli_output import SHORT
from flows.demo import view
from flows.demo.answers import ask, bridge_of, premises
from flows.demo.histories import stream
from flows.demo.live import line, live
from flows.demo.parts import emptied, perform, started
from flows.demo.questions import load
from flows.demo.replay import Progress, Stopped, freshness, replay
from flows.demo.report import Report, report_json
from flows.demo.telling import told
from flows.demo.watch import Watch
from flows.ports import Ports
from flows.settings import Settings
from flows.vocabulary import vocabulary
from flows.wiring import wall_clock
from retrieval.service import Search
from schemas.instant import iso
from state.reader import StoreReader

DOCUMENTS = Path(__file__).resolve().parents[2] / "demo"
"""The sample documents of a checkout."""
EVERY = 25
"""Changes between two lines of progress where there is no terminal."""
INTERRUPTED = 130


def demo(
    data_dir: Path,
    console: Console,
    *,
    as_json: bool = False,
    check: bool = False,
    documents: Path = DOCUMENTS,
    overrides: Mapping[str, object] | None = None,
) -> int:
    """Run the demo in the main thread; return 0, or with `check` 1 if an answer is not the expected one. 130: stopped by Ctrl-C.

    `data_dir` is emptied if an earlier demo made it, so that edited documents are read anew; any other directory that holds something is refused.
    With `as_json` the report is one JSON object on the console, and nothing else. `overrides` are settings by their dotted names.
    """
    vocabulary(str((overrides or {}).get("reading.vocabulary", "")))  # a bad one is told before anything is emptied or started
    story = Story(documents, Console(quiet=True) if as_json else console)
    story.open()
    with started(emptied(data_dir), overrides or {}) as settings:
        try:
            perform(settings, story.watch, story.act)
        except Stopped:
            story.console.print("Stopped.")
            return INTERRUPTED
    if as_json:
        console.print_json(report_json(story.report))
    else:
        _tell(console, story.report, data_dir)
    return int(check and story.report.unexpected > 0)


class Story:
    """One performance. `act` runs beside the flow and leaves the `report` behind."""

    report: Report

    def __init__(self, documents: Path, console: Console) -> None:
        self.console = console
        self.watch = Watch()
        self._events = stream(documents)
        self._questions = load(documents / "questions.toml")
        self._began = time.monotonic()

    def open(self) -> None:
        """Say what is going to happen."""
        documents = {(event.source, event.document) for event in self._events}
        first, last = self._events[0].arrives, self._events[-1].arrives
        self.console.print(Text("The Merrow Line, an invented ferry company, its wiki and its tickets", "bold cyan"))
        self.console.print(f"{len(documents)} documents, {len(self._events)} changes, {iso(first)[:10]} to {iso(last)[:10]}.")
        self.console.print("Starting a broker, Milvus Lite and the index flow.")

    def act(self, settings: Settings, ports: Ports, stop: threading.Event) -> None:
        """Replay the stream and ask the questions, while the flow runs."""
        self.console.print(f"Ready after {time.monotonic() - self._began:.0f} s. The changes go to Kafka in the order in which they came.\n")
        seconds = self._replay(settings, stop)
        notebook = self.watch.notebook
        tenant = settings.tenants[0]
        with closing(StoreReader(settings.store(tenant))) as store:
            search, now = Search(ports.index.index, ports.embedding.embedder, tenant, store.audiences), wall_clock()
            answers = [ask(search, store, question, now) for question in self._questions]
            bridge = bridge_of(answers)
            follows = premises(store, bridge) if bridge else []
        self.report = Report(
            sight=notebook.sight(),
            seconds=seconds,
            freshness=freshness(notebook),
            told=told(notebook.history(), self._questions),
            answers=answers,
            bridge=bridge,
            premises=follows,
            letters=notebook.letters(),
        )

    def _replay(self, settings: Settings, stop: threading.Event) -> float:
        """Replay with a live display, or with plain lines; return the seconds that it took."""
        began, notebook = time.monotonic(), self.watch.notebook
        if not self.console.is_terminal:
            return replay(settings, self._events, notebook, stop, _lines(self.console))
        with Live(console=self.console, refresh_per_second=8) as display:
            return replay(settings, self._events, notebook, stop, lambda progress: display.update(live(progress, time.monotonic() - began)))


def _lines(console: Console) -> Callable[[Progress], None]:
    """Return what prints a line for every EVERY changes that became searchable, and for the last."""
    at = 0

    def show(progress: Progress) -> None:
        nonlocal at
        done = progress.sight.done
        if done >= at + EVERY or at < done == progress.total:
            at = done
            console.print(Text(line(progress)), soft_wrap=True)

    return show


def _tell(console: Console, report: Report, data_dir: Path) -> None:
    console.rule("What became of the facts, and why")
    view.transitions(console, report.told)
    console.rule("A bridge: what no document says alone")
    if report.bridge is None:
        console.print("No question was answered by a bridge.")
    else:
        view.bridge(console, report.bridge, report.premises)
    console.rule("Questions")
    for number, answer in enumerate(report.answers, 1):
        view.answer(console, number, answer)
    console.rule("Dead letters: what could not be applied, and waits")
    for letter in report.letters:
        view.letter(console, letter)
    console.rule("Freshness")
    console.print(view.fresh(report.freshness, report.seconds))
    console.print(f"The first change took {report.freshness.first:.1f} s, since it waited for the language model to load.", style="dim")
    console.rule("How to go on")
    if report.unexpected:
        console.print(f"{report.unexpected} of {len(report.answers)} answers are not as demo/questions.toml expects. Were the documents edited?")
    some = report.bridge.id[:SHORT] if report.bridge else "RECORD"
    console.print(_FURTHER.format(data=data_dir, some=some), highlight=False, soft_wrap=True)


_FURTHER = """
Change a document     edit demo/wiki/staff-notices-2025.md (demo/README.md says how) and run the demo again: the answers change
Keep it running       millstream up --data {data}
Ask it yourself       millstream ask "Who heads the Gate Crew?" --at 2024-09-01 --data {data}
See an entity         millstream entity "Gate Crew" --data {data}
See a record's life   millstream show {some} --data {data}
Look after it         millstream status --data {data}; millstream dead-letters list --data {data}
Index your own wiki   millstream feed git PATH
"""
