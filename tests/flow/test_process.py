"""One Millstream as a process, with a real broker and a real Milvus Lite: it stops cleanly, survives kill -9, and goes on."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path

import orjson
import pytest

from connectors.broker import Broker
from connectors.kafka import Connection, Feed, ensure_topics
from connectors.kafka_source import Partition, Topics
from connectors.watermark import read
from flows.settings import embedded
from schemas.change import Position
from schemas.message import Message
from schemas.wire import dead_letter_from, transition_from
from tests.flow.process import live

LIVES = multiprocessing.get_context("forkserver")
LIVES.set_forkserver_preload(["tests.flow.process"])  # the imports cost seconds; a life is then a fork of a process that has them


class Process:
    """A Millstream process over a data directory; lives use the directory one after the other."""

    def __init__(self, data: Path, connection: Connection) -> None:
        self.data = data
        self.connection = connection
        self.topics = [*embedded(data).topics, "millstream.transitions", "millstream.dead-letters"]
        ensure_topics(connection, dict.fromkeys(self.topics, 2))
        self._lives: list[BaseProcess] = []
        data.mkdir(parents=True, exist_ok=True)

    def start(self, what: str = "endless", **environment: str) -> BaseProcess:
        """Start one life."""
        life = LIVES.Process(target=live, args=(self.data, self.connection.bootstrap, what, self._output(len(self._lives)), environment))
        life.start()
        self._lives.append(life)
        return life

    def end(self, life: BaseProcess, number: int | None = None) -> tuple[int | None, str]:
        """Wait for the end of a life, after a signal if one is given; return the exit code and what was said."""
        if number is not None:
            assert life.pid is not None
            os.kill(life.pid, number)
        life.join(60)
        return life.exitcode, self._output(self._lives.index(life)).read_text()

    def run(self, what: str, **environment: str) -> tuple[int | None, str]:
        """Live until the end by itself."""
        return self.end(self.start(what, **environment))

    def _output(self, number: int) -> Path:
        return self.data.parent / f"{self.data.name}-{number}.txt"

    def clean(self) -> None:
        """Leave no process behind."""
        for life in self._lives:
            life.kill()
            life.join()
            life.close()

    def feed(self, topic: str, *values: Mapping[str, object] | bytes) -> Position:
        """Send changes; return where the last one stands."""
        raw = [value if isinstance(value, bytes) else orjson.dumps(value) for value in values]
        with Feed(self.connection) as feed:
            return feed.send_all(topic, [(b"one partition", value, ()) for value in raw])[-1]

    def wait(self, position: Position, seconds: float = 60.0) -> None:
        """Wait until a position is searchable."""
        deadline = time.monotonic() + seconds
        while read(self.data / "watermark.db").get((position.topic, position.partition), -1) < position.offset:
            assert time.monotonic() < deadline, f"{position} is not searchable; {read(self.data / 'watermark.db')}"
            time.sleep(0.02)

    def texts(self) -> list[str]:
        """Return all current records, a line each; no other process may run."""
        code, said = self.run("texts")
        assert code == 0, said
        return said.splitlines()

    def written(self, topic: str) -> list[bytes]:
        """Return the values in a topic."""
        source = Topics(self.connection, [topic], bounded=True, fetch_max_wait_ms=20)
        found: list[bytes] = []
        for name in source.list_parts():
            part = source.build_part("s", name, None)
            found += [message.value or b"" for message in _to_the_end(part)]
            part.close()
        return found


def _to_the_end(part: Partition) -> Iterator[Message]:
    while True:
        try:
            yield from part.next_batch()
        except StopIteration:
            return


@pytest.fixture
def connection() -> Iterator[Connection]:
    with Broker() as broker:
        yield broker.connection


@pytest.fixture
def process(tmp_path: Path, connection: Connection) -> Iterator[Process]:
    made = Process(tmp_path / "data", connection)
    yield made
    made.clean()


def _page(document: str, order: int, **fields: str) -> dict[str, object]:
    front = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return {"id": document, "order": order, "title": document.title(), "body": f"---\n{front}---\n# {document.title()}\n\nText of {document}.\n"}


def test_a_change_in_kafka_becomes_a_fact_a_second_process_is_refused_and_a_stop_is_clean(process: Process) -> None:
    life = process.start()
    process.wait(process.feed("wiki.changes", _page("harbour", 1, owner="Ida Brandt"), b"{poison", _page("quay", 1, owner="Olav Strand")))
    code, said = process.run("endless")
    assert (code, said.strip().splitlines()[-1].startswith("BadSettings")) == (2, True), said
    assert "is in use by another Millstream" in said
    process.wait(process.feed("wiki.changes", _page("harbour", 2, owner="Olav Strand"), {"kind": "delete", "id": "quay", "order": 2}))
    code, said = process.end(life, signal.SIGTERM)
    assert code == 0, said
    texts = process.texts()
    assert any("Olav Strand" in text and "Harbour" in text and "Active" in text for text in texts), texts
    assert any("Ida Brandt" in text and "Deprecated" in text for text in texts), texts
    (letter,) = [dead_letter_from(value) for value in process.written("millstream.dead-letters")]
    assert (letter.payload, letter.step, letter.source) == (b"{poison", "decode", "wiki")
    assert any(made.before and made.before.status.value == "Active" for made in map(transition_from, process.written("millstream.transitions")))


def test_after_kill_minus_nine_the_index_is_that_of_a_process_that_never_died(process: Process, tmp_path: Path) -> None:
    names = [f"page {number}" for number in range(8)]
    pages = [_page(names[order % 8], order, owner=f"Person {order % 5}", status=("open", "closed")[order % 3 % 2]) for order in range(1, 81)]
    process.feed("wiki.changes", *pages)
    faults = ("commit-emit:1", "commit-emit:0.5,milvus-write:0.05", "milvus-write:0.2")  # the first strikes for sure, the others by chance
    died = sum(process.run("bounded", MILLSTREAM_FAULT=fault)[0] == -signal.SIGKILL for fault in faults)
    code, said = process.run("bounded")
    assert code == 0, said
    calm = Process(tmp_path / "calm", process.connection)
    assert calm.run("bounded")[0] == 0
    assert died > 0
    assert process.texts() == calm.texts()
    calm.clean()


def test_an_endless_flow_that_is_killed_goes_on_where_it_was(process: Process) -> None:
    life = process.start()
    process.wait(process.feed("ticket.changes", _page("one", 1, owner="Ida Brandt")))
    assert process.end(life, signal.SIGKILL)[0] == -signal.SIGKILL
    last = process.feed("ticket.changes", _page("two", 1, owner="Ida Brandt"))
    life = process.start()
    process.wait(last)
    assert process.end(life, signal.SIGINT)[0] == 0


def test_a_topic_that_the_embedded_broker_made_anew_is_read_from_its_start(process: Process) -> None:
    process.feed("wiki.changes", _page("one", 1, owner="Ida Brandt"))
    assert process.run("bounded")[0] == 0
    with Broker() as broker:
        again = Process(process.data, broker.connection)
        again.feed("wiki.changes", _page("two", 1, owner="Olav Strand"))
        assert again.run("bounded")[0] == 0
        texts = again.texts()
        again.clean()
        assert any("Olav Strand" in text for text in texts)
