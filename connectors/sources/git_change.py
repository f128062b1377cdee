"""Native changes out of commits.

The key is the document's id, the order the commit's position, the time the commit's, the author its author by name.
"""

from typing import TypeAlias

import orjson
from dulwich.objects import Commit

from connectors.sources.settings import LARGEST_MESSAGE
from connectors.sources.suffixes import media_type_of

KeyValue: TypeAlias = tuple[bytes, bytes]
"""Key and value of one message."""


def put(document: str, position: int, commit: Commit, path: str, text: str) -> KeyValue:
    """Return a change that says what the document says now, and where it stands.

    A text that fits into no message is left out in a way that no adapter accepts: so it ends as a dead letter that names document and size,
    and the document keeps what it said before.
    """
    return _change(document, position, commit, kind="put", path=path, media_type=media_type_of(path), body=text)


def move(document: str, position: int, commit: Commit, path: str) -> KeyValue:
    """Return a change that says where the document stands now."""
    return _change(document, position, commit, kind="move", path=path)


def delete(document: str, position: int, commit: Commit) -> KeyValue:
    """Return a change that says that the document is gone."""
    return _change(document, position, commit, kind="delete")


def author_of(commit: Commit) -> str:
    """Return the author's name without the mail address."""
    name: bytes = commit.author.partition(b"<")[0].strip()
    try:
        return name.decode((commit.encoding or b"utf-8").decode("ascii"))
    except (UnicodeDecodeError, LookupError):
        return name.decode("latin-1")


def _change(document: str, position: int, commit: Commit, **fields: str) -> KeyValue:
    change = {"format": 1, "id": document, "order": position, "time": commit.commit_time, "time_unit": "s", "author": author_of(commit), **fields}
    value = orjson.dumps(change)
    if len(value) > LARGEST_MESSAGE:
        value = orjson.dumps(change | {"body": {"omitted": f"{len(value):,} bytes"}})
    return document.encode(), value
