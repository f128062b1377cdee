"""Real input: revisions of product pages through a real broker and the whole flow into Milvus Lite, each fact compared with the gold.

    python bench/endoflife.py [--revisions 500]

All revisions that the gold covers, or the first so many of them, of all products in one stream. Three things are compared:

- As of each revision of a product, every fact (product, release cycle, field) known by then must have the value that the gold says, Active, and every
  earlier value Deprecated; nothing may be Contested, and no value may be there that the gold has not. This is asked of the final index, since
  validity is kept.
- So that the stored status is seen too, the feed waits ten times on the way (after 50 revisions at least), and every fact of every product fed so far
  is compared as it stands in Milvus.
- Every row of the gold (a value, from when to when) must be what the final index believes, from when to when. Rows of one value that touch are one
  stretch: the gold tells spellings apart ("v10.15.3" and "10.15.3", "4.4W" and "4.4w") that are one value or one key (`intervals_joined`).
  A row of no length is a row that the index cannot have.

Revisions before the last 50 are fed as fast as the waits allow (`changes_per_s`, the waits for the index counted, the comparing not); the last 50 at
5 a second, for the time from before the sending to searchable. Needs the shared data beside this checkout; all revisions take 10 to 20 minutes.
"""

import argparse
import json
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes beside every log, and looks at this when it is imported

from rich.progress import Progress

from bench.support.agreement import Tally, at_each, cause_of, plain, states, stored_states, stretches, touching, up_to
from bench.support.endoflife import STREAMS, Fact, History, Revision, gold, indexed, revisions
from bench.support.feeding import MODELS, Feeding, Sent, shown, whole
from schemas.ids import Source
from schemas.record import Record
from schemas.vocabulary import Vocabulary, shipped

WIKI, TOPIC = Source("wiki"), "wiki.changes"
SLOW = 50
"""Revisions at the end that are fed slowly."""
LOOKS = 10
"""How often the stored status is looked at."""
# What does not follow from DESIGN.md 5.6 (the README of the data), by its cause.
NO_LENGTH, TWICE = "a row of no length", "a cycle listed twice in one version"
EXCUSED = frozenset({NO_LENGTH, TWICE})


@dataclass(slots=True)
class Outcome:
    """What came of a run: the comparisons, changes a second, and latencies in milliseconds. Owned by the bench."""

    final: Tally = field(default_factory=Tally)
    live: Tally = field(default_factory=Tally)
    intervals: Tally = field(default_factory=Tally)
    joined: int = 0
    rows: int = 0
    per_second: float = 0.0
    times: list[float] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Whether everything agrees that should."""
        return all(tally.wrong.keys() <= EXCUSED for tally in (self.final, self.live, self.intervals))


@dataclass(frozen=True, slots=True)
class Gold:
    """What is fed, and what must come of it."""

    given: Sequence[Revision]
    wanted: History
    vocabulary: Vocabulary
    twice: frozenset[tuple[str, str]]
    """(product, cycle) that a revision lists more than once."""

    def found(self, records: Sequence[Record], fed: int) -> History:
        """Return what the index says of the products fed so far."""
        return indexed(records, WIKI, {revision.product for revision in self.given[:fed]}, self.vocabulary)

    def cause(self, fact: Fact, otherwise: str) -> str:
        """Return why a fact may differ."""
        return TWICE if (fact.product, fact.cycle) in self.twice else otherwise


def tried(given: Sequence[Revision], models: Path) -> Outcome:
    """Feed the revisions and compare."""
    vocabulary = shipped()
    twice = frozenset((revision.product, cycle) for revision in given for cycle in revision.twice)
    told, outcome = Gold(given, gold(vocabulary), vocabulary, twice), Outcome()
    messages = [_message(revision, order) for order, revision in enumerate(given, start=1)]
    with whole(TOPIC, models) as (feeding, progress):
        _fed(told, messages, feeding, outcome, progress)
        records = feeding.records()
        feeding.indexer.stop()
    found = told.found(records, len(given))
    _as_of_each(told, found, outcome.final)
    _as_a_whole(told, found, outcome)
    return outcome


def _message(revision: Revision, order: int) -> Sent:
    change = {"id": revision.product, "order": order, "time": revision.at.isoformat(), "path": revision.path, "body": revision.text}
    return revision.product.encode(), orjson.dumps(change)


def _fed(told: Gold, messages: Sequence[Sent], feeding: Feeding, outcome: Outcome, progress: Progress) -> None:
    """Feed all, and compare the stored status on the way."""
    task, fed = progress.add_task("feeding", total=len(messages)), 0
    for some in _sections(messages[:-SLOW]):
        feeding.at_once(some, shown(progress, task, fed))
        fed += len(some)
        _stored(told, fed, feeding, outcome.live)
        speed, live = fed / feeding.busy_s, outcome.live
        progress.console.print(
            f"{fed} of {len(messages)} revisions, {speed:.1f} a second; stored status so far: {live.agree} of {live.checked} agree"
        )
    outcome.per_second = fed / feeding.busy_s if fed else 0.0
    outcome.times = feeding.slowly(messages[-SLOW:], shown(progress, task, fed))
    _stored(told, len(messages), feeding, outcome.live)


def _sections(messages: Sequence[Sent]) -> Iterator[Sequence[Sent]]:
    size = max(SLOW, -(-len(messages) // (LOOKS - 1)))
    for first in range(0, len(messages), size):
        yield messages[first : first + size]


def _stored(told: Gold, fed: int, feeding: Feeding, tally: Tally) -> None:
    """Compare the stored status of every fact of every product as it stands after the last revision fed."""
    found = told.found(feeding.records(), fed)
    facts = _by_product(told.wanted, found)
    for product, last in {revision.product: revision for revision in told.given[:fed]}.items():
        for fact in facts[product]:
            there, here = states(told.wanted.get(fact, ()), last.instant), stored_states(found.get(fact, ()))
            if there == here:
                tally.right(bool(there))
            else:
                detail = f"{fact.product} {fact.cycle} {fact.predicate} at {last.at}: gold {plain(there)}, index {plain(here)}"
                tally.differs(told.cause(fact, cause_of(there, here)), detail)


def _as_of_each(told: Gold, found: History, tally: Tally) -> None:
    """Compare every fact of a product as of every revision of it."""
    facts = _by_product(told.wanted, found)
    for product, some in groupby(sorted(told.given, key=lambda one: (one.product, one.at)), key=lambda one: one.product):
        own = list(some)
        for fact in facts[product]:
            both = at_each(told.wanted.get(fact, ()), found.get(fact, ()), [revision.instant for revision in own])
            for revision, (there, here) in zip(own, both, strict=True):
                if there == here:
                    tally.right(bool(there))
                else:
                    cause = told.cause(fact, cause_of(there, here))
                    tally.differs(
                        cause, f"{fact.product} {fact.cycle} {fact.predicate} as of {revision.at}: gold {plain(there)}, index {plain(here)}"
                    )


def _as_a_whole(told: Gold, found: History, outcome: Outcome) -> None:
    """Compare every row of the gold with what the index believes, and the other way round."""
    tally, last = outcome.intervals, told.given[-1].instant
    for fact in sorted({*told.wanted, *found}):
        rows, runs = up_to(told.wanted.get(fact, ()), last), stretches(found.get(fact, ()))
        wanted = stretches(rows)
        outcome.rows += len(rows)
        outcome.joined += touching(rows)
        for row in rows:
            own = next((one for one in wanted if one[0] == row.value and one[2] <= row.start < one[3]), None)
            if row.start >= row.end:
                tally.differs(NO_LENGTH, f"{fact.product} {fact.cycle} {fact.predicate}: {row.value.normal!r} at {row.start}")
            elif own in runs:
                tally.right()
            else:
                detail = f"{fact.product} {fact.cycle} {fact.predicate}: {row.value.normal!r} from {row.start} to {row.end}"
                tally.differs(told.cause(fact, "not what the index believes"), detail)
        for run in runs:
            if run not in wanted:
                detail = f"{fact.product} {fact.cycle} {fact.predicate}: {run[0].normal!r} {run[1]} from {run[2]} to {run[3]}"
                tally.differs(told.cause(fact, "in the index only"), detail)


def _by_product(*histories: History) -> Mapping[str, list[Fact]]:
    """Return the facts that some history knows, by product."""
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in sorted({fact for history in histories for fact in history}):
        found[fact.product].append(fact)
    return found


def report(given: Sequence[Revision], outcome: Outcome) -> dict[str, object]:
    """Print what was found and return the result."""
    for name, tally in (
        ("as of each revision", outcome.final),
        ("stored status, looked at on the way", outcome.live),
        (f"rows of the gold ({outcome.rows}, {outcome.joined} of them touch one of the same value)", outcome.intervals),
    ):
        print("\n".join(tally.lines(name)))
    times = sorted(outcome.times)
    return {
        "revisions": len(given),
        "checked": outcome.final.checked,
        "agree": outcome.final.agree,
        "stored_checked": outcome.live.checked,
        "stored_agree": outcome.live.agree,
        "intervals": outcome.rows,
        "intervals_agree": outcome.intervals.agree,
        "intervals_joined": outcome.joined,
        "changes_per_s": round(outcome.per_second, 1),
        "p50_ms": round(statistics.median(times)),
        "p99_ms": round(times[min(len(times) - 1, round(0.99 * len(times)))]),
    }


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--revisions", type=int, help="only the first so many; all, if it is not given")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the embedding model is kept")
    arguments = parser.parse_args()
    if not STREAMS.is_dir():
        print(f"skipped: the shared change histories are not at {STREAMS}")
        return 0
    given = revisions(arguments.revisions)
    outcome = tried(given, arguments.models)
    print("RESULT", json.dumps(report(given, outcome), separators=(",", ":")))
    return 0 if outcome.right else 1


if __name__ == "__main__":
    sys.exit(main())
