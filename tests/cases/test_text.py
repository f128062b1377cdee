"""Acceptance cases about what bodies may hold: C54 and C55."""

import orjson

from schemas.change import Put
from schemas.deadletter import DeadLetter
from schemas.instant import EPOCH
from schemas.message import Message
from schemas.receipt import Outcome
from schemas.record import Kind
from tests.cases.desk import TOPIC, Desk, Given, put


def test_c54_units_without_content_are_skipped_and_counted_and_the_good_ones_are_indexed(desk: Desk) -> None:
    good = [put(f"page {number}", 1, f"The pier {number} opens at six.") for number in range(29)]
    table = "<table><tr><td></td></tr></table>"
    bad = [put("lines", 1, "\n\n\n"), put("dot", 1, "."), put("table", 1, table), put("html table", 1, table, media_type="text/html")]
    incoming = desk.read(*good[:10], *bad, *good[10:])
    readings = [one.reading for one in incoming if not isinstance(one, DeadLetter)]
    assert sum(reading.skipped for reading in readings if reading is not None) == 4
    work = desk.apply(incoming)
    assert work.outcomes.count(Outcome.APPLIED) == 33
    assert sorted(record.text for record in desk.records(Kind.UNIT)) == sorted(str(one["body"]) for one in good)
    assert "The pier 28 opens at six." in desk.told("When does the pier 28 open?")


def test_c55_forbidden_characters_hold_up_nothing_on_the_way_to_the_index(milvus_desk: Desk) -> None:
    desk = milvus_desk
    body, author = put("body", 1, "The night ferry\0 carries 90 cars."), put("author", 1, "The day ferry carries 40 cars.", author="Orla\0 Finch")
    title = orjson.dumps(put("title", 1, "The sea lock is 6 m wide.", title="Sea Lock?")).replace(b"Lock?", b"Lock \\ud800")
    given: list[Given] = [body, Message(TOPIC, 0, 0, -1, EPOCH, b"title", title), author, put("good", 1, "The pier opens at six.")]
    incoming = desk.read(*given)
    changes = [one.change for one in incoming if not isinstance(one, DeadLetter)]
    assert [change.stamp.cleaned for change in changes if isinstance(change, Put)] == [True, True, True, False]
    work = desk.apply(incoming)
    assert (work.outcomes, work.letters) == ([Outcome.APPLIED] * 4, ())
    assert {cause.author for one in work.transitions for cause in one.causes} == {"", "Orla Finch"}
    stored = {record.text for record in desk.records(Kind.UNIT)}
    assert stored == {"The night ferry carries 90 cars.", "The sea lock is 6 m wide.", "The day ferry carries 40 cars.", "The pier opens at six."}
    assert "Sea Lock \ufffd" in {record.text for record in desk.records(Kind.ENTITY)}
    assert desk.told("When does the pier open?", document="good") == "The pier opens at six."
