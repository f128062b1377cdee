"""Acceptance cases about names and identity: C42, C47."""

from derive.keys import document_entity
from schemas.change import audience_of
from schemas.record import Kind, Status
from tests.cases.desk import WIKI, Desk, move, put

BODY = "---\nowner: Ines Vale\n---\nThe night ferry carries 90 cars.\n\n## Berths\n\nIt calls at nine quays."
OLD, NEW = "Night Ferry Guide", "Ferry Handbook"
MENTION = "Orla Finch manages the Night Ferry Guide."


def test_c42_a_copy_under_another_number_costs_nothing_and_rewording_a_state_within_the_vocabulary_is_no_transition(milvus_desk: Desk) -> None:
    desk = milvus_desk
    said = "The night ferry carries 90 cars."
    desk.put("note 34", 1, f"---\nstate: accepted\n---\n{said}", title="Note 34", at="2024-01-10")
    copied = desk.take(put("note 334", 1, f"---\nstate: accepted\n---\n{said}", at="2024-02-10", title="Note 334"))
    assert copied.extract == 0
    assert {support.document for support in desk.nugget(said).provenance} == {"note 34", "note 334"}
    desk.put("note 34", 2, f"---\nstate: replaced\n---\n{said}", title="Note 34", at="2024-03-10")
    before = {record.id: record.status for record in desk.records(Kind.NUGGET)}
    reworded = desk.take(put("note 34", 3, f"---\nstate: Superseded\n---\n{said}", at="2024-04-10", title="Note 34"))
    assert {record.id: record.status for record in desk.records(Kind.NUGGET)} == before
    assert [transition for transition in reworded.transitions if transition.record in before] == []


def test_c47_a_rename_embeds_nothing_but_what_names_the_document_and_keeps_the_old_title_as_an_alias(milvus_desk: Desk) -> None:
    desk = milvus_desk
    desk.put("ferry", 1, BODY, title=OLD, at="2024-01-10")
    desk.put("staff", 1, MENTION, at="2024-01-11")
    guide = document_entity(audience_of({"*"}), WIKI, "ferry")
    assert guide in desk.nugget(MENTION).entities
    facts, units = desk.ids(Kind.NUGGET), desk.ids(Kind.UNIT)
    first = len(desk.embedded.texts)
    work = desk.take(move("ferry", 2, NEW, at="2024-02-10"))
    assert work.extract == 0
    assert work.embed == len(desk.embedded.texts[first:])
    assert all(NEW in text for text in desk.embedded.texts[first:])
    assert not {row.record.text for row in work.rows if row.record.kind is Kind.UNIT} & set(desk.embedded.texts[first:])
    assert (desk.ids(Kind.NUGGET), desk.ids(Kind.UNIT)) == (facts, units)
    assert {record.status for record in desk.records()} == {Status.ACTIVE}
    assert guide in desk.nugget(MENTION).entities
    (entity,) = [record for record in desk.records(Kind.ENTITY) if guide in record.entities]
    assert (entity.subject, OLD in entity.text) == (NEW, True)
    assert MENTION in desk.told("Who manages the Ferry Handbook?")


def test_c47_the_same_body_under_a_new_title_costs_no_more_than_the_rename(milvus_desk: Desk) -> None:
    desk = milvus_desk
    desk.put("ferry", 1, "The night ferry carries 90 cars.", title=OLD, at="2024-01-10")
    before = desk.ids(Kind.NUGGET, Kind.UNIT)
    work = desk.take(put("ferry", 2, "The night ferry carries 90 cars.", at="2024-02-10", title=NEW))
    assert (work.extract, work.embed, desk.embedded.texts[-1:]) == (0, 1, [f"{NEW} (also {OLD})"])
    assert desk.ids(Kind.NUGGET, Kind.UNIT) == before
