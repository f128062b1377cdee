"""Order: governance comes out the same, and right, in whatever order things arrive.

    python bench/order.py [--streams 220]

1. Every case of three assertions of one functional key, over its value, what is known of its start and which of up to three documents say it, goes
   through the real store in all six orders of arrival, as one batch and one by one, and is checked against a table written by hand
   (`order_table.py`). A case is order-dependent if it has more than one outcome, and wrong if one of its outcomes is not the table's.
2. Random streams go through the wired flow; what its index holds in the end is compared, record by record, with the oracle, which computes all
   records from all versions at once and knows nothing of the store.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed

from bench.order_cases import Arrival, arrivals, outcomes
from bench.order_streams import stream, tried
from bench.order_table import TABLE, Case, Outcome, cases, row_of, wanted
from schemas.record import Kind
from schemas.vocabulary import shipped


@dataclass(slots=True)
class Tally:
    """What became of the cases of one row of the table. Owned by `judged`."""

    cases: int = 0
    order_dependent: int = 0
    wrong: int = 0


def judged(found: Mapping[Arrival, Outcome]) -> dict[int, Tally]:
    """Return the tally of each row of the table, by its number; print the first outcome of each wrong case."""
    by_case: dict[Case, list[Outcome]] = {}
    for arrival, outcome in found.items():
        by_case.setdefault(arrival.case, []).append(outcome)
    tallies = {number: Tally() for number in range(len(TABLE))}
    for case, outcomes_of_case in by_case.items():
        tally, right = tallies[TABLE.index(row_of(case))], wanted(case)
        wrong = [outcome for outcome in outcomes_of_case if outcome != right]
        tally.cases += 1
        tally.order_dependent += any(outcome != outcomes_of_case[0] for outcome in outcomes_of_case)
        tally.wrong += bool(wrong)
        if wrong:
            print(f"WRONG {case}: {wrong[0]}, should be {right}")
    return tallies


def through_the_store(every: Sequence[Case]) -> dict[int, Tally]:
    """Run the cases and print the table with what was found."""
    start = time.monotonic()
    arriving = list(arrivals(every))
    with TemporaryDirectory(prefix="millstream-order-") as folder:
        tallies = judged(outcomes(arriving, Path(folder)))
    print(f"{len(every)} cases, {len(arriving)} arrivals of 3 changes each, {time.monotonic() - start:.0f} s\n")
    print("values in the order of their starts; x explicit, i implicit, . either\n")
    print(f"{'values':7}{'starts':7}{'sources':9}{'cases':>6}{'order-dependent':>17}{'wrong':>7}  outcome (points of time: the starts)")
    for number, row in enumerate(TABLE):
        tally = tallies[number]
        print(f"{row.values:7}{row.starts:7}{row.sources:9}{tally.cases:6}{tally.order_dependent:17}{tally.wrong:7}  {_spoken(row.outcome)}")
        if not tally.cases:
            print(f"WRONG no case is what the row above says: {row.why}")
    return tallies


def _spoken(outcome: Outcome) -> str:
    return "; ".join(f"{value} {', '.join(runs)}" for value, runs in outcome.items())


@dataclass(slots=True)
class Streams:
    """What became of the streams. Owned by `through_the_flow`."""

    changes: int = 0
    differing: int = 0
    records: Counter[str] = field(default_factory=Counter)


def through_the_flow(count: int) -> Streams:
    """Run so many streams; print what their records were and where they differed."""
    start, vocabulary, total = time.monotonic(), shipped(), Streams()
    for seed in range(count):
        given = stream(seed)
        trial = tried(given, vocabulary)
        differing = trial.differing
        total.changes += len(given.messages)
        total.differing += bool(differing)
        total.records.update(f"{one.kind} {one.belief}" if one.kind is Kind.NUGGET else str(one.kind) for one in trial.wanted.values())
        if differing:
            print(f"WRONG stream {seed}: {len(differing)} records differ, the first:\n  index  {differing[0][0]}\n  oracle {differing[0][1]}")
    print(
        f"\n{count} streams of {total.changes} changes, {time.monotonic() - start:.0f} s; in {total.differing} of them the index is not the oracle's"
    )
    for name, number in sorted(total.records.items()):
        print(f"{name:20}{number:7}")
    return total


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=220, help="how many random streams (default 220)")
    arguments = parser.parse_args()
    every = list(cases())
    tallies = through_the_store(every)
    streams = through_the_flow(arguments.streams)
    unused = sum(tally.cases == 0 for tally in tallies.values())
    result = {
        "cases": len(every),
        "order_dependent": sum(tally.order_dependent for tally in tallies.values()),
        "wrong": sum(tally.wrong for tally in tallies.values()) + unused,
        "streams": arguments.streams,
        "differences": streams.differing,
    }
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 1 if result["order_dependent"] or result["wrong"] or result["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
