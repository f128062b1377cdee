"""The sample stream of the demo: document histories that people edit, and the ordered messages that they stand for.

A history is one file per document, `wiki/<id>.md` or `tickets/<id>.txt`; its text is cut into revisions by lines that begin with `@@`:

    @@ 2025-04-28T12:00 move
    @ author: Dilys Thorne
    @ title: Sound Museum

    @@ 2026-02-16T10:45 put
    @ author: Dilys Thorne
    The whole text of the page, as it reads from then on.

Times are UTC. The n-th revision of a file has order n (`raw` ones, which hold a message as it is, right or wrong, do not count).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import orjson

from schemas.change import EVERYONE
from schemas.errors import BadSettings
from schemas.instant import Instant, from_datetime, iso, to_datetime

FOLDERS = {"wiki": ("wiki", "text/markdown"), "tickets": ("tickets", "text/plain")}
"""What the files of a folder become: the source, and the media type of their texts."""
KINDS = ("put", "delete", "restore", "move", "acl", "redact", "raw")
FIELDS = ("author", "title", "readers", "order", "arrives", "again")

_HEAD = re.compile(r"@@ (\S+) (\S+)\s*")
_FIELD = re.compile(r"@ ([a-z]+): (.*\S)\s*")


@dataclass(frozen=True, slots=True)
class Revision:
    """One entry of a history. `line` is where it stands in its file; `body` is empty unless the kind is put or raw."""

    time: Instant
    kind: str
    fields: dict[str, str]
    body: str
    line: int


@dataclass(frozen=True, slots=True)
class Event:
    """One message to send: to the topic of `source`, when the story has come to `arrives`."""

    arrives: Instant
    source: str
    document: str
    kind: str
    value: bytes


def stream(root: Path) -> list[Event]:
    """Return all events under `root` in the order of their arrival; a file that breaks the format is a BadSettings that names file and line."""
    files = [(folder, file) for folder in FOLDERS for file in sorted((root / folder).glob("*"))]
    if not files:
        message = f"{root} holds no sample documents (wiki/*.md, tickets/*.txt); give their folder"
        raise BadSettings(message)
    events = [event for folder, file in files for event in _events(folder, file)]
    return sorted(events, key=lambda event: event.arrives)


def revisions(file: Path) -> list[Revision]:
    """Return the revisions of one history file, oldest first."""
    lines = file.read_text("utf-8").splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("@@")]
    if not heads or any(line.strip() for line in lines[: heads[0]]):
        raise _bad(file, 1, "a history begins with a line '@@ TIME KIND'")
    found = [_revision(file, lines, first, last) for first, last in zip(heads, [*heads[1:], len(lines)], strict=True)]
    for earlier, later in pairwise(found):
        if later.time < earlier.time:
            raise _bad(file, later.line, f"{iso(later.time)} is before the revision above it ({iso(earlier.time)})")
    return found


def _revision(file: Path, lines: list[str], first: int, last: int) -> Revision:
    head = _HEAD.fullmatch(lines[first])
    if head is None or head[2] not in KINDS:
        raise _bad(file, first + 1, f"{lines[first]!r} is not '@@ TIME KIND' with a kind of {', '.join(KINDS)}")
    fields: dict[str, str] = {}
    at = first + 1
    while at < last and lines[at].startswith("@ "):
        entry = _FIELD.fullmatch(lines[at])
        if entry is None or entry[1] not in FIELDS:
            raise _bad(file, at + 1, f"{lines[at]!r} is not '@ FIELD: VALUE' with a field of {', '.join(FIELDS)}")
        fields[entry[1]] = entry[2]
        at += 1
    body = "\n".join(lines[at:last]).strip("\n")
    if body and head[2] not in {"put", "raw"}:
        raise _bad(file, at + 1, f"a {head[2]} has no text")
    return Revision(_time(file, first + 1, head[1]), head[2], fields, body and body + "\n", first + 1)


def _events(folder: str, file: Path) -> Iterator[Event]:
    source, media_type = FOLDERS[folder]
    order = 0
    for revision in revisions(file):
        order += revision.kind != "raw"
        value = revision.body.encode() if revision.kind == "raw" else _native(revision, order, file, media_type)
        for field in ("arrives", "again"):
            if field in revision.fields:
                yield Event(_time(file, revision.line, revision.fields[field]), source, file.stem, revision.kind, value)
        if "arrives" not in revision.fields:
            yield Event(revision.time, source, file.stem, revision.kind, value)


def _native(revision: Revision, order: int, file: Path, media_type: str) -> bytes:
    """Return the native change of a revision; whoever is not told apart may read a document from its first revision on."""
    fields = revision.fields
    change: dict[str, object] = {
        "kind": revision.kind,
        "id": file.stem,
        "order": int(fields.get("order", order)),
        "time": to_datetime(revision.time).isoformat(),
    }
    change |= {name: fields[name] for name in ("title", "author") if name in fields}
    if "readers" in fields:
        change["readers"] = fields["readers"].split()
    elif order == 1:
        change["readers"] = [EVERYONE]
    if revision.kind == "put":
        change |= {"body": revision.body, "media_type": media_type, "path": f"{file.parent.name}/{file.name}"}
    return orjson.dumps(change)


def _time(file: Path, line: int, text: str) -> Instant:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as err:
        raise _bad(file, line, f"{text!r} is not a time such as 2025-04-28T12:00") from err
    return from_datetime(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _bad(file: Path, line: int, reason: str) -> BadSettings:
    return BadSettings(f"{file}:{line}: {reason}")
