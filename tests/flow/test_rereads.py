"""Bodies that another extractor read: in which portions they come, what a reader makes of them, and what becomes of those that fail."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from connectors.extractor import PatternExtractor
from connectors.memo import MemoryMemo
from connectors.metrics import Metrics
from connectors.reader import AT_ONCE as BLOCKS
from connectors.reader import Reader
from derive.dates.time import iso_moment
from flows.applying import Applying, ApplyLogic
from flows.fault import none
from flows.reading import ReadLogic
from flows.rereads import AT_ONCE, Rereads
from flows.stores import Stores
from flows.traffic import Arrival
from schemas.errors import BadReading, Inconsistent
from schemas.fact import Dates, Fact
from schemas.ids import Fingerprint, Tenant
from schemas.instant import Instant
from schemas.pack import unpack_reading
from schemas.rules import DateOrder, Writing
from schemas.version import KeptText, Reread
from schemas.vocabulary import shipped
from state.port import Forgotten
from state.sqlite import SqliteStore
from tests.reading.test_reader import put, version

TENANT = Tenant("t")
VOCABULARY = shipped()


class Marked:
    """Reads by patterns under a fingerprint of its own; fails on a word."""

    def __init__(self, name: str, failing: str = "") -> None:
        self._inner = PatternExtractor(VOCABULARY)
        self._failing = failing
        self.fingerprint = Fingerprint(name)
        self.asked: list[int] = []

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        self.asked.append(len(blocks))
        if self._failing and any(self._failing in block for block in blocks):
            message = "cannot"
            raise BadReading(message)
        return self._inner.extract(blocks)


def reader(name: str, failing: str = "") -> Reader:
    return Reader(Marked(name, failing), MemoryMemo(), VOCABULARY, sleep=lambda _: None)


OLD, NEW = (reader(name).fingerprint for name in ("old", "new"))


def body(number: int) -> str:
    return f"Pier {number} carries {number + 2} lamps."


def filled(path: Path, documents: int, versions: int = 1) -> SqliteStore:
    """Return a store whose documents the reader "old" read."""
    store = SqliteStore.open(path, TENANT, {}, VOCABULARY)
    changes = [put(body(one * 100 + order), f"page {one}", order + 1) for one in range(documents) for order in range(versions)]
    positioned = [
        replace(change, stamp=replace(change.stamp, position=replace(change.stamp.position, offset=at))) for at, change in enumerate(changes)
    ]
    store.apply([version(read) for read in reader("old").read(positioned)], Instant(1))
    return store


def batches(rereads: Rereads) -> list[list[Arrival]]:
    part, found = rereads.build_part("again", "all", None), []
    assert part.snapshot() is None  # type: ignore[func-returns-value]  # it keeps nothing
    while True:
        try:
            found.append(list(part.next_batch()))
        except StopIteration:
            return found


def test_what_another_extractor_read_comes_in_portions_a_document_whole(tmp_path: Path) -> None:
    store = filled(tmp_path / "t.db", 15, versions=3)
    metrics = Metrics()
    rereads = Rereads([(TENANT, tmp_path / "t.db"), (Tenant("none"), tmp_path / "none.db")], lambda: NEW, metrics, Event())
    assert rereads.list_parts() == ["all"]
    found = batches(rereads)
    assert [len(some) for some in found] == [21, 21, 3]
    assert all(len(some) >= AT_ONCE for some in found[:-1])
    texts = [arrival.item.text for some in found for arrival in some if isinstance(arrival.item, KeptText)]
    assert sorted(texts) == sorted(body(one * 100 + order) for one in range(15) for order in range(3))
    owners = [{arrival.item.document for arrival in some if isinstance(arrival.item, KeptText)} for some in found]
    assert sum(map(len, owners)) == 15
    assert metrics.registry.get_sample_value("millstream_reread_left") == 0
    assert batches(replace(rereads, reader=lambda: OLD)) == []
    store.close()


def test_a_store_without_texts_asks_nobody_who_reads(tmp_path: Path) -> None:
    filled(tmp_path / "t.db", 0).close()
    assert batches(Rereads([(TENANT, tmp_path / "t.db")], pytest.fail, Metrics(), Event())) == []


def test_a_stop_ends_it_at_once_and_changes_that_wait_go_first(tmp_path: Path) -> None:
    filled(tmp_path / "t.db", 1).close()
    stop = Event()
    rereads = Rereads([(TENANT, tmp_path / "t.db")], lambda: NEW, Metrics(), stop, timedelta(hours=1))
    due = rereads.build_part("again", "all", None).next_awake()
    assert due - datetime.now(UTC) > timedelta(minutes=50)
    stop.set()
    assert batches(rereads) == []


def kept(number: int, text: str = "") -> KeptText:
    (read,) = reader("old").read([put(text or body(number), f"page {number}")])
    reading = version(read).reading
    assert reading is not None
    return KeptText(reading.content, text or body(number), "text/markdown", version(read).change.stamp.key, "wiki")  # type: ignore[union-attr, arg-type]


def test_reading_again_answers_in_order_and_what_fails_harms_no_other(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    logic = ReadLogic(reader("new", failing="poison"), metrics)
    texts = [kept(1), kept(2, "The poison is in the cup."), kept(3)]
    with caplog.at_level(logging.WARNING):
        answers, _ = logic.on_batch([Arrival(TENANT, put(body(9))), *(Arrival(TENANT, text) for text in texts)])
    items = [arrival.item for arrival in answers]
    assert version(items[0]).reader == NEW  # type: ignore[arg-type]  # it was read
    assert [item.reading.content for item in items[1:] if isinstance(item, Reread)] == [texts[0].content, texts[2].content]
    assert {item.reader for item in items if isinstance(item, Reread)} == {NEW}
    assert "stays: cannot" in caplog.text
    assert metrics.registry.get_sample_value("millstream_reread_total", {"outcome": "read"}) == 2
    assert metrics.registry.get_sample_value("millstream_reread_total", {"outcome": "failed"}) == 1


def test_a_body_that_no_parser_reads_any_more_stays_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    assert reader("new").reread([]) == []
    unreadable = replace(kept(1), text="---\na: [\n---\n\nA pier.")
    assert reader("new").reread([unreadable, kept(2)])[0] is None
    assert "cannot be read again" in caplog.text


def test_a_long_body_is_asked_for_in_portions_and_what_was_answered_is_kept() -> None:
    extractor, memo = Marked("one"), MemoryMemo()
    page = "\n\n".join(body(number) for number in range(2 * BLOCKS + 5))
    reading = Reader(extractor, memo, VOCABULARY, sleep=lambda _: None)
    assert version(reading.read([put(page)])[0]).calls == 2 * BLOCKS + 5
    assert extractor.asked == [BLOCKS, BLOCKS, 5]
    failing = Marked("two", failing=body(2 * BLOCKS + 1))
    assert not hasattr(Reader(failing, memo, VOCABULARY, sleep=lambda _: None).read([put(page)])[0], "reading")
    assert failing.asked == [BLOCKS, BLOCKS, 5, 5, 5]  # each of three attempts asks for what is missing


def test_two_readers_that_ask_for_one_block_at_once_keep_the_first_answer() -> None:
    memo = MemoryMemo()
    slow = Reader(Marked("same"), memo, VOCABULARY)
    memo_get = memo.get
    memo.get = lambda space, keys: {}  # type: ignore[method-assign]  # both look before either has answered
    [first] = slow.read([put(body(1))])
    other = Reader(Marked("same", failing=""), memo, VOCABULARY)
    other._extractor.extract = lambda blocks: [() for _ in blocks]  # type: ignore[method-assign]
    [second] = other.read([put(body(1), order=2)])
    memo.get = memo_get  # type: ignore[method-assign]
    assert version(first).reading == version(second).reading


class Failing:
    """A store that does not take one content."""

    tenant = TENANT

    def __init__(self, store: SqliteStore, content: str, err: Exception) -> None:
        self._store = store
        self._content = content
        self._err = err

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def reread(self, rereads: Sequence[Reread], now: Instant) -> object:
        if any(one.reading.content == self._content for one in rereads):
            raise self._err
        return self._store.reread(rereads, now)


def test_a_reading_that_the_core_fails_on_harms_no_other_and_a_broken_store_ends_the_flow(tmp_path: Path) -> None:
    store = filled(tmp_path / "t.db", 3)
    forgotten: list[Forgotten] = []
    stale = Rereads([(TENANT, tmp_path / "t.db")], lambda: NEW, Metrics(), Event())
    texts = [arrival.item for some in batches(stale) for arrival in some]
    rereads = [one for one in reader("new").reread([text for text in texts if isinstance(text, KeptText)]) if one is not None]
    arrivals = [Arrival(TENANT, one) for one in rereads]
    bad = rereads[1].reading.content

    def logic(err: Exception) -> ApplyLogic:
        failing = Failing(store, bad, err)
        stores = Stores(lambda *_: failing)  # type: ignore[arg-type]  # a store but for one method
        return ApplyLogic(Applying(stores, Metrics(), lambda: Instant(2), none, Event(), forgotten.append), None)

    logic(BadReading("this one")).on_batch(arrivals)
    [left] = batches(stale)
    assert [arrival.item.content for arrival in left if isinstance(arrival.item, KeptText)] == [bad]
    with pytest.raises(Inconsistent):
        logic(Inconsistent("broken")).on_batch(arrivals)
    gone = Reread(replace(rereads[0].reading, content=bad[::-1], keys=("k",)), NEW)  # type: ignore[arg-type]  # a content that there is not
    logic(BadReading("")).on_batch([Arrival(TENANT, gone)])
    assert [one.keys for one in forgotten] == [("k",)]
    store.close()


def test_what_a_source_that_writes_otherwise_by_now_said_before_is_read_again_once(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "t.db", TENANT, {}, VOCABULARY)
    dated = put("The sea lock is 6 m wide since 03/05/2024.", "lock")
    store.apply([version(read) for read in reader("old").read([dated])], Instant(1))
    memo = MemoryMemo()
    european = Reader(Marked("new"), memo, VOCABULARY, {dated.stamp.source: Writing(DateOrder.DMY)}, sleep=lambda _: None)
    stale = Rereads([(TENANT, tmp_path / "t.db")], lambda: NEW, Metrics(), Event())
    texts = [arrival.item for some in batches(stale) for arrival in some if isinstance(arrival.item, KeptText)]
    assert not store.reread([one for one in european.reread(texts) if one is not None], Instant(2)).forget
    assert batches(stale) == []
    reading = unpack_reading(store._db.execute("SELECT body FROM contents").fetchone()[0])
    assert [fact.dates for unit in reading.units for fact in unit.facts] == [Dates(iso_moment("2024-05-03"))]
    store.close()
