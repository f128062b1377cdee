"""The sample stream is well formed and holds every kind of change that the demo promises."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flows.demo.histories import Event, stream
from schemas.errors import BadSettings
from schemas.instant import from_datetime

ROOT = Path(__file__).resolve().parents[2] / "demo"


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return stream(ROOT)


@pytest.fixture(scope="module")
def changes(events: list[Event]) -> list[dict[str, Any]]:
    return [json.loads(event.value) for event in events if event.kind != "raw"]


def test_about_two_hundred_changes_of_more_than_fifty_pages_and_thirty_tickets(events: list[Event]) -> None:
    documents = Counter(source for source, _ in {(event.source, event.document) for event in events})
    assert 200 <= len(events) <= 240
    assert 50 <= documents["wiki"] <= 60
    assert documents["tickets"] == 32


def test_events_come_in_the_order_of_their_arrival(events: list[Event]) -> None:
    arrivals = [event.arrives for event in events]
    assert arrivals == sorted(arrivals)


def test_every_change_names_its_document_and_its_order(events: list[Event], changes: list[dict[str, Any]]) -> None:
    sent = [event for event in events if event.kind != "raw"]
    for event, change in zip(sent, changes, strict=True):
        assert change["id"] == event.document
        assert change["kind"] == event.kind
        assert change["order"] >= 1
        assert "2024-01" <= change["time"][:7] <= "2026-10"


def test_every_kind_of_change_occurs(events: list[Event]) -> None:
    kinds = Counter(event.kind for event in events)
    assert set(kinds) == {"put", "move", "delete", "restore", "acl", "redact", "raw"}
    assert kinds["delete"] >= 3


def test_one_event_arrives_after_a_newer_one_of_its_document(changes: list[dict[str, Any]]) -> None:
    newest: dict[str, int] = {}
    late = []
    for change in changes:
        if change["kind"] != "redact" and change["order"] < newest.get(change["id"], 0):
            late.append(change)
        newest[change["id"]] = max(newest.get(change["id"], 0), change["order"])
    assert [change["id"] for change in late] == ["quay-lights"]


def test_one_event_arrives_twice_and_one_changes_nothing(changes: list[dict[str, Any]]) -> None:
    sent = Counter((change["id"], change["order"]) for change in changes if change["kind"] == "put")
    assert [key for key, count in sent.items() if count > 1] == [("booking-service", 3)]
    bodies = {(change["id"], change["order"]): change["body"] for change in changes if change["kind"] == "put"}
    assert [key for key, body in bodies.items() if bodies.get((key[0], key[1] - 1)) == body] == [("web-site", 4)]


def test_the_poison_is_broken_json_and_a_wrong_type(events: list[Event]) -> None:
    broken, wrong = (event.value for event in events if event.kind == "raw")
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken)
    assert json.loads(wrong)["order"] == "April"


def test_a_revert_restores_the_text_within_hours(changes: list[dict[str, Any]]) -> None:
    third, fourth = (next(c for c in changes if c["id"] == "fares" and c["order"] == order) for order in (3, 4))
    second = next(c for c in changes if c["id"] == "fares" and c["order"] == 2)
    assert second["body"] == fourth["body"] != third["body"]
    assert third["time"][:10] == fourth["time"][:10]


def test_an_edit_of_a_file_is_an_edit_of_the_stream(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    page = tmp_path / "wiki" / "bell.md"
    page.write_text("@@ 2024-01-01 put\n@ title: Bell\nThe bell is green.\n", "utf-8")
    before = json.loads(stream(tmp_path)[0].value)
    page.write_text("@@ 2024-01-01 put\n@ title: Bell\nThe bell is red.\n\n@@ 2024-01-02 delete\n", "utf-8")
    after = [json.loads(event.value) for event in stream(tmp_path)]
    assert before == {
        "kind": "put",
        "id": "bell",
        "order": 1,
        "time": "2024-01-01T00:00:00+00:00",
        "title": "Bell",
        "readers": ["*"],
        "body": "The bell is green.\n",
        "media_type": "text/markdown",
        "path": "wiki/bell.md",
    }
    assert [(change["kind"], change.get("body")) for change in after] == [("put", "The bell is red.\n"), ("delete", None)]


def test_a_late_arrival_and_a_repetition_are_fields_of_a_revision(tmp_path: Path) -> None:
    (tmp_path / "tickets").mkdir()
    text = "@@ 2024-01-01 put\nA\n@@ 2024-01-02 put\n@ arrives: 2024-01-05\nB\n@@ 2024-01-03 put\n@ again: 2024-01-04\nC\n"
    (tmp_path / "tickets" / "T-1.txt").write_text(text, "utf-8")
    events = stream(tmp_path)
    assert [json.loads(event.value)["order"] for event in events] == [1, 3, 3, 2]
    assert [event.arrives for event in events] == [from_datetime(datetime(2024, 1, day, tzinfo=UTC)) for day in (1, 3, 4, 5)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The bell is green.\n", "bell.md:1: a history begins"),
        ("@@ 2024-01-01 paint\n", "bell.md:1: '@@ 2024-01-01 paint' is not"),
        ("@@ soon put\n", "bell.md:1: 'soon' is not a time"),
        ("@@ 2024-01-01 put\n@ colour: red\n", "bell.md:2: '@ colour: red' is not"),
        ("@@ 2024-01-01 delete\nWhy?\n", "bell.md:2: a delete has no text"),
        ("@@ 2024-01-02 put\nA\n@@ 2024-01-01 put\nB\n", "bell.md:3: 2024-01-01 is before"),
    ],
)
def test_a_slip_of_the_editor_is_named_with_file_and_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / "bell.md").write_text(text, "utf-8")
    with pytest.raises(BadSettings, match=said.split(":")[0]) as caught:
        stream(tmp_path)
    assert said in str(caught.value)


def test_a_folder_without_documents_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="holds no sample documents"):
        stream(tmp_path)
