"""The store one guarantee at a time: what the properties reach by chance only."""

from dataclasses import replace
from pathlib import Path

import pytest

from derive.history import timeline
from schemas.change import Delete, Position, Put, Restore, Stamp, Text
from schemas.deadletter import DeadLetter
from schemas.errors import Inconsistent
from schemas.fact import SELF, Fact, FactKind
from schemas.ids import ContentHash, DocumentId, Tenant, digest
from schemas.instant import DAY, FOREVER, Instant
from schemas.receipt import Outcome, Receipt
from schemas.record import Kind, Record, Status
from schemas.rules import SourceRules
from schemas.transition import Transition
from schemas.version import Reading, Unit, Version
from state.names import Names
from state.sqlite import SqliteStore
from state.timeline import Timeline
from tests.state.stores import live, opened
from tests.streams import BEGIN, CLOCK, HOUR, NOTES, RULES, TENANT, VOCABULARY, WIKI

_OFFSETS = iter(range(10_000))


def stamp(order: int, document: str = "page", *, hours: int = 0, source: str = WIKI, recorded: int | None = None) -> Stamp:
    at = Instant(BEGIN + order * DAY + hours * HOUR)
    position = Position("changes", 0, next(_OFFSETS))
    return Stamp(TENANT, source, DocumentId(document), (order,), at, Instant(at if recorded is None else recorded), position)  # type: ignore[arg-type]


def says(at: Stamp, *values: str, predicate: str = "headed by", structural: bool = True, title: str | None = None) -> Version:
    """Return a version whose only unit says of the document itself that it has these values."""
    text = ", ".join(values)
    facts = tuple(
        Fact(value, FactKind.ATTRIBUTE, SELF, predicate, value, 0, max(1, len(text)), 0.9, structural=structural, mentions=(value,))
        for value in values
    )
    reading = Reading(ContentHash(digest(predicate, *values, int(structural))), (Unit(text, (), 0, len(text), 0, facts),) if values else ())
    return Version(Put(at, Text(text), title), reading)


def runs(store: SqliteStore, value: str, kind: Kind = Kind.NUGGET) -> list[tuple[int, int, str]]:
    """Return (first day, last day, reason) of every run of a value, -1 for an open end."""
    found = [one for one in live(store).values() if one.kind is kind and (one.object or one.text) == value]
    days = [(one, (one.valid_from - BEGIN) / DAY, -1 if one.valid_to == FOREVER else (one.valid_to - BEGIN) / DAY) for one in found]
    return sorted((int(first), int(last), one.reason) for one, first, last in days)


def outcomes(store: SqliteStore, *versions: Version) -> list[tuple[str, bool]]:
    return [(receipt.outcome.value, receipt.tie) for receipt in store.apply(list(versions), CLOCK).receipts]


def test_a_late_version_between_two_equal_ones_splits_what_they_say(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1), "Orla"), says(stamp(9), "Orla")], CLOCK)
        assert runs(store, "Orla") == [(1, -1, "current")]
        assert outcomes(store, says(stamp(5), "Milo")) == [("late", False)]
        assert (runs(store, "Orla"), runs(store, "Milo")) == ([(1, 5, "ended"), (9, -1, "current")], [(5, 9, "ended")])


def test_a_version_that_a_revert_took_out_is_back_when_the_revert_is_reverted(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        orla, milo = says(stamp(1), "Orla", structural=False), says(stamp(1), "Milo", structural=False)
        versions = [replace(one, change=Put(stamp(1 + n, hours=-24 * n + n), Text(""))) for n, one in enumerate([orla, milo, orla, milo])]
        store.apply(versions[:3], CLOCK)
        assert (runs(store, "Orla"), [reason for *_, reason in runs(store, "Milo")]) == ([(1, -1, "current")], ["corrected"])
        store.apply(versions[3:], CLOCK)
        assert [reason for *_, reason in runs(store, "Milo")] == ["current"]


def test_a_time_in_the_future_counts_from_the_earliest_intake_whichever_delivery_came_first(tmp_path: Path) -> None:
    found = []
    for number, intakes in enumerate([(20, 30), (30, 20)]):
        with opened(tmp_path / f"{number}.db") as store:
            deliveries = [says(stamp(40, recorded=BEGIN + day * DAY), "Orla") for day in intakes]
            assert outcomes(store, deliveries[0]) == [("applied", False)]
            assert outcomes(store, deliveries[1]) == [("duplicate", False)]
            found.append(runs(store, "Orla"))
    assert found == [[(20, -1, "current")]] * 2


def test_of_two_texts_with_one_order_the_greater_hash_wins_in_either_arrival(tmp_path: Path) -> None:
    found = []
    for number, values in enumerate([("Orla", "Milo"), ("Milo", "Orla")]):
        with opened(tmp_path / f"{number}.db") as store:
            told = [outcomes(store, says(stamp(1), value))[0] for value in values]
            assert (told[0], told[1][1]) == (("applied", False), True)
            found.append((runs(store, "Orla"), runs(store, "Milo")))
    assert found[0] == found[1]
    assert sorted(map(len, found[0])) == [0, 1]


def test_a_source_without_history_only_counts_what_is_late(tmp_path: Path) -> None:
    rules = {WIKI: SourceRules(WIKI, readers=frozenset({"*"}), history=False)}
    store = SqliteStore.open(tmp_path / "t.db", TENANT, rules, VOCABULARY)
    assert outcomes(store, says(stamp(5), "Orla"), says(stamp(3), "Milo"), says(stamp(6), "Ines")) == [
        ("applied", False),
        ("late", False),
        ("applied", False),
    ]
    assert (runs(store, "Milo"), runs(store, "Ines")) == ([], [(6, -1, "current")])
    store.close()


def test_a_source_without_settings_is_read_by_nobody(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1, source="unheard of"), "Orla")], CLOCK)
        assert {record.audience for record in live(store).values()} == {""}


def test_where_deletions_are_edits_a_restored_document_says_again_what_it_said(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1, source=NOTES), "Orla"), Version(Delete(stamp(3, source=NOTES))), Version(Restore(stamp(7, source=NOTES)))], CLOCK)
        assert runs(store, "Orla") == [(1, 3, "ended"), (7, -1, "current")]


def test_a_deletion_withdraws_and_a_restoration_is_as_if_it_had_never_been(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1), "Orla")], CLOCK)
        before = live(store)
        store.apply([Version(Delete(stamp(3)))], CLOCK)
        assert runs(store, "Orla") == [(1, -1, "withdrawn")]
        store.apply([Version(Restore(stamp(4)))], CLOCK)
        assert live(store) == before


def test_a_position_of_a_topic_that_was_made_anew_is_no_replay(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        first = says(stamp(1), "Orla")
        assert isinstance(first.change, Put)
        second = replace(first, change=replace(first.change, stamp=replace(stamp(2), position=first.change.stamp.position)))
        assert store.apply([first], CLOCK).receipts[0].outcome is Outcome.APPLIED
        assert store.apply([first], CLOCK).replayed[0].outcome is Outcome.APPLIED
        assert store.apply([second], CLOCK).receipts[0].outcome is Outcome.UNCHANGED
        assert store.receipt(first.change.stamp.position) is not None


def test_a_dead_letter_is_kept_with_its_bytes_and_leaves_with_its_receipt(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        letter = DeadLetter(TENANT, WIKI, "page", "decode", "id: 7 is not text", Position("changes", 1, 4), BEGIN, b"\xff", b"\x00{")
        assert outcomes_of(store, letter) == ["dead-letter"]
        assert outcomes_of(store, letter) == []
        emitted = [one for chunk in store.after(0) for one in chunk]
        assert emitted[0] == replace(letter, sequence=1)
        assert isinstance(emitted[1], Receipt)


def outcomes_of(store: SqliteStore, letter: DeadLetter) -> list[str]:
    return [receipt.outcome.value for receipt in store.apply([letter], CLOCK).receipts]


def test_the_clock_never_goes_back_and_ends_what_it_passes_with_a_transition_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1), "Orla"), says(stamp(9), "Milo")], Instant(BEGIN + 5 * DAY))
        assert (store.next_wake(), store.tick(Instant(BEGIN + 8 * DAY))) == (BEGIN + 9 * DAY, 0)
        sequence = store.sequence
        assert store.tick(Instant(BEGIN + 9 * DAY)) == 4
        causes = {cause.kind for chunk in store.after(sequence) for one in chunk if isinstance(one, Transition) for cause in one.causes}
        assert causes == {"clock"}
        assert (store.tick(Instant(BEGIN)), store.next_wake()) == (0, None)
        assert {one.status for one in live(store).values() if one.object == "Milo"} == {Status.ACTIVE}


def test_a_superseded_version_is_a_row_of_its_own_until_it_retires(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1), "Orla")], CLOCK)
        store.apply([says(stamp(3), "Milo")], CLOCK)
        old = [one for chunk in store.after(0) for one in chunk if isinstance(one, Record) and one.known_to < FOREVER and one.object == "Orla"]
        assert [(one.id.partition(".")[2], one.valid_to, one.recorded_at, one.known_to) for one in old] == [
            ("1", FOREVER, BEGIN + DAY, BEGIN + 3 * DAY)
        ]
        sequence = store.sequence
        assert (store.retire(Instant(BEGIN + 3 * DAY)), store.retire(Instant(BEGIN + 4 * DAY)) > 0) == (0, True)
        gone = [one for chunk in store.after(sequence) for one in chunk if isinstance(one, Record)]
        assert {one.deleted for one in gone} == {True}
        assert old[0].id in {one.id for one in gone}
    kept = SqliteStore.open(tmp_path / "none.db", TENANT, RULES, VOCABULARY, keep_closed=False)
    kept.apply([says(stamp(1), "Orla")], CLOCK)
    kept.apply([says(stamp(3), "Milo")], CLOCK)
    assert all(one.known_to == FOREVER for chunk in kept.after(0) for one in chunk if isinstance(one, Record))
    kept.close()


def test_what_is_pruned_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1), "Orla"), says(stamp(2), "Milo", predicate="depends on")], CLOCK)
        store.apply([says(stamp(2, "other"), "Ines")], CLOCK)
        before, sequence = live(store), store.sequence
        assert store.prune(sequence) > 0
        assert (live(store), store.sequence, store.prune(sequence)) == (before, sequence, 0)
        assert not [one for chunk in store.after(0) for one in chunk if isinstance(one, Receipt)]
    with opened(tmp_path / "t.db") as store:
        assert store.sequence == sequence
        assert list(store.after(sequence - 1)) == []


@pytest.mark.parametrize(
    ("found", "tenant", "at_least", "identity"),
    [
        ("belongs to tenant 'quay', not 'other'", "other", 0, None),
        ("is store", TENANT, 0, "another"),
        ("behind its snapshot at 99", TENANT, 99, None),
        ("has tables of format 0", TENANT, 0, None),
    ],
)
def test_a_store_that_does_not_carry_on_is_refused_with_what_to_do(
    tmp_path: Path, found: str, tenant: str, at_least: int, identity: str | None
) -> None:
    with opened(tmp_path / "t.db") as store:
        if "format" in found:
            store._db.execute("UPDATE meta SET value = 0 WHERE name = 'format'")
    with pytest.raises(Inconsistent, match=found):
        SqliteStore.open(tmp_path / "t.db", Tenant(tenant), RULES, VOCABULARY, at_least=at_least, identity=identity)


def test_what_is_remembered_is_bounded(tmp_path: Path) -> None:
    with opened(tmp_path / "t.db") as store:
        names, times = Names(store._db, remembered=2), Timeline(store._db, VOCABULARY, remembered=1)
        numbers = [names.number(1, name) for name in ("a", "b", "c", "a")]
        assert (len(set(numbers)), numbers[0]) == (3, numbers[3])
        one, other = (bytes.fromhex(times.keep(says(stamp(1), value).reading).hex()) for value in ("Orla", "Milo"))  # type: ignore[arg-type]
        at = b"\x80" + bytes(7)
        assert times.state(one, at) != times.state(other, at)
        assert times.state(one, at) == times.state(one, at)
        with pytest.raises(KeyError):
            times.reading(b"never kept")


def test_a_title_that_a_second_document_bears_too_joins_neither_and_parts_what_it_had_joined(tmp_path: Path) -> None:
    def entities(store: SqliteStore) -> dict[str, str]:
        return {one.object: one.entities[0] for one in live(store).values() if one.kind is Kind.NUGGET and one.object in ("Orla", "Milo")}

    pair = Version(Put(stamp(1, "glossary"), Text("pair")), Reading(ContentHash(digest("pair")), pairs=(("Alpha Quay", "Beta Quay"),)))
    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1, "a"), "Orla", title="Alpha Quay"), says(stamp(1, "b"), "Milo", title="Beta Quay")], CLOCK)
        apart = entities(store)
        store.apply([pair], CLOCK)
        assert len(set(entities(store).values())) == 1
        store.apply([says(stamp(2, "c"), "Ines", title="Beta Quay")], CLOCK)
        assert entities(store) == apart


def test_a_hub_has_no_bridges_and_gets_them_again_when_it_is_none(tmp_path: Path) -> None:
    def joined(store: SqliteStore) -> int:
        return sum(one.kind is Kind.BRIDGE for one in live(store).values())

    with opened(tmp_path / "t.db") as store:
        store.apply([says(stamp(1, f"page {number}"), "Orla Finch") for number in range(2)], CLOCK)
        assert joined(store) > 0
        store.apply([says(stamp(1, f"page {number}"), "Orla Finch") for number in range(2, 12)], CLOCK)
        assert joined(store) == 0
        store.apply([Version(Delete(stamp(2, f"page {number}"))) for number in range(3, 12)], CLOCK)
        assert joined(store) > 0


def test_an_acronym_means_its_expansion_only_while_there_is_one(tmp_path: Path) -> None:
    def meant(store: SqliteStore) -> set[str]:
        return {one.entities[1] for one in live(store).values() if one.kind is Kind.NUGGET and one.object in ("HCS", "Harbour Control System")}

    names = ("HCS", "Harbour Control System", "Harbour Cargo Service")
    said = [says(stamp(1, f"page {number}"), value, predicate="depends on") for number, value in enumerate(names)]
    with opened(tmp_path / "t.db") as store:
        store.apply(said[:2], CLOCK)
        assert len(meant(store)) == 1
        store.apply(said[2:], CLOCK)
        assert len(meant(store)) == 2
        store.apply([Version(Delete(stamp(2, "page 2")))], CLOCK)
        assert len(meant(store)) == 1


def test_a_document_without_any_version_has_no_history() -> None:
    assert timeline([], DAY) == []
