"""What is stored and searched of what the views derive (DESIGN.md 5.8): ids, texts, provenance, and what bridges get of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from derive.bridge import bridges
from derive.dates.timing import VAGUE
from derive.govern import govern
from derive.keys import nugget_id, unit_id
from derive.records import SUPPORTS, Group, bridge_record, entity_record, nuggets, stretches
from schemas.draft import About, Draft
from schemas.fact import GOVERNS, Dates, Period
from schemas.ids import Audience, DocumentKey, EntityId, Tenant
from schemas.instant import EPOCH, FOREVER, Instant
from schemas.nugget import Evidence
from schemas.record import Belief, Kind, Record, Support
from schemas.statement import Assertion, Claim, Standing, What, Wording
from schemas.value import Value, ValueKind
from tests.derive.evidence import VOCABULARY, said, stance
from tests.derive.premises import premise

TENANT, ALL, TARN = Tenant("harbour"), Audience("*"), EntityId("tarn")
ABOUT = {DocumentKey(key): About("wiki", f"page {key}", f"Page {key.upper()}") for key in "abcd"}
GROUP = Group(TENANT, ALL, TARN, ("release", "3.12"), ABOUT, {"dock": EntityId("dock"), "crew": EntityId("crew")})


def made(*evidence: Evidence, group: Group = GROUP) -> list[Draft]:
    return nuggets(group, govern(evidence, [], VOCABULARY), VOCABULARY)


def worded(one: Evidence, **changes: object) -> Evidence:
    """Return the evidence in other words."""
    wording = replace(one.assertion.wording, **changes)  # type: ignore[arg-type]
    return replace(one, assertion=replace(one.assertion, wording=wording))


# Nuggets.


def test_a_run_is_a_record_whose_id_is_that_of_its_value_and_number() -> None:
    drafts = made(said("finch", 10, 20), said("finch", 30))
    assert [draft.record.id for draft in drafts] == [nugget_id(ALL, TARN, GROUP.scope, stance("finch"), number) for number in (0, 1)]
    assert [(draft.record.valid_from, draft.record.valid_to) for draft in drafts] == [(10, 20), (30, FOREVER)]


def test_values_are_numbered_each_on_its_own() -> None:
    drafts = made(said("finch", 10), said("reyes", 20, by="b", dated=True))
    assert [draft.record.id for draft in drafts] == [nugget_id(ALL, TARN, GROUP.scope, stance(value), 0) for value in ("finch", "reyes")]


def test_a_nugget_carries_what_is_known_of_it() -> None:
    one = worded(said("finch", 10, dated=True), subject="Tarn Works", object="Orla Finch", kind="relation", section=("Crew",), confidence=0.93)
    (draft,) = made(one)
    record = draft.record
    assert (record.kind, record.tenant, record.audience, record.belief, record.reason) == (Kind.NUGGET, TENANT, ALL, Belief.BELIEVED, "current")
    assert (record.subject, record.predicate, record.object, record.scope) == ("Tarn Works", "head", "Orla Finch", ("release", "3.12"))
    assert (record.fact_kind, record.section, record.confidence, record.said_at, record.documents) == ("relation", ("Crew",), 0.93, 10, ("a",))
    assert record.provenance == (Support("wiki", "page a", unit_id(DocumentKey("a"), "a"), 0, 9, Instant(10)),)


@pytest.mark.parametrize(("sure", "known", "confidence"), [(1.0, True, 0.9), (0.8, True, 0.8), (GOVERNS, False, 0.5), (VAGUE, False, 0.4)])
def test_a_nugget_is_as_sure_as_its_words_and_its_dates(sure: float, known: bool, confidence: float) -> None:  # noqa: FBT001 - a column of the table
    one = worded(said("finch", 10, dated=sure >= GOVERNS), dates=Dates(Period(Instant(10), Instant(20)), confidence=sure), confidence=0.9)
    (draft,) = made(one)
    assert (draft.record.validity_known, draft.record.confidence) == (known, confidence)


def test_a_fact_about_its_own_document_is_said_with_the_document_s_title() -> None:
    (draft,) = made(worded(said("finch", 10), text="owner: Orla Finch", subject=""))
    assert (draft.record.text, draft.record.subject) == ("Page A: owner: Orla Finch", "Page A")


def test_the_text_is_that_of_the_surest_wording_then_of_the_least_document_then_of_the_first_span() -> None:
    texts = {
        "surest": made(worded(said("finch", 10), text="x", confidence=0.9), worded(said("finch", 10, by="b"), text="y", confidence=0.95)),
        "document": made(worded(said("finch", 10, by="b"), text="x"), worded(said("finch", 10, by="a"), text="y")),
        "span": made(worded(said("finch", 10), text="x", start=5, unit="u"), worded(said("finch", 11), text="y", start=2, unit="u")),
        "newest": made(worded(said("finch", 10, 20), text="x", unit="u"), worded(said("finch", 15), text="y", unit="u")),
    }
    assert {name: draft.record.text.removeprefix("Page A: ").removeprefix("Page B: ") for name, (draft,) in texts.items()} == {
        "surest": "y", "document": "y", "span": "y", "newest": "y",
    }  # fmt: skip


def test_the_words_of_a_coarser_date_support_the_finer_one_but_do_not_speak_for_it() -> None:
    fine, coarse = said("2025-10-31", 10, by="b", predicate="opens"), said("2025-10", 10, predicate="opens")
    (draft,) = made(worded(fine, text="on the last day", confidence=0.9, subject="Quay"), worded(coarse, text="in October", confidence=0.99))
    assert draft.record.text == "on the last day"
    assert draft.record.documents == ("a", "b")
    assert [place.document for place in draft.record.provenance] == ["page a", "page b"]


def test_the_entities_of_a_nugget_are_its_subject_its_object_and_what_its_words_mention() -> None:
    one = worded(said("finch", 10), mentions=(("dock", "Dock"), ("crew", "Crew"), ("unknown", "Unknown")))
    assert made(one)[0].record.entities == ("tarn", "finch", "crew", "dock")
    literal = worded(said("accepted", 10, predicate="status"), mentions=(("dock", "Dock"),))
    assert made(literal)[0].record.entities == ("tarn", "dock")


def test_a_validity_is_known_if_some_statement_dates_it() -> None:
    known = [made(one)[0].record.validity_known for one in (said("finch", 10), said("finch", 10, dated=True), said("finch", 10, 30, ends_in=20))]
    assert known == [False, True, True]


def test_disputed_runs_name_the_records_that_rival_them_while_they_do() -> None:
    records = [draft.record for draft in made(said("6 m", 10, 20), said("6 m", 30), said("8 m", 15, 40, by="b"))]
    runs = {record.id: f"{_said(record)} {record.valid_from}" for record in records}
    assert {runs[record.id]: [runs[rival] for rival in record.rivals] for record in records} == {
        "6 m 10": [],
        "6 m 15": ["8 m 15"],
        "6 m 30": ["8 m 30"],
        "6 m 40": [],
        "8 m 15": ["6 m 15"],
        "8 m 20": [],
        "8 m 30": ["6 m 30"],
    }


def _said(record: Record) -> str:
    return "6 m" if "6 m" in record.text else "8 m"


def test_what_is_listed_is_cut_and_what_counts_is_not() -> None:
    many = [f"{number:03}" for number in range(SUPPORTS + 10)]
    group = replace(GROUP, about={DocumentKey(key): About("wiki", key, key) for key in many})
    (draft,) = made(*(said("finch", 10 + int(key), by=key) for key in many), group=group)
    assert len(draft.record.provenance) == len(draft.record.documents) == SUPPORTS
    assert draft.record.documents[0] == "000"
    assert draft.record.said_at == 10


# What bridges get.


def current(one: Evidence) -> Evidence:
    return replace(one, assertion=replace(one.assertion, current=True))


def test_held_runs_are_premises_and_others_are_not() -> None:
    drafts = made(said("finch", 10), said("reyes", 20, by="b", weak=True), said("vale", 20, by="c", standing=Standing.WITHDRAWN))
    assert [draft.record.belief for draft in drafts if draft.premise] == [Belief.BELIEVED]
    assert all(draft.premise for draft in made(said("6 m", 10), said("8 m", 10, by="b")))


def test_only_documents_whose_newest_version_says_so_count_for_bridges() -> None:
    (draft,) = made(current(said("finch", 10)), said("finch", 10, 90, by="b"))
    assert draft.record.documents == ("a", "b")
    assert draft.premise is not None
    assert draft.premise.documents == ("a",)


def test_a_premise_is_its_record_in_short() -> None:
    (draft,) = made(current(worded(said("not finch", 10, 20), subject="Tarn Works", object="Orla Finch")))
    record, given = draft.record, draft.premise
    assert given is not None
    assert (given.record, given.text, given.belief, given.confidence, given.scope) == (record.id, record.text, record.belief, 1.0, record.scope)
    assert (given.source_entity, given.target, given.entities, given.negated) == ("tarn", "finch", record.entities, True)
    assert (given.valid_from, given.valid_to, given.said_at, given.provenance) == (10, 20, 10, record.provenance)


def test_a_literal_is_no_target() -> None:
    (draft,) = made(said("accepted", 10, predicate="status"))
    assert draft.premise is not None
    assert draft.premise.target == ""


# Units and sections.


def unit(start: int, end: int = FOREVER, standing: Standing = Standing.EVIDENCE, what: What = What.UNIT) -> Assertion:
    claim = Claim(what, "", "", (), Value(ValueKind.TEXT, "u"))
    wording = Wording("The gate is open.", "u", 0, 17, section=("Crew", "Night"))
    return Assertion(claim, wording, Instant(start), Instant(end), Instant(start), Instant(end), standing=standing)


def stretched(*assertions: Assertion) -> Sequence[Draft]:
    return stretches(TENANT, ALL, DocumentKey("a"), ABOUT[DocumentKey("a")], assertions)


def test_each_time_that_a_document_has_a_unit_is_a_record_numbered_in_time() -> None:
    drafts = stretched(unit(30), unit(10, 20))
    assert [(draft.record.id, draft.record.valid_from, draft.record.reason) for draft in drafts] == [
        (unit_id(DocumentKey("a"), "u", 0), 10, "ended"),
        (unit_id(DocumentKey("a"), "u", 1), 30, "current"),
    ]


def test_a_unit_s_record_says_where_it_stands() -> None:
    record = stretched(unit(10))[0].record
    assert (record.kind, record.text, record.subject, record.section, record.documents) == (
        Kind.UNIT, "The gate is open.", "Page A", ("Crew", "Night"), ("a",),
    )  # fmt: skip
    assert record.provenance == (Support("wiki", "page a", unit_id(DocumentKey("a"), "u"), 0, 17, Instant(10)),)
    assert (record.belief, record.said_at, record.valid_to) == (Belief.BELIEVED, 10, FOREVER)


def test_a_section_is_found_by_the_title_of_its_document_too() -> None:
    record = stretched(unit(10, what=What.SECTION))[0].record
    assert (record.kind, record.text) == (Kind.SECTION, "Page A › The gate is open.")


def test_a_unit_that_was_taken_back_is_rejected_with_the_reason() -> None:
    records = [stretched(unit(10, 20, standing))[0].record for standing in (Standing.WITHDRAWN, Standing.CORRECTED)]
    assert [(record.belief, record.reason) for record in records] == [(Belief.REJECTED, "withdrawn"), (Belief.REJECTED, "corrected")]


# Bridges and entities.


def test_a_bridge_s_record_names_the_supports_of_both_sides_each_with_its_nugget() -> None:
    """G6, and what its kind makes the subject: the thing between, or the thing compared."""
    owns = replace(premise("1", "Tarn Works", "owns", "Gull Point", "b", start=10), provenance=(Support("wiki", "b", "u1", 0, 5, Instant(10)),))
    head = replace(premise("2", "Gull Point", "head", "Finch", "a", start=30, end=90), provenance=(Support("wiki", "a", "u2", 0, 5, Instant(30)),))
    (bridge,) = bridges(EntityId("Gull Point"), ALL, [owns, head], VOCABULARY)
    record = bridge_record(TENANT, bridge, {owns.record: owns, head.record: head})
    assert (record.id, record.kind, record.text, record.predicate, record.verified) == (bridge.id, Kind.BRIDGE, bridge.text, "chain", True)
    assert (record.valid_from, record.valid_to, record.reason, record.said_at, record.confidence) == (30, 90, "ended", 30, bridge.confidence)
    assert record.documents == ("a", "b")
    assert record.entities == ("Gull Point", "Tarn Works", "Finch")
    assert [(place.document, place.record) for place in record.provenance] == [("a", "2"), ("b", "1")]
    assert record.subject == "Gull Point"


def test_an_open_bridge_is_current_and_a_shared_subject_is_its_subject() -> None:
    head, width = premise("2", "Gull Point", "head", "Finch", "a"), premise("3", "Gull Point", "width", "8 m", "b", literal=True)
    (bridge,) = bridges(EntityId("Gull Point"), ALL, [head, width], VOCABULARY)
    record = bridge_record(TENANT, bridge, {head.record: head, width.record: width})
    assert (record.reason, record.subject, record.predicate) == ("current", "Gull Point", "shared subject")


def test_an_entity_is_found_by_all_its_names_and_always_valid() -> None:
    page = (DocumentKey("a"), ABOUT[DocumentKey("a")])
    record = entity_record(TENANT, ALL, TARN, "Tarn Works", ["HCS", "Tarn Works"], [page])
    assert (record.id, record.kind, record.text, record.subject) == ("tarn", Kind.ENTITY, "Tarn Works (also HCS)", "Tarn Works")
    assert (record.valid_from, record.valid_to, record.entities, record.documents) == (EPOCH, FOREVER, ("tarn",), ("a",))
    assert record.provenance == (Support("wiki", "page a", "", 0, 0, EPOCH),)
    assert entity_record(TENANT, ALL, TARN, "Tarn Works", ["Tarn Works"], []).text == "Tarn Works"


def test_a_renamed_predicate_keeps_its_ids_and_shows_its_present_name() -> None:
    renamed = replace(VOCABULARY, renamed={"head": "headed by"}, first={"headed by": "head"})
    evidence = [said("reyes", 10)]
    (before,), (after,) = nuggets(GROUP, govern(evidence, [], VOCABULARY), VOCABULARY), nuggets(GROUP, govern(evidence, [], renamed), renamed)
    assert (before.record.id, before.record.predicate, after.record.predicate) == (after.record.id, "head", "headed by")
