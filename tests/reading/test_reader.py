"""The reader: what is extracted and what is not, and what becomes of bodies that cannot be read."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.extractor import PatternExtractor
from connectors.memo import Memo, MemoryMemo, SqliteMemo
from connectors.reader import Reader
from schemas.change import Acl, Body, Change, Delete, Move, Position, Put, Redacted, Stamp, Text, Unchanged
from schemas.deadletter import DeadLetter
from schemas.errors import BadReading, Unreachable
from schemas.fact import SELF, Fact
from schemas.ids import DocumentId, Fingerprint, Source, Tenant
from schemas.instant import Instant
from schemas.version import Reading, Version
from schemas.vocabulary import shipped

VOCABULARY = shipped()


class Counting:
    """The plain extractor, with a record of what it was asked; it fails on marked blocks, and is away for a while if told so."""

    def __init__(self, away: int = 0, poison: str = "", failures: int = 10**9) -> None:
        self._inner = PatternExtractor(VOCABULARY)
        self.fingerprint: Fingerprint = self._inner.fingerprint
        self.asked: list[list[str]] = []
        self.away = away
        self.poison = poison
        self.failures = failures

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        if self.away:
            self.away -= 1
            message = "extractor: connection refused"
            raise Unreachable(message)
        self.asked.append(list(blocks))
        if self.poison and self.failures and any(self.poison in block for block in blocks):
            self.failures -= 1
            message = f"the extractor cannot read {self.poison!r}"
            raise BadReading(message)
        return self._inner.extract(blocks)


def test_the_fingerprint_of_a_reader_covers_the_readers_of_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = Counting()
    before = reader(extractor).fingerprint
    assert before == reader(Counting()).fingerprint
    monkeypatch.setattr("connectors.reader.VERSION", "another")
    assert reader(extractor).fingerprint != before


def stamp(document: str = "guide", order: int = 1) -> Stamp:
    at = Instant(1_700_000_000_000 + order)
    return Stamp(Tenant("t"), Source("wiki"), DocumentId(document), (order,), at, at, Position("wiki", 0, order))


def put(body: str | Body, document: str = "guide", order: int = 1, title: str | None = None) -> Put:
    return Put(stamp(document, order), Text(body) if isinstance(body, str) else body, title)


def reader(extractor: Counting, memo: Memo | None = None, limit: int = 1_000_000) -> Reader:
    return Reader(extractor, memo or MemoryMemo(), VOCABULARY, limit=limit, sleep=lambda _: None)


def version(result: Version | DeadLetter) -> Version:
    assert isinstance(result, Version)
    return result


def reading(result: Version | DeadLetter) -> Reading:
    found = version(result).reading
    assert found is not None
    return found


def paragraphs(lengths: Sequence[int]) -> list[str]:
    """Return paragraphs of about these lengths, each of its own content."""
    return [(f"The quay {number} carries {number} cars. " * 12)[: max(length, 35)].rsplit(".", 1)[0] + "." for number, length in enumerate(lengths)]


lengths = st.lists(st.integers(40, 400), min_size=10, max_size=10)


@given(lengths, st.integers(0, 9))
@settings(deadline=None)
def test_an_edit_of_one_paragraph_of_ten_or_an_insertion_on_top_costs_one_call(sizes: list[int], place: int) -> None:
    extractor, memo = Counting(), MemoryMemo()
    page = paragraphs(sizes)
    [first] = reader(extractor, memo).read([put("\n\n".join(page))])
    assert (version(first).calls, version(first).hits) == (10, 0)
    edited = [*page[:place], "The pier carries 17 lamps.", *page[place + 1 :]]
    [second] = reader(extractor, memo).read([put("\n\n".join(edited), order=2)])
    assert (version(second).calls, version(second).hits) == (1, 9)
    [third] = reader(extractor, memo).read([put("\n\n".join(["A new lamp carries 3 bulbs.", *edited]), order=3)])
    assert (version(third).calls, version(third).hits) == (1, 10)


def test_rename_copy_revert_and_replay_cost_nothing(tmp_path: Path) -> None:
    extractor = Counting()
    memo = SqliteMemo(tmp_path / "memo.db")
    page, other = "\n\n".join(paragraphs([50] * 5)), "\n\n".join(paragraphs([60] * 5))
    reader(extractor, memo).read([put(page), put(other, order=2)])
    memo.close()
    asked = len(extractor.asked)
    again: list[Change] = [
        put(page, title="Another Title", order=3),
        put(page, document="copy", order=4),
        put("# Heading\n\n" + page, order=5),
        put(other, order=6),
        put(page),
    ]
    memo = SqliteMemo(tmp_path / "memo.db")
    results = reader(extractor, memo).read(again)
    memo.close()
    assert [version(result).calls for result in results] == [0, 0, 0, 0, 0]
    assert len(extractor.asked) == asked


def test_all_that_a_batch_needs_is_asked_at_once_and_equal_blocks_once() -> None:
    extractor = Counting()
    one, other = "The ferry carries 90 cars.", "The pier carries 3 lamps."
    results = reader(extractor).read([put(one), put(f"{one}\n\n{other}\n\n{one}", "b"), put(one, "c")])
    assert extractor.asked == [[one, other]]
    assert [(version(result).calls, version(result).hits) for result in results] == [(1, 0), (1, 2), (0, 1)]


def test_structure_needs_no_extractor() -> None:
    extractor = Counting()
    [result] = reader(extractor).read(
        [put("---\nowner: A Firm\n---\n\n- Status: open\n\n| Quay | Length |\n|---|---|\n| Q1 | 4 m |\n\n```\ncode\n```")]
    )
    assert (version(result).calls, version(result).hits, extractor.asked) == (0, 0, [])
    assert [fact.predicate for unit in reading(result).units for fact in unit.facts] == ["owner", "status", "length"]


def test_only_a_put_with_a_text_is_read() -> None:
    changes: list[Change] = [put(Unchanged()), put(Redacted()), Move(stamp()), Acl(stamp(), frozenset()), Delete(stamp())]
    results = reader(Counting()).read(changes)
    assert [version(result) for result in results] == [Version(change) for change in changes]


def test_what_the_memo_knows_is_known_before_the_versions_are_out() -> None:
    memo = MemoryMemo()
    reader(Counting(), memo).read([put("The ferry carries 90 cars.")])
    broken = Counting(poison="ferry")
    assert version(reader(broken, memo).read([put("The ferry carries 90 cars.")])[0]).hits == 1


def test_a_body_that_the_extractor_refuses_is_a_dead_letter_of_its_own_change_alone() -> None:
    extractor = Counting(poison="poison")
    good, bad, late = reader(extractor).read(
        [put("The ferry carries 90 cars."), put("This is poison.", "bad"), put("The pier carries 3 lamps.", "c")]
    )
    assert len(reading(good).units) == len(reading(late).units) == 1
    assert isinstance(bad, DeadLetter)
    assert (bad.document, bad.step, bad.attempts) == ("bad", "read", 3)
    assert bad.reason == "body: the extractor cannot read 'poison'"
    assert sum("This is poison." in blocks for blocks in extractor.asked) == 3


def test_c07_after_three_failed_attempts_a_replay_reads_the_version() -> None:
    extractor = Counting(poison="ferry", failures=3)
    memo = MemoryMemo()
    assert isinstance(reader(extractor, memo).read([put("The ferry carries 90 cars.")])[0], DeadLetter)
    assert version(reader(extractor, memo).read([put("The ferry carries 90 cars.")])[0]).calls == 1


def test_a_failure_that_passes_is_no_dead_letter() -> None:
    extractor = Counting(poison="ferry", failures=2)
    assert version(reader(extractor).read([put("The ferry carries 90 cars.")])[0]).calls == 1


def test_an_extractor_that_is_away_is_waited_for_longer_each_time() -> None:
    waits: list[float] = []
    patient = Reader(Counting(away=8), MemoryMemo(), VOCABULARY, sleep=waits.append)
    assert version(patient.read([put("The ferry carries 90 cars.")])[0]).calls == 1
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]


def test_broken_front_matter_and_a_body_above_the_limit_are_dead_letters_that_name_the_body() -> None:
    broken, large = reader(Counting(), limit=100).read([put("---\na: [\n---\n"), put("x" * 101, "large")])
    assert isinstance(broken, DeadLetter)
    assert broken.reason.startswith("body: front matter: ")
    assert isinstance(large, DeadLetter)
    assert large.reason == "body: 101 characters are above the limit of 100"
    assert version(reader(Counting(), limit=100).read([put("x" * 100)])[0]).calls == 1


def test_what_was_redacted_is_forgotten() -> None:
    extractor, memo = Counting(), MemoryMemo()
    page = put("The secret ferry carries 90 cars.\n\n- Owner: A Firm")
    keys = reading(reader(extractor, memo).read([page])[0]).keys
    reader(extractor, memo).forget(keys)
    assert version(reader(extractor, memo).read([page])[0]).calls == 1


@pytest.mark.parametrize("body", ["", "  \n\t", "\ufeff\r\n"])
def test_c06_an_empty_body_has_no_units_and_costs_nothing(body: str) -> None:
    extractor = Counting()
    [result] = reader(extractor).read([put(body)])
    assert (reading(result).units, extractor.asked) == ((), [])
    assert reading(result).content == reading(reader(extractor).read([put("")])[0]).content


def test_c54_pieces_without_content_are_skipped_and_counted_and_the_good_ones_are_read() -> None:
    good = paragraphs([60] * 29)
    body = "\n\n".join([*good[:10], ".", *good[10:20], "<table><tr><td></td></tr></table>", *good[20:], "```\n\n\n\n```"])
    [result] = reader(Counting()).read([put(body)])
    assert reading(result).skipped == 3
    assert version(result).calls == 29
    assert "".join(unit.text for unit in reading(result).units).count("quay") == sum(text.count("quay") for text in good)
    results = reader(Counting()).read([put("\n\n\n"), put(".", "b"), put("|   |   |\n|---|---|", "c"), put(good[0], "d")])
    assert [reading(each).skipped for each in results] == [1, 1, 1, 0]
    assert [len(reading(each).units) for each in results] == [0, 0, 0, 1]


def test_c55_forbidden_characters_in_a_body_are_cleaned() -> None:
    [result] = reader(Counting()).read([put("The \x00ferry carries 90 cars\ud800.")])
    assert [unit.text for unit in reading(result).units] == ["The ferry carries 90 cars\ufffd."]


def facts(body: str) -> list[tuple[str, str, str]]:
    [result] = reader(Counting()).read([put(body)])
    return [(fact.subject, fact.predicate, fact.object) for unit in reading(result).units for fact in unit.facts]


def test_it_on_top_of_a_page_is_the_page_and_elsewhere_what_the_paragraph_before_speaks_of() -> None:
    assert facts("# Ferry\n\nIt calls at nine quays.") == [(SELF, "calls at", "nine quays")]
    assert facts("The night ferry carries 90 cars.\n\nIt calls at nine quays.")[1] == ("night ferry", "calls at", "nine quays")
    assert facts("It carries 90 cars.\n\nIt calls at nine quays.")[1] == (SELF, "calls at", "nine quays")
    assert facts("A ferry is a ship. The pier has two lamps.\n\nIt calls at nine quays.")[2:] == []
    assert facts("The ferry has two lamps.\n\n## Other\n\nIt calls at nine quays.")[1:] == []


def test_the_text_of_a_bound_fact_names_what_it_speaks_of() -> None:
    [result] = reader(Counting()).read([put("The night ferry carries 90 cars.\n\nIt calls at nine quays.")])
    (unit,) = reading(result).units
    assert unit.facts[1].text == "Night ferry calls at nine quays."
    assert unit.facts[1].mentions == ("night ferry",)


def test_spans_of_facts_point_into_the_text_of_their_unit() -> None:
    body = "The ferry has two lamps.\n\nThe ferry depends on:\n\n- oil\n- Redis\n\nThe pier has three lamps.\n\n- **Owner:** Dana Reyes"
    [result] = reader(Counting()).read([put(body)])
    (unit,) = reading(result).units
    assert unit.text.count("The ferry depends on:") == 1
    spans = {fact.object: unit.text[fact.start : fact.end] for fact in unit.facts}
    assert spans["two lamps"] == "The ferry has two lamps."
    assert spans["three lamps"] == "The pier has three lamps."
    assert spans["Dana Reyes"] == "Owner: Dana Reyes"
