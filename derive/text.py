"""Text as every reader sees it: one normal form, what counts as content, sentences."""

import html
import re
from collections.abc import Sequence
from itertools import pairwise

import pysbd

from derive.script import holds_chinese, is_chinese
from schemas.ids import ContentHash, digest

_BREAKS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_CONTENT = re.compile(r"\w")
_LONG_REFERENCE = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")
_WINDOW = 4_000
"""Characters that pysbd sees at once: its time grows with the square of them."""
_FULL_STOP = re.compile(r"[。！？]+…*[”’」』）)\]\"]*")
"""Ends a sentence in any text, with white space behind it or not."""
_CHINESE_END = re.compile(r"[!?]+[”’」』）)\]\"]*|…{2,}[”’」』）)]*|\.(?=\s)|\n+")
"""Ends one in a piece of Chinese besides. A semicolon does not: its clauses share a subject."""
_SEGMENTER = pysbd.Segmenter(language="en", clean=False, char_span=True)
_SENTENCE_END = re.compile(r"[.!?…。！？][\"')\]”’]*\s")


def normalise(body: str) -> str:
    r"""Return the text that is read, and into which all offsets point: line ends as \n, no control characters, no byte-order mark.

    Lone surrogates become U+FFFD; white space around the whole is cut.
    """
    return cleaned(body).strip()


def cleaned(text: str) -> str:
    """Return text under the same rules with the white space around it."""
    return _SURROGATES.sub("\ufffd", _FORBIDDEN.sub("", _BREAKS.sub("\n", text)))


def unescaped(text: str) -> str:
    """Return text with its character references resolved, under the same rules as the body; one beyond all characters is U+FFFD."""
    if "&" not in text:
        return text
    found = html.unescape(_LONG_REFERENCE.sub("\ufffd", text))
    return cleaned(found)


def content_hash(text: str, form: str) -> ContentHash:
    """Return the hash of a normalised body; the same words in another markup are another content, since they may read differently."""
    return ContentHash(digest("content", form, text))


def squeeze(text: str) -> str:
    """Return the text on one line with single spaces."""
    return " ".join(text.split())


def has_content(text: str) -> bool:
    """Tell whether a piece holds a letter or a digit, in any script."""
    return _CONTENT.search(text) is not None


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences, white space around them excluded; together they cover all words."""
    if not holds_chinese(text):
        return _trimmed(text, _english(text))
    found: list[tuple[int, int]] = []
    for start, end in _cut(_FULL_STOP, text, 0, len(text)):
        piece = text[start:end]
        spans = _cut(_CHINESE_END, piece, 0, len(piece)) if is_chinese(piece) else _english(piece)
        found += ((start + first, start + last) for first, last in spans)
    return _trimmed(text, found)


def _cut(ends: re.Pattern[str], text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans between the ends that a pattern finds, each with the end that closes it."""
    borders = [start, *(match.end() for match in ends.finditer(text, start, end)), end]
    return [(first, last) for first, last in pairwise(borders) if first < last]


def _english(text: str) -> list[tuple[int, int]]:
    return _windowed(text) if _SENTENCE_END.search(text) else [(0, len(text))]


def _windowed(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences, read window by window; the last one of a window is read again at the start of the next.

    A sentence that fills a window goes on in the next one.
    """
    found: list[tuple[int, int]] = []
    place = start = 0
    while place < len(text):
        spans = _segmented(text[place : place + _WINDOW])
        last = place + _WINDOW >= len(text)
        for _, end in spans if last else spans[:-1]:
            found.append((start, place + end))
            start = place + end
        place = start if len(spans) > 1 and not last else place + _WINDOW
    return found


def _segmented(text: str) -> list[tuple[int, int]]:
    """Return the spans of pysbd's sentences, each with the white space behind it; the whole where it loses its way and leaves words out.

    Looked up here: pysbd looks at all places of a sentence in the text for each time that it says it.
    """
    spans: list[tuple[int, int]] = []
    place = 0
    for sentence in _SEGMENTER.processor(text).process():
        start = text.find(sentence, place)
        if start < 0 or has_content(text[place:start]):
            return [(0, len(text))]
        place = start + len(sentence)
        while place < len(text) and text[place].isspace():
            place += 1
        spans.append((start, place))
    return spans if spans and not has_content(text[place:]) else [(0, len(text))]


def _trimmed(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found = []
    for start, end in spans:
        part = text[start:end]
        if part.strip():
            found.append((start + len(part) - len(part.lstrip()), start + len(part.rstrip())))
    return found
