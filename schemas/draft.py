"""Drafts: what a view wants a record to be, before the store gives it a version, a sequence number and a status."""

from dataclasses import dataclass

from schemas.bridge import Premise
from schemas.record import Record


@dataclass(frozen=True, slots=True)
class Draft:
    """A record as derived. Nuggets carry the premise that bridges use; it is stored beside the record, not in the index."""

    record: Record
    premise: Premise | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What a record says of its document: the source, the source's own id, and the title now."""

    source: str
    document: str
    title: str
