"""English verbs: the third person that names a predicate, and a closed list of common ones for parsing without a model."""

from functools import cache

_VOWELS = "aeiou"
_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}

STATES = frozenset(
    """be have own operate use manage lead head chair maintain base employ know call situate locate run house hold keep support serve contain carry
    belong depend work live stand lie direct cost weigh measure connect cover include require need rely stay remain listen store host provide
    sit captain moor report""".split()
)
"""Verbs that say how things are. Said in the past without a date, they say nothing about now."""

_REGULAR = """accept acquire act add allow announce appoint archive assign base belong call captain carry chair charge close complete connect
contain cooperate cost cover create decide decline deliver depend deploy deprecate design develop direct discontinue display elect employ enable end
establish exceed expire extend finance finish found fund guard handle happen head help host house improve include increase install introduce invent
issue join launch lease license limit link list listen live locate maintain manage manufacture mark measure merge migrate moor move name need
nominate offer open operate order organise organize own pass permit place plan preside process produce provide publish reach receive record reduce
refer release rely remain remove rename renew rent replace report represent require reside resign restore retire return review route sail scan
schedule secure serve settle share ship sign situate specify staff start state station stay stop store supersede supervise supply support switch
test train transfer transport treat turn use validate visit wait want warn weigh work protect monitor update check mention describe control
administer audit repeal amend apply prohibit govern regulate define reject parse encrypt attract consist comprise adopt approve convert impose
collect exempt lapse revoke suspend enforce inspect certify occupy enter obtain retain transmit compress generate verify implement integrate
replicate coordinate succeed precede border adjoin surround descend inhabit recruit hire educate"""
_IRREGULAR = {
    "become": "became become", "begin": "began begun", "break": "broke broken", "bring": "brought brought", "build": "built built",
    "buy": "bought bought", "choose": "chose chosen", "come": "came come", "draw": "drew drawn", "drive": "drove driven", "find": "found found",
    "get": "got got", "give": "gave given", "go": "went gone", "grow": "grew grown", "hold": "held held", "keep": "kept kept", "lead": "led led",
    "leave": "left left", "lend": "lent lent", "lie": "lay lain", "lose": "lost lost", "make": "made made", "meet": "met met", "pay": "paid paid",
    "run": "ran run", "say": "said said", "see": "saw seen", "sell": "sold sold", "send": "sent sent", "set": "set set", "sit": "sat sat",
    "rebuild": "rebuilt rebuilt", "feed": "fed fed", "forbid": "forbade forbidden", "oversee": "oversaw overseen", "spend": "spent spent",
    "speak": "spoke spoken", "rise": "rose risen", "fall": "fell fallen", "read": "read read", "know": "knew known",
    "stand": "stood stood", "take": "took taken", "teach": "taught taught", "win": "won won", "write": "wrote written",
}  # fmt: skip


def third_person(lemma: str) -> str:
    """Return the form by which a verb names a predicate: "carry" is "carries"."""
    if lemma in _THIRD:
        return _THIRD[lemma]
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def base_form(third: str) -> str:
    """Return the verb whose third person a word is: "carries" is "carry"; the word itself if it is none."""
    known = known_forms().get(third)
    irregular = [verb for verb, form in _THIRD.items() if form == third]
    guesses = [*irregular, *([known[0]] if known else []), third[:-3] + "y", third[:-2], third[:-1]]
    return next((verb for verb in guesses if verb and third_person(verb) == third), third)


@cache
def known_forms() -> dict[str, tuple[str, frozenset[str]]]:
    """Return form -> (lemma, tags of the Penn treebank that it may have) for the verbs of the closed list."""
    forms: dict[str, tuple[str, set[str]]] = {}
    for lemma in _REGULAR.split():
        past = _past(lemma)
        _add(forms, lemma, past, past)
    for lemma, pair in _IRREGULAR.items():
        _add(forms, lemma, *pair.split())
    return {form: (lemma, frozenset(tags)) for form, (lemma, tags) in forms.items()}


def _add(forms: dict[str, tuple[str, set[str]]], lemma: str, past: str, participle: str) -> None:
    """Enter the forms of a verb; one that an earlier verb has ("found") stays with it, but for the base form."""
    for form, tag in ((lemma, "VB"), (lemma, "VBP"), (third_person(lemma), "VBZ"), (past, "VBD"), (participle, "VBN")):
        known, tags = forms.setdefault(form, (lemma, set()))
        if known == lemma:
            tags.add(tag)


def _past(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ied"
    if lemma in {"plan", "ship", "stop", "refer", "transfer", "permit", "transmit"}:
        return lemma + lemma[-1] + "ed"
    return lemma + "ed"
