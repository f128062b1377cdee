"""What was redacted is gone: from live records, from closed versions, from tombstones, from transitions and from what the memo is told to forget."""

from dataclasses import replace
from pathlib import Path

from schemas.change import Position, Put, Redact, Stamp, Text
from schemas.fact import Fact, FactKind
from schemas.ids import ContentHash, DocumentId, digest
from schemas.instant import DAY, Instant
from schemas.rules import SourceRules
from schemas.version import Reading, Unit, Version
from state.sqlite import SqliteStore
from tests.state.stores import live, opened
from tests.streams import BEGIN, CLOCK, TENANT, VOCABULARY, WIKI

SECRET = "The safe opens with 0000 1111."


def at(order: int, document: str = "ticket") -> Stamp:
    when = Instant(BEGIN + order * DAY)
    return Stamp(TENANT, WIKI, DocumentId(document), (order,), when, when, Position(document, 0, order))


def said(order: int, *texts: str, document: str = "ticket") -> Version:
    units = tuple(Unit(text, (), 0, len(text)) for text in texts)
    reading = Reading(ContentHash(digest(*texts)), units, keys=tuple(f"key of {text}" for text in texts))
    return Version(Put(at(order, document), Text("\n\n".join(texts))), reading)


def everywhere(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def emptied(store: SqliteStore) -> None:
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store._db.execute("VACUUM")
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_redacted_version_leaves_no_trace_in_the_store_and_names_what_the_memo_must_forget(tmp_path: Path) -> None:
    path = tmp_path / "tenant.db"
    with opened(path) as store:
        store.apply([said(1, "The office opens at eight.", SECRET), said(2, "The office opens at nine.", SECRET)], CLOCK)
        store.apply([said(3, "The office opens at nine.")], CLOCK)
        emptied(store)
        assert SECRET.encode() in everywhere(path)
        redacts = [Redact(replace(at(order), position=Position("redactions", 0, order))) for order in (1, 2)]
        forgotten = [store.apply([Version(redact)], CLOCK).forget for redact in redacts]
        emptied(store)
        assert SECRET.encode() not in everywhere(path)
        assert f"key of {SECRET}" in {key for one in forgotten for key in one.keys}
        assert SECRET in {text for one in forgotten for text in one.texts}
        assert [one.text for one in live(store).values() if one.kind == "unit"] == ["The office opens at nine."]


def test_the_names_that_a_redacted_body_brought_are_gone_and_those_that_others_use_stay(tmp_path: Path) -> None:
    def plan(order: int, who: str, document: str = "ticket") -> Version:
        text = f"Run by {who}."
        fact = Fact(text, FactKind.RELATION, "Tarn Works", "headed by", who, 0, len(text), 0.99, mentions=("Tarn Works", who))
        reading = Reading(ContentHash(digest(text)), (Unit(text, (), 0, len(text), facts=(fact,)),), title=f"{who} Plan")
        return Version(Put(at(order, document), Text(text)), reading)

    def redact(order: int, offset: int) -> Version:
        return Version(Redact(replace(at(order), position=Position("r", 0, offset))))

    path = tmp_path / "tenant.db"
    with opened(path) as store:
        store.apply([plan(1, "Zeno Quill"), plan(2, "Milo Reyes"), plan(1, "Milo Reyes", "public")], CLOCK)
        store.apply([redact(1, 1), redact(3, 3)], CLOCK)
        store.apply([plan(3, "Zeno Quill")], CLOCK)
        again = Put(replace(at(3), event_time=BEGIN, position=Position("again", 0, 3)), Text(""))
        store.apply([replace(plan(3, "Zeno Quill"), change=again), redact(4, 4)], CLOCK)
        emptied(store)
        assert b"zeno" not in everywhere(path).lower()
        assert b"tarn work" in everywhere(path)
        assert any(one.text == "Run by Milo Reyes." for one in live(store).values())


def test_a_redaction_that_comes_before_its_version_keeps_it_out(tmp_path: Path) -> None:
    with opened(tmp_path / "tenant.db") as store:
        store.apply([Version(Redact(at(1)))], CLOCK)
        store.apply([replace(said(1, SECRET), change=Put(replace(at(1), position=Position("late", 0, 1)), Text(SECRET)))], CLOCK)
        emptied(store)
        assert SECRET.encode() not in everywhere(tmp_path / "tenant.db")


def test_a_source_that_keeps_no_history_is_redacted_too(tmp_path: Path) -> None:
    rules = {WIKI: SourceRules(WIKI, history=False, readers=frozenset({"*"}))}
    path = tmp_path / "tenant.db"
    store = SqliteStore.open(path, TENANT, rules, VOCABULARY)
    store.apply([said(1, SECRET)], CLOCK)
    store.apply([said(2, "The office opens at nine.")], CLOCK)
    forget = store.apply([Version(Redact(replace(at(1), position=Position("r", 0, 1))))], CLOCK).forget
    emptied(store)
    assert (f"key of {SECRET}" in forget.keys, SECRET.encode() in everywhere(path)) == (True, False)
    assert [one.text for one in live(store).values() if one.kind == "unit"] == ["The office opens at nine."]
    store.close()


def test_a_body_that_comes_again_after_its_redaction_is_forgotten_again(tmp_path: Path) -> None:
    with opened(tmp_path / "tenant.db") as store:
        store.apply([said(1, SECRET), said(2, "The office opens at nine."), Version(Redact(replace(at(1), position=Position("r", 0, 1))))], CLOCK)
        again = replace(said(1, SECRET), change=Put(replace(at(1), position=Position("again", 0, 1)), Text(SECRET)))
        assert store.apply([again], CLOCK).forget.keys == (f"key of {SECRET}",)
        empty = replace(again, change=Put(replace(at(1), position=Position("again", 0, 2)), Text(SECRET)), reading=None)
        assert not store.apply([empty], CLOCK).forget
        first = store.apply([Version(Redact(replace(at(5), position=Position("r", 0, 2)))), said(5, "Gate code 77.")], CLOCK)
        assert first.forget.texts == ("Gate code 77.",)


def test_what_another_document_says_too_stays(tmp_path: Path) -> None:
    with opened(tmp_path / "tenant.db") as store:
        store.apply([said(1, SECRET), said(1, SECRET, document="public")], CLOCK)
        forgotten = store.apply([Version(Redact(replace(at(1), position=Position("later", 0, 1))))], CLOCK).forget
        assert (forgotten.keys, [one.text for one in live(store).values() if one.kind == "unit"]) == ((), [SECRET])
