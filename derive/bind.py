"""Binding: from what a body says to what a version of a document states (DESIGN.md 5.3, last lines).

A reading knows neither its document nor its date; both stay open here too (SELF and relative dates), so that a rename, a copy or a revert binds to
the same statements.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from derive.names import normal, short_forms
from derive.values import value_for
from schemas.fact import NO_DATES, SELF, Fact
from schemas.ids import digest
from schemas.statement import Claim, Key, What, Wording
from schemas.value import Value, ValueKind
from schemas.version import Reading, Section, Unit
from schemas.vocabulary import Cardinality, Vocabulary

State: TypeAlias = dict[tuple[Key, Key], tuple[Claim, Wording]]
"""All that one version states: (key of the claim, key of the wording) -> both."""

ACCEPTED = 0.85
"""Confidence from which a fact is evidence; below it is weak (quality gate, DESIGN.md 5.3)."""
REFUSED = 0.6
"""Confidence below which a fact is refused."""


def short_key(*parts: str | int | bytes) -> Key:
    """Return a 63-bit hash, for keys that need to be unique within one document only."""
    return int(digest(*parts)[:16], 16) >> 1


def claim_key(claim: Claim) -> Key:
    """Return the key of a claim within its document."""
    flags = f"{claim.negated:d}{claim.structural:d}{claim.weak:d}{claim.incarnation}"
    return short_key(claim.what, claim.subject, claim.predicate, len(claim.scope), *claim.scope, claim.value.kind, claim.value.normal, flags)


def wording_key(wording: Wording) -> Key:
    """Return the key of a wording within its document."""
    mentions = (part for mention in wording.mentions for part in mention)
    return short_key(
        wording.text, wording.unit, wording.start, wording.end, wording.subject, wording.object, wording.kind, repr(wording.confidence),
        _dates(wording), *mentions, "/", *wording.section, *(offset for part in wording.parts for offset in part),
    )  # fmt: skip


def _dates(wording: Wording) -> str:
    dates = wording.dates
    sure = "" if dates.confidence == NO_DATES.confidence else f", confidence={dates.confidence!r}"
    return f"Dates(start={dates.start!r}, end={dates.end!r}{sure})"


def unit_key(unit: Unit) -> str:
    """Return a unit's id within its document: content, section path and occurrence (DESIGN.md 5.8)."""
    return digest("unit", len(unit.section), *unit.section, unit.text, unit.number)


def section_key(section: Section) -> str:
    """Return a section's id within its document."""
    return digest("section", *section.path, section.number)


def scope_part(part: str) -> str:
    """Return one part of a scope as it is compared: NFKC, folded case, single spaces; "C" and "C++" stay apart."""
    return " ".join(unicodedata.normalize("NFKC", part).casefold().split())


def state_of(reading: Reading, vocabulary: Vocabulary, incarnation: int = 0) -> State:
    """Return what a version with this body states.

    In nested data a record key repeated within one version: the last wins.
    """
    state: State = {}
    full = short_forms(name for unit in reading.units for fact in unit.facts for name in fact.mentions)
    last: dict[tuple[str, str, tuple[str, ...]], tuple[Key, Key]] = {}
    for claim, wording in _stated(reading, vocabulary, full, incarnation):
        keys = (claim_key(claim), wording_key(wording))
        state[keys] = (claim, wording)
        if claim.structural and claim.scope and vocabulary.predicate(claim.predicate).cardinality is Cardinality.FUNCTIONAL:
            place = (claim.subject, claim.predicate, claim.scope)
            before = last.get(place)
            if before is not None and before[0] != keys[0]:
                state.pop(before, None)
            last[place] = keys
    return state


def _stated(reading: Reading, vocabulary: Vocabulary, full: Mapping[str, str], incarnation: int) -> Iterator[tuple[Claim, Wording]]:
    for section in reading.sections:
        title, key = " › ".join(section.path), _within(section_key(section), incarnation)
        yield (
            Claim(What.SECTION, "", "", (), Value(ValueKind.TEXT, key), incarnation=incarnation),
            Wording(title, key, 0, len(title), section=section.path),
        )
    for unit in reading.units:
        key = _within(unit_key(unit), incarnation)
        yield (
            Claim(What.UNIT, "", "", (), Value(ValueKind.TEXT, key), incarnation=incarnation),
            Wording(unit.text, key, 0, len(unit.text), section=unit.section, parts=tuple((part.first, part.last) for part in unit.parts)),
        )
        for fact in unit.facts:
            if fact.confidence >= REFUSED and 0 <= fact.start <= fact.end <= len(unit.text):
                yield _fact(fact, unit, key, vocabulary, full, incarnation)


def _within(key: str, incarnation: int) -> str:
    return digest(key, incarnation) if incarnation else key


def _fact(fact: Fact, unit: Unit, unit_id: str, vocabulary: Vocabulary, full: Mapping[str, str], incarnation: int) -> tuple[Claim, Wording]:
    predicate = vocabulary.predicate(fact.predicate)
    subject = full.get(fact.subject, fact.subject)
    spoken = full.get(fact.object, fact.object)
    claim = Claim(
        What.FACT,
        SELF if subject == SELF else normal(subject),
        vocabulary.stored(predicate.name),
        tuple(scope_part(part) for part in fact.scope),
        value_for(predicate, spoken),
        fact.negated,
        fact.structural,
        fact.confidence < ACCEPTED,
        incarnation,
    )
    names = {normal(name): name for name in sorted(full.get(mention, mention) for mention in fact.mentions if mention != SELF)}
    wording = Wording(
        fact.text, unit_id, fact.start, fact.end, "" if subject == SELF else subject, spoken, fact.kind, fact.confidence,
        fact.dates, tuple(sorted(names.items())), unit.section,
    )  # fmt: skip
    return claim, wording
