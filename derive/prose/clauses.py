"""Clauses: each verb of a parse with its subjects, and the parts that complete it."""

from collections.abc import Iterator
from dataclasses import dataclass

from derive.prose.token import Parse, children, is_aside, subtree

_SUBJECTS = ("nsubj", "nsubjpass")
_WHO = frozenset({"who", "which", "that"})
BOUNDS = frozenset({"later", "newer", "higher", "above", "more", "greater", "older", "less", "fewer", "earlier", "longer", "lower"})
"""What may follow "or" and widens a value instead of offering another one."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb (index), and the nouns that are its subjects. `relative`: found through "who" or "which"; `close`: right behind the noun."""

    verb: int
    subjects: tuple[int, ...]
    relative: bool = False
    close: bool = True


def clauses(parse: Parse) -> Iterator[Clause]:
    """Yield the clauses of a sentence whose subject can be told; a verb joined by "and" has the subject of the verb it is joined to."""
    for number, token in enumerate(parse):
        if token.pos not in {"VERB", "AUX"} or token.dep in {"aux", "auxpass", "amod", "compound", "csubj"}:
            continue
        subjects, relative = _subjects(parse, number)
        if subjects:
            pronouns = [word for word in children(parse, number, *_SUBJECTS) if relative]
            yield Clause(number, tuple(subjects), relative, all(word - subjects[0] <= 2 for word in pronouns))


def _subjects(parse: Parse, verb: int) -> tuple[list[int], bool]:
    """Return the subjects of a verb, and whether they were found through a relative pronoun."""
    own = children(parse, verb, *_SUBJECTS)
    token = parse[verb]
    if own:
        subject = own[0]
        if parse[subject].text.casefold() in _WHO:
            # "boats that wait": only an aside, or what is said of a name, speaks of all that the noun means
            apart = token.dep == "relcl" and (parse[token.head].is_name or is_aside(parse, verb))
            return ([token.head], True) if apart else ([], False)
        return joined(parse, subject), False
    if is_participle(parse, verb):
        return ([token.head], True) if token.dep == "acl" else _subjects(parse, token.head)
    if token.dep in {"conj", "xcomp"} and token.head != verb and parse[token.head].pos in {"VERB", "AUX"}:
        return _subjects(parse, token.head)
    return [], False


def is_complete(parse: Parse) -> bool:
    """Tell whether the verb on which all hangs has a subject, or stands first and needs none: "Suppose ..."."""
    tops = [number for number, token in enumerate(parse) if token.head == number and token.pos in {"VERB", "AUX"}]
    return any(number == 0 or children(parse, number, *_SUBJECTS, "expl") for number in tops)


def is_participle(parse: Parse, verb: int) -> bool:
    """Tell whether a participle stands as an aside: "the bakery, founded in 1921, ..."; "Built in 1887, the lighthouse ..."."""
    token = parse[verb]
    if token.tag != "VBN" or token.head == verb or children(parse, verb, "mark", "aux", "auxpass", "advmod"):
        return False
    if token.dep == "acl":
        return token.head < verb and is_aside(parse, verb)
    return token.dep == "advcl" and min(subtree(parse, verb)) == 0 and verb < token.head and parse[token.head].pos in {"VERB", "AUX"}


def joined(parse: Parse, noun: int) -> list[int]:
    """Return a noun and those joined to it by "and"; with "or" it is not said which, so there is none."""
    found = [noun]
    place = noun
    while True:
        if any(_parts(parse, word) for word in children(parse, place, "cc")):
            return []
        others = [other for other in children(parse, place, "conj") if parse[other].pos in {"NOUN", "PROPN", "NUM", "PRON"}]
        if not others:
            return found
        place = others[0]
        found += others


def _parts(parse: Parse, word: int) -> bool:
    """Tell whether an "or" leaves open which one is meant; "or later" and "neither ... nor" do not."""
    text = parse[word].text.casefold()
    if text == "nor":
        return not any(token.text.casefold() == "neither" for token in parse[:word])
    return text == "or" and (word + 1 >= len(parse) or parse[word + 1].text.casefold() not in BOUNDS)


def is_passive(parse: Parse, verb: int) -> bool:
    """Tell whether a verb is passive, through the verb that it is joined to if need be."""
    if children(parse, verb, "auxpass", "nsubjpass") or is_participle(parse, verb):
        return True
    token = parse[verb]
    alone = not children(parse, verb, "aux", "nsubj")
    return token.dep == "conj" and token.tag == "VBN" and alone and token.head != verb and is_passive(parse, token.head)


def is_past(parse: Parse, verb: int) -> bool:
    """Tell whether a clause speaks of the past only: "led", "was led", "had led", but not "has led"."""
    auxiliaries = [parse[child] for child in children(parse, verb, "aux", "auxpass")]
    finite = [token for token in auxiliaries if token.tag in {"VBZ", "VBP", "VBD", "MD"}]
    if finite:
        return finite[0].tag == "VBD" and finite[0].lemma != "do"
    token = parse[verb]
    if token.dep == "conj" and token.tag == "VBN" and token.head != verb:
        return is_past(parse, token.head)
    return token.tag == "VBD"
