"""Facts from prose: rules over a parse. The parser is somebody else's; what is here is pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from derive.dates.timing import Timing
from derive.prose.asides import appositions, existentials
from derive.prose.clauses import Clause, clauses
from derive.prose.drafts import Draft, drafts_of
from derive.prose.mending import mended
from derive.prose.phrases import phrase_at
from derive.prose.stance import Stance, stance_of
from derive.prose.statements import Setting, fact_of
from derive.prose.subjects import Subjects, is_possessive
from derive.prose.token import Parse
from derive.prose.words import Sentence
from schemas.fact import SELF, Fact
from schemas.vocabulary import Cardinality, Vocabulary

VERSION = "9"
"""Part of every fingerprint: to be raised whenever these rules, or what they stand on, give other facts for the same text."""
MOST = 8
"""Facts of one sentence that are kept, the surest first: more is a list or a sentence that was read wrongly."""
DROPPED = 0.6
"""Confidence below which a fact is not kept (DESIGN.md 5.3)."""
_RELATIVE, _FAR_RELATIVE = 0.03, 0.1
"""What a relative clause costs: right behind its noun, or with words between, where it may belong to another one."""


def roles(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the nouns that name roles ("ceo", "harbour master"): they are no part of a name."""
    return frozenset(words.removesuffix(" of") for words in vocabulary.inverses if words.endswith(" of"))


def facts_of_block(block: str, sentences: Sequence[Sentence], parses: Sequence[Parse | None], vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """Return the facts of a block in the order of its text; a sentence without a parse says nothing."""
    found: list[Fact] = []
    subjects = Subjects(vocabulary)
    for sentence, parse in zip(sentences, parses, strict=True):
        if parse:
            stated = jointly(list(_of_sentence(block, sentence, mended(parse), subjects, vocabulary)), vocabulary)
            kept = sorted(stated, key=lambda fact: -fact.confidence)[:MOST]
            found += (fact for fact in stated if fact in kept)
        subjects.next_sentence()
    return tuple(dict.fromkeys(found))


def jointly(facts: list[Fact], vocabulary: Vocabulary) -> list[Fact]:
    """Return the facts of a sentence; where it gives one functional key several values ("owned by A and B"), they hold together."""
    values: dict[tuple[str, str, tuple[str, ...]], set[str]] = {}
    for fact in facts:
        values.setdefault((fact.subject, fact.predicate, fact.scope), set()).add(fact.object)
    joint = {key for key, objects in values.items() if len(objects) > 1 and vocabulary.predicate(key[1]).cardinality is Cardinality.FUNCTIONAL}
    return [replace(fact, predicate=f"jointly {fact.predicate}") if (fact.subject, fact.predicate, fact.scope) in joint else fact for fact in facts]


def _of_sentence(block: str, sentence: Sentence, parse: Parse, subjects: Subjects, vocabulary: Vocabulary) -> Iterator[Fact]:
    found = list(clauses(parse))
    drafts = [(draft, clause) for clause in found for draft in drafts_of(parse, clause, vocabulary)]
    drafts += [(draft, Clause(draft.verb, (draft.subject.head,))) for draft in existentials(parse)]
    asides = [(draft, Clause(draft.verb, ())) for draft in appositions(parse, vocabulary)]
    verbs = _verbs(parse, found)
    for draft, clause in [*drafts, *asides]:
        stance = Stance.ASSERTED if draft.aside else stance_of(parse, clause.verb)
        name, cost = _stands_for(draft, parse, found, subjects)
        if stance is Stance.NOT_ASSERTED or name is None or (draft.over and stance is not Stance.ASSERTED):
            continue
        setting = Setting(
            parse,
            sentence.start,
            sentence.end,
            () if draft.aside else _timings(sentence, parse, verbs, clause.verb),
            stance,
            name,
            cost + (0.0 if not clause.relative else _RELATIVE if clause.close else _FAR_RELATIVE),
            len(drafts) + len(asides) == 1,
        )
        fact = fact_of(draft, setting, vocabulary, block)
        own = [text for text in (fact.subject, fact.object) if text not in {name, SELF}] if fact else []
        if fact is not None and fact.confidence >= DROPPED and grounded(block[fact.start : fact.end], own):
            yield fact
            _note(draft, fact, name, parse, subjects)


def grounded(span: str, texts: Iterable[str]) -> bool:
    """Tell whether every word of some texts stands in a span: a fact that its span does not bear out is refused."""
    return all(word in span for text in texts for word in text.split())


def _note(draft: Draft, fact: Fact, name: str, parse: Parse, subjects: Subjects) -> None:
    """Let later sentences know who was spoken of, and as what."""
    if not draft.aside:
        subjects.carried(name) if name else subjects.said(draft.subject, plural=parse[draft.subject.head].tag in {"NNS", "NNPS"})
    if draft.definition and draft.object is not None and draft.subject.names:
        subjects.is_a(parse[draft.object.head].text, name or draft.subject.text)
    subjects.has(fact.subject, fact.predicate)


def _stands_for(draft: Draft, parse: Parse, found: Sequence[Clause], subjects: Subjects) -> tuple[str | None, float]:
    """Return what the subject stands for if it is a pronoun, "the bridge" or "this standard"; "" if for itself; None if that cannot be told."""
    token = parse[draft.subject.head]
    words = [parse[number].text.casefold() for number in draft.subject.words]
    pronoun = token.pos == "PRON" or is_possessive(words[0])
    if not pronoun and (len(words) != 2 or not token.text.islower()):
        return "", 0.0
    before = [phrase_at(parse, subject) for clause in found for subject in clause.subjects if max(subject, clause.verb) < draft.subject.head]
    name, cost = subjects.of(words[0] if pronoun else " ".join(words), [phrase for phrase in before if parse[phrase.head].pos != "PRON"])
    return (name or None if pronoun else name), cost


def _verbs(parse: Parse, found: Sequence[Clause]) -> list[int]:
    """Return the verbs to which dates may belong: those of the clauses, and those of clauses that say nothing themselves."""
    inner = (number for number, token in enumerate(parse) if token.pos == "VERB" and token.dep in {"acl", "relcl", "advcl", "ccomp"})
    return sorted({*(clause.verb for clause in found), *inner})


def _timings(sentence: Sentence, parse: Parse, verbs: Sequence[int], verb: int) -> tuple[Timing, ...]:
    """Return the dates that belong to a verb: those behind it and before the next one; those before the first verb belong to it."""
    starts = sorted(parse[number].start for number in verbs)
    mine = parse[verb].start
    owners = [max((start for start in starts if start < timing.start), default=starts[0]) for timing in sentence.timings]
    return tuple(timing for timing, owner in zip(sentence.timings, owners, strict=True) if owner == mine)
