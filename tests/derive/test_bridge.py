"""Which bridges an entity carries (DESIGN.md 5.7): joins of two documents' nuggets through it, chosen the same way every time."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.bridge import BRIDGES, DOCUMENTS, FACTS, bridges, eligible, speaker
from schemas.bridge import Bridge, Premise, Reasoning
from schemas.ids import Audience, EntityId
from schemas.instant import Instant
from schemas.record import Belief
from schemas.vocabulary import Predicate, Vocabulary
from tests.derive.premises import premise

VOCABULARY = Vocabulary(predicates={"head": Predicate("head", template="{subject} is headed by {object}")})
GULL, ALL = EntityId("Gull Point"), Audience("*")


def bridged(*premises: Premise, entity: EntityId = GULL, audience: Audience = ALL, tau: int = 10) -> list[Bridge]:
    return bridges(entity, audience, premises, VOCABULARY, tau)


OWNS = premise("1", "Tarn Works", "owns", "Gull Point", "a")
HEAD = premise("2", "Gull Point", "head", "Orla Finch", "b")
WIDTH = premise("3", "Gull Point", "width", "8 m", "c", literal=True)
NEEDS = premise("4", "Ferry Desk", "needs", "Gull Point", "d")


# The three ways to join.


def test_a_chain_leads_through_the_entity() -> None:
    (bridge,) = bridged(OWNS, HEAD)
    assert (bridge.reasoning, bridge.supports) == (Reasoning.CHAIN, ("1", "2"))
    assert bridge.text == "Tarn Works owns Gull Point, and Gull Point is headed by Orla Finch."
    assert (bridge.entity, bridge.audience, bridge.belief, bridge.verified) == (GULL, ALL, Belief.BELIEVED, True)


def test_a_literal_may_end_a_chain() -> None:
    assert [bridge.text for bridge in bridged(OWNS, WIDTH)] == ["Tarn Works owns Gull Point, and Gull Point width 8 m."]


def test_two_predicates_of_the_entity_share_their_subject() -> None:
    (bridge,) = bridged(HEAD, WIDTH)
    assert (bridge.reasoning, bridge.supports) == (Reasoning.SHARED_SUBJECT, ("2", "3"))


def test_two_things_that_point_to_the_entity_share_their_object() -> None:
    (bridge,) = bridged(OWNS, NEEDS)
    assert (bridge.reasoning, bridge.supports) == (Reasoning.SHARED_OBJECT, ("1", "4"))


def test_the_scope_of_a_premise_is_said() -> None:
    assert speaker(VOCABULARY)(replace(HEAD, scope=("release", "3.12"))) == "Gull Point is headed by Orla Finch (release, 3.12)"


# What is no bridge.


def test_one_document_alone_makes_no_bridge() -> None:
    assert bridged(OWNS, premise("2", "Gull Point", "head", "Orla Finch", "a")) == []
    two = [premise("1", "Tarn Works", "owns", "Gull Point", "a"), premise("2", "Gull Point", "head", "Orla Finch", "a")]
    assert bridged(*two, premise("9", "Far Away", "mentions", "Elsewhere", "b")) == []


def test_two_premises_that_two_documents_both_state_are_apart() -> None:
    assert len(bridged(premise("1", "Tarn Works", "owns", "Gull Point", "a", "b"), premise("2", "Gull Point", "head", "Orla Finch", "a", "b"))) == 1


def test_two_values_of_one_key_and_two_facts_of_one_thing_compare_nothing() -> None:
    assert bridged(HEAD, premise("5", "Gull Point", "head", "Milo Reyes", "c")) == []
    assert bridged(OWNS, premise("5", "Tarn Works", "runs", "Gull Point", "c")) == []


def test_a_chain_does_not_lead_back_to_where_it_began() -> None:
    assert bridged(OWNS, premise("5", "Gull Point", "belongs to", "Tarn Works", "c")) == []


def test_a_premise_about_the_entity_and_itself_is_no_step_towards_it() -> None:
    assert bridged(premise("5", "Gull Point", "near", "Gull Point", "a"), HEAD) == bridged(
        HEAD, premise("5", "Gull Point", "near", "Gull Point", "a")
    )
    assert {bridge.reasoning for bridge in bridged(premise("5", "Gull Point", "near", "Gull Point", "a"), HEAD)} == {Reasoning.SHARED_SUBJECT}


def test_a_negated_premise_joins_nothing() -> None:
    assert bridged(replace(OWNS, negated=True), HEAD) == []


@pytest.mark.parametrize("belief", [Belief.REJECTED, Belief.WEAK])
def test_what_is_not_held_supports_nothing_and_counts_for_no_document(belief: Belief) -> None:
    assert bridged(replace(OWNS, belief=belief), HEAD) == []


def test_what_no_newest_version_states_supports_nothing() -> None:
    """C05: the document dropped the mention."""
    assert bridged(replace(OWNS, documents=()), HEAD) == []


# Inheritance.


def test_a_bridge_is_valid_while_both_supports_are() -> None:
    (bridge,) = bridged(replace(OWNS, valid_to=Instant(50)), replace(HEAD, valid_from=Instant(30)))
    assert (bridge.valid_from, bridge.valid_to) == (30, 50)


def test_supports_that_never_hold_together_make_no_bridge() -> None:
    assert bridged(replace(OWNS, valid_to=Instant(30)), replace(HEAD, valid_from=Instant(30))) == []


@pytest.mark.parametrize("first", [Belief.BELIEVED, Belief.DISPUTED])
def test_a_bridge_is_disputed_if_a_support_is(first: Belief) -> None:
    (bridge,) = bridged(replace(OWNS, belief=first), replace(HEAD, belief=Belief.DISPUTED))
    assert bridge.belief is Belief.DISPUTED


def test_a_bridge_is_as_sure_as_its_supports_together_and_comparisons_less() -> None:
    assert bridged(OWNS, HEAD)[0].confidence == pytest.approx(0.81)
    assert bridged(HEAD, WIDTH)[0].confidence == pytest.approx(0.729)
    assert bridged(OWNS, NEEDS)[0].confidence == pytest.approx(0.6885)


# Eligibility, in both directions.


def mentioned(count: int) -> list[Premise]:
    return [premise(f"{number:02}", f"Crew {number:02}", "moors at", "Gull Point", f"d{number:02}") for number in range(count)]


@pytest.mark.parametrize(("documents", "may"), [(0, False), (1, False), (2, True), (10, True), (11, False)])
def test_an_entity_carries_bridges_from_two_documents_to_tau(documents: int, may: bool) -> None:  # noqa: FBT001 - a column of the table
    assert eligible(mentioned(documents)) is may
    assert bool(bridged(*mentioned(documents))) is may


def test_tau_can_be_set() -> None:
    assert eligible(mentioned(3), tau=3)
    assert not eligible(mentioned(3), tau=2)
    assert bridged(*mentioned(3), tau=2) == []


def test_a_document_counts_once_however_much_it_states() -> None:
    assert not eligible([premise(str(number), "Gull Point", f"p{number}", "x", "a") for number in range(5)])


# Supports are few, and chosen deterministically.


def test_the_documents_with_most_facts_support_first_then_by_id() -> None:
    busy = [premise(f"b{number}", f"Crew {number}", "moors at", "Gull Point", "zz") for number in range(3)]
    used = {record for bridge in bridged(*mentioned(7), *busy) for record in bridge.supports}
    assert used <= {"b0", "b1", "b2", "00", "01", "02", "03"}
    assert len(busy) + len(mentioned(7)) > DOCUMENTS


def test_at_most_eight_facts_of_a_document_support_the_surest_first() -> None:
    many = [premise(f"m{number:02}", f"Crew {number:02}", "moors at", "Gull Point", "a", confidence=0.86 + number / 100) for number in range(12)]
    found = bridged(*many, replace(HEAD, confidence=0.9))
    assert len(many) > FACTS
    assert {bridge.supports[0] for bridge in found} == {f"m{number:02}" for number in range(4, 12)}


def test_at_most_ten_bridges_the_surest_first_then_by_id() -> None:
    found = bridged(*mentioned(10))
    assert len(found) == BRIDGES
    assert found == sorted(found, key=lambda bridge: (-bridge.confidence, bridge.id))
    best = premise("99", "Best Crew", "moors at", "Gull Point", "d00", confidence=0.99)
    assert all("99" in bridge.supports for bridge in bridged(*mentioned(5), best)[:3])


def test_a_bridge_s_id_depends_on_audience_entity_kind_and_supports() -> None:
    (one,), (other,) = bridged(OWNS, HEAD), bridged(OWNS, HEAD, audience=Audience("|crew|"))
    (third,) = bridged(OWNS, replace(HEAD, record="7"))  # type: ignore[arg-type]
    assert len({one.id, other.id, third.id}) == 3
    assert bridged(OWNS, replace(HEAD, valid_to=Instant(99)))[0].id == one.id


_premises = st.lists(
    st.builds(
        premise,
        st.integers(0, 99).map(str),
        st.sampled_from(["Gull Point", "Tarn Works", "Ferry Desk"]),
        st.sampled_from(["head", "owns", "needs"]),
        st.sampled_from(["Gull Point", "Orla Finch", "Tarn Works"]),
        st.sampled_from("abc"),
        belief=st.sampled_from([Belief.BELIEVED, Belief.DISPUTED, Belief.REJECTED]),
        start=st.integers(0, 5),
        end=st.integers(5, 9),
        confidence=st.sampled_from([0.86, 0.9, 0.99]),
        negated=st.sampled_from([False, False, True]),
    ),
    max_size=9,
    unique_by=lambda one: one.record,
)


@given(_premises, st.randoms(use_true_random=False))
def test_bridges_are_a_function_of_the_set_of_premises(premises: list[Premise], random: Random) -> None:
    mine = [one for one in premises if GULL in one.entities]
    shuffled = list(mine)
    random.shuffle(shuffled)
    assert bridged(*shuffled) == bridged(*mine)


@given(_premises)
def test_every_bridge_rests_on_two_documents_that_hold_together(premises: list[Premise]) -> None:
    held = {one.record: one for one in premises}
    for bridge in bridged(*(one for one in premises if GULL in one.entities)):
        supports = [held[record] for record in bridge.supports]
        assert len({document for one in supports for document in one.documents}) >= 2
        assert all(one.valid_from <= bridge.valid_from < bridge.valid_to <= one.valid_to for one in supports)
        assert all(one.belief in (Belief.BELIEVED, Belief.DISPUTED) and GULL in one.entities for one in supports)
