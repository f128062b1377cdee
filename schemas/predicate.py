"""Predicates: what may be said of a subject, how many values hold at once, and what a value is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

OBJECT_TYPES = frozenset({"name", "date", "number", "quantity", "version", "boolean", "text", "any"})
SUBJECT_TYPES = frozenset({"name", "person", "organisation", "place", "product", "document", "ticket", "any"})
LONGEST_WORD = 80
"""Characters of a value that may be one of a predicate's words; what is longer is text of its own."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SPACES = re.compile(r"[\s_-]+")


class Cardinality(StrEnum):
    """How many values of one key may hold at one time."""

    FUNCTIONAL = "functional"
    MULTI = "multi-valued"
    LOG = "event log"


@lru_cache(maxsize=4096)
def fold(words: str) -> str:
    """Return the spelling under which a predicate or a word of a value is looked up: `releaseDate`, `release_date` and `Release date` are one."""
    return _SPACES.sub(" ", _CAMEL.sub(" ", words)).casefold().strip()


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate. `object` is what a value is: name, date, number, quantity, version, boolean, text or any; `subject` what has it.

    `inverse` are the words that say the same from the other side ("heads" of "headed by"): prose that uses them is turned round.
    `excludes` lists (predicate, value or "" for any) pairs that cannot hold beside a value of this one.
    `template` writes a statement as a person would: "{subject} is led by {object}".
    `synonyms` has, folded, the words of a value that are known, each with the one that it means: "wip" is "draft".
    `scope` are words that narrow this predicate, besides those that narrow every one: "regional" of "headed by".
    """

    name: str
    cardinality: Cardinality = Cardinality.MULTI
    object: str = "any"
    aliases: tuple[str, ...] = ()
    inverse: str = ""
    excludes: tuple[tuple[str, str], ...] = ()
    template: str = ""
    subject: str = "any"
    synonyms: Mapping[str, str] = field(default_factory=dict, hash=False)
    scope: tuple[str, ...] = ()

    def word(self, value: str) -> str:
        """Return the word that a value means if it is one of the known ones, else the value as it is."""
        if not self.synonyms or len(value) > LONGEST_WORD:
            return value
        return self.synonyms.get(fold(value.strip(" .")), value)
