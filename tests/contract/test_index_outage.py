"""The index through outages: a writer waits, acknowledged rows outlive a crash, and what does not fit together is refused at the start."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pymilvus import DataType, MilvusClient

from connectors.index import Filter, Index
from connectors.milvus import MilvusIndex, MilvusSettings
from connectors.milvus_server import MilvusServer, free_port, start_lite, start_real
from schemas.errors import BadSettings, Inconsistent, Unreachable
from schemas.ids import Fingerprint, Tenant
from tests.contract.indexed import MODEL, WIDTH, held, record, row

TENANT = Tenant("harbour")


def opened(uri: str, patience: float = 30.0, model: Fingerprint = MODEL, width: int = WIDTH, collection: str = "outage") -> MilvusIndex:
    index = MilvusIndex(MilvusSettings(uri, collection, patience=patience), model, width)
    index.ensure()
    return index


def fill(index: Index, first: int, last: int) -> None:
    for number in range(first, last):
        assert index.write([row(record(TENANT, f"r{number}", sequence=number))]) == []


def outlives(start: Callable[[Path, int], MilvusServer], folder: Path, end: Callable[[MilvusServer], None]) -> None:
    """Check that a writer waits while the server is away, and that all that was acknowledged is there afterwards."""
    server = start(folder, free_port())
    port = int(server.uri.rsplit(":", 1)[1])
    index = opened(server.uri, patience=240)
    fill(index, 0, 10)
    end(server)
    writer = threading.Thread(target=fill, args=(index, 10, 20))
    writer.start()
    time.sleep(1)
    assert writer.is_alive()
    with start(folder, port) as again:
        writer.join(240)
        assert not writer.is_alive()
        assert len(held(index, TENANT, *[f"r{number}" for number in range(20)])) == 20
        index.close()
        reopened = opened(again.uri)
        assert reopened.count() == 20
        assert reopened.write([row(record(TENANT, "r1", text="older", sequence=0))]) == []
        assert held(reopened, TENANT, "r1") == [record(TENANT, "r1", sequence=1)]
        reopened.close()


def test_a_writer_waits_for_a_restart_and_loses_nothing(tmp_path: Path) -> None:
    outlives(start_lite, tmp_path / "lite", MilvusServer.stop)


def test_acknowledged_rows_outlive_a_killed_server(tmp_path: Path) -> None:
    outlives(start_lite, tmp_path / "lite", MilvusServer.kill)


@pytest.mark.server
@pytest.mark.timeout(600)
@pytest.mark.parametrize("end", [MilvusServer.stop, MilvusServer.kill])
def test_a_real_server_may_restart_or_crash_under_the_writer(tmp_path: Path, end: Callable[[MilvusServer], None]) -> None:
    try:
        outlives(start_real, tmp_path / "milvus", end)
    except BadSettings as absent:
        pytest.skip(str(absent))


def test_an_outage_longer_than_the_patience_is_told_to_the_caller(tmp_path: Path) -> None:
    server = start_lite(tmp_path / "lite")
    index = opened(server.uri, patience=0.5)
    server.stop()
    with pytest.raises(Unreachable, match="is it running"):
        index.write([row(record(TENANT))])
    with pytest.raises(Unreachable):
        opened(server.uri, patience=0.1)
    assert Unreachable.retriable


def test_c61_a_collection_of_another_model_is_not_opened(tmp_path: Path) -> None:
    uri = str(tmp_path / "lite.db")
    index = opened(uri)
    opened(uri, model=Fingerprint("model-two"))  # nothing is in it yet, so nothing is mixed
    fill(index, 0, 1)
    with pytest.raises(Inconsistent, match=r"index is of generation '1/model-one' but '1/model-two.*index anew"):
        opened(uri, model=Fingerprint("model-two"))
    with pytest.raises(Inconsistent, match=rf"of {WIDTH} numbers per vector' but .*\({WIDTH + 1} numbers\)' was found.*index anew"):
        opened(uri, width=WIDTH + 1)
    assert opened(uri).count() == 1


def test_a_collection_with_other_columns_is_left_alone(tmp_path: Path) -> None:
    uri = str(tmp_path / "lite.db")
    client = MilvusClient(uri)
    schema = client.create_schema(enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, max_length=10, is_primary=True)
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=WIDTH)
    client.create_collection("foreign", schema=schema)
    with pytest.raises(Inconsistent, match="other columns"):
        opened(uri, collection="foreign")


def test_a_collection_that_lost_an_index_gets_it_back(tmp_path: Path) -> None:
    uri = str(tmp_path / "lite.db")
    index = opened(uri)
    fill(index, 0, 3)
    client = MilvusClient(uri)
    client.release_collection("outage")
    client.drop_index("outage", "sparse")
    again = opened(uri)
    assert [match.record.id for match in again.lexical("quay", Filter(TENANT), 10)] == ["r0", "r1", "r2"]


def test_two_writers_of_one_process_lose_nothing(tmp_path: Path) -> None:
    uri = str(tmp_path / "lite.db")
    opened(uri)
    spans = [(0, 40), (40, 80), (80, 120)]
    writers = [threading.Thread(target=lambda span: fill(opened(uri), *span), args=(span,)) for span in spans]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert opened(uri).count() == 120


def test_two_who_open_a_new_index_at_once_both_get_it(tmp_path: Path) -> None:
    with start_lite(tmp_path / "lite") as server:
        names = [server.uri, server.uri.replace("127.0.0.1", "localhost")]  # two names share no lock, like two processes
        openers = [threading.Thread(target=opened, args=(uri,)) for uri in names]
        for opener in openers:
            opener.start()
        for opener in openers:
            opener.join()
        index = opened(server.uri)
        fill(index, 0, 3)
        assert [match.record.id for match in index.lexical("quay", Filter(TENANT), 10)] == ["r0", "r1", "r2"]


def test_a_second_server_on_one_port_or_one_folder_is_refused(tmp_path: Path) -> None:
    with start_lite(tmp_path / "lite") as server:
        with pytest.raises(BadSettings, match="in use"):
            start_lite(tmp_path / "other", int(server.uri.rsplit(":", 1)[1]))
        with pytest.raises(BadSettings, match="another process holds the lock"):
            start_lite(tmp_path / "lite")


def test_a_server_ends_with_its_parent(tmp_path: Path) -> None:
    script = "import sys, time; from pathlib import Path; from connectors.milvus_server import start_lite\n"
    script += "print(start_lite(Path(sys.argv[1])).pid, flush=True); time.sleep(60)"
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "lite")], stdout=subprocess.PIPE, cwd=root) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    end = time.monotonic() + 20
    while Path(f"/proc/{child}").exists() and time.monotonic() < end:
        time.sleep(0.1)
    with start_lite(tmp_path / "lite") as server:  # the folder is free again
        assert server.alive
