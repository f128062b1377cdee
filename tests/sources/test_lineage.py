"""A document follows its file, whatever else happens in the same commit."""

from connectors.sources.lineage import Born, Edited, Gone, Lineage, Renamed, Step

BLOB = b"0" * 40


def test_files_that_move_up_one_after_the_other_in_one_commit_keep_their_documents() -> None:
    lineage = Lineage()
    lineage.take([Born("a", BLOB), Born("b", BLOB), Born("c", BLOB)])
    taken = lineage.take([Renamed("a", "b", BLOB, edited=False), Renamed("b", "c", BLOB, edited=False), Renamed("c", "d", BLOB, edited=True)])
    assert [(document, step.path) for document, step in taken] == [("a", "b"), ("b", "c"), ("c", "d")]
    assert lineage.live == {"b": "a", "c": "b", "d": "c"}


def test_a_file_may_be_born_where_another_leaves_in_the_same_commit() -> None:
    lineage = Lineage()
    lineage.take([Born("a", BLOB)])
    taken = lineage.take([Born("a", BLOB), Renamed("a", "b", BLOB, edited=False)])
    assert [document for document, _ in taken] == ["a~2", "a"]
    assert lineage.live == {"a": "a~2", "b": "a"}


def test_what_is_gone_is_no_longer_live() -> None:
    lineage = Lineage()
    lineage.take([Born("a", BLOB), Born("b", BLOB)])
    assert lineage.take([Gone("a"), Edited("b", BLOB)]) == [("a", Gone("a")), ("b", Edited("b", BLOB))]
    assert lineage.live == {"b": "b"}


def test_the_order_in_which_steps_are_given_does_not_matter() -> None:
    steps: list[Step] = [Born("a", BLOB), Renamed("a", "b", BLOB, edited=False), Gone("c"), Born("d", BLOB)]
    results = []
    for given in (steps, steps[::-1]):
        lineage = Lineage()
        lineage.take([Born("a", BLOB), Born("c", BLOB)])
        results.append((lineage.take(given), lineage.live))
    assert results[0] == results[1]
