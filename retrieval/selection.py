"""Selection: which candidates make up an answer of k records."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.fusion import Candidate
from schemas.record import Kind, Record


@dataclass(frozen=True, slots=True)
class Balance:
    """How an answer of `k` is made up: at most so many bridges, at least so many nuggets as long as there are any."""

    k: int
    bridges: int
    nuggets: int


def balance(k: int) -> Balance:
    """Return the balance for k records: of 10 at most 3 bridges and at least 5 nuggets (DESIGN.md section 6), else in proportion."""
    return Balance(k, bridges=-(-3 * k // 10), nuggets=k // 2)


def balanced(candidates: Sequence[Candidate], shape: Balance, *, histories: bool) -> list[Candidate]:
    """Return at most k candidates in the order of the candidates, texts that repeat left out.

    With `histories` two runs of one statement at different times are no repetition.
    """
    distinct = list(_distinct(candidates, histories=histories))
    chosen = [candidate for candidate in distinct if candidate.record.kind is Kind.NUGGET][: shape.nuggets]
    bridges = 0
    for candidate in distinct:
        if len(chosen) == shape.k:
            break
        if candidate in chosen or (candidate.record.kind is Kind.BRIDGE and bridges == shape.bridges):
            continue
        bridges += candidate.record.kind is Kind.BRIDGE
        chosen.append(candidate)
    return [candidate for candidate in distinct if candidate in chosen]


def _distinct(candidates: Iterable[Candidate], *, histories: bool) -> Iterable[Candidate]:
    """Return one candidate for what is said, where it was said first; of equal words the nugget, which knows since when they hold and by whom."""
    best: dict[tuple[object, ...], Candidate] = {}
    for candidate in candidates:
        said = _said(candidate.record, histories=histories)
        held = best.get(said)
        if held is None or (candidate.record.kind is Kind.NUGGET and held.record.kind is not Kind.NUGGET):
            best[said] = candidate
    return best.values()


def _said(record: Record, *, histories: bool) -> tuple[object, ...]:
    """Return what makes two records the same answer: the words and whether they are disputed."""
    same = (" ".join(record.text.split()), record.belief)
    return (*same, record.valid_from, record.valid_to) if histories else same
