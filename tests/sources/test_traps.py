"""Traps of change events (the numbers are those of the design notes on events), as a native source can spring them."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import orjson
import pytest

from connectors.sources.native import NativeAdapter
from schemas.change import Acl, Put
from schemas.receipt import Outcome
from tests.sources.intake import Intake
from tests.sources.messages import ORDERED, change, decode, put, raw, the

LONG = "The quay has nine berths, of which four are for ferries, three for tugs and two for whoever comes in the night."
OTHER = LONG.replace("nine", "eleven")


@pytest.fixture
def intake(tmp_path: Path) -> Iterator[Intake]:
    found = Intake(tmp_path / "store.db")
    yield found
    found.close()


def test_trap_3_a_newer_revision_with_an_older_time_is_the_current_one(intake: Intake) -> None:
    intake.take(put(order=1, body=LONG, time="2024-05-01T00:00:00Z"))
    intake.take(put(order=2, body=OTHER, time="2014-05-01T00:00:00Z"))
    assert intake.texts == {OTHER}


def test_trap_4_and_5_shuffled_and_repeated_events_end_the_same(tmp_path: Path) -> None:
    events = [
        put(order=1, body=LONG),
        {"kind": "delete", "id": "quay", "order": 2},
        put(order=3, body=OTHER),
        {"kind": "restore", "id": "quay", "order": 4},
    ]
    for number, sequence in enumerate(permutations(events)):
        intake = Intake(tmp_path / f"{number}.db")
        intake.take(*sequence, *sequence)
        assert intake.texts == {OTHER}
        intake.close()


def test_trap_7_unchanged_redacted_and_empty_are_three_different_things(intake: Intake) -> None:
    intake.take(put(order=1, body=LONG))
    intake.take({"id": "quay", "order": 2, "title": "Quay"})
    assert intake.texts == {LONG}
    intake.take(put(order=3, body={"redacted": True}))
    assert intake.texts == {LONG}
    intake.take(put(order=4, body=""))
    assert intake.texts == set()


def test_trap_9_what_comes_back_under_an_old_id_shows_nothing_of_before(intake: Intake) -> None:
    intake.take(put(order=9, body=LONG, readers=["crew"]), {"kind": "delete", "id": "quay", "order": 10})
    intake.take(put(order=1, incarnation=1, body=OTHER, readers=["office"]))
    assert intake.texts == {OTHER}
    assert intake.outcomes({"kind": "restore", "id": "quay", "order": 11}) == [Outcome.LATE]
    assert intake.texts == {OTHER}


def test_trap_15_other_readers_alone_carry_no_text(intake: Intake) -> None:
    assert type(change({"kind": "acl", "id": "quay", "order": 2, "readers": ["crew"]})) is Acl
    intake.take(put(order=1, body=LONG))
    (receipt,) = intake.take({"kind": "acl", "id": "quay", "order": 2, "readers": ["crew"]})
    assert (receipt.calls, receipt.hits) == (0, 0)
    assert intake.texts == {LONG}


def test_trap_16_several_documents_in_one_event_are_one_change_each() -> None:
    found = [the(Put, each) for each in decode([put(id="a"), put(id="b"), put(id="c")])]
    assert [each.stamp.document for each in found] == ["a", "b", "c"]
    assert [(each.stamp.position.index, each.stamp.position.count) for each in found] == [(0, 3), (1, 3), (2, 3)]


def test_trap_17_an_id_is_the_same_document_as_integer_and_as_text(intake: Intake) -> None:
    intake.take(put(id=9_007_199_254_740_993, order=1, body=LONG))
    intake.take({"kind": "delete", "id": "9007199254740993", "order": 2})
    assert intake.texts == set()


def test_trap_18_a_body_near_the_limit_is_not_cut() -> None:
    body = "x" * 999_999 + "ü"
    (found,) = NativeAdapter(ORDERED).decode(raw(orjson.dumps(put(body=body))))
    assert body in str(the(Put, found).body)
