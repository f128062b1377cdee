"""Stance: whether a sentence asserts what its verb says (design notes on facts from the parse). Only what is asserted becomes a believed fact."""

from collections.abc import Container
from enum import StrEnum
from itertools import pairwise

from derive.prose.clauses import is_participle
from derive.prose.token import Parse, children
from derive.prose.verbs import STATES


class Stance(StrEnum):
    """How a sentence holds what a verb says.

    ENDED is negated from then on: "no longer", "stopped". OVER held once: "formerly", "used to"; its dates say when it did.
    """

    ASSERTED = "asserted"
    POSSIBLE = "possible"
    NEGATED = "negated"
    ENDED = "ended"
    OVER = "over"
    NOT_ASSERTED = "not asserted"


_PLANS = frozenset(
    """plan intend expect want propose try hope seek aim agree decide wish consider promise schedule mean suppose prepare attempt need seem appear
    recommend suggest fail refuse decline deny avoid forget""".split()
)
_CONDITIONS = frozenset({"if", "unless", "when", "whenever", "once", "until", "whether", "in case", "as long as", "provided"})
_HEDGES = frozenset("reportedly allegedly supposedly perhaps maybe possibly probably presumably apparently hopefully according".split())
_OVER_CUES = frozenset({"formerly", "previously"})
_PAST_CUES = _OVER_CUES | {"originally", "once"}
_NEARLY = frozenset({"almost", "nearly", "virtually"})
_STOPS = frozenset({"stop", "cease", "discontinue", "quit"})
_DOES = frozenset({"begin", "start", "continue", "keep", "help", "go", "come", "proceed", "serve", "remain"})
"""Verbs whose complement is done: who helps to run a clinic runs it. Of who hopes, is asked or is set to run one nobody knows."""
_AHEAD = frozenset("due likely unlikely about bound scheduled expected slated supposed planned ready keen eager willing poised meant unable".split())
"""Words that, with "to", say what is to come or is wished."""
_ABLE = frozenset({"able", "free"})
_ALSO = frozenset({"only", "just", "merely", "solely", "simply"})
"""Behind "not" they deny nothing: who is not only an owner is one."""
_SLIGHT = frozenset({"not", "few", "little", "hardly", "scarcely", "barely"})
_FACTIVE = frozenset({"although", "though", "whereas", "while", "because"})
"""What a clause with one of these says is so."""
_TALES = frozenset("novel story film movie play game legend myth fiction scenario simulation dream example tale".split())
_NOBODY = frozenset({"no", "neither", "nobody", "nothing", "none", "never", "hardly", "rarely", "seldom"})


def stance_of(parse: Parse, verb: int) -> Stance:
    """Return how the sentence holds the clause of a verb: its own words, then those of the verbs above it."""
    if (
        parse[-1].text == "?"
        or parse[0].text.casefold() == "without"
        or _hedged(parse)
        or _told(parse)
        or _quoted(parse, verb)
        or _subordinate(parse, verb)
    ):
        return Stance.NOT_ASSERTED
    own = _own(parse, verb)
    return own if own is not Stance.ASSERTED else _above(parse, verb)


def _above(parse: Parse, verb: int) -> Stance:
    """Return how the verbs above a verb hold its clause."""
    head, dep = parse[verb].head, parse[verb].dep
    if dep == "acl" and children(parse, verb, "mark"):
        return Stance.ASSERTED if parse[head].lemma == "fact" else Stance.NOT_ASSERTED  # "no evidence that", "the claim that"
    if head == verb or dep not in {"xcomp", "ccomp", "conj", "advcl", "pcomp"} or is_participle(parse, verb):
        return Stance.ASSERTED
    if dep == "conj":
        return _joined(parse, verb, head)
    if dep == "advcl" and any(parse[word].text.casefold() in _FACTIVE for word in children(parse, verb, "mark")):
        return Stance.NOT_ASSERTED if _subordinate(parse, head) else _above(parse, head)
    if dep == "xcomp" and (parse[head].lemma in _STOPS or _used_to(parse, head)):
        held = Stance.OVER if _used_to(parse, head) else Stance.ENDED
        return held if _own(parse, head) is Stance.ASSERTED else Stance.NOT_ASSERTED
    if dep != "xcomp" or parse[head].lemma not in _DOES or parse[head].text.casefold() == "going":
        return Stance.NOT_ASSERTED
    return stance_of(parse, head)


def _joined(parse: Parse, verb: int, head: int) -> Stance:
    """Return how a verb joined to another one is held: "is not open and has no pier".

    A negation stays with its verb. A modal covers both, unless the second has a subject of its own; a report or a condition covers both.
    """
    if children(parse, verb, "nsubj", "nsubjpass"):
        return Stance.NOT_ASSERTED if _subordinate(parse, head) else _above(parse, head)
    before = stance_of(parse, head)
    return Stance.ASSERTED if before in {Stance.NEGATED, Stance.ENDED, Stance.OVER} and _stands_alone(parse, verb) else before


def _hedged(parse: Parse) -> bool:
    """Tell whether the sentence puts its content into somebody's mouth, or in doubt, wherever the parser hung that word."""
    return any(token.text.casefold() in _HEDGES for token in parse)


def _told(parse: Parse) -> bool:
    """Tell whether a sentence speaks of a story or an example: "in the novel"."""
    return any(
        parse[word].text.casefold() == "in" and parse[noun].lemma.casefold() in _TALES
        for noun, token in enumerate(parse)
        if token.dep == "pobj"
        for word in (token.head,)
    )


def _own(parse: Parse, verb: int) -> Stance:
    words = {parse[child].text.casefold(): child for child in children(parse, verb)}
    if _NEARLY & set(words) or _ahead(parse, verb) or (parse[verb].lemma in _PLANS and children(parse, verb, "xcomp", "ccomp")):
        return Stance.NOT_ASSERTED
    recently = _until_recently(parse)
    if "longer" not in words and (recently or _PAST_CUES & set(words)):
        lasting = parse[verb].lemma in STATES and not _denied(parse, verb, words) and not _modal(parse, verb)
        return Stance.OVER if (recently or _OVER_CUES & set(words)) and lasting else Stance.NOT_ASSERTED
    if any(parse[child].text.casefold() in _CONDITIONS for child in children(parse, verb, "mark", "advmod")):
        return Stance.NOT_ASSERTED
    if _no_longer(parse, verb):
        return Stance.ENDED
    if _neither(parse, verb):
        return Stance.NOT_ASSERTED if _modal(parse, verb) or _denied(parse, verb, words) else Stance.NEGATED
    if _has_no(parse, verb, "nsubj", "nsubjpass") or any(_is_slight(parse, noun) for noun in children(parse, verb, "nsubj", "nsubjpass")):
        return Stance.NOT_ASSERTED
    if _denied(parse, verb, words):
        return Stance.NEGATED if _modal(parse, verb) in {"", "can"} else Stance.NOT_ASSERTED
    modal = _modal(parse, verb)
    if modal and modal != "can":
        return Stance.NOT_ASSERTED
    return Stance.POSSIBLE if modal or _able(parse, verb) else Stance.ASSERTED


def _denied(parse: Parse, verb: int, words: Container[str]) -> bool:
    negations = [word for word in children(parse, verb, "neg") if word + 1 >= len(parse) or parse[word + 1].text.casefold() not in _ALSO]
    return bool(negations) or any(word in words for word in _NOBODY) or _has_no(parse, verb, "dobj", "attr")


def _neither(parse: Parse, verb: int) -> bool:
    """Tell whether the subjects of a verb are "neither A nor B": both are denied."""
    subjects = children(parse, verb, "nsubj", "nsubjpass")
    return any(
        parse[word].text.casefold() == "neither" for noun in subjects for word in children(parse, noun, "preconj", "det") if _is_joined(parse, noun)
    )


def _is_joined(parse: Parse, noun: int) -> bool:
    return any(parse[word].text.casefold() == "nor" for word in children(parse, noun, "cc"))


def _used_to(parse: Parse, verb: int) -> bool:
    """Tell whether a verb is "used" of "used to work"; in "is used to drain" it is another word."""
    bare = parse[verb].text.casefold() == "used" and not children(parse, verb, "auxpass", "aux")
    return bare and verb + 1 < len(parse) and parse[verb + 1].text == "to"


def _until_recently(parse: Parse) -> bool:
    return any(one.text.casefold() == "until" and other.text.casefold() == "recently" for one, other in pairwise(parse))


def _ahead(parse: Parse, verb: int) -> bool:
    """Tell whether a verb or its complement says what is to come: "is due to close", "is scheduled to close", "is set to close", "is to close"."""
    for word in (verb, *children(parse, verb, "acomp", "oprd", "attr")):
        text = parse[word].text.casefold()
        after = parse[word + 1 : word + 3]
        if len(after) < 2 or after[0].text != "to":
            continue
        acts = after[1].tag == "VB" or after[1].pos in {"VERB", "AUX"}
        if (text in _AHEAD and (acts or text != "due")) or (acts and (text == "set" or parse[word].lemma == "be")):
            return True
    return False


def _able(parse: Parse, verb: int) -> bool:
    return any(parse[word].text.casefold() in _ABLE and children(parse, word, "xcomp") for word in children(parse, verb, "acomp"))


def _quoted(parse: Parse, verb: int) -> bool:
    """Tell whether a verb stands in quotation marks: then somebody else says so."""
    before = [token.text for token in parse[:verb]]
    plain = before.count('"') % 2 == 1 and any(token.text == '"' for token in parse[verb:])
    return plain or before.count("“") > before.count("”")


def _modal(parse: Parse, verb: int) -> str:
    return next((parse[child].text.casefold() for child in children(parse, verb, "aux") if parse[child].tag == "MD"), "")


def _no_longer(parse: Parse, verb: int) -> bool:
    return any(
        parse[child].text.casefold() in {"longer", "more"} and child > 0 and parse[child - 1].text.casefold() in {"no", "any"}
        for child in children(parse, verb, "advmod", "npadvmod")
    ) or any(parse[child].text.casefold() == "anymore" for child in children(parse, verb, "advmod") if children(parse, verb, "neg"))


def _has_no(parse: Parse, verb: int, *deps: str) -> bool:
    """Tell whether a subject or object is negated: "no ferry", "nobody", "neither". Of "no ferry" a denial says too much: it may be another one."""
    for noun in children(parse, verb, *deps):
        if parse[noun].text.casefold() in _NOBODY or any(parse[word].text.casefold() in _NOBODY for word in children(parse, noun, "det", "neg")):
            return True
    return False


def _is_slight(parse: Parse, noun: int) -> bool:
    """Tell whether a subject is "not all ferries", "few ferries" or "hardly any ferry": what is said is not said of ferries."""
    near = children(parse, noun, "neg", "amod", "det", "predet", "advmod", "quantmod", "nummod")
    words = {parse[word].text.casefold() for one in near for word in (one, *children(parse, one))}
    return bool(_SLIGHT & words) and "a" not in words


def _subordinate(parse: Parse, verb: int) -> bool:
    """Tell whether the verb holds under a condition only: it has a clause with "if" or "when" below it."""
    return any(
        any(parse[word].text.casefold() in _CONDITIONS for word in children(parse, clause, "mark", "advmod"))
        for clause in children(parse, verb, "advcl")
    )


def _stands_alone(parse: Parse, verb: int) -> bool:
    return bool(children(parse, verb, "aux", "auxpass")) or parse[verb].tag in {"VBZ", "VBP", "VBD"}
