"""Tokens: a parsed sentence, whichever parser made it. Tags, labels and heads as spaCy's English models use them."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Token:
    """One word with its place in the parse. `head` is the index of its head (its own for the root); [start, end) are offsets in the block."""

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int
    end: int
    is_name: bool = False


Parse: TypeAlias = tuple[Token, ...]


def children(parse: Parse, index: int, *deps: str) -> list[int]:
    """Return the indices of the words that hang on a word, with one of the labels if any are given, in their order."""
    return [number for number, token in enumerate(parse) if token.head == index and number != index and (not deps or token.dep in deps)]


def is_aside(parse: Parse, index: int) -> bool:
    """Tell whether a clause or phrase that hangs on a noun stands behind a comma or in brackets: then it adds to the noun and does not narrow it."""
    first = min(subtree(parse, index))
    return any(token.text in {",", "(", "–", "—"} for token in parse[max(first - 1, 0) : first + 1])


def subtree(parse: Parse, index: int) -> list[int]:
    """Return a word and all that hangs on it, in the order of the text."""
    found = [index]
    for word in found:
        found += children(parse, word)
    return sorted(found)
