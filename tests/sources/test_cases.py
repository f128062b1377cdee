"""Acceptance cases about events, from the message to the store: C15, C17, C19, C24, C55."""

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import orjson
import pytest

from connectors.sources.settings import SourceSettings
from schemas.receipt import Outcome
from tests.sources.intake import Intake
from tests.sources.messages import ORDERED, UNORDERED, put, raw

Open = Callable[..., Intake]
LONG = "The quay has nine berths, of which four are for ferries, three for tugs and two for whoever comes in the night."
OTHER = "The quay has eleven berths, of which five are for ferries, four for tugs and two for whoever comes in the night."


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Return what opens an intake; all are closed."""
    intakes: list[Intake] = []

    def make(settings: SourceSettings = ORDERED) -> Intake:
        intakes.append(Intake(tmp_path / f"{len(intakes)}.db", settings))
        return intakes[-1]

    yield make
    for intake in intakes:
        intake.close()


@pytest.mark.parametrize("reverse", [False, True])
def test_c15_an_edit_and_a_delete_of_equal_order_delete_in_either_sequence(opened: Open, reverse: object) -> None:
    both = [put(order=4, body=LONG), {"kind": "delete", "id": "quay", "order": 4}]
    intake = opened()
    intake.take(put(order=3, body=LONG))
    assert intake.texts == {LONG}
    intake.take(*(both[::-1] if reverse else both))
    assert intake.texts == set()


@pytest.mark.parametrize("value", [None, b"", b"null"])
def test_c17_a_message_without_a_value_deletes_once(opened: Open, value: bytes | None) -> None:
    intake = opened()
    intake.take(put(order=3, body=LONG))
    assert intake.outcomes(raw(value), raw(value)) == [Outcome.APPLIED, Outcome.DUPLICATE]
    assert intake.texts == set()


def test_c17_a_row_that_is_deleted_and_its_tombstone_delete_the_document_and_no_text_null_appears(opened: Open) -> None:
    intake = opened()
    intake.take(put(order=3, body=LONG))
    intake.take({"kind": "delete", "id": "quay", "order": 4, "body": LONG}, raw(None), raw(b"null"))
    assert intake.texts == set()
    assert intake.letters == []


def test_c17_after_a_tombstone_the_next_incarnation_is_a_new_document(opened: Open) -> None:
    intake = opened()
    intake.take(put(order=3, body=LONG), raw(None))
    assert intake.outcomes(put(order=4, body=LONG)) == [Outcome.LATE]
    assert intake.texts == set()
    intake.take(put(order=1, incarnation=1, body=OTHER))
    assert intake.texts == {OTHER}


def test_c17_after_a_tombstone_with_its_order_a_greater_order_brings_the_document_back(opened: Open) -> None:
    intake = opened()
    intake.take(put(order=3, body=LONG), raw(None, headers=(("millstream-order", b"4"),)))
    assert intake.texts == set()
    intake.take(put(order=5, body=OTHER))
    assert intake.texts == {OTHER}


def test_c17_in_a_source_without_order_the_next_put_brings_the_document_back(opened: Open) -> None:
    intake = opened(UNORDERED)
    intake.take({"id": "quay", "body": LONG}, raw(None))
    assert intake.texts == set()
    intake.take({"id": "quay", "body": OTHER})
    assert intake.texts == {OTHER}


@pytest.mark.parametrize("sequence", list(permutations([(11, LONG), (12, OTHER)])))
def test_c19_of_two_revisions_within_a_second_the_greater_order_wins(opened: Open, sequence: tuple[tuple[int, str], ...]) -> None:
    intake = opened()
    for order, body in sequence:
        intake.take(put(order=order, body=body, time="2024-06-01T11:00:00Z"))
    assert intake.texts == {OTHER}


def test_c19_without_revisions_the_later_delivery_wins(opened: Open) -> None:
    intake = opened(UNORDERED)
    for body in (LONG, OTHER):
        intake.take({"id": "quay", "body": body, "time": "2024-06-01T11:00:00Z"})
    assert intake.texts == {OTHER}


def test_c24_poison_among_good_events_is_kept_with_its_bytes_and_stops_nothing(opened: Open) -> None:
    poison = [raw(b'{"id": "quay"'), raw(orjson.dumps({"order": 1}), b"row"), raw(orjson.dumps({"id": "quay", "kind": "upsert"})), raw(None, None)]
    good = [put(id=f"page {number}", order=1, body=f"{LONG} Page {number}.") for number in range(100)]
    intake = opened()
    receipts = intake.take(*good[:50], *poison, *good[50:])
    assert sum(receipt.outcome is Outcome.DEAD_LETTER for receipt in receipts) == 4
    assert sum(receipt.outcome is Outcome.APPLIED for receipt in receipts) == 100
    assert len(intake.texts) == 100
    letters = sorted(intake.letters, key=lambda letter: letter.position)
    assert [letter.reason.partition(":")[0] for letter in letters] == ["value", "id", "kind", "key"]
    assert [letter.payload for letter in letters] == [message.value or b"" for message in poison]
    assert [(letter.position.topic, letter.position.offset) for letter in letters] == [("wiki.changes", offset) for offset in (51, 52, 53, 54)]


def test_c55_forbidden_characters_hold_up_nothing(opened: Open) -> None:
    value = orjson.dumps(put(body=LONG + "\0", author="Orla\0 Finch")).replace(b'"body"', b'"title": "Quay \\ud800", "body"')
    intake = opened()
    receipts = intake.take(raw(value), put(id="pier", order=1, body=OTHER), put(id="a\0b", order=1, body=OTHER))
    assert sorted(receipt.outcome for receipt in receipts) == [Outcome.APPLIED, Outcome.APPLIED, Outcome.DEAD_LETTER]
    assert intake.texts == {LONG, OTHER}
