"""A store is read by other processes, while its owner writes and after that has ended: whole batches, everything with its evidence."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.change import Position
from schemas.errors import BadQuestion, BadSettings, Inconsistent
from schemas.ids import Audience, EntityId, RecordId
from schemas.receipt import Outcome
from schemas.record import Kind, Record, Status
from state.letters import mark_replayed
from state.naming import Why, Witness, entities, names_of
from state.reader import StoreReader
from tests.sources.intake import Intake

EVERYBODY = [Audience("*")]
CREW = {
    "id": "gate-crew",
    "order": 1,
    "body": "---\ntitle: Gate Crew\nlead: Ines Vale\nstatus: active\n---\n\nThe crew opens the lock gates at dawn and closes them at dusk.\n",
}
NEW_LEAD = {**CREW, "order": 2, "body": str(CREW["body"]).replace("Ines Vale", "Tom Ashby")}
CONTROL = {
    "id": "control",
    "order": 1,
    "aliases": ["Harbour Control"],
    "body": "---\ntitle: Harbour Control System\nowner: Gate Crew\n---\n\nThe system (HCS) opens gates, and Harbour Control System is its name.\n",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "harbour.db"


@pytest.fixture
def intake(path: Path) -> Iterator[Intake]:
    made = Intake(path)
    yield made
    made.close()


@pytest.fixture
def reader(path: Path, intake: Intake) -> Iterator[StoreReader]:
    """Return a reader beside the owner, who writes on."""
    made = StoreReader(path)
    yield made
    made.close()


def fact(reader: StoreReader, text: str) -> Record:
    """Return the one fact that says a text."""
    found = [one for entity in entities(reader, "Gate Crew", EVERYBODY) for one in reader.facts(entity, 50) if text in one.text]
    assert len(found) == 1, found
    return found[0]


def entity(reader: StoreReader, name: str) -> EntityId:
    found = entities(reader, name, EVERYBODY)
    assert len(found) == 1, found
    return found[0]


def test_what_the_owner_has_committed_is_seen_at_once_and_a_snapshot_stays_as_it_was(intake: Intake, reader: StoreReader) -> None:
    assert reader.sequence == 0
    intake.take(CREW)
    with reader.snapshot():
        before, clock = reader.sequence, reader.clock
        assert before > 0
        intake.take(NEW_LEAD)
        assert (reader.sequence, reader.clock) == (before, clock)
        assert fact(reader, "lead: Ines Vale").status is Status.ACTIVE
    assert reader.sequence > before
    assert fact(reader, "lead: Ines Vale").status is Status.DEPRECATED


def test_a_store_is_read_after_its_owner_has_gone(path: Path) -> None:
    intake = Intake(path)
    intake.take(CREW)
    intake.close()
    reader = StoreReader(path)
    assert fact(reader, "lead: Ines Vale").status is Status.ACTIVE
    assert reader.tenant
    assert len(reader.identity) == 32
    reader.close()


def test_a_reader_cannot_write(intake: Intake, reader: StoreReader) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.db.execute("DELETE FROM records")


def test_no_store_and_no_store_of_ours_are_told_apart(path: Path) -> None:
    with pytest.raises(BadSettings, match=r"there is no store at .*nothing was indexed"):
        StoreReader(path)
    path.write_text("these are no tables, and too many characters for a header of one" * 4)
    with pytest.raises(BadSettings, match="is no store"):
        StoreReader(path)
    path.unlink()
    Intake(path).close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET value = 99 WHERE name = 'format'")
    db.close()
    with pytest.raises(Inconsistent, match="format 99"):
        StoreReader(path)


def test_a_record_is_found_by_the_beginning_of_its_id(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    wanted = fact(reader, "lead: Ines Vale")
    for name in (wanted.id, wanted.id[:9], wanted.id[:12].upper(), f" {wanted.id} "):
        assert reader.record(name) == wanted


def test_a_beginning_that_several_ids_have_is_refused_and_names_them(intake: Intake, reader: StoreReader) -> None:
    """17 records, 16 first characters: two begin alike."""
    intake.take(CREW, *({"id": f"berth-{number}", "order": 1, "body": f"Berth number {number} is for barges."} for number in range(17)))
    seen: set[str] = set()
    twice = next(one[0] for (one,) in reader.db.execute("SELECT lower(hex(id)) FROM records") if one[0] in seen or seen.add(one[0]))  # type: ignore[func-returns-value]
    with pytest.raises(BadQuestion, match=rf"records begin with '{twice}': {twice}"):
        reader.record(twice)


@pytest.mark.parametrize("name", ["", "no id", "zz", "0" * 33, "é"])
def test_what_is_no_id_is_refused(name: str, reader: StoreReader) -> None:
    with pytest.raises(BadQuestion, match="is no record"):
        reader.record(name)


def test_a_record_that_never_was_is_none(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    assert reader.record("0" * 32) is None
    assert reader.record(f"{fact(reader, 'lead').id}.9") is None
    assert reader.records(["0" * 32]) == []


def test_closed_versions_are_kept_with_the_time_in_which_they_were_known(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    first = fact(reader, "lead: Ines Vale")
    intake.take(NEW_LEAD)
    second = fact(reader, "lead: Ines Vale")
    (closed,) = reader.closed(first.id)
    assert (closed.version, second.version) == (1, 2)
    assert closed.id == f"{first.id}.1"
    assert (closed.recorded_at, closed.known_to) == (first.recorded_at, second.recorded_at)
    assert closed.valid_to == first.valid_to != second.valid_to
    assert reader.record(closed.id) == closed


def test_transitions_come_with_the_change_that_caused_them(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    intake.take(NEW_LEAD)
    came, ended = reader.transitions(fact(reader, "lead: Ines Vale").id)
    assert came.before is None
    assert came.after is not None
    assert ended.after is not None
    assert (came.after.status, ended.after.status) == (Status.ACTIVE, Status.DEPRECATED)
    assert [(cause.kind, cause.document, cause.order) for cause in (*came.causes, *ended.causes)] == [
        ("put", "gate-crew", "1"),
        ("put", "gate-crew", "2"),
    ]


def test_a_fact_quotes_the_words_that_support_it(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    (quote,) = reader.quotes(fact(reader, "lead: Ines Vale"))
    assert (quote.support.document, quote.words) == ("gate-crew", "lead: Ines Vale")
    assert quote.unit is not None
    assert quote.unit.kind is Kind.UNIT


def manual(order: int, text: str) -> dict[str, object]:
    """Return a version of a document in pages."""
    return {"id": "manual", "order": order, "media_type": "application/pdf", "body": text}


def test_a_quote_from_a_document_with_pages_names_those_where_the_unit_stands_now(intake: Intake, reader: StoreReader) -> None:
    owner, first = "Owner: Dana Reyes\nPort: 8080", "1 Harbour\nThe harbour is old."
    intake.take(manual(1, f"{first}\f2 People\n{owner}"))

    def pages() -> list[tuple[int, int] | None]:
        return [quote.pages for quote in reader.quotes(one)]

    (one,) = [fact for held in entities(reader, "Dana Reyes", EVERYBODY) for fact in reader.facts(held, 50)]
    assert pages() == [(2, 2)]
    version = one.version
    intake.take(manual(2, f"{first}\f\f2 People\n{owner.replace(chr(10), chr(12))}"))
    assert pages() == [(3, 4)]
    again = reader.record(one.id)
    assert again is not None
    assert again.version == version
    intake.take(manual(3, "Harbour\fNothing is said here."))
    assert pages() == [(3, 4)]
    for order in range(4, 20):
        intake.take(manual(order, f"Harbour\fNothing is said here, {order} times."))
    assert pages() == [None]


def test_a_document_without_pages_has_none_to_cite(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    (quote,) = reader.quotes(fact(reader, "lead: Ines Vale"))
    assert quote.pages is None


def test_a_quote_of_a_unit_that_is_forgotten_has_no_words(intake: Intake, reader: StoreReader, path: Path) -> None:
    intake.take(CREW)
    found = fact(reader, "lead: Ines Vale")
    with sqlite3.connect(path) as db:  # as pruning does with tombstones
        db.execute("DELETE FROM records WHERE kind = 'unit'")
    db.close()
    (quote,) = reader.quotes(found)
    assert quote.unit is None
    assert quote.words == ""


def test_a_record_that_is_gone_is_told_as_its_tombstone(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    found = fact(reader, "lead: Ines Vale")
    held = entity(reader, "Gate Crew")
    intake.take({"kind": "delete", "id": "gate-crew", "order": 2})
    gone = reader.record(found.id)
    assert gone is not None
    assert gone.deleted or gone.status is Status.DEPRECATED
    assert all(one.status is not Status.ACTIVE for one in reader.facts(held, 50))


def test_an_entity_is_found_by_every_name_title_and_id_of_it(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW, CONTROL)
    wanted = entity(reader, "Harbour Control System")
    for name in ("the harbour control system", "Harbour Control", "control", wanted):
        assert entities(reader, name, EVERYBODY) == [wanted]
    lead = entity(reader, "Ines Vale")
    assert entities(reader, lead, EVERYBODY) == [lead]
    assert entities(reader, "Nobody", EVERYBODY) == []


def test_an_entity_of_another_audience_is_not_found(intake: Intake, reader: StoreReader) -> None:
    intake.take({**CREW, "readers": ["crew"]})
    assert entities(reader, "Gate Crew", EVERYBODY) == []
    assert entities(reader, "Gate Crew", []) == []
    (found,) = entities(reader, "Gate Crew", [Audience("|crew|")])
    assert entities(reader, found, EVERYBODY) == []
    assert Audience("|crew|") in reader.audiences()


def test_a_title_that_two_documents_bear_means_both(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW, {**CREW, "id": "other-crew"})
    documents = {entities(reader, name, EVERYBODY)[0] for name in ("gate-crew", "other-crew")}
    assert documents <= set(entities(reader, "Gate Crew", EVERYBODY))


def test_names_come_with_the_evidence_that_joins_them(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW, CONTROL)
    intake.take({"id": "memo", "order": 1, "body": "---\ntitle: Memo\nowner: HCS\n---\n\nNothing else is said.\n"})
    named = {one.normal: one for one in names_of(reader, entity(reader, "Harbour Control System"))}
    assert Witness(Why.TITLE, "wiki", "control") in named["harbour control system"].witnesses
    assert Witness(Why.DECLARED, "wiki", "control") in named["harbour control"].witnesses
    assert named["harbour control"].spellings == ()
    crew = names_of(reader, entity(reader, "Gate Crew"))
    assert Witness(Why.USED, "wiki", "control") in crew[0].witnesses
    assert crew[0].spellings == ("Gate Crew",)


def test_a_former_title_and_an_acronym_are_evidence(intake: Intake, reader: StoreReader) -> None:
    intake.take({"id": "memo", "order": 1, "title": "Tidebook", "body": "---\nowner: HCS\nlead: Harbour Control System\n---\n\nNothing else.\n"})
    intake.take({"id": "memo", "order": 2, "kind": "move", "title": "Register of Tides"})
    memo = {one.normal: one for one in names_of(reader, entity(reader, "Register of Tides"))}
    assert Witness(Why.FORMER_TITLE, "wiki", "memo") in memo["tidebook"].witnesses
    control = {one.normal: one for one in names_of(reader, entity(reader, "HCS"))}
    assert Witness(Why.ACRONYM, other="harbour control system") in control["hcs"].witnesses


def test_declared_pairs_name_each_other(intake: Intake, reader: StoreReader) -> None:
    intake.take({"id": "memo", "order": 1, "body": "The Harbour Control System (HCS) is kept in the tower and read twice a day."})
    named = {one.normal: one for one in names_of(reader, entity(reader, "HCS"))}
    assert Witness(Why.DECLARED, "wiki", "memo", "harbour control system") in named["hcs"].witnesses
    assert Witness(Why.DECLARED, "wiki", "memo", "hcs") in named["harbour control system"].witnesses


def test_the_reverse_indexes_give_facts_and_bridges_what_holds_first(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW, CONTROL)
    intake.take(NEW_LEAD)
    crew = entity(reader, "Gate Crew")
    facts, bridges = reader.facts(crew, 50), reader.bridges(crew, 50)
    assert reader.count(crew) == (len(facts), len(bridges))
    assert [one.status for one in facts] == sorted((one.status for one in facts), key=[Status.CONTESTED, Status.ACTIVE, Status.DEPRECATED].index)
    assert {one.kind for one in facts} == {Kind.NUGGET}
    assert {one.kind for one in bridges} == {Kind.BRIDGE}
    premises = reader.records(support.record for support in bridges[0].provenance)
    assert {one.kind for one in premises} == {Kind.NUGGET}
    assert len(reader.facts(crew, 1)) == len(reader.bridges(crew, 1)) == 1


def test_counts_are_those_of_the_records_that_are_there(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    intake.take(NEW_LEAD)
    ids = [RecordId(name.hex()) for (name,) in reader.db.execute("SELECT id FROM records")]
    there = [record for record in reader.records(ids) if not record.deleted]
    assert sum(reader.counts().values()) == len(there)
    assert reader.counts()[Kind.NUGGET, Status.DEPRECATED] == 1


def test_documents_are_listed_with_their_titles_deleted_ones_too(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW, CONTROL)
    intake.take({"kind": "delete", "id": "control", "order": 2})
    listed = [(one.document, one.title, one.live) for one in reader.documents()]
    assert listed == [("control", "Harbour Control System", False), ("gate-crew", "Gate Crew", True)]


def test_receipts_are_counted_by_outcome_and_the_last_come_first(intake: Intake, reader: StoreReader) -> None:
    intake.take(CREW)
    intake.take(CREW)
    intake.take({"id": ""})
    assert reader.outcomes() == {Outcome.APPLIED: 1, Outcome.DUPLICATE: 1, Outcome.DEAD_LETTER: 1}
    assert [receipt.outcome for receipt in reader.receipts(2)] == [Outcome.DEAD_LETTER, Outcome.DUPLICATE]


def test_a_dead_letter_waits_until_it_is_marked_as_replayed(intake: Intake, reader: StoreReader, path: Path) -> None:
    intake.take({"id": "", "order": 1}, {"id": "b", "order": "x"})
    first, second = reader.dead_letters()
    assert [letter.replayed for letter in (first, second)] == [False, False]
    mark_replayed(path, [first.sequence])
    mark_replayed(path, [first.sequence, 10_000])
    assert [letter.position for letter in reader.dead_letters(replayed=True)] == [first.position]
    assert [letter.position for letter in reader.dead_letters(replayed=False)] == [second.position]
    (again,) = reader.dead_letters_at(first.position)
    assert again.replayed
    assert again.payload == first.payload
    assert reader.dead_letters_at(Position("wiki.changes", 0, 99)) == []


def test_marking_a_letter_leaves_the_sequence_to_the_owner(intake: Intake, reader: StoreReader, path: Path) -> None:
    intake.take({"id": "", "order": 1})
    before = reader.sequence
    mark_replayed(path, [letter.sequence for letter in reader.dead_letters()])
    assert reader.sequence == before
    intake.take(CREW)
    assert reader.sequence > before


LINKED = {**CREW, "body": "The crew opens [the gates](gates.md#north), [[locks](locks.md)], and [them](gates.md) again."}


def test_a_unit_is_told_with_what_it_links_to_in_a_version_that_has_it(intake: Intake, reader: StoreReader) -> None:
    intake.take(LINKED)
    (unit,) = units(reader)
    assert reader.links(unit) == ["gates.md", "locks.md"]
    intake.take({**LINKED, "order": 2, "body": "The crew opens nothing any more."})
    gone = reader.record(unit.id)
    assert gone is not None
    assert reader.links(gone) == ["gates.md", "locks.md"]


def test_what_no_late_version_says_and_what_is_no_unit_links_to_nothing(intake: Intake, reader: StoreReader) -> None:
    intake.take(LINKED, CONTROL)
    (unit,) = [one for one in units(reader) if "crew opens" in one.text]
    assert reader.links(fact(reader, "owner: Gate Crew")) == []
    for order in range(2, 12):
        intake.take({**LINKED, "order": order, "body": f"The crew has {order} members."})
    assert reader.links(unit) == []


def units(reader: StoreReader) -> list[Record]:
    """Return the units that are there."""
    ids = [RecordId(name.hex()) for (name,) in reader.db.execute("SELECT id FROM records")]
    return [record for record in reader.records(ids) if record.kind is Kind.UNIT and not record.deleted]
