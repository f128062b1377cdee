"""Stance: whether a sentence asserts what its verb says (design notes on facts from the parse). Only what is asserted becomes a believed fact."""

from enum import StrEnum

from derive.token import Parse, children


class Stance(StrEnum):
    """How a sentence holds what a verb says. ENDED is negated from now on: "no longer", "stopped"."""

    ASSERTED = "asserted"
    POSSIBLE = "possible"
    NEGATED = "negated"
    ENDED = "ended"
    NOT_ASSERTED = "not asserted"


_PLANS = frozenset(
    """plan intend expect want propose try hope seek aim agree decide wish consider promise schedule mean suppose prepare attempt need seem appear
    recommend suggest fail refuse decline deny avoid forget""".split()
)
_REPORTS = frozenset(
    "say claim report announce believe think argue allege state suggest deny doubt hope expect warn assume estimate note write tell ask".split()
)
_CONDITIONS = frozenset({"if", "unless", "when", "whenever", "once", "until", "whether", "in case", "as long as", "provided"})
_HEDGES = frozenset("reportedly allegedly supposedly perhaps maybe possibly probably presumably apparently hopefully according".split())
_PAST_CUES = frozenset({"formerly", "previously", "originally", "once"})
_STOPS = frozenset({"stop", "cease", "discontinue", "quit"})
_NOBODY = frozenset({"no", "neither", "nobody", "nothing", "none", "never", "hardly", "rarely", "seldom"})


def stance_of(parse: Parse, verb: int) -> Stance:
    """Return how the sentence holds the clause of a verb: its own words, then those of the verbs above it."""
    if parse[-1].text == "?" or _hedged(parse) or _subordinate(parse, verb):
        return Stance.NOT_ASSERTED
    own = _own(parse, verb)
    if own is not Stance.ASSERTED:
        return own
    head = parse[verb].head
    if head == verb or parse[verb].dep not in {"xcomp", "ccomp", "conj", "advcl", "pcomp"}:
        return Stance.ASSERTED
    if parse[verb].dep == "xcomp" and parse[head].lemma in _STOPS:
        return Stance.ENDED if _own(parse, head) is Stance.ASSERTED else Stance.NOT_ASSERTED
    if parse[head].lemma in _PLANS | _REPORTS and parse[verb].dep != "conj":
        return Stance.NOT_ASSERTED
    above = stance_of(parse, head)
    if parse[verb].dep == "conj":
        # "is not open and has no pier": the negation stays with its verb, a modal or a report covers both
        return Stance.ASSERTED if above in {Stance.NEGATED, Stance.ENDED} and _has_own_subject_or_auxiliary(parse, verb) else above
    return Stance.NOT_ASSERTED if parse[verb].dep in {"advcl", "ccomp", "pcomp"} else above


def _hedged(parse: Parse) -> bool:
    """Tell whether the sentence puts its content into somebody's mouth, or in doubt, wherever the parser hung that word."""
    return any(token.text.casefold() in _HEDGES for token in parse)


def _own(parse: Parse, verb: int) -> Stance:
    words = {parse[child].text.casefold(): child for child in children(parse, verb)}
    if parse[verb].lemma in _PLANS and children(parse, verb, "xcomp", "ccomp"):
        return Stance.NOT_ASSERTED
    if "longer" not in words and _PAST_CUES & set(words):
        return Stance.NOT_ASSERTED
    if any(parse[child].text.casefold() in _CONDITIONS for child in children(parse, verb, "mark", "advmod")):
        return Stance.NOT_ASSERTED
    if _no_longer(parse, verb):
        return Stance.ENDED
    if _has_no(parse, verb, "nsubj", "nsubjpass"):
        return Stance.NOT_ASSERTED
    if children(parse, verb, "neg") or _NOBODY & set(words) or _has_no(parse, verb, "dobj", "attr"):
        return Stance.NOT_ASSERTED if _modal(parse, verb) else Stance.NEGATED
    modal = _modal(parse, verb)
    if modal:
        return Stance.POSSIBLE if modal == "can" else Stance.NOT_ASSERTED
    return Stance.ASSERTED


def _modal(parse: Parse, verb: int) -> str:
    return next((parse[child].text.casefold() for child in children(parse, verb, "aux") if parse[child].tag == "MD"), "")


def _no_longer(parse: Parse, verb: int) -> bool:
    return any(
        parse[child].text.casefold() == "longer" and child > 0 and parse[child - 1].text.casefold() in {"no", "any"}
        for child in children(parse, verb)
    )


def _has_no(parse: Parse, verb: int, *deps: str) -> bool:
    """Tell whether a subject or object is negated: "no ferry", "nobody", "neither". Of "no ferry" a denial says too much: it may be another one."""
    for noun in children(parse, verb, *deps):
        if parse[noun].text.casefold() in _NOBODY or any(parse[word].text.casefold() in _NOBODY for word in children(parse, noun, "det", "neg")):
            return True
    return False


def _subordinate(parse: Parse, verb: int) -> bool:
    """Tell whether the verb holds under a condition only: it has a clause with "if" or "when" below it."""
    return any(
        any(parse[word].text.casefold() in _CONDITIONS for word in children(parse, clause, "mark", "advmod"))
        for clause in children(parse, verb, "advcl")
    )


def _has_own_subject_or_auxiliary(parse: Parse, verb: int) -> bool:
    return bool(children(parse, verb, "nsubj", "nsubjpass", "aux", "auxpass")) or parse[verb].tag in {"VBZ", "VBP", "VBD"}
