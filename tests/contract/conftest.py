"""The indexes that the contract is checked on: memory, Milvus Lite in a file and over the wire, and a real Milvus server.

Collections are slow to create, so they are shared: every test has a tenant of its own.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.index import Index
from connectors.memory_index import MemoryIndex
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.milvus_server import start_lite, start_real
from schemas.errors import BadSettings
from schemas.ids import Tenant
from tests.contract.indexed import MODEL, WIDTH


@pytest.fixture(
    scope="session",
    params=["memory", "lite-file", "lite-server", pytest.param("server", marks=[pytest.mark.server, pytest.mark.timeout(300)])],
)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    match request.param:
        case "memory":
            yield MemoryIndex(MODEL, WIDTH)
        case "lite-file":
            yield from opened(str(folder / "lite.db"))
        case "lite-server":
            with start_lite(folder / "lite") as server:
                yield from opened(server.uri)
        case _:
            yield from real(folder)


def opened(uri: str) -> Iterator[Index]:
    found = MilvusIndex(MilvusSettings(uri), MODEL, WIDTH)
    found.ensure()
    yield found
    found.close()


def real(folder: Path) -> Iterator[Index]:
    try:
        server = start_real(folder / "milvus")
    except BadSettings as absent:
        pytest.skip(str(absent))
    with server:
        yield from opened(server.uri)


@pytest.fixture
def tenant(request: pytest.FixtureRequest) -> Tenant:
    return Tenant(request.node.nodeid)
