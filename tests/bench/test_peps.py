"""The proposals of the peps bench: pages through renames, what their headers say, and who bears a number after each commit."""

import pytest

from bench.support.endoflife import STREAMS
from bench.support.peps import Bearers, Edit, edits, forerunners, gold, is_contradictory, statuses, successors, told
from schemas.instant import Instant
from schemas.record import Belief
from schemas.vocabulary import shipped

VOCABULARY = shipped()


def edit(order: int, header: str | None, document: str = "a", path: str = "pep-0007.txt", commit: str = "", op: str = "M") -> Edit:
    return Edit(order, document, path, op, commit or f"c{order}", Instant(order), Instant(order), header, same=False)


def test_a_header_says_what_its_lines_say_up_to_the_first_empty_one() -> None:
    page = edit(1, "\nPEP: 7\nStatus: Draft\nReplaces: 4,\n  18\nstray\nSuperseded-By: PEP 31\n\nStatus: Final")
    assert [value.normal for value in statuses(page, VOCABULARY)] == ["draft"]
    assert (forerunners(page), successors(page)) == ({4, 18}, {31})


def test_two_statuses_and_a_successor_beside_an_accepted_page_contradict_each_other() -> None:
    assert is_contradictory(edit(1, "Status: Draft\nStatus: Final"), VOCABULARY)
    assert is_contradictory(edit(1, "Status: Accepted\nSuperseded-By: 31"), VOCABULARY)
    assert not is_contradictory(edit(1, "Status: Final\nSuperseded-By: 31"), VOCABULARY)


def test_what_a_page_says_holds_until_its_next_version_and_a_deleted_page_says_nothing() -> None:
    history = [edit(1, "Status: Draft"), edit(2, "Status: Accepted\nReplaced-By: 9"), edit(3, None, op="D"), edit(5, "Status: Final")]
    found = [(one.value.normal, one.belief, one.start) for one in told(history, VOCABULARY)["a"]]
    assert found == [("draft", Belief.BELIEVED, 1), ("accepted", Belief.DISPUTED, 2), ("final", Belief.BELIEVED, 5)]


def test_a_number_is_borne_by_the_page_at_its_path_and_by_none_once_that_is_renumbered_or_gone() -> None:
    first, renumbered = edit(1, "x", commit="one"), edit(2, "x", path="peps/pep-0008.rst", commit="two")
    again, gone = edit(3, "y", document="b", commit="three"), edit(4, None, document="b", commit="four", op="D")
    assert Bearers.of([first, renumbered, again, gone]).after == {
        (7, "one"): first, (7, "two"): None, (8, "two"): renumbered, (7, "three"): again, (7, "four"): None,
    }  # fmt: skip


def test_two_pages_that_swap_numbers_in_one_commit_bear_each_others() -> None:
    before = [edit(1, "x", commit="one"), edit(2, "y", document="b", path="pep-0008.txt", commit="one")]
    after = [edit(3, "x", path="pep-0008.txt", commit="two"), edit(4, "y", document="b", path="pep-0007.txt", commit="two")]
    found = Bearers.of([*before, *after]).after
    assert (found[7, "two"], found[8, "two"]) == (after[1], after[0])


@pytest.mark.skipif(not STREAMS.is_dir(), reason="the shared change histories are not beside this checkout")
def test_the_history_is_whole_and_time_never_falls_within_a_page() -> None:
    some, times = edits(), dict[str, int]()
    assert (len(some), len({one.document for one in some}), len(gold())) == (7320, 751, 2241)
    for one in some:
        assert one.since >= times.get(one.document, 0)
        assert one.since >= one.at
        times[one.document] = one.since
    assert some[0].message()[0] == b"pep-0000.txt"
