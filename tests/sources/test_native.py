"""A native message becomes exactly the changes that it says."""

from dataclasses import replace

import orjson
import pytest

from connectors.sources.adapters import adapter_for
from connectors.sources.native import NativeAdapter
from schemas.change import Acl, Delete, Move, Put, Redact, Redacted, Restore, Text, Unchanged
from schemas.errors import BadSettings
from schemas.instant import Instant
from schemas.message import Mark
from tests.sources.messages import NOON, ORDERED, UNORDERED, change, decode, letter, put, raw, the


def test_a_put_carries_all_that_the_event_says() -> None:
    found = the(
        Put,
        change(
            put(
                format=1,
                kind="put",
                incarnation=2,
                time="2024-05-01T12:30:00+02:00",
                title="North Quay",
                path="harbour/quay.md",
                media_type="text/x-rst",
                readers=["crew", "office"],
                aliases=["Old Quay"],
                author="Orla Finch",
            )
        ),
    )
    assert found.stamp.document == "quay"
    assert found.stamp.order == (3,)
    assert found.stamp.incarnation == 2
    assert found.stamp.event_time == 1_714_559_400_000
    assert found.stamp.recorded_at == NOON
    assert found.stamp.author == "Orla Finch"
    assert not found.stamp.time_suspect
    assert found.body == Text("The quay has nine berths.", "text/x-rst")
    assert (found.title, found.path) == ("North Quay", "harbour/quay.md")
    assert found.readers == frozenset({"crew", "office"})
    assert found.aliases == ("Old Quay",)


def test_what_the_event_does_not_speak_of_stays_open() -> None:
    found = the(Put, change({"id": "quay", "order": 3}))
    assert found.body == Unchanged()
    assert (found.title, found.path, found.readers, found.aliases) == (None, None, None, ())


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kind": "delete"}, Delete),
        ({"kind": "restore"}, Restore),
        ({"kind": "move", "title": "South Quay"}, Move),
        ({"kind": "acl", "readers": []}, Acl),
        ({"kind": "redact"}, Redact),
    ],
)
def test_each_kind_becomes_its_own_change(fields: dict[str, object], expected: type) -> None:
    assert type(change({"id": "quay", "order": 3, **fields})) is expected


def test_a_restore_that_carries_content_is_a_put() -> None:
    assert the(Put, change(put(kind="restore"))).body == Text("The quay has nine berths.")


def test_a_delete_that_repeats_the_last_body_deletes_and_says_nothing() -> None:
    assert the(Delete, change(put(kind="delete", body="x" * 2_000_000, title=None))).stamp.document == "quay"


def test_no_readers_is_nobody_and_is_not_the_same_as_saying_nothing() -> None:
    assert the(Put, change(put(readers=[]))).readers == frozenset()
    assert the(Put, change(put())).readers is None


def test_an_integer_id_is_the_document_of_its_digits_even_above_2_to_the_53rd() -> None:
    assert change(put(id=9_007_199_254_740_993)).stamp.document == change(put(id="9007199254740993")).stamp.document


def test_a_redacted_body_is_neither_unchanged_nor_empty() -> None:
    assert the(Put, change(put(body={"redacted": True}))).body == Redacted()
    assert the(Put, change(put(body=""))).body == Text("")


@pytest.mark.parametrize(
    ("order", "expected"), [(0, (0,)), (-5, (-5,)), ([3], (3,)), ([7, 0, 2], (7, 0, 2)), (2**63 - 2, (2**63 - 2,)), ([1] * 8, (1,) * 8)]
)
def test_an_order_is_an_integer_or_up_to_eight(order: object, expected: tuple[int, ...]) -> None:
    assert change(put(order=order)).stamp.order == expected


@pytest.mark.parametrize(
    ("time", "unit", "expected"),
    [
        ("2024-05-01T12:30:00Z", None, 1_714_566_600_000),
        ("2024-05-01T12:30:00.250Z", None, 1_714_566_600_250),
        ("2024-05-01T12:30:00.250999999Z", None, 1_714_566_600_250),
        ("2024-05-01T14:30:00+02:00", None, 1_714_566_600_000),
        ("2024-05-01T14:30:00+0200", None, 1_714_566_600_000),
        ("2024-05-01 12:30:00 UTC", None, 1_714_566_600_000),
        ("2024-05-01T12:30:00", None, 1_714_566_600_000),
        ("2024-05-01", None, 1_714_521_600_000),
        (1_714_566_600, "s", 1_714_566_600_000),
        (1_714_566_600.25, "s", 1_714_566_600_250),
        (1_714_566_600_000, "ms", 1_714_566_600_000),
        (1_714_566_600_000_999, "us", 1_714_566_600_000),
        (1_714_566_600_000_999_999, "ns", 1_714_566_600_000),
        ("2024-05-01T12:30:00Z", "ms", 1_714_566_600_000),
    ],
)
def test_a_time_is_one_instant_in_whatever_form_it_comes(time: object, unit: str | None, expected: int) -> None:
    fields = put(time=time) if unit is None else put(time=time, time_unit=unit)
    stamp = change(fields).stamp
    assert stamp.event_time == expected
    assert not stamp.time_suspect


def test_a_time_without_a_zone_is_read_in_the_zone_of_the_source() -> None:
    eastern = replace(ORDERED, zone_offset_minutes=120)
    stamp = change(put(time="2024-05-01T14:30:00"), eastern).stamp
    assert stamp.event_time == 1_714_566_600_000
    assert not stamp.time_suspect


def test_without_a_time_it_happened_when_the_message_came() -> None:
    assert change(put()).stamp.event_time == NOON


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2024-06-01T12:00:00Z", False),
        ("2024-06-01T12:00:00.001Z", True),
        ("1989-12-31T23:59:59Z", True),
        ("1990-01-01", False),
        ("0001-01-01", True),
    ],
)
def test_a_time_that_cannot_be_true_is_kept_and_marked(time: str, expected: object) -> None:
    stamp = change(put(time=time)).stamp
    assert stamp.time_suspect is expected
    assert stamp.event_time == change(put(time=time), at=Instant(NOON + 1_000_000)).stamp.event_time


def test_several_changes_in_a_message_are_numbered_and_each_is_judged_by_itself() -> None:
    first, second, third = decode([put(id="a"), put(id="b", order="three"), {"kind": "delete", "id": "c", "order": 1}])
    assert the(Put, first).stamp.position.index == 0
    assert letter([second]).position.index == 1
    assert letter([second]).document == "b"
    assert the(Delete, third).stamp.position.index == 2
    assert {the(Put, first).stamp.position.count, the(Delete, third).stamp.position.count} == {3}


def test_an_empty_array_is_a_mark() -> None:
    (mark,) = decode([])
    assert the(Mark, mark).position.offset == 7


def test_nul_and_lone_surrogates_are_taken_out_of_texts() -> None:
    payload = b'{"id": "quay", "order": 3, "body": "nine\\u0000 berths", "title": "North \\ud800 Quay", "author": "Orla\\u0000 Finch"}'
    (found,) = NativeAdapter(ORDERED).decode(raw(payload))
    cleaned = the(Put, found)
    assert cleaned.body == Text("nine berths")
    assert cleaned.title == "North \ufffd Quay"
    assert cleaned.stamp.author == "Orla Finch"
    assert cleaned.stamp.cleaned
    assert not change(put(body="nine berths")).stamp.cleaned


def test_a_pair_of_surrogates_is_a_character() -> None:
    (found,) = NativeAdapter(ORDERED).decode(raw(b'{"id": "quay", "order": 3, "title": "\\ud83d\\udea2 \\ud800"}'))
    assert the(Put, found).title == "\U0001f6a2 \ufffd"


def test_a_byte_order_mark_before_the_json_is_passed_over() -> None:
    (found,) = NativeAdapter(ORDERED).decode(raw(b"\xef\xbb\xbf" + orjson.dumps(put())))
    assert the(Put, found).body == Text("The quay has nine berths.")


def test_in_a_source_without_order_delivery_counts() -> None:
    adapter = NativeAdapter(UNORDERED)
    earlier = the(Put, adapter.decode(raw(orjson.dumps({"id": "quay"}), offset=7))[0])
    later = the(Put, adapter.decode(raw(orjson.dumps(put(order=1)), offset=8))[0])
    assert earlier.stamp.order == (NOON, 7)
    assert later.stamp.order == (NOON, 8)


def test_in_a_source_without_order_the_later_of_one_message_counts() -> None:
    first, second = decode([{"id": "quay", "body": "one"}, {"id": "quay", "body": "two"}], UNORDERED)
    assert the(Put, first).stamp.order < the(Put, second).stamp.order


def test_a_media_type_is_read_without_case_and_parameters() -> None:
    assert the(Put, change(put(media_type="Text/HTML; charset=utf-8"))).body == Text("The quay has nine berths.", "text/html")


def test_an_unknown_adapter_is_named_with_those_that_there_are() -> None:
    with pytest.raises(BadSettings, match="adapter 'jira' is not one of native, reviews"):
        adapter_for(replace(ORDERED, adapter="jira"))


def test_decoding_is_a_function_of_the_message_alone() -> None:
    message = raw(orjson.dumps([put(), put(order=True)]))
    assert adapter_for(ORDERED).decode(message) == adapter_for(ORDERED).decode(message)
