"""Files that are fed: JSON lines, and single documents.

Each line of a file of JSON lines becomes one message as it stands, right or wrong; what it means is for the topic's adapter to say.
A line is a native change (or a list of them, or a review), sent to the topic that the file is fed to with the document's id as key. Or it spells
the message out: `{"topic": ..., "key": ..., "value": ...}`, where `value` null is a message without a value and a text is sent as its bytes.
Topic and key may be left out. Empty lines are passed over.

A file in a markup that is read, or a PDF file, is one document: its name is the id, its name without the ending the title, and the time at which it
was changed last is the order.
"""

import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import orjson

from connectors.sources import pdf
from connectors.sources.settings import LARGEST_MESSAGE
from connectors.sources.suffixes import MEDIA_TYPES, PLAIN
from derive.markup.pdf import MEDIA_TYPE
from schemas.errors import BadSettings

_DOCUMENTS = {suffix: media_type for suffix, media_type in MEDIA_TYPES.items() if media_type != PLAIN} | {".pdf": MEDIA_TYPE}
"""Endings of documents; a file of plain text may well hold JSON lines."""
_SPELLED_OUT = {"topic", "key", "value"}


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file was read: so many lines, which are so many bytes with this digest."""

    lines: int = 0
    size: int = 0
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """The message of one line, and the mark behind it. `topic` is empty where the line does not name one."""

    topic: str
    key: bytes | None
    value: bytes | None
    mark: Mark


def lines(path: Path, after: Mark) -> Iterator[Line]:
    """Yield the messages behind a mark; from the beginning if the file is no longer the one in which the mark was set."""
    with _opened(path) as file:
        read = blake2b(file.read(after.size))
        if read.hexdigest() != after.digest:
            after, read = Mark(), blake2b()
            file.seek(0)
        size = after.size
        for number, raw in enumerate(file, after.lines + 1):
            read.update(raw)
            size += len(raw)
            if line := raw.strip():
                yield _line(line, Mark(number, size, read.hexdigest()), path)


def is_document(path: Path) -> bool:
    """Tell whether a file is a document by itself, and not a file of changes."""
    return path.suffix.lower() in _DOCUMENTS


def document(path: Path) -> tuple[bytes, bytes]:
    """Return key and value of the change that a document's file is. BadSettings if it cannot be read or fits into no message."""
    with _opened(path) as file:
        raw, changed = file.read(), os.fstat(file.fileno()).st_mtime_ns
    media_type = _DOCUMENTS[path.suffix.lower()]
    is_file = media_type == MEDIA_TYPE
    body = {"encoding": pdf.BASE64, "body": b64encode(raw).decode()} if is_file else {"body": raw.decode("utf-8", "replace")}
    change = {
        "id": path.name,
        "order": changed,
        "time": changed // 1_000_000,
        "time_unit": "ms",
        "title": path.stem,
        "media_type": media_type,
        **body,
    }
    value = orjson.dumps(change)
    if len(value) > LARGEST_MESSAGE:
        message = f"{path}: {len(value):,} bytes as a change are more than the {LARGEST_MESSAGE:,} of one message; divide the document"
        raise BadSettings(message)
    return path.name.encode(), value


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as err:
        message = f"{path} cannot be read ({err.strerror}); give a file of JSON lines, or a document"
        raise BadSettings(message) from err


def _line(line: bytes, mark: Mark, path: Path) -> Line:
    try:
        held = orjson.loads(line)
    except orjson.JSONDecodeError:
        held = None
    if isinstance(held, dict) and "value" in held and held.keys() <= _SPELLED_OUT:
        found = Line(str(held.get("topic", "")), _bytes(held.get("key")), _bytes(held["value"]), mark)
    else:
        found = Line("", _key(held), line, mark)
    if found.value is None and found.key is None:
        message = f"{path}, line {mark.lines}: a message needs a key or a value; to delete a document give its id as key"
        raise BadSettings(message)
    size = len(found.value or b"")
    if size > LARGEST_MESSAGE:
        message = f"{path}, line {mark.lines}: {size:,} bytes are more than the {LARGEST_MESSAGE:,} of one message; shorten the line"
        raise BadSettings(message)
    return found


def _bytes(value: object) -> bytes | None:
    if value is None:
        return None
    return value.encode() if isinstance(value, str) else orjson.dumps(value)


def _key(held: object) -> bytes | None:
    """Return the id of the document, so that its changes stay in one partition; the first one's, where there are several."""
    first = held[0] if isinstance(held, list) and held else held
    named = first.get("id") if isinstance(first, dict) else None
    return str(named).encode() if isinstance(named, str) or type(named) is int else None
