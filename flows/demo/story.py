"""The demo from beginning to end: start, replay, look, ask, and say how to go on."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from rich.console import Console
from rich.live import Live
from rich.text import Text

from flows.demo import view
from flows.demo.answers import Answer, Asker, Source, bridge_of
from flows.demo.histories import Event, stream
from flows.demo.parts import emptied, perform, started
from flows.demo.questions import Question, load
from flows.demo.replay import Freshness, Progress, Stopped, freshness, replay
from flows.demo.telling import told
from flows.demo.watch import Notebook, Sight, Watch
from flows.ports import Ports
from flows.settings import Settings
from flows.wiring import wall_clock
from schemas.deadletter import DeadLetter
from schemas.instant import iso
from schemas.record import Record, Status
from schemas.transition import Transition

DOCUMENTS = Path(__file__).resolve().parents[2] / "demo"
"""The sample documents of a checkout."""
EVERY = 25
"""Changes between two lines of progress where there is no terminal."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that the demo has to tell."""

    sight: Sight
    seconds: float
    freshness: Freshness
    told: dict[Status, list[Transition]]
    answers: list[Answer]
    bridge: Record | None
    premises: list[tuple[Record, tuple[Source, ...]]]
    letters: list[DeadLetter]


def demo(data_dir: Path, console: Console, *, as_json: bool = False, check: bool = False, documents: Path = DOCUMENTS) -> int:
    """Run the demo in the main thread; return 0, or with `check` 1 if an answer is not the expected one.

    `data_dir` is emptied if an earlier demo made it, so that edited documents are read anew; any other directory that holds something is refused.
    130: stopped by Ctrl-C. With `as_json` the outcome is one JSON object on the console, and nothing else.
    """
    events, questions = stream(documents), load(documents / "questions.toml")
    quiet = Console(stderr=True, quiet=as_json) if as_json else console
    _opening(quiet, events)
    watch = Watch()
    found: list[Outcome] = []

    with started(emptied(data_dir)) as settings:

        def act(ports: Ports, stop: threading.Event) -> None:
            found.append(_told(settings, ports, watch.notebook, events, questions, stop, quiet))

        try:
            perform(settings, watch, act)
        except Stopped:
            quiet.print("stopped")
            return 130
    outcome = found[0]
    if as_json:
        console.print_json(_json(outcome))
    else:
        _tell(console, outcome, data_dir)
    return int(check and any(answer.differences for answer in outcome.answers))


def _told(
    settings: Settings,
    ports: Ports,
    notebook: Notebook,
    events: Sequence[Event],
    questions: Sequence[Question],
    stop: threading.Event,
    console: Console,
) -> Outcome:
    """Replay and ask, while the flow runs."""
    seconds = _replayed(settings, notebook, events, stop, console)
    asker = Asker(ports.index.index, ports.embedding.embedder, settings.tenants[0])
    now = wall_clock()
    answers = [asker.ask(question, now) for question in questions]
    bridge = bridge_of(answers)
    return Outcome(
        sight=notebook.sight(),
        seconds=seconds,
        freshness=freshness(notebook),
        told=told(notebook.history(), questions),
        answers=answers,
        bridge=bridge,
        premises=asker.premises(bridge) if bridge else [],
        letters=notebook.letters(),
    )


def _replayed(settings: Settings, notebook: Notebook, events: Sequence[Event], stop: threading.Event, console: Console) -> float:
    """Replay with a live display, or with plain lines; return the seconds that it took."""
    began = time.monotonic()
    if not console.is_terminal:
        return replay(settings, events, notebook, stop, _lines(console))
    with Live(console=console, refresh_per_second=8, transient=False) as display:
        return replay(settings, events, notebook, stop, lambda progress: display.update(view.live(progress, time.monotonic() - began)))


def _lines(console: Console) -> Callable[[Progress], None]:
    """Return what prints a line for every EVERY changes that became searchable."""
    told_at = [-EVERY]

    def show(progress: Progress) -> None:
        done = progress.sight.done
        if done >= told_at[0] + EVERY or (done == progress.total and done > told_at[0]):
            told_at[0] = done
            console.print(Text(view.line(progress)), soft_wrap=True)

    return show


def _opening(console: Console, events: Sequence[Event]) -> None:
    documents = {(event.source, event.document) for event in events}
    console.print(Text("The Merrow Line, an invented ferry company, and its wiki and tickets", "bold cyan"))
    console.print(f"{len(documents)} documents, {len(events)} changes, {iso(events[0].arrives)[:10]} to {iso(events[-1].arrives)[:10]}.")
    console.print("Starting a broker, Milvus Lite and the index flow on this machine; the first start distils the embedding model, about 30 s ...")


def _tell(console: Console, outcome: Outcome, data_dir: Path) -> None:
    console.rule("What became of the facts")
    view.transitions(console, outcome.told)
    console.rule("A bridge: what no document says alone")
    if outcome.bridge is None:
        console.print("No question was answered by a bridge.")
    else:
        view.bridge(console, outcome.bridge, outcome.premises)
    console.rule("Questions")
    for number, answer in enumerate(outcome.answers, 1):
        view.answer(console, number, answer)
    console.rule("Dead letters: what could not be applied, and waits")
    for letter in outcome.letters:
        view.letter(console, letter)
    console.rule("Freshness")
    console.print(view.fresh(outcome.freshness, outcome.seconds))
    console.print(f"The first change took {outcome.freshness.first:.1f} s, since it waited for the language model to load.", style="dim")
    _closing(console, outcome, data_dir)


def _closing(console: Console, outcome: Outcome, data_dir: Path) -> None:
    console.rule("How to go on")
    wrong = sum(bool(answer.differences) for answer in outcome.answers)
    if wrong:
        console.print(
            f"{wrong} of {len(outcome.answers)} answers are not what demo/questions.toml expects: somebody edited the documents, or we have a bug."
        )
    console.print(_FURTHER.format(data=data_dir), highlight=False)


_FURTHER = """
Change a document       edit demo/wiki/staff-notices-2025.md (demo/README.md says how), then `make demo` again: the answers change
Keep it running         millstream up --data {data}
Ask it yourself         millstream ask "Who heads the Gate Crew?" --at 2024-09-01 --data {data}
See an entity           millstream entity "Gate Crew" --data {data}
See a record's life     millstream show RECORD --data {data}
Look after it           millstream status, millstream dead-letters list
Index your own wiki     millstream feed git PATH
"""


def _json(outcome: Outcome) -> str:
    """Return the outcome as one JSON object."""
    plain = {
        "changes": outcome.sight.done,
        "seconds": round(outcome.seconds, 3),
        "receipts": dict(outcome.sight.outcomes),
        "records": [{"kind": kind, "status": status, "count": count} for (kind, status), count in sorted(outcome.sight.records.items())],
        "freshness_ms": {"p50": round(1000 * outcome.freshness.p50, 1), "p99": round(1000 * outcome.freshness.p99, 1)},
        "transitions": {status: [asdict(one) for one in some] for status, some in outcome.told.items()},
        "bridge": asdict(outcome.bridge) if outcome.bridge else None,
        "answers": [_answer_json(answer) for answer in outcome.answers],
        "dead_letters": [{"document": letter.document, "position": str(letter.position), "reason": letter.reason} for letter in outcome.letters],
    }
    return orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS).decode()


def _answer_json(answer: Answer) -> dict[str, object]:
    hits = zip(answer.hits, answer.sources, strict=True)
    return {
        "topic": answer.question.topic,
        "ask": answer.question.ask,
        "at": iso(answer.at),
        "as_expected": not answer.differences,
        "differences": answer.differences,
        "hits": [
            {
                "text": hit.record.text,
                "kind": hit.record.kind,
                "status": hit.status,
                "reason": hit.record.reason,
                "valid_from": iso(hit.record.valid_from),
                "valid_to": iso(hit.record.valid_to),
                "rivals": [rival.text for rival in hit.rivals],
                "sources": [{"document": place.place, "quote": place.quote} for place in places],
            }
            for hit, places in hits
        ],
    }
