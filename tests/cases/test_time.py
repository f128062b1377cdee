"""Acceptance cases about validity and conflict: C30, C31, C33 and C34."""

from retrieval.answer import context
from schemas.ids import RecordId, document_key
from schemas.instant import FOREVER
from schemas.record import Kind, Status
from tests.cases.desk import WIKI, Desk, day, put

SIX, EIGHT = "The sea lock is 6 m wide.", "The sea lock is 8 m wide."
WIDE = "How wide is the sea lock?"
PERMIT = "The pilot permit is valid until 2031-06-30."


def test_c30_roles_that_add_up_never_close_each_other(desk: Desk) -> None:
    works, maintains = "Ines Vale works for Tarn Works.", "Ines Vale maintains the tarn-tools repository of Tarn Works."
    desk.put("staff", 1, works, at="2024-01-10")
    desk.put("tools", 1, maintains, at="2024-02-10")
    assert {desk.status(fact) for fact in (works, maintains)} == {Status.ACTIVE}
    assert {desk.nugget(fact).valid_to for fact in (works, maintains)} == {FOREVER}
    assert {works, maintains} <= set(desk.told("What does Ines Vale do for Tarn Works?").splitlines())


def test_c31_one_fact_of_two_documents_in_one_batch_is_one_nugget_with_two_sources(desk: Desk) -> None:
    fact = "Orla Finch chairs the Dock Board."
    work = desk.take(put("a", 1, f"{fact} The board meets on Fridays."), put("b", 1, fact))
    assert [record.text for record in work.written if record.kind is Kind.NUGGET].count(fact) == 1
    nugget = desk.nugget(fact)
    assert (nugget.status, nugget.rivals) == (Status.ACTIVE, ())
    units = {unit.id: unit for unit in desk.records(Kind.UNIT)}
    assert {support.document for support in nugget.provenance} == {"a", "b"}
    for support in nugget.provenance:
        unit = units[RecordId(support.unit)]
        assert unit.documents == (document_key(WIKI, support.document),)
        assert unit.text[support.start : support.end] == fact


def test_c33_two_values_of_one_day_dispute_each_other_until_one_is_corrected(desk: Desk) -> None:
    desk.put("survey", 1, SIX)
    desk.put("chart", 1, EIGHT)
    six, eight = desk.nugget(SIX), desk.nugget(EIGHT)
    assert (six.status, six.rivals) == (Status.CONTESTED, (eight.id,))
    assert (eight.status, eight.rivals) == (Status.CONTESTED, (six.id,))
    shown = {hit.record.id: hit for hit in desk.ask(WIDE) if hit.record.kind is Kind.NUGGET}
    assert {hit.status for hit in shown.values()} == {Status.CONTESTED}
    assert [{support.document for support in rival.provenance} for rival in shown[six.id].rivals] == [{"chart"}]
    assert [{support.document for support in rival.provenance} for rival in shown[eight.id].rivals] == [{"survey"}]
    lines = context(desk.ask(WIDE)).splitlines()
    assert sum(line.startswith(f"[DISPUTED] {SIX}") for line in lines) == 1
    assert sum(line.startswith(f"[DISPUTED] {EIGHT}") for line in lines) == 1
    assert desk.facts(WIDE, view="active") == set()
    desk.put("chart", 2, SIX, at="2024-07-01")
    assert [desk.status(SIX), desk.status(EIGHT)] == [Status.ACTIVE, Status.DEPRECATED]
    assert desk.told(WIDE, view="active") == SIX


def test_c34_an_end_in_the_future_comes_without_an_event(desk: Desk) -> None:
    desk.put("permit", 1, PERMIT, at="2024-06-01")
    assert desk.status(PERMIT) == Status.ACTIVE
    assert (desk.nugget(PERMIT).valid_to, desk.nugget(PERMIT).validity_known) == (day("2031-07-01"), True)
    question = "Is the pilot permit valid?"
    assert desk.facts(question, view="all") == {PERMIT}
    assert [hit.status for hit in desk.ask(question, at="2031-06-30") if hit.record.kind is Kind.NUGGET] == [Status.ACTIVE]
    assert desk.facts(question, at="2031-07-01") == set()
    assert desk.store.next_wake() == day("2031-07-01")
    work = desk.tick("2031-07-01")
    assert [(one.after.status if one.after else None, [cause.kind for cause in one.causes]) for one in work.transitions] == [
        (Status.DEPRECATED, ["clock"])
    ]
    assert (desk.nugget(PERMIT).status, desk.facts(question)) == (Status.DEPRECATED, set())
