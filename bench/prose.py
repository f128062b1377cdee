"""Prose: what the shipped rules find in sentences, beside what a careful reader finds (bench/labels/prose).

    python bench/prose.py [--show] [--held] [--weak]

Each sentence is the body of a document of its own, with its title and date, and is read as the flow reads it: parsed, extracted, bound to the
document. A fact counts if subject, predicate and object are those of a label; what is found and not labelled is false. Validity is counted among
what matched: both ends must be right. A polarity error is the contrary of what is said, or a belief drawn from what is only planned, supposed,
reported, asked or denied. Facts below the quality gate do not count, unless --weak is given.

--show lists what was missed and what was false, in the half for tuning only: who writes rules does not read the other half. --held adds it all the
same. In RESULT, the figures without `held_` are those of the half for tuning.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes beside every log, and looks at this when it is imported

from rich.console import Console
from rich.table import Table

from bench.support.judging import Found, Judgement, Score, judged
from bench.support.labels import HELD, TUNE, Expected, Sentence, labels
from connectors.memo import MemoryMemo
from connectors.reader import Reader
from derive.bind import state_of
from derive.dates.time import bind, iso_moment
from flows.wiring import rules
from schemas.change import Position, Put, Stamp, Text
from schemas.ids import DocumentId, Source, Tenant
from schemas.instant import Instant, iso
from schemas.statement import What
from schemas.version import Reading, Version
from schemas.vocabulary import Vocabulary, shipped


def found(sentences: Sequence[Sentence], vocabulary: Vocabulary, *, weak: bool = False) -> Iterator[tuple[Sentence, list[Found]]]:
    """Yield each sentence with what the shipped extractor finds in it."""
    reader = Reader(rules(vocabulary), MemoryMemo(), vocabulary)
    changes = [_document(sentence) for sentence in sentences]
    for sentence, change, version in zip(sentences, changes, reader.read(changes), strict=True):
        if not isinstance(version, Version) or version.reading is None:
            sys.exit(f"{sentence.id} could not be read: {version}")
        yield sentence, list(_bound(version.reading, sentence, change.stamp.event_time, vocabulary, weak=weak))


def _document(sentence: Sentence) -> Put:
    at = iso_moment(sentence.date).first
    stamp = Stamp(Tenant("bench"), Source("prose"), DocumentId(sentence.id), (1,), at, at, Position("", 0, 0))
    return Put(stamp, Text(sentence.text), title=sentence.title or None)


def _bound(reading: Reading, sentence: Sentence, at: Instant, vocabulary: Vocabulary, *, weak: bool) -> Iterator[Found]:
    for claim, wording in state_of(reading, vocabulary).values():
        if claim.what is What.FACT and (weak or not claim.weak):
            start, end = bind(wording.dates.start, at), bind(wording.dates.end, at)
            yield Found(wording.subject or sentence.title, claim.predicate, wording.object, claim.scope, claim.negated, start, end)


def report(judgements: Sequence[Judgement], console: Console) -> dict[str, object]:
    """Print the tables and return the result."""
    for half in (TUNE, HELD):
        console.print(_table(half, [one for one in judgements if one.sentence.half == half]))
    scores = {half: total(one for one in judgements if one.sentence.half == half) for half in (TUNE, HELD)}
    result: dict[str, object] = {}
    for prefix, score in (("", scores[TUNE]), ("held_", scores[HELD])):
        result |= {
            f"{prefix}precision": round(score.precision, 4),
            f"{prefix}recall": round(score.recall, 4),
            f"{prefix}polarity_errors": score.polarity_errors,
            f"{prefix}validity_precision": round(score.validity, 4),
            f"{prefix}scope_precision": round(score.scope, 4),
            f"{prefix}sentences": score.sentences,
            f"{prefix}expected": score.expected,
            f"{prefix}found": score.found,
        }
    return result


def total(judgements: Iterable[Judgement]) -> Score:
    """Return the counts of all."""
    score = Score()
    for judgement in judgements:
        score.add(judgement.score)
    return score


def _table(half: str, judgements: Sequence[Judgement]) -> Table:
    table = Table(title=f"half: {half}", title_justify="left")
    table.add_column("")
    for name in ("sentences", "expected", "found", "precision", "recall", "polarity errors", "validity", "scope"):
        table.add_column(name, justify="right")
    for rows in (_groups(judgements, kind) for kind in (_domains, _languages, _tags)):
        for name, members in rows.items():
            table.add_row(name, *_cells(total(members)))
        table.add_section()
    table.add_row("all", *_cells(total(judgements)))
    return table


def _domains(sentence: Sentence) -> Sequence[str]:
    return [f"{sentence.domain} {sentence.language}"]


def _languages(sentence: Sentence) -> Sequence[str]:
    return [sentence.language]


def _tags(sentence: Sentence) -> Sequence[str]:
    return sentence.tags


def _groups(judgements: Sequence[Judgement], kind: Callable[[Sentence], Sequence[str]]) -> Mapping[str, list[Judgement]]:
    rows: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        for name in kind(judgement.sentence):
            rows[name].append(judgement)
    return dict(sorted(rows.items()))


def _cells(score: Score) -> list[str]:
    shares = (
        f"{100 * score.precision:.1f} %" if score.found else "-",
        f"{100 * score.recall:.1f} %" if score.expected else "-",
        str(score.polarity_errors),
        f"{score.dates_right}/{score.dates_said}" if score.dates_said else "-",
        f"{score.scopes_right}/{score.scopes_said}" if score.scopes_said else "-",
    )
    return [str(score.sentences), str(score.expected), str(score.found), *shares]


def show(judgement: Judgement) -> None:
    """Print what is wrong with one sentence, nothing if all is right."""
    false = [one for one in judgement.false if one not in judgement.polarity]
    lines = [
        *(f"missed    {_label(fact)}" for fact in judgement.missed),
        *(f"false     {one}" for one in false),
        *(f"polarity  {one}" for one in judgement.polarity),
        *(f"dates     {one}: {_dates(one)}, expected {_dates_of(fact)}" for fact, one in judgement.misdated),
        *(f"scope     {one}, expected {', '.join(fact.scope)}" for fact, one in judgement.unscoped),
    ]
    if lines:
        title = f" [{judgement.sentence.title}]" if judgement.sentence.title else ""
        print(f"{judgement.sentence.id}{title} {judgement.sentence.text}", *lines, sep="\n    ")


def _label(fact: Expected) -> str:
    mark = "not " if fact.negated else "no longer " if fact.ended else ""
    return f"{mark}{fact.subject[0]} | {fact.predicate[0]} | {fact.object[0]}"


def _dates(one: Found) -> str:
    """Return the first instants of a start and of an end, "-" for none."""
    return " to ".join(iso(period.first) if period else "-" for period in (one.start, one.end))


def _dates_of(fact: Expected) -> str:
    return " to ".join(" or ".join(date or "-" for date in dates) for dates in (fact.start, fact.end))


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="list what was missed and what was false in the half for tuning")
    parser.add_argument("--held", action="store_true", help="with --show: the held half too")
    parser.add_argument("--weak", action="store_true", help="count facts below the quality gate too")
    arguments = parser.parse_args()
    vocabulary = shipped()
    judgements = [judged(sentence, facts, vocabulary) for sentence, facts in found(labels(), vocabulary, weak=arguments.weak)]
    result = report(judgements, Console(width=120))
    if arguments.show:
        for judgement in judgements:
            if arguments.held or judgement.sentence.half == TUNE:
                show(judgement)
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
