"""The reading of Chinese blocks, beside whatever reads the English ones. Names of people and places come from jieba where it is installed."""

import warnings
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from derive.prose.chinese import VERSION, Names, chinese_facts
from derive.prose.chinese_nouns import Lexicon
from schemas.fact import Fact
from schemas.vocabulary import Vocabulary

_NAMES = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
"""jieba's tags of people, places, organisations and other names."""
_PEOPLE = frozenset({"nr", "nrt", "nrfg"})
_NO_END = frozenset("任于为在将是已曾自由的和与及")
"""Characters that jieba takes into a name and that belong to what follows it."""
_NO_PART = frozenset("由是被的把")
"""Characters that no name has, and around which jieba makes one: 班由周 of 巡检班由周海生领导."""
_LONGEST = 8


class ChineseReader:
    """Draws facts from Chinese blocks. `fingerprint` covers the rules and jieba's version, or its absence: names are weaker without it.

    jieba's dictionary is read at the first Chinese block, in a second, once in a process.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._lexicon = Lexicon(vocabulary)
        self._tagged = tagger_version()
        self.fingerprint = f"chinese-{VERSION}-jieba-{self._tagged or 'none'}"

    def facts(self, block: str) -> tuple[Fact, ...]:
        """Return the facts of one Chinese block."""
        return chinese_facts(block, names_in(block) if self._tagged else Names(), self._lexicon)


def tagger_version() -> str:
    """Return the version of jieba, "" where it is not installed (it comes with the extra `chinese`)."""
    try:
        return version("jieba")
    except PackageNotFoundError:
        return ""


def names_in(block: str) -> Names:
    """Return the names that jieba sees in a block."""
    every: list[tuple[int, int]] = []
    people: list[tuple[int, int]] = []
    for start, end, tag in _tagged(block):
        if 1 < end - start <= _LONGEST:
            every.append((start, end))
            if tag in _PEOPLE:
                people.append((start, end))
    return Names(tuple(every), tuple(people), sure=True)


def _tagged(block: str) -> Iterator[tuple[int, int, str]]:
    """Yield span and tag of each name. jieba gives every character back, in order, so that places follow from lengths."""
    place = 0
    for word in _tagger().cut(block):
        end = place + len(word.word)
        if word.flag in _NAMES and _NO_PART.isdisjoint(word.word[:-1]):
            last = end - 1 if block[end - 1] in _NO_END else end
            yield place, last, word.flag
        place = end


@cache
def _tagger() -> Any:
    """Return jieba's tagger with its dictionary read from the package.

    Its own loading prints what it does, and keeps a cache under a fixed name in the temporary directory that everybody shares, which it trusts on the
    next start; so the dictionary is put in here, and nothing is written.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba imports pkg_resources and writes \. in plain strings
        import jieba
        import jieba.posseg
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return jieba.posseg.POSTokenizer(tokenizer)
