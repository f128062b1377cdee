"""Facts from structure: what records, headers, key-value lines and table rows state, word for word."""

from collections.abc import Iterable, Sequence

from derive.markup.structure import is_name
from derive.tree import Block, BlockKind, Field, Fields
from schemas.fact import SELF, Fact, FactKind
from schemas.vocabulary import Cardinality, Vocabulary

STRUCTURAL = 0.99
"""Confidence: structure says exactly what it says; the rest is for a field that was filled in wrongly."""


def structural_facts(blocks: Sequence[Block], vocabulary: Vocabulary, own: str = "") -> list[tuple[Fact, ...]]:
    """Return the facts of each block, spans in the block's text; `own` is what the document calls itself, "" if it does not.

    A line such as "Owner: ..." speaks of the document; if several sections say who an owner is, each line speaks of its section (its scope).
    """
    places: dict[str, set[tuple[str, ...]]] = {}
    for block in blocks:
        for predicate in _own_functional(block, vocabulary):
            places.setdefault(predicate, set()).add(block.section)
    parted = {predicate for predicate, sections in places.items() if len(sections) > 1}
    return [_of_block(block, parted, own, vocabulary) for block in blocks]


def _own_functional(block: Block, vocabulary: Vocabulary) -> Iterable[str]:
    """Return the functional predicates that a key-value line states of the document without a scope."""
    stated = block.fields
    if stated is None or stated.subject != SELF or stated.scope:
        return ()
    names = (vocabulary.canonical(field.name) for field in stated.fields if not field.scope)
    return (name for name in names if vocabulary.predicate(name).cardinality is Cardinality.FUNCTIONAL)


def _of_block(block: Block, parted: set[str], own: str, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    stated = block.fields
    if stated is None:
        return ()
    section = block.section[-1:] if block.kind is not BlockKind.RECORD and stated.subject == SELF and not stated.scope else ()
    return tuple(_turned(field, stated, own, vocabulary) or _fact(field, stated, section, parted, vocabulary) for field in stated.fields)


def _turned(field: Field, stated: Fields, own: str, vocabulary: Vocabulary) -> Fact | None:
    """Return what a field says from the other side: "Replaces: Note 4" of Note 31. None if it does not, or if there is no name to say it with."""
    predicate = vocabulary.inverses.get(vocabulary.canonical(field.name))
    name = own if stated.subject == SELF else stated.subject
    if predicate is None or not name or stated.scope or field.scope or not _is_one_name(field.value):
        return None
    template = vocabulary.predicate(predicate).template or f"{{subject}} {predicate} {{object}}"
    return Fact(
        text=template.format(subject=field.value, object=name),
        kind=FactKind.RELATION,
        subject=field.value,
        predicate=predicate,
        object=name,
        start=field.start,
        end=field.end,
        confidence=STRUCTURAL,
        mentions=tuple(dict.fromkeys((field.value, name, *field.names))),
        dates=stated.dates,
        structural=True,
    )


def _is_one_name(value: str) -> bool:
    """Tell whether a value is one name: neither a list of them nor a count of things."""
    return value[:1].isalpha() and "," not in value and is_name(value)


def _fact(field: Field, stated: Fields, section: tuple[str, ...], parted: set[str], vocabulary: Vocabulary) -> Fact:
    predicate = vocabulary.canonical(field.name)
    expected = vocabulary.predicate(predicate).object
    named = expected == "name" or (expected == "any" and field.value[:1].isupper())
    relation = named and is_name(field.value)
    subjects = field.names if stated.subject == SELF else (stated.subject, *field.names)
    return Fact(
        text=field.text,
        kind=FactKind.RELATION if relation else FactKind.ATTRIBUTE,
        subject=stated.subject,
        predicate=predicate,
        object=field.value,
        start=field.start,
        end=field.end,
        confidence=STRUCTURAL,
        scope=(*stated.scope, *field.scope) or (section if predicate in parted else ()),
        mentions=tuple(dict.fromkeys((*subjects, field.value) if relation else subjects)),
        dates=stated.dates,
        structural=True,
    )
