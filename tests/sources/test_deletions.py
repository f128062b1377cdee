"""A message without a value deletes the document that its key names (cases C15 and C17)."""

import orjson
import pytest

from connectors.sources.native import NativeAdapter
from schemas.change import RANK, Delete, Put, change_id
from tests.sources.messages import NOON, ORDERED, UNORDERED, change, letter, put, raw, the

NOTHING = [None, b"", b"null", b" null\n"]


@pytest.mark.parametrize("value", NOTHING)
def test_c17_null_zero_bytes_and_the_letters_null_delete_the_document_of_the_key(value: bytes | None) -> None:
    (found,) = NativeAdapter(ORDERED).decode(raw(value))
    stamp = the(Delete, found).stamp
    assert stamp.document == "quay"
    assert stamp.event_time == stamp.recorded_at == NOON


@pytest.mark.parametrize("value", NOTHING)
@pytest.mark.parametrize("key", [None, b""])
def test_c17_without_a_key_nothing_is_deleted(value: bytes | None, key: bytes | None) -> None:
    found = letter(NativeAdapter(ORDERED).decode(raw(value, key)))
    assert found.reason.startswith("key: ")


def test_a_key_that_is_no_text_deletes_nothing() -> None:
    found = letter(NativeAdapter(ORDERED).decode(raw(None, b"\xff\xfe")))
    assert found.reason.startswith("key: b'\\xff\\xfe'")
    assert found.key == b"\xff\xfe"


def test_c17_a_second_tombstone_is_the_same_change() -> None:
    adapter = NativeAdapter(ORDERED)
    first, second = (the(Delete, adapter.decode(raw(value, offset=offset))[0]) for offset, value in ((7, None), (9, b"null")))
    assert change_id(first) == change_id(second)


def test_a_tombstone_ends_its_incarnation_and_a_later_one_is_above_it() -> None:
    (found,) = NativeAdapter(ORDERED).decode(raw(None))
    end = the(Delete, found).stamp
    last = change(put(order=[2**63 - 2] * 8)).stamp
    again = change(put(order=1, incarnation=1)).stamp
    assert (last.incarnation, last.order) < (end.incarnation, end.order) < (again.incarnation, again.order)


def test_a_tombstone_may_say_its_order_and_incarnation_in_headers() -> None:
    message = raw(None, headers=(("millstream-order", b"[7, 2]"), ("millstream-incarnation", b"1"), ("trace", b"abc")))
    stamp = the(Delete, NativeAdapter(ORDERED).decode(message)[0]).stamp
    assert (stamp.incarnation, stamp.order) == (1, (7, 2))


@pytest.mark.parametrize(("header", "value"), [("millstream-order", b"seven"), ("millstream-order", b'"7"'), ("millstream-incarnation", b"-1")])
def test_a_header_that_says_no_order_is_a_dead_letter_that_names_it(header: str, value: bytes) -> None:
    found = letter(NativeAdapter(ORDERED).decode(raw(None, headers=((header, value),))))
    assert found.reason.startswith((header, header.removeprefix("millstream-")))


def test_in_a_source_without_order_a_tombstone_is_older_than_the_next_put() -> None:
    adapter = NativeAdapter(UNORDERED)
    gone = the(Delete, adapter.decode(raw(None, offset=7))[0]).stamp
    back = the(Put, adapter.decode(raw(orjson.dumps({"id": "quay", "body": "Back."}), offset=8))[0]).stamp
    assert gone.order < back.order


def test_c15_with_an_equal_order_the_deletion_outranks_the_edit() -> None:
    edit, gone = change(put(order=4)), change({"kind": "delete", "id": "quay", "order": 4})
    assert edit.stamp.order == gone.stamp.order
    assert RANK[type(gone)] > RANK[type(edit)]
