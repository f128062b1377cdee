"""What a version of a document states, given what its body says (DESIGN.md 5.3): document and dates stay open, so that a copy states the same."""

from dataclasses import replace

import pytest

from derive.bind import claim_key, scope_part, section_key, short_key, state_of, unit_key, wording_key
from schemas.fact import SELF, Dates, Fact, FactKind, Relative
from schemas.ids import ContentHash
from schemas.statement import Claim, What, Wording
from schemas.value import Value, ValueKind
from schemas.version import Reading, Section, Unit
from schemas.vocabulary import Cardinality, Predicate, Vocabulary

VOCABULARY = Vocabulary(
    predicates={
        "head": Predicate("head", Cardinality.FUNCTIONAL, "name"),
        "eol": Predicate("eol", Cardinality.FUNCTIONAL, "date"),
        "member": Predicate("member", Cardinality.MULTI, "name"),
        "status": Predicate("status", Cardinality.FUNCTIONAL, "text", synonyms={"draft": "draft", "wip": "draft"}),
    },
    renamed={"state": "status"},
    first={"status": "state"},
)
FACT = Fact("Orla Finch heads Tarn Works.", FactKind.RELATION, "Tarn Works", "head", "Orla Finch", 0, 28, 0.9, mentions=("Tarn Works", "Orla Finch"))
TEXT = "Orla Finch heads Tarn Works. So it says on the door of the gate house."


def reading(*facts: Fact, sections: tuple[Section, ...] = ()) -> Reading:
    return Reading(ContentHash("c"), (Unit(TEXT, ("Crew",), 0, len(TEXT), facts=facts),), sections)


def facts_of(*facts: Fact, incarnation: int = 0) -> list[tuple[Claim, Wording]]:
    return [pair for pair in state_of(reading(*facts), VOCABULARY, incarnation).values() if pair[0].what is What.FACT]


def test_a_fact_becomes_a_claim_in_normal_form_with_its_wording() -> None:
    ((claim, wording),) = facts_of(FACT)
    assert claim == Claim(What.FACT, "tarn work", "head", (), Value(ValueKind.NAME, "orla finch"))
    assert (wording.text, wording.start, wording.end, wording.confidence, wording.kind) == (FACT.text, 0, 28, 0.9, "relation")
    assert (wording.subject, wording.object, wording.section) == ("Tarn Works", "Orla Finch", ("Crew",))
    assert wording.mentions == (("orla finch", "Orla Finch"), ("tarn work", "Tarn Works"))


def test_rewording_within_the_vocabulary_is_the_same_claim_and_a_renamed_predicate_is_stored_as_before() -> None:
    before, after = (replace(FACT, subject=SELF, predicate="status", object=words) for words in ("WIP", "Draft"))
    ((first, said),), ((second, other),) = facts_of(before), facts_of(after)
    assert first == second == Claim(What.FACT, SELF, "state", (), Value(ValueKind.TEXT, "draft"))
    assert (said.object, other.object) == ("WIP", "Draft")
    assert facts_of(replace(before, predicate="state"))[0][0] == first


def test_the_document_itself_stays_open() -> None:
    ((claim, wording),) = facts_of(replace(FACT, subject=SELF, mentions=(SELF, "Orla Finch")))
    assert (claim.subject, wording.subject) == (SELF, "")
    assert wording.mentions == (("orla finch", "Orla Finch"),)


def test_relative_dates_stay_open() -> None:
    ((_, wording),) = facts_of(replace(FACT, dates=Dates(Relative("last Tuesday"))))
    assert wording.dates == Dates(Relative("last Tuesday"))


def test_short_forms_are_the_full_names_of_the_same_document() -> None:
    short = replace(FACT, text="Mr. Finch chairs it.", object="Mr. Finch", mentions=("Mr. Finch",), predicate="member")
    full = replace(FACT, subject="Dock Board")
    claims = {claim.predicate: (claim, wording) for claim, wording in facts_of(short, full)}
    assert claims["member"][0].value == Value(ValueKind.NAME, "orla finch")
    assert (claims["member"][1].object, claims["member"][1].mentions) == ("Orla Finch", (("orla finch", "Orla Finch"),))


def test_a_short_form_is_the_subject_by_its_full_name_too() -> None:
    short = replace(FACT, subject="Mr. Finch", predicate="member", object="Dock Board", mentions=("Mr. Finch", "Dock Board"))
    assert {claim.subject for claim, _ in facts_of(short, FACT)} == {"orla finch", "tarn work"}


@pytest.mark.parametrize(("confidence", "weak"), [(0.85, False), (0.99, False), (0.84, True), (0.6, True)])
def test_the_gate_keeps_doubtful_facts_as_weak(confidence: float, weak: bool) -> None:  # noqa: FBT001 - a column of the table
    ((claim, _),) = facts_of(replace(FACT, confidence=confidence))
    assert claim.weak is weak


def test_the_gate_refuses_facts_below_it() -> None:
    assert facts_of(replace(FACT, confidence=0.59)) == []


@pytest.mark.parametrize(("start", "end"), [(-1, 5), (5, 4), (0, len(TEXT) + 1)])
def test_a_fact_whose_span_is_not_in_the_unit_is_refused(start: int, end: int) -> None:
    assert facts_of(replace(FACT, start=start, end=end)) == []


def test_scopes_are_compared_without_case_width_and_spacing() -> None:
    assert scope_part(" Release\u00a0 ３.12 ") == "release 3.12"
    assert scope_part("C++") != scope_part("C")
    ((claim, _),) = facts_of(replace(FACT, scope=("Release", "3.12")))
    assert claim.scope == ("release", "3.12")


def test_units_and_sections_are_claims_of_their_own() -> None:
    section = Section(("Crew", "Night"), 0, 9)
    pairs = list(state_of(reading(FACT, sections=(section,)), VOCABULARY).values())
    by_what = {claim.what: (claim, wording) for claim, wording in pairs}
    assert by_what[What.SECTION][0].value == Value(ValueKind.TEXT, section_key(section))
    assert (by_what[What.SECTION][1].text, by_what[What.SECTION][1].section) == ("Crew › Night", ("Crew", "Night"))
    assert by_what[What.UNIT][1].text == TEXT
    assert by_what[What.FACT][1].unit == by_what[What.UNIT][1].unit == by_what[What.UNIT][0].value.normal


# Structure.


def structural(value: str, *, subject: str = SELF, scope: tuple[str, ...] = ("releases", "3.12"), predicate: str = "eol") -> Fact:
    return Fact(f"eol is {value}", FactKind.ATTRIBUTE, subject, predicate, value, 0, 10, 0.99, scope=scope, structural=True)


def values_of(*facts: Fact) -> list[str]:
    return sorted(claim.value.normal for claim, _ in facts_of(*facts))


def test_of_a_record_key_that_is_repeated_in_nested_data_the_last_wins() -> None:
    assert values_of(structural("2027-10-31"), structural("2028-10-31")) == ["2028-10-31"]
    assert values_of(structural("2027-10-31"), structural("2028-10-31"), structural("2027-10-31")) == ["2027-10-31"]


def test_a_repeated_record_key_with_the_same_value_is_stated_in_both_places() -> None:
    found = facts_of(structural("2027-10-31"), replace(structural("2027-10-31"), start=3))
    assert [(claim.value.normal, wording.start) for claim, wording in found] == [("2027-10-31", 0), ("2027-10-31", 3)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (structural("2027-10-31"), structural("2028-10-31", scope=("releases", "3.13"))),
        (structural("2027-10-31"), structural("2028-10-31", subject="Gull Point")),
        (structural("2027-10-31", scope=()), structural("2028-10-31", scope=())),
        (structural("Orla Finch", predicate="member"), structural("Milo Reyes", predicate="member")),
        (structural("2027-10-31"), replace(structural("2028-10-31"), structural=False)),
    ],
)
def test_other_places_outer_data_several_values_and_prose_are_left_alone(one: Fact, other: Fact) -> None:
    assert len(values_of(one, other)) == 2


# Keys.


def test_one_statement_in_two_versions_has_one_key_and_every_part_of_it_counts() -> None:
    ((claim, wording),) = facts_of(FACT)
    changed_claims = [
        replace(claim, what=What.UNIT), replace(claim, subject="x"), replace(claim, predicate="x"), replace(claim, scope=("x",)),
        replace(claim, value=Value(ValueKind.TEXT, "orla finch")), replace(claim, value=Value(ValueKind.NAME, "x")), replace(claim, negated=True),
        replace(claim, structural=True), replace(claim, weak=True), replace(claim, incarnation=1),
    ]  # fmt: skip
    assert claim_key(replace(claim)) == claim_key(claim)
    assert len({claim_key(claim), *map(claim_key, changed_claims)}) == 11
    changed_wordings = [
        replace(wording, text="x"), replace(wording, unit="x"), replace(wording, start=1), replace(wording, end=1), replace(wording, subject="x"),
        replace(wording, object="x"), replace(wording, kind="x"), replace(wording, confidence=0.5), replace(wording, dates=Dates(Relative("now"))),
        replace(wording, dates=Dates(Relative("now"), confidence=0.5)), replace(wording, mentions=()), replace(wording, section=()),
    ]  # fmt: skip
    assert wording_key(replace(wording)) == wording_key(wording)
    assert len({wording_key(wording), *map(wording_key, changed_wordings)}) == 13


def test_claims_of_two_lives_of_a_document_never_meet() -> None:
    assert state_of(reading(FACT), VOCABULARY, 0).keys().isdisjoint(state_of(reading(FACT), VOCABULARY, 1))


def test_a_unit_is_known_by_content_section_and_occurrence() -> None:
    unit = Unit("text", ("Crew",), 0, 4)
    assert unit_key(replace(unit, start=7, end=11)) == unit_key(unit)
    assert len({unit_key(one) for one in (unit, replace(unit, text="x"), replace(unit, section=()), replace(unit, number=1))}) == 4
    section = Section(("Crew",), 0, 4)
    assert section_key(replace(section, start=9, end=12)) == section_key(section)
    assert len({section_key(one) for one in (section, replace(section, path=("x",)), replace(section, number=1))}) == 3


def test_short_keys_fit_in_sixty_three_bits() -> None:
    assert all(0 <= short_key(number) < 2**63 for number in range(100))
