"""Links between documents, as marks in a text on its way from the source to its block.

Where a reader meets a link it puts marks around its words that no normalised body holds. Where the text is put on one line they are taken out, and
what they marked keeps its place. So whatever is done to a text in between, a link's words are the words that a person clicks on.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from derive.text import cleaned, has_content, squeeze
from derive.tree import links_in
from schemas.version import Link

_MARK = re.compile("\2([^\2-\4]*)\3|\4")
CLOSE = "\4"
"""Ends the words of a link."""
_SCHEME = re.compile(r"\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)")
_LONGEST_ADDRESS = 2000
_LONGEST = 300
"""Characters of a target; an address that is longer names no document, and a definition may be referred to from everywhere."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Plain text on one line, and the links in it."""

    text: str
    links: tuple[Link, ...] = ()


def opening(target: str) -> str:
    """Return the mark that begins the words of a link; up to its end nothing is linked if the target is empty."""
    return f"\2{target}\3"


def linked(words: str, target: str) -> str:
    """Return words as those of a link; as they are if there is no target."""
    return f"{opening(target)}{words}{CLOSE}" if target and words.strip() else words


def unmarked(text: str) -> str:
    """Return text without marks, with its white space."""
    return _MARK.sub("", text) if CLOSE in text else text


def shown(text: str) -> Shown:
    """Return text on one line with its links. One without a letter or digit in it is none."""
    if "\2" not in text:
        return Shown(_MARK.sub("", squeeze(text)))
    said: list[str] = []
    links: list[Link] = []
    length, gap = 0, False
    for part, target in _parts(text):
        words = squeeze(part)
        if words:
            spaced = length > 0 and (gap or part[0].isspace())
            said += (" " * spaced, words)
            length += spaced + len(words)
            if target and has_content(words):
                links.append(Link(target, length - len(words), length))
        gap = part[-1].isspace() if words else gap or part != ""
    return Shown("".join(said), tuple(links))


def _parts(text: str) -> list[tuple[str, str]]:
    """Return the stretches between marks, each with the target that it leads to, "" outside of links."""
    parts: list[tuple[str, str]] = []
    place, target = 0, ""
    for mark in _MARK.finditer(text):
        parts.append((text[place : mark.start()], target))
        place, target = mark.end(), mark[1] or ""
    return [*parts, (text[place:], target)]


def spaced(lines: Sequence[Shown]) -> Shown:
    """Return lines as one, with spaces between them."""
    links: list[Link] = []
    length = 0
    for line in lines:
        links += links_in(line.links, 0, len(line.text), length)
        length += len(line.text) + 1
    return Shown(" ".join(line.text for line in lines), tuple(links))


def path_of(address: str) -> str:
    """Return the path of a relative address without its fragment, as the source names it; "" if it leads to no other document of the source."""
    if len(address) > _LONGEST_ADDRESS or _SCHEME.match(address):
        return ""
    path = squeeze(cleaned(unquote(address.partition("#")[0])))
    return "" if path.startswith("?") or len(path) > _LONGEST else path


def name_of(title: str) -> str:
    """Return a title that a link names, without the anchor behind it; "" if it is none."""
    name = squeeze(cleaned(title.partition("#")[0]))
    return name if has_content(name) and len(name) <= _LONGEST else ""
