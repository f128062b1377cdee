"""Roles that stand beside a name in a Chinese clause: 港务局局长陈爱丽, 陈爱丽（港务局局长）. They hold whatever the clause itself says."""

import re
from collections.abc import Iterator
from dataclasses import replace

from derive.prose.chinese_clauses import Clause, Text, verbs
from derive.prose.chinese_drafts import Draft
from derive.prose.chinese_nouns import Lexicon, Noun, Role, looks_named, noun, roles_before
from schemas.fact import FactKind

_BORDER = re.compile("[由与和及、]")
"""What stands between one phrase and the next."""
_BY_LOOKS = 0.1
"""What it costs that a name is told by its looks alone."""


def asides(text: Text, clause: Clause, lexicon: Lexicon) -> Iterator[Draft]:
    """Yield roles that stand beside a name: 港务局局长陈爱丽, 陈爱丽（港务局局长）."""
    cost = 0.0 if text.sure else _BY_LOOKS
    for role, person in roles_before(text.shown, lexicon, clause.start, clause.end, text.people):
        holder = _last_part(text, role.holder)
        if holder is not None:
            yield _held(role, person, holder, cost, (holder.start, person.end), text.block[holder.start : person.start])
    for start, end in text.asides:
        named = next((span for span in text.people if span[1] == start and clause.start <= span[0] and end <= clause.end), None)
        bracketed = lexicon.role(text.block, start + 1, end - 1) if named is not None else None
        if named is not None and bracketed is not None and looks_named(bracketed.holder.text):
            name = Noun(text.block[slice(*named)], *named)
            yield _held(bracketed, name, bracketed.holder, cost, (named[0], end), text.block[start + 1 : end - 1])


def _last_part(text: Text, holder: Noun) -> Noun | None:
    """Return the holder of a role without what stands before it in the clause: a verb, a joint, 由."""
    borders = [*verbs(text, holder.start, holder.end), *_BORDER.finditer(text.shown, holder.start, holder.end)]
    start = max((match.end() for match in borders), default=holder.start)
    return noun(text.shown, start, holder.end) if looks_named(text.shown[start : holder.end]) else None


def _held(role: Role, person: Noun, holder: Noun, cost: float, span: tuple[int, int], said: str) -> Draft:
    words = f"{person.text}是{said.strip()}。"
    return Draft(
        holder,
        role.predicate,
        person,
        replace(person, start=span[0], end=span[1]),
        span[0],
        "",
        role.scope,
        FactKind.RELATION,
        cost=cost,
        aside=words,
    )
