"""Drafts: what the patterns of a clause say, before the vocabulary has its say (design notes on facts from the parse).

| pattern | gives |
|---|---|
| active: Acme acquired Beta | Acme, acquires, Beta |
| preposition: the service depends on Redis | service, depends on, Redis |
| passive: the gate is operated by Tarn Works | gate, operated by, Tarn Works |
| copula: the period is 45 days; the lock is 6 m wide; the width of the lock is 6 m | period, value, 45 days; lock, width, 6 m |
| role: Milo Reyes became CEO of Tarn Works; the CEO of Tarn Works is Milo Reyes | Milo Reyes, ceo of, Tarn Works; Tarn Works, ceo, Milo Reyes |
| date alone: support ends in 2031 | support, ends, (the date) |
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from derive.prose.clauses import Clause, is_passive, joined
from derive.prose.mending import DIMENSIONS
from derive.prose.phrases import Phrase, phrase_at, restricted, spelled
from derive.prose.roles import NOW, OVER, Role, bearer, role_of
from derive.prose.token import Parse, children, subtree
from derive.prose.verbs import third_person
from schemas.vocabulary import Vocabulary, fold

_STAYS = frozenset({"become", "remain", "stay"})
_LEAVES = frozenset({"resign", "retire", "step", "leave", "quit"})
_SERVES = _LEAVES | frozenset({"serve", "act", "work", "take", "start", "begin", "return", "continue", "join"})
_FOLLOWS = frozenset({"succeed", "replace", "follow"})
_APPOINTS = frozenset({"appoint", "name", "elect", "make", "choose", "promote", "install", "confirm"})
_DEFINES = frozenset({"mean", "denote", "designate"})
_DROPS = frozenset({"drop", "end", "remove", "discontinue", "cease", "withdraw"})
_LASTS = frozenset({"last", "run", "continue", "apply", "remain"})
_HOLDS, _POSTS = frozenset({"hold", "occupy", "fill"}), frozenset({"position", "post", "office", "role"})
_WHERE = frozenset({"in", "at", "on", "near"})
_ASIDES = frozenset({"for example", "for instance", "in fact", "in practice", "in general", "by default", "at present"})
"""Phrases that narrow nothing."""
_NOT = frozenset({"not", "n't", "never", "nor", "neither"})
_ARGUMENTS = frozenset(
    "in on at to from with by for of under over through into onto against via about near along across behind without within".split()
)
"""Prepositions that join a thing to a verb; the others join a time, a comparison or a reason."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement of a clause. `words` name the predicate as the vocabulary spells it, `plain` if the vocabulary wants another type of value.

    `object` is None where only a date completes the verb. `covers` are the words of the statement besides subject and object. `limits` are phrases
    that narrow it ("in winter"), `scope` qualifiers of a role ("acting"). `leaves`: the date is when it ended. `over`: it has ended ("the former
    head"). `until`: the date that completes it is its end. `aside`: it stands beside a name and has no verb. `shared`: it has one of several
    subjects. `cost` is what the pattern takes off the confidence.
    """

    subject: Phrase
    words: str
    plain: str
    object: Phrase | None
    verb: int
    covers: tuple[int, ...]
    limits: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    leaves: bool = False
    cost: float = 0.0
    definition: bool = False
    aside: bool = False
    shared: bool = False
    over: bool = False
    until: bool = False


def drafts_of(parse: Parse, clause: Clause, vocabulary: Vocabulary) -> Iterator[Draft]:
    """Yield what a clause states, for each of its subjects."""
    pattern = _Pattern(parse, clause, vocabulary)
    for each in clause.subjects:
        subject = bearer(parse, each, vocabulary)
        if not restricted(parse, subject) or clause.relative:
            for draft in pattern.drafts(subject):
                if not _denied(parse, draft):
                    yield replace(draft, shared=len(clause.subjects) > 1)


def _denied(parse: Parse, draft: Draft) -> bool:
    """Tell whether a negation stands between verb and object ("blinks white, not amber"): it is not the verb that is denied."""
    last = max(draft.object.words) if draft.object and draft.object.words else draft.verb
    return any(parse[word].text.casefold() in _NOT and word not in draft.covers for word in range(draft.verb + 1, last))


def _is_figure(text: str) -> bool:
    return not any(character.isalpha() for character in text)


class _Pattern:
    """The patterns of one clause."""

    def __init__(self, parse: Parse, clause: Clause, vocabulary: Vocabulary) -> None:
        self._parse = parse
        self._verb = clause.verb
        self._vocabulary = vocabulary
        token = parse[clause.verb]
        particle = "".join(" " + parse[word].text.casefold() for word in children(parse, clause.verb, "prt"))
        self._lemma = token.lemma.casefold() + particle
        self._third = third_person(token.lemma.casefold()) + particle
        self._group = (*self._stops(), *self._helpers(), *children(parse, clause.verb, "neg", "prt"), *self._adverbs(), clause.verb)

    def drafts(self, subject: int) -> Iterator[Draft]:
        phrase = phrase_at(self._parse, subject, whole=True)
        if self._parse[self._verb].lemma in {"be", *_STAYS} and not is_passive(self._parse, self._verb):
            yield from self._copula(phrase, subject)
        elif is_passive(self._parse, self._verb):
            yield from self._passive(phrase)
        else:
            yield from self._active(phrase)

    def _helpers(self) -> list[int]:
        """Return the auxiliaries of the verb; a participle behind "and" has those of the first one."""
        own = children(self._parse, self._verb, "aux", "auxpass")
        token = self._parse[self._verb]
        if own or token.dep != "conj" or token.tag != "VBN":
            return own
        return children(self._parse, token.head, "aux", "auxpass")

    def _stops(self) -> tuple[int, ...]:
        """Return the verbs above one without a tense of its own: "stopped" of "stopped using"."""
        head = self._parse[self._verb].head
        return (*children(self._parse, head, "aux", "neg"), head) if self._parse[self._verb].dep == "xcomp" else ()

    def _adverbs(self) -> tuple[int, ...]:
        """Return "no longer", "still" and their like, if they stand right before the verb."""
        found = [word for word in children(self._parse, self._verb, "advmod") if word < self._verb]
        return tuple(inner for word in found for inner in subtree(self._parse, word))

    def _prepositions(self, head: int) -> Iterator[tuple[int, int]]:
        """Yield each preposition on a word with each noun that it takes."""
        for preposition in children(self._parse, head, "prep", "agent", "dative"):
            for noun in children(self._parse, preposition, "pobj"):
                for each in joined(self._parse, noun):
                    yield preposition, each

    def _arguments(self) -> Iterator[tuple[int, int]]:
        """Yield the prepositions that join a thing to the verb, with it; "from 22:00" joins none."""
        for preposition, noun in self._prepositions(self._verb):
            word = self._parse[preposition].text.casefold()
            if preposition > self._verb and word in _ARGUMENTS and not (word in {"from", "to"} and _is_figure(self._parse[noun].text)):
                yield preposition, noun

    def _limits(self, noun: int, used: int = -1) -> tuple[str, ...]:
        """Return the prepositional phrases that narrow a statement about a noun: those on it, and those on the verb behind it."""
        on_noun = [word for word in children(self._parse, noun, "prep") if self._parse[word].text.casefold() != "of"]
        on_verb = [word for word in children(self._parse, self._verb, "prep") if (word > noun or word < self._verb) and word != used]
        found = (spelled(self._parse, subtree(self._parse, word)).casefold() for word in (*on_noun, *on_verb))
        return tuple(text for text in found if text not in _ASIDES)

    def _active(self, subject: Phrase) -> Iterator[Draft]:
        objects = [each for first in children(self._parse, self._verb, "dobj") for each in joined(self._parse, first)]
        yield from self._as_role(subject, taken=bool(objects))
        appointed = list(self._appointed(objects))
        dropped = list(self._dropped(subject, objects))
        yield from (*appointed, *dropped)
        for noun in objects if not appointed and not dropped else []:
            yield self._of_object(subject, noun)
        for preposition, noun in self._arguments() if not objects else []:
            word = self._parse[preposition].text.casefold()
            yield self._draft(subject, f"{self._third} {word}", f"{self._lemma} {word}", noun, (preposition,), used=preposition)
        if not objects and not children(self._parse, self._verb, "prep"):
            yield Draft(subject, self._third, self._lemma, None, self._verb, self._group, until=self._lemma in _LASTS)

    def _appointed(self, objects: Sequence[int]) -> Iterator[Draft]:
        """Yield "appointed Ruth Amadi (as) head of Acme" as a statement about Ruth Amadi."""
        if self._lemma not in _APPOINTS:
            return
        titles = [*children(self._parse, self._verb, "oprd"), *(noun for word, noun in self._prepositions(self._verb) if self._is(word, "as"))]
        for noun in [*objects, *titles]:
            role = role_of(self._parse, noun, self._vocabulary)
            names = [word for word in (*children(self._parse, noun, "compound"), *objects) if self._parse[word].is_name and word < noun]
            if role is not None and names:
                words = [word for word in subtree(self._parse, noun) if word > names[0]]
                person = replace(phrase_at(self._parse, names[0]), words=(names[0],))
                yield Draft(person, role.words, role.words, role.holder, self._verb, (self._verb, *words), scope=role.scope, over=role.over)

    def _dropped(self, subject: Phrase, objects: Sequence[int]) -> Iterator[Draft]:
        """Yield "dropped support for XML" as an end of supporting it."""
        supports = [noun for noun in objects if self._lemma in _DROPS and self._parse[noun].lemma == "support"]
        things = [(noun, *pair) for noun in supports for pair in self._prepositions(noun) if self._is(pair[0], "for")]
        for noun, preposition, thing in things:
            covers = (*self._group, noun, preposition)
            yield Draft(subject, "supports", "support", phrase_at(self._parse, thing), self._verb, covers, over=True)

    def _is(self, word: int, text: str) -> bool:
        return self._parse[word].text.casefold() == text

    def _of_object(self, subject: Phrase, noun: int) -> Draft:
        """Return the draft of a direct object; "has a width of 6 m" and "holds the post of treasurer" name their predicates themselves."""
        if self._lemma == "have":
            for preposition, measure in self._prepositions(noun):
                value = phrase_at(self._parse, measure)
                if self._parse[preposition].text.casefold() == "of" and value.counted is not None:
                    name = self._bare(noun)
                    return Draft(subject, name, name, value, self._verb, (*self._group, *subtree(self._parse, noun)))
        if self._lemma in _HOLDS and self._parse[noun].lemma.casefold() in _POSTS:
            for preposition, post in (pair for pair in self._prepositions(noun) if self._is(pair[0], "of")):
                return Draft(subject, "position", "position", self._post(post, noun), self._verb, (*self._group, noun, preposition))
        draft = self._draft(subject, self._third, self._lemma, noun, ())
        return self._definition(draft, noun) if self._lemma in _DEFINES else draft

    def _definition(self, draft: Draft, noun: int) -> Draft:
        """Return "a vessel means any craft used on water" with all that narrows the noun: a definition is nothing without it."""
        words = [word for word in subtree(self._parse, noun) if self._parse[word].dep != "punct"]
        kept = words[1:] if self._parse[words[0]].text.casefold() in {"a", "an", "the"} else words
        value = Phrase(spelled(self._parse, kept), tuple(words), noun, None, phrase_at(self._parse, noun).names)
        return replace(draft, object=value, limits=(), cost=0.0, definition=True)

    def _post(self, noun: int, held: int) -> Phrase:
        """Return a post with all that tells it from others, whatever the parser hangs that on: the ambassador to Peru is not the one to Chile."""
        post = phrase_at(self._parse, noun, whole=True)
        words = post.words
        for preposition in (each for head in (held, self._verb) for each in children(self._parse, head, "prep")):
            if preposition == words[-1] + 1 and self._parse[preposition].text.casefold() in {"to", "for"}:
                words = (*words, *subtree(self._parse, preposition))
        text = spelled(self._parse, words[1:] if post.words[0] != noun and self._parse[words[0]].dep == "det" else words)
        return replace(post, text=text, words=words)

    def _bare(self, noun: int) -> str:
        """Return a noun with its modifiers, without articles and what follows it."""
        words = phrase_at(self._parse, noun).words
        kept = [word for word in words if word <= noun and self._parse[word].dep not in {"det", "poss", "case"}]
        kept = [word for word in kept if self._parse[word].head == noun or word == noun or self._parse[word].dep == "compound"]
        return fold(spelled(self._parse, kept))

    def _draft(self, subject: Phrase, words: str, plain: str, noun: int, link: tuple[int, ...], used: int = -1) -> Draft:
        # "boats that wait", "keeps the ramps free of ice": the noun alone is only half of it
        cost = 0.15 if restricted(self._parse, noun) or children(self._parse, self._verb, "oprd", "ccomp") else 0.0
        return Draft(
            subject, words, plain, phrase_at(self._parse, noun), self._verb, (*self._group, *link), limits=self._limits(noun, used), cost=cost
        )

    def _as_role(self, subject: Phrase, *, taken: bool) -> Iterator[Draft]:
        """Yield "served as CEO of Acme"; with "resigned" the role is over. With an object only who succeeds somebody has the role himself."""
        verb = self._lemma.split()[0]
        if verb not in (_FOLLOWS if taken else _SERVES | _FOLLOWS):
            return
        for preposition, noun in self._prepositions(self._verb):
            role = role_of(self._parse, noun, self._vocabulary) if self._is(preposition, "as") else None
            if role is not None:
                covers = (*self._group, *subtree(self._parse, preposition))
                yield self._of_role(subject, role, covers, leaves=verb in _LEAVES)

    def _of_role(self, subject: Phrase, role: Role, covers: tuple[int, ...], *, leaves: bool = False) -> Draft:
        return Draft(subject, role.words, role.words, role.holder, self._verb, covers, scope=role.scope, over=role.over, leaves=leaves)

    def _passive(self, subject: Phrase) -> Iterator[Draft]:
        particle = self._lemma.removeprefix(self._parse[self._verb].lemma.casefold())
        participle = self._parse[self._verb].text.casefold() + particle
        found = False
        for title in children(self._parse, self._verb, "oprd", "attr"):
            role = role_of(self._parse, title, self._vocabulary)
            found = True
            if role is not None:
                yield self._of_role(subject, role, (*self._group, *subtree(self._parse, title)))
            else:
                yield self._draft(subject, participle, participle, title, ())
        for preposition, noun in self._arguments():
            found = True
            draft = self._draft(subject, f"{participle} {self._parse[preposition].text.casefold()}", "", noun, (preposition,), used=preposition)
            yield self._turned(draft) if self._parse[preposition].dep == "agent" else replace(draft, plain=draft.words)
        days = [day for day in children(self._parse, self._verb, "npadvmod", "dobj") if phrase_at(self._parse, day).fits("date")]
        yield from (self._draft(subject, participle, participle, day, ()) for day in days)
        found = found or bool(days)
        if not found and not children(self._parse, self._verb, "prep", "agent"):
            yield Draft(subject, participle, participle, None, self._verb, self._group)

    def _turned(self, draft: Draft) -> Draft:
        """Return "Y is audited by X" as "X audits Y", unless the vocabulary knows "audited by"."""
        known = self._vocabulary.canonical(draft.words)
        if known in self._vocabulary.predicates or draft.object is None:
            return replace(draft, plain=draft.words)
        return replace(draft, subject=draft.object, object=draft.subject, words=self._third, plain=self._lemma)

    def _copula(self, subject: Phrase, noun: int) -> Iterator[Draft]:
        for attribute in children(self._parse, self._verb, "attr"):
            for each in joined(self._parse, attribute):
                yield from self._attribute(subject, noun, each)
        for adjective in children(self._parse, self._verb, "acomp"):
            measures = [other for other in self._chain(adjective) if self._parse[other].text.casefold() in DIMENSIONS]
            for each in [adjective, *measures]:
                yield from self._adjective(subject, each)
        if not children(self._parse, self._verb, "attr", "acomp"):
            for preposition, each in self._prepositions(self._verb):
                word = self._parse[preposition].text.casefold()
                if self._vocabulary.meant(f"{word} {self._bare(each)} of") is not None:
                    yield from self._charged(subject, preposition, each)
                    continue
                place = word == "in" and phrase_at(self._parse, each).names
                words = "located in" if place else f"is {word}"
                if word in _WHERE:
                    yield self._draft(subject, words, f"is {word}", each, (preposition,), used=preposition)

    def _charged(self, subject: Phrase, preposition: int, noun: int) -> Iterator[Draft]:
        """Yield "is in charge of the cluster", a preposition of three words."""
        words = f"{self._parse[preposition].text.casefold()} {self._bare(noun)} of"
        for link, thing in ((link, thing) for link, thing in self._prepositions(noun) if self._is(link, "of")):
            yield self._draft(subject, words, words, thing, (preposition, noun, link), used=preposition)

    def _attribute(self, subject: Phrase, noun: int, attribute: int) -> Iterator[Draft]:
        value = phrase_at(self._parse, attribute)
        owned = self._owned(noun, value)
        if owned is not None:
            yield owned
            return
        role = role_of(self._parse, attribute, self._vocabulary)
        if role is not None:
            yield self._of_role(subject, role, (*self._group, *subtree(self._parse, attribute)))
        elif value.counted is not None or self._is_value(value):
            yield self._draft(subject, "value", "is", attribute, ())
        elif self._parse[attribute].pos in {"NOUN", "PROPN"} and not (OVER & set(value.text.casefold().split())):
            indefinite = any(self._parse[word].text.casefold() in {"a", "an"} for word in children(self._parse, attribute, "det"))
            draft = replace(self._draft(subject, "is", "is", attribute, ()), definition=indefinite)
            narrowed = subject.indefinite and restricted(self._parse, attribute)
            yield self._definition(draft, attribute) if narrowed else draft

    def _owned(self, noun: int, value: Phrase) -> Draft | None:
        """Return "the width of the lock is 6 m" or "its width is 6 m" as a statement about the lock."""
        known = self._vocabulary.meant(self._bare(noun))
        named = known is not None and known.object == "name" and bool(value.names)
        if not (value.counted is not None or self._is_value(value) or self._parse[value.head].is_name or named):
            return None
        owners = [each for word, each in self._prepositions(noun) if self._parse[word].text.casefold() == "of"] or children(self._parse, noun, "poss")
        if not owners or self._parse[noun].is_name or self._parse[noun].pos != "NOUN" or len(owners) > 1:
            return None
        words = self._bare(noun).split()
        over = words[0] in {"former", "ex"} and len(words) > 1  # a late fee and a past member are something else
        qualifiers, name = self._vocabulary.qualified([word for word in words[over:] if word not in NOW])
        covers = (*self._group, *(word for word in subtree(self._parse, noun) if self._parse[word].dep != "punct"))
        owner, limits = phrase_at(self._parse, owners[0]), self._limits(value.head)
        return Draft(owner, name, name, value, self._verb, covers, limits=limits, scope=qualifiers, over=over)

    def _chain(self, word: int) -> list[int]:
        """Return the words that are joined to a word, one behind the other."""
        return [each for other in children(self._parse, word, "conj") for each in (other, *self._chain(other))]

    def _is_value(self, value: Phrase) -> bool:
        return value.fits("date") or value.fits("number")

    def _adjective(self, subject: Phrase, adjective: int) -> Iterator[Draft]:
        """Yield a measure ("6 m wide"), an adjective with its preposition ("responsible for"), or an adjective with all that follows it."""
        word = self._parse[adjective].text.casefold()
        measures = children(self._parse, adjective, "npadvmod")
        if measures and word in DIMENSIONS:
            value = phrase_at(self._parse, measures[0])
            yield Draft(subject, DIMENSIONS[word], DIMENSIONS[word], value, self._verb, (*self._group, adjective), limits=self._limits(adjective))
            return
        linked = list(self._prepositions(adjective))
        for preposition, noun in linked:
            words = f"{word} {self._parse[preposition].text.casefold()}"
            yield self._draft(subject, words, words, noun, (adjective, preposition), used=preposition)
        if not linked:
            behind = [each for each in children(self._parse, self._verb, "prep") if each > adjective]
            parts = sorted({*subtree(self._parse, adjective), *(inner for each in behind for inner in subtree(self._parse, each))})
            value = Phrase(spelled(self._parse, parts), tuple(parts), adjective, None, ())
            yield Draft(subject, "is", "is", value, self._verb, self._group)
