"""A small index to ask: the wharf of an invented town."""

from collections.abc import Iterable
from typing import Any

from connectors.embedding import NgramEmbedder
from connectors.memory_index import MemoryIndex
from retrieval.service import Hit, Search
from schemas.change import audience_of
from schemas.ids import Audience, RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Row, Support

TENANT = Tenant("town")
EMBEDDER = NgramEmbedder()
EVERYBODY = audience_of({"*"})


def fact(name: str, text: str, start: int = 0, end: int = FOREVER, **fields: Any) -> Record:
    """Return a nugget; a time is a plain number."""
    known: dict[str, Any] = {
        "kind": Kind.NUGGET,
        "tenant": TENANT,
        "audience": EVERYBODY,
        "belief": Belief.BELIEVED,
        "reason": "current",
        "said_at": Instant(start),
        "provenance": (Support("wiki", f"page-{name}", "unit", 0, len(text), Instant(start)),),
    }
    return Record(id=RecordId(name), text=text, valid_from=Instant(start), valid_to=Instant(end), **{**known, **fields})


def indexed(records: Iterable[Record]) -> MemoryIndex:
    """Return an index that holds the records."""
    index = MemoryIndex(EMBEDDER.fingerprint, EMBEDDER.dimension)
    stored = list(records)
    vectors = EMBEDDER.embed([record.text for record in stored])
    assert index.write([Row(record, vector, EMBEDDER.fingerprint) for record, vector in zip(stored, vectors, strict=True)]) == []
    return index


def audiences(index: MemoryIndex) -> list[Audience]:
    """Return the distinct audiences of the tenant."""
    return sorted({stored.record.audience for stored in index.scan() if stored.record.tenant == TENANT})


def asked(records: Iterable[Record], question: str, at: int, *, by_words: bool = False, **options: Any) -> list[Hit]:
    """Return the hits of a question to the records."""
    index = indexed(records)
    search = Search(index, None if by_words else EMBEDDER, TENANT, lambda: audiences(index))
    return search.search(question, Instant(at), **options)


def names(hits: Iterable[Hit]) -> list[str]:
    """Return the ids of hits, best first."""
    return [hit.record.id for hit in hits]
