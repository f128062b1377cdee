"""Acceptance cases C51 to C53: extractors that are noisy or get better, and texts longer than the embedder's window."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from connectors.breaker import Breaker
from connectors.extractor import PatternExtractor
from connectors.llm import Endpoint, LanguageModel
from connectors.llm_extractor import LlmExtractor
from connectors.metrics import Metrics
from connectors.sentence_model import open_minilm
from connectors.spending import Budget, Spending
from flows.embedding import Embedding
from schemas.errors import BadReading, BadSettings
from schemas.fact import Fact
from schemas.ids import Fingerprint, Tenant
from schemas.record import Kind
from schemas.vocabulary import shipped
from state.reader import StoreReader
from tests.cases.desk import NOTHING, Desk, put
from tests.cases.mill import Mill
from tests.model_server import KEY, MODEL, ModelServer, answer, blocks_of, stated

PAGE = """\
# Gull ferry

Tarn Works has operated the Gull ferry since May 2019.

Orla Finch heads Tarn Works.
"""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as served:
        yield served


@pytest.fixture
def noisy(server: ModelServer, tmp_path: Path) -> Iterator[LlmExtractor]:
    """Yield an extractor whose model words its answers differently each time: other quotations, other order, other sureness."""

    def model(request: str) -> str:
        turn = len(server.asked)
        facts: dict[str, list[dict[str, object]]] = {}
        for name, block in blocks_of(request).items():
            if "Gull" in block:
                quote = block if turn % 2 else "Tarn Works has operated the Gull ferry"
                facts[name] = [stated(quote, "Gull ferry", "operated by", "Tarn Works", confidence=0.86 + turn % 9 / 100)]
            else:
                facts[name] = [stated(block[:-1] if turn % 2 else block, "Orla Finch", "heads", "Tarn Works", confidence=0.95 - turn % 9 / 100)]
        return answer(dict(reversed(facts.items())))

    server.model = model
    metrics = Metrics()
    with closing(Spending(tmp_path / "spending.db", Budget())) as spending:
        model_of = LanguageModel(Endpoint(server.url, MODEL, retries=0), spending, Breaker(5, 30.0), metrics)
        with closing(model_of):
            yield LlmExtractor(model_of, shipped(), metrics)


def test_c51_an_unchanged_document_costs_a_noisy_extractor_nothing_and_keeps_its_first_answers(
    opened: Callable[..., Desk], noisy: LlmExtractor, server: ModelServer
) -> None:
    desk = opened(extractor=noisy)
    first = desk.put("gull", 1, PAGE)
    assert first.extract == 2
    assert len(server.asked) == 1
    kept = {(record.id, record.text, record.confidence) for record in desk.records(Kind.NUGGET)}
    assert len(kept) == 2
    for number in range(10):
        again = desk.put("gull", number + 2, PAGE) if number % 2 else desk.put("gull", 1, PAGE)
        assert again.extract == 0
        assert again.counters == NOTHING
    desk.put("copy", 1, PAGE.replace("# Gull ferry", "# The Gull"))
    desk.put("gull", 20, PAGE, title="The Gull")
    assert len(server.asked) == 1  # nor do a copy and a new title
    assert {(record.id, record.text, record.confidence) for record in desk.records(Kind.NUGGET)} >= kept


class Version:
    """A version of an extractor: reads by patterns, leaves out what is of one predicate, and writes down what it is asked."""

    def __init__(self, number: int, without: str, failing: str = "") -> None:
        self._inner = PatternExtractor(shipped())
        self._without = without
        self._failing = failing
        self.fingerprint = Fingerprint(f"version {number}")
        self.asked: list[str] = []

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        if self._failing and any(self._failing in block for block in blocks):
            message = f"cannot read {self._failing!r}"
            raise BadReading(message)
        self.asked += blocks
        return [tuple(fact for fact in facts if fact.predicate != self._without) for facts in self._inner.extract(blocks)]


PIER = "Milo Reyes heads Pier Board.\n\nPier Board operates Pier 3."
ALL = {"Tarn Works has operated the Gull ferry since May 2019.", "Orla Finch heads Tarn Works."}


def message(document: str, order: int, body: str) -> tuple[bytes, bytes]:
    return document.encode(), orjson.dumps(put(document, order, body))


def nuggets(mill: Mill) -> dict[str, str]:
    """Return the live nuggets of the store: text by id."""
    with closing(StoreReader(mill.settings.store(Tenant("main")))) as store:
        rows = store.db.execute("SELECT id, body FROM records WHERE kind = 'nugget' AND NOT deleted").fetchall()
    return {record.hex(): orjson.loads(body)["text"] for record, body in rows}


@pytest.mark.timeout(300)
def test_c52_a_raised_extractor_reads_every_live_unit_once_and_facts_that_both_find_keep_their_ids(mill: Mill) -> None:
    mill.feed(message("gull", 1, PAGE), message("copy", 1, PAGE), message("pier", 1, PIER), message("pier", 2, PIER + "\n\nPier 3 carries 9 lamps."))
    old = Version(1, without="headed by")
    mill.run(old)
    before = nuggets(mill)
    assert "Orla Finch heads Tarn Works." not in before.values()
    new = Version(2, without="operated by")
    mill.run(new)
    assert Counter(new.asked) == Counter(dict.fromkeys(old.asked, 1))
    after = nuggets(mill)
    assert {"Orla Finch heads Tarn Works.", "Milo Reyes heads Pier Board."} <= set(after.values())
    assert "Tarn Works has operated the Gull ferry since May 2019." not in after.values()
    both = {record for record, text in before.items() if "lamps" in text}
    assert both
    assert both <= after.keys()
    assert mill.answers("Who heads Tarn Works?") >= {"Orla Finch heads Tarn Works."}
    again = Version(2, without="operated by")
    rows = mill.rows()
    mill.run(again)
    assert again.asked == []
    assert (nuggets(mill), mill.rows()) == (after, rows)


@pytest.mark.timeout(300)
def test_c52_what_cannot_be_read_again_stays_searchable_as_it_was_and_is_tried_at_the_next_start(mill: Mill) -> None:
    mill.feed(message("gull", 1, PAGE), message("pier", 1, PIER))
    mill.run(Version(1, without="headed by"))
    mill.run(Version(2, without="operated by", failing="Pier Board"))
    texts = set(nuggets(mill).values())
    assert "Pier Board operates Pier 3." in texts  # as the former version read it
    assert "Orla Finch heads Tarn Works." in texts  # as the new one does
    mended = Version(2, without="operated by")
    mill.run(mended)
    assert set(mended.asked) == set(PIER.split("\n\n"))
    assert "Pier Board operates Pier 3." not in nuggets(mill).values()
    assert mill.outcomes == {"applied": 2}


@pytest.mark.timeout(300)
def test_c52_from_rules_to_a_language_model_by_the_settings_alone(mill: Mill, server: ModelServer, caplog: pytest.LogCaptureFixture) -> None:
    server.key = KEY
    server.model = lambda request: answer(
        {
            name: [stated("Orla Finch heads Tarn Works", "Orla Finch", "heads", "Tarn Works")] if "Finch" in block else []
            for name, block in blocks_of(request).items()
        }
    )
    chosen = f'[reading]\nextractor = "llm"\nembedding = "ngram"\n[llm]\nbase_url = "{server.url}"\nmodel = "{MODEL}"\napi_key_env = "LLM_KEY"\n'
    mill.feed(message("gull", 1, PAGE))
    mill.run(Version(1, without=""))
    assert set(nuggets(mill).values()) == ALL
    with caplog.at_level(logging.DEBUG):
        with pytest.raises(BadSettings, match=r"llm\.api_key_env"):
            mill.run_as_set({"LLM_KEY": "wrong"}, chosen)
        mill.run_as_set({"LLM_KEY": KEY}, chosen)
    assert set(nuggets(mill).values()) == {"Orla Finch heads Tarn Works."}
    assert len(server.asked) == 1
    mill.run_as_set({"LLM_KEY": KEY}, chosen)
    assert len(server.asked) == 1
    assert KEY not in caplog.text
    assert KEY not in json.dumps([asked.body for asked in server.asked])


SENTENCES = [f"The harbour master of pier {number} keeps the book of arrivals, and lights lamp {number + 7} at dusk." for number in range(300)]
"""6,000 tokens in one paragraph."""


def test_c53_a_unit_longer_than_the_embedders_window_is_embedded_in_parts_that_end_with_sentences_with_a_warning_and_a_counter(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    minilm = open_minilm()
    text = " ".join(SENTENCES)
    parts = [part for part, _ in minilm._split(text)]
    assert " ".join(parts) == text
    assert len(parts) > 20
    assert all(part.endswith(".") for part in parts)
    assert max(len(minilm._model.tokenizer(part)["input_ids"]) for part in parts) <= minilm._model.max_seq_length == 256
    metrics = Metrics()
    step = Embedding(minilm, metrics)
    desk.put("book", 1, text)
    unit = next(iter(desk.records(Kind.UNIT)))
    with caplog.at_level(logging.WARNING):
        step([("t", replace(unit, text=text)), ("t", replace(unit, text="A pier."))])
        step([("t", replace(unit, text=text + " And so on."))])
    assert [line for line in caplog.messages if "embedded in parts" in line] == caplog.messages[:1]
    assert metrics.registry.get_sample_value("millstream_embedding_windowed_total") == 2
    assert sorted(" ".join(one.text for one in desk.records(Kind.UNIT)).split()) == sorted(text.split())
