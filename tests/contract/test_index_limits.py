"""The contract of the index: what cannot be stored is refused by name, what is too long is cut where it shows."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.index import Filter, Index
from connectors.limits import CUT, LIST_ITEMS, NAME_BYTES, TEXT_BYTES, fit
from schemas.change import audience_of
from schemas.ids import Audience, EntityId, RecordId, Tenant, document_key
from schemas.instant import Instant
from schemas.record import Support
from tests.contract.indexed import found, held, record, row, towards

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ids = st.from_regex(r"\A[A-Za-z0-9_.:-]{1,40}\Z").map(RecordId)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(
    name=ids,
    text=texts,
    subject=texts,
    scope=st.lists(texts, max_size=3).map(tuple),
    document=texts,
    entities=st.lists(ids, max_size=4, unique=True).map(tuple),
    reader=texts,
)
def test_no_text_that_people_write_breaks_a_record(
    index: Index,
    tenant: Tenant,
    name: RecordId,
    text: str,
    subject: str,
    scope: tuple[str, ...],
    document: str,
    entities: tuple[EntityId, ...],
    reader: str,
) -> None:
    place = Support(text, document, name, 0, 1, Instant(0))
    written = record(
        tenant, name, text=text, subject=subject, scope=scope, section=scope, entities=entities, audience=Audience(reader), provenance=(place,)
    )
    assert index.write([row(written)]) == []
    assert held(index, tenant, name) == [written]
    assert name in found(index, Filter(tenant, audiences=frozenset({Audience(reader)}), ids=frozenset({name})))
    assert index.write([row(replace(written, deleted=True))]) == []
    assert held(index, tenant, name) == []


BAD = [
    ("id", {"name": "it's"}, None),
    ("id", {"name": ""}, None),
    ("id", {"name": "x" * 129}, None),
    ("text", {"text": "half \ud800"}, None),
    ("subject", {"subject": "\udfff"}, None),
    ("provenance", {"provenance": (Support("wiki", "\ud800", "u", 0, 1, Instant(0)),)}, None),
    ("audience", {"audience": Audience("|" + "reader" * 12_000 + "|")}, None),
    ("entities", {"entities": (EntityId('e"1'),)}, None),
    ("confidence", {"confidence": math.nan}, None),
    ("valid_to", {"valid_to": Instant(2**63)}, None),
    ("dense", {}, (1.0, 2.0)),
    ("dense", {}, towards(math.nan)),
    ("dense", {}, towards(math.inf)),
]


@pytest.mark.parametrize(("field", "fields", "dense"), BAD)
def test_a_bad_row_is_refused_by_name_and_costs_no_other_row(
    index: Index, tenant: Tenant, field: str, fields: dict[str, Any], dense: tuple[float, ...] | None
) -> None:
    bad = row(record(tenant, **{"name": "bad", **fields}), dense)
    good = [row(record(tenant, "before")), row(record(tenant, "after"))]
    ((refused, error),) = index.write([good[0], bad, good[1]])
    assert refused == bad
    assert field in error.field
    assert error.record == bad.record.id
    assert found(index, Filter(tenant)) == {"before", "after"}


@pytest.mark.parametrize(("field", "fields", "dense"), [bad for bad in BAD if bad[0] != "id"])
def test_a_refused_row_leaves_no_older_row_of_its_record_readable(
    index: Index, tenant: Tenant, field: str, fields: dict[str, Any], dense: tuple[float, ...] | None
) -> None:
    index.write([row(record(tenant, sequence=1)), row(record(tenant, "other", sequence=2))])
    before = index.count()
    ((_, error),) = index.write([row(record(tenant, **{"sequence": 3, **fields}), dense)])
    assert field in error.field
    assert index.count() == before - 1
    assert held(index, tenant, "r", "other") == [record(tenant, "other", sequence=2)]
    assert found(index, Filter(tenant)) == {"other"}
    if index.has_lexical:
        assert [match.record.id for match in index.lexical("quay", Filter(tenant), 10)] == ["other"]


def test_a_hundred_long_readers_that_do_not_fit_close_a_record_that_was_public(index: Index, tenant: Tenant) -> None:
    crew = audience_of(f"{number:03}{'r' * 198}" for number in range(100))
    index.write([row(record(tenant, sequence=1))])
    ((_, error),) = index.write([row(record(tenant, sequence=2, audience=crew))])
    assert str(error).endswith("audience has 20201 bytes, at most 16384 fit")
    assert found(index, Filter(tenant)) == set()
    again = record(tenant, sequence=3, audience=Audience("|crew|"))
    assert index.write([row(again)]) == []
    assert held(index, tenant, "r") == [again]


def test_a_refused_row_that_is_older_than_what_is_stored_removes_nothing(index: Index, tenant: Tenant) -> None:
    new = record(tenant, sequence=5)
    index.write([row(new)])
    ((_, error),) = index.write([row(record(tenant, sequence=4, confidence=math.nan))])
    assert error.field == "confidence"
    assert held(index, tenant, "r") == [new]


@pytest.mark.parametrize("text", ["é" * 40_000, "中" * 25_000, "x" * 70_000, "\U0001f6a2" * 20_000])
def test_c57_a_text_over_the_limit_is_cut_at_a_character_and_marked(index: Index, tenant: Tenant, text: str) -> None:
    long = record(tenant, text=text, subject="s" * 700, object=text)
    assert index.write([row(long)]) == []
    (stored,) = held(index, tenant, "r")
    assert stored == fit(long)
    assert stored.text.endswith(CUT)
    assert text.startswith(stored.text.removesuffix(CUT))
    assert TEXT_BYTES - 4 < len(stored.text.encode()) <= TEXT_BYTES
    assert len(stored.object.encode()) <= NAME_BYTES
    assert stored.subject == long.subject


def test_a_record_with_more_supports_than_fit_keeps_the_first_of_them(index: Index, tenant: Tenant) -> None:
    places = tuple(Support("wiki", f"page {number}", "u" * 32, 0, 9, Instant(1)) for number in range(3_000))
    many = record(
        tenant,
        provenance=places,
        documents=tuple(document_key("wiki", place.document) for place in places),
        entities=tuple(EntityId(f"e{number}") for number in range(3_000)),
    )
    assert index.write([row(many)]) == []
    (stored,) = held(index, tenant, "r")
    assert stored == fit(many)
    assert stored.provenance == places[: len(stored.provenance)]
    assert len(stored.provenance) > 200
    assert stored.entities == many.entities[:LIST_ITEMS]
    assert fit(stored) == stored
