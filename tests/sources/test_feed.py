"""A feed delivers everything in order, at least once, and goes on where it stopped."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from connectors.broker import Broker
from connectors.kafka import Feed, ensure_topics
from connectors.kafka_source import Topics
from connectors.sources.files import is_document
from connectors.sources.native import NativeAdapter
from connectors.sources.settings import SourceSettings
from flows import feed
from flows.feed import Progress, Target, feed_document, feed_file, feed_git, target
from schemas.change import Put, Text
from schemas.errors import BadSettings, Inconsistent, Unreachable
from schemas.ids import Source, Tenant
from schemas.instant import Instant
from schemas.message import Message
from tests.pdfs import pdf
from tests.sources.delivered import Delivered
from tests.sources.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with Repository(tmp_path / "wiki") as found:
        yield found


@pytest.fixture
def to(tmp_path: Path) -> Callable[[Delivered], Target]:
    return lambda broker: Target(broker, "git.changes", "topic-1", tmp_path / "data")


def orders(broker: Delivered) -> list[int]:
    return [orjson.loads(value or b"")["order"] for value in broker.values()]


def commits(repository: Repository, count: int) -> list[str]:
    return [repository.commit({"quay.md": f"{number} berths."}) for number in range(count)]


def test_a_history_is_delivered_in_order_and_once(repository: Repository, to: Callable[[Delivered], Target]) -> None:
    commits(repository, 5)
    broker = Delivered()
    progress = list(feed_git(to(broker), repository.path))
    assert [topic for topic, _, _ in broker.messages] == ["git.changes"] * 5
    assert [key for _, key, _ in broker.messages] == [b"quay.md"] * 5
    assert orders(broker) == [0, 1, 2, 3, 4]
    assert (progress[-1].done, progress[-1].total, progress[-1].messages) == (5, 5, 5)
    assert list(feed_git(to(broker), repository.path)) == []
    assert len(broker.messages) == 5


def test_a_feed_goes_on_where_it_stopped(repository: Repository, to: Callable[[Delivered], Target]) -> None:
    commits(repository, 3)
    broker = Delivered()
    list(feed_git(to(broker), repository.path))
    commits(repository, 2)
    list(feed_git(to(broker), repository.path))
    assert orders(broker) == [0, 1, 2, 3, 4]


def test_what_the_broker_did_not_acknowledge_is_sent_again(
    repository: Repository, to: Callable[[Delivered], Target], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "BATCH", 2)
    commits(repository, 7)
    broker = Delivered(limit=5)
    with pytest.raises(Unreachable):
        list(feed_git(to(broker), repository.path))
    broker.limit = 100
    list(feed_git(to(broker), repository.path))
    assert orders(broker) == [0, 1, 2, 3, 4, 4, 5, 6]


def test_a_topic_that_was_created_anew_is_fed_from_the_beginning(repository: Repository, tmp_path: Path) -> None:
    commits(repository, 2)
    broker = Delivered()
    for topic_id in ("topic-1", "topic-2", "topic-2"):
        list(feed_git(Target(broker, "git.changes", topic_id, tmp_path / "data"), repository.path))
    assert orders(broker) == [0, 1, 0, 1]


def test_a_feed_since_a_revision_begins_with_what_stood_then(repository: Repository, to: Callable[[Delivered], Target]) -> None:
    repository.commit({"pier.md": "Two cranes.", "quay.md": "Eight berths."})
    since = repository.commit({"quay.md": "Nine berths."})
    repository.commit({"quay.md": "Ten berths."})
    broker = Delivered()
    list(feed_git(to(broker), repository.path, since=since))
    assert [(orjson.loads(value or b"")["id"], orjson.loads(value or b"")["order"]) for value in broker.values()] == [
        ("pier.md", 0),
        ("quay.md", 1),
        ("quay.md", 2),
    ]
    list(feed_git(to(broker), repository.path, since=since))
    assert len(broker.messages) == 3


def test_a_followed_repository_is_fed_as_it_grows_until_the_feed_is_stopped(repository: Repository, to: Callable[[Delivered], Target]) -> None:
    commits(repository, 1)
    broker, stop = Delivered(), threading.Event()
    seen: list[Progress] = []
    for progress in feed_git(to(broker), repository.path, follow=True, stop=stop, pause_s=0.01):
        seen.append(progress)
        if len(seen) < 3:
            repository.commit({"quay.md": f"{len(seen)} berths."})
        else:
            stop.set()
    assert orders(broker) == [0, 1, 2]


def test_a_rewritten_history_is_not_fed(repository: Repository, to: Callable[[Delivered], Target]) -> None:
    root, _ = commits(repository, 2)
    broker = Delivered()
    list(feed_git(to(broker), repository.path))
    repository.commit({"quay.md": "No berth."}, on=root)
    with pytest.raises(Inconsistent, match="rewritten"):
        list(feed_git(to(broker), repository.path))
    assert len(broker.messages) == 2


def test_a_damaged_memory_says_which_file_to_remove(repository: Repository, to: Callable[[Delivered], Target]) -> None:
    place = to(Delivered()).place("git", repository.path)
    place.write(commit="x")
    place.path.write_text("{")
    with pytest.raises(Inconsistent, match=place.path.name):
        list(feed_git(to(Delivered()), repository.path))


CHANGES = [{"id": "quay", "order": 1, "body": "Nine berths."}, {"id": "pier", "order": 1, "body": "Two cranes."}]


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8")
    return path


def test_each_line_of_a_file_is_a_message_keyed_by_its_document(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker = Delivered()
    path = write(tmp_path / "changes.jsonl", CHANGES[0], "", [CHANGES[1], CHANGES[0]], {"id": 7, "order": 1})
    (progress,) = feed_file(to(broker), path)
    assert [key for _, key, _ in broker.messages] == [b"quay", b"pier", b"7"]
    assert [orjson.loads(value or b"") for value in broker.values()] == [CHANGES[0], [CHANGES[1], CHANGES[0]], {"id": 7, "order": 1}]
    assert (progress.done, progress.total, progress.messages, progress.at) == (path.stat().st_size, path.stat().st_size, 3, "line 4")


def test_a_line_may_spell_a_message_out(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker = Delivered()
    path = write(
        tmp_path / "changes.jsonl",
        {"topic": "wiki.changes", "key": "quay", "value": None},
        {"key": "quay", "value": ""},
        {"value": '{"id": "qu'},
        {"topic": "reviews", "value": {"subject": "Dock Board"}},
    )
    list(feed_file(to(broker), path))
    assert sorted(broker.messages, key=str) == sorted(
        [
            ("wiki.changes", b"quay", None),
            ("git.changes", b"quay", b""),
            ("git.changes", None, b'{"id": "qu'),
            ("reviews", None, b'{"subject":"Dock Board"}'),
        ],
        key=str,
    )


def test_a_line_that_is_wrong_is_sent_as_it_is(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker = Delivered()
    list(feed_file(to(broker), write(tmp_path / "changes.jsonl", '{"id": "quay", ', "null", '"quay"', "[]", '{"id": true}')))
    assert broker.messages == [("git.changes", None, value) for value in (b'{"id": "quay",', b"null", b'"quay"', b"[]", b'{"id": true}')]


def test_a_file_that_grew_is_fed_from_its_new_lines_on(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker = Delivered()
    path = write(tmp_path / "changes.jsonl", CHANGES[0])
    list(feed_file(to(broker), path))
    assert list(feed_file(to(broker), path)) == []
    write(path, CHANGES[0], CHANGES[1])
    (progress,) = feed_file(to(broker), path)
    assert progress.at == "line 2"
    assert [orjson.loads(value or b"") for value in broker.values()] == CHANGES


def test_a_file_whose_fed_lines_changed_is_fed_anew(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker = Delivered()
    path = write(tmp_path / "changes.jsonl", CHANGES[0])
    list(feed_file(to(broker), path))
    write(path, CHANGES[1], CHANGES[0])
    list(feed_file(to(broker), path))
    assert [orjson.loads(value or b"") for value in broker.values()] == [CHANGES[0], CHANGES[1], CHANGES[0]]


def test_a_line_too_large_for_a_message_is_named(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    path = write(tmp_path / "changes.jsonl", CHANGES[0], {"id": "big", "body": "x" * 1_000_001})
    with pytest.raises(BadSettings, match="line 2: 1,000,0"):
        list(feed_file(to(Delivered()), path))


def test_a_line_without_key_and_value_is_named_since_no_producer_takes_it(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    with pytest.raises(BadSettings, match="line 2: a message needs a key or a value"):
        list(feed_file(to(Delivered()), write(tmp_path / "changes.jsonl", CHANGES[0], {"value": None})))


def test_a_file_that_is_not_there_is_named(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    with pytest.raises(BadSettings, match=r"missing\.jsonl"):
        list(feed_file(to(Delivered()), tmp_path / "missing.jsonl"))


def test_a_file_of_a_document_is_one_change_and_is_fed_again_when_it_has_changed(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker, path = Delivered(), tmp_path / "Quay Manual.PDF"
    path.write_bytes(pdf([["The quay is old."]]))
    os.utime(path, ns=(0, 1_900_000_000_000_000_000))
    (progress,) = feed_document(to(broker), path)
    assert (progress.messages, progress.at) == (1, "Quay Manual.PDF")
    assert list(feed_document(to(broker), path)) == []
    path.write_bytes(pdf([["The quay is new."]]))
    os.utime(path, ns=(0, 1_900_000_000_000_000_001))
    assert len(list(feed_document(to(broker), path))) == 1
    assert [key for _, key, _ in broker.messages] == [b"Quay Manual.PDF"] * 2
    settings = SourceSettings(Source("wiki"), Tenant("main"), "wiki.changes")
    read = [NativeAdapter(settings).decode(Message("wiki.changes", 0, 0, -1, Instant(1_900_000_000_001), b"", value)) for value in broker.values()]
    changes = [change for found in read for change in found if isinstance(change, Put)]
    assert [change.body for change in changes] == [Text(f"The quay is {word}.\n", "application/pdf") for word in ("old", "new")]
    assert [(change.stamp.document, change.title) for change in changes] == [("Quay Manual.PDF", "Quay Manual")] * 2
    assert [change.stamp.order for change in changes] == [(1_900_000_000_000_000_000,), (1_900_000_000_000_000_001,)]
    assert [change.stamp.event_time for change in changes] == [1_900_000_000_000] * 2


def test_a_file_of_html_is_sent_as_text(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    broker, path = Delivered(), tmp_path / "quay.html"
    path.write_bytes(b"<p>B\xc3\xa4r \xff</p>")
    list(feed_document(to(broker), path))
    (value,) = broker.values()
    change = orjson.loads(value or b"")
    assert (change["media_type"], change["body"], "encoding" in change) == ("text/html", "<p>Bär \ufffd</p>", False)


def test_a_document_that_fits_into_no_message_or_is_not_there_is_named(tmp_path: Path, to: Callable[[Delivered], Target]) -> None:
    path = tmp_path / "large.pdf"
    path.write_bytes(b"%PDF-" + b"x" * 800_000)
    with pytest.raises(BadSettings, match=r"large\.pdf: 1,0\d\d,\d\d\d bytes as a change are more than the 1,000,000 of one message"):
        list(feed_document(to(Delivered()), path))
    with pytest.raises(BadSettings, match=r"missing\.pdf cannot be read"):
        list(feed_document(to(Delivered()), tmp_path / "missing.pdf"))
    assert [is_document(Path(name)) for name in ("a.pdf", "a.HTM", "a.jsonl", "pdf")] == [True, True, False, False]


def test_over_a_real_broker_every_message_arrives_as_it_was_fed(repository: Repository, tmp_path: Path) -> None:
    commits(repository, 3)
    path = write(tmp_path / "changes.jsonl", {"key": "quay.md", "value": None}, {"key": "quay.md", "value": ""}, "poison")
    with Broker() as broker:
        ensure_topics(broker.connection, {"git.changes": 1})
        with Feed(broker.connection) as producer:
            to = target(producer, broker.connection, "git.changes", tmp_path / "data")
            list(feed_git(to, repository.path))
            list(feed_file(to, path))
        source = Topics(broker.connection, ["git.changes"], bounded=True).build_part("in", "git.changes:0", None)
        arrived: list[Message] = []
        try:
            while len(arrived) < 6:
                arrived += source.next_batch()
        finally:
            source.close()
    assert [message.key for message in arrived] == [b"quay.md"] * 5 + [None]
    assert [orjson.loads(message.value or b"")["order"] for message in arrived[:3]] == [0, 1, 2]
    assert [message.value for message in arrived[3:]] == [None, b"", b"poison"]
