"""The contract of the index: a filter admits what it says, on every index alike, and nothing of another tenant."""

from dataclasses import replace
from typing import Any

import pytest

from connectors.index import Filter, Index
from schemas.ids import Audience, DocumentKey, EntityId, RecordId, Tenant, document_key
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Support
from tests.contract.indexed import found, held, record, row, towards


def varied(tenant: Tenant) -> list[Record]:
    """Return records that differ in everything that can be filtered by."""
    return [
        record(
            tenant,
            f"v_{number}" if number % 2 else f"vx{number}",
            audience=Audience(["*", "|a|", "|a|b|", ""][number % 4]),
            kind=list(Kind)[number % 5],
            belief=list(Belief)[number % 4],
            verified=number % 3 > 0,
            valid_from=Instant(number % 7 * 100),
            valid_to=Instant(number % 7 * 100 + 250) if number % 2 else FOREVER,
            documents=tuple(DocumentKey(f"d_{part}") for part in (number % 6, number % 6 + 1)),
            entities=tuple(EntityId(name) for name in ("e_1", "ex1", "e_11", "e.1")[number % 4 : number % 4 + number % 3]),
            recorded_at=Instant(number * 10),
            known_to=FOREVER if number % 4 else Instant(number * 10 + 200),
            sequence=number,
        )
        for number in range(60)
    ]


def conditions(tenant: Tenant) -> list[Filter]:
    """Return filters over every field, alone and together."""
    everyone, nobody = frozenset({Audience("*")}), frozenset({Audience("")})
    return [
        Filter(tenant),
        Filter(tenant, current_only=False),
        Filter(tenant, audiences=everyone),
        Filter(tenant, audiences=nobody),
        Filter(tenant, audiences=frozenset({Audience("|a|"), Audience("*"), Audience("|unknown|")})),
        *[Filter(tenant, at=Instant(at)) for at in (-1, 0, 99, 100, 250, 349, 350, 10**13)],
        *[Filter(tenant, at=Instant(at), until=Instant(until)) for at, until in ((0, 1), (99, 100), (250, 301), (349, 350), (0, 10**13))],
        Filter(tenant, beliefs=frozenset({Belief.BELIEVED, Belief.DISPUTED})),
        Filter(tenant, kinds=frozenset({Kind.NUGGET})),
        Filter(tenant, ids=frozenset({RecordId("v_1"), RecordId("vx2"), RecordId("none")})),
        Filter(tenant, documents=frozenset({DocumentKey("d_3")})),
        Filter(tenant, documents=frozenset({DocumentKey("d_0"), DocumentKey("d_6")})),
        *[Filter(tenant, entities=frozenset({EntityId(name)})) for name in ("e_1", "ex1", "e_11", "e.1", "e1", "1")],
        Filter(tenant, verified_only=True),
        *[Filter(tenant, known_at=Instant(at)) for at in (0, 100, 199, 200, 10**13)],
        Filter(tenant, everyone, Instant(300), frozenset({Belief.BELIEVED}), frozenset({Kind.NUGGET, Kind.UNIT, Kind.ENTITY}), verified_only=True),
        Filter(tenant, at=Instant(300), documents=frozenset({DocumentKey("d_1")}), entities=frozenset({EntityId("ex1")}), current_only=False),
        Filter(tenant, at=Instant(150), until=Instant(400), known_at=Instant(300)),
        Filter(Tenant("nobody's")),
    ]


def test_an_index_admits_exactly_what_the_filter_says(index: Index, tenant: Tenant) -> None:
    records = varied(tenant)
    index.write([row(one) for one in records])
    for where in conditions(tenant):
        admitted = {one.id for one in records if where.admits(one)}
        assert found(index, where) == admitted, where
        if index.has_lexical:
            assert {match.record.id for match in index.lexical("dawn", where, 1_000)} == admitted, where


def test_a_record_is_found_by_what_it_names_now_and_no_longer_by_what_it_named(index: Index, tenant: Tenant) -> None:
    old, new = DocumentKey("old"), DocumentKey("new")
    index.write([row(record(tenant, documents=(old,), entities=(EntityId("old"),)))])
    index.write([row(record(tenant, documents=(new,), entities=(EntityId("new"),), audience=Audience("|a|"), sequence=2))])
    assert found(index, Filter(tenant, documents=frozenset({new}), entities=frozenset({EntityId("new")}))) == {"r"}
    assert found(index, Filter(tenant, documents=frozenset({old}))) == set()
    assert found(index, Filter(tenant, entities=frozenset({EntityId("old")}))) == set()
    assert found(index, Filter(tenant, audiences=frozenset({Audience("*")}))) == set()
    index.write([row(record(tenant, deleted=True, sequence=3)), row(record(tenant, "other", sequence=4))])
    assert found(index, Filter(tenant, documents=frozenset({new}))) == set()
    index.write([row(record(tenant, "third", sequence=5))])
    assert found(index, Filter(tenant, documents=frozenset({new}))) == set()


NOTHING: list[dict[str, Any]] = [{field: frozenset()} for field in ("audiences", "beliefs", "kinds", "ids", "documents", "entities")]


@pytest.mark.parametrize("nothing", NOTHING)
def test_a_condition_that_allows_no_value_finds_nothing(index: Index, tenant: Tenant, nothing: dict[str, Any]) -> None:
    index.write([row(record(tenant))])
    where = Filter(tenant, **nothing)
    assert where.admits_nothing
    assert index.dense(towards(1.0), where, 10) == []
    if index.has_lexical:
        assert index.lexical("quay", where, 10) == []


def test_c60_a_document_id_with_quotes_is_found_and_removed_exactly(index: Index, tenant: Tenant) -> None:
    names = ['Quay "7" \\ O\'Neil 50%', 'Quay "7" \\ O\'Neil 50', "Quay _7_ \\ O'Neil 50%", 'Quay "7" or true']
    records = [
        record(
            tenant, document_key("wiki", name), documents=(document_key("wiki", name),), provenance=(Support("wiki", name, "u", 0, 1, Instant(1)),)
        )
        for name in names
    ]
    assert index.write([row(one) for one in records]) == []
    for one in records:
        assert [match.record for match in index.dense(towards(1.0), Filter(tenant, documents=frozenset(one.documents)), 10)] == [one]
    index.write([row(replace(records[0], deleted=True, sequence=2))])
    assert found(index, Filter(tenant)) == {one.id for one in records[1:]}


def test_records_of_two_tenants_with_one_id_never_meet(index: Index, tenant: Tenant) -> None:
    other = Tenant(f'{tenant}" or tenant != "')
    mine, theirs = record(tenant, sequence=5), record(other, text="theirs", sequence=1)
    index.write([row(mine), row(theirs)])
    assert held(index, tenant, "r") == [mine]
    assert held(index, other, "r") == [theirs]
    assert [match.record for match in index.dense(towards(1.0), Filter(other), 10)] == [theirs]
    index.write([row(replace(theirs, deleted=True, sequence=2))])
    assert held(index, tenant, "r") == [mine]
    assert held(index, other, "r") == []
