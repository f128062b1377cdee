"""Embedding by a static model: one vector per word piece, distilled once from MiniLM; 100 times faster, and blind to the order of words.

Distilled as model2vec does it (each piece through the transformer, principal components, weights after Zipf's law), but here, since the
library's own way needs an older transformers.
"""

import logging
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from model2vec import StaticModel
from tokenizers import Tokenizer

from connectors.embedding import Vector, file_hash, without_surrogates
from connectors.sentence_model import minilm_folder
from schemas.ids import Fingerprint, digest

DIMENSION = 256  # as good as 384 on every measure, at two thirds of the size
RARE = 1e-4  # weight of a piece of probability p: RARE / (RARE + p), model2vec's default
_BATCH = 256
_NOTICE = """This model was distilled from sentence-transformers/all-MiniLM-L6-v2,
which is licensed under the Apache License, Version 2.0
(https://www.apache.org/licenses/LICENSE-2.0). Changes: every word piece was passed
through the model on its own, reduced to {dimension} principal components and weighted
by its rank in the vocabulary.
"""

Matrix = npt.NDArray[np.float32]
_log = logging.getLogger(__name__)


class StaticEmbedder:
    """The embedder port over a static model in a folder. Word pieces that the model does not know count nothing; a text without others is zero."""

    def __init__(self, folder: Path) -> None:
        self._model = StaticModel.from_pretrained(folder, force_download=False)
        self.dimension = int(self._model.dim)
        self.windowed = 0
        weights, pieces = file_hash(folder / "model.safetensors"), file_hash(folder / "tokenizer.json")
        self.fingerprint = Fingerprint(f"static:{digest(weights, pieces)[:16]}")

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `connectors.embedding.Embedder.embed`; a text of any length is read whole."""
        if not texts:
            return []
        plain = [without_surrogates(text) for text in texts]
        vectors = self._model.encode(plain, max_length=None, use_multiprocessing=False)
        return [tuple(vector) for vector in np.asarray(vectors, np.float32).tolist()]


def open_static(folder: Path) -> StaticEmbedder:
    """Return the static model that is kept in the folder, distilled now if there is none."""
    if not (folder / "model.safetensors").exists():
        distil(folder)
    return StaticEmbedder(folder)


def distil(folder: Path) -> None:
    """Distil MiniLM into the folder. The folder appears whole or not at all; if another process was faster, its model stays."""
    _log.warning("Distilling the static embedding model into %s: once, about 30 s", folder)
    source = minilm_folder()
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    vectors = _weighted(_components(_contextual(source, tokenizer), _spoken(tokenizer)), _spoken(tokenizer))
    model = StaticModel(vectors=vectors, tokenizer=tokenizer, config={}, normalize=True, base_model_name="all-MiniLM-L6-v2", max_length=None)
    made = folder.with_name(f".{folder.name}-{os.getpid()}")
    made.mkdir(parents=True)
    model.save_pretrained(made)
    (made / "NOTICE").write_text(_NOTICE.format(dimension=DIMENSION), encoding="utf-8")
    try:
        made.rename(folder)
    except OSError:
        shutil.rmtree(made)
        if not (folder / "model.safetensors").exists():
            raise


def _spoken(tokenizer: Tokenizer) -> npt.NDArray[np.intp]:
    """Return the numbers of the pieces that texts can hold: all but [CLS], [unused1] and the like."""
    marker = re.compile(r"\[[A-Za-z]+\d*\]")
    return np.array(sorted(number for piece, number in tokenizer.get_vocab().items() if not marker.fullmatch(piece)))


def _contextual(source: Path, tokenizer: Tokenizer) -> Matrix:
    """Return what the transformer makes of each piece alone between its two markers; shape (vocabulary, width)."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from transformers import AutoModel
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()

    model: Any = AutoModel.from_pretrained(str(source)).eval()
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    parts = []
    with torch.inference_mode():
        for start in range(0, tokenizer.get_vocab_size(), _BATCH):
            numbers = range(start, min(start + _BATCH, tokenizer.get_vocab_size()))
            hidden = model(input_ids=torch.tensor([[first, number, last] for number in numbers])).last_hidden_state
            parts.append(hidden.mean(dim=1).numpy())
    return np.concatenate(parts).astype(np.float32)


def _components(vectors: Matrix, spoken: npt.NDArray[np.intp]) -> Matrix:
    """Return all vectors in the principal components of the spoken ones; each axis points to where its largest entry is positive."""
    mean = vectors[spoken].mean(axis=0, dtype=np.float64)
    centred = vectors[spoken] - mean
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :DIMENSION]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(DIMENSION)])
    return np.asarray((vectors - mean) @ axes, np.float32)


def _weighted(vectors: Matrix, spoken: npt.NDArray[np.intp]) -> Matrix:
    """Return the vectors weighted by rarity; the vocabulary is ordered by frequency. What is not spoken is zero."""
    shares = 1 / np.arange(2, len(spoken) + 2)
    weights = np.zeros(len(vectors))
    weights[spoken] = RARE / (RARE + shares / shares.sum())
    return np.asarray(vectors * weights[:, None], np.float32)
