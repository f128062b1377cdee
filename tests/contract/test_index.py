"""The contract of the index: what is written is there, the newest once, and nothing that was removed."""

import math

import pytest

from connectors.index import Filter, Index
from schemas.errors import Inconsistent
from schemas.ids import Audience, EntityId, Fingerprint, RecordId, Tenant, document_key
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Row, Status, Support
from tests.contract.indexed import MODEL, WIDTH, found, held, record, row, towards

FULL = {
    "kind": Kind.BRIDGE,
    "audience": Audience('|O\'Neil "x"|müller|'),
    "text": 'line one\nline "two"\ttab \\ 100% 中文 \x00 \U0001f6a2',
    "belief": Belief.DISPUTED,
    "status": Status.CONTESTED,
    "reason": "rivals",
    "valid_from": Instant(-62_135_596_800_000),
    "valid_to": Instant(1_893_456_000_000),
    "validity_known": True,
    "entities": (EntityId("e_1"), EntityId("e.2:x-3")),
    "documents": (document_key("wiki", "a"), document_key("wiki", "b")),
    "subject": "Quay 7",
    "predicate": "opens at",
    "object": "dawn, 50%",
    "scope": ("region|x", "3.12"),
    "fact_kind": "attribute",
    "section": ("Opening hours", "Summer › 2026"),
    "confidence": 0.1 + 0.2,
    "verified": False,
    "rivals": (RecordId("other"), RecordId("third")),
    "provenance": (
        Support("wiki", "a|b", "u1", 0, 20, Instant(5), Instant(9)),
        Support("wiki", 'q"\\', "u2", 3, 4, Instant(7), record="n1"),
    ),
    "version": 7,
    "sequence": 2**40,
    "recorded_at": Instant(1_700_000_000_123),
    "known_to": FOREVER,
}


def test_every_field_of_a_record_comes_back_as_it_was_written(index: Index, tenant: Tenant) -> None:
    written = record(tenant, "A-z_0.9:1", **FULL)
    assert index.write([row(written)]) == []
    (stored,) = index.get(tenant, [written.id])
    assert stored.record == written
    assert stored.generation == MODEL
    assert [match.record for match in index.dense(towards(1.0), Filter(tenant), 1)] == [written]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
def test_c58_of_three_versions_in_one_batch_the_newest_is_stored_once(index: Index, tenant: Tenant, order: tuple[int, ...]) -> None:
    versions = [record(tenant, text=f"version {number}", version=number, sequence=10 + number) for number in (1, 2, 3)]
    before = index.count()
    index.write([row(versions[at]) for at in order])
    assert index.count() == before + 1
    assert held(index, tenant, "r") == [versions[2]]
    assert [match.record for match in index.dense(towards(1.0), Filter(tenant), 10)] == [versions[2]]


def test_an_older_row_never_replaces_a_newer_one(index: Index, tenant: Tenant) -> None:
    new = record(tenant, text="new", version=2, sequence=20)
    index.write([row(new)])
    assert index.write([row(record(tenant, text="old", version=1, sequence=10))]) == []
    assert index.write([row(record(tenant, deleted=True, version=1, sequence=15))]) == []
    assert held(index, tenant, "r") == [new]


def test_a_tombstone_removes_its_record_from_every_way_of_reading(index: Index, tenant: Tenant) -> None:
    index.write([row(record(tenant, "gone", sequence=1)), row(record(tenant, "kept", sequence=2))])
    before = index.count()
    assert index.write([row(record(tenant, "gone", sequence=3, deleted=True))]) == []
    assert index.count() == before - 1
    assert held(index, tenant, "gone", "kept") == [record(tenant, "kept", sequence=2)]
    assert found(index, Filter(tenant)) == {"kept"}
    assert {stored.record.id for stored in index.scan() if stored.record.tenant == tenant} == {"kept"}
    if index.has_lexical:
        assert [match.record.id for match in index.lexical("quay", Filter(tenant), 10)] == ["kept"]


def test_a_tombstone_and_a_later_record_in_one_batch_leave_the_record(index: Index, tenant: Tenant) -> None:
    index.write([row(record(tenant, sequence=1))])
    back = record(tenant, text="back", version=3, sequence=3)
    index.write([row(back), row(record(tenant, version=2, sequence=2, deleted=True))])
    assert held(index, tenant, "r") == [back]


def test_writing_a_batch_again_changes_nothing(index: Index, tenant: Tenant) -> None:
    batch = [row(record(tenant, f"r{number}", sequence=number), towards(1.0, number)) for number in range(20)]
    batch.append(row(record(tenant, "r3", sequence=30, deleted=True)))
    index.write(batch)
    once, count = index.dense(towards(1.0), Filter(tenant), 100), index.count()
    for part in (batch, batch[5:9], batch[-1:], batch[4:]):
        assert index.write(part) == []
    assert index.dense(towards(1.0), Filter(tenant), 100) == once
    assert index.count() == count


def test_what_was_written_is_found_at_once(index: Index, tenant: Tenant) -> None:
    for number in range(10):
        index.write([row(record(tenant, f"r{number}", sequence=number), towards(1.0, number))])
        nearest = index.dense(towards(1.0, number), Filter(tenant), 1)[0]
        assert nearest.record.id == f"r{number}"


def test_more_rows_than_a_request_holds_are_all_stored(index: Index, tenant: Tenant) -> None:
    rows = [row(record(tenant, f"r{number}", sequence=number, text=f"row {number}"), towards(1.0, number)) for number in range(300)]
    assert index.write(rows) == []
    assert len(index.dense(towards(1.0), Filter(tenant), 1_000)) == 300
    assert held(index, tenant, *[f"r{number}" for number in range(299, -1, -1)]) == [one.record for one in reversed(rows)]


def test_records_are_returned_in_the_order_asked_for_and_each_once(index: Index, tenant: Tenant) -> None:
    index.write([row(record(tenant, name)) for name in ("a", "b", "c")])
    assert [stored.id for stored in held(index, tenant, "c", "missing", "a", "c", 'it\'s "no" id', "")] == ["c", "a"]
    assert held(index, tenant) == []


def test_a_scan_yields_every_record_once_whatever_the_size_of_its_pages(index: Index, tenant: Tenant) -> None:
    rows = [row(record(tenant, f"r{number}", sequence=number, known_to=Instant(2_000 + number))) for number in range(25)]
    index.write(rows)
    for size in (100, 1_000):
        seen = [stored for stored in index.scan(size) if stored.record.tenant == tenant]
        assert sorted((stored.record for stored in seen), key=lambda one: one.sequence) == [one.record for one in rows]
        assert {stored.generation for stored in seen} == {MODEL}


def test_c61_vectors_of_another_model_are_refused_though_they_are_as_long(index: Index, tenant: Tenant) -> None:
    foreign = Row(record(tenant, "foreign"), towards(1.0), Fingerprint("model-two"))
    with pytest.raises(Inconsistent, match="model-two"):
        index.write([row(record(tenant, "own")), foreign])
    assert found(index, Filter(tenant)) == set()


def test_opening_twice_changes_nothing(index: Index, tenant: Tenant) -> None:
    index.write([row(record(tenant))])
    index.ensure()
    assert held(index, tenant, "r") == [record(tenant)]


def test_the_nearest_come_first_and_no_more_than_asked_for(index: Index, tenant: Tenant) -> None:
    angles = [0.0, 0.3, 0.6, 0.9, 1.2]
    index.write([row(record(tenant, f"r{at}"), towards(3 * math.cos(angle), 3 * math.sin(angle))) for at, angle in enumerate(angles)])
    matches = index.dense(towards(1.0), Filter(tenant), 3)
    assert [match.record.id for match in matches] == ["r0", "r1", "r2"]
    assert [match.score for match in matches] == pytest.approx([math.cos(angle) for angle in angles[:3]], abs=1e-5)
    assert index.dense(towards(1.0), Filter(tenant), 0) == []


def test_equal_scores_are_ordered_by_id(index: Index, tenant: Tenant) -> None:
    index.write([row(record(tenant, name)) for name in ("c", "a", "b")])
    assert [match.record.id for match in index.dense(towards(1.0), Filter(tenant), 10)] == ["a", "b", "c"]


def test_a_vector_without_direction_is_stored_and_never_found_before_another(index: Index, tenant: Tenant) -> None:
    assert index.write([row(record(tenant, "zero"), (0.0,) * WIDTH), row(record(tenant, "one"))]) == []
    assert len(held(index, tenant, "zero", "one")) == 2
    assert [match.record.id for match in index.dense(towards(1.0), Filter(tenant), 10)] in (["one", "zero"], ["one"])  # a server's graph skips it


WORDS = {
    "en": "The harbour master's office moved to Pier 9.",
    "zh": "港务局于2025年搬到九号码头。",
    "release": "Orbit 3.12 needs at least 8 GB.",
    "older": "Orbit 3.1 needs 2 GB of the 12 in it.",
    "headed": "Closed on Mondays.",
}


@pytest.mark.parametrize(
    ("question", "first"),
    [("HARBOUR office?", "en"), ("码头", "zh"), ("港务局 moved", "zh"), ("orbit 3.12", "release"), ("opening hours", "headed"), ("Pier-9", "en")],
)
def test_words_are_found_in_any_script_and_case(index: Index, tenant: Tenant, question: str, first: str) -> None:
    if not index.has_lexical:
        pytest.skip("a Milvus server below 2.5 has no lexical channel")
    index.write([row(record(tenant, name, text=text, section=("Opening hours",) if name == "headed" else ())) for name, text in WORDS.items()])
    matches = index.lexical(question, Filter(tenant), 10)
    assert matches[0].record.id == first
    assert all(match.score > 0 for match in matches)
    assert index.lexical("zeppelin", Filter(tenant), 10) == []
    assert index.lexical("?!", Filter(tenant), 10) == []


def test_a_server_without_a_lexical_channel_says_so(index: Index, tenant: Tenant) -> None:
    if index.has_lexical:
        pytest.skip("this index has a lexical channel")
    with pytest.raises(Inconsistent, match="has_lexical"):
        index.lexical("quay", Filter(tenant), 10)
