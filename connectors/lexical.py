"""Words for the lexical channel: one pure function for texts and questions, so that every index splits alike.

An index could split for itself, but Milvus Lite takes a run of Chinese for one token, and analyzers differ between servers. So the words are
split here and written separated by spaces into the field that Milvus analyses.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from unicodedata import normalize

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003134f]+")


def terms(text: str) -> list[str]:
    """Return the terms of a text: folded words, character bigrams of Chinese, Japanese and Korean runs, and dotted numbers once more as a whole.

    Every term is letters and digits only, so no analyzer splits it again: "3.12" gives "3", "12" and "3p12".
    """
    folded = text.lower() if text.isascii() else normalize("NFKC", text).casefold()
    found: list[str] = _WORD.findall(folded)
    if not folded.isascii():
        found = [term for word in found for term in _split(word)]
    return found + [number.replace(".", "p") for number in _NUMBER.findall(folded)]


def words(text: str) -> str:
    """Return the terms of a text separated by spaces: what is written into the analysed field and what is asked of it."""
    return " ".join(terms(text))


def _split(word: str) -> Iterator[str]:
    end = 0
    for run in _CJK.finditer(word):
        if run.start() > end:
            yield word[end : run.start()]
        yield from _bigrams(run.group())
        end = run.end()
    if end < len(word):
        yield word[end:]


def _bigrams(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for left, right in pairwise(run):
        yield left + right
