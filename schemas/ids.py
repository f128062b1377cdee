"""Identifiers: one type per thing that has an id, and the one way in which ids are made."""

from hashlib import blake2b
from typing import NewType

Tenant = NewType("Tenant", str)
Source = NewType("Source", str)
DocumentId = NewType("DocumentId", str)
"""What the source calls the document; unique within its source only."""
DocumentKey = NewType("DocumentKey", str)
"""`digest("document", source, document id)`: a document in any text, filter or key."""
Audience = NewType("Audience", str)
"""A set of readers in canonical form, see `schemas.change.audience_of`."""
EntityId = NewType("EntityId", str)
RecordId = NewType("RecordId", str)
UnitId = NewType("UnitId", str)
ContentHash = NewType("ContentHash", str)
Fingerprint = NewType("Fingerprint", str)

Part = str | int | bytes


def digest(*parts: Part) -> str:
    """Return 32 hexadecimal characters that depend on every part, on their order and on their borders.

    Text is hashed as UTF-8 with surrogates passed through, so no input can raise. 128 bits: a collision among 10^9 ids has a chance below 10^-20.
    """
    raws = [part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass") for part in parts]
    return blake2b(b"".join([b"%d:%b" % (len(raw), raw) for raw in raws]), digest_size=16).hexdigest()


def document_key(source: str, document: str) -> DocumentKey:
    """Return the key under which every part of Millstream knows a document."""
    return DocumentKey(digest("document", source, document))
