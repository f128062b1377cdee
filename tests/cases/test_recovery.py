"""Acceptance case C24, through the whole flow: a broker, the indexer, Milvus Lite, and the command that replays."""

from pathlib import Path
from typing import Any

import orjson

from tests.cases.desk import put
from tests.cases.mill import Mill

BERTHS = "The quay has nine berths."
POISON = {
    "value": (b"page", b'{"id": "quay", "order": 1, "body": "The quay'),
    "id": (b"page", orjson.dumps({"order": 1, "body": BERTHS})),
    "kind": (b"page", orjson.dumps({"kind": "upsert", "id": "quay", "order": 1, "body": BERTHS})),
    "key": (None, b""),
}
"""By the field at fault: broken JSON, no id, an unknown type, a row without the key that is its only id."""


def test_c24_poison_becomes_dead_letters_and_a_corrected_one_is_applied_by_the_replay_command(mill: Mill, tmp_path: Path) -> None:
    good = [(b"page", orjson.dumps(put(f"page {number}", 1, f"The pier {number} opens at six."))) for number in range(100)]
    positions = mill.feed(*good[:50], *POISON.values(), *good[50:])
    mill.run()
    letters = mill.json("dead-letters", "list")
    assert [letter["reason"].partition(":")[0] for letter in letters] == list(POISON)
    assert [_position(letter) for letter in letters] == [(at.topic, at.partition, at.offset) for at in positions[50:54]]
    assert [(letter["key"]["text"], letter["payload"]["text"]) for letter in letters] == [
        ((key or b"").decode(), value.decode()) for key, value in POISON.values()
    ]
    assert mill.outcomes == {"applied": 100, "dead-letter": 4}
    assert "The pier 99 opens at six." in mill.answers("When does the pier 99 open?")
    assert mill.answers("How many berths does the quay have?").isdisjoint({BERTHS})

    corrected = tmp_path / "corrected.json"
    corrected.write_bytes(orjson.dumps(put("quay", 1, BERTHS)))
    (sent,) = mill.json("dead-letters", "replay", str(positions[52]), "--with", str(corrected))
    assert sent["from"] == str(positions[52])
    mill.run()
    assert mill.outcomes == {"applied": 101, "dead-letter": 4}
    assert BERTHS in mill.answers("How many berths does the quay have?")
    assert [_position(letter)[2] for letter in mill.json("dead-letters", "list")] == [positions[number].offset for number in (50, 51, 53)]


def test_c24_a_deletion_without_its_key_is_replayed_with_it(mill: Mill) -> None:
    _, position = mill.feed((b"quay", orjson.dumps(put("quay", 1, BERTHS))), (None, b""))
    mill.run()
    assert BERTHS in mill.answers("How many berths does the quay have?")
    mill.json("dead-letters", "replay", str(position), "--key", "quay")
    mill.run()
    assert mill.outcomes == {"applied": 2, "dead-letter": 1}
    assert mill.answers("How many berths does the quay have?") == set()


def _position(letter: Any) -> tuple[str, int, int]:
    at = letter["position"]
    return at["topic"], at["partition"], at["offset"]
