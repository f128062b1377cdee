"""Renames are found as the gold of two real histories has them: 272 of them, none missed and none invented."""

import json
import lzma
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from dulwich.object_store import MemoryObjectStore, commit_tree_changes
from dulwich.objects import Blob, ObjectID, Tree

from connectors.sources.git_tree import DOCUMENTS, steps
from connectors.sources.lineage import Born, Edited, Gone, Renamed, Step

STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"
Row = dict[str, Any]
Operation = tuple[str, str, str]


def operation(step: Step) -> Operation:
    """Return a step as the gold writes it."""
    match step:
        case Born(path):
            return ("A", "", path)
        case Edited(path):
            return ("M", "", path)
        case Renamed(old, path):
            return ("R", old, path)
        case Gone(path):
            return ("D", "", path)


def commits(name: str) -> Iterator[list[Row]]:
    """Yield the rows of each commit that concern documents."""
    with lzma.open(STREAMS / name, "rt", encoding="utf-8") as lines:
        for _, rows in groupby(map(json.loads, lines), key=lambda row: row["commit"]):
            held = [row for row in rows if row["path"].endswith(tuple(each[1:] for each in DOCUMENTS))]
            if held:
                yield held


def tree(store: MemoryObjectStore, files: dict[str, str]) -> ObjectID:
    blobs = {path: Blob.from_string(body.encode()) for path, body in files.items()}
    for blob in blobs.values():
        store.add_object(blob)
    return commit_tree_changes(store, Tree(), [(path.encode(), 0o100644, blob.id) for path, blob in blobs.items()])


@pytest.mark.skipif(not STREAMS.is_dir(), reason="the shared streams are not here")
@pytest.mark.parametrize(("name", "renames"), [("devguide.jsonl.xz", 63), ("peps-bodies.jsonl.xz", 209)])
def test_renames_are_those_of_the_gold(name: str, renames: int) -> None:
    files: dict[str, str] = {}
    found = 0
    for rows in commits(name):
        left = {row["old_path"] if row["op"] == "R" else row["path"] for row in rows if row["op"] != "A"}
        before = {path: files[path] for path in left}
        after = {row["path"]: row["body"] for row in rows if row["op"] != "D"}
        if any(row["op"] in "ARD" for row in rows):
            store = MemoryObjectStore()
            got = [operation(step) for step in steps(store, tree(store, before), tree(store, after))]
            gold = [(row["op"], (row["old_path"] or "") if row["op"] == "R" else "", row["path"]) for row in rows]
            assert sorted(got) == sorted(gold), rows[0]["commit"]
            found += sum(row["op"] == "R" for row in rows)
        for path in left:
            del files[path]
        files |= after
    assert found == renames
