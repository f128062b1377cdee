"""Names that a text itself declares equal: "Harbour Control System (HCS)", "the Basin Bridge, also known as the Swing Bridge"."""

import re
from collections.abc import Iterable

from derive.prose.chinese_declared import chinese_pairs
from derive.script import holds_chinese

_NAME = r"[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|for|and|de|van|von)\s+)*[A-Z0-9][\w'’&-]*)*"
_BRACKETED = re.compile(r"\((?P<short>[A-Z][A-Za-z0-9&-]{1,9})\)")
_BEFORE = re.compile(r"(?:[\w'’&-]+\s+){1,7}$")
_REACH = 120
"""Characters before a bracket in which its long form is looked for."""
_KNOWN_AS = re.compile(rf"(?P<long>{_NAME}),?\s*\(?(?:also\s+)?(?:known\s+as|called|abbreviated(?:\s+as)?)\s+(?:the\s+)?[\"“]?(?P<short>{_NAME})")
_SMALL = frozenset({"of", "the", "for", "and", "in", "on", "de", "a", "an", "to"})


def declared_pairs(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return (name, other name) pairs in the order in which the texts declare them, each once."""
    found: dict[tuple[str, str], None] = {}
    for text in texts:
        if "(" in text:
            for match in _BRACKETED.finditer(text):
                before = _BEFORE.search(text[max(0, match.start() - _REACH) : match.start()])
                name = _spelled_out(before[0].split(), match["short"]) if before else ""
                if name:
                    found[name, match["short"]] = None
        if holds_chinese(text):
            found |= dict.fromkeys(chinese_pairs(text))
        if "known as" in text or "called" in text or "abbreviated" in text:
            for match in _KNOWN_AS.finditer(text):
                found[match["long"], match["short"]] = None
    return tuple(found)


def _spelled_out(words: list[str], short: str) -> str:
    """Return the shortest run of words before the bracket whose initials are the short form ("" if there is none); small words may be left out."""
    letters = [letter.casefold() for letter in short if letter.isalnum()]
    if sum(letter.isupper() for letter in short) < 2:
        return ""
    for first in range(len(words) - 1, -1, -1):
        run = words[first:]
        if run[0][0].isupper() and letters in (_initials(run), _initials([word for word in run if word not in _SMALL])):
            return " ".join(run)
    return ""


def _initials(words: list[str]) -> list[str]:
    return [part[0].casefold() for word in words for part in word.split("-") if part]
