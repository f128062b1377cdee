"""The predicate vocabulary: what each predicate means and what may hold at once."""

from dataclasses import dataclass, field
from enum import StrEnum


class Cardinality(StrEnum):
    """How many values of one key may hold at one time."""

    FUNCTIONAL = "functional"
    MULTI = "multi-valued"
    LOG = "event log"


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate. `object` is a type: name, date, number, quantity, version, boolean, text or any.

    `excludes` lists (predicate, value or "" for any) pairs that cannot hold beside a value of this one.
    `template` writes a statement as a person would: "{subject} is led by {object}".
    """

    name: str
    cardinality: Cardinality = Cardinality.MULTI
    object: str = "any"
    aliases: tuple[str, ...] = ()
    inverse: str = ""
    excludes: tuple[tuple[str, str], ...] = ()
    template: str = ""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All predicates that are known, by canonical name; the rest is multi-valued with a value of any type.

    `record_keys`: fields that name a record in nested data, strongest first. `valid_from`/`valid_to`: fields of such a record that give its facts
    their validity. `qualifiers`: words of prose that narrow a statement (acting, northern) and so belong to its scope.
    `version` is a fingerprint of the whole content.
    """

    predicates: dict[str, Predicate] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    record_keys: tuple[str, ...] = ()
    valid_from: frozenset[str] = frozenset()
    valid_to: frozenset[str] = frozenset()
    qualifiers: frozenset[str] = frozenset()
    version: str = ""

    def canonical(self, words: str) -> str:
        """Return the canonical name of a predicate as text or data spell it: folded case, single spaces, alias resolved."""
        folded = " ".join(words.replace("_", " ").replace("-", " ").casefold().split())
        return self.aliases.get(folded, folded)

    def predicate(self, name: str) -> Predicate:
        """Return the predicate of a canonical name; an unknown one is multi-valued."""
        return self.predicates.get(name) or Predicate(name)
