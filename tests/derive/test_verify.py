"""A bridge is believed only if its chain can be replayed from its supports (DESIGN.md 5.7): whatever does not follow is found."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from derive.verify import replayed, sentence
from schemas.bridge import Bridge, Premise, Reasoning
from schemas.ids import Audience, EntityId, RecordId
from schemas.instant import FOREVER, Instant
from schemas.record import Belief
from tests.derive.premises import premise

GULL = EntityId("Gull Point")


def say(one: Premise) -> str:
    return one.text.removesuffix(".")


def bridge(first: Premise, second: Premise, reasoning: Reasoning) -> Bridge:
    return Bridge(
        RecordId("b"), Audience("*"), GULL, reasoning, (first.record, second.record), sentence(say, first, second), Belief.BELIEVED,
        Instant(10), FOREVER, 0.8, verified=True,
    )  # fmt: skip


OWNS, NEEDS = premise("1", "Tarn Works", "owns", "Gull Point", "a"), premise("4", "Ferry Desk", "needs", "Gull Point", "d")
HEAD, WIDTH = premise("2", "Gull Point", "head", "Orla Finch", "b"), premise("3", "Gull Point", "width", "8 m", "c", literal=True)
CHAIN = bridge(OWNS, HEAD, Reasoning.CHAIN)


@pytest.mark.parametrize(
    ("first", "second", "reasoning"),
    [(OWNS, HEAD, Reasoning.CHAIN), (HEAD, WIDTH, Reasoning.SHARED_SUBJECT), (OWNS, NEEDS, Reasoning.SHARED_OBJECT)],
)
def test_what_follows_from_its_supports_can_be_replayed(first: Premise, second: Premise, reasoning: Reasoning) -> None:
    assert replayed(bridge(first, second, reasoning), [first, second], say)
    wrong = [other for other in Reasoning if other is not reasoning]
    assert not any(replayed(bridge(first, second, other), [first, second], say) for other in wrong)


def test_two_sentences_are_joined_as_one() -> None:
    assert CHAIN.text == "Tarn Works owns Gull Point, and Gull Point head Orla Finch."


Change = Callable[[Premise], Premise]


@pytest.mark.parametrize(
    "change",
    [
        lambda one: replace(one, record=RecordId("9")),
        lambda one: replace(one, negated=True),
        lambda one: replace(one, belief=Belief.REJECTED),
        lambda one: replace(one, belief=Belief.WEAK),
        lambda one: replace(one, target=EntityId("Elsewhere")),
        lambda one: replace(one, valid_from=Instant(11)),
        lambda one: replace(one, valid_to=Instant(99)),
        lambda one: replace(one, text="Tarn Works does not own Gull Point."),
        lambda one: replace(one, documents=("b",)),
    ],
)
def test_a_changed_first_support_no_longer_carries_the_bridge(change: Change) -> None:
    assert not replayed(CHAIN, [change(OWNS), HEAD], say)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: replace(one, negated=True),
        lambda one: replace(one, belief=Belief.REJECTED),
        lambda one: replace(one, source_entity=EntityId("Elsewhere")),
        lambda one: replace(one, text="Gull Point head Milo Reyes."),
        lambda one: replace(one, documents=()),
    ],
)
def test_a_changed_second_support_no_longer_carries_the_bridge(change: Change) -> None:
    assert not replayed(CHAIN, [OWNS, change(HEAD)], say)


def test_supports_that_are_missing_too_many_or_in_another_order_carry_nothing() -> None:
    assert not replayed(CHAIN, [OWNS], say)
    assert not replayed(CHAIN, [HEAD, OWNS], say)
    three = replace(CHAIN, supports=("1", "2", "3"))  # type: ignore[arg-type]
    assert not replayed(three, [OWNS, HEAD, WIDTH], say)


@pytest.mark.parametrize(("reasoning", "first", "second"), [(Reasoning.SHARED_SUBJECT, HEAD, WIDTH), (Reasoning.SHARED_OBJECT, OWNS, NEEDS)])
def test_a_comparison_needs_the_entity_on_both_sides(reasoning: Reasoning, first: Premise, second: Premise) -> None:
    elsewhere = {"source_entity": EntityId("Elsewhere"), "target": EntityId("Elsewhere")}
    assert not replayed(bridge(first, second, reasoning), [replace(first, **elsewhere), second], say)  # type: ignore[arg-type]
    assert not replayed(bridge(first, second, reasoning), [first, replace(second, **elsewhere)], say)  # type: ignore[arg-type]
