"""Inline Jira markup as plain text, and the cells of a table's row. Every pattern ends with its line, so that work grows with the text."""

import re
from collections.abc import Iterator

from derive.markup.links import Shown, linked, name_of, opening, shown

_STATUS = re.compile(r"\{status:(?:[^{}\n]*\|)?title=(?P<title>[^{}|\n]*)[^{}\n]*\}")
_TICKET = re.compile(r"\{jira:(?P<key>[A-Z][A-Z0-9_]+-\d+)[^{}\n]*\}")
_MACRO = re.compile(r"\{(?:color|anchor|toc|children|html|status|jira|code|noformat|attachments|gallery|loremipsum)(?::[^{}\n]*)?\}")
_MONO = re.compile(r"\{\{([^{}\n]+)\}\}")
_LINK = re.compile(r"\[(?P<inside>[^\[\]\n]+)\]")
_KEY = re.compile(r"[A-Z][A-Z0-9_]+-\d+")
_ADDRESS = re.compile(r"#|[^:\[\]]*://|mailto:")
_NUMBERED = re.compile("\2(\\d+)\3")
_IMAGE = re.compile(r"!(?:https?://[^\s!|]{1,300}|[^\s!|][^!|\n]{0,200}\.\w{2,5})(?:\|[^!\n]{0,300})?!")
_MARKS = [
    re.compile(rf"(?<![\w{last}\\]){mark}(?=[^\s{last}])([^{last}\n]*?[^\s{last}\\]){mark}(?![\w{last}])")
    for mark, last in ((r"\*", r"*"), ("_", "_"), (r"\+", "+"), (r"\^", r"\^"), ("~", "~"), (r"\?\?", "?"))
]
_BREAK = re.compile(r"\\\\(?=\s|$)")
_ESCAPE = re.compile(r"\\([-*_+^~{}\[\]|!?#\\])")
_BAR = re.compile(r"\|{1,2}")
_CLOSED = re.compile(r"\[[^\[\]\n]*\]|\{[^{}\n]*\}|![^\s!|][^!|\n]{0,200}\|[^!|\n]{0,200}!|\\\|")
"""What may hold bars that part no cells."""


def plain(text: str) -> str:
    """Return inline markup as plain text on one line: marks, colours and pictures gone, links as their words, people as their names."""
    return said(text).text


def said(text: str) -> Shown:
    """Return the same with the links to tickets and pages in it."""
    targets: list[str] = []
    text = _IMAGE.sub("", text)
    text = _MONO.sub(r"\1", _MACRO.sub("", _TICKET.sub(r"\g<key>", _STATUS.sub(r"\g<title>", text))))
    text = _LINK.sub(lambda match: _linked(match, targets), text)
    for mark in _MARKS:
        text = mark.sub(r"\1", text)
    text = _ESCAPE.sub(r"\1", _BREAK.sub(" ", text))
    return shown(_NUMBERED.sub(lambda mark: opening(targets[int(mark[1])]), text))


def _linked(match: re.Match[str], targets: list[str]) -> str:
    """Return what is seen of a link. Its target is put into `targets` under the number in its mark, so that no pattern meets it."""
    inside = match["inside"]
    words, bar, rest = inside.partition("|")
    if words.startswith("^"):
        return ""
    if words.startswith("~"):
        return "" if words.startswith("~accountid:") else words[1:]
    if not bar:
        key = words.strip()
        return f"[{_numbered(words, key, targets)}]" if _KEY.fullmatch(key) else words if _ADDRESS.match(words) else match[0]
    target = rest.partition("|")[0].strip()
    return _numbered(words, "" if _ADDRESS.match(target) or target.startswith(("^", "~", "!")) else name_of(target), targets)


def _numbered(words: str, target: str, targets: list[str]) -> str:
    if not target:
        return words
    targets.append(target)
    return linked(words, str(len(targets) - 1))


def cells(row: str) -> Iterator[tuple[str, int, int, bool]]:
    """Yield the cells of a row: text, [start, end) with the bars before it, and whether it is a header."""
    closed = [match.span() for match in _CLOSED.finditer(row)]
    number, begun, header = 0, -1, False
    start = 0
    for bar in _BAR.finditer(row):
        while number < len(closed) and closed[number][1] <= bar.start():
            number += 1
        if number < len(closed) and closed[number][0] <= bar.start():
            continue
        if begun >= 0:
            yield row[begun : bar.start()].strip(), start, bar.start(), header
        start, begun, header = bar.start(), bar.end(), len(bar[0]) == 2
    if begun >= 0 and row[begun:].strip():
        yield row[begun:].strip(), start, len(row), header
