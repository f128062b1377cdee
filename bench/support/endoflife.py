"""The endoflife history and its gold: what each product page stated of each release cycle, from when to when."""

import csv
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

import yaml

from derive.bind import scope_part
from derive.keys import document_entity
from derive.values import value_for
from schemas.change import EVERYONE, audience_of
from schemas.ids import DocumentId, EntityId, Source
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Status, status_at
from schemas.value import Value
from schemas.vocabulary import Vocabulary

STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"
FIELDS = ("latest", "eol", "releaseDate", "release", "support", "eoas", "lts", "discontinued")
LIST = "releases"
_FRONT = re.compile(r"---\n(.*?\n)---", re.DOTALL)
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STRENGTH = {Status.CONTESTED: 3, Status.ACTIVE: 2, Status.DEPRECATED: 1}
"""What counts for a value that several runs hold: a run that is over hides nothing, one that is contested hides nothing either."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of a product page."""

    product: str
    path: str
    at: datetime
    text: str

    @property
    def instant(self) -> Instant:
        """When it was committed."""
        return _instant(self.at)


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """What has at most one value at a time. Cycle and field are in the forms that the index compares."""

    product: str
    cycle: str
    predicate: str


@dataclass(frozen=True, slots=True)
class Held:
    """One value of a fact from start to end; `stored` is the status that the index keeps with it."""

    value: Value
    start: Instant
    end: Instant
    belief: Belief = Belief.BELIEVED
    stored: Status = Status.NONE


History: TypeAlias = Mapping[Fact, Sequence[Held]]
States: TypeAlias = Mapping[Value, Status]
"""The status of every value that a fact had up to now."""


def revisions(limit: int) -> list[Revision]:
    """Return the first revisions of the mixed stream, oldest first, without those that the gold leaves out."""
    with lzma.open(STREAMS / "endoflife-products.jsonl.xz", "rt", encoding="utf8", newline="") as lines:
        rows = [json.loads(line) for line in lines]
    found = [Revision(row["doc_id"], row["path"], datetime.fromisoformat(row["commit_date"]), row["text"]) for row in rows]
    found.sort(key=lambda revision: revision.at)  # stable: revisions of one second stay in the order of their page
    kept: list[Revision] = []
    for revision in found:
        if len(kept) == limit:
            break
        if _is_in_gold(revision.text):
            kept.append(revision)
    return kept


def _is_in_gold(text: str) -> bool:
    """Whether a page has front matter (with LF, which the first page of macos has not) that is sound and lists its releases."""
    front = _FRONT.match(text)
    if front is None:
        return False
    try:
        return isinstance(yaml.load(front[1], _Loader).get(LIST), list)
    except yaml.YAMLError:
        return False


def gold(vocabulary: Vocabulary) -> dict[Fact, list[Held]]:
    """Return what the gold says, by fact; rows of no length are kept, and count for nothing."""
    found: dict[Fact, list[Held]] = defaultdict(list)
    with lzma.open(STREAMS / "endoflife-fact-intervals.csv.xz", "rt", encoding="utf8", newline="") as lines:
        for row in csv.DictReader(lines):
            predicate = vocabulary.canonical(row["field"])
            start = _instant(datetime.fromisoformat(row["observed_from"]))
            end = _instant(datetime.fromisoformat(row["observed_to"])) if row["observed_to"] else FOREVER
            value = value_for(vocabulary.predicate(predicate), row["value"])
            found[Fact(row["product"], scope_part(row["release_cycle"]), predicate)].append(Held(value, start, end))
    return found


def indexed(records: Iterable[Record], source: Source, products: Iterable[str], vocabulary: Vocabulary) -> dict[Fact, list[Held]]:
    """Return what the index says of the release cycles of these products, by fact."""
    owners = {entity_of(source, product): product for product in products}
    predicates = {vocabulary.canonical(field) for field in FIELDS}
    found: dict[Fact, list[Held]] = defaultdict(list)
    for record in records:
        product = next((owners[entity] for entity in record.entities if entity in owners), None)
        if record.kind is Kind.NUGGET and product and record.predicate in predicates and record.scope[:1] == (LIST,) and len(record.scope) == 2:
            value = value_for(vocabulary.predicate(record.predicate), record.object)
            held = Held(value, record.valid_from, record.valid_to, record.belief, record.status)
            found[Fact(product, scope_part(record.scope[1]), record.predicate)].append(held)
    return found


def entity_of(source: Source, product: str) -> EntityId:
    """Return the entity that a product's page is."""
    return document_entity(audience_of([EVERYONE]), source, DocumentId(product))


def states(held: Iterable[Held], at: Instant) -> States:
    """Return the status at an instant of every value held by then."""
    begun = (one for one in held if one.start <= at and one.start < one.end)
    return _strongest((one.value, status_at(one.belief, one.start, one.end, at)) for one in begun)


def stored_states(held: Iterable[Held]) -> States:
    """Return the status that the index keeps with every value."""
    return _strongest((one.value, one.stored) for one in held)


def _strongest(given: Iterable[tuple[Value, Status]]) -> States:
    found: dict[Value, Status] = {}
    for value, status in given:
        if status is not Status.NONE and _STRENGTH[status] > _STRENGTH.get(found.get(value, Status.NONE), 0):
            found[value] = status
    return found


def _instant(at: datetime) -> Instant:
    return Instant(round(at.timestamp() * 1000))
