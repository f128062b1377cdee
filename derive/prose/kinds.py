"""Kinds of subjects: what the form of a name rules out. A ticket has no birthplace, a number no head."""

import re

from derive.markup.structure import is_name
from schemas.fact import SELF

_TICKET = re.compile(r"#\d+|[A-Z][A-Z0-9]*-\d+")
_RELEASE = re.compile(r".*\sv?\d+(?:\.\d+)+\w*")
_NEVER_RELEASED = frozenset({"person", "organisation", "place"})


def can_be(subject: str, kind: str) -> bool:
    """Tell whether a subject can be of a kind of the vocabulary, as far as its form shows; a document (SELF) can be about anything."""
    if kind == "any" or subject == SELF:
        return True
    if not is_name(subject):
        return False
    return kind not in _NEVER_RELEASED or not (_TICKET.fullmatch(subject) or _RELEASE.fullmatch(subject))
