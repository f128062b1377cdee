"""What holds for the places of a body's blocks, whatever its markup."""

import re
from collections.abc import Callable, Iterable

from derive.markup.forms import form_of, text_of
from derive.reading import Parsed, parsed, reading_of
from derive.tree import Block, BlockKind
from schemas.version import Reading
from schemas.vocabulary import shipped

VOCABULARY = shipped()
_RUN = re.compile(r"[^\W_]+")
_STRUCTURED = (BlockKind.ROW, BlockKind.RECORD)
"""Kinds whose text repeats headers that stand elsewhere, or names fields as a person would."""


def read(body: str, media_type: str) -> Reading:
    """Read a body with nothing drawn from its prose."""
    return reading_with(parsed(body, media_type, VOCABULARY))


def reading_with(found: Parsed) -> Reading:
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def said(body: str, media_type: str) -> list[tuple[str, tuple[str, ...], str, str]]:
    """Return kind, section path, lead-in and text of every block."""
    return [(block.kind.value, block.section, block.lead, block.text) for block in parsed(body, media_type, VOCABULARY).tree.blocks]


def facts(body: str, media_type: str) -> list[tuple[str, tuple[str, ...], str, str]]:
    """Return subject, scope, predicate and object of every fact that the structure states."""
    return [(fact.subject, fact.scope, fact.predicate, fact.object) for unit in read(body, media_type).units for fact in unit.facts]


def letters(text: str) -> str:
    return "".join(_RUN.findall(text.casefold()))


def out_of_order(words: Iterable[str], place: str) -> str | None:
    """Return the first word that does not follow the words before it in a place."""
    held, reached = letters(place), 0
    for word in words:
        found = held.find(word, reached)
        if found < 0:
            return word
        reached = found + len(word)
    return None


def assert_places_hold(body: str, media_type: str, written: Callable[[str], str] = str) -> list[Block]:
    """Check every block and unit of a body; `written` returns what a stretch of the body says to its reader. Return the blocks."""
    found = parsed(body, media_type, VOCABULARY)
    text = text_of(body, form_of(media_type))
    reached = found.tree.blocks[0].start if found.tree.blocks else 0
    for block in found.tree.blocks:
        place = text[block.start : block.end]
        assert reached <= block.start < block.end <= len(text), (block, text[block.start - 40 : block.end])
        reached = block.start if block.kind is BlockKind.RECORD else block.end  # a stray line among headers is a block of its own
        lead = text[: block.end]
        assert out_of_order(_RUN.findall(block.lead.casefold()), written(lead)) is None, (block.lead, lead[-300:])
        if block.kind not in _STRUCTURED:
            assert out_of_order(_RUN.findall(block.text.casefold()), written(place)) is None, (block.text, place)
    starts = {block.start for block in found.tree.blocks}
    for unit in reading_with(found).units:
        assert unit.start in starts
        assert unit.start < unit.end <= len(text)
        assert all(0 <= fact.start < fact.end <= len(unit.text) for fact in unit.facts)
        assert all(0 <= link.start < link.end <= len(unit.text) and link.target for link in unit.links)
    return list(found.tree.blocks)


def assert_sections_are_records(body: str, media_type: str) -> None:
    """Check that each section begins at its heading, holds its units and no unit of another path."""
    found, text = read(body, media_type), text_of(body, form_of(media_type))
    for section in found.sections:
        place = text[section.start : section.end]
        assert out_of_order(_RUN.findall(section.path[-1].casefold()), place) is None, (section, place)
    for unit in found.units:
        around = [section for section in found.sections if section.start <= unit.start < section.end]
        assert unit.section == (max(around, key=lambda section: len(section.path)).path if around else ())
