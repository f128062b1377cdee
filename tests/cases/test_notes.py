"""Acceptance cases about notes that are copied, exchanged and superseded, and about moves: C42 to C44 and C46."""

from itertools import permutations

import pytest

from derive.keys import document_entity
from schemas.change import audience_of
from schemas.ids import DocumentKey, document_key
from schemas.record import Belief, Kind, Record, Status
from tests.cases.conftest import Open
from tests.cases.desk import WIKI, Desk, Given, day, move, put
from tests.cases.hashed import state_hash

LIGHTS = "The sea lock is 6 m wide. Orla Finch chairs the Dock Board."
CLOSING = "The night ferry carries 90 cars. Tarn Works owns the Basin Bridge."


def note(number: int, title: str, body: str, order: int = 1, at: str = "2024-01-10", document: str = "", **headers: str) -> dict[str, object]:
    """Return a version of a note, with its headers; its page is called after the number, unless it has another name."""
    lines = [f"Note: {number}", f"Title: {title}", *(f"{key.replace('_', ' ')}: {value}" for key, value in headers.items())]
    return put(document or f"note-{number}", order, "\n".join(lines) + f"\n\n{body}\n", at, media_type="text/plain")


def keys(*documents: str) -> tuple[DocumentKey, ...]:
    return tuple(sorted(document_key(WIKI, document) for document in documents))


def test_c42_a_copy_under_another_number_is_a_second_source_and_rewording_the_state_changes_nothing(desk: Desk) -> None:
    desk.take(note(34, "Quay Lights", LIGHTS, State="accepted"))
    copied = desk.take(
        note(334, "Quay Lights", LIGHTS, at="2024-03-01", State="accepted"), note(34, "Quay Lights", LIGHTS, 2, "2024-03-01", State="replaced")
    )
    assert copied.extract == 0
    content = desk.nugget("The sea lock is 6 m wide.")
    assert (content.documents, content.belief) == (keys("note-34", "note-334"), Belief.BELIEVED)
    before = desk.about("note-34", "state")
    reworded = desk.take(note(34, "Quay Lights", LIGHTS, 3, "2024-06-01", State="superseded"))
    assert reworded.extract == 0
    assert not [one for one in reworded.transitions if one.record in {record.id for record in before}]
    after = desk.about("note-34", "state")
    assert [(run.id, run.belief, run.valid_from, run.valid_to) for run in after] == [
        (run.id, run.belief, run.valid_from, run.valid_to) for run in before
    ]
    assert [run.status for run in after] == [Status.DEPRECATED, Status.ACTIVE]


EXCHANGE = (note(4, "Winter Closing", CLOSING, 2, "2024-02-01"), note(5, "Quay Lights", LIGHTS, 2, "2024-02-01"))


@pytest.mark.parametrize("sequence", list(permutations(EXCHANGE)))
def test_c43_two_notes_that_exchange_title_and_text_dispute_nothing_and_cost_nothing(desk: Desk, sequence: tuple[Given, ...]) -> None:
    desk.take(note(4, "Quay Lights", LIGHTS), note(5, "Winter Closing", CLOSING))
    for change in sequence:
        assert desk.take(change).extract == 0
    for number, old, new in ((4, "Quay Lights", "Winter Closing"), (5, "Winter Closing", "Quay Lights")):
        titles = [(run.object, run.status, run.valid_from) for run in desk.about(f"note-{number}", "title")]
        assert titles == [(old, Status.DEPRECATED, day("2024-01-10")), (new, Status.ACTIVE, day("2024-02-01"))]
    assert {record.status for record in desk.records(Kind.NUGGET)} == {Status.ACTIVE, Status.DEPRECATED}
    for text, document in (("The night ferry carries 90 cars.", "note-4"), ("The sea lock is 6 m wide.", "note-5")):
        assert {one.document for one in desk.nugget(text).provenance if one.said_to > desk.clock} == {document}
        assert desk.status(text) == Status.ACTIVE


def test_c43_either_sequence_ends_in_one_state(opened: Open) -> None:
    hashes = set()
    for sequence in permutations(EXCHANGE):
        desk = opened()
        desk.take(note(4, "Quay Lights", LIGHTS), note(5, "Winter Closing", CLOSING))
        for change in sequence:
            desk.take(change)
        hashes.add(state_hash(desk))
    assert len(hashes) == 1


REPLACED = (4, 18, 25)


def successions(desk: Desk) -> dict[str, Record]:
    """Return the succession that is told of each note, by its page."""
    pages = {document_entity(audience_of({"*"}), WIKI, f"note-{number}"): f"note-{number}" for number in REPLACED}
    found = [record for record in desk.records(Kind.NUGGET) if record.predicate == "superseded by"]
    assert len(found) == len({record.entities for record in found})
    return {pages[record.entities[0]]: record for record in found}


def test_c44_a_succession_told_from_both_sides_is_one_nugget_with_two_sources(desk: Desk) -> None:
    desk.take(*(note(number, f"Quay Lights {number}", LIGHTS, State="accepted") for number in REPLACED))
    old = [note(number, f"Quay Lights {number}", LIGHTS, 2, "2024-02-01", State="superseded", Replaced_by="note 31") for number in REPLACED]
    desk.take(*old, note(31, "All Lights", CLOSING, 1, "2024-02-01", State="accepted", Replaces="4, 18, 25"))
    told = successions(desk)
    new = document_entity(audience_of({"*"}), WIKI, "note-31")
    assert {document: record.documents for document, record in told.items()} == {f"note-{one}": keys(f"note-{one}", "note-31") for one in REPLACED}
    assert {(record.entities[1], record.status) for record in told.values()} == {(new, Status.ACTIVE)}
    for number in REPLACED:
        runs = [(run.object, run.status) for run in desk.about(f"note-{number}", "state")]
        assert runs == [("accepted", Status.DEPRECATED), ("superseded", Status.ACTIVE)]


def test_c44_a_note_that_does_not_change_its_own_state_is_contested(desk: Desk) -> None:
    desk.take(note(18, "Quay Lights", LIGHTS, State="accepted", Replaced_by="note 31"), note(31, "All Lights", CLOSING, Replaces="18"))
    (accepted,), told = desk.about("note-18", "state"), successions(desk)["note-18"]
    assert (accepted.status, accepted.rivals) == (Status.CONTESTED, (told.id,))
    assert (told.status, told.documents) == (Status.CONTESTED, keys("note-18", "note-31"))


def test_a_number_that_two_notes_claim_is_neithers_name_until_one_of_them_is_corrected(desk: Desk) -> None:
    desk.put("staff", 1, "Ines Vale manages Note 4.", "2024-01-09")
    desk.take(note(4, "Quay Lights", LIGHTS, State="accepted"), note(4, "Winter Closing", CLOSING, document="note-5", State="draft"))
    pages = {document_entity(audience_of({"*"}), WIKI, f"note-{number}") for number in (4, 5)}
    assert {record.status for record in desk.records(Kind.NUGGET)} == {Status.ACTIVE}
    assert not pages & set(desk.nugget("Ines Vale manages Note 4.").entities)
    desk.take(note(5, "Winter Closing", CLOSING, 2, "2024-02-01", State="draft"))
    assert document_entity(audience_of({"*"}), WIKI, "note-4") in desk.nugget("Ines Vale manages Note 4.").entities


@pytest.mark.parametrize(
    "both",
    list(permutations([move("page-7", 2, "East Lock", "2024-02-01"), put("page-8", 1, "#REDIRECT [[East Lock]]", "2024-02-01", title="Sea Lock")])),
)
def test_c46_a_move_and_the_redirect_that_it_leaves_behind_come_in_either_sequence(desk: Desk, both: tuple[Given, ...]) -> None:
    desk.put("page-7", 1, f"# Sea Lock\n\n{LIGHTS}", "2024-01-10", title="Sea Lock", path="locks/Sea Lock")
    desk.put("staff", 1, "Ines Vale manages the Sea Lock.", "2024-01-11")
    page = document_entity(audience_of({"*"}), WIKI, "page-7")
    facts = {record.id for record in desk.records(Kind.NUGGET) if document_key(WIKI, "page-7") in record.documents}
    works = [desk.take(change) for change in both]
    assert [work.extract for work in works] == [0, 0]
    own = [record for record in desk.records() if document_key(WIKI, "page-7") in record.documents]
    assert facts == {record.id for record in own if record.kind is Kind.NUGGET}
    assert {record.status for record in own} == {Status.ACTIVE}
    assert {record.subject for record in own if record.kind is Kind.UNIT} == {"East Lock"}
    assert not [record for record in desk.records(Kind.UNIT) if record.documents == keys("page-8")]
    assert page in desk.nugget("Ines Vale manages the Sea Lock.").entities
    assert "Ines Vale manages the Sea Lock." in desk.told("Who manages the East Lock?")
