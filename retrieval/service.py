"""The service: a question in, hits with status, validity, sources and rivals out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from connectors.embedding import Embedder
from connectors.index import Filter, Index, mixed
from retrieval.channels import rankings
from retrieval.filter import PUBLIC, View, condition, view_named, visible
from retrieval.fusion import Candidate, min_max, reciprocal_rank
from retrieval.selection import balance, balanced
from schemas.errors import BadQuestion, BadSettings
from schemas.ids import Audience, DocumentKey, RecordId, Tenant
from schemas.instant import Instant, iso
from schemas.record import Belief, Kind, Record, Status, status_at

MOST = 1_000  # hits that may be asked for
_FUSIONS = {"rrf": reciprocal_rank, "min-max": min_max}


@dataclass(frozen=True, slots=True)
class Hit:
    """One record that answers. `status` is the one at the asked time, `channels` the rank in each channel that found it.

    `rivals` are the records that dispute a disputed one, as far as the asker may read them.
    """

    record: Record
    score: float
    channels: Mapping[str, int]
    status: Status
    rivals: tuple[Record, ...] = ()


class Search:
    """Answers questions about one tenant. Without an embedder by words only."""

    def __init__(
        self,
        index: Index,
        embedder: Embedder | None,
        tenant: Tenant,
        audiences: Callable[[], Iterable[Audience]],
        fusion: str = "rrf",
    ) -> None:
        """`audiences` returns the distinct audiences of the tenant's records, asked anew for each question; `fusion` is rrf or min-max."""
        if embedder is not None and embedder.fingerprint != index.generation:
            raise mixed(index.generation, embedder.fingerprint)
        if embedder is None and not index.has_lexical:
            message = "this index has no lexical channel (a Milvus server below 2.5): it can only be asked with an embedding model"
            raise BadSettings(message)
        if fusion not in _FUSIONS:
            message = f"fusion {fusion!r} is unknown; there are {', '.join(_FUSIONS)}"
            raise BadSettings(message)
        self._index = index
        self._embedder = embedder
        self._tenant = tenant
        self._audiences = audiences
        self._fuse = _FUSIONS[fusion]

    def search(
        self,
        question: str,
        at: Instant,
        view: str = View.FULL,
        readers: Iterable[str] = PUBLIC,
        k: int = 10,
        documents: frozenset[DocumentKey] | None = None,
        *,
        until: Instant | None = None,
        known_at: Instant | None = None,
    ) -> list[Hit]:
        """Return at most k hits that were true at an instant, as the readers may see them, best first. Deterministic for one state of the index.

        With `until` hits are what was true at some time from `at` to before it. `known_at` asks what the index knew then, later changes left
        out. `documents` restricts the answer to what these support. BadQuestion: an empty question, an unknown view, a k that is not 1 to 1,000,
        an `until` that is not after `at`.
        """
        if not question.strip():
            message = "the question is empty"
            raise BadQuestion(message)
        if not 1 <= k <= MOST:
            message = f"k is {k}, not 1 to {MOST}"
            raise BadQuestion(message)
        if until is not None and until <= at:
            message = f"the time asked about ends at {iso(until)}, not after its start at {iso(at)}"
            raise BadQuestion(message)
        chosen = view_named(view)
        admitted = condition(self._tenant, visible(self._audiences(), readers), at, chosen)
        where = replace(admitted, documents=documents, until=until, known_at=known_at)
        if where.admits_nothing:
            return []
        candidates = self._fuse(rankings(self._index, question, self._vector(question), where))
        best = balanced(candidates, balance(k), histories=chosen is View.ALL or until is not None)
        return self._hits(best, at, where)

    def _vector(self, question: str) -> tuple[float, ...] | None:
        return self._embedder.embed([question])[0] if self._embedder is not None else None

    def _hits(self, chosen: Sequence[Candidate], at: Instant, where: Filter) -> list[Hit]:
        rivals = self._rivals([candidate.record for candidate in chosen], where)
        return [
            Hit(
                candidate.record,
                candidate.score,
                candidate.channels,
                _status(candidate.record, at, where),
                _opposing(candidate.record, rivals, at),
            )
            for candidate in chosen
        ]

    def _rivals(self, records: Iterable[Record], where: Filter) -> dict[RecordId, Record]:
        named = dict.fromkeys(name for record in records if record.belief is Belief.DISPUTED for name in record.rivals)
        seen = Filter(where.tenant, audiences=where.audiences, kinds=frozenset({Kind.NUGGET}), known_at=where.known_at)
        found = [stored.record for stored in self._index.get(self._tenant, named)] if named else []
        return {record.id: record for record in found if seen.admits(record)}


def _status(record: Record, at: Instant, where: Filter) -> Status:
    """Return the status at the asked time; of a stretch of time, at the first instant in it at which the record holds."""
    then = at if where.until is None else max(at, record.valid_from)
    return status_at(record.belief, record.valid_from, record.valid_to, then)


def _opposing(record: Record, rivals: Mapping[RecordId, Record], at: Instant) -> tuple[Record, ...]:
    """Return the rivals of a disputed record: those that hold at the asked time, or all if it was not disputed then."""
    if record.belief is not Belief.DISPUTED:
        return ()
    known = [rivals[name] for name in record.rivals if name in rivals]
    then = [rival for rival in known if rival.valid_from <= at < rival.valid_to]
    return tuple(then or known)
