"""Which of many transitions the demo tells of: some for each status, those first that the questions turn on."""

from collections.abc import Iterable, Sequence

from flows.demo.questions import Question
from schemas.record import Kind, Status
from schemas.transition import Transition

EACH = 2
"""Transitions told per status and reason."""


def told(history: Sequence[Transition], questions: Sequence[Question]) -> dict[Status, list[Transition]]:
    """Return transitions of facts into each status that was reached, at most EACH per reason, in the order in which they happened.

    Active: what came back; if nothing did, what came.
    """
    words = [pattern.text.casefold() for question in questions for pattern in (*question.expect, *question.refuse)]
    facts = [one for one in history if one.kind is Kind.NUGGET and one.after is not None]
    back = [one for one in facts if _reached(one, Status.ACTIVE) and one.before is not None]
    return {
        Status.ACTIVE: _some(back or [one for one in facts if _reached(one, Status.ACTIVE)], words),
        Status.DEPRECATED: _some([one for one in facts if _reached(one, Status.DEPRECATED)], words),
        Status.CONTESTED: _some([one for one in facts if _reached(one, Status.CONTESTED)], words),
    }


def _reached(transition: Transition, status: Status) -> bool:
    before, after = transition.before, transition.after
    return after is not None and after.status is status and (before is None or before.status is not status)


def _some(candidates: Iterable[Transition], words: Sequence[str]) -> list[Transition]:
    by_reason: dict[str, list[Transition]] = {}
    for one in candidates:
        by_reason.setdefault(one.after.reason if one.after else "", []).append(one)
    chosen = [one for some in by_reason.values() for one in _decisive(some, words)[:EACH]]
    return sorted(chosen, key=lambda one: one.sequence)


def _decisive(some: Sequence[Transition], words: Sequence[str]) -> list[Transition]:
    """Return them with those first that a question turns on."""
    return sorted(some, key=lambda one: not any(word in one.text.casefold() for word in words))
