"""One Millstream as a process of its own, with the real parts: python tests/flow/process.py DATA BOOTSTRAP endless|bounded|texts.

`texts` prints the texts of all current records, one a line. Prose is left unread.
"""

import logging
import sys
from collections.abc import Sequence
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


def texts(settings: Settings) -> list[str]:
    """Return the texts of all current records. Milvus Lite keeps its lock until the process ends, so another one must ask."""
    embedder = NgramEmbedder()
    index = MilvusIndex(MilvusSettings(settings.milvus), embedder.fingerprint, embedder.dimension)
    index.ensure()
    return sorted(
        f"{stored.record.kind} {stored.record.status} {stored.record.text!r}" for stored in index.scan() if stored.record.known_to == FOREVER
    )


def main() -> int:
    """Do what was asked for; a problem is one line."""
    data, bootstrap, what = sys.argv[1:]
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    logging.getLogger("flows").setLevel(logging.INFO)
    # Short epochs, hashed vectors and small writes: more of what crashes may hit, in less time.
    small = {"kafka.bootstrap": bootstrap, "flow.epoch_s": 0.25, "reading.embedding": "ngram", "metrics.off": True, "index.write_rows": 8}
    settings = embedded(Path(data), small)
    if what == "texts":
        sys.stdout.write("\n".join(texts(settings)))
        return 0
    try:
        return execute(Run(settings, bounded=what == "bounded"), partial(opened, make_extractor=Silent))
    except Problem as err:
        sys.stderr.write(f"{type(err).__name__}: {err}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
