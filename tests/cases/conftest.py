"""What the cases share: the extractor that reads English, one Milvus Lite server, and desks over it or over the index in memory."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors.broker import Broker
from connectors.embedding import NgramEmbedder
from connectors.extractor import Extractor
from connectors.index import Index
from connectors.memory_index import MemoryIndex
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.milvus_server import MilvusServer, start_lite
from connectors.spacy_extractor import SpacyExtractor
from schemas.ids import Tenant
from schemas.rules import OnDelete
from schemas.vocabulary import Vocabulary, shipped
from tests.cases.desk import WIDTH, Desk
from tests.cases.mill import SETTINGS, Mill

Open = Callable[..., Desk]


@pytest.fixture(scope="session")
def english() -> SpacyExtractor:
    return SpacyExtractor(shipped())


@pytest.fixture(scope="session")
def lite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusServer]:
    with start_lite(tmp_path_factory.mktemp("milvus") / "lite") as server:
        yield server


@pytest.fixture(scope="session")
def milvus(lite: MilvusServer) -> Iterator[Index]:
    """Yield one collection for all; every desk is a tenant of its own."""
    index = MilvusIndex(MilvusSettings(lite.uri), NgramEmbedder(WIDTH).fingerprint, WIDTH)
    index.ensure()
    yield index
    index.close()


@pytest.fixture
def opened(tmp_path: Path, english: SpacyExtractor, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Yield what opens a desk; in the end the index of each must be what its store is."""
    desks: list[Desk] = []

    def make(
        index: Index | None = None, extractor: Extractor | None = None, *,
        ordered: bool = True, on_delete: OnDelete = OnDelete.WITHDRAW, vocabulary: Vocabulary | None = None,
    ) -> Desk:  # fmt: skip
        tenant = Tenant(f"{request.node.name} {len(desks)}")
        chosen = MemoryIndex(NgramEmbedder(WIDTH).fingerprint, WIDTH) if index is None else index
        path = tmp_path / f"{len(desks)}.db"
        desks.append(Desk(path, tenant, chosen, extractor or english, ordered=ordered, on_delete=on_delete, vocabulary=vocabulary))
        return desks[-1]

    yield make
    for desk in desks:
        desk.close()


@pytest.fixture
def desk(opened: Open) -> Desk:
    """Return a desk over the index in memory."""
    return opened()


@pytest.fixture
def milvus_desk(opened: Open, milvus: Index) -> Desk:
    """Return a desk over Milvus Lite."""
    return opened(milvus)


@pytest.fixture
def mill(tmp_path: Path, lite: MilvusServer, english: SpacyExtractor, capfd: pytest.CaptureFixture[str]) -> Iterator[Mill]:
    with Broker() as broker:
        file = tmp_path / "millstream.toml"
        file.write_text(SETTINGS.format(data=tmp_path / "data", bootstrap=broker.bootstrap, milvus=lite.uri, name=tmp_path.name))
        yield Mill(file, english, capfd)
