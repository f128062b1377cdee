"""Statements: drafts become facts, with the predicate, direction, scope and validity that the vocabulary and the dates give them."""

from collections.abc import Sequence
from dataclasses import dataclass

from derive.dates.timing import EXACT, Relation, Timing
from derive.prose.clauses import is_participle, is_past
from derive.prose.drafts import Draft
from derive.prose.kinds import can_be
from derive.prose.phrases import Phrase, spelled
from derive.prose.stance import Stance
from derive.prose.token import Parse, children
from derive.prose.verbs import STATES, known_forms
from schemas.fact import GOVERNS, NO_DATES, SELF, Dates, Fact, FactKind, Moment, Relative
from schemas.vocabulary import Cardinality, Vocabulary

CLEAN = 0.9
"""Confidence of a clean pattern. What is taken off: see `_confidence`; below 0.85 a fact is weak, below 0.6 it is dropped."""
_NOW = Relative("today")
_TIMES = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    spring summer autumn winter morning noon evening night midnight time times hour day week month year""".split()
)
"""Words that say when, not what."""
_SOME = frozenset({"most", "many", "some", "several"})
_PROPOSED = frozenset("planned proposed projected envisaged prospective potential hypothetical intended".split())


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a draft: the parse, the span of its sentence, the dates of its clause, its stance, and what its subject stands for.

    `subject` is the name that a pronoun stands for, SELF if that is the document, "" if the subject stands for itself.
    """

    parse: Parse
    start: int
    end: int
    timings: tuple[Timing, ...]
    stance: Stance
    subject: str = ""
    cost: float = 0.0
    alone: bool = False


def fact_of(draft: Draft, setting: Setting, vocabulary: Vocabulary, block: str) -> Fact | None:
    """Return the fact of a draft, or None if it says nothing that can be kept."""
    value = _date_value(draft, setting.timings) if draft.object is None else draft.object
    if value is None or _hollow(value, draft, setting):
        return None
    subject = setting.subject or draft.subject.text
    value = _bare_number(value, draft, setting.parse, vocabulary)
    predicate, turned = _predicate(draft, value, subject, vocabulary)
    if predicate is None:
        return None
    dates = NO_DATES if draft.object is None else _dates(draft, setting)
    confidence = _confidence(draft, value, setting, dates)
    one, other = (value.text, subject) if turned else (subject, value.text)
    names = dict.fromkeys([subject, *(draft.subject.names if not setting.subject else ()), *_mentioned(value, setting.parse)])
    start, end, text = _wording(draft, setting, block)
    return Fact(
        text=text,
        kind=_kind(draft, value, setting),
        subject=one,
        predicate=predicate,
        object=other,
        start=start,
        end=end,
        confidence=round(confidence, 2),
        scope=draft.scope if turned else (*draft.scope, *_scope(draft, value, predicate, vocabulary)),
        mentions=tuple(name for name in names if name != SELF),
        dates=dates,
        negated=setting.stance in {Stance.NEGATED, Stance.ENDED} or (_is_over(draft, setting) and not _says_when(draft, setting)),
    )


def _bare_number(value: Phrase, draft: Draft, parse: Parse, vocabulary: Vocabulary) -> Phrase:
    """Return the number alone of "listens on port 7701", where the predicate wants a number and the noun before it only says which."""
    last = value.words[-1] if value.words else -1
    numbered = value.counted is None and last > value.head >= 0 and parse[last].pos == "NUM"
    if numbered and vocabulary.predicate(vocabulary.canonical(draft.words)).object == "number":
        return Phrase(parse[last].text, value.words, last, "", ())
    return value


def _date_value(draft: Draft, timings: Sequence[Timing]) -> Phrase | None:
    """Return the date that completes a verb ("ends in 2031", "runs until 2031") as its value; a span or a relative date completes none."""
    wanted = Relation.UNTIL if draft.until else Relation.AT
    if len(timings) != 1 or timings[0].relation is not wanted or isinstance(timings[0].first, Relative):
        return None
    return Phrase(timings[0].text, (), -1, None, ())


def _hollow(value: Phrase, draft: Draft, setting: Setting) -> bool:
    """Tell whether subject or value point elsewhere, so that the fact would mean nothing alone, or a bare adjective says too little."""
    timely = value.counted is None and value.head >= 0 and setting.parse[value.head].text.casefold() in _TIMES
    if value.vague or not value.text or timely or (draft.subject.vague and not setting.subject):
        return True
    if draft.object is None or draft.words != "is" or value.head < 0:
        return False
    bare = setting.parse[value.head].dep == "acomp" and len(value.words) == 1
    return bare and not setting.timings


def _predicate(draft: Draft, value: Phrase, subject: str, vocabulary: Vocabulary) -> tuple[str | None, bool]:
    """Return the canonical predicate, and whether subject and object change places ("heads" is "headed by" from the other side)."""
    inverse = vocabulary.inverses.get(draft.words)
    turns = inverse is not None and value.counted is None and subject != SELF and not value.fits("date") and draft.object is not None
    if inverse is not None and turns and can_be(value.text, vocabulary.predicate(inverse).subject):
        return inverse, True
    canonical = "ends" if draft.until else _verbal(draft.words, vocabulary)
    if canonical not in vocabulary.predicates:
        return canonical, False
    known = vocabulary.predicate(canonical)
    fits = known.object in {"date", "any"} if draft.object is None else value.fits(known.object)
    if fits and can_be(subject, known.subject):
        return canonical, False
    return (draft.plain, False) if draft.plain and draft.plain != canonical else (None, False)


def _verbal(words: str, vocabulary: Vocabulary) -> str:
    """Return the canonical name that words of prose mean; "awards" of "the board awards a prize" is no plural of the field "award"."""
    name = vocabulary.canonical(words)
    plural = name != words and words.endswith("s") and vocabulary.canonical(words[:-1]) == name and words not in known_forms()
    return words if plural else name


def _scope(draft: Draft, value: Phrase, predicate: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return what lets two values of a functional predicate hold side by side: the noun that is counted, and what narrows the statement."""
    if vocabulary.predicate(predicate).cardinality is not Cardinality.FUNCTIONAL:
        return ()
    return ((value.counted,) if value.counted else ()) + draft.limits


def _dates(draft: Draft, setting: Setting) -> Dates:
    """Return the validity that the dates of a clause give it."""
    if _is_over(draft, setting) and _says_when(draft, setting):
        held = validity(setting.timings, event=False)
        return held if held.end else Dates(held.start, _NOW, min(held.confidence, GOVERNS))
    ended = setting.stance is Stance.ENDED or _is_over(draft, setting)
    return validity(setting.timings, event=_is_event(draft, setting), leaves=draft.leaves, ended=ended)


def _is_over(draft: Draft, setting: Setting) -> bool:
    return draft.over or setting.stance is Stance.OVER


def _says_when(draft: Draft, setting: Setting) -> bool:
    """Tell whether a statement about the past has dates of the time when it held ("formerly headed it from 2015 to 2018"): then it denies nothing."""
    relations = {timing.relation for timing in setting.timings}
    return bool(relations & {Relation.BETWEEN, Relation.UNTIL}) or (bool(relations) and not draft.over)


def validity(timings: Sequence[Timing], *, event: bool, leaves: bool = False, ended: bool = False) -> Dates:
    """Return the validity that dates give a statement. What ended without a date ended when it was said.

    `event`: it says what happened, so a date is when it began to hold; `leaves`: the date is when it ended; `ended`: it holds no longer.
    """
    start: Moment | None = None
    end: Moment | None = None
    confidence = min((timing.confidence for timing in timings), default=EXACT)
    for timing in timings:
        match timing.relation:
            case Relation.FROM:
                start = timing.first
            case Relation.UNTIL:
                end = timing.last
            case Relation.BETWEEN:
                start, end = timing.first, timing.last
            case _ if leaves:
                end = timing.last
            case _:
                start, end = timing.first, end if event or ended else timing.last
    if ended and start is None:
        return Dates(end, None, confidence) if end else Dates(_NOW, None, GOVERNS)
    return Dates(start, end, confidence) if start or end else NO_DATES


def _is_event(draft: Draft, setting: Setting) -> bool:
    """Tell whether the verb says what happened: then a date is when it began to hold."""
    token = setting.parse[draft.verb]
    return token.pos == "VERB" and token.lemma not in STATES and token.tag in {"VBD", "VBN"}


def _confidence(draft: Draft, value: Phrase, setting: Setting, dates: Dates) -> float:
    confidence = CLEAN - draft.cost - setting.cost
    confidence -= 0.1 * (len(draft.subject.words) > 8) + 0.1 * (len(value.words) > 12) + 0.1 * (len(setting.parse) > 40)
    if _is_proposed(draft.subject, setting.parse) or _is_proposed(value, setting.parse):
        confidence -= 0.2
    if _is_unfinished(draft, setting.parse) or setting.parse[draft.subject.words[0]].text.casefold() in _SOME:
        confidence -= 0.2
    if setting.stance is Stance.POSSIBLE:
        confidence -= 0.2  # "can" says what is possible, mostly also what is
    if setting.stance is Stance.NEGATED and draft.limits:
        confidence -= 0.2  # "no light after midnight" is not "no light"
    if draft.subject.indefinite and not setting.subject:
        past = is_past(setting.parse, draft.verb)
        confidence -= 0.35 if past else 0.2 * (draft.subject.counted is not None)  # "a passenger wrote": nobody knows which
    states = setting.parse[draft.verb].lemma in STATES
    if states and is_past(setting.parse, draft.verb) and dates == NO_DATES:
        confidence -= 0.2  # "led the crew": nothing says that it still holds
    if draft.leaves and dates == NO_DATES:
        confidence -= 0.4  # "resigned as head": it holds no longer, and nothing says since when
    return confidence


def _is_proposed(phrase: Phrase, parse: Parse) -> bool:
    """Tell whether a thing is not there yet: "the planned bridge"."""
    return any(parse[word].text.casefold() in _PROPOSED for word in phrase.words)


def _is_unfinished(draft: Draft, parse: Parse) -> bool:
    """Tell whether something is under way: "is building a mill", "is being built", "began to build"."""
    token = parse[draft.verb]
    if token.pos != "VERB" or token.lemma in STATES:
        return False
    being = any(parse[word].text.casefold() == "being" for word in children(parse, draft.verb, "auxpass"))
    begun = token.dep == "xcomp" and parse[token.head].lemma in {"begin", "start"}
    return being or begun or (token.tag == "VBG" and any(parse[word].lemma == "be" for word in children(parse, draft.verb, "aux")))


def _mentioned(value: Phrase, parse: Parse) -> tuple[str, ...]:
    """Return the names in a value: itself if it can be one, and those inside it."""
    noun = value.head >= 0 and parse[value.head].pos in {"NOUN", "PROPN"}
    return (value.text, *value.names) if noun and value.fits("name") and len(value.words) <= 8 else value.names


def _kind(draft: Draft, value: Phrase, setting: Setting) -> FactKind:
    if draft.definition:
        return FactKind.DEFINITION
    if draft.object is None or _is_event(draft, setting):
        return FactKind.EVENT
    return FactKind.RELATION if value.names else FactKind.ATTRIBUTE


def _wording(draft: Draft, setting: Setting, block: str) -> tuple[int, int, str]:
    """Return where a statement stands in the block, and how it reads alone: the sentence if it says nothing else, else the words of the statement."""
    if (setting.alone or draft.shared) and not setting.subject:
        return setting.start, setting.end, block[setting.start : setting.end]
    parse = setting.parse
    own = () if setting.subject else draft.subject.words
    words = sorted({*own, *draft.covers, *(draft.object.words if draft.object else ())})
    rest = [word for word in words if word not in own]
    if draft.aside:
        said = spelled(parse, rest)
        article, _, noun = said.partition(" ")
        said = f"{article.casefold()} {noun}" if article in {"The", "A", "An"} else said
        return parse[words[0]].start, parse[words[-1]].end, f"{spelled(parse, own)} is {said}."
    parts = [(parse[word].start, parse[word].end) for word in words] + [(timing.start, timing.end) for timing in setting.timings]
    start, end = min(first for first, _ in parts), max(last for _, last in parts)
    said = _participle(own, rest, draft, setting) if is_participle(parse, draft.verb) else spelled(parse, words)
    said += "".join(" " + block[timing.start : timing.end].strip() for timing in setting.timings)
    lead = setting.subject if setting.subject != SELF else ""
    text = f"{lead} {said}".strip()
    return start, end, (text if setting.subject == SELF else text[:1].upper() + text[1:]).rstrip(".") + "."


def _participle(own: Sequence[int], rest: Sequence[int], draft: Draft, setting: Setting) -> str:
    """Return what "Built in 1887, the lighthouse ..." says as a sentence: the lighthouse was built."""
    verb = "is" if setting.parse[draft.verb].lemma in STATES else "was"
    said = spelled(setting.parse, rest)
    return f"{spelled(setting.parse, own)} {verb} {said[:1].lower()}{said[1:]}".strip()
