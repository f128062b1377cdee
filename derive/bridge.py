"""Bridges: joins of two nuggets of different documents through one entity (DESIGN.md 5.7; IndexRAG, section 3.2)."""

from collections.abc import Iterable, Iterator, Sequence

from derive.verify import Say, replayed, sentence
from schemas.bridge import Bridge, Premise, Reasoning
from schemas.ids import Audience, DocumentKey, EntityId, RecordId, digest
from schemas.record import Belief
from schemas.vocabulary import Vocabulary

TAU = 10
"""Documents from which on an entity is a hub (IndexRAG: 2 <= df <= 10)."""
DOCUMENTS = 5
FACTS = 8
BRIDGES = 10
"""At most so many documents per entity, facts per document, and bridges per entity (IndexRAG section 3.2)."""
WEIGHT = {Reasoning.CHAIN: 1.0, Reasoning.SHARED_SUBJECT: 0.9, Reasoning.SHARED_OBJECT: 0.85}
"""A chain answers a question of two steps; the others compare, which fewer questions ask."""


def eligible(premises: Iterable[Premise], tau: int = TAU) -> bool:
    """Tell whether enough, and not too many, documents mention the entity now."""
    documents: set[DocumentKey] = set()
    for premise in premises:
        documents.update(premise.documents)
    return 2 <= len(documents) <= tau


def bridges(entity: EntityId, audience: Audience, premises: Sequence[Premise], vocabulary: Vocabulary, tau: int = TAU) -> list[Bridge]:
    """Return the bridges of an entity, a function of the set of premises that mention it."""
    live = [one for one in premises if one.belief in (Belief.BELIEVED, Belief.DISPUTED) and one.documents]
    if not eligible(live, tau):
        return []
    say = speaker(vocabulary)
    made: dict[RecordId, Bridge] = {}
    for reasoning, first, second in _pairs(entity, _chosen(live)):
        bridge = _bridge(entity, audience, reasoning, first, second, say)
        if bridge.valid_from < bridge.valid_to and replayed(bridge, [first, second], say):
            made[bridge.id] = bridge
    return sorted(made.values(), key=lambda one: (-one.confidence, one.id))[:BRIDGES]


def speaker(vocabulary: Vocabulary) -> Say:
    """Return how a premise is said within a bridge: by its predicate's template, else plainly."""

    def say(premise: Premise) -> str:
        template = vocabulary.predicate(premise.predicate).template or "{subject} {predicate} {object}"
        within = f" ({', '.join(premise.scope)})" if premise.scope else ""
        return template.format(subject=premise.subject, predicate=premise.predicate, object=premise.object) + within

    return say


def _chosen(premises: Sequence[Premise]) -> list[Premise]:
    by_document: dict[DocumentKey, list[Premise]] = {}
    for premise in sorted(premises, key=lambda one: (-one.confidence, one.record)):
        for document in premise.documents:
            by_document.setdefault(document, []).append(premise)
    documents = sorted(by_document, key=lambda document: (-len(by_document[document]), document))[:DOCUMENTS]
    chosen = {premise.record: premise for document in documents for premise in by_document[document][:FACTS]}
    return [chosen[record] for record in sorted(chosen)]


def _pairs(entity: EntityId, premises: Sequence[Premise]) -> Iterator[tuple[Reasoning, Premise, Premise]]:
    plain = [one for one in premises if not one.negated]
    about = [one for one in plain if one.source_entity == entity]
    towards = [one for one in plain if one.target == entity and one.source_entity != entity]
    for first in towards:
        for second in about:
            if second.target != first.source_entity and _apart(first, second):
                yield Reasoning.CHAIN, first, second
    for reasoning, side in ((Reasoning.SHARED_SUBJECT, about), (Reasoning.SHARED_OBJECT, towards)):
        for index, first in enumerate(side):
            for second in side[index + 1 :]:
                if _tells_two(reasoning, first, second) and _apart(first, second):
                    yield reasoning, first, second


def _tells_two(reasoning: Reasoning, first: Premise, second: Premise) -> bool:
    """Tell whether a comparison says more than either side: two runs, or two rivals, of one key do not."""
    if reasoning is Reasoning.SHARED_OBJECT:
        return first.source_entity != second.source_entity
    return first.predicate != second.predicate


def _apart(first: Premise, second: Premise) -> bool:
    """Tell whether two premises come from two documents, rather than both from one and the same."""
    return any(one != other for one in first.documents for other in second.documents)


def _bridge(entity: EntityId, audience: Audience, reasoning: Reasoning, first: Premise, second: Premise, say: Say) -> Bridge:
    disputed = Belief.DISPUTED in (first.belief, second.belief)
    return Bridge(
        RecordId(digest("bridge", audience, entity, reasoning, first.record, second.record)),
        audience,
        entity,
        reasoning,
        (first.record, second.record),
        sentence(say, first, second),
        Belief.DISPUTED if disputed else Belief.BELIEVED,
        max(first.valid_from, second.valid_from),
        min(first.valid_to, second.valid_to),
        round(first.confidence * second.confidence * WEIGHT[reasoning], 4),
        verified=True,
    )
