"""The headers of a long series of numbered proposals and their gold: what each page said of its status, from when to when."""

import csv
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

import orjson

from bench.support.agreement import Held
from bench.support.endoflife import STREAMS
from bench.support.feeding import Sent
from connectors.sources.lineage import Born, Edited, Gone, Lineage, Renamed, Step
from derive.values import value_for
from schemas.instant import FOREVER, Instant
from schemas.record import Belief
from schemas.value import Value
from schemas.vocabulary import Vocabulary

STATUS, SUCCESSOR, FORERUNNER = "status", "superseded by", "replaces"
_LINE = re.compile(r"(?P<key>[A-Za-z][A-Za-z0-9 _-]*):[ \t]*(?P<value>.*)")
_PAGE = re.compile(r"pep-0*(\d+)\.(?:txt|rst)")
"""The name of a proposal's own page; the template and appendices have none of this form."""
_NUMBER = re.compile(r"\d+")
_MEDIA_TYPES = {"rst": "text/x-rst"}
DELETED = "(deleted)"


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one page. `at`: when it was committed; `since`: from when it counts, which never falls from one version of a page to the next."""

    order: int
    document: str
    path: str
    op: str
    commit: str
    at: Instant
    since: Instant
    header: str | None
    same: bool
    """Whether the header is the one before: only the path is new."""

    @property
    def number(self) -> int | None:
        """The proposal whose own page this is."""
        found = _PAGE.fullmatch(self.path.rpartition("/")[2])
        return int(found[1]) if found else None

    def values(self, *keys: str) -> list[str]:
        """Return what the header says under some keys, as it is written."""
        return [value for key, value in _fields(self.header or "") if key in keys and value]

    def message(self) -> Sent:
        """Return the change as a wiki sends it."""
        change: dict[str, object] = {"id": self.document, "order": self.order, "time": self.at, "time_unit": "ms"}
        if self.header is None:
            change |= {"kind": "delete"}
        elif self.same:
            change |= {"kind": "move", "path": self.path}
        else:
            media_type = _MEDIA_TYPES.get(self.path.rpartition(".")[2], "text/plain")
            change |= {"path": self.path, "media_type": media_type, "body": self.header}
        return self.document.encode(), orjson.dumps(change)


def _fields(header: str) -> Iterator[tuple[str, str]]:
    """Yield key and value of every line "Key: value" up to the first empty line, continuations in them; other lines say nothing."""
    fields: list[list[str]] = []
    for line in header.replace("\r\n", "\n").lstrip("\n").split("\n"):
        if not line.strip():
            break
        if line[0] in " \t" and fields:
            fields[-1][1] += " " + line.strip()
        elif found := _LINE.match(line):
            fields.append([found["key"].casefold(), found["value"].strip()])
    return ((key, value) for key, value in fields)


def edits() -> list[Edit]:
    """Return all changes in the order of the history, each with its document: pages are followed through renames."""
    with lzma.open(STREAMS / "peps-headers.jsonl.xz", "rt", encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines]
    lineage, found = Lineage(), list[Edit]()
    last: dict[str, Edit] = {}
    for _, commit in groupby(rows, key=lambda row: str(row["commit"])):
        by_path = {row["path"]: row for row in commit}
        for document, step in lineage.take(map(step_of, by_path.values())):
            row, before = by_path[step.path], last.get(document)
            at = Instant(round(datetime.fromisoformat(row["commit_time"]).timestamp() * 1000))
            header = None if row["op"] == "D" else row["header"] or ""
            since = max(at, before.since) if before else at
            same = before is not None and before.header == header and before.path != row["path"]
            last[document] = Edit(len(found) + 1, document, row["path"], row["op"], row["commit"], at, since, header, same)
            found.append(last[document])
    return found


def step_of(row: Mapping[str, str]) -> Step:
    """Return what a row of a history does to its path."""
    match row["op"]:
        case "A":
            return Born(row["path"], b"")
        case "R":
            return Renamed(row["old_path"], row["path"], b"", edited=True)
        case "D":
            return Gone(row["path"])
        case _:
            return Edited(row["path"], b"")


def told(some: Iterable[Edit], vocabulary: Vocabulary) -> dict[str, list[Held]]:
    """Return what each page says of its status, from when to when; a header that contradicts itself disputes what it says."""
    found: dict[str, list[Held]] = defaultdict(list)
    by_document: dict[str, list[Edit]] = defaultdict(list)
    for edit in some:
        by_document[edit.document].append(edit)
    for document, own in by_document.items():
        ends = [*(edit.since for edit in own[1:]), FOREVER]
        for edit, end in zip(own, ends, strict=True):
            belief = Belief.DISPUTED if is_contradictory(edit, vocabulary) else Belief.BELIEVED
            found[document] += [Held(value, edit.since, end, belief) for value in statuses(edit, vocabulary)]
    return found


def statuses(edit: Edit, vocabulary: Vocabulary) -> list[Value]:
    """Return the values that a header gives its status."""
    predicate = vocabulary.predicate(vocabulary.canonical(STATUS))
    return list(dict.fromkeys(value_for(predicate, value) for value in edit.values(STATUS)))


def is_contradictory(edit: Edit, vocabulary: Vocabulary) -> bool:
    """Tell whether a header contradicts itself: two statuses, or a successor beside a status that the vocabulary declares exclusive with one."""
    held = statuses(edit, vocabulary)
    if len(held) > 1:
        return True
    predicate = vocabulary.predicate(STATUS)
    excluded = {value_for(predicate, value) for name, value in vocabulary.predicate(SUCCESSOR).excludes if name == STATUS}
    return bool(successors(edit)) and not excluded.isdisjoint(held)


def successors(edit: Edit) -> set[int]:
    """Return the proposals that a page names as what supersedes it."""
    return {int(number) for value in edit.values("superseded-by", "replaced-by") for number in _NUMBER.findall(value)}


def forerunners(edit: Edit) -> set[int]:
    """Return the proposals that a page says it replaces."""
    return {int(number) for value in edit.values("replaces") for number in _NUMBER.findall(value)}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the gold: from this commit on, this is the status of a proposal ("" none, `DELETED` no page)."""

    number: int
    commit: str
    status: str


def gold() -> list[Row]:
    """Return the gold in its order."""
    with lzma.open(STREAMS / "peps-header-timeline.csv.xz", "rt", encoding="utf8", newline="") as lines:
        return [Row(int(row["pep"]), row["commit"], row["status"]) for row in csv.DictReader(lines)]


@dataclass(slots=True)
class Bearers:
    """Which page stood for which proposal after each commit. Owned by whoever builds it."""

    after: dict[tuple[int, str], Edit | None] = field(default_factory=dict)

    @classmethod
    def of(cls, some: Sequence[Edit]) -> "Bearers":
        """Return the bearers of a whole history; None where the page was deleted or left for another number."""
        bearers, now, number_of = cls(), dict[int, str](), dict[str, int]()
        for commit, together in groupby(some, key=lambda edit: edit.commit):
            touched: dict[int, Edit | None] = {}
            changes = list(together)
            for edit in changes:
                left = number_of.pop(edit.document, None)
                if left is not None and now.get(left) == edit.document:
                    del now[left]
                    touched[left] = None
            for edit in changes:
                if edit.header is not None and edit.number is not None:
                    now[edit.number], number_of[edit.document] = edit.document, edit.number
                    touched[edit.number] = edit
            bearers.after |= {(number, commit): edit for number, edit in touched.items()}
        return bearers
