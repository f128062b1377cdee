"""Keys: what a statement is about, once names are entities (DESIGN.md 5.6)."""

from collections.abc import Callable
from dataclasses import replace

from schemas.ids import Audience, DocumentKey, EntityId, RecordId, digest
from schemas.nugget import Stance
from schemas.statement import Claim
from schemas.value import Value, ValueKind
from schemas.vocabulary import Cardinality, Vocabulary


class Clusters:
    """Which predicates are decided together: those that exclusions tie, each under the least name among them; all names as they are stored."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._least: dict[str, str] = {}
        for name, predicate in sorted(vocabulary.predicates.items()):
            for other, _ in predicate.excludes:
                self._join(vocabulary.stored(name), vocabulary.stored(other))

    def _join(self, one: str, other: str) -> None:
        left, right = self.of(one), self.of(other)
        for name in {one, other, *(name for name, least in self._least.items() if least in (left, right))}:
            self._least[name] = min(left, right)

    def of(self, predicate: str) -> str:
        """Return the name of the cluster of a predicate: itself, mostly."""
        return self._least.get(predicate, predicate)

    def value_apart(self, predicate: str) -> bool:
        """Tell whether every value of a predicate is a group of its own: it is multi-valued, and no exclusion concerns it."""
        return predicate not in self._least and self._vocabulary.predicate(predicate).cardinality is not Cardinality.FUNCTIONAL

    def group(self, audience: Audience, subject: EntityId, stance: Stance, scope: tuple[str, ...]) -> bytes:
        """Return the group in which a stance on a subject is decided."""
        value = (stance.value.kind, stance.value.normal) if self.value_apart(stance.predicate) else ()
        return bytes.fromhex(digest("group", audience, subject, self.of(stance.predicate), len(scope), *scope, *value))


def stance_of(claim: Claim, entity: Callable[[str], EntityId]) -> Stance:
    """Return what a claim asserts, with a name replaced by the entity it stands for."""
    value = claim.value
    if value.kind is ValueKind.NAME:
        value = replace(value, normal=entity(value.normal))
    return Stance(claim.predicate, value, claim.negated)


def name_entity(audience: Audience, least_name: str) -> EntityId:
    """Return the id of an entity that no document stands for."""
    return EntityId(digest("entity", audience, least_name))


def document_entity(audience: Audience, source: str, document: str) -> EntityId:
    """Return the id of the entity that a document is."""
    return EntityId(digest("entity of document", audience, source, document))


def nugget_id(audience: Audience, subject: EntityId, scope: tuple[str, ...], stance: Stance, number: int) -> RecordId:
    """Return the id of a run of a value: hash of key and value, and the run's number in time."""
    value: Value = stance.value
    return RecordId(digest("nugget", audience, subject, stance.predicate, len(scope), *scope, value.kind, value.normal, int(stance.negated), number))


def unit_id(document: DocumentKey, unit: str, number: int = 0) -> RecordId:
    """Return the id of a unit or section of a document; a later validity of the same one has a number above 0."""
    return RecordId(digest("unit of document", document, unit, number))
