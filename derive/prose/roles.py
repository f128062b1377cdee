"""Roles: "the acting CEO of Acme" as predicate words, holder and qualifiers, and the name that stands beside one."""

from dataclasses import dataclass

from derive.prose.phrases import Phrase, phrase_at
from derive.prose.token import Parse, children, is_aside, subtree
from schemas.vocabulary import Vocabulary, fold

NOW = frozenset({"new", "current", "present", "longtime", "long-time", "long-serving", "newly"})
"""Words before a role that it is the same role without."""
OVER = frozenset({"former", "ex", "past", "previous", "late", "onetime"})
"""Words before a role that say that it has ended."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role with its holder: "(the) acting CEO of Acme". `words` as the vocabulary spells them, `over` if it is a former one."""

    words: str
    holder: Phrase
    scope: tuple[str, ...]
    over: bool = False


def role_of(parse: Parse, noun: int, vocabulary: Vocabulary) -> Role | None:
    """Return the role that a noun with "of", "for", "at" or an owner ("Acme's head") names; None if it is none."""
    for owner in children(parse, noun, "poss"):
        held = _named(parse, noun, phrase_at(parse, owner), vocabulary)
        one = parse[owner].is_name or any(parse[word].text.casefold() == "the" for word in children(parse, owner, "det"))
        if held is not None and one:  # a children's author is no author of children
            return held
    for preposition in children(parse, noun, "prep"):
        holders = children(parse, preposition, "pobj")
        if parse[preposition].text.casefold() not in {"of", "for", "at"} or not holders or preposition < noun:
            continue
        holder = phrase_at(parse, holders[0])
        loose = parse[preposition].text.casefold() == "of" and bool(holder.names) and parse[noun].pos == "NOUN" and not parse[noun].is_name
        held = _named(parse, noun, holder, vocabulary, loose=loose)
        if held is not None:
            return held
    return None


def _named(parse: Parse, noun: int, holder: Phrase, vocabulary: Vocabulary, *, loose: bool = False) -> Role | None:
    """Return the role that the words up to a noun name; if not `loose`, only one that the vocabulary knows."""
    owners = {word for owner in children(parse, noun, "poss") for word in subtree(parse, owner)}
    left = [word for word in phrase_at(parse, noun).words if word <= noun and word not in owners and parse[word].dep not in {"det", "case"}]
    words = [word for part in left if not parse[part].is_name for word in fold(parse[part].text).split()]  # "ex-head" is one token
    qualifiers, name = vocabulary.qualified([word for word in words if word not in OVER | NOW], " of")
    known = f"{name} of" in vocabulary.inverses or vocabulary.canonical(f"{name} of") in vocabulary.predicates
    return Role(f"{name} of", holder, qualifiers, bool(OVER & set(words))) if known or loose else None


def bearer(parse: Parse, noun: int, vocabulary: Vocabulary) -> int:
    """Return the name that stands beside a role ("the head of Acme, Ruth Amadi, ..."), else the noun itself."""
    role = None if parse[noun].is_name else role_of(parse, noun, vocabulary)
    if role is None or role.words not in vocabulary.inverses:
        return noun
    names = [word for near in (noun, role.holder.head) for word in children(parse, near, "appos") if parse[word].is_name and is_aside(parse, word)]
    return names[0] if names else noun
