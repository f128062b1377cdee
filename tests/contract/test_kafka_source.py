"""The source against a real broker over TCP: nothing is lost or read twice, and what would be a hidden gap is an error."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from kafka import KafkaAdminClient

from connectors.broker import Broker
from connectors.kafka import Connection, Feed, describe, ensure_topics
from connectors.kafka_source import Listed, Messages, Partition, Progress, Topics
from schemas.errors import BadChange, BadSettings, Inconsistent
from schemas.instant import Instant
from schemas.message import Message


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    """Another broker than the embedded one holds the same promises: MILLSTREAM_TEST_KAFKA=host:port."""
    if outside := os.environ.get("MILLSTREAM_TEST_KAFKA"):
        yield Connection(outside, timeout_ms=10_000)
        return
    with Broker() as broker:
        yield Connection(broker.bootstrap, timeout_ms=10_000)


@pytest.fixture
def topic(connection: Connection, request: pytest.FixtureRequest) -> str:
    name = f"t-{request.node.name[-60:]}-{time.time_ns()}"
    ensure_topics(connection, {name: 2})
    return name


def _feed(connection: Connection, topic: str, values: list[bytes], key: bytes = b"k") -> None:
    with Feed(connection) as feed:
        feed.send_all(topic, [(key, value, ()) for value in values])


def _partition_of(connection: Connection, topic: str, key: bytes = b"k") -> int:
    with Feed(connection) as feed:
        return feed.send(topic, key, b"where").partition


def _drain(part: Partition | Listed, want: int, seconds: float = 10.0) -> list[Message]:
    found: list[Message] = []
    deadline = time.monotonic() + seconds
    while len(found) < want and time.monotonic() < deadline:
        batch = part.next_batch()
        found += batch
        if not batch:
            time.sleep(0.01)
    return found


def _to_the_end(part: Partition) -> list[Message]:
    found: list[Message] = []
    while True:
        try:
            found += part.next_batch()
        except StopIteration:
            return found
        time.sleep(0.005)


def test_a_partition_goes_on_after_the_last_committed_message(connection: Connection, topic: str) -> None:
    number = _partition_of(connection, topic)
    _feed(connection, topic, [b"a", b"b"])
    source = Topics(connection, [topic], fetch_max_wait_ms=20)
    first = source.build_part("s", f"{topic}:{number}", None)
    assert [message.value for message in _drain(first, 3)] == [b"where", b"a", b"b"]
    kept = first.snapshot()
    first.close()
    _feed(connection, topic, [b"c", b"d"])
    second = source.build_part("s", f"{topic}:{number}", kept)
    messages = _drain(second, 2)
    second.close()
    assert [(message.value, message.offset, message.previous) for message in messages] == [(b"c", 3, 2), (b"d", 4, 3)]


def test_every_message_names_the_offset_delivered_before_it(connection: Connection, topic: str) -> None:
    number = _partition_of(connection, topic)
    _feed(connection, topic, [b"x"] * 5)
    part = Topics(connection, [topic], bounded=True, batch=2).build_part("s", f"{topic}:{number}", None)
    assert [message.previous for message in _to_the_end(part)] == [-1, 0, 1, 2, 3, 4]
    part.close()


def test_a_message_arrives_with_key_headers_and_tombstone_as_it_was_sent(connection: Connection, topic: str) -> None:
    with Feed(connection) as feed:
        at = feed.send(topic, b"doc-1", None, [("kind", b"delete"), ("empty", b"")])
    part = Topics(connection, [topic], bounded=True).build_part("s", f"{topic}:{at.partition}", None)
    (message,) = _to_the_end(part)
    part.close()
    assert (message.key, message.value, message.headers) == (b"doc-1", None, (("kind", b"delete"), ("empty", b"")))
    assert abs(message.timestamp - time.time() * 1000) < 60_000


def test_a_bounded_run_ends_where_the_partition_ended_and_at_once_when_it_is_empty(connection: Connection, topic: str) -> None:
    number = _partition_of(connection, topic)
    source = Topics(connection, [topic], bounded=True)
    empty = source.build_part("s", f"{topic}:{1 - number}", None)
    assert _to_the_end(empty) == []
    empty.close()
    full = source.build_part("s", f"{topic}:{number}", None)
    assert len(_to_the_end(full)) == 1
    full.close()


def test_a_stop_ends_a_partition_and_leaves_its_position(connection: Connection, topic: str) -> None:
    stop = threading.Event()
    part = Topics(connection, [topic], stop=stop).build_part("s", f"{topic}:0", None)
    part.next_batch()
    stop.set()
    with pytest.raises(StopIteration):
        part.next_batch()
    assert part.snapshot()[1:] == (0, -1)
    part.close()


def test_a_silent_partition_is_looked_at_ever_less_often_up_to_the_limit(connection: Connection, topic: str) -> None:
    part = Topics(connection, [topic], idle=0.02).build_part("s", f"{topic}:0", None)
    pauses = []
    for _ in range(6):
        part.next_batch()
        awake = part.next_awake()
        assert awake is not None
        pauses.append(awake.timestamp() - time.time())
    part.close()
    assert max(pauses) <= 0.02
    assert pauses[-1] > pauses[0]


def test_a_re_created_topic_is_refused_unless_it_may_be_read_from_its_beginning(connection: Connection, topic: str) -> None:
    kept = ("an-earlier-id", 10, 9)
    with pytest.raises(BadSettings, match="re-created"):
        Topics(connection, [topic]).build_part("s", f"{topic}:0", kept)
    part = Topics(connection, [topic], recreated="restart").build_part("s", f"{topic}:0", kept)
    assert part.snapshot() == (describe(connection, [topic])[topic].id, 0, -1)
    part.close()


def test_a_topic_that_was_deleted_and_made_again_has_another_id(connection: Connection, topic: str) -> None:
    former = describe(connection, [topic])[topic].id
    admin = KafkaAdminClient(**connection.options())
    admin.delete_topics([topic])
    admin.close()
    ensure_topics(connection, {topic: 2})
    assert describe(connection, [topic])[topic].id != former


def test_messages_that_expired_before_they_were_read_are_an_error_and_no_gap(connection: Connection, topic: str) -> None:
    ident = describe(connection, [topic])[topic].id
    with pytest.raises(Inconsistent, match="expired"):
        Topics(connection, [topic]).build_part("s", f"{topic}:0", (ident, -3, -4))


def test_progress_shows_how_much_is_unread(connection: Connection, topic: str) -> None:
    number = _partition_of(connection, topic)
    _feed(connection, topic, [b"x"] * 9)
    seen: list[Progress] = []
    part = Topics(connection, [topic], batch=4, observe=seen.append).build_part("s", f"{topic}:{number}", None)
    _drain(part, 10)
    part.close()
    assert seen[0].end - seen[0].next > 0
    assert seen[-1].next == seen[-1].end == 10
    assert seen[-1].newest is not None


def test_partitions_of_all_topics_are_listed_and_a_missing_topic_is_named(connection: Connection, topic: str) -> None:
    assert Topics(connection, [topic]).list_parts() == [f"{topic}:0", f"{topic}:1"]
    with pytest.raises(BadSettings, match="no-such-topic"):
        Topics(connection, ["no-such-topic"]).list_parts()


def test_making_topics_twice_changes_nothing(connection: Connection, topic: str) -> None:
    former = describe(connection, [topic])
    ensure_topics(connection, {topic: 2})
    assert describe(connection, [topic]) == former


def test_positions_of_a_feed_are_those_that_the_source_reads(connection: Connection, topic: str) -> None:
    with Feed(connection) as feed:
        sent = feed.send_all(topic, [(b"same", b"%d" % number, ()) for number in range(20)])
    assert [at.offset for at in sent] == list(range(20))
    assert len({at.partition for at in sent}) == 1


def test_a_message_over_the_limit_is_refused_with_its_size(connection: Connection, topic: str) -> None:
    with Feed(connection) as feed, pytest.raises(BadChange, match="3000000 bytes"):
        feed.send(topic, b"k", b"x" * 3_000_000)


_AWAY = """
from connectors.kafka import Connection, Feed, describe, ensure_topics
from schemas.errors import Unreachable
nowhere = Connection("127.0.0.1:9", timeout_ms=300)
for call in (lambda: describe(nowhere, ["t"]), lambda: Feed(nowhere), lambda: ensure_topics(nowhere, {"t": 1})):
    try:
        call()
    except Unreachable as err:
        assert "127.0.0.1:9" in str(err), err
        print("unreachable")
"""


def test_a_broker_that_is_away_is_unreachable_and_named() -> None:
    # In a process of its own: kafka-python leaves sockets open when it cannot connect.
    ran = subprocess.run([sys.executable, "-c", _AWAY], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout.split() == ["unreachable"] * 3, ran.stderr


def test_a_password_is_never_shown() -> None:
    assert "hunter2" not in repr(Connection("b:1", {"sasl_plain_password": "hunter2"}))


def test_a_second_broker_on_a_port_is_refused_and_a_stopped_one_is_gone() -> None:
    with Broker() as broker:
        port = int(broker.bootstrap.rpartition(":")[2])
        with pytest.raises(BadSettings, match="in use"):
            Broker(port).start()
    broker.stop()
    assert broker.pid is None
    with Broker(port) as again:
        assert again.pid is not None


def test_the_broker_goes_with_its_parent_however_that_ended() -> None:
    script = "from connectors.broker import Broker\nimport os, time\nb = Broker(); b.start(); print(b.bootstrap, flush=True); time.sleep(60)"
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    port = int(parent.stdout.readline().rpartition(":")[2])
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not _is_free(port):
        time.sleep(0.05)
    assert _is_free(port)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_the_twin_in_memory_resumes_like_the_source() -> None:
    messages = [Message("t", number % 2, number // 2, number // 2 - 1, Instant(0), None, b"%d" % number) for number in range(6)]
    source = Messages(messages, batch=2)
    assert source.list_parts() == ["t:0", "t:1"]
    part = source.build_part("s", "t:0", None)
    assert [message.value for message in part.next_batch()] == [b"0", b"2"]
    again = source.build_part("s", "t:0", part.snapshot())
    assert [message.value for message in again.next_batch()] == [b"4"]
    with pytest.raises(StopIteration):
        again.next_batch()
