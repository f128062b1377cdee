"""Metrics: what operators watch. The names below are a contract; changing one is a migration (docs/operations.md lists them).

Labels are bounded: sources, topics, partitions, kinds, statuses and the like come from the settings or from closed sets; never a document id.
"""

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, start_http_server

from connectors.kafka_source import Progress
from schemas.deadletter import DeadLetter
from schemas.errors import BadSettings
from schemas.ids import Tenant
from schemas.receipt import Receipt
from schemas.record import Row
from schemas.transition import State, Transition

log = logging.getLogger(__name__)

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)
"""Buckets from 5 ms to 1 h; 150 ms and 2 s are the aims of DESIGN.md section 9."""
STAGES = ("decode", "read", "apply", "embed", "publish")
ABSENT = "absent"
"""The status of a record before it is there and after it is gone."""
MOST_REASONS = 64
"""Reasons come from governance and are few; should one ever hold free text, the label stays bounded."""

HELP: Mapping[str, str] = {
    "millstream_freshness_seconds": "From the event, by the source's own time, until it is searchable; a history counts with its age.",
    "millstream_freshness_commit_seconds": "From the message's time in Kafka until its change is searchable.",
    "millstream_stage_seconds": "Time that one batch spends in a stage.",
    "millstream_lag_messages": "Messages of a partition that are not read yet.",
    "millstream_lag_seconds": "Age of the newest message read, while there are unread ones; else 0.",
    "millstream_last_read_timestamp_seconds": "When a partition last gave messages, in seconds since 1970. A dead broker shows here only.",
    "millstream_watermark_offset": "Last offset of a partition up to which every change is searchable.",
    "millstream_records": "Records of the store by kind and status, all tenants.",
    "millstream_transitions_total": "Changes of a record's status by what it was, what it is and why.",
    "millstream_receipts_total": "Changes by what became of them.",
    "millstream_extractor_calls_total": "Blocks that were sent to the extractor.",
    "millstream_reread_total": "Bodies that were read again because another extractor had read them, by what became of that.",
    "millstream_reread_left": "Bodies that are still to be read again, all tenants.",
    "millstream_memo_hits_total": "Blocks that the memo answered.",
    "millstream_embedding_windowed_total": "Texts longer than the embedding model's window, embedded in parts.",
    "millstream_llm_calls_total": "Calls of the language model by what became of them.",
    "millstream_llm_tokens_total": "Tokens that the language model read (in) and wrote (out).",
    "millstream_llm_cost_total": "What that cost by the prices of the settings, in their currency.",
    "millstream_llm_facts_total": "Facts that the language model stated: kept, or the reason why they were dropped.",
    "millstream_llm_breaker": "Whether the language model is called: 0 it is, 1 one call tries, 2 it is left alone for a while.",
    "millstream_llm_budget_left": "What is left of each limit of the budget that is set.",
    "millstream_bridge_entities_total": "Entities whose bridges were derived again.",
    "millstream_bridges_total": "Bridges kept, added and removed by that.",
    "millstream_epoch_seconds": "Time between two commits of the flow's position.",
    "millstream_dead_letters_total": "Changes and records that could not be applied, by step.",
    "millstream_index_rows_total": "Rows written to the index, by operation.",
    "millstream_index_bytes_total": "Bytes of text and vectors written to the index.",
    "millstream_reemitted_total": "Records, transitions and receipts that a restart emitted again.",
}


class Metrics:
    """All instruments of one process, in a registry of their own. Worker threads share it."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # one more series per counter that nobody asks for
        self.registry = CollectorRegistry()
        self._lock = threading.Lock()
        self._reasons: set[str] = set()
        self._counted: dict[Tenant, Mapping[tuple[str, str], int]] = {}
        self._parted = 0
        self._left: dict[Tenant, int] = {}
        self._epoch: tuple[str, float] | None = None
        self._freshness = self._histogram("millstream_freshness_seconds", "source")
        self._commit = self._histogram("millstream_freshness_commit_seconds", "source")
        self._stages = self._histogram("millstream_stage_seconds", "stage")
        self._lag = self._gauge("millstream_lag_messages", "topic", "partition")
        self._age = self._gauge("millstream_lag_seconds", "topic", "partition")
        self._last_read = self._gauge("millstream_last_read_timestamp_seconds", "topic", "partition")
        self._watermark = self._gauge("millstream_watermark_offset", "topic", "partition")
        self._records = self._gauge("millstream_records", "kind", "status")
        self._transitions = self._counter("millstream_transitions_total", "from", "to", "reason")
        self._receipts = self._counter("millstream_receipts_total", "source", "outcome")
        self._calls = self._counter("millstream_extractor_calls_total")
        self._rereads = self._counter("millstream_reread_total", "outcome")
        self._reread_left = self._gauge("millstream_reread_left")
        self._hits = self._counter("millstream_memo_hits_total")
        self._windowed = self._counter("millstream_embedding_windowed_total")
        self._llm_calls = self._counter("millstream_llm_calls_total", "outcome")
        self._llm_tokens = self._counter("millstream_llm_tokens_total", "direction")
        self._llm_cost = self._counter("millstream_llm_cost_total")
        self._llm_facts = self._counter("millstream_llm_facts_total", "what")
        self._llm_breaker = self._gauge("millstream_llm_breaker")
        self._llm_budget = self._gauge("millstream_llm_budget_left", "limit")
        self._entities = self._counter("millstream_bridge_entities_total")
        self._bridges = self._counter("millstream_bridges_total", "what")
        self._epochs = self._histogram("millstream_epoch_seconds")
        self._dead_letters = self._counter("millstream_dead_letters_total", "step")
        self._rows = self._counter("millstream_index_rows_total", "operation")
        self._bytes = self._counter("millstream_index_bytes_total")
        self._reemitted = self._counter("millstream_reemitted_total")

    def _histogram(self, name: str, *labels: str) -> Histogram:
        return Histogram(name, HELP[name], labels, registry=self.registry, buckets=SECONDS)

    def _gauge(self, name: str, *labels: str) -> Gauge:
        return Gauge(name, HELP[name], labels, registry=self.registry)

    def _counter(self, name: str, *labels: str) -> Counter:
        return Counter(name, HELP[name], labels, registry=self.registry)

    @contextmanager
    def stage(self, stage: str) -> Iterator[None]:
        """Time one batch in a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._stages.labels(stage).observe(time.perf_counter() - started)

    def progress(self, progress: Progress) -> None:
        """Account for what was read of a partition."""
        labels = (progress.topic, str(progress.partition))
        unread = max(0, progress.end - progress.next)
        self._lag.labels(*labels).set(unread)
        self._last_read.labels(*labels).set(time.time())
        age = time.time() - progress.newest / 1000 if unread and progress.newest is not None else 0.0
        self._age.labels(*labels).set(max(0.0, age))

    def watermark(self, watermarks: Mapping[tuple[str, int], int]) -> None:
        """Show watermarks that rose."""
        for (topic, partition), upto in watermarks.items():
            self._watermark.labels(topic, str(partition)).set(upto)

    def searchable(self, receipts: Sequence[Receipt]) -> None:
        """Account for how fresh changes are, now that they are searchable."""
        now = time.time()
        for receipt in receipts:
            self._freshness.labels(receipt.source).observe(max(0.0, now - receipt.event_time / 1000))
            self._commit.labels(receipt.source).observe(max(0.0, now - receipt.recorded_at / 1000))

    def receipts(self, receipts: Sequence[Receipt]) -> None:
        """Account for what became of changes."""
        for receipt in receipts:
            self._receipts.labels(receipt.source, receipt.outcome).inc()
            self._calls.inc(receipt.calls)
            self._hits.inc(receipt.hits)
            self._entities.inc(receipt.entities)
            for what, count in (("kept", receipt.kept), ("added", receipt.added), ("removed", receipt.removed)):
                self._bridges.labels(what).inc(count)

    def records(self, tenant: Tenant, counts: Mapping[tuple[str, str], int]) -> None:
        """Show how many records there are by (kind, status), over all tenants."""
        with self._lock:
            former = self._counted.get(tenant, {})
            self._counted[tenant] = counts
        for (kind, status), count in counts.items():
            self._records.labels(kind, status).inc(count - former.get((kind, status), 0))

    def transitions(self, transitions: Sequence[Transition]) -> None:
        """Account for transitions as they leave a store; those that a restart repeats count again."""
        for transition in transitions:
            before, after = _status(transition.before), _status(transition.after)
            self._transitions.labels(before, after, self._reason(transition.after or transition.before)).inc()

    def _reason(self, state: State | None) -> str:
        """Return the reason as a label; beyond MOST_REASONS different ones they are one."""
        reason = state.reason if state else ""
        if reason not in self._reasons:
            if len(self._reasons) >= MOST_REASONS:
                return "other"
            self._reasons.add(reason)
        return reason

    def windowed(self, total: int) -> None:
        """Account for texts that were embedded in parts, of which there were `total` so far; the first is warned of."""
        with self._lock:
            if total > self._parted == 0:
                log.warning("texts are longer than the embedding model's window, and are embedded in parts: see millstream_embedding_windowed_total")
            self._windowed.inc(max(0, total - self._parted))
            self._parted = max(total, self._parted)

    def reread(self, read: int, failed: int) -> None:
        """Account for bodies that were read again."""
        self._rereads.labels("read").inc(read)
        self._rereads.labels("failed").inc(failed)

    def reread_left(self, tenant: Tenant, left: int) -> None:
        """Show how many bodies are still to be read again."""
        with self._lock:
            self._left[tenant] = left
            self._reread_left.set(sum(self._left.values()))

    def llm_call(self, outcome: str, tokens_in: int = 0, tokens_out: int = 0, cost: float = 0.0) -> None:
        """Account for a call of the language model: answered, broken (an answer that fits no schema), refused or away."""
        self._llm_calls.labels(outcome).inc()
        self._llm_tokens.labels("in").inc(tokens_in)
        self._llm_tokens.labels("out").inc(tokens_out)
        self._llm_cost.inc(cost)

    def llm_state(self, breaker: int, budget_left: Mapping[str, float]) -> None:
        """Show whether the language model is called, and what may still be spent."""
        self._llm_breaker.set(breaker)
        for limit, left in budget_left.items():
            self._llm_budget.labels(limit).set(left)

    def llm_facts(self, kept: int, dropped: Sequence[str]) -> None:
        """Account for facts that the language model stated."""
        self._llm_facts.labels("kept").inc(kept)
        for reason in dropped:
            self._llm_facts.labels(reason).inc()

    def dead_letter(self, letter: DeadLetter) -> None:
        """Account for a dead letter."""
        self._dead_letters.labels(letter.step).inc()

    def wrote(self, rows: Sequence[Row]) -> None:
        """Account for rows that the index took."""
        gone = sum(row.record.deleted for row in rows)
        self._rows.labels("upsert").inc(len(rows) - gone)
        self._rows.labels("delete").inc(gone)
        self._bytes.inc(sum(len(row.record.text.encode("utf-8", "replace")) + 4 * len(row.dense) for row in rows))

    def reemitted(self, count: int) -> None:
        """Account for what a restart emitted again."""
        self._reemitted.inc(count)

    def epoch(self, part: str) -> None:
        """Account for the end of an epoch; every source partition reports it, one is listened to."""
        now = time.monotonic()
        with self._lock:
            listened, last = self._epoch or (part, None)
            if listened != part:
                return
            self._epoch = (part, now)
        if last is not None:
            self._epochs.observe(now - last)

    @contextmanager
    def served(self, host: str, port: int) -> Iterator[int]:
        """Serve the registry over HTTP while the context lasts; yields the port. Port 0 takes a free one."""
        try:
            server, thread = start_http_server(port, addr=host, registry=self.registry)
        except OSError as err:
            message = f"metrics cannot be served on {host}:{port} ({err.strerror}); set `metrics.port` to a free one"
            raise BadSettings(message) from err
        try:
            yield _port(server)
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _port(server: WSGIServer) -> int:
    """Return the port that a server listens on."""
    return int(server.server_port)


def _status(state: State | None) -> str:
    """Return the status as a label."""
    return state.status.value if state else ABSENT
