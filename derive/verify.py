"""Verification: a bridge is believed only if its chain can be replayed from its supports (DESIGN.md 5.7)."""

from collections.abc import Callable, Sequence
from typing import assert_never

from schemas.bridge import Bridge, Premise, Reasoning
from schemas.record import Belief

Say = Callable[[Premise], str]


def replayed(bridge: Bridge, premises: Sequence[Premise], say: Say) -> bool:
    """Tell whether a bridge follows from its premises: right supports, two documents, joined by the entity, valid together, and said as they say."""
    if tuple(one.record for one in premises) != bridge.supports or len(premises) != 2:
        return False
    first, second = premises
    if first.negated or second.negated or not all(one.belief in (Belief.BELIEVED, Belief.DISPUTED) for one in premises):
        return False
    if len({*first.documents, *second.documents}) < 2 or not _joined(bridge, first, second):
        return False
    if (bridge.valid_from, bridge.valid_to) != (max(first.valid_from, second.valid_from), min(first.valid_to, second.valid_to)):
        return False
    return bridge.text == sentence(say, first, second)


def _joined(bridge: Bridge, first: Premise, second: Premise) -> bool:
    match bridge.reasoning:
        case Reasoning.CHAIN:
            return first.target == bridge.entity == second.source_entity
        case Reasoning.SHARED_SUBJECT:
            return first.source_entity == bridge.entity == second.source_entity
        case Reasoning.SHARED_OBJECT:
            return first.target == bridge.entity == second.target
        case _:
            assert_never(bridge.reasoning)


def sentence(say: Say, first: Premise, second: Premise) -> str:
    """Return the sentence that joins two premises."""
    return f"{say(first)}, and {say(second)}."
