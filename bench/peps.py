"""Real input: every change of the headers of a long series of numbered proposals, through a real broker and the whole flow into Milvus Lite.

    python bench/peps.py [--changes 1000] [--seed 5]

A page is one document however often it is renamed or renumbered, and a page that is created anew after a deletion is another one, as the git feed has
it. Compared are:

- `checked`, `agree`: as of each change, the Active status of its page with what the header says, word for word, and nothing else Active; of a page
  that is deleted, nothing. Changes that a later one of the same page overtakes within its own instant are left out and counted (`overtaken`).
- `contradictory`, `contested`: headers that contradict themselves (two statuses, or a successor beside a status that the vocabulary excludes) are
  counted apart; each of their statuses must be Contested.
- `intervals`, `intervals_agree`: of every page all statuses with their validity and belief, as a whole.
- `gold`, `gold_agree`: the rows of the gold timeline, by the number of the proposal. What it hides behind a renumbering is listed.
- `links`, `links_agree`: in the end each "superseded by" of a live page, and each "replaces", is one Active succession between the two pages.
- `shuffled_equal`: the same changes in a random order, across and within pages, make the same records.

Needs the shared data beside this checkout; everything takes about 10 minutes, twice the feeding.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes beside every log, and looks at this when it is imported

from bench.support.agreement import Held, Tally, plain, states, stretches
from bench.support.endoflife import STREAMS
from bench.support.feeding import MODELS, Sent, shown, whole
from bench.support.peps import DELETED, STATUS, SUCCESSOR, Bearers, Edit, edits, forerunners, gold, is_contradictory, statuses, successors, told
from derive.keys import document_entity
from derive.values import value_for
from schemas.change import EVERYONE, audience_of
from schemas.ids import DocumentId, DocumentKey, EntityId, Source, document_key
from schemas.instant import EPOCH, FOREVER
from schemas.record import Kind, Record, Status
from schemas.vocabulary import Vocabulary, shipped

GIT, TOPIC = Source("git"), "git.changes"
SECTION = 500
"""Changes that are sent before they are waited for."""
RENUMBERED = "hidden behind a renumbering"


@dataclass(slots=True)
class Outcome:
    """What came of a run. Owned by the bench."""

    changes: Tally = field(default_factory=Tally)
    contested: Tally = field(default_factory=Tally)
    intervals: Tally = field(default_factory=Tally)
    gold: Tally = field(default_factory=Tally)
    links: Tally = field(default_factory=Tally)
    overtaken: int = 0
    differing: list[str] = field(default_factory=list)
    """Records that differ after shuffling."""
    per_second: float = 0.0

    @property
    def tallies(self) -> dict[str, Tally]:
        """The comparisons by what is compared."""
        return {
            f"status as of each change ({self.overtaken} more overtaken within their instant)": self.changes,
            "headers that contradict themselves": self.contested,
            "statuses of each page as a whole": self.intervals,
            "rows of the gold": self.gold,
            "successions": self.links,
        }

    @property
    def right(self) -> bool:
        """Whether everything agrees that should."""
        return not self.differing and all(tally.wrong.keys() <= {RENUMBERED} for tally in self.tallies.values())


def fed(messages: Sequence[Sent], models: Path, what: str) -> tuple[list[Record], float]:
    """Feed messages to a new Millstream; return what its index holds in the end, and changes a second."""
    with whole(TOPIC, models) as (feeding, progress):
        task = progress.add_task(what, total=len(messages))
        for first in range(0, len(messages), SECTION):
            some = messages[first : first + SECTION]
            feeding.at_once(some, shown(progress, task, first))
            speed = (first + len(some)) / feeding.busy_s
            progress.console.print(f"{what}: {first + len(some)} of {len(messages)} changes, {speed:.1f} a second")
        records = feeding.records()
        feeding.indexer.stop()
        return records, len(messages) / feeding.busy_s


def compared(some: Sequence[Edit], records: Sequence[Record], vocabulary: Vocabulary) -> Outcome:
    """Compare what the headers and the gold say with the index."""
    outcome = Outcome()
    found = _indexed(records, {document_key(GIT, edit.document): edit.document for edit in some}, vocabulary)
    wanted = told(some, vocabulary)
    _as_of_each(some, found, vocabulary, outcome)
    for document in sorted(wanted):
        _as_a_whole(document, wanted[document], found.get(document, []), outcome.intervals)
    _gold(some, found, vocabulary, outcome.gold)
    _links(some, records, outcome.links)
    return outcome


def _indexed(records: Sequence[Record], documents: Mapping[DocumentKey, str], vocabulary: Vocabulary) -> dict[str, list[Held]]:
    """Return the statuses that the index has of each page."""
    found: dict[str, list[Held]] = {}
    predicate = vocabulary.predicate(STATUS)
    for record in records:
        if record.kind is Kind.NUGGET and record.predicate == STATUS and not record.scope:
            for document in {documents[key] for key in record.documents if key in documents}:
                held = Held(value_for(predicate, record.object), record.valid_from, record.valid_to, record.belief, record.status)
                found.setdefault(document, []).append(held)
    return found


def _as_of_each(some: Sequence[Edit], found: Mapping[str, Sequence[Held]], vocabulary: Vocabulary, outcome: Outcome) -> None:
    last = {(edit.document, edit.since): edit.order for edit in some}
    for edit in some:
        here = states(found.get(edit.document, ()), edit.since)
        active = {value for value, status in here.items() if status in (Status.ACTIVE, Status.CONTESTED)}
        contested = {value for value, status in here.items() if status is Status.CONTESTED}
        said = set(statuses(edit, vocabulary))
        detail = f"{edit.path} at {edit.commit[:10]}: header {edit.values(STATUS)}, index {plain(here)}"
        if is_contradictory(edit, vocabulary):
            outcome.contested.judge("not contested", detail, right=said == contested == active)
        elif last[edit.document, edit.since] != edit.order:
            outcome.overtaken += 1
        else:
            outcome.changes.judge("another status", detail, right=said == active and not contested)


def _as_a_whole(document: str, wanted: Sequence[Held], found: Sequence[Held], tally: Tally) -> None:
    there, here = stretches(wanted), stretches(found)
    for one in there:
        tally.judge("not what the index holds", f"{document}: {one[0].normal!r} {one[1]} from {one[2]} to {one[3]}", right=one in here)
    for one in here:
        if one not in there:
            tally.differs("in the index only", f"{document}: {one[0].normal!r} {one[1]} from {one[2]} to {one[3]}")


def _gold(some: Sequence[Edit], found: Mapping[str, Sequence[Held]], vocabulary: Vocabulary, tally: Tally) -> None:
    """Compare each row of the gold with the page that bears the number after its commit."""
    bearers = Bearers.of(some).after
    commits = {edit.commit for edit in some}
    predicate = vocabulary.predicate(STATUS)
    for row in gold():
        if row.commit not in commits:
            continue
        bearer = bearers.get((row.number, row.commit))
        here = states(found.get(bearer.document, ()), bearer.since) if bearer else {}
        active = {value for value, status in here.items() if status in (Status.ACTIVE, Status.CONTESTED)}
        said = {value_for(predicate, row.status)} if row.status and row.status != DELETED else set()
        hidden = (row.number, row.commit) not in bearers or (row.status == DELETED) != (bearer is None)
        detail = f"{row.number} at {row.commit[:10]}: gold {row.status!r}, index {plain(here)}"
        if bearer is not None and is_contradictory(bearer, vocabulary):
            tally.judge("another status", detail, right=said <= active)
        else:
            tally.judge(RENUMBERED if hidden else "another status", detail, right=said == active and not hidden)


def _links(some: Sequence[Edit], records: Sequence[Record], tally: Tally) -> None:
    """Compare the successions that the newest headers tell of, from either side."""
    newest = {edit.document: edit for edit in some}
    pages = {edit.number: edit.document for edit in newest.values() if edit.header is not None and edit.number is not None}
    wanted: dict[tuple[int, int], set[DocumentKey]] = {}
    for number, document in pages.items():
        for other in successors(newest[document]):
            wanted.setdefault((number, other), set()).add(document_key(GIT, document))
        for other in forerunners(newest[document]):
            wanted.setdefault((other, number), set()).add(document_key(GIT, document))
    held = {
        (record.entities[0], record.entities[1]): record
        for record in records
        if record.kind is Kind.NUGGET and record.predicate == SUCCESSOR and record.valid_to == FOREVER and len(record.entities) > 1
    }
    for (earlier, later), sayers in sorted(wanted.items()):
        if earlier in pages and later in pages:
            nugget = held.get((_entity(pages[earlier]), _entity(pages[later])))
            told_by = set(nugget.documents) if nugget else set()
            detail = (
                f"{earlier} superseded by {later}: told by {len(sayers)}, in the index by {len(told_by)}, {nugget.status if nugget else 'no record'}"
            )
            tally.judge("no succession, or not from both sides", detail, right=told_by == sayers)


def _entity(document: str) -> EntityId:
    return document_entity(audience_of([EVERYONE]), GIT, DocumentId(document))


def _undated(records: Sequence[Record]) -> dict[str, Record]:
    """Return records without the index's own diary, by id."""
    return {record.id: replace(record, version=0, sequence=0, recorded_at=EPOCH) for record in records}


def tried(some: Sequence[Edit], models: Path, seed: int) -> Outcome:
    """Feed the changes in order, compare, and feed them again in another order."""
    messages = [edit.message() for edit in some]
    records, per_second = fed(messages, models, "feeding")
    outcome = compared(some, records, shipped())
    outcome.per_second = per_second
    for name, tally in outcome.tallies.items():
        print("\n".join(tally.lines(name)), flush=True)
    random.Random(seed).shuffle(messages)
    one, other = _undated(records), _undated(fed(messages, models, "feeding in another order")[0])
    outcome.differing = sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
    for name in outcome.differing[:3]:
        print(f"after shuffling differs: {one.get(name)}\n  {other.get(name)}")
    return outcome


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, help="only the first so many; all, if it is not given")
    parser.add_argument("--seed", type=int, default=5, help="of the other order")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the embedding model is kept")
    arguments = parser.parse_args()
    if not STREAMS.is_dir():
        print(f"skipped: the shared change histories are not at {STREAMS}")
        return 0
    some = edits()[: arguments.changes]
    outcome = tried(some, arguments.models, arguments.seed)
    result = {
        "changes": len(some),
        "checked": outcome.changes.checked,
        "agree": outcome.changes.agree,
        "overtaken": outcome.overtaken,
        "contradictory": outcome.contested.checked,
        "contested": outcome.contested.agree,
        "intervals": outcome.intervals.checked,
        "intervals_agree": outcome.intervals.agree,
        "gold": outcome.gold.checked,
        "gold_agree": outcome.gold.agree,
        "links": outcome.links.checked,
        "links_agree": outcome.links.agree,
        "shuffled_equal": not outcome.differing,
        "changes_per_s": round(outcome.per_second, 1),
    }
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 0 if outcome.right else 1


if __name__ == "__main__":
    sys.exit(main())
