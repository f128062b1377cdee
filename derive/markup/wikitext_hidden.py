"""What of a body in wikitext is hidden from its parser: comments, references, and marks that nothing closes or that are nested deeply.

The parser's work on such marks grows with the square of the body. What stands in tags for verbatim text is left alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.markup.outline import Place

HIDDEN = "\1"
"""Stands for each character that is hidden; no body holds it."""
_REFERENCE = re.compile(r"<ref(?=[\s/>])[^<>]*>", re.IGNORECASE)
_REFERENCE_END = re.compile(r"</ref\s*>", re.IGNORECASE)
_VERBATIM = re.compile(r"<(nowiki|pre|syntaxhighlight|source|code)(?=[\s>])[^<>]*>", re.IGNORECASE)
_VERBATIM_END = re.compile(r"</(?:nowiki|pre|syntaxhighlight|source|code)\s*>", re.IGNORECASE)
_MARK = re.compile(r"\[\[|\]\]|\{\{|\}\}|\[(?=[a-zA-Z+]{2,12}:|//)|\]|<(?P<end>/?)(?P<tag>[a-zA-Z]+)(?=[\s/>])[^<>]*>")
_KINDS = {"[[": "link", "]]": "link", "{{": "template", "}}": "template", "[": "address", "]": "address"}
_SINGLE = frozenset({"br", "wbr", "hr", "meta", "link", "img", "li", "dt", "dd", "th", "td", "tr"})
"""Tags that need no end."""
_DEEPEST = 12
_DEEP_ITEM = re.compile(rf"^[*#:;]{{{_DEEPEST}}}([*#:;]+)", re.MULTILINE)
"""An item of a list in so many lists; what more of its marks there are."""


def visible_of(text: str) -> str:
    """Return a body of the same length in which all that is hidden is."""
    text = _hidden(text, list(_comments(text)))
    text = _hidden(text, list(_closed(text, _REFERENCE, _REFERENCE_END)))
    text = _hidden(text, [match.span(1) for match in _DEEP_ITEM.finditer(text)])
    return _hidden(text, _loose(text, list(_closed(text, _VERBATIM, _VERBATIM_END))))


def _hidden(text: str, places: Sequence[Place]) -> str:
    parts, reached = list[str](), 0
    for start, end in places:
        parts += (text[reached:start], HIDDEN * (end - start))
        reached = end
    return "".join(parts) + text[reached:]


def _comments(text: str) -> Iterator[Place]:
    """Yield comments; one that nothing closes hides all behind it."""
    start = text.find("<!--")
    while start >= 0:
        close = text.find("-->", start + 4)
        end = close + 3 if close >= 0 else len(text)
        yield start, end
        start = text.find("<!--", end)


def _closed(text: str, begin: re.Pattern[str], close: re.Pattern[str]) -> Iterator[Place]:
    """Yield tags with what they hold up to the next end; one that nothing closes, or that closes itself, alone."""
    ends = [match.span() for match in close.finditer(text)]
    number, reached = 0, 0
    while (match := begin.search(text, reached)) is not None:
        reached = match.end()
        while number < len(ends) and ends[number][0] < reached:
            number += 1
        if not match[0].endswith("/>") and number < len(ends):
            reached = ends[number][1]
        yield match.start(), reached


@dataclass(frozen=True, slots=True)
class _Open:
    kind: str
    place: Place


def _loose(text: str, verbatim: Sequence[Place]) -> list[Place]:
    """Return the marks that open or close nothing, and those nested deeply."""
    loose: list[Place] = []
    waiting: list[_Open] = []
    held: Counter[str] = Counter()
    for match in _marks(text, verbatim):
        kind = _KINDS.get(match[0]) or match["tag"].casefold()
        if match[0] in ("[[", "{{", "[") or (match["tag"] and not match["end"]):
            waiting.append(_Open(kind, match.span()))
            held[kind] += 1
            continue
        if not held[kind]:
            loose += [match.span()] if kind != "address" else []  # a bracket by itself is text
            continue
        while (last := waiting.pop()).kind != kind:
            held[last.kind] -= 1
            loose.append(last.place)
        held[kind] -= 1
        if len(waiting) >= _DEEPEST:
            loose += (last.place, match.span())
    return sorted([*loose, *(one.place for one in waiting)])


def _marks(text: str, verbatim: Sequence[Place]) -> Iterator[re.Match[str]]:
    number = 0
    for match in _MARK.finditer(text):
        while number < len(verbatim) and verbatim[number][1] <= match.start():
            number += 1
        inside = number < len(verbatim) and verbatim[number][0] <= match.start()
        tag = (match["tag"] or "").casefold()
        if not inside and tag not in _SINGLE and not match[0].endswith("/>"):
            yield match
