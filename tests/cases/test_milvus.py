"""Acceptance cases about the index itself, through Milvus Lite: C58 and C60."""

from connectors.index import Index
from connectors.milvus_schema import key_of
from derive.keys import name_entity, nugget_id
from derive.names import normal
from derive.values import value_of
from schemas.change import audience_of
from schemas.instant import FOREVER
from schemas.nugget import Stance
from schemas.record import Kind, Status
from schemas.vocabulary import shipped
from tests.cases.conftest import Open
from tests.cases.desk import Desk

NINETY = "The night ferry carries 90 cars."


def test_c58_of_three_versions_of_a_fact_in_one_write_batch_the_newest_is_the_one_record(opened: Open, milvus: Index) -> None:
    desk = opened()
    works = [
        desk.put("a", 1, NINETY, at="2024-01-10"),
        desk.put("b", 1, NINETY, at="2024-01-11"),
        desk.put("c", 1, NINETY, at="2024-01-12"),
    ]
    nugget = desk.nugget(NINETY)
    rows = [row for work in works for row in work.rows]
    assert [row.record.version for row in rows if row.record.id == nugget.id] == [1, 2, 3]
    assert milvus.write(rows) == []
    stored = [one.record for one in milvus.scan() if one.record.tenant == desk.tenant and one.record.text == NINETY]
    (current,) = [record for record in stored if record.kind is Kind.NUGGET and record.known_to == FOREVER]
    assert current == nugget
    assert {support.document for support in current.provenance} == {"a", "b", "c"}


def test_c58_the_primary_key_follows_from_key_and_value(milvus_desk: Desk) -> None:
    desk = milvus_desk
    desk.put("a", 1, NINETY)
    everybody, predicate = audience_of({"*"}), shipped().predicate("carries")
    stance = Stance("carries", value_of("90 cars", predicate.object))
    made = nugget_id(everybody, name_entity(everybody, normal("night ferry")), ("cars",), stance, 0)
    assert desk.nugget(NINETY).id == made
    assert [one.record.text for one in desk.index.get(desk.tenant, [made])] == [NINETY]
    assert key_of(desk.tenant, made).endswith(made)


def test_c60_a_document_id_with_quotes_hits_exactly_its_document(milvus_desk: Desk) -> None:
    desk = milvus_desk
    odd = """Quay "7" \\ O'Neil 50%"""
    others = ["""Quay "7" \\ O'Neil 500""", """Quay "7" \\\\ O'Neil 50%""", """Quay "7\"""", "Quay _7_ \\ O'Neil 50%", "%", '" or true or "']
    for number, document in enumerate([odd, *others]):
        desk.put(document, 1, f"The crane {number} lifts {number + 40} tonnes.", title=f"Crane {number}")
    for number, document in enumerate([odd, *others]):
        assert desk.told("What does the crane lift?", document=document) == f"The crane {number} lifts {number + 40} tonnes."
    first, second = "The crane 0 lifts 40 tonnes.", "The crane 0 lifts 90 tonnes."
    desk.put(odd, 2, second, at="2024-07-01")
    assert desk.told("What does the crane lift?", document=odd) == second
    assert {desk.status(first), desk.status(second)} == {Status.DEPRECATED, Status.ACTIVE}
    gone = desk.delete(odd, 3, at="2024-07-02")
    assert {support.document for row in gone.rows for support in row.record.provenance} == {odd}
    assert desk.told("What does the crane lift?", document=odd) == ""
    for number, document in enumerate(others, start=1):
        assert desk.told("What does the crane lift?", document=document) == f"The crane {number} lifts {number + 40} tonnes."
