"""An index in memory: the twin of Milvus in tests, and the one that answers within milliseconds.

Vectors and what is filtered by stand in columns, one slot per record; a question is one mask over the columns, one matrix product, one BM25 sum.
"""

from collections.abc import Iterable, Iterator, Sequence
from threading import RLock

import numpy as np
import numpy.typing as npt

from connectors.bm25 import Bm25
from connectors.index import Filter, Match, Refused, Stored, newest, require_generation
from connectors.lexical import terms
from connectors.limits import check, fit, searched_words
from schemas.errors import BadRecord
from schemas.ids import Fingerprint, RecordId, Tenant
from schemas.instant import FOREVER
from schemas.record import Belief, Kind, Record, Row

Mask = npt.NDArray[np.bool_]
Key = tuple[Tenant, RecordId]

_BELIEFS = {belief: code for code, belief in enumerate(Belief)}
_KINDS = {kind: code for code, kind in enumerate(Kind)}
_TIMES = ("valid_from", "valid_to", "recorded_at", "known_to")
_MASKS = 64  # remembered until the next write
_SLOTS = 1024  # the first allocation; doubled when full


class MemoryIndex:
    """The index port over numpy arrays; nothing outlives the process. One lock makes every call atomic."""

    has_lexical = True

    def __init__(self, generation: Fingerprint, dimension: int) -> None:
        self.generation = generation
        self.dimension = dimension
        self._lock = RLock()
        self._slots: dict[Key, int] = {}
        self._free: list[int] = []
        self._records: dict[int, Record] = {}
        self._used = 0
        self._names: dict[tuple[str, str], int] = {}
        self._holders: dict[tuple[str, str], set[int]] = {}
        self._masks: dict[Filter, Mask] = {}
        self._bm25 = Bm25()
        self._vectors = np.zeros((_SLOTS, dimension), np.float32)
        self._codes = {name: np.full(_SLOTS, -1, np.int32) for name in ("tenant", "audience", "belief", "kind", "verified")}
        self._times = {name: np.zeros(_SLOTS, np.int64) for name in _TIMES}

    def ensure(self) -> None:
        """Nothing has to be created."""

    def write(self, rows: Sequence[Row]) -> list[Refused]:
        """See `connectors.index.Index.write`."""
        require_generation(rows, self.generation)
        refused: list[Refused] = []
        with self._lock:
            self._masks.clear()
            for row in newest(rows):
                try:
                    self._take(row)
                except BadRecord as error:
                    refused.append((row, error))
                    self._remove_outdated(row.record)
        return refused

    def get(self, tenant: Tenant, ids: Iterable[RecordId]) -> list[Stored]:
        """See `connectors.index.Index.get`."""
        with self._lock:
            slots = [self._slots[tenant, name] for name in dict.fromkeys(ids) if (tenant, name) in self._slots]
            return [Stored(self._records[slot], self.generation) for slot in slots]

    def scan(self, batch: int = 1000) -> Iterator[Stored]:
        """See `connectors.index.Index.scan`; what is written meanwhile may be seen or not."""
        with self._lock:
            keys = list(self._slots)
        for start in range(0, len(keys), batch):
            with self._lock:
                found = [self._records[self._slots[key]] for key in keys[start : start + batch] if key in self._slots]
            yield from (Stored(record, self.generation) for record in found)

    def count(self) -> int:
        """See `connectors.index.Index.count`."""
        return len(self._slots)

    def dense(self, vector: Sequence[float], where: Filter, limit: int) -> list[Match]:
        """See `connectors.index.Index.dense`."""
        with self._lock:
            chosen = np.flatnonzero(self._mask(where))
            asked = _unit(np.asarray(vector, np.float32))
            few = len(chosen) * 8 < self._used  # gathering rows costs more than a product over all of them, milvus.md section 10
            scores = self._vectors[chosen] @ asked if few else (self._vectors[: self._used] @ asked)[chosen]
            return self._best(chosen, scores, limit)

    def lexical(self, text: str, where: Filter, limit: int) -> list[Match]:
        """See `connectors.index.Index.lexical`."""
        with self._lock:
            sums = self._bm25.scores(terms(text), len(self._vectors))
            chosen = np.flatnonzero(self._mask(where) & (sums > 0))
            return self._best(chosen, sums[chosen], limit)

    def close(self) -> None:
        """Nothing has to be let go."""

    def _take(self, row: Row) -> None:
        key = row.record.tenant, row.record.id
        slot = self._slots.get(key)
        record = row.record if row.record.deleted else fit(row.record)
        check(Row(record, row.dense, row.generation), self.dimension)
        if slot is not None and self._records[slot].sequence > record.sequence:
            return
        if record.deleted:
            self._remove(key)
        else:
            self._fill(self._slot(key), record, row.dense)

    def _remove_outdated(self, refused: Record) -> None:
        """Remove what a refused record would have replaced: it may be open to readers whom the refused one shuts out."""
        key = refused.tenant, refused.id
        slot = self._slots.get(key)
        if slot is not None and self._records[slot].sequence <= refused.sequence:
            self._remove(key)

    def _remove(self, key: Key) -> None:
        slot = self._slots.pop(key, None)
        if slot is not None:
            self._forget_names(slot)
            del self._records[slot]
            self._codes["tenant"][slot] = -1
            self._bm25.drop(slot)
            self._free.append(slot)

    def _slot(self, key: Key) -> int:
        if key not in self._slots:
            if not self._free:
                self._free.append(self._used)
                self._used += 1
                self._grow()
            self._slots[key] = self._free.pop()
        return self._slots[key]

    def _grow(self) -> None:
        if self._used > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
            self._codes = {name: np.concatenate([column, np.full_like(column, -1)]) for name, column in self._codes.items()}
            self._times = {name: np.concatenate([column, np.zeros_like(column)]) for name, column in self._times.items()}

    def _fill(self, slot: int, record: Record, dense: tuple[float, ...]) -> None:
        self._forget_names(slot)
        self._records[slot] = record
        for listed in _listed(record):
            self._holders.setdefault(listed, set()).add(slot)
        self._vectors[slot] = _unit(np.asarray(dense, np.float32))
        self._codes["tenant"][slot] = self._code("tenant", record.tenant)
        self._codes["audience"][slot] = self._code("audience", record.audience)
        self._codes["belief"][slot] = _BELIEFS[record.belief]
        self._codes["kind"][slot] = _KINDS[record.kind]
        self._codes["verified"][slot] = record.verified
        for name in _TIMES:
            self._times[name][slot] = getattr(record, name)
        self._bm25.put(slot, searched_words(record).split())

    def _code(self, column: str, name: str) -> int:
        return self._names.setdefault((column, name), len(self._names))

    def _mask(self, where: Filter) -> Mask:
        """Return which slots pass; the channels of one question ask for the same."""
        if where not in self._masks:
            if len(self._masks) == _MASKS:
                self._masks.clear()
            self._masks[where] = self._passing(where)
        return self._masks[where]

    def _passing(self, where: Filter) -> Mask:
        """Return which slots pass; agrees with `Filter.admits`."""
        if where.admits_nothing:
            return np.zeros(len(self._vectors), np.bool_)
        mask: Mask = self._codes["tenant"] == self._names.get(("tenant", where.tenant), -2)
        if where.audiences is not None:
            mask &= self._is_one_of("audience", [self._names.get(("audience", audience), -2) for audience in where.audiences])
        if where.beliefs is not None:
            mask &= self._is_one_of("belief", [_BELIEFS[belief] for belief in where.beliefs])
        if where.kinds is not None:
            mask &= self._is_one_of("kind", [_KINDS[kind] for kind in where.kinds])
        if where.verified_only:
            mask &= self._codes["verified"] == 1
        mask &= self._timely(where)
        if where.ids is not None:
            mask &= self._only(self._slots[where.tenant, name] for name in where.ids if (where.tenant, name) in self._slots)
        for field, names in (("document", where.documents), ("entity", where.entities)):
            if names is not None:
                mask &= self._only(slot for name in names for slot in self._holders.get((field, name), ()))
        return mask

    def _only(self, slots: Iterable[int]) -> Mask:
        mask = np.zeros(len(self._vectors), np.bool_)
        mask[list(slots)] = True
        return mask

    def _forget_names(self, slot: int) -> None:
        """Take what the slot holds, if anything, out of the way from names to slots."""
        for name in _listed(self._records[slot]) if slot in self._records else ():
            self._holders[name].discard(slot)
            if not self._holders[name]:
                del self._holders[name]

    def _is_one_of(self, column: str, codes: list[int]) -> Mask:
        held = self._codes[column]
        if len(codes) > 4:
            return np.isin(held, codes)
        mask: Mask = held == codes[0]
        for code in codes[1:]:
            mask |= held == code
        return mask

    def _timely(self, where: Filter) -> Mask:
        mask: Mask = np.ones(len(self._vectors), np.bool_)
        if where.at is not None:
            starts = self._times["valid_from"]
            mask &= starts <= where.at if where.until is None else starts < where.until
            mask &= where.at < self._times["valid_to"]
        if where.known_at is not None:
            mask &= (self._times["recorded_at"] <= where.known_at) & (where.known_at < self._times["known_to"])
        elif where.current_only:
            mask &= self._times["known_to"] == FOREVER
        return mask

    def _best(self, slots: npt.NDArray[np.intp], scores: npt.NDArray[np.float32], limit: int) -> list[Match]:
        if len(slots) > limit:
            top = np.argpartition(-scores, limit - 1)[:limit]
            slots, scores = slots[top], scores[top]
        found = [Match(self._records[int(slot)], float(score)) for slot, score in zip(slots, scores, strict=True)]
        return sorted(found, key=lambda match: (-match.score, match.record.id))


def _listed(record: Record) -> set[tuple[str, str]]:
    return {*(("document", name) for name in record.documents), *(("entity", name) for name in record.entities)}


def _unit(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector
