"""Runs every case of `order_table` through the real store, in every order of arrival, as one batch and one by one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from pathlib import Path

from bench.order_table import LATER, POINTS, UNKNOWN, Case, Outcome
from schemas.change import Position, Put, Stamp, Text
from schemas.deadletter import DeadLetter
from schemas.fact import NO_DATES, Dates, Fact, FactKind, Period
from schemas.ids import ContentHash, DocumentId, RecordId, Source, Tenant, digest
from schemas.instant import DAY, FOREVER, Instant
from schemas.record import Kind, Record
from schemas.rules import SourceRules
from schemas.version import Reading, Unit, Version
from schemas.vocabulary import Cardinality, Predicate, Vocabulary
from state.sqlite import SqliteStore

TENANT, WIKI = Tenant("order"), Source("wiki")
RULES = {WIKI: SourceRules(WIKI, readers=frozenset({"*"}))}
VOCABULARY = Vocabulary(predicates={"status": Predicate("status", Cardinality.FUNCTIONAL, "text")})
BATCH = 300
"""Versions per transaction: cases share no document and no subject, so they share a transaction without meeting."""
ORDERS = tuple(permutations(range(3)))
AGES = 19_000
"""The day from which the days of a case are counted."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One case in one order of arrival; `whole` in one batch, else one change per batch. `name` is the subject that only this arrival speaks of."""

    name: str
    case: Case
    order: tuple[int, ...]
    whole: bool


def arrivals(cases: Sequence[Case]) -> Iterator[Arrival]:
    """Yield every case in every order, in one batch and one by one."""
    for number, (case, order, whole) in enumerate(product(cases, ORDERS, (True, False))):
        yield Arrival(f"Thing {number}", case, order, whole)


def outcomes(arriving: Sequence[Arrival], folder: Path) -> dict[Arrival, Outcome]:
    """Return what the store makes of each arrival, times as days of the case."""
    store = SqliteStore.open(folder / "tenant.db", TENANT, RULES, VOCABULARY, keep_closed=False)
    offset = 0
    try:
        for batch in _batches(arriving):
            store.apply([_positioned(version, offset + number) for number, version in enumerate(batch)], _day(40))
            offset += len(batch)
        return _found(arriving, store)
    finally:
        store.close()


def _batches(arriving: Sequence[Arrival]) -> Iterator[list[Version]]:
    """Yield whole cases, then the first change of all others, the second, the third."""
    whole = [_delivered(one) for one in arriving if one.whole]
    per = BATCH // 3
    for first in range(0, len(whole), per):
        yield [version for versions in whole[first : first + per] for version in versions]
    single = [_delivered(one) for one in arriving if not one.whole]
    for place in range(3):
        for first in range(0, len(single), BATCH):
            yield [versions[place] for versions in single[first : first + BATCH]]


def _delivered(arrival: Arrival) -> list[Version]:
    versions = [_version(arrival, number) for number in range(3)]
    return [versions[number] for number in arrival.order]


def _version(arrival: Arrival, number: int) -> Version:
    """Return the version with which a document gives assertion `number`: what it said before, and this."""
    case = arrival.case
    document = case.documents[number]
    units = tuple(_unit(arrival, n) for n in range(number + 1) if case.documents[n] == document)
    said = _day(POINTS[f"s{number + 1}"])
    stamp = Stamp(TENANT, WIKI, DocumentId(f"{arrival.name}/{document}"), (number + 1,), said, _day(40), Position("", 0, 0))
    content = ContentHash(digest("reading", *(unit.text for unit in units)))
    return Version(Put(stamp, Text(""), title=f"page {document} of {arrival.name}"), Reading(content, units))


def _unit(arrival: Arrival, number: int) -> Unit:
    """Return the sentence of an assertion, worded as no other is: copied words would be one source."""
    case = arrival.case
    text = f"In sentence {number + 1} {arrival.name} has status {case.values[number]}."
    return Unit(text, (), 0, len(text), facts=(_fact(text, arrival, number),))


def _fact(text: str, arrival: Arrival, number: int) -> Fact:
    value, start = arrival.case.values[number], arrival.case.starts[number]
    dates = NO_DATES
    if start != UNKNOWN:
        first = POINTS[f"{'l' if start == LATER else 'e'}{number + 1}"]
        dates = Dates(Period(_day(first), _day(first + 1)))
    return Fact(text, FactKind.ATTRIBUTE, arrival.name, "status", value, 0, len(text), 0.95, dates=dates)


def _positioned(version: Version, offset: int) -> Version:
    change = version.change
    assert isinstance(change, Put)
    position = Position("changes", 0, offset, previous=offset - 1)
    return replace(version, change=replace(change, stamp=replace(change.stamp, position=position)))


def _day(number: int) -> Instant:
    return Instant((AGES + number) * DAY)


def _found(arriving: Sequence[Arrival], store: SqliteStore) -> dict[Arrival, Outcome]:
    runs: dict[str, list[Record]] = {one.name: [] for one in arriving}
    held: dict[RecordId, Record] = {}
    for chunk in store.after(0):
        for emitted in chunk:
            assert not isinstance(emitted, DeadLetter), emitted.reason
            if isinstance(emitted, Record) and emitted.kind is Kind.NUGGET and not emitted.deleted:
                runs[emitted.subject].append(emitted)
                held[emitted.id] = emitted
    return {one: _outcome(runs[one.name], held) for one in arriving}


def _outcome(runs: Sequence[Record], held: Mapping[RecordId, Record]) -> Outcome:
    spoken: dict[str, list[str]] = {}
    for run in sorted(runs, key=lambda run: (run.object, run.valid_from)):
        rivals = "".join(sorted({held[rival].object for rival in run.rivals}))
        end = "-" if run.valid_to == FOREVER else str(_number(run.valid_to))
        words = [run.belief, str(_number(run.valid_from)), end, run.reason, rivals]
        spoken.setdefault(run.object, []).append(" ".join(word for word in words if word))
    return {value: tuple(found) for value, found in spoken.items()}


def _number(instant: Instant) -> int:
    return instant // DAY - AGES
