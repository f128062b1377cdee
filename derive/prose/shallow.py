"""A parser without a model, for plain statements: subject, verb of a closed list, complements. It parses nothing rather than wrongly.

It reads "The gate is operated by Tarn Works", "X has headed Y", "The sea lock is 6 m wide" and their like, with objects and verbs joined by "and".
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from derive.prose.token import Parse, Token
from derive.prose.verbs import known_forms
from derive.prose.words import DATE_FORM, Word

_BE = {"is": "VBZ", "are": "VBP", "was": "VBD", "were": "VBD", "be": "VB", "been": "VBN"}
_HAVE = {"has": "VBZ", "have": "VBP", "had": "VBD"}
_DO = {"does": "VBZ", "do": "VBP", "did": "VBD"}
_MODALS = frozenset({"will", "would", "can", "could", "may", "might", "must", "should", "shall"})
_DETERMINERS = frozenset("a an the this that these those each every all any some no both its his her their our my your another".split())
_PREPOSITIONS = frozenset(
    "of in on at by for from to with without within into onto over under between among through during as about above below against up per via".split()
)
_PRONOUNS = frozenset("it he she they we i you this that there".split())
_NEGATIONS = frozenset({"not", "n't", "never"})
_ADVERBS = frozenset("also now still already only currently longer formerly previously again just always usually often mostly no".split())
_REFUSED = frozenset(
    """if unless that which who whom whose because when while although though whereas where than whether so but or nor neither either what how why
    ? ; : , ( ) [ ] " “ ” - – — ! ...""".split()
)
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty hundred".split()
)
DIMENSIONS = frozenset({"wide", "long", "high", "tall", "deep", "thick", "old"})


def parse_plainly(words: Sequence[Word]) -> Parse | None:
    """Return the parse of a plain statement, or None if it is none."""
    spoken = list(words)
    if spoken and spoken[-1].text == ".":
        spoken.pop()
    if len(spoken) < 2 or any(word.form.casefold() in _REFUSED for word in spoken):
        return None
    return _Statement(spoken).parse()


@dataclass(slots=True)
class _Statement:
    """One statement while it is parsed from left to right."""

    words: list[Word]
    tokens: list[Token] = field(default_factory=list)
    place: int = 0
    failed: bool = False

    def parse(self) -> Parse | None:
        verb_at = self._finite_verb(0)
        if verb_at is None or not self._noun_phrase(verb_at):
            return None
        subject = self._top()
        root = self._verb_group(None, subject)
        while root is not None and self.place < len(self.words):
            if not self._complement(root):
                root = self._joined_verb(root)
        if root is None or self.failed:
            return None
        return tuple(self.tokens)

    def _form(self, place: int) -> str:
        return self.words[place].form.casefold() if place < len(self.words) else ""

    def _add(self, dep: str, head: int, pos: str, tag: str, lemma: str | None = None) -> int:
        word = self.words[self.place]
        self.tokens.append(Token(word.text, lemma or word.text.casefold(), pos, tag, dep, head, word.start, word.end, word.is_name))
        self.place += 1
        return len(self.tokens) - 1

    def _relabel(self, index: int, dep: str, head: int) -> None:
        old = self.tokens[index]
        self.tokens[index] = Token(old.text, old.lemma, old.pos, old.tag, dep, head, old.start, old.end, old.is_name)

    def _top(self) -> int:
        """Return the word on which all words so far hang."""
        return next(number for number, token in enumerate(self.tokens) if token.head == number)

    def _finite_verb(self, start: int) -> int | None:
        """Return where the finite verb stands: an auxiliary if there is one before the first "and", else the first form of a known verb."""
        limit = next((place for place in range(start, len(self.words)) if self._form(place) == "and"), len(self.words))
        places = range(start + 1, limit)
        auxiliary = next((place for place in places if self._form(place) in _BE | _HAVE | _DO or self._form(place) in _MODALS), None)
        if auxiliary is not None:
            return auxiliary
        return next((place for place in places if self._is_finite(place)), None)

    def _is_finite(self, place: int) -> bool:
        word = self.words[place]
        return word.text.islower() and bool(known_forms().get(word.text, ("", frozenset()))[1] & {"VBZ", "VBP", "VBD"})

    def _noun_phrase(self, stop: int) -> bool:
        """Read a noun phrase that ends at `stop` at the latest, with "of" phrases inside; its head hangs on itself."""
        first = len(self.tokens)
        if self._form(self.place) in _PRONOUNS and self.place + 1 >= stop:
            head = self._add("dep", first, "PRON", "PRP")
            self._relabel(head, "dep", head)
            return True
        core = self._core(stop)
        if core is None:
            return False
        while self._form(self.place) == "of" and self.place < stop:
            preposition = self._add("prep", core, "ADP", "IN")
            inner = self._core(stop)
            if inner is None:
                return False
            self._relabel(inner, "pobj", preposition)
            core = inner
        return True

    def _core(self, stop: int) -> int | None:
        """Read determiner, modifiers and noun up to a preposition, "and" or `stop`; return the noun, which hangs on itself for now."""
        end = self.place
        while end < stop and self._form(end) not in _PREPOSITIONS | {"and"} and not (end > self.place and self._form(end) in _DETERMINERS):
            end += 1
        if end == self.place or self._form(end - 1) in _DETERMINERS | _ADVERBS | _NEGATIONS:
            return None
        head = len(self.tokens) + end - 1 - self.place
        while self.place < end - 1:
            self._modifier(head)
        return self._add("dep", head, *self._noun_tags())

    def _modifier(self, head: int) -> None:
        form = self._form(self.place)
        if form in _DETERMINERS:
            self._add("poss" if form in {"its", "his", "her", "their", "our", "my", "your"} else "det", head, "DET", "DT")
        elif self._is_number():
            self._add("nummod", head, "NUM", "CD")
        else:
            self._add("compound", head, *self._noun_tags())

    def _is_number(self) -> bool:
        word = self.words[self.place]
        return word.form != DATE_FORM and (word.text[0].isdigit() or word.form.casefold() in _NUMBERS)

    def _noun_tags(self) -> tuple[str, str]:
        word = self.words[self.place]
        if word.form == DATE_FORM or self._is_number():
            return "NUM", "CD"
        if word.is_name:
            return "PROPN", "NNP"
        return "NOUN", "NNS" if word.text.endswith("s") else "NN"

    def _verb_group(self, head: int | None, subject: int | None) -> int | None:
        """Read auxiliaries, negation, adverbs and the main verb; hang the subject on it and it on `head`. None if there is no verb."""
        waiting: list[tuple[str, str, str, str]] = []
        base = len(self.tokens)
        while (label := self._before_verb(self.place + len(waiting))) is not None:
            waiting.append(label)
        passive = any(dep == "auxpass" for dep, *_ in waiting)
        main = self._main_verb(self.place + len(waiting), passive=passive)
        if main is None:
            return None
        index = base + len(waiting)
        for dep, pos, tag, lemma in waiting:
            self._add(dep, index, pos, tag, lemma)
        self._add("ROOT" if head is None else "conj", index if head is None else head, main[0], main[1], main[2])
        if subject is not None:
            self._relabel(subject, "nsubjpass" if passive else "nsubj", index)
        return index

    def _before_verb(self, place: int) -> tuple[str, str, str, str] | None:
        """Return label, part of speech, tag and lemma of a word before the main verb; None if it is that verb, or none of the group."""
        form, after = self._form(place), self._after_verb(place + 1)
        if form in _MODALS:
            return "aux", "AUX", "MD", form
        if form in _DO and after in {"VB", "VBP"}:
            return "aux", "AUX", _DO[form], "do"
        if form in _HAVE and after == "VBN":
            return "aux", "AUX", _HAVE[form], "have"
        if form in _BE and after == "VBN":
            return "auxpass", "AUX", _BE[form], "be"
        if form in _NEGATIONS or (form == "no" and self._form(place + 1) == "longer"):
            return "neg", "PART", "RB", form
        if form in _ADVERBS or (form.endswith("ly") and len(form) > 4):
            return "advmod", "ADV", "RB", form
        return None

    def _after_verb(self, place: int) -> str:
        """Return the tag of the next verb behind adverbs and negations, VBN before others; "" if another word comes first."""
        while self._form(place) in _NEGATIONS | _ADVERBS or self._form(place).endswith("ly"):
            place += 1
        form = self._form(place)
        if form == "been":
            return "VBN"
        lemma_and_tags = known_forms().get(form)
        if lemma_and_tags is None:
            return "VB" if form in {"be", "have"} else ""
        return "VBN" if "VBN" in lemma_and_tags[1] else "VB" if "VB" in lemma_and_tags[1] else ""

    def _main_verb(self, place: int, *, passive: bool) -> tuple[str, str, str] | None:
        form = self._form(place)
        if form in _BE:
            return "AUX", _BE[form], "be"
        if form in _HAVE:
            return "VERB", _HAVE[form], "have"
        known = known_forms().get(form)
        if known is None:
            return None
        lemma, tags = known
        wanted = ("VBN",) if passive else ("VBZ", "VBD", "VBP", "VB", "VBN")
        tag = next((tag for tag in wanted if tag in tags), None)
        return None if tag is None else ("VERB", tag, lemma)

    def _complement(self, verb: int) -> bool:
        """Read one complement of the verb: a prepositional phrase, a measure, an adjective, a noun phrase. False if none follows."""
        form = self._form(self.place)
        if form == "to" and "VB" in known_forms().get(self._form(self.place + 1), ("", ()))[1]:
            return self._give_up()
        if form in _PREPOSITIONS:
            passive = any(token.dep == "auxpass" and token.head == verb for token in self.tokens)
            dep = "agent" if form == "by" and passive else "prep"
            preposition = self._add(dep, verb, "ADP", "IN")
            return self._phrase("pobj", preposition)
        if form == "and" or form in _NEGATIONS:
            return False
        if self.tokens[verb].lemma == "be" and self._adjective(verb):
            return True
        if form.endswith("ing") or any(token.head == verb and token.dep in {"dobj", "attr", "acomp", "prep"} for token in self.tokens):
            return self._give_up()
        return self._phrase("attr" if self.tokens[verb].lemma in {"be", "become"} else "dobj", verb)

    def _phrase(self, dep: str, head: int) -> bool:
        """Read a noun phrase and those joined to it by "and", unless the "and" joins a verb."""
        first = len(self.tokens)
        if not self._noun_phrase(len(self.words)):
            return self._give_up()
        top = next(number for number in range(first, len(self.tokens)) if self.tokens[number].head == number)
        self._relabel(top, dep, head)
        while self._form(self.place) == "and" and not self._joins_verb():
            self._add("cc", top, "CCONJ", "CC")
            begin = len(self.tokens)
            if not self._noun_phrase(len(self.words)):
                return self._give_up()
            other = next(number for number in range(begin, len(self.tokens)) if self.tokens[number].head == number)
            self._relabel(other, "conj", top)
        return True

    def _give_up(self) -> bool:
        """Make the whole statement unread: what follows is not plain."""
        self.failed = True
        self.place = len(self.words)
        return True

    def _joins_verb(self) -> bool:
        form = self._form(self.place + 1)
        return (
            form in _BE or form in _HAVE or form in _DO or form in _MODALS or (self.place + 1 < len(self.words) and self._is_finite(self.place + 1))
        )

    def _adjective(self, verb: int) -> bool:
        """Read "6 m wide" or a single adjective such as "valid" at the end or before a preposition."""
        if self._is_number() and self._form(self.place + 2) in DIMENSIONS:
            adjective = len(self.tokens) + 2
            self._add("nummod", adjective - 1, "NUM", "CD")
            self._add("npadvmod", adjective, "NOUN", "NN")
            self._add("acomp", verb, "ADJ", "JJ")
            return True
        word = self.words[self.place]
        alone = self.place + 1 >= len(self.words) or self._form(self.place + 1) in _PREPOSITIONS
        if alone and word.text.islower() and not word.is_name and not self._is_number() and not word.text.endswith("s"):
            self._add("acomp", verb, "ADJ", "JJ")
            return True
        return False

    def _joined_verb(self, root: int) -> int | None:
        if self.place >= len(self.words) or self._form(self.place) != "and":
            return None
        self._add("cc", root, "CCONJ", "CC")
        return self._verb_group(root, None)
