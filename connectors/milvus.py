"""The index in Milvus: Milvus Lite in a file, Milvus Lite as a server, or a Milvus server, through one adapter."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from pymilvus import MilvusClient

from connectors.index import Filter, Match, Refused, Stored, mixed, newest, require_generation, without_login
from connectors.lexical import words
from connectors.limits import ID, check, fit
from connectors.milvus_calls import Calls, Refusal
from connectors.milvus_filter import expression, literal, one_of
from connectors.milvus_schema import (
    READ,
    Dialect,
    columns,
    dialect_of,
    fingerprint_of,
    generation_of,
    index_params,
    indexes,
    key_of,
    layout,
    record_of,
)
from schemas.errors import BadRecord, Inconsistent
from schemas.ids import Fingerprint, RecordId, Tenant
from schemas.record import Row

BATCH_ROWS = 256  # keeps readers of Lite blocked for less than 100 ms
BATCH_BYTES = 16_000_000  # a server refuses requests over 64 MB
LOOKUP_KEYS = 4_096
MOST_HITS = 16_384  # what a server returns at most
TIMEOUT = 60.0  # seconds for one request; a flush of Lite blocks for up to two

_writers: dict[tuple[str, str], Lock] = {}
"""One lock per collection of Milvus Lite for the whole process: two writers destroy its log silently. On a server each writer has its own records."""
_registering = Lock()


@dataclass(frozen=True, slots=True)
class MilvusSettings:
    """Where the index is. `uri` is `http://host:port` or a path that ends in `.db`; `patience` is how many seconds an outage is waited for.

    `consistency` is that of questions: with Strong a server shows all that was written, and waits up to 0.2 s for that; Lite always does so
    at once.
    """

    uri: str
    collection: str = "millstream"
    token: str = ""
    consistency: str = "Strong"
    patience: float = 60.0

    def __repr__(self) -> str:
        """Return what may be logged: neither the token nor the login in the uri."""
        uri = without_login(self.uri)
        return f"MilvusSettings(uri={uri!r}, collection={self.collection!r}, consistency={self.consistency!r}, patience={self.patience!r})"


class MilvusIndex:
    """The index port over one collection. Create it in the process that uses it, after any fork. One process at a time may write on Milvus Lite."""

    def __init__(self, settings: MilvusSettings, generation: Fingerprint, dimension: int) -> None:
        self.generation = generation
        self.dimension = dimension
        self._settings = settings
        self._name = settings.collection
        self._calls = Calls(settings.patience, lambda: self._load(self._client))
        self._client: MilvusClient = self._calls(MilvusClient, uri=settings.uri, token=settings.token, timeout=TIMEOUT)
        self._dialect: Dialect = dialect_of(self._calls(self._client.get_server_version))
        self._writing = _writer_lock(settings.uri, settings.collection) if self._dialect.lite else Lock()

    @property
    def has_lexical(self) -> bool:
        """See `connectors.index.Index.has_lexical`."""
        return self._dialect.lexical

    def ensure(self) -> None:
        """See `connectors.index.Index.ensure`."""
        with self._writing:
            if not self._calls(self._client.has_collection, self._name):
                self._create()
            self._check_layout()
            self._add_missing_indexes()
            self._calls(self._load, self._client)
            self._check_generation()

    def write(self, rows: Sequence[Row]) -> list[Refused]:
        """See `connectors.index.Index.write`."""
        require_generation(rows, self.generation)
        refused: list[Refused] = []
        good = list(_checked(newest(rows), self.dimension, refused))  # tombstones in place of the refused
        with self._writing:
            for start in range(0, len(good), LOOKUP_KEYS):
                fresh = self._not_older(good[start : start + LOOKUP_KEYS])
                self._delete([key_of(row.record.tenant, row.record.id) for row in fresh if row.record.deleted])
                for batch in _batches([row for row in fresh if not row.record.deleted]):
                    self._upsert(batch, refused)
        return refused

    def get(self, tenant: Tenant, ids: Iterable[RecordId]) -> list[Stored]:
        """See `connectors.index.Index.get`."""
        keys = [key_of(tenant, name) for name in dict.fromkeys(ids) if ID.fullmatch(name)]
        found = {entity["key"]: entity for entity in self._by_key(keys, READ, self._settings.consistency)}
        return [self._stored(found[key]) for key in keys if key in found]

    def scan(self, batch: int = 1000) -> Iterator[Stored]:
        """See `connectors.index.Index.scan`."""
        pages = self._calls(
            self._client.query_iterator,
            self._name,
            batch_size=batch,
            filter="",
            output_fields=READ,
            consistency_level="Strong",
            timeout=TIMEOUT,
        )
        try:
            while page := self._calls(pages.next):
                yield from map(self._stored, page)
        finally:
            pages.close()

    def count(self) -> int:
        """See `connectors.index.Index.count`."""
        found = self._calls(self._client.query, self._name, filter="", output_fields=["count(*)"], consistency_level="Strong", timeout=TIMEOUT)
        return int(found[0]["count(*)"])

    def dense(self, vector: Sequence[float], where: Filter, limit: int) -> list[Match]:
        """See `connectors.index.Index.dense`."""
        effort = {} if self._dialect.lite else {"ef": max(64, 2 * limit)}
        return self._search("dense", list(vector), {"metric_type": "COSINE", "params": effort}, where, limit)

    def lexical(self, text: str, where: Filter, limit: int) -> list[Match]:
        """See `connectors.index.Index.lexical`; a server below 2.5 raises Inconsistent."""
        if not self._dialect.lexical:
            message = "this Milvus server is older than 2.5 and has no lexical search; ask `has_lexical` first"
            raise Inconsistent(message)
        asked = words(text)
        return self._search("sparse", asked, {"metric_type": "BM25", "params": {}}, where, limit) if asked else []

    def close(self) -> None:
        """See `connectors.index.Index.close`."""
        self._client.close()

    def _create(self) -> None:
        """Create the collection; another process that opens the same index at the same time may be faster."""
        chosen = indexes(self._dialect)
        schema = layout(self._dialect, self.dimension)
        try:
            self._calls(
                self._client.create_collection,
                self._name,
                schema=schema,
                index_params=index_params(chosen),
                consistency_level="Strong",
                timeout=TIMEOUT,
            )
        except Refusal:
            if not self._calls(self._client.has_collection, self._name):
                raise

    def _check_layout(self) -> None:
        found = self._calls(self._client.describe_collection, self._name)
        wanted = {field.name for field in layout(self._dialect, self.dimension).fields}
        present = {field["name"]: field for field in found["fields"]}
        if wanted != set(present):
            odd = sorted(wanted ^ set(present))
            message = f"collection {self._name!r} has other columns than this version writes ({', '.join(odd)}); index anew into another collection"
            raise Inconsistent(message)
        length = int(present["dense"]["params"]["dim"])
        if length != self.dimension:
            raise mixed(f"a model of {length} numbers per vector", f"{self.generation} ({self.dimension} numbers)")

    def _add_missing_indexes(self) -> None:
        """Create what a creation that broke off has left out, or another process has not come to yet."""
        missing = self._missing_indexes()
        if missing:
            try:
                self._calls(self._client.create_index, self._name, index_params(missing))
            except Refusal:
                if self._missing_indexes():
                    raise

    def _missing_indexes(self) -> dict[str, dict[str, Any]]:
        present = set(self._calls(self._client.list_indexes, self._name))
        return {name: settings for name, settings in indexes(self._dialect).items() if name not in present}

    def _check_generation(self) -> None:
        """Ask for one row of another generation. This also waits until all that was acknowledged before this start is visible to the writer."""
        ours = generation_of(self.generation)
        other = self._calls(
            self._client.query,
            self._name,
            filter=f"generation != {literal(ours)}",
            limit=1,
            output_fields=["generation"],
            consistency_level="Strong",
            timeout=TIMEOUT,
        )
        for entity in other:
            raise mixed(entity["generation"], ours)

    def _load(self, client: MilvusClient) -> None:
        client.load_collection(self._name, timeout=TIMEOUT)

    def _not_older(self, rows: list[Row]) -> list[Row]:
        """Return the rows that are not older than what is stored. Only true under the writer's lock: Milvus has no compare-and-set.

        `Session` shows the writer its own writes without waiting for the server's tick, `ensure` waited for those of former processes.
        """
        keys = [key_of(row.record.tenant, row.record.id) for row in rows]
        held = {entity["key"]: entity["sequence"] for entity in self._by_key(keys, ["key", "sequence"], "Session")}
        return [row for key, row in zip(keys, rows, strict=True) if row.record.sequence >= held.get(key, row.record.sequence)]

    def _by_key(self, keys: list[str], fields: list[str], consistency: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for start in range(0, len(keys), LOOKUP_KEYS):
            part = one_of("key", keys[start : start + LOOKUP_KEYS])
            found += self._calls(self._client.query, self._name, filter=part, output_fields=fields, consistency_level=consistency, timeout=TIMEOUT)
        return found

    def _delete(self, keys: list[str]) -> None:
        for start in range(0, len(keys), LOOKUP_KEYS):
            self._calls(self._client.delete, self._name, filter=one_of("key", keys[start : start + LOOKUP_KEYS]), timeout=TIMEOUT)

    def _upsert(self, batch: list[Row], refused: list[Refused]) -> None:
        """Write a batch; if it is refused, row by row, so that one bad row costs itself only."""
        try:
            self._calls(self._client.upsert, self._name, [columns(row, self._dialect) for row in batch], timeout=TIMEOUT)
        except Refusal as error:
            if len(batch) == 1:
                (row,) = batch
                refused.append((row, BadRecord(row.record.id, "row", f"is refused by Milvus: {error}")))
                self._delete([key_of(row.record.tenant, row.record.id)])
                return
            for row in batch:
                self._upsert([row], refused)

    def _search(self, column: str, asked: Any, params: dict[str, Any], where: Filter, limit: int) -> list[Match]:
        if where.admits_nothing or limit < 1:
            return []
        pages = self._calls(
            self._client.search,
            self._name,
            data=[asked],
            anns_field=column,
            filter=expression(where, self._dialect),
            limit=min(limit, MOST_HITS),
            output_fields=READ,
            search_params=params,
            consistency_level=self._settings.consistency,
            timeout=TIMEOUT,
        )
        sign = -1 if column == "sparse" and self._dialect.lite else 1  # Lite gives BM25 scores as negative distances
        found = [Match(record_of({**hit["entity"], "key": hit["key"]}, self._dialect), sign * hit["distance"]) for hit in pages[0]]
        return sorted(found, key=lambda match: (-match.score, match.record.id))[:limit]

    def _stored(self, entity: dict[str, Any]) -> Stored:
        return Stored(record_of(entity, self._dialect), fingerprint_of(entity["generation"]))


def _writer_lock(uri: str, collection: str) -> Lock:
    with _registering:
        return _writers.setdefault((uri, collection), Lock())


def _checked(rows: Iterable[Row], dimension: int, refused: list[Refused]) -> Iterator[Row]:
    """Yield the rows as they are stored; a tombstone for each refused one, since the older row may be open to readers whom it shuts out."""
    for row in rows:
        fitted = row if row.record.deleted else Row(fit(row.record), row.dense, row.generation)
        try:
            check(fitted, dimension)
        except BadRecord as error:
            refused.append((row, error))
            if error.field not in {"id", "tenant"}:  # under such a name nothing can be stored
                yield Row(replace(row.record, deleted=True), (), row.generation)
        else:
            yield fitted


def _batches(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield the rows in batches that stay within both limits."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        weight = 8 * len(row.record.text) + 8 * len(row.dense) + 4_096  # text and its words, at most four bytes a character
        if batch and (len(batch) == BATCH_ROWS or size + weight > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += weight
    if batch:
        yield batch
