"""Wiring: opens the real parts of the index flow for a run, and closes them behind it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from typing import TypeAlias

from connectors.breaker import Breaker
from connectors.embedding import MemoisedEmbedder, open_embedder
from connectors.extractor import Extractor
from connectors.kafka_sinks import TopicSink
from connectors.kafka_source import Topics
from connectors.llm import LanguageModel
from connectors.llm_extractor import LlmExtractor
from connectors.memo import SqliteMemo
from connectors.metrics import Metrics
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.reader import Reader
from connectors.sources.adapters import adapter_for
from connectors.spending import Spending
from connectors.watermark import Watermarks
from flows.applying import Applying
from flows.decoding import Decoding, Intake
from flows.embedding import Embedding
from flows.ports import Ports
from flows.publishing import IndexSink, part_names
from flows.reading import Reading
from flows.rereads import Rereads
from flows.run import Run
from flows.settings import Settings, secret
from flows.side import KafkaGrave
from flows.stores import Opener, Stores
from flows.vocabulary import vocabulary as vocabulary_of
from flows.watchdog import watched
from schemas.errors import Unreachable
from schemas.ids import Tenant
from schemas.instant import DAY, Instant
from schemas.vocabulary import Vocabulary
from state.port import Forgotten
from state.sqlite import SqliteStore

REREAD_AFTER = timedelta(seconds=5)
"""After a start, what another extractor read is read again; changes that wait come first."""

MakeExtractor: TypeAlias = Callable[[Vocabulary], Extractor]


def rules(vocabulary: Vocabulary) -> Extractor:
    """Return the extractor that the setting `rules` names."""
    from connectors.spacy_extractor import SpacyExtractor  # here: spaCy takes seconds to load, and a flow over structured sources needs none of it

    return SpacyExtractor(vocabulary)


@contextmanager
def extracting(run: Run, metrics: Metrics) -> Iterator[MakeExtractor]:
    """Yield what makes the extractor of the settings, one per thread that reads; all share one language model."""
    settings = run.settings
    if settings.reading.extractor == "rules":
        yield rules
        return
    with ExitStack() as stack:
        spending = stack.enter_context(closing(Spending(settings.spending, settings.llm.budget())))
        breaker = Breaker(settings.llm.failures, settings.llm.pause_s)
        model = stack.enter_context(closing(LanguageModel(settings.llm.endpoint(run.environment), spending, breaker, metrics)))
        model.check()
        yield lambda vocabulary: LlmExtractor(model, vocabulary, metrics, batch=settings.llm.batch)


@contextmanager
def opened(run: Run, make_extractor: MakeExtractor | None = None) -> Iterator[Ports]:
    """Open the ports that the settings describe; what was opened is closed whatever happens. Another extractor than the settings' may be given."""
    settings, vocabulary, metrics = run.settings, vocabulary_of(run.settings.reading.vocabulary), Metrics()
    connection = settings.kafka.connection(run.environment)
    with ExitStack() as stack:
        make = make_extractor or stack.enter_context(extracting(run, metrics))
        source = _source(run, metrics)
        with watched(settings.flow.startup_s):
            ids = {name: topic.id for name, topic in source.describe().items()}
        memo = stack.enter_context(closing(SqliteMemo(settings.memo)))
        embedder = MemoisedEmbedder(open_embedder(settings.reading.embedding, settings.data / "models"), memo)
        index = stack.enter_context(closing(_index(run, embedder)))
        watermarks = stack.enter_context(closing(Watermarks(settings.watermark, part_names(settings.index.parts))))
        watermarks.begin(ids)
        stores = stack.enter_context(closing(Stores(store_opener(settings, vocabulary))))
        readers = Readers(lambda: Reader(make(vocabulary), memo, vocabulary, settings.writings, sleep=_sleeper(run.stop)))
        grave = KafkaGrave(connection, settings.kafka.dead_letters, metrics)
        yield Ports(
            source=source,
            known=[tenant for tenant in settings.tenants if settings.store(tenant).exists()],
            decoding=Decoding(_intakes(settings), metrics),
            reading=Reading(readers, metrics),
            buckets=_buckets(settings.flow.workers),
            applying=Applying(
                stores=stores,
                metrics=metrics,
                now=wall_clock,
                fault=run.fault,
                stop=run.stop,
                forget=_forgetting(embedder, readers),
                transaction=settings.flow.transaction,
                emission=settings.flow.emission,
                kept=settings.flow.kept,
                closed_for=settings.flow.closed_days * DAY,
                reemit=run.reemit,
            ),
            embedding=Embedding(embedder, metrics),
            index=IndexSink(index, settings.index.parts, watermarks, metrics, run.fault, grave, settings.index.write_rows),
            transitions=TopicSink(connection, settings.kafka.transitions),
            dead_letters=TopicSink(connection, settings.kafka.dead_letters),
            rereads=_rereads(run, readers, metrics),
        )


def wall_clock() -> Instant:
    """Return the time now."""
    return Instant(time.time_ns() // 1_000_000)


def store_opener(settings: Settings, vocabulary: Vocabulary) -> Opener:
    """Return what opens the store of a tenant of these settings."""

    def open_store(tenant: Tenant, at_least: int, identity: str | None) -> SqliteStore:
        path = settings.store(tenant)
        path.parent.mkdir(parents=True, exist_ok=True)
        return SqliteStore.open(path, tenant, settings.rules(tenant), vocabulary, at_least=at_least, identity=identity)

    return open_store


class Readers:
    """One reader per thread, made at first use: an extractor's model is not safe to share."""

    def __init__(self, make: Callable[[], Reader]) -> None:
        self._make = make
        self._local = threading.local()

    def __call__(self) -> Reader:
        """Return the reader of the calling thread."""
        if not hasattr(self._local, "reader"):
            self._local.reader = self._make()
        reader: Reader = self._local.reader
        return reader


def _source(run: Run, metrics: Metrics) -> Topics:
    """Return the source over all topics of the settings."""
    settings = run.settings
    return Topics(
        settings.kafka.connection(run.environment),
        settings.topics,
        stop=run.stop,
        bounded=run.bounded,
        recreated=settings.kafka.recreated,
        batch=settings.flow.batch,
        idle=settings.flow.idle_s,
        observe=metrics.progress,
        committed=metrics.epoch,
    )


def _index(run: Run, embedder: MemoisedEmbedder) -> MilvusIndex:
    """Open the index, made if it is missing."""
    settings = run.settings.index
    token = secret(settings.token_env, "index.token_env", run.environment).get_secret_value() if settings.token_env else ""
    index = MilvusIndex(MilvusSettings(run.settings.milvus, settings.collection, token), embedder.fingerprint, embedder.dimension)
    index.ensure()
    return index


def _rereads(run: Run, readers: Readers, metrics: Metrics) -> Rereads:
    """Return the source of what another extractor read."""
    stores = [(tenant, run.settings.store(tenant)) for tenant in run.settings.tenants]
    return Rereads(stores, lambda: readers().fingerprint, metrics, run.stop, timedelta() if run.bounded else REREAD_AFTER)


def _intakes(settings: Settings) -> dict[str, Intake]:
    """Return the adapter of each topic."""
    adapters = [source.adapter_settings() for source in settings.sources]
    return {adapter.topic: Intake(adapter, adapter_for(adapter)) for adapter in adapters}


def _buckets(workers: int) -> int:
    """Return how many buckets documents are read in: one keeps batches whole for a single worker, 256 share the load evenly among several."""
    return 1 if workers == 1 else 256


def _sleeper(stop: threading.Event) -> Callable[[float], None]:
    """Return how a reader waits for its extractor; a requested stop ends the waiting, and the change is read by the next run."""

    def sleep(seconds: float) -> None:
        if stop.wait(seconds):
            message = "the extractor is still away and the flow was asked to stop"
            raise Unreachable(message)

    return sleep


def _forgetting(embedder: MemoisedEmbedder, readers: Readers) -> Callable[[Forgotten], None]:
    """Return what removes redacted texts from the memo; run twice it changes nothing."""

    def forget(gone: Forgotten) -> None:
        readers().forget(gone.keys)
        embedder.forget(gone.texts)

    return forget
