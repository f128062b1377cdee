"""What the index flow guarantees for any store behind it: whole, in order, once, whatever happens on the way."""

import random
from pathlib import Path

import orjson
import pytest

from connectors.index import Refused
from connectors.memory_index import MemoryIndex
from schemas.errors import BadRecord, Inconsistent
from schemas.message import Message
from schemas.record import Row
from schemas.wire import dead_letter_from, transition_from
from tests.flow.ledger import CANNOT_APPLY, LATER, NOON, Ledger
from tests.flow.rig import CANNOT_READ, Crash, Rig, delete, put, record_of, striking, topic_of

PARTITIONS = ("wiki.changes:0", "wiki.changes:1", "ticket.changes:0", "other.changes:0", "other.changes:1")
WORKERS_AND_PARTS = [(1, 1), (1, 3), (2, 3)]


def _stream(seed: int = 0, changes: int = 60) -> list[Message]:
    """Return edits and deletes of a few documents over five partitions of three topics and two tenants, each document on one partition."""
    chance = random.Random(seed)
    partitions: dict[str, list[object]] = {
        name: [] for name in ("wiki.changes:0", "wiki.changes:1", "ticket.changes:0", "other.changes:0", "other.changes:1")
    }
    for order in range(1, changes + 1):
        name = chance.choice(list(partitions))
        document = f"{name}/{chance.randrange(4)}"
        partitions[name].append(delete(document, order) if chance.random() < 0.2 else put(document, order, f"text {order} of {document}"))
    return [message for name, values in partitions.items() for message in topic_of(name, *values, step=3)]


def _last(messages: list[Message]) -> dict[tuple[str, int], int]:
    return {(message.topic, message.partition): message.offset for message in messages}


@pytest.mark.parametrize(("workers", "parts"), WORKERS_AND_PARTS)
def test_everything_is_searchable_and_the_watermark_says_so(tmp_path: Path, workers: int, parts: int) -> None:
    rig, messages = Rig(tmp_path, parts=parts, workers=workers), _stream()
    rig.run(messages)
    assert rig.found == rig.expected
    assert sum(map(len, rig.found.values())) > 5
    assert rig.watermark == _last(messages)
    assert rig.early == []


def test_no_receipt_overtakes_the_records_before_it_although_batches_are_cut_small(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(_stream(), emission=3)
    assert rig.early == []
    assert rig.found == rig.expected


@pytest.mark.parametrize(("workers", "parts"), WORKERS_AND_PARTS)
@pytest.mark.parametrize("point", ["commit-emit", "milvus-write"])
def test_after_crashes_the_index_is_what_the_store_is(tmp_path: Path, point: str, workers: int, parts: int) -> None:
    rig, messages = Rig(tmp_path, parts=parts, workers=workers), _stream(1)
    for at in (1, 3, 2, 5):
        with pytest.raises(Crash):
            rig.run(messages, fault=striking(point, at))
    rig.run(messages)
    assert rig.found == rig.expected
    assert rig.watermark == _last(messages)


def test_a_repeated_change_does_not_overtake_what_is_emitted_again_in_pieces(tmp_path: Path) -> None:
    rig, messages = Rig(tmp_path), _stream(2)
    for at in (4, 5, 2):
        with pytest.raises(Crash):
            rig.run(messages, fault=striking("commit-emit", at), emission=2)
    rig.run(messages, emission=2)
    assert rig.early == []
    assert rig.found == rig.expected
    assert rig.watermark == _last(messages)


def test_without_emitting_again_a_crash_leaves_the_index_wrong(tmp_path: Path) -> None:
    rig, messages = Rig(tmp_path), topic_of("wiki.changes:0", *(put(f"page {number}", 1, "text") for number in range(30)))
    with pytest.raises(Crash):
        rig.run(messages, fault=striking("commit-emit", 2), reemit=False)
    rig.run(messages, reemit=False)
    assert rig.found != rig.expected


def test_a_store_that_no_snapshot_knows_is_woken_although_no_change_arrives(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    with pytest.raises(Crash):
        rig.run(_stream(), fault=striking("commit-emit", 1))
    rig.run([])
    assert rig.found == rig.expected != {"ferries": {}, "harbours": {}}


def test_a_restart_reads_on_and_repeats_nothing(tmp_path: Path) -> None:
    rig, messages = Rig(tmp_path), _stream()
    rig.run(messages)
    sequences = {tenant: ledger.sequence for tenant, ledger in rig.ledgers.items()}
    announced = len(rig.transitions.messages)
    rig.run(messages)
    assert {tenant: ledger.sequence for tenant, ledger in rig.ledgers.items()} == sequences
    assert len(rig.transitions.messages) == announced


def test_a_store_of_another_identity_or_behind_its_snapshot_is_refused(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(_stream())
    rig.ledgers["ferries"] = Ledger(rig.ledgers["ferries"].tenant, "another")
    with pytest.raises(Inconsistent, match="another at 0 is not ledger"):
        rig.run(_stream())


def test_a_poison_change_is_a_dead_letter_with_its_message_and_harms_no_other(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    bodies = ["one", CANNOT_READ, "two", CANNOT_APPLY, "three"]
    values: list[object] = [put(f"page {number}", 1, body) for number, body in enumerate(bodies)]
    messages = topic_of("wiki.changes:0", *values, b"{not json", {"order": 1, "body": "whose?"}, put("page 9", 1, "four"))
    rig.run(messages)
    assert sorted(rig.found["ferries"].values()) == ["four", "one", "three", "two"]
    letters = {letter.position.offset: letter for letter in (dead_letter_from(out.value) for out in rig.letters.messages)}
    assert {offset: letter.step for offset, letter in letters.items()} == {1: "read", 3: "apply", 5: "decode", 6: "decode"}
    assert all(letters[offset].payload == messages[offset].value for offset in letters)
    assert CANNOT_READ in letters[1].reason
    assert "id" in letters[6].reason
    assert rig.watermark == {("wiki.changes", 0): 7}
    assert rig.metrics.registry.get_sample_value("millstream_dead_letters_total", {"step": "decode"}) == 2


def test_a_message_without_changes_and_one_with_many_let_the_watermark_pass(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(topic_of("wiki.changes:0", [], [put("a", 1, "a"), put("b", 1, "b"), {"id": ""}], []))
    assert rig.watermark == {("wiki.changes", 0): 2}
    assert sorted(rig.found["ferries"].values()) == ["a", "b"]


def test_a_record_that_the_index_refuses_is_a_dead_letter_and_the_rest_is_searchable(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.index = Fussy(rig.index.generation, rig.index.dimension)
    rig.run(topic_of("wiki.changes:0", put("a", 1, "fine"), put("b", 1, "too long"), put("c", 1, "fine too")))
    assert sorted(rig.found["ferries"].values()) == ["fine", "fine too"]
    (letter,) = rig.refused
    assert (letter.step, letter.source) == ("publish", "")
    assert letter.key.decode() == record_of("wiki", "b")
    assert rig.watermark == {("wiki.changes", 0): 2}


def test_a_validity_that_begins_is_seen_by_the_clock_alone(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(topic_of("wiki.changes:0", put("a", 1, f"{LATER}open")))
    rig.now = NOON
    rig.run([*topic_of("wiki.changes:0", put("a", 1, f"{LATER}open")), *topic_of("other.changes:0", put("b", 1, "b"))])
    statuses = [made.after.status.value for out in rig.transitions.messages if (made := transition_from(out.value)).after and LATER in made.text]
    assert statuses == ["none", "Active"]


def test_transitions_are_keyed_by_record_and_told_apart_by_sequence(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(topic_of("wiki.changes:0", put("a", 1, "one"), put("a", 2, "two"), delete("a", 3)))
    made = [transition_from(out.value) for out in rig.transitions.messages]
    assert {out.key.decode() for out in rig.transitions.messages} == {record_of("wiki", "a")}
    assert [each.after is None for each in made] == [False, False, True]
    assert len({each.sequence for each in made}) == 3


def test_tombstones_are_pruned_only_behind_a_committed_snapshot(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    messages = topic_of("wiki.changes:0", *(put("a", order, f"{order}") if order % 2 else delete("a", order) for order in range(1, 40)))
    rig.run(messages, batch=2)
    ledger = rig.ledgers["ferries"]
    assert 0 < ledger.pruned < ledger.sequence
    assert rig.found == rig.expected


def test_what_is_kept_for_latecomers_is_not_pruned(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(_stream(), batch=2, kept=1_000_000)
    assert [ledger.pruned for ledger in rig.ledgers.values()] == [0, 0]


def test_metrics_count_every_change_once_and_say_how_fresh_it_is(tmp_path: Path) -> None:
    rig = Rig(tmp_path, parts=3)
    rig.run(_stream(changes=40))
    sample = rig.metrics.registry.get_sample_value
    outcomes = [sample("millstream_receipts_total", {"source": source, "outcome": "applied"}) or 0 for source in ("wiki", "tickets", "other")]
    late = [sample("millstream_receipts_total", {"source": source, "outcome": "late"}) or 0 for source in ("wiki", "tickets", "other")]
    assert sum(outcomes) + sum(late) == 40
    assert (sample("millstream_freshness_commit_seconds_count", {"source": "wiki"}) or 0) > 0
    assert sample("millstream_watermark_offset", {"topic": "wiki.changes", "partition": "0"}) == rig.watermark["wiki.changes", 0]


def test_a_value_that_is_fed_as_text_is_found_as_it_was_written(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.run(topic_of("wiki.changes:0", orjson.dumps(put("a", 1, "Zollstraße 3, 船長"))))
    assert rig.found["ferries"] == {record_of("wiki", "a"): "Zollstraße 3, 船長"}


class Fussy(MemoryIndex):
    """An index that refuses one text."""

    def write(self, rows: "list[Row]") -> list[Refused]:  # type: ignore[override]
        """Refuse what is too long."""
        refused = [(row, BadRecord(row.record.id, "text", "is too long")) for row in rows if row.record.text == "too long"]
        return [*refused, *super().write([row for row in rows if row.record.text != "too long"])]
