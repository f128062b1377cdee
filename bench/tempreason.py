"""TempReason: who held what in a given month, answered by Millstream, by nuggetindex 0.3.1, and by BM25 over the same sentences.

    python bench/tempreason.py [--k 10]

500 questions ask about a month. 427 of them are unambiguous: exactly one statement of the question's own context holds in that month, first and last
month included, and it gives the answer. The contexts go through a broker and the whole flow as documents, one each; questions are asked of the whole
index as of the first instant of their month.

answer in valid    of the unambiguous questions: how many have an answer among all that holds in the month according to the system, of that context
answer@1, @k       of all questions: an answer is among the first, the first k that the system returns from all contexts
tc                 temporal correctness: of all statements returned in the first k, how many hold in the asked month according to the data
cr                 conflict rate: of all questions, how many get, unmarked, two values of one subject for a relation that has one value at a time.
                   Which relations those are is what the schema of nuggetindex says (employer, chair, owner), not what Millstream's vocabulary says

nuggetindex is given the words of a question as alternatives, since its query parser wants all of them and takes no punctuation, and what no offline
extractor of its own reads from such sentences: the triple and the exact months. Its conflict detection, its views and its retrieval are its own. BM25
dated is BM25 over the sentences whose first month is not after the asked one, as if each had been written then. Values that a system marks as
disputed are returned and count in tc; they are no conflict, since the reader is told. Needs the shared data beside this checkout.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the bench also runs where Millstream is not installed
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes beside every log, and looks at this when it is imported

from nuggetindex import EpistemicState, FactTriple, Nugget, NuggetKind, NuggetStore, ProvenanceRecord, RelationSchema, ValidityInterval
from nuggetindex.extractors.base import BaseExtractor, ExtractionResult
from nuggetindex.pipeline.constructor import Document
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.support.indexer import Indexer, Plan
from bench.support.searchable import current, ends, wait
from bench.support.tempreason import QUESTIONS, Month, Question, Statement, plain, questions
from connectors.bm25 import Bm25
from connectors.broker import Broker
from connectors.embedding import open_embedder
from connectors.kafka import Feed, ensure_topics
from connectors.lexical import terms
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.milvus_server import start_lite
from retrieval.service import Search
from schemas.change import EVERYONE, audience_of
from schemas.ids import Tenant
from schemas.record import Belief, Kind, Record

TOPIC = "wiki.changes"
WRITTEN = "2023-01-01T00:00:00Z"
"""When the documents were written: after all that they tell."""
PATIENCE_S = 900.0


@dataclass(frozen=True, slots=True)
class Returned:
    """One hit: its words, the statement of the data that it is (None: of no known one), and whether the system says that it is disputed."""

    text: str
    statement: Statement | None
    disputed: bool = False


Answering = Callable[[Question], Sequence[Returned]]


@dataclass(slots=True)
class Score:
    """What a system did on all questions. Owned by the bench."""

    asked: int = 0
    first: int = 0
    found: int = 0
    returned: int = 0
    holding: int = 0
    conflicts: int = 0
    unambiguous: int = 0
    in_valid: int = 0

    def plain(self) -> dict[str, float]:
        """Return the figures of the table as shares."""
        given = {"answer1": (self.first, self.asked), "answer10": (self.found, self.asked), "tc": (self.holding, self.returned)}
        given |= {"cr": (self.conflicts, self.asked)} | ({"answer_in_valid": (self.in_valid, self.unambiguous)} if self.unambiguous else {})
        return {name: round(part / max(1, whole), 4) for name, (part, whole) in given.items()}


@dataclass(slots=True)
class Sentences:
    """All statements of the data, found again by their words."""

    known: dict[str, Statement] = field(default_factory=dict)

    def add(self, statement: Statement) -> None:
        """Know a statement."""
        self.known.setdefault(plain(statement.text), statement)

    def of(self, text: str) -> Statement | None:
        """Return the statement that a text is, whatever stands before or behind it."""
        return self.known.get(plain(text))


def scored(asked: Iterable[Question], answer: Answering, schema: RelationSchema, name: str) -> Score:
    """Ask everything and count."""
    score = Score()
    for question in track(list(asked), description=name, console=Console(stderr=True)):
        hits = answer(question)
        score.asked += 1
        score.first += question.is_answered(hit.text for hit in hits[:1])
        score.found += question.is_answered(hit.text for hit in hits)
        stated = [hit.statement for hit in hits if hit.statement is not None]
        score.returned += len(stated)
        score.holding += sum(statement.holds(question.month) for statement in stated)
        score.conflicts += _conflicts((hit.statement for hit in hits if hit.statement is not None and not hit.disputed), schema)
    return score


def _conflicts(stated: Iterable[Statement], schema: RelationSchema) -> bool:
    """Whether two of these values cannot both hold."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for statement in stated:
        if schema.is_functional(statement.reference):
            values[statement.subject, statement.relation].add(statement.value)
    return any(len(found) > 1 for found in values.values())


def ranked(asked: Sequence[Question], k: int, *, dated: bool) -> Answering:
    """Return BM25 over the distinct sentences, all of them or those that had been written by then."""
    sentences = list({statement.text: statement for question in asked for statement in question.statements}.values())
    whole = Bm25()
    for row, statement in enumerate(sentences):
        whole.put(row, terms(statement.text))

    def answer(question: Question) -> list[Returned]:
        scores = whole.scores(terms(question.text), len(sentences))
        order = sorted((row for row in range(len(sentences)) if scores[row] > 0), key=lambda row: (-scores[row], row))
        kept = (sentences[row] for row in order if not dated or sentences[row].first <= question.month)
        return [Returned(statement.text, statement) for statement, _ in zip(kept, range(k), strict=False)]

    return answer


class Given(BaseExtractor):
    """Reads the sentences of the data for nuggetindex: the triple and the months, exactly."""

    def __init__(self, schema: RelationSchema) -> None:
        self._schema = schema

    async def aextract(self, text: str, *, context: str = "", source_id: str | None = None) -> list[ExtractionResult]:
        """See nuggetindex."""
        found = [Statement.of(line) for line in text.split("\n\n")]
        return [ExtractionResult(nugget=self._nugget(statement, source_id or "data"), confidence=1.0) for statement in found]

    def _nugget(self, statement: Statement, source: str) -> Nugget:
        predicate = self._schema.canonicalize(statement.reference)
        said = statement.text.rpartition(" from ")[0]  # else its own rules would read "Jul, 1965" anew, as this month
        months = ValidityInterval(start=_datetime(statement.first), end=_datetime(statement.last.after))
        return Nugget.new(
            kind=NuggetKind.SEMANTIC_FACT,
            fact=FactTriple(subject=statement.subject, predicate=predicate, object=statement.value, text=said),
            validity=months,
            epistemic=EpistemicState(),
            provenance=(ProvenanceRecord(source_id=source, evidence_span=statement.text),),
        )


def _datetime(month: Month) -> datetime:
    return datetime(month.year, month.month, 1, tzinfo=UTC)


async def reference(asked: Sequence[Question], schema: RelationSchema, k: int, folder: Path, sentences: Sentences) -> Score:
    """Return what nuggetindex does with the same contexts."""
    store = NuggetStore(folder / "nuggets.db", schema=schema, extractor=Given(schema))
    contexts = dict.fromkeys(question.context for question in asked)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it reports what its validators refuse, one warning a document
        for number, context in enumerate(track(contexts, description="nuggetindex reads", console=Console(stderr=True))):
            await store.aingest(Document(source_id=f"context-{number}", text=context, source_date=datetime(2023, 1, 1, tzinfo=UTC)))
    hits: dict[int, list[Returned]] = {}
    in_valid = 0
    for number, question in enumerate(track(asked, description="nuggetindex answers", console=Console(stderr=True))):
        when = _datetime(question.month)
        found = await store.aretrieve(" OR ".join(plain(question.text).split()), query_time=when, view="active_contested", top_k=k)
        hits[number] = [_returned(result.nugget, sentences) for result in found]
        if question.unambiguous:
            valid = [await store.aget(name) for name in await store.backend.afilter(query_time=when, view="active_contested")]
            own = {(statement.subject, plain(statement.value)) for statement in question.statements}
            mine = [nugget for nugget in valid if nugget is not None and (nugget.fact.subject, plain(nugget.fact.object)) in own]
            in_valid += question.is_answered(nugget.fact.object for nugget in mine)
    numbered = {id(question): number for number, question in enumerate(asked)}
    score = scored(asked, lambda question: hits[numbered[id(question)]], schema, "nuggetindex is scored")
    score.unambiguous, score.in_valid = sum(question.unambiguous for question in asked), in_valid
    return score


def _returned(nugget: Nugget, sentences: Sentences) -> Returned:
    spans = [record.evidence_span for record in nugget.provenance]
    return Returned(spans[0], sentences.of(spans[0]), nugget.epistemic.status.value.lower() == "contested")


def millstream(asked: Sequence[Question], schema: RelationSchema, k: int, models: Path, sentences: Sentences) -> Score:
    """Return what Millstream does: a broker, the wired flow, Milvus Lite."""
    with tempfile.TemporaryDirectory(prefix="millstream-tempreason-") as folder, Broker() as broker, start_lite(Path(folder) / "milvus") as lite:
        data = Path(folder) / "data"
        data.mkdir()
        (data / "models").symlink_to(models.resolve())
        plan = Plan(data, {"kafka.bootstrap": broker.bootstrap, "index.uri": lite.uri, "metrics.off": True, "flow.startup_s": PATIENCE_S})
        ensure_topics(broker.connection, dict.fromkeys(plan.settings.every_topic, 1))
        names = {context: f"context-{number}" for number, context in enumerate(dict.fromkeys(question.context for question in asked))}
        with Indexer(plan) as indexer, Feed(broker.connection) as feed:
            indexer.start()
            with Console(stderr=True).status(f"{len(names)} documents through the flow"):
                wait(indexer, ends(feed.send_all(TOPIC, [_message(name, context) for context, name in names.items()])), PATIENCE_S)
            indexer.stop()
        return _asked(asked, plan, schema, k, names, sentences)


def _message(name: str, context: str) -> tuple[bytes, bytes, tuple[()]]:
    return name.encode(), orjson.dumps({"id": name, "order": 1, "time": WRITTEN, "body": context}), ()


def _asked(asked: Sequence[Question], plan: Plan, schema: RelationSchema, k: int, names: Mapping[str, str], sentences: Sentences) -> Score:
    settings = plan.settings
    by_document: dict[str, list[Record]] = defaultdict(list)
    for record in current(settings):
        if record.kind is Kind.NUGGET and record.belief in (Belief.BELIEVED, Belief.DISPUTED):
            for document in {support.document for support in record.provenance}:
                by_document[document].append(record)
    embedder = open_embedder(settings.reading.embedding, settings.data / "models")
    with closing(MilvusIndex(MilvusSettings(settings.milvus, settings.index.collection), embedder.fingerprint, embedder.dimension)) as index:
        index.ensure()
        search = Search(index, embedder, Tenant("main"), lambda: [audience_of([EVERYONE])])

        def answer(question: Question) -> list[Returned]:
            hits = [hit.record for hit in search.search(question.text, question.month.instant, k=k)]
            return [Returned(record.text, sentences.of(record.text), record.belief is Belief.DISPUTED) for record in hits]

        score = scored(asked, answer, schema, "Millstream answers")
    for question in asked:
        if question.unambiguous:
            at = question.month.instant
            valid = [record for record in by_document[names[question.context]] if record.valid_from <= at < record.valid_to]
            score.unambiguous += 1
            answered = question.is_answered(record.text for record in valid)
            score.in_valid += answered
            if not answered:
                print(f"not in valid: {question.text} {list(question.answers)}; valid: {[record.text for record in valid]}")
    return score


def main() -> int:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--k", type=int, default=10, help="hits per question")
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "millstream" / "models", help="where the embedding model is kept")
    arguments = parser.parse_args()
    if not QUESTIONS.is_file():
        print(f"skipped: the shared questions are not at {QUESTIONS}")
        return 0
    asked, schema, sentences = questions(), RelationSchema.default(), Sentences()
    for question in asked:
        for statement in question.statements:
            sentences.add(statement)
    found = {"Millstream": millstream(asked, schema, arguments.k, arguments.models, sentences)}
    with tempfile.TemporaryDirectory() as folder:
        found["nuggetindex"] = asyncio.run(reference(asked, schema, arguments.k, Path(folder), sentences))
    for name, dated in (("BM25", False), ("BM25 dated", True)):
        found[name] = scored(asked, ranked(asked, arguments.k, dated=dated), schema, name)
    _print(found)
    own, other = found["Millstream"].plain(), {name: score.plain() for name, score in found.items()}
    result: dict[str, object] = {"questions": len(asked), "unambiguous": found["Millstream"].unambiguous, **own}
    result |= {"nuggetindex": other["nuggetindex"], "bm25": other["BM25"], "bm25_dated": other["BM25 dated"]}
    print("RESULT", json.dumps(result, separators=(",", ":")))
    return 0


def _print(found: Mapping[str, Score]) -> None:
    table = Table("", "answer in valid", "answer@1", "answer@k", "tc", "cr")
    for name, score in found.items():
        valid = f"{score.in_valid} of {score.unambiguous}" if score.unambiguous else "-"
        table.add_row(
            name,
            valid,
            f"{score.first} of {score.asked}",
            f"{score.found} of {score.asked}",
            f"{score.holding} of {score.returned}",
            f"{score.conflicts} of {score.asked}",
        )
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
