"""Governance beside the reference library: what Millstream and nuggetindex 0.3.1 make of the same statements, in every order of arrival.

    python bench/reference.py

Each case is a handful of documents about who is CEO of an invented company, a relation that has one value at a time for both. Both read the same
sentences with their own rules for dates; nuggetindex is handed subject, predicate and object, since its extractor without a language model does not
read them. Then both are asked for the status of each value at one time. `orders` is the number of different outcomes over all orders in which the
documents, then their later versions and deletions, can arrive: 1 is independent of order.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed

from nuggetindex import EpistemicState, FactTriple, Nugget, NuggetKind, NuggetStore, ProvenanceRecord, RelationSchema, ValidityInterval
from nuggetindex.extractors.base import BaseExtractor, ExtractionResult
from nuggetindex.pipeline.constructor import Document
from rich.console import Console
from rich.table import Table

from connectors.extractor import PatternExtractor
from connectors.memo import MemoryMemo
from connectors.reader import Reader
from derive.dates.time import parse_instant
from schemas.change import Delete, DocumentChange, Position, Put, Stamp, Text
from schemas.ids import DocumentId, Source, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Kind, Record, Status, status_at
from schemas.rules import SourceRules
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore

TENANT, WIKI = Tenant("works"), Source("wiki")
RULES = {WIKI: SourceRules(WIKI, readers=frozenset({"*"}))}
VOCABULARY = shipped()
COMPANY, PEOPLE = "Tarn Works", ("Ines Vale", "Milo Reyes")
INES, MILO = (f"The CEO of {COMPANY} is {person}." for person in PEOPLE)
ASKED = "2025-06-01"
"""When both are asked, unless a case says otherwise."""


@dataclass(frozen=True, slots=True)
class Event:
    """A version of a document, or with no text its deletion."""

    document: str
    order: int
    day: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Events, and what is true of each person at the asked time."""

    name: str
    events: tuple[Event, ...]
    wanted: str
    asked: str = ASKED


CASES = (
    Case("two documents say the same", (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2024-02-01", INES)), "Ines Active"),
    Case("a later start succeeds", (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2025-01-01", f"Since 2025-03-01 {MILO}")), "Milo Active"),
    Case(
        "before the start that succeeds",
        (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2025-01-01", f"Since 2025-03-01 {MILO}")),
        "Ines Active",
        "2025-02-01",
    ),
    Case("one day, two values", (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2024-01-01", MILO)), "Ines Contested, Milo Contested"),
    Case(
        "two sources against one",
        (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2024-01-01", f"{PEOPLE[0]} is the CEO of {COMPANY}."), Event("c", 1, "2024-01-01", MILO)),
        "Ines Active",
    ),
    Case("a page is corrected", (Event("a", 1, "2024-01-01", INES), Event("a", 2, "2024-05-01", MILO)), "Milo Active"),
    Case(
        "the rival's page is deleted",
        (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2024-01-01", MILO), Event("b", 2, "2024-05-01")),
        "Ines Active",
    ),
    Case(
        "the successor's page is deleted",
        (Event("a", 1, "2024-01-01", INES), Event("b", 1, "2025-01-01", f"Since 2025-03-01 {MILO}"), Event("b", 2, "2025-04-01")),
        "Ines Active",
    ),
    Case(
        "a page says nothing of it any more", (Event("a", 1, "2024-01-01", INES), Event("a", 2, "2024-05-01", "The works lie at the quay.")), "nobody"
    ),
    Case("an end that is said", (Event("a", 1, "2024-01-01", f"Until 2025-01-31 {INES}"),), "nobody"),
)


def arrivals(case: Case) -> Iterator[tuple[Event, ...]]:
    """Yield all orders of arrival; a system without an order of its own per document gets each document's events in theirs."""
    for order in permutations(case.events):
        kept = {document: [event.order for event in order if event.document == document] for document in {event.document for event in order}}
        if all(orders == sorted(orders) for orders in kept.values()):
            yield order


def millstream(events: Sequence[Event], asked: str, folder: Path) -> str:
    """Return what Millstream says of each person."""
    store = SqliteStore.open(folder / "store.db", TENANT, RULES, VOCABULARY)
    reader = Reader(PatternExtractor(VOCABULARY), MemoryMemo(), VOCABULARY)
    at = _instant(asked)
    for offset, event in enumerate(events):
        store.apply(reader.read([_change(event, offset)]), at)
    newest = {row.id: row for chunk in store.after(0) for row in chunk if isinstance(row, Record) and row.known_to == FOREVER}
    store.close()
    held = [record for record in newest.values() if record.kind is Kind.NUGGET and not record.deleted and record.predicate == "ceo"]
    found = [(record.object, status_at(record.belief, record.valid_from, record.valid_to, at).value) for record in held]
    return _said((person, status) for person, status in found if status in {Status.ACTIVE.value, Status.CONTESTED.value})


def _change(event: Event, offset: int) -> DocumentChange:
    at = _instant(event.day)
    stamp = Stamp(TENANT, WIKI, DocumentId(event.document), (event.order,), at, at, Position("wiki", 0, offset, previous=offset - 1))
    return Put(stamp, Text(event.text), event.document) if event.text else Delete(stamp)


def _instant(day: str) -> Instant:
    return parse_instant(day)[0]


class Handed(BaseExtractor):
    """Hands nuggetindex the subject, predicate and object of a sentence; dates are left to its own rules."""

    emits_placeholder_validity = True

    async def aextract(self, text: str, *, context: str = "", source_id: str | None = None) -> list[ExtractionResult]:
        """See nuggetindex."""
        return [ExtractionResult(nugget=_nugget(person, text, source_id or "data"), confidence=1.0) for person in PEOPLE if person in text]


def _nugget(person: str, text: str, source: str) -> Nugget:
    sentence = next(sentence for sentence in text.split(". ") if person in sentence)
    return Nugget.new(
        kind=NuggetKind.SEMANTIC_FACT,
        fact=FactTriple(subject=COMPANY, predicate="ceo", object=person, text=sentence),
        validity=ValidityInterval.unknown(),
        epistemic=EpistemicState(),
        provenance=(ProvenanceRecord(source_id=source, evidence_span=sentence),),
    )


async def nuggetindex(events: Sequence[Event], asked: str, folder: Path) -> str:
    """Return what nuggetindex says of each person. It has no versions: an edit is ingested under the document's id, a deletion deletes that."""
    store = NuggetStore(folder / "nuggets.db", schema=RelationSchema.default(), extractor=Handed())
    for event in events:
        if event.text:
            await store.aingest(Document(source_id=event.document, text=event.text, source_date=_datetime(event.day)))
        else:
            await store.backend.adelete_by_source_ids([event.document])
    names = await store.backend.afilter(query_time=_datetime(asked), view="active_contested")
    nuggets = [nugget for name in names if (nugget := await store.aget(name)) is not None]
    await store.backend.aclose()
    return _said((nugget.fact.object, nugget.epistemic.status.value.capitalize()) for nugget in nuggets)


def _datetime(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def _said(found: Iterator[tuple[str, str]]) -> str:
    return ", ".join(f"{person.split()[0]} {status}" for person, status in sorted(set(found))) or "nobody"


def main() -> int:
    """Print the table and the result."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    warnings.simplefilter("ignore", UserWarning)  # the reference warns of each sentence whose entities it doubts
    table = Table("case", "true then", "Millstream", "orders", "nuggetindex", "orders")
    right = {"millstream": 0, "nuggetindex": 0}
    dependent = {"millstream": 0, "nuggetindex": 0}
    for case in CASES:
        outcomes: dict[str, list[str]] = {"millstream": [], "nuggetindex": []}
        for order in arrivals(case):
            with tempfile.TemporaryDirectory() as folder:
                outcomes["millstream"].append(millstream(order, case.asked, Path(folder)))
                outcomes["nuggetindex"].append(asyncio.run(nuggetindex(order, case.asked, Path(folder))))
        for name, found in outcomes.items():
            right[name] += set(found) == {case.wanted}
            dependent[name] += len(set(found)) > 1
        cells = [cell for found in outcomes.values() for cell in (" | ".join(sorted(set(found))), str(len(set(found))))]
        table.add_row(case.name, case.wanted, *cells)
    Console().print(table)
    result = {"cases": len(CASES), "right": right, "order_dependent": dependent}
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 0 if right["millstream"] == len(CASES) else 1


if __name__ == "__main__":
    sys.exit(main())
