"""Mending: places where statistical parsers go wrong in plain technical prose, put right by grammar that leaves no choice."""

from collections.abc import Iterator
from dataclasses import replace

from derive.prose.phrases import UNITS
from derive.prose.token import Parse, Token, children

DIMENSIONS = {"wide": "width", "long": "length", "high": "height", "tall": "height", "deep": "depth", "thick": "thickness", "old": "age"}
_JOINTS = frozenset({"and", ","})
_NOUNS = frozenset({"NOUN", "PROPN"})


def mended(parse: Parse) -> Parse:
    """Return the parse with measures ("6 m wide and 12 m long"), doubled subjects ("the night ferry") and numbered nouns ("port 8080") put right."""
    tokens = list(parse)
    _measures(tokens)
    _doubled_subjects(tokens)
    _numbered_nouns(tokens)
    _names_as_objects(tokens)
    return tuple(tokens)


def _measures(tokens: list[Token]) -> None:
    """Make a number, a unit and a dimension one adjective of the verb "be", or of the dimension that it is joined to."""
    before: int | None = None
    for number in range(len(tokens) - 2):
        digit, unit, dimension = tokens[number : number + 3]
        if digit.pos != "NUM" or unit.text.casefold() not in UNITS or dimension.text.casefold() not in DIMENSIONS:
            continue
        head = _owner(tokens, number, before)
        if head is None:
            continue
        tokens[number] = replace(digit, dep="nummod", head=number + 1)
        tokens[number + 1] = replace(unit, pos="NOUN", dep="npadvmod", head=number + 2)
        tokens[number + 2] = replace(dimension, pos="ADJ", dep="acomp" if tokens[head].lemma == "be" else "conj", head=head)
        before = number + 2


def _owner(tokens: list[Token], number: int, before: int | None) -> int | None:
    """Return what a measure that begins here hangs on; None if that is not plain to see."""
    if before is not None and all(token.text in _JOINTS for token in tokens[before + 1 : number]):
        return before
    own = {number, number + 1, number + 2}
    return number - 1 if number and tokens[number - 1].lemma == "be" and not own & set(_heads(tokens, number - 1)) else None


def _heads(tokens: list[Token], number: int) -> Iterator[int]:
    """Yield the words above a word, up to the one that all hang on."""
    while tokens[number].head != number:
        number = tokens[number].head
        yield number


def _doubled_subjects(tokens: list[Token]) -> None:
    """Make a noun that stands right before another subject of the same verb part of its name."""
    for number in range(len(tokens) - 1):
        one, other = tokens[number], tokens[number + 1]
        shared = one.dep == other.dep == "nsubj" and one.head == other.head and one.head not in (number, number + 1)
        if shared and one.pos in _NOUNS and other.pos in _NOUNS:
            tokens[number] = replace(one, dep="compound", head=number + 1)
            for word in children(tuple(tokens), number, "det", "amod", "compound", "poss", "nummod"):
                tokens[word] = replace(tokens[word], head=number + 1)


def _names_as_objects(tokens: list[Token]) -> None:
    """Make a name right behind a verb that has no object its object: "returns JSON" is not "returns Mondays"."""
    for number in range(1, len(tokens)):
        name, verb = tokens[number], tokens[number - 1]
        loose = name.is_name and name.dep == "npadvmod" and name.head == number - 1 and verb.pos == "VERB"
        if loose and not children(tuple(tokens), number - 1, "dobj"):
            tokens[number] = replace(name, dep="dobj")


def _numbered_nouns(tokens: list[Token]) -> None:
    """Make a number that stands right behind a singular noun its own, if the parser took both for objects of one word."""
    for number in range(len(tokens) - 1):
        noun, digit = tokens[number], tokens[number + 1]
        both = (noun.head, noun.dep) == (digit.head, digit.dep) and noun.head != number + 1
        if both and digit.pos == "NUM" and digit.text.isdigit() and noun.tag == "NN":
            tokens[number + 1] = replace(digit, dep="nummod", head=number)
