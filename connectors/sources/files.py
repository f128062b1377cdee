"""Files of JSON lines: each line becomes one message as it stands, right or wrong; what it means is for the topic's adapter to say.

A line is a native change (or a list of them, or a review), sent to the topic that the file is fed to with the document's id as key. Or it spells
the message out: `{"topic": ..., "key": ..., "value": ...}`, where `value` null is a message without a value and a text is sent as its bytes.
Topic and key may be left out. Empty lines are passed over.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import orjson

from connectors.sources.settings import LARGEST_MESSAGE
from schemas.errors import BadSettings

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


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as err:
        message = f"{path} cannot be read ({err.strerror}); give a file of JSON lines"
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
