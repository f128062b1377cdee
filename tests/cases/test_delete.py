"""Acceptance cases about updates, removals and leftovers: C01 to C09, and of C10 what needs no listing."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from connectors.extractor import Extractor
from connectors.spacy_extractor import SpacyExtractor
from retrieval.filter import View, condition
from schemas.change import audience_of
from schemas.errors import BadReading
from schemas.fact import Fact
from schemas.ids import document_key
from schemas.instant import FOREVER
from schemas.receipt import Outcome
from schemas.record import Kind, Record, Status
from tests.cases.conftest import Open
from tests.cases.desk import NOTHING, WIKI, Desk, day, delete, put

NINETY, SEVENTY_FIVE = "The night ferry carries 90 cars.", "The night ferry carries 75 cars."
NINE, ELEVEN = "Night ferry calls at nine quays.", "Night ferry calls at eleven quays."
FINCH_CHAIRS = "Orla Finch chairs the Dock Board."
FINCH, REYES = "Orla Finch heads Tarn Works.", "Milo Reyes has headed Tarn Works since 2024-01-01."


def _sources(record: Record) -> set[str]:
    return {support.document for support in record.provenance}


def test_c01_statements_dropped_by_a_new_version_are_found_only_as_of_before(milvus_desk: Desk) -> None:
    desk = milvus_desk
    desk.put("ferry", 1, "The night ferry carries 90 cars.\n\nIt calls at nine quays.", at="2024-01-10", title="Night Ferry Guide")
    desk.put("ferry", 2, "The night ferry carries 75 cars.\n\nIt calls at eleven quays.", at="2024-02-10", title="Night Ferry Guide")
    for old, new in ((NINETY, SEVENTY_FIVE), (NINE, ELEVEN)):
        assert (desk.status(old), desk.nugget(old).valid_to) == (Status.DEPRECATED, day("2024-02-10"))
        assert (desk.status(new), desk.nugget(new).valid_to) == (Status.ACTIVE, FOREVER)
    question = "How many cars does the night ferry carry, and at how many quays does it call?"
    assert desk.facts(question) == {SEVENTY_FIVE, ELEVEN}
    assert "90" not in desk.told(question)
    assert "nine" not in desk.told(question)
    assert desk.facts(question, at="2024-02-09") == {NINETY, NINE}
    assert "75" not in desk.told(question, at="2024-02-09")
    assert "eleven" not in desk.told(question, at="2024-02-09")


def test_c02_deleting_one_of_two_documents_with_one_title_leaves_the_other_untouched(milvus_desk: Desk) -> None:
    desk = milvus_desk
    desk.put("north/guide", 1, "The north pier opens at six.", title="Guide", path="north/guide.md")
    desk.put("south/guide", 1, "The south pier opens at nine.", title="Guide", path="south/guide.md")
    north, south = (document_key(WIKI, document) for document in ("north/guide", "south/guide"))
    before = [record for record in desk.records() if record.documents == (south,)]
    assert {record.kind for record in before} == {Kind.NUGGET, Kind.UNIT, Kind.ENTITY}
    work = desk.delete("north/guide", 2, at="2024-07-01")
    assert work.writes > 0
    assert all(north in row.record.documents for row in work.rows)  # the title that both bore is a record of both
    assert [record for record in desk.records() if record.documents == (south,)] == before
    assert desk.facts("When does the pier open?") == {"The south pier opens at nine."}


def test_c03_a_shared_fact_lives_until_its_last_source_goes(desk: Desk) -> None:
    desk.put("a", 1, FINCH_CHAIRS)
    desk.put("b", 1, FINCH_CHAIRS)
    assert _sources(desk.nugget(FINCH_CHAIRS)) == {"a", "b"}
    first = desk.delete("a", 2, at="2024-07-01")
    assert first.extract == 0
    assert (desk.status(FINCH_CHAIRS), _sources(desk.nugget(FINCH_CHAIRS))) == (Status.ACTIVE, {"b"})
    second = desk.delete("b", 2, at="2024-07-02")
    assert second.extract == 0
    assert (desk.status(FINCH_CHAIRS), desk.nugget(FINCH_CHAIRS).reason) == (Status.DEPRECATED, "withdrawn")
    assert desk.told("Who chairs the Dock Board?") == ""
    assert {(hit.record.text, hit.status) for hit in desk.ask("Who chairs the Dock Board?", view="all")} == {(FINCH_CHAIRS, Status.DEPRECATED)}


def _succession(desk: Desk) -> None:
    desk.put("a", 1, FINCH, at="2023-05-01")
    desk.put("b", 1, REYES, at="2024-02-01")
    assert (desk.status(FINCH), desk.nugget(FINCH).valid_to) == (Status.DEPRECATED, day("2024-01-01"))
    assert desk.status(REYES) == Status.ACTIVE
    assert desk.facts("Who heads Tarn Works?") == {REYES}


def test_c04_deleting_the_successor_source_brings_the_former_head_back(desk: Desk) -> None:
    _succession(desk)
    work = desk.delete("b", 2, at="2024-06-01")
    assert (desk.status(FINCH), desk.nugget(FINCH).valid_to) == (Status.ACTIVE, FOREVER)
    assert desk.status(REYES) == Status.DEPRECATED
    assert desk.facts("Who heads Tarn Works?") == {FINCH}
    moved = {one.text: one for one in work.transitions if one.kind is Kind.NUGGET}
    assert set(moved) == {FINCH, REYES}
    for one in moved.values():
        assert [(cause.kind, cause.document, cause.order) for cause in one.causes] == [("delete", "b", "2")]


def test_c04_editing_the_succession_away_ends_it_at_the_edit(desk: Desk) -> None:
    _succession(desk)
    desk.put("b", 2, "Tarn Works has two yards.", at="2024-06-01")
    assert desk.status(FINCH) == Status.ACTIVE
    assert (desk.status(REYES), desk.nugget(REYES).valid_to) == (Status.DEPRECATED, day("2024-06-01"))
    assert desk.facts("Who heads Tarn Works?") == {FINCH, "Tarn Works has two yards."}
    assert desk.facts("Who heads Tarn Works?", at="2024-03-01") == {REYES}
    assert desk.facts("Who heads Tarn Works?", at="2023-06-01") == {FINCH}


def test_c05_a_bridge_goes_in_the_same_transaction_as_what_it_stood_on(desk: Desk) -> None:
    desk.put("a", 1, "Gull Point belongs to Tarn Works.")
    joined = desk.put("b", 1, "The Blue Ferry stops at Gull Point.")
    (bridge,) = desk.records(Kind.BRIDGE)
    assert _sources(bridge) == {"a", "b"}
    assert [receipt.added for receipt in joined.receipts] == [1]
    before = desk.nugget("Gull Point belongs to Tarn Works.")
    work = desk.put("b", 2, "The Blue Ferry stops at West Quay.", at="2024-07-01")
    assert any(row.record.id == bridge.id and row.record.deleted for row in work.rows)
    assert [receipt.removed for receipt in work.receipts] == [1]
    assert desk.records(Kind.BRIDGE) == []
    assert Kind.BRIDGE not in {hit.record.kind for hit in desk.ask("Does the Blue Ferry stop at Gull Point?")}
    assert desk.nugget("Gull Point belongs to Tarn Works.") == before


def test_c05_no_bridge_lists_a_fact_that_is_not_live(desk: Desk) -> None:
    desk.put("a", 1, "Gull Point belongs to Tarn Works.")
    desk.put("b", 1, "The Blue Ferry stops at Gull Point.")
    desk.put("c", 1, "Ines Vale manages Gull Point.")
    assert len(desk.records(Kind.BRIDGE)) > 1
    desk.put("b", 2, "The Blue Ferry stops at West Quay.", at="2024-07-01")
    live = {record.id for record in desk.records(Kind.NUGGET) if record.status is Status.ACTIVE}
    left = desk.records(Kind.BRIDGE)
    assert left
    assert all({support.record for support in bridge.provenance} <= live for bridge in left)


THREE = "The mole is 300 m long.\n\nThe crane lifts 40 tonnes.\n\nOrla Finch chairs the Dock Board."


@pytest.mark.parametrize("empty", ["", "  \n\t"])
def test_c06_an_empty_body_says_nothing_and_the_document_stays(desk: Desk, empty: str) -> None:
    desk.put("port", 1, THREE, title="Port Guide", readers=["*"])
    facts = {record.text for record in desk.records(Kind.NUGGET)}
    assert len(facts) == 3
    work = desk.put("port", 2, empty, at="2024-07-01")
    assert (work.extract, work.outcomes) == (0, [Outcome.APPLIED])
    assert {desk.status(fact) for fact in facts} == {Status.DEPRECATED}
    assert {record.status for record in desk.records(Kind.UNIT)} == {Status.DEPRECATED}
    assert [record.text for record in desk.records(Kind.ENTITY) if record.documents] == ["Port Guide"]
    again = desk.put("port", 3, THREE, at="2024-08-01")
    assert again.extract == 0
    assert {desk.status(fact) for fact in facts} == {Status.ACTIVE}
    assert {record.audience for record in desk.records()} == {audience_of({"*"})}


class Failing:
    """An extractor that fails on texts with a certain word so many times, and then reads them."""

    def __init__(self, extractor: Extractor, word: str, times: int) -> None:
        self.fingerprint = extractor.fingerprint
        self._extractor = extractor
        self._word = word
        self._left = times

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        if self._left and any(self._word in block for block in blocks):
            self._left -= 1
            message = f"no answer for a text with {self._word!r}"
            raise BadReading(message)
        return self._extractor.extract(blocks)


def test_c07_a_version_that_cannot_be_read_leaves_the_one_before_and_can_be_replayed(opened: Open, english: SpacyExtractor) -> None:
    desk = opened(extractor=Failing(english, "75", times=3))
    desk.put("ferry", 1, NINETY, at="2024-01-10")
    second = put("ferry", 2, SEVENTY_FIVE, at="2024-02-10")
    failed = desk.take(second)
    assert failed.outcomes == [Outcome.DEAD_LETTER]
    (letter,) = failed.letters
    assert (letter.step, letter.attempts, letter.document) == ("read", 3, "ferry")
    assert letter.reason == "body: no answer for a text with '75'"
    assert desk.told("How many cars?") == NINETY
    replayed = desk.take(second)
    assert (replayed.outcomes, replayed.extract) == ([Outcome.APPLIED], 1)
    assert (desk.status(NINETY), desk.status(SEVENTY_FIVE)) == (Status.DEPRECATED, Status.ACTIVE)
    assert desk.told("How many cars?") == SEVENTY_FIVE


def test_c08_of_twin_documents_each_is_found_whatever_becomes_of_the_other(desk: Desk) -> None:
    def twin() -> tuple[str, bool]:
        found = desk.told("How many cars does the night ferry carry?", document="b")
        return found, "b" in _sources(desk.nugget(NINETY))

    assert desk.put("a", 1, NINETY).extract == 1
    assert desk.put("b", 1, NINETY).extract == 0
    assert _sources(desk.nugget(NINETY)) == {"a", "b"}
    assert twin() == (NINETY, True)
    desk.put("a", 2, "The day ferry carries 40 cars.", at="2024-06-02")
    assert twin() == (NINETY, True)
    desk.delete("a", 3, at="2024-06-03")
    assert twin() == (NINETY, True)
    again = desk.put("b", 1, NINETY)
    assert (again.counters, again.outcomes) == (NOTHING, [Outcome.DUPLICATE])
    same = desk.put("b", 2, NINETY, at="2024-06-04")
    assert (same.counters, same.outcomes) == (NOTHING, [Outcome.UNCHANGED])
    assert twin() == (NINETY, True)
    assert {unit.status for unit in desk.records(Kind.UNIT) if _sources(unit) == {"b"}} == {Status.ACTIVE}


def _quay(number: int) -> str:
    return (
        f"## Quay {number}\n\nQuay {number} has {number + 20} bollards. Its crane lifts {number + 40} tonnes, and its shed holds "
        f"{number + 60} pallets. The watch of the quay is kept from the hut at its end, which has a lamp, a stove and a telephone. "
    )


def test_c09_a_document_that_shrinks_to_three_units_has_three(desk: Desk) -> None:
    desk.put("quays", 1, "\n\n".join(map(_quay, range(1, 11))))
    assert _live_units(desk) == 10
    work = desk.put("quays", 2, "\n\n".join(map(_quay, range(1, 4))), at="2024-07-01")
    assert work.extract == 0
    assert _live_units(desk) == 3
    told = desk.told("bollards crane shed pallets of quay 4 5 6 7 8 9 10", document="quays")
    assert "Quay 3 has" in told
    assert not any(f"Quay {number} has" in told for number in range(4, 11))


def _live_units(desk: Desk) -> int:
    """Count by document id, in the default view."""
    default = condition(desk.tenant, frozenset({audience_of({"*"})}), desk.clock, View.FULL)
    where = replace(default, kinds=frozenset({Kind.UNIT}), documents=frozenset({document_key(WIKI, "quays")}))
    return sum(where.admits(record) for record in desk.records())


def test_c10_of_the_deleted_page_nothing_comes_back_with_a_full_replay(desk: Desk) -> None:
    pages = [put(f"page {number}", 1, f"The pier {number} opens at six.") for number in range(10)]
    desk.take(*pages)
    desk.take(delete("page 7", 2, at="2024-07-01"))
    assert {desk.take(page).counters for page in pages} == {NOTHING}
    assert desk.told("When does pier 7 open?", document="page 7") == ""
