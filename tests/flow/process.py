"""One Millstream as a process of its own, with the real parts. Prose is left unread."""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from connectors.embedding import NgramEmbedder
from connectors.milvus import MilvusIndex, MilvusSettings
from flows.run import Run
from flows.runner import execute
from flows.settings import Settings, embedded
from flows.wiring import opened
from schemas.errors import Problem
from schemas.fact import Fact
from schemas.ids import Fingerprint
from schemas.instant import FOREVER
from schemas.vocabulary import Vocabulary


class Silent:
    """An extractor that draws nothing from prose: structure is enough here, and no model need be loaded."""

    fingerprint = Fingerprint("silent")

    def __init__(self, _vocabulary: Vocabulary) -> None:
        """Take the vocabulary that others need."""

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        """Return nothing for each block."""
        return [() for _ in blocks]


def live(data: Path, bootstrap: str, what: str, output: Path, environment: Mapping[str, str]) -> None:
    """Be the process: run `endless` or `bounded`, or write the `texts`. What is said goes to a file; a problem is one line and code 2."""
    with output.open("w", buffering=1) as file:
        os.dup2(file.fileno(), sys.stderr.fileno())
        os.environ.update(environment)
        logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", stream=sys.stderr, force=True)
        logging.getLogger("flows").setLevel(logging.INFO)
        sys.exit(_lived(data, bootstrap, what))


def _lived(data: Path, bootstrap: str, what: str) -> int:
    # Short epochs, hashed vectors and small writes: more of what crashes may hit, in less time.
    small = {"kafka.bootstrap": bootstrap, "flow.epoch_s": 0.25, "reading.embedding": "ngram", "metrics.off": True, "index.write_rows": 8}
    settings = embedded(data, small)
    if what == "texts":
        sys.stderr.write("\n".join(_texts(settings)))
        return 0
    try:
        return execute(Run(settings, bounded=what == "bounded"), partial(opened, make_extractor=Silent))
    except Problem as err:
        sys.stderr.write(f"{type(err).__name__}: {err}\n")
        return 2


def _texts(settings: Settings) -> list[str]:
    """Return all current records, a line each. Milvus Lite keeps its lock until the process ends, so a process of its own must ask."""
    embedder = NgramEmbedder()
    index = MilvusIndex(MilvusSettings(settings.milvus), embedder.fingerprint, embedder.dimension)
    index.ensure()
    records = [stored.record for stored in index.scan() if stored.record.known_to == FOREVER]
    return sorted(f"{record.kind} {record.status} {record.text!r}" for record in records)
