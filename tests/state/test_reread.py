"""What another reader reads takes the place of what was read before, as if it had read everything from the beginning (G1, G2)."""

from dataclasses import replace
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from schemas.change import Put, Redact, Review, Text, Verdict
from schemas.ids import ContentHash, Source, document_key
from schemas.instant import DAY, Instant
from schemas.record import Kind
from schemas.transition import Transition
from schemas.version import Reading, Reread, Unit, Version
from state.codec import pack_text, unpack_text
from state.reader import StoreReader
from state.sqlite import SqliteStore
from tests.oracle import expected
from tests.state.stores import agree, cut, fresh, live, opened
from tests.state.test_store import says, stamp
from tests.streams import CLOCK, RULES, TENANT, VOCABULARY, positioned, streams

sizes = st.lists(st.integers(1, 4), max_size=6)


def better(reading: Reading) -> Reading:
    """Return what another reader finds in the same body: another title, some facts not, others with another value or less sure."""
    odd = int(reading.content[:2], 16) % 2
    return replace(reading, title="Tide Memo" if odd else reading.title, units=tuple(_better(unit, odd) for unit in reading.units))


def _better(unit: Unit, odd: int) -> Unit:
    facts = [replace(fact, confidence=0.7) if fact.object == "2022-03" else fact for fact in unit.facts[odd:]]
    return replace(unit, facts=tuple(replace(fact, object="Orla Finch") if fact.object == "Milo Reyes" else fact for fact in facts))


def contents(versions: list[Version]) -> list[Reading]:
    return list({version.reading.content: version.reading for version in versions if version.reading}.values())


@given(streams(), sizes, sizes)
def test_after_all_was_read_again_the_records_are_those_of_a_store_that_the_new_reader_filled(
    versions: list[Version], batches: list[int], rounds: list[int]
) -> None:
    wanted = expected([replace(one, reading=better(one.reading)) if one.reading else one for one in versions], RULES, VOCABULARY, TENANT, CLOCK)
    with fresh() as path, opened(path) as store:
        for batch in cut(positioned(versions), batches):
            store.apply(batch, CLOCK)
        read = contents(versions)
        for some in _parts(read, rounds):
            store.reread([Reread(better(reading), "new") for reading in some], CLOCK)
        agree(live(store), wanted)
        again = store.reread([Reread(better(reading), "new") for reading in read], CLOCK)
        assert (again.written, again.transitions) == (0, 0)


def _titled_and_told_again() -> list[Version]:
    """Return a page that bore a title that a review names, told once more as of an earlier time; `better` gives it another title."""
    early, said_at = Instant(CLOCK - 50 * DAY), Instant(CLOCK - 40 * DAY)
    titled, other = Reading(ContentHash("2f" * 16), title="Tarn Works"), Reading(ContentHash("66" * 16))
    first, second = replace(stamp(1), event_time=said_at, recorded_at=CLOCK), replace(stamp(2), event_time=said_at, recorded_at=CLOCK)
    review = Review(TENANT, Source("wiki"), "Tarn Works", "run by", "Orla Finch", Verdict.PREFER, "dana", early, CLOCK, first.position)
    again = replace(first, event_time=early)
    return [Version(review), *(Version(Put(at, Text("")), read) for at, read in ((first, titled), (second, other), (again, titled)))]


@example(_titled_and_told_again(), [1, 1, 1], ["old", "old", "new"])
@given(streams(least=3), sizes, st.lists(st.sampled_from(["old", "new"]), min_size=1, max_size=6))
def test_readers_that_take_turns_while_changes_come_in_end_where_the_last_one_would_have_filled_the_store(
    versions: list[Version], batches: list[int], turns: list[str]
) -> None:
    """What is read again is from before a batch and comes behind it; half of it is lost on the way, as by a crash."""
    bodies = {reading.content: reading for reading in contents(versions)}

    def read(reading: Reading, name: str) -> Reading:
        return better(reading) if name == "new" else reading

    def arriving(version: Version, name: str) -> Version:
        return replace(version, reading=read(version.reading, name), reader=name) if version.reading else version

    with fresh() as path, opened(path) as store:
        reader = StoreReader(path)
        for number, batch in enumerate(cut(positioned(versions), batches)):
            name = turns[number % len(turns)]
            stale = [content for some in reader.stale(name) for content in some]
            store.apply([arriving(version, name) for version in batch], CLOCK)
            store.reread([Reread(read(bodies[content], name), name) for content in stale[::2]], CLOCK)
        left = [content for some in reader.stale("new") for content in some]
        store.reread([Reread(better(bodies[content]), "new") for content in left], CLOCK)
        assert reader.stale("new") == []
        reader.close()
        agree(live(store), expected([arriving(version, "new") for version in versions], RULES, VOCABULARY, TENANT, CLOCK))


def _parts(readings: list[Reading], sizes: list[int]) -> list[list[Reading]]:
    parts, rest = [], readings
    for size in sizes:
        parts.append(rest[:size])
        rest = rest[size:]
    return [*parts, rest]


def text_of(version: Version) -> str:
    assert isinstance(version.change, Put)
    assert isinstance(version.change.body, Text)
    return version.change.body.text


def filled(path: Path) -> tuple[SqliteStore, list[Version]]:
    """Return a store in which an old reader read: a page of two versions, a copy of its second one, and a page that is gone."""
    store = SqliteStore.open(path, TENANT, RULES, VOCABULARY)
    versions = [
        says(stamp(1), "Orla", structural=False),
        says(stamp(2), "Milo", structural=False),
        says(stamp(1, "copy"), "Milo", structural=False),
        says(stamp(1, "other"), "Ivo", structural=False),
    ]
    store.apply([replace(version, reader="old") for version in versions], CLOCK)
    return store, versions


def test_what_another_reader_read_is_told_by_document_each_content_once(tmp_path: Path) -> None:
    store, versions = filled(tmp_path / "s.db")
    reader = StoreReader(tmp_path / "s.db")
    assert reader.keeps_texts
    assert reader.stale("old") == []
    stale = reader.stale("new")
    assert sorted(map(len, stale)) in ([1, 1, 1], [1, 2])
    assert {content for some in stale for content in some} == {version.reading.content for version in versions if version.reading}
    kept = {text.content: text for text in reader.texts([content for some in stale for content in some])}
    assert {text.text for text in kept.values()} == {text_of(version) for version in versions}
    other = kept[versions[3].reading.content]  # type: ignore[union-attr]  # it was read
    assert (other.document, other.source, other.media_type) == (document_key("wiki", "other"), Source("wiki"), "text/markdown")
    for version in versions[:2]:
        store.reread([Reread(version.reading, "new")], CLOCK)  # type: ignore[arg-type]  # it was read
    assert [len(some) for some in reader.stale("new")] == [1]
    reader.close()
    store.close()


def test_a_change_of_the_reader_is_the_cause_of_what_it_changes_and_facts_that_stay_keep_their_ids(tmp_path: Path) -> None:
    store, versions = filled(tmp_path / "s.db")
    before, sent = live(store), store.sequence
    reading = versions[3].reading
    assert reading is not None
    applied = store.reread([Reread(replace(reading, units=tuple(replace(unit, facts=()) for unit in reading.units)), "new")], CLOCK)
    emitted = [one for chunk in store.after(sent) for one in chunk]
    moved = [one for one in emitted if isinstance(one, Transition) and one.kind is Kind.NUGGET]
    assert applied.receipts == ()
    assert applied.transitions >= len(moved) > 0
    assert {cause.kind for one in moved for cause in one.causes} == {"reader"}
    after = live(store)
    gone = [record.text for name, record in before.items() if name not in after and record.kind is Kind.NUGGET]
    assert gone == ["other: Ivo"]
    assert {name for name, record in before.items() if record.kind is Kind.NUGGET and record.text != "other: Ivo"} <= after.keys()
    store.close()


def test_a_body_that_was_redacted_while_it_was_read_again_is_forgotten(tmp_path: Path) -> None:
    store, versions = filled(tmp_path / "s.db")
    reading = versions[3].reading
    assert reading is not None
    store.apply([Version(Redact(stamp(1, "other")))], CLOCK)
    before = live(store)
    applied = store.reread([Reread(replace(reading, keys=("a key",)), "new")], CLOCK)
    assert applied.forget.keys == ("a key",)
    assert applied.forget.texts == ("Ivo",)
    assert live(store) == before
    store.close()


@given(st.text(st.characters()))
def test_any_text_is_kept_as_it_is(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


def test_a_redaction_reaches_what_every_reader_drew_from_the_body(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "s.db", TENANT, RULES, VOCABULARY)
    said = says(stamp(1, "other"), "Ivo", structural=False)
    assert said.reading is not None
    store.apply([replace(said, reading=replace(said.reading, keys=("old block", "shared")), reader="old")], CLOCK)
    store.reread([Reread(replace(said.reading, keys=("new block", "shared")), "new")], CLOCK)
    forget = store.apply([Version(Redact(stamp(1, "other")))], CLOCK).forget
    assert forget.keys == ("new block", "shared", "old block")
    store.close()
