"""One contract for every memo."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.memo import Memo, MemoryMemo, SqliteMemo
from schemas.errors import BadSettings


@pytest.fixture(params=["memory", "sqlite"])
def memo(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memo]:
    made: Memo = MemoryMemo() if request.param == "memory" else SqliteMemo(tmp_path / "deep" / "memo.db")
    yield made
    made.close()


def test_what_was_put_is_returned_and_what_was_not_is_absent(memo: Memo) -> None:
    memo.put("facts:1", {"a": b"1", "b": b""})
    assert memo.get("facts:1", ["a", "b", "c"]) == {"a": b"1", "b": b""}
    assert memo.get("facts:1", []) == {}


def test_spaces_do_not_meet_and_a_redaction_reaches_all_of_a_kind(memo: Memo) -> None:
    memo.put("facts:1", {"a": b"1", "b": b"1"})
    memo.put("facts:2", {"a": b"2"})
    memo.put("facts_of:1", {"a": b"3"})
    assert memo.get("facts:1", ["a"]) == {"a": b"1"}
    memo.forget("facts", ["a", "never there"])
    left = [memo.get(space, ["a", "b"]) for space in ("facts:1", "facts:2", "facts_of:1")]
    assert left == [{"b": b"1"}, {}, {"a": b"3"}]


def test_writing_twice_changes_nothing_and_a_new_value_counts(memo: Memo) -> None:
    memo.put("s", {"a": b"1"})
    memo.put("s", {"a": b"1"})
    memo.put("s", {})
    memo.put("s", {"a": b"2"})
    assert memo.get("s", ["a", "a"]) == {"a": b"2"}


def test_whoever_keeps_first_counts_for_everybody(memo: Memo) -> None:
    assert memo.keep("s", {"a": b"1", "b": b"2"}) == {"a": b"1", "b": b"2"}
    assert memo.keep("s", {"a": b"other", "c": b"3"}) == {"a": b"1", "c": b"3"}
    assert memo.keep("s", {}) == {}
    assert memo.get("s", ["a", "b", "c"]) == {"a": b"1", "b": b"2", "c": b"3"}


def test_more_keys_than_one_statement_takes_are_found(memo: Memo) -> None:
    memo.put("s", {str(number): b"%d" % number for number in range(3000)})
    assert len(memo.get("s", [str(number) for number in range(4000)])) == 3000


def test_several_threads_may_use_one_memo(memo: Memo) -> None:
    def work(name: int) -> None:
        for number in range(50):
            memo.put(f"space {number % 3}", {f"{name}/{number}": b"x"})
            assert memo.get(f"space {number % 3}", [f"{name}/{number}"])

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    keys = [f"{name}/{number}" for name in range(4) for number in range(50)]
    assert sum(len(memo.get(f"space {space}", keys)) for space in range(3)) == 200


def test_a_memo_in_a_file_outlives_the_process_and_may_be_shared(tmp_path: Path) -> None:
    first, second = SqliteMemo(tmp_path / "memo.db"), SqliteMemo(tmp_path / "memo.db")
    first.put("s", {"a": b"1"})
    assert second.get("s", ["a"]) == {"a": b"1"}
    first.close()
    second.close()
    again = SqliteMemo(tmp_path / "memo.db")
    assert again.get("s", ["a"]) == {"a": b"1"}
    again.close()


def test_what_was_forgotten_is_nowhere_in_the_files(tmp_path: Path) -> None:
    memo = SqliteMemo(tmp_path / "memo.db")
    memo.put("s", {"a": b"the secret of the harbour" * 400})
    memo.forget("s", ["a"])
    assert not any(b"secret of the harbour" in path.read_bytes() for path in tmp_path.iterdir())
    memo.close()


def test_a_damaged_memo_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "memo.db").write_bytes(b"no memo" * 1000)
    with pytest.raises(BadSettings, match=r"memo\.db cannot be used.*remove it"):
        SqliteMemo(tmp_path / "memo.db")
