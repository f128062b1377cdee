"""The endoflife history and its gold: what each product page stated of each release cycle, from when to when."""

import csv
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import yaml

from bench.support.agreement import Held
from derive.bind import scope_part
from derive.keys import document_entity
from derive.values import value_for
from schemas.change import EVERYONE, audience_of
from schemas.ids import DocumentId, EntityId, Source
from schemas.instant import FOREVER, Instant
from schemas.record import Kind, Record
from schemas.vocabulary import Vocabulary

STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"
FIELDS = ("latest", "eol", "releaseDate", "release", "support", "eoas", "lts", "discontinued")
LIST = "releases"
_FRONT = re.compile(r"---\n(.*?\n)---", re.DOTALL)
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of a product page; `twice` are the cycles that it lists more than once."""

    product: str
    path: str
    at: datetime
    text: str
    twice: frozenset[str] = frozenset()

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


History: TypeAlias = Mapping[Fact, Sequence[Held]]


def revisions(limit: int | None = None) -> list[Revision]:
    """Return the first revisions of the mixed stream, or all, oldest first, without those that the gold leaves out."""
    with lzma.open(STREAMS / "endoflife-products.jsonl.xz", "rt", encoding="utf8", newline="") as lines:
        rows = [(datetime.fromisoformat(row["commit_date"]), row) for row in map(json.loads, lines)]
    rows.sort(key=lambda pair: pair[0])  # stable: revisions of one second stay in the order of their page
    sound = ((at, row, listed) for at, row in rows if (listed := _listed(row["text"])) is not None)
    found = (Revision(row["doc_id"], row["path"], at, row["text"], _twice(listed)) for at, row, listed in sound)
    return list(islice(found, limit))


def _listed(text: str) -> list[object] | None:
    """Return the releases of a page; None without front matter (with LF, which the first page of macos has not) that is sound and lists them."""
    front = _FRONT.match(text)
    if front is None:
        return None
    try:
        found = yaml.load(front[1], _Loader).get(LIST)
    except yaml.YAMLError:
        return None
    return found if isinstance(found, list) else None


def _twice(listed: Iterable[object]) -> frozenset[str]:
    names = Counter(scope_part(str(one.get("releaseCycle", one.get("cycle")))) for one in listed if isinstance(one, dict))
    return frozenset(name for name, count in names.items() if count > 1)


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


def _instant(at: datetime) -> Instant:
    return Instant(round(at.timestamp() * 1000))
