"""Roles: "the acting CEO of Acme" as predicate words, holder and qualifiers, and the name that stands beside one."""

from dataclasses import dataclass

from derive.phrases import Phrase, phrase_at
from derive.token import Parse, children, is_aside
from schemas.vocabulary import Vocabulary, fold

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
    """Return the role that a noun with "of", "for" or "at" names; None if it is none."""
    for preposition in children(parse, noun, "prep"):
        holders = children(parse, preposition, "pobj")
        if parse[preposition].text.casefold() not in {"of", "for", "at"} or not holders or preposition < noun:
            continue
        before = [word for word in phrase_at(parse, noun).words if word <= noun and parse[word].dep not in {"det", "poss", "case"}]
        before = [word for word in before if not parse[word].is_name]
        words = [word for part in before for word in fold(parse[part].text).split()]  # "ex-head" is one token
        over = bool(OVER & set(words))
        qualifiers, name = vocabulary.qualified([word for word in words if word not in OVER], " of")
        holder = phrase_at(parse, holders[0])
        known = f"{name} of" in vocabulary.inverses
        if known or (parse[preposition].text.casefold() == "of" and holder.names and parse[noun].pos == "NOUN" and not parse[noun].is_name):
            return Role(f"{name} of", holder, qualifiers, over)
    return None


def bearer(parse: Parse, noun: int, vocabulary: Vocabulary) -> int:
    """Return the name that stands beside a role ("the head of Acme, Ruth Amadi, ..."), else the noun itself."""
    role = None if parse[noun].is_name else role_of(parse, noun, vocabulary)
    if role is None or role.words not in vocabulary.inverses:
        return noun
    names = [word for near in (noun, role.holder.head) for word in children(parse, near, "appos") if parse[word].is_name and is_aside(parse, word)]
    return names[0] if names else noun
