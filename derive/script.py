"""Script: which language's rules read a piece of text. The share of Chinese characters tells (design notes on names)."""

import re

HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LATIN = re.compile(r"[A-Za-z]+")
_ASIDE = re.compile(r"[（(][^（()）\n]{1,60}[)）]")
SHARE = 0.3
"""Share of Chinese characters from which on a piece is Chinese; a Latin word counts as two. Names in the other script stay far below."""
_JAPANESE = 0.15
"""Kana per Chinese character from which on a piece is Japanese."""


def holds_chinese(text: str) -> bool:
    """Tell, fast, whether there is a Chinese character in a text."""
    return _HAN.search(text) is not None


def is_chinese(text: str) -> bool:
    """Tell whether a piece of text is Chinese rather than English. Japanese is neither: too many of its characters are kana.

    What stands in brackets does not count: it is often the name in the other language.
    """
    if not holds_chinese(text):
        return False
    told = _ASIDE.sub("", text)
    han, kana = len(_HAN.findall(told)), len(_KANA.findall(told))
    return 0 < han >= kana / _JAPANESE and han >= SHARE * (han + 2 * len(_LATIN.findall(told)))
