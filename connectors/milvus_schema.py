"""How a record lies in a Milvus collection: the columns, the indexes, and the way there and back."""

import logging
import os
from dataclasses import dataclass
from typing import Any

from pymilvus import CollectionSchema, DataType, Function, FunctionType, MilvusClient
from pymilvus.milvus_client.index import IndexParams

from connectors.limits import LIST_ITEMS, TEXT_BYTES, WORD_BYTES, searched_words
from connectors.rest import fields_of, rest_of
from schemas.ids import Audience, DocumentKey, EntityId, Fingerprint, RecordId, Tenant, digest
from schemas.instant import Instant
from schemas.record import Belief, Kind, Record, Row

LITE_BUFFER = ("MILVUS_LITE_MEMTABLE_MEMORY_LIMIT_BYTES", "4000000")
"""Unflushed rows make every read of Milvus Lite slow, and its default buffer holds 62,000 of them (milvus.md section 5).

The engine looks when it is imported, which the client does when it opens a file.
"""
os.environ.setdefault(*LITE_BUFFER)

# The client logs every failure with a traceback, also those that are waited out; `milvus_calls` reports them, once.
logging.getLogger("pymilvus").setLevel(logging.CRITICAL)

FORMAT = 1
"""The number of this column layout; part of the generation in every row, so rows of two layouts are never mixed."""

TAG = 16  # hexadecimal characters of the tenant's digest in front of a record's id
KEY_BYTES = TAG + 1 + 128

_TEXTS = {"tenant_key": 32, "audience_key": 32, "kind": WORD_BYTES, "belief": WORD_BYTES, "text": TEXT_BYTES, "generation": 256}
_NUMBERS = ("sequence", "valid_from", "valid_to", "recorded_at", "known_to")
_LISTS = ("entities", "documents")
_FILTERED = ("tenant_key", "audience_key", "kind", "belief", "valid_from", "valid_to", "known_to")

READ = ["key", *_TEXTS, *_NUMBERS, *_LISTS, "verified", "rest"]
"""The columns that make up a record: all but the vectors and the words they come from."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between Milvus Lite and servers: list columns, the lexical channel, the sign of its distances, the dense index."""

    lite: bool
    lexical: bool

    @property
    def delimited(self) -> bool:
        """Whether list columns are texts like `|a|b|`: Lite filters arrays row by row, `like` on servers is fast as a prefix only."""
        return self.lite


def dialect_of(version: str) -> Dialect:
    """Return the dialect for what `get_server_version` says: milvus-lite-3.2.2, v2.3.5, 2.6.1-dev."""
    if version.replace("_", "-").startswith("milvus-lite"):
        return Dialect(lite=True, lexical=True)
    major, minor = (int("".join(filter(str.isdigit, part)) or 0) for part in (*version.split("."), "0")[:2])
    return Dialect(lite=False, lexical=(major, minor) >= (2, 5))


def layout(dialect: Dialect, dimension: int) -> CollectionSchema:
    """Return the columns of a collection. Nothing is dynamic: an unknown column is an error, not a silence."""
    schema = MilvusClient.create_schema(enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, max_length=KEY_BYTES, is_primary=True)
    for name, size in _TEXTS.items():
        schema.add_field(name, DataType.VARCHAR, max_length=size)
    for name in _NUMBERS:
        schema.add_field(name, DataType.INT64)
    for name in _LISTS:
        _add_list(schema, name, dialect)
    schema.add_field("verified", DataType.BOOL)
    schema.add_field("rest", DataType.JSON)
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
    if dialect.lexical:
        _add_words(schema)
    return schema


def indexes(dialect: Dialect) -> dict[str, dict[str, Any]]:
    """Return the index of each column that has one. Exact search on Lite: its HNSW loses hits under selective filters (milvus.md 4.1)."""
    flat: dict[str, Any] = {"index_type": "FLAT", "metric_type": "COSINE"}
    graph: dict[str, Any] = {"index_type": "HNSW", "metric_type": "COSINE", "params": {"M": 16, "efConstruction": 200}}
    chosen = {"dense": flat if dialect.lite else graph}
    if dialect.lexical:
        chosen["sparse"] = {"index_type": "SPARSE_INVERTED_INDEX", "metric_type": "BM25"}
    if not dialect.lite:
        chosen.update({name: {"index_type": "INVERTED"} for name in _FILTERED} if dialect.lexical else {})
    return chosen


def index_params(chosen: dict[str, dict[str, Any]]) -> IndexParams:
    """Return the indexes as the client wants them, named after their columns."""
    params = MilvusClient.prepare_index_params()
    for name, settings in chosen.items():
        params.add_index(name, index_name=name, **settings)
    return params


def key_of(tenant: Tenant, record: RecordId) -> str:
    """Return the primary key: record ids are unique within a tenant only."""
    return f"{tenant_key(tenant)[:TAG]}:{record}"


def tenant_key(tenant: Tenant) -> str:
    """Return what is filtered by in place of a tenant's name, which may hold any character."""
    return digest("tenant", tenant)


def audience_key(audience: Audience) -> str:
    """Return what is filtered by in place of an audience, whose readers may have any name."""
    return digest("audience", audience)


def generation_of(fingerprint: Fingerprint) -> str:
    """Return what stands in the generation column: layout and model."""
    return f"{FORMAT}/{fingerprint}"


def columns(row: Row, dialect: Dialect) -> dict[str, Any]:
    """Return a checked, fitted row as the collection takes it."""
    record = row.record
    written: dict[str, Any] = {
        "key": key_of(record.tenant, record.id),
        "tenant_key": tenant_key(record.tenant),
        "audience_key": audience_key(record.audience),
        "kind": record.kind.value,
        "belief": record.belief.value,
        "text": record.text,
        "generation": generation_of(row.generation),
        "verified": record.verified,
        "rest": rest_of(record),
        "dense": row.dense,
    }
    written |= {name: int(getattr(record, name)) for name in _NUMBERS}
    written |= {name: _list(getattr(record, name), dialect) for name in _LISTS}
    if dialect.lexical:
        written["words"] = searched_words(record)
    return written


def record_of(entity: dict[str, Any], dialect: Dialect) -> Record:
    """Return the record of the columns in `READ`; equal to the one that was written."""
    return Record(
        id=RecordId(entity["key"][TAG + 1 :]),
        kind=Kind(entity["kind"]),
        text=entity["text"],
        belief=Belief(entity["belief"]),
        entities=tuple(EntityId(name) for name in _items(entity["entities"], dialect)),
        documents=tuple(DocumentKey(name) for name in _items(entity["documents"], dialect)),
        verified=entity["verified"],
        sequence=entity["sequence"],
        valid_from=Instant(entity["valid_from"]),
        valid_to=Instant(entity["valid_to"]),
        recorded_at=Instant(entity["recorded_at"]),
        known_to=Instant(entity["known_to"]),
        **fields_of(entity["rest"]),
    )


def fingerprint_of(generation: str) -> Fingerprint:
    """Return the model's part of the generation column."""
    return Fingerprint(generation.partition("/")[2])


def _add_list(schema: CollectionSchema, name: str, dialect: Dialect) -> None:
    if dialect.delimited:
        schema.add_field(name, DataType.VARCHAR, max_length=TEXT_BYTES)
    else:
        schema.add_field(name, DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=LIST_ITEMS, max_length=128)


def _add_words(schema: CollectionSchema) -> None:
    plain = {"tokenizer": "standard", "filter": ["lowercase"]}
    schema.add_field("words", DataType.VARCHAR, max_length=TEXT_BYTES, enable_analyzer=True, analyzer_params=plain)
    schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
    bm25 = Function(name="bm25", function_type=FunctionType.BM25, input_field_names=["words"], output_field_names=["sparse"])
    schema.add_function(bm25)


def _list(items: tuple[str, ...], dialect: Dialect) -> str | list[str]:
    if not dialect.delimited:
        return list(items)
    return f"|{'|'.join(map(masked, items))}|" if items else ""


def _items(stored: Any, dialect: Dialect) -> list[str]:
    if not dialect.delimited:
        return list(stored)
    return [name.replace("+", "_") for name in stored.strip("|").split("|")] if stored else []


def masked(name: str) -> str:
    """Return an id as it stands in a delimited list: without the underscore, which `like` takes for any character.

    Lite understands an escaped underscore in flushed rows only, and `+` is in no id.
    """
    return name.replace("_", "+")
