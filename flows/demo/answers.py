"""The demo asks its questions, and finds the words in the documents that each answer rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from connectors.embedding import Embedder
from connectors.index import Index, Stored
from flows.demo.questions import Question, differences, telling
from retrieval.service import Hit, Search
from schemas.ids import RecordId, Tenant
from schemas.instant import Instant
from schemas.record import Kind, Record, Support

SHOWN = 3
"""Hits shown per question; ten are looked for."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a document, and what stands there. `record` is the nugget that it supports, where a bridge has several."""

    support: Support
    quote: str

    @property
    def place(self) -> str:
        """The document as people find it."""
        return f"{self.support.source}/{self.support.document}"


@dataclass(frozen=True, slots=True)
class Answer:
    """One question with its best hits, the sources of each of them, and what about all of its hits is not as expected."""

    question: Question
    at: Instant
    hits: tuple[Hit, ...]
    sources: tuple[tuple[Source, ...], ...]
    differences: tuple[str, ...]


class Asker:
    """Asks one tenant's index, which stays as it is meanwhile."""

    def __init__(self, index: Index, embedder: Embedder, tenant: Tenant) -> None:
        self._index = index
        self._tenant = tenant
        audiences = frozenset(stored.record.audience for stored in index.scan())
        self._search = Search(index, embedder, tenant, lambda: audiences)

    def ask(self, question: Question, now: Instant) -> Answer:
        """Return the answer to a question; one without a time asks about `now`."""
        at = now if question.at is None else question.at
        hits = self._search.search(question.ask, at, question.view, question.readers)
        shown = telling(question, hits, SHOWN)
        return Answer(question, at, tuple(shown), tuple(self.sources(hit.record) for hit in shown), tuple(differences(question, hits)))

    def sources(self, record: Record) -> tuple[Source, ...]:
        """Return where a record comes from, the words included as far as the index still has them."""
        units = {stored.record.id: stored.record.text for stored in self._records([support.unit for support in record.provenance])}
        return tuple(Source(support, _quote(units.get(RecordId(support.unit), ""), support)) for support in record.provenance)

    def premises(self, bridge: Record) -> list[tuple[Record, tuple[Source, ...]]]:
        """Return the nuggets that a bridge follows from, each with its sources."""
        found = self._records([support.record for support in bridge.provenance])
        return [(stored.record, self.sources(stored.record)) for stored in found]

    def _records(self, names: Sequence[str]) -> list[Stored]:
        return self._index.get(self._tenant, [RecordId(name) for name in dict.fromkeys(names)])


def bridge_of(answers: Sequence[Answer]) -> Record | None:
    """Return the bridge that the demo tells of: one that a question expected, else the first that answered anything."""
    bridges = [(answer, hit) for answer in answers for hit in answer.hits if hit.record.kind is Kind.BRIDGE]
    wanted = [hit for answer, hit in bridges if any(pattern.kind is Kind.BRIDGE and pattern.fits(hit) for pattern in answer.question.expect)]
    return next(iter([hit.record for hit in (*wanted, *(hit for _, hit in bridges))]), None)


def _quote(unit: str, support: Support) -> str:
    return " ".join(unit[support.start : support.end].split())
