"""Noun phrases of a parse: their words without relative clauses and other asides, and what kind of value they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.dates.time import whole_moment
from derive.markup.structure import is_name
from derive.prose.token import Parse, Token, children, is_aside

_INSIDE = ("det", "predet", "compound", "amod", "nummod", "nmod", "poss", "case", "quantmod", "npadvmod", "nn")
_ARTICLES = frozenset({"the", "a", "an"})
_DROPPED = _ARTICLES | {"no", "neither", "both"}
_VAGUE = frozenset(
    {"this", "that", "these", "those", "such", "its", "his", "her", "their", "our", "your", "my", "other", "another", "same", "latter", "whose"}
)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
UNITS = frozenset(
    """m km cm mm kg g t mg l ml s ms h min % percent per ° €  metre metres meter meters kilometre kilometres kilometer kilometers mile miles
    knot knots foot feet inch inches ton tons tonne tonnes litre litres liter liters watt watts kw mw kb mb gb tb byte bytes bit bits
    second seconds minute minutes hour hours day days week weeks month months year years euro euros dollar dollars crown crowns pound pounds
    cent cents degree degrees""".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: its text without a leading article, its words (indices) with it, and the word that it hangs on.

    `counted` is the noun that a quantity counts ("cars" of "90 cars"), "" for a quantity with a unit ("6 m"), None for what is no quantity.
    `names` are the names in it. `vague`: it points elsewhere ("this", "their lock") and means nothing alone. `indefinite`: "a passenger".
    """

    text: str
    words: tuple[int, ...]
    head: int
    counted: str | None
    names: tuple[str, ...]
    vague: bool = False
    indefinite: bool = False

    def fits(self, kind: str) -> bool:
        """Tell whether the phrase can be a value of a type of the vocabulary."""
        match kind:
            case "name":
                return self.counted is None and is_name(self.text)
            case "quantity":
                return self.counted is not None
            case "number":
                return self.text[:1].isdigit() and (self.counted is not None or " " not in self.text)
            case "date":
                return whole_moment(self.text) is not None
            case "version" | "boolean":
                return not is_name(self.text)
            case _:
                return True


def phrase_at(parse: Parse, head: int, *, whole: bool = False) -> Phrase:
    """Return the noun phrase around a noun; a whole one with all prepositions ("the offer for the barge"), else with "of" only."""
    words = _contiguous(sorted(_members(parse, head, whole=whole)), head)
    kept = words[1:] if len(words) > 1 and parse[words[0]].text.casefold() in _DROPPED else words
    while len(kept) > 1 and kept[-1] > head and (parse[kept[-1]].dep == "case" or parse[kept[-1]].pos == "ADP"):
        kept = kept[:-1]
    text = spelled(parse, kept)
    names = tuple(dict.fromkeys(_names(parse, kept)))
    vague = any(parse[number].text.casefold() in _VAGUE for number in words) or parse[head].pos in {"PRON", "ADJ"}
    counted = _counted(parse, head, words, kept)
    indefinite = counted is not None or parse[words[0]].text.casefold() in {"a", "an", "some", "another", "several"}
    return Phrase(text, tuple(words), head, counted, names, vague, indefinite)


def spelled(parse: Parse, words: Sequence[int]) -> str:
    """Return words as they stand in the text, single spaces where the text has any."""
    text, before = "", None
    for token in (parse[number] for number in words):
        text += token.text if before is None or token.start == before.end else " " + token.text
        before = token
    return text


def _names(parse: Parse, words: Sequence[int]) -> Iterator[str]:
    """Yield the names in a phrase; "Town of Pellness" is one, and Pellness is another, but Town is none."""
    places = [number for number in words if parse[number].is_name]
    for place in places:
        behind = next((number for number in words if number > place and parse[number].text.casefold() not in {"of", "the"}), None)
        linked = behind in places and place + 1 in words and parse[place + 1].text.casefold() == "of"
        yield spelled(parse, range(place, behind + 1)) if linked and behind is not None else parse[place].text


def restricted(parse: Parse, head: int) -> bool:
    """Tell whether a clause narrows a noun down ("boats that wait"), so that the noun alone says too much. An aside between commas does not."""
    return not parse[head].is_name and any(not is_aside(parse, child) for child in children(parse, head, "relcl", "acl") if child > head)


def _members(parse: Parse, head: int, *, whole: bool = False) -> set[int]:
    found = {head}
    for child in children(parse, head):
        token = parse[child]
        if (token.dep in _INSIDE) or (token.dep == "punct" and token.text in {"-", "/"}):
            found |= _members(parse, child)
        elif token.dep == "prep" and (whole or token.text.casefold() == "of") and child > head:
            found.add(child)
            for noun in children(parse, child, "pobj"):
                found |= _members(parse, noun, whole=whole)
        elif token.dep == "appos" and child > head and parse[child - 1].text not in {",", "(", "-", "–", ":"}:
            found |= _members(parse, child, whole=whole)
        elif token.dep in {"conj", "cc"} and parse[head].dep in {"amod", "compound", "nmod"}:
            found |= _members(parse, child)
    return found


def _contiguous(words: list[int], head: int) -> list[int]:
    """Return the run of neighbouring words around the head."""
    first = last = words.index(head)
    while first > 0 and words[first - 1] == words[first] - 1:
        first -= 1
    while last + 1 < len(words) and words[last + 1] == words[last] + 1:
        last += 1
    return words[first : last + 1]


def _counted(parse: Parse, head: int, words: Sequence[int], kept: Sequence[int]) -> str | None:
    """Return what a quantity counts; a definite one ("the two locks") is a thing, not a quantity."""
    definite = parse[words[0]].text.casefold() in _ARTICLES - {"a", "an"}
    numbers = [child for child in children(parse, head, "nummod") if parse[child].pos == "NUM" and child < head]
    if definite or parse[head].is_name:
        return None
    if _is_number(parse[head]):
        return None if children(parse, head, "prep") else ""  # "one of the companies" counts nothing
    if not numbers:
        return None
    if parse[head].tag == "NN" and all(_YEAR.fullmatch(parse[number].text) for number in numbers):
        return None  # "a 1988 film" counts no films
    noun = spelled(parse, [number for number in kept if number > max(numbers) and number <= head]).casefold()
    return "" if noun.split()[0].partition("/")[0] in UNITS else noun


def _is_number(token: Token) -> bool:
    return token.pos == "NUM" and whole_moment(token.text) is None
