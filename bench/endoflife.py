"""Real input: revisions of product pages through a real broker and the whole flow into Milvus Lite, each fact compared with the gold.

    python bench/endoflife.py [--revisions 500]

After each revision of a product, every fact (product, release cycle, field) known by then must have the value that the gold says, Active, and every
earlier value Deprecated; nothing may be Contested, and no value may be there that the gold has not. This is asked of the final index as of the
revision's time, since validity is kept. So that the stored status is seen too, the feed waits after every 50th revision until it is searchable, and
every fact of every product fed so far is compared as it stands in Milvus. Revisions before the last 50 are fed as fast as these waits allow
(`changes_per_s`, the waits for the index counted, the comparing not); the last 50 at 5 a second, for the time from before the sending to searchable.
Needs the shared data beside this checkout.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes beside every log, and looks at this when it is imported

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.support.endoflife import STREAMS, Fact, History, Revision, States, gold, indexed, revisions, states, stored_states
from bench.support.indexer import Indexer, Plan
from bench.support.searchable import LOOK_S, current, ends, is_searchable, wait
from connectors.broker import Broker
from connectors.embedding import open_embedder
from connectors.kafka import Feed, Headers, ensure_topics
from connectors.milvus_server import start_lite
from connectors.watermark import SourcePartition
from schemas.ids import Source
from schemas.record import Status
from schemas.vocabulary import Vocabulary, shipped

WIKI, TOPIC = Source("wiki"), "wiki.changes"
SECTION = 50
"""Revisions between two looks at the stored status, and those at the end that are fed slowly."""
RATE = 5
"""Revisions a second at the end: a quarter of what all wikis of the largest family see together."""
PATIENCE_S = 300.0
ALIKE = 5
"""Disagreements of one cause that are shown."""
# What does not follow from DESIGN.md 5.6, as the README of the data says.
KNOWN = {("dotnet", "9"): "gold rows that touch", ("debian", "9"): "listed twice in one version"}


@dataclass(slots=True)
class Tally:
    """How many (revision, fact) pairs were compared and agreed; those that did not, by cause. Owned by the bench."""

    checked: int = 0
    agree: int = 0
    stated: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    shown: dict[str, list[str]] = field(default_factory=dict)

    def take(self, fact: Fact, wanted: States, found: States, when: object) -> None:
        """Compare one fact after one revision."""
        self.checked += 1
        self.stated += Status.ACTIVE in wanted.values()
        if wanted == found:
            self.agree += 1
            return
        cause = KNOWN.get((fact.product, fact.cycle)) or _cause(wanted, found)
        self.wrong[cause] += 1
        if len(shown := self.shown.setdefault(cause, [])) < ALIKE:
            shown.append(f"{fact.product} {fact.cycle} {fact.predicate} after {when}: gold {_plain(wanted)}, index {_plain(found)}")


def _cause(wanted: States, found: States) -> str:
    """Return what kind of disagreement it is."""
    if Status.CONTESTED in found.values():
        return "contested"
    if not found:
        return "not in the index"
    if not wanted:
        return "not in the gold"
    if wanted.keys() == found.keys():
        return "another status"
    active = [{value for value, status in one.items() if status is Status.ACTIVE} for one in (wanted, found)]
    return "another earlier value" if active[0] == active[1] else "another value"


def _plain(given: States) -> str:
    return ", ".join(f"{value.normal!r} {status}" for value, status in given.items()) or "nothing"


@dataclass(slots=True)
class Feeding:
    """Sends revisions and waits until they are searchable. Owned by the bench."""

    feed: Feed
    indexer: Indexer
    sent: int = 0
    busy_s: float = 0.0

    def at_once(self, some: Sequence[Revision]) -> None:
        """Send revisions together and wait for the last one."""
        began = time.monotonic()
        positions = self.feed.send_all(TOPIC, [self._message(revision) for revision in some])
        wait(self.indexer, ends(positions), PATIENCE_S)
        self.busy_s += time.monotonic() - began

    def slowly(self, some: Sequence[Revision], step: Callable[[], None]) -> list[float]:
        """Send revisions one by one at a rate; return after how many milliseconds each was searchable."""
        began = time.monotonic()
        waiting: list[tuple[float, dict[SourcePartition, int]]] = []
        times: list[float] = []
        for number, revision in enumerate(some):
            sent = time.monotonic()
            waiting.append((sent, ends([self.feed.send(TOPIC, *self._message(revision)[:2])])))
            step()
            times += self._arrived(waiting, until=began + (number + 1) / RATE)
        return times + self._arrived(waiting, until=time.monotonic() + PATIENCE_S, all_of_them=True)

    def _arrived(self, waiting: list[tuple[float, dict[SourcePartition, int]]], until: float, *, all_of_them: bool = False) -> list[float]:
        """Watch until a time; take out what has become searchable and return how long each took."""
        times: list[float] = []
        settings = self.indexer.plan.settings
        while time.monotonic() < until and not (all_of_them and not waiting):
            while waiting and is_searchable(settings, waiting[0][1]):
                times.append((time.monotonic() - waiting.pop(0)[0]) * 1000)
            time.sleep(LOOK_S)
        if all_of_them and waiting:
            sys.exit(f"{len(waiting)} revisions are not searchable:\n{self.indexer.last_words()}")
        return times

    def _message(self, revision: Revision) -> tuple[bytes, bytes, Headers]:
        self.sent += 1
        change = {"id": revision.product, "order": self.sent, "time": revision.at.isoformat(), "path": revision.path, "body": revision.text}
        return revision.product.encode(), orjson.dumps(change), ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run: the comparison as of each revision, that of the stored status, changes a second, and latencies in milliseconds."""

    final: Tally
    live: Tally
    per_second: float
    times: list[float]


def tried(given: Sequence[Revision], models: Path) -> Outcome:
    """Feed the revisions and compare."""
    vocabulary = shipped()
    wanted = gold(vocabulary)
    with Console(stderr=True).status(
        "loading the embedding model; where there is none it is distilled, half a minute on a machine with nothing else to do"
    ):
        open_embedder("static", models)
    with tempfile.TemporaryDirectory(prefix="millstream-endoflife-") as folder, Broker() as broker, start_lite(Path(folder) / "milvus") as lite:
        data = Path(folder) / "data"
        data.mkdir()
        (data / "models").symlink_to(models.resolve())
        overrides = {"kafka.bootstrap": broker.bootstrap, "index.uri": lite.uri, "metrics.off": True, "flow.startup_s": PATIENCE_S}
        plan = Plan(data, overrides)
        ensure_topics(broker.connection, dict.fromkeys(plan.settings.every_topic, 1))
        with Indexer(plan) as indexer, Feed(broker.connection) as feed, _progress() as progress:
            return _compared(given, Feeding(feed, indexer), wanted, vocabulary, progress)


def _compared(given: Sequence[Revision], feeding: Feeding, wanted: History, vocabulary: Vocabulary, progress: Progress) -> Outcome:
    """Feed the revisions to a running broker; compare after every section and at the end."""
    indexer = feeding.indexer
    _warm(feeding, progress)
    task = progress.add_task("feeding", total=len(given))
    live, fed = Tally(), 0
    fast, slow = given[:-SECTION], given[-SECTION:]
    for section in _sections(fast):
        feeding.at_once(section)
        fed += len(section)
        _stored(given[:fed], wanted, indexer, vocabulary, live)
        progress.update(task, completed=fed)
        progress.console.print(
            f"{fed} of {len(given)} revisions, {fed / feeding.busy_s:.1f} a second; stored status so far: {live.agree} of {live.checked} agree"
        )
    per_second = len(fast) / feeding.busy_s if fast else 0.0
    times = feeding.slowly(slow, lambda: progress.advance(task))
    _stored(given, wanted, indexer, vocabulary, live)
    indexer.stop()
    return Outcome(_as_of_each(given, wanted, indexer, vocabulary, progress), live, per_second, times)


def _warm(feeding: Feeding, progress: Progress) -> None:
    """Start the flow and let it load its models."""
    task = progress.add_task("loading the models", total=None)
    feeding.indexer.start()
    position = feeding.feed.send("ticket.changes", b"T-1", orjson.dumps({"id": "T-1", "order": 1, "body": "The north quay is closed."}))
    wait(feeding.indexer, ends([position]), PATIENCE_S)
    progress.remove_task(task)


def _sections(given: Sequence[Revision]) -> Iterator[Sequence[Revision]]:
    for first in range(0, len(given), SECTION):
        yield given[first : first + SECTION]


def _stored(fed: Sequence[Revision], wanted: History, indexer: Indexer, vocabulary: Vocabulary, tally: Tally) -> None:
    """Compare the stored status of every fact of every product as it stands after the last revision fed."""
    found = indexed(current(indexer.plan.settings), WIKI, {revision.product for revision in fed}, vocabulary)
    facts = _by_product(wanted, found)
    for product, last in {revision.product: revision for revision in fed}.items():
        for fact in facts[product]:
            there, here = states(wanted.get(fact, ()), last.instant), stored_states(found.get(fact, ()))
            if there or here:
                tally.take(fact, there, here, f"{last.at} (stored)")


def _as_of_each(given: Sequence[Revision], wanted: History, indexer: Indexer, vocabulary: Vocabulary, progress: Progress) -> Tally:
    """Compare every fact of a product as of every revision of it."""
    found = indexed(current(indexer.plan.settings), WIKI, {revision.product for revision in given}, vocabulary)
    tally = Tally()
    facts = _by_product(wanted, found)
    for revision in progress.track(given, description="comparing"):
        for fact in facts[revision.product]:
            there, here = states(wanted.get(fact, ()), revision.instant), states(found.get(fact, ()), revision.instant)
            if there or here:
                tally.take(fact, there, here, revision.at)
    return tally


def _by_product(*histories: History) -> Mapping[str, list[Fact]]:
    """Return the facts that some history knows, by product."""
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in sorted({fact for history in histories for fact in history}):
        found[fact.product].append(fact)
    return found


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True))


def report(given: Sequence[Revision], outcome: Outcome) -> dict[str, object]:
    """Print what was found and return the result."""
    for name, tally in (("as of each revision", outcome.final), ("stored status, every 50th revision", outcome.live)):
        share = 100 * tally.agree / max(1, tally.checked)
        print(f"{name}: {tally.checked:,} facts compared, {tally.stated:,} of them stated then; {tally.agree:,} agree ({share:.3f} %)")
        for cause, count in tally.wrong.most_common():
            print(f"  {count:,} {cause}", *tally.shown[cause], sep="\n    ")
    times = sorted(outcome.times)
    return {
        "revisions": len(given),
        "checked": outcome.final.checked,
        "agree": outcome.final.agree,
        "stored_checked": outcome.live.checked,
        "stored_agree": outcome.live.agree,
        "changes_per_s": round(outcome.per_second, 1),
        "p50_ms": round(statistics.median(times)),
        "p99_ms": round(times[min(len(times) - 1, round(0.99 * len(times)))]),
    }


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--revisions", type=int, default=500)
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "millstream" / "models", help="where the embedding model is kept")
    arguments = parser.parse_args()
    if not STREAMS.is_dir():
        print(f"skipped: the shared change histories are not at {STREAMS}")
        return 0
    given = revisions(arguments.revisions)
    outcome = tried(given, arguments.models)
    print("RESULT", json.dumps(report(given, outcome), separators=(",", ":")))
    return 0 if outcome.final.checked == outcome.final.agree and outcome.live.checked == outcome.live.agree else 1


if __name__ == "__main__":
    sys.exit(main())
