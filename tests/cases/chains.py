"""Real proposals: every version of some pages of a series that has changed for 25 years, as a git feed sends them."""

import json
import lzma
import re
from collections import defaultdict
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.support.peps import step_of
from connectors.sources.lineage import Lineage

STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"
ABSENT = "the shared change histories are not beside this checkout"
_PAGE = re.compile(r"pep-0*(\d+)\.(?:txt|rst)")
Row = dict[str, Any]
Given = dict[str, object]


@cache
def _pages() -> dict[int, list[tuple[Row, Given]]]:
    """Return the rows of each number in their order, each with its change; a page is followed through renames."""
    with lzma.open(STREAMS / "peps-bodies.jsonl.xz", "rt", encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines]
    lineage, found = Lineage(), defaultdict[int, list[tuple[Row, Given]]](list)
    for _, commit in groupby(rows, key=lambda row: str(row["commit"])):
        by_path = {row["path"]: row for row in commit}
        for document, step in lineage.take(map(step_of, by_path.values())):
            row = by_path[step.path]
            if page := _PAGE.fullmatch(Path(row["path"]).name):
                found[int(page[1])].append((row, _change(document, row)))
    return found


def _change(document: str, row: Row) -> Given:
    change: Given = {"id": document, "order": row["seq"], "time": row["commit_time"]}
    if row["op"] == "D":
        return change | {"kind": "delete"}
    media_type = "text/x-rst" if row["path"].endswith(".rst") else "text/plain"
    return change | {"path": row["path"], "media_type": media_type, "body": row["body"]}


def changes(*numbers: int) -> list[Given]:
    """Return all changes of the pages of some proposals, oldest first."""
    return sorted((change for number in numbers for _, change in _pages()[number]), key=lambda change: int(str(change["order"])))


def document(number: int) -> str:
    """Return the id of a proposal's page."""
    return str(_pages()[number][0][1]["id"])


def at(number: int, commit: str) -> str:
    """Return when a commit (its first digits) changed the page of a proposal."""
    (found,) = {str(row["commit_time"]) for row, _ in _pages()[number] if row["commit"].startswith(commit)}
    return datetime.fromisoformat(found).isoformat()
