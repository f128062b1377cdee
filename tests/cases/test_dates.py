"""Acceptance cases about dates and intervals: C20, C29, C32, C40 and C41."""

from pathlib import Path

import orjson
import pytest

from connectors.broker import Broker
from connectors.milvus_server import MilvusServer
from connectors.spacy_extractor import SpacyExtractor
from schemas.instant import EPOCH, FOREVER
from schemas.message import Message
from schemas.receipt import Outcome
from schemas.record import Kind, Record, Status
from state.gate import RUNS_BACKWARDS, SUSPECT
from tests.cases.desk import TOPIC, Desk, day, put
from tests.cases.mill import SETTINGS, Mill

SIX, EIGHT = "The sea lock is 6 m wide.", "The sea lock is 8 m wide."
LED, LEADS = "Ines Vale led the Lock Crew from 2023-01 to 2023-06.", "Ines Vale leads the Lock Crew from 2025-02."
MARKDOWN = "text/markdown"


def said(desk: Desk, predicate: str) -> dict[str, Record]:
    """Return the nuggets of a predicate by what they say."""
    return {record.object: record for record in desk.records(Kind.NUGGET) if record.predicate == predicate}


@pytest.mark.parametrize("together", [False, True])
def test_c20_a_clock_in_the_past_ends_nothing_before_it_began(desk: Desk, together: bool) -> None:  # noqa: FBT001 - a column of the table
    first, second = put("gate", 1, SIX, at="2024-06-01"), put("gate", 2, EIGHT, at="2014-06-01")
    receipts = desk.take(first, second).receipts if together else (*desk.take(first).receipts, *desk.take(second).receipts)
    assert [(one.outcome, one.event_time, one.reason) for one in receipts] == [
        (Outcome.APPLIED, day("2024-06-01"), ""),
        (Outcome.APPLIED, day("2014-06-01"), RUNS_BACKWARDS),
    ]
    assert desk.told("How wide is the sea lock?", view="active") == EIGHT
    assert desk.nugget(EIGHT).valid_from == day("2024-06-01")
    assert all(record.valid_from < record.valid_to for record in desk.records())
    (third,) = desk.put("gate", 3, SIX, at="2024-07-01").receipts
    assert (third.reason, desk.nugget(EIGHT).valid_to) == ("", day("2024-07-01"))


def test_c20_a_clock_before_every_wiki_is_suspect_too(desk: Desk) -> None:
    (receipt,) = desk.put("gate", 1, SIX, at="1970-01-01").receipts
    assert (receipt.outcome, receipt.event_time, receipt.reason) == (Outcome.APPLIED, 0, SUSPECT)


@pytest.mark.parametrize("documents", [("crew", "crew"), ("crew", "rota"), ("rota", "crew")])
def test_c29_a_fact_that_recurs_has_two_intervals_and_both_are_kept(desk: Desk, documents: tuple[str, str]) -> None:
    texts: dict[str, str] = {}
    for document, sentence in zip(documents, (LED, LEADS), strict=True):
        texts[document] = f"{texts.get(document, '')} {sentence}".strip()
    desk.take(*(put(document, 1, text, at="2025-03-01") for document, text in sorted(texts.items())))
    question = "Who leads the Lock Crew?"
    assert desk.facts(question, at="2023-03-15") == {LED}
    assert desk.facts(question, at="2024-03-15") == set()
    assert desk.facts(question, at="2025-03-15") == {LEADS}
    runs = [desk.nugget(LED), desk.nugget(LEADS)]
    assert [(run.valid_from, run.valid_to) for run in runs] == [(day("2023-01-01"), day("2023-07-01")), (day("2025-02-01"), FOREVER)]
    assert all(run.validity_known for run in runs)
    assert len({(run.subject, run.predicate, run.object) for run in runs}) == 1


MOMENT = day("2031-02-03T00:00:00Z")
FORMS: list[dict[str, object]] = [
    {"time": "2031-02-03"},
    {"time": "2031-02-03T00:00:00"},
    {"time": "2031-02-03T00:00:00Z"},
    {"time": "2031-02-03T05:30:00+05:30"},
    {"time": MOMENT // 1000, "time_unit": "s"},
    {"time": MOMENT, "time_unit": "ms"},
]


def test_c32_event_times_of_every_form_are_one_instant(desk: Desk) -> None:
    desk.tick("2031-02-04")
    changes = [{"id": f"page {number}", "order": 1, "body": SIX, **form} for number, form in enumerate(FORMS)]
    receipts = desk.take(*(Message(TOPIC, 0, 0, -1, EPOCH, b"page", orjson.dumps(change)) for change in changes)).receipts
    assert {(one.outcome, one.event_time) for one in receipts} == {(Outcome.APPLIED, MOMENT)}
    assert len(desk.nugget(SIX).provenance) == len(FORMS)


def test_c32_dates_of_every_form_in_fields_are_comparable_and_keep_their_precision(desk: Desk) -> None:
    forms = ["2031-02-03", "2031-02-03T00:00:00", "2031-02-03T00:00:00Z", "2031-02-03T05:30:00+05:30"]
    for number, form in enumerate(forms):
        desk.put(f"survey {number}", 1, f"---\nsubject: x\n---\n\n| Lock | Release date |\n|---|---|\n| Sea Lock | {form} |\n", media_type=MARKDOWN)
    runs = [record for record in desk.records(Kind.NUGGET) if record.predicate == "release date" and record.subject == "Sea Lock"]
    assert {run.status for run in runs} == {Status.ACTIVE}
    assert {support.document for run in runs for support in run.provenance} == {f"survey {number}" for number in range(len(forms))}
    assert {run.object for run in runs} <= {
        "2031-02-03T00:00:00Z",
        "2031-02-03T05:30:00+05:30",
    }  # the day counts for the instant, and is hidden beside it


ENDS = "Support of Harbour OS ends in {}."


def test_c40_a_plan_that_moves_takes_its_old_date_with_it(desk: Desk) -> None:
    desk.put("plan", 1, ENDS.format(2031), at="2024-06-01")
    desk.put("plan", 2, ENDS.format(2036), at="2025-06-01")
    assert [desk.status(ENDS.format(year)) for year in (2031, 2036)] == [Status.DEPRECATED, Status.ACTIVE]
    assert desk.nugget(ENDS.format(2031)).valid_to == day("2025-06-01")


LISTS = "## Planned editions\n\n{}\n\n## Past editions\n\n{}\n"
OTHER, LATER, LAST = "- Edition 3.8: 2035-06-03", "- Edition 3.11: 2037-06-03", "- Edition 3.10: 2036-06-{}"


def test_c40_a_line_that_moves_between_lists_is_the_same_fact_and_a_corrected_date_another(desk: Desk) -> None:
    def edition() -> dict[str, tuple[Status, int, int]]:
        return {value: (one.status, one.valid_from, one.valid_to) for value, one in said(desk, "edition 3.10").items()}

    desk.put("editions", 1, LISTS.format(f"{LAST.format('03')}\n{LATER}", OTHER), at="2030-01-01", media_type=MARKDOWN)
    planned = edition()
    assert planned == {"2036-06-03": (Status.ACTIVE, day("2030-01-01"), FOREVER)}
    work = desk.put("editions", 2, LISTS.format(LATER, f"{OTHER}\n{LAST.format('03')}"), at="2036-06-04", media_type=MARKDOWN)
    assert edition() == planned
    assert {one.record for one in work.transitions}.isdisjoint(desk.ids(Kind.NUGGET))
    desk.put("editions", 3, LISTS.format(LATER, f"{OTHER}\n{LAST.format('06')}"), at="2036-06-10", media_type=MARKDOWN)
    assert edition() == {
        "2036-06-03": (Status.DEPRECATED, day("2030-01-01"), day("2036-06-10")),
        "2036-06-06": (Status.ACTIVE, day("2036-06-10"), FOREVER),
    }


SCHEDULES = [
    ("2030-10-01", ["2.0 candidate 2: Monday, 2031-02-10", "2.0 final: Monday, 2031-03-03"]),
    ("2030-12-01", ["2.0 candidate 2: Tuesday, 2031-01-28", "2.0 candidate 3: Thursday, 2031-02-20", "2.0 final: Thursday, 2031-03-13"]),
    ("2031-02-01", ["2.0 candidate 2: Tuesday, 2031-01-28", "2.0 candidate 3: Monday, 2031-02-24", "2.0 final: 2031-03-13"]),
]


def test_c41_lines_of_a_schedule_move_each_on_its_own(desk: Desk) -> None:
    for order, (at, lines) in enumerate(SCHEDULES, start=1):
        desk.put("schedule", order, "# Schedule\n\n" + "".join(f"- {line}\n" for line in lines), at=at, media_type=MARKDOWN)
    spans = {(record.predicate, record.object): (record.status, record.valid_from, record.valid_to) for record in desk.records(Kind.NUGGET)}
    first, second, third = (day(at) for at, _ in SCHEDULES)
    assert spans == {
        ("2.0 candidate 2", "Monday, 2031-02-10"): (Status.DEPRECATED, first, second),
        ("2.0 candidate 2", "Tuesday, 2031-01-28"): (Status.ACTIVE, second, FOREVER),
        ("2.0 candidate 3", "Thursday, 2031-02-20"): (Status.DEPRECATED, second, third),
        ("2.0 candidate 3", "Monday, 2031-02-24"): (Status.ACTIVE, third, FOREVER),
        ("2.0 final", "Monday, 2031-03-03"): (Status.DEPRECATED, first, second),
        ("2.0 final", "2031-03-13"): (Status.ACTIVE, second, FOREVER),  # with or without its weekday it is one value
    }


HEADS = "Orla Finch heads Tarn Works."


@pytest.mark.parametrize(
    ("ended", "until", "known"),
    [
        ("Orla Finch formerly headed Tarn Works.", "2024-06-01", False),
        ("Since 2024-05-01 Orla Finch no longer heads Tarn Works.", "2024-05-01", True),
    ],
)
def test_what_is_said_to_have_ended_ends_elsewhere_too(desk: Desk, ended: str, until: str, known: bool) -> None:  # noqa: FBT001 - a column of the table
    desk.put("staff", 1, HEADS, at="2023-01-10")
    desk.put("news", 1, ended, at="2024-06-01")
    assert (desk.nugget(HEADS).valid_from, desk.nugget(HEADS).valid_to) == (day("2023-01-10"), day(until))
    assert desk.nugget(ended).validity_known is known
    desk.delete("news", 2, at="2024-07-01")
    assert desk.status(HEADS) == Status.ACTIVE


@pytest.mark.parametrize(("start", "governs"), [("since 2024-03-05", True), ("since 03/05/2024", False), ("since about 2024", False)])
def test_a_guess_ends_nothing_and_is_not_known(desk: Desk, start: str, governs: bool) -> None:  # noqa: FBT001 - a column of the table
    wide = f"The sea lock is 8 m wide {start}."
    desk.put("survey", 1, SIX, at="2023-01-10")
    desk.put("news", 1, wide, at="2024-06-01")
    assert desk.nugget(wide).validity_known is governs
    assert (desk.status(SIX), desk.status(wide)) == ((Status.DEPRECATED, Status.ACTIVE) if governs else (Status.CONTESTED, Status.CONTESTED))
    assert (desk.nugget(wide).confidence >= 0.85) is governs


def test_the_date_order_and_the_zone_of_the_settings_reach_the_reader(
    tmp_path: Path, lite: MilvusServer, english: SpacyExtractor, capfd: pytest.CaptureFixture[str]
) -> None:
    with Broker() as broker:
        file = tmp_path / "millstream.toml"
        settings = SETTINGS.format(data=tmp_path / "data", bootstrap=broker.bootstrap, milvus=lite.uri, name=tmp_path.name)
        file.write_text(f'{settings}date_order = "dmy"\nzone = "+02:00"\n')
        mill = Mill(file, english, capfd)
        days = put("lock", 1, "The sea lock is 6 m wide since 03/05/2024.")
        hours = put("gate", 1, "The gate is operated by Tarn Works since 2024-05-03 10:00.")
        mill.feed(*((str(change["id"]).encode(), orjson.dumps(change)) for change in (days, hours)))
        mill.run()
        found = {
            hit["record"]["text"]: hit["record"]["valid_from"] for hit in mill.json("ask", "sea lock gate")["hits"] if hit["record"]["predicate"]
        }
        assert {day("2024-05-03"), day("2024-05-03T08:00Z")} <= set(found.values())
