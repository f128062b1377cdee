"""Asides: what stands beside a name without a verb of its own, and what there is at a place.

| pattern | gives |
|---|---|
| apposition: Alice Chen (CEO of Acme); the CEO of Acme, Alice Chen | Alice Chen, ceo of, Acme |
| definition: Beta Labs, a startup | Beta Labs, is, startup |
| existence: there are three cranes on the quay | quay, has, three cranes |
"""

from collections.abc import Iterator

from derive.prose.clauses import joined
from derive.prose.drafts import Draft
from derive.prose.phrases import phrase_at
from derive.prose.roles import Role, bearer, role_of
from derive.prose.token import Parse, children, subtree
from schemas.vocabulary import Vocabulary

_WHERE = frozenset({"in", "at", "on", "near"})


def existentials(parse: Parse) -> Iterator[Draft]:
    """Yield what "there are three cranes on the quay" says of the place."""
    for expletive in (number for number, token in enumerate(parse) if token.dep == "expl"):
        verb = parse[expletive].head
        for noun in (each for first in children(parse, verb, "attr", "nsubj", "dobj") for each in joined(parse, first)):
            for preposition in children(parse, noun, "prep") + children(parse, verb, "prep"):
                if parse[preposition].text.casefold() not in _WHERE or preposition < noun:
                    continue
                for place in children(parse, preposition, "pobj"):
                    covers = (expletive, *children(parse, verb, "aux", "neg"), verb, preposition)
                    yield Draft(phrase_at(parse, place, whole=True), "has", "have", phrase_at(parse, noun), verb, covers, shared=True)


def appositions(parse: Parse, vocabulary: Vocabulary) -> Iterator[Draft]:
    """Yield roles and definitions that stand beside a name: "Alice Chen, the CEO of Acme," and "Beta Labs, a startup,"."""
    for number, token in enumerate(parse):
        role = role_of(parse, number, vocabulary)
        behind = bearer(parse, number, vocabulary) if token.pos == "NOUN" else number
        if role is not None and behind != number:
            yield _beside(parse, behind, number, role, vocabulary)
        if token.dep != "appos" or parse[token.head].pos != "PROPN":
            continue
        if role is not None:
            yield _beside(parse, token.head, number, role, vocabulary)
        elif token.pos == "NOUN" and any(parse[word].text.casefold() in {"a", "an"} for word in children(parse, number, "det")):
            subject, aside = phrase_at(parse, token.head), phrase_at(parse, number)
            yield Draft(subject, "is", "is", aside, token.head, (), definition=True, aside=True)


def _beside(parse: Parse, name: int, noun: int, role: Role, vocabulary: Vocabulary) -> Draft:
    """Return the role of the name that it stands beside. An unknown one is often another name's, unless it follows at once."""
    near = min(subtree(parse, noun)) - name == 2 and any(parse[word].text.casefold() == "the" for word in children(parse, noun, "det"))
    words = [word for word in subtree(parse, noun) if word > name or noun < name]
    covers = tuple(word for word in words if (word < name or noun > name) and parse[word].text not in {",", "("})
    cost = 0.0 if near or role.words in vocabulary.inverses else 0.1
    return Draft(phrase_at(parse, name), role.words, role.words, role.holder, name, covers, scope=role.scope, over=role.over, aside=True, cost=cost)
