"""The watermark never passes a change that is not searchable, and does not stay behind for ever."""

import random
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.watermark import NOTHING, Prefix, Watermarks, read
from schemas.change import Position
from schemas.errors import Inconsistent


def _at(offset: int, previous: int, index: int = 0, count: int = 1, topic: str = "t") -> Position:
    return Position(topic, 0, offset, index, count, previous)


def _marks(path: Path, parts: int = 1, topic_id: str = "one") -> Watermarks:
    marks = Watermarks(path, [f"s{number}" for number in range(parts)])
    marks.begin({"t": topic_id})
    return marks


@given(
    gaps=st.lists(st.integers(1, 4), min_size=1, max_size=12),
    counts=st.lists(st.integers(1, 3), min_size=12, max_size=12),
    seed=st.integers(0, 999),
)
def test_the_prefix_is_the_longest_run_of_whole_messages_in_any_order(gaps: list[int], counts: list[int], seed: int) -> None:
    offsets = list(accumulate(gaps))
    previous = [NOTHING, *offsets]
    positions = [_at(offset, previous[at], index, counts[at]) for at, offset in enumerate(offsets) for index in range(counts[at])]
    random.Random(seed).shuffle(positions)
    prefix, done = Prefix("id"), set()
    for position in positions:
        prefix.take(position)
        done.add((position.offset, position.index))
        whole = [all((offset, index) in done for index in range(counts[at])) for at, offset in enumerate(offsets)]
        expected = previous[whole.index(False)] if False in whole else offsets[-1]
        assert prefix.upto == expected
    assert not prefix.waiting


def test_a_position_that_comes_twice_changes_nothing(tmp_path: Path) -> None:
    marks = _marks(tmp_path / "w.db")
    assert marks.take("s0", [_at(3, -1)]) == {("t", 0): 3}
    assert marks.take("s0", [_at(3, -1), _at(3, -1)]) == {}
    marks.close()


def test_the_watermark_is_that_of_the_slowest_partition_of_the_index(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    marks = _marks(path, parts=2)
    marks.take("s0", [_at(0, -1), _at(1, 0)])
    assert read(path) == {("t", 0): NOTHING}
    marks.take("s1", [_at(0, -1)])
    assert read(path) == {("t", 0): 0}
    marks.close()


def test_a_restart_goes_on_from_what_was_published_and_from_what_waited(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    first = _marks(path)
    first.take("s0", [_at(0, -1), _at(2, 1)])
    kept = first.saved("s0")
    first.close()
    second = _marks(path)
    second.restore("s0", kept)
    assert second.take("s0", [_at(1, 0)]) == {("t", 0): 2}
    second.close()


def test_a_lost_file_is_made_good_by_the_snapshot(tmp_path: Path) -> None:
    first = _marks(tmp_path / "w.db")
    first.take("s0", [_at(0, -1), _at(1, 0)])
    kept = first.saved("s0")
    first.close()
    second = _marks(tmp_path / "other.db")
    second.restore("s0", kept)
    assert second.take("s0", [_at(2, 1)]) == {("t", 0): 2}
    second.close()


def test_an_older_snapshot_does_not_take_the_watermark_back(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    first = _marks(path)
    first.take("s0", [_at(0, -1)])
    kept = first.saved("s0")
    first.take("s0", [_at(1, 0), _at(2, 1)])
    first.close()
    second = _marks(path)
    second.restore("s0", kept)
    second.take("s0", [_at(1, 0)])
    assert read(path) == {("t", 0): 2}
    second.close()


def test_a_topic_that_was_re_created_starts_from_nothing_for_every_reader_and_forgets_what_waited(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    first = _marks(path)
    first.take("s0", [_at(0, -1), _at(7, 6)])
    kept = first.saved("s0")
    first.close()
    second = _marks(path, topic_id="two")
    second.restore("s0", kept)
    assert read(path) == {}
    assert second.take("s0", [_at(0, -1)]) == {("t", 0): 0}
    assert second.take("s0", [_at(6, 0)]) == {("t", 0): 6}
    second.close()


def test_an_index_with_other_partitions_starts_without_those_that_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    two = _marks(path, parts=2)
    two.take("s0", [_at(0, -1)])
    two.take("s1", [_at(0, -1)])
    two.close()
    one = _marks(path, parts=1)
    one.take("s0", [_at(1, 0)])
    assert read(path) == {("t", 0): 1}
    one.close()


def test_nothing_is_searchable_before_the_first_run_and_another_format_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path / "none.db") == {}
    path = tmp_path / "w.db"
    marks = _marks(path)
    marks._database.execute("PRAGMA user_version = 99")  # the file of a later version
    marks.close()
    with pytest.raises(Inconsistent, match="format 99"):
        read(path)
