"""Channels, fusion and selection: who finds what, and what makes it into the answer."""

import pytest

from connectors.index import Match
from derive.records import entity_record
from retrieval.channels import by_words, named_entities, names_of
from retrieval.fusion import Candidate, min_max, reciprocal_rank
from retrieval.selection import balance, balanced
from schemas.ids import EntityId
from schemas.record import Belief, Kind, Record
from tests.retrieval.asked import EVERYBODY, TENANT, asked, fact, names


def entity(name: str, *aliases: str) -> Record:
    return entity_record(TENANT, EVERYBODY, EntityId(f"e-{name[:3]}"), name, aliases, ())


SYSTEM = entity("Harbour Control System", "HCS", "the control room")
TOWN = [
    SYSTEM,
    entity("Pilot boat"),
    fact("runs", "Harbour Control System runs on two machines.", entities=(EntityId("e-Har"),)),
    fact("boats", "Of all that is said of machines, boats need most.", entities=(EntityId("e-Pil"),)),
    *[fact(f"noise-{number}", f"What runs {number} of the machines that are run by the hall?") for number in range(100)],
]


def test_what_a_question_names_is_found_by_any_of_its_names() -> None:
    for name in ("Harbour Control System", "HCS", "hcs", "the Control Room"):
        hits = asked(TOWN, f"What does {name} run on?", 1)
        assert "exact" in next(hit for hit in hits if hit.record.id == "runs").channels
    assert names(asked(TOWN, "What does HCS run on?", 1))[0] == "runs"
    assert names(asked(TOWN, "HCS", 1, by_words=True)) == ["runs"]


def test_a_name_counts_only_as_a_whole() -> None:
    assert named_entities([SYSTEM], "Does the harbour control system work?") == [SYSTEM]
    for question in ("harbour control", "harbour of the control system", "the room", "HCSX", "?"):
        assert named_entities([SYSTEM], question) == []


def test_the_longest_names_win_where_many_stand_in_a_question() -> None:
    towns = [entity(f"{letter * 3} town") for letter in "abcdefg"]
    question = " ".join(town.subject for town in towns) + " Harbour Control System"
    found = named_entities([*towns, SYSTEM], question)
    assert found[0] == SYSTEM
    assert len(found) == 5


def test_all_names_of_an_entity_are_read_from_its_record() -> None:
    assert list(names_of(SYSTEM)) == ["Harbour Control System", "HCS", "the control room"]
    assert list(names_of(entity("Plain name"))) == ["Plain name"]
    assert list(names_of(entity("AB", "港务", "X"))) == ["港务"]


def test_candidates_are_ranked_by_their_words() -> None:
    records = [fact("a", "the quay and the quay wall"), fact("b", "the crane"), fact("c", "nothing of it")]
    ranked = by_words("the quay", [Match(record, 0.0) for record in records])
    assert [match.record.id for match in ranked] == ["a", "b"]
    assert by_words("zeppelin", [Match(record, 0.0) for record in records]) == []
    assert by_words("quay", []) == []


def ranking(*ids: str) -> list[Match]:
    return [Match(fact(name, name), 10.0 - place) for place, name in enumerate(ids)]


def test_reciprocal_ranks_add_up_over_the_channels() -> None:
    fused = reciprocal_rank({"dense": ranking("a", "b", "c"), "lexical": ranking("b", "d")})
    assert [candidate.record.id for candidate in fused] == ["b", "a", "d", "c"]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert fused[0].channels == {"dense": 2, "lexical": 1}
    assert reciprocal_rank({}) == []


def test_scaled_scores_add_up_by_weight() -> None:
    fused = min_max({"dense": ranking("a", "b", "c"), "lexical": ranking("b", "d")})
    assert {candidate.record.id: candidate.score for candidate in fused} == pytest.approx({"b": 0.25 + 0.4, "a": 0.5, "c": 0.0, "d": 0.0})
    assert [candidate.record.id for candidate in fused] == ["b", "a", "c", "d"]
    assert min_max({"lexical": [Match(fact("x", "x"), 3.0)]}, {"lexical": 2.0})[0].score == 2.0


def test_equal_scores_are_ordered_by_id() -> None:
    assert [candidate.record.id for candidate in reciprocal_rank({"dense": ranking("b"), "lexical": ranking("a")})] == ["a", "b"]


def candidates(*kinds: Kind) -> list[Candidate]:
    return [Candidate(fact(f"r{at}", f"text {at}", kind=kind), 1.0 - at / 100, {}) for at, kind in enumerate(kinds)]


def chosen(found: list[Candidate], k: int = 10) -> list[Kind]:
    return [candidate.record.kind for candidate in balanced(found, balance(k), histories=False)]


def test_an_answer_of_ten_has_at_most_three_bridges() -> None:
    found = chosen(candidates(*[Kind.BRIDGE] * 9, *[Kind.UNIT] * 9))
    assert found == [Kind.BRIDGE] * 3 + [Kind.UNIT] * 7


def test_an_answer_of_ten_has_at_least_five_nuggets_if_there_are_any() -> None:
    assert chosen(candidates(*[Kind.UNIT] * 20, *[Kind.NUGGET] * 6)) == [Kind.UNIT] * 5 + [Kind.NUGGET] * 5
    assert chosen(candidates(*[Kind.UNIT] * 20, *[Kind.NUGGET] * 2)) == [Kind.UNIT] * 8 + [Kind.NUGGET] * 2
    assert chosen(candidates(*[Kind.NUGGET] * 20)) == [Kind.NUGGET] * 10


def test_an_answer_keeps_the_order_of_the_scores() -> None:
    found = candidates(Kind.UNIT, Kind.BRIDGE, Kind.NUGGET, Kind.UNIT, Kind.NUGGET)
    assert balanced(found, balance(10), histories=False) == found


@pytest.mark.parametrize(("k", "bridges", "nuggets"), [(10, 3, 5), (1, 1, 0), (2, 1, 1), (5, 2, 2), (20, 6, 10)])
def test_other_sizes_keep_the_proportions(k: int, bridges: int, nuggets: int) -> None:
    shape = balance(k)
    assert (shape.bridges, shape.nuggets) == (bridges, nuggets)
    assert len(balanced(candidates(*[Kind.NUGGET, Kind.BRIDGE, Kind.UNIT] * 20), shape, histories=False)) == k


def test_a_text_is_given_once_unless_it_is_disputed_or_its_history_is_asked_for() -> None:
    records = [
        fact("first", "The quay is long.", 0, 10),
        fact("again", "The quay  is long.", 20, 30),
        fact("disputed", "The quay is long.", 0, 10, belief=Belief.DISPUTED),
        fact("copy", "The quay is long.", 0, 10, kind=Kind.UNIT),
    ]
    found = [Candidate(record, 1.0, {}) for record in records]
    assert [one.record.id for one in balanced(found, balance(10), histories=False)] == ["first", "disputed"]
    assert [one.record.id for one in balanced(found, balance(10), histories=True)] == ["first", "again", "disputed"]
