"""Values: what a fact says of its subject, in the form in which two values are compared."""

from dataclasses import dataclass
from enum import StrEnum


class ValueKind(StrEnum):
    """How a value is compared."""

    NAME = "name"
    DATE = "date"
    NUMBER = "number"
    VERSION = "version"
    BOOLEAN = "boolean"
    TEXT = "text"


@dataclass(frozen=True, slots=True, order=True)
class Value:
    """A value in normal form; equal values are equal here. For a name, `normal` is the normal form of the name (later: its entity)."""

    kind: ValueKind
    normal: str
