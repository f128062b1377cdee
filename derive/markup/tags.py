"""The tags and texts of HTML, each with its place in the source.

It reads what the HTML standard calls tokens: stray `<` are text, quotes count in values only, scripts and styles end at their own end tag. Where the
standard would drop the rest of a body (a comment or a quoted value that nothing closes), only the tag itself is dropped. One pass; the time is linear
in the length of the body, whatever is in it. `docs/decisions/html-tokens.md` says why no library does this.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from derive.text import unescaped

_RAW = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes"})
_RAW_TEXT = frozenset({"title", "textarea"})
"""Elements whose content holds no tags; of the second kind it is text."""
_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*+)((?:[^>"'=]|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+)>""")
_BARE_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)([^>]*+)>")
_ATTRIBUTE = re.compile(r"""([^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]++)))?+""")
_OPENING = re.compile(r"</?[a-zA-Z]|<[!?]")


@dataclass(frozen=True, slots=True)
class Start:
    """A start tag; `name` is in lower case, `closed` says that it ends in `/>`."""

    name: str
    written: str
    closed: bool
    start: int
    end: int

    def attributes(self) -> dict[str, str]:
        """Return the attributes by name in lower case; of a repeated one the first counts."""
        found: dict[str, str] = {}
        for match in _ATTRIBUTE.finditer(self.written):
            found.setdefault(match[1].lower(), unescaped(match[2] or match[3] or match[4] or ""))
        return found


@dataclass(frozen=True, slots=True)
class End:
    """An end tag."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Characters:
    """Text with its character references resolved; `raw` where it stood in a CDATA section."""

    text: str
    start: int
    end: int
    raw: bool = False


Token: TypeAlias = Start | End | Characters


def tokens(text: str) -> Iterator[Token]:
    """Yield the tags and texts of a body in their order; comments, declarations, scripts and styles are left out."""
    return _Scan(text).tokens()


class _Scan:
    """One pass over one body; it owns the place that it has reached."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tag = _TAG
        self._last = {mark: text.rfind(mark) for mark in (">", "-->", "]]>")}
        """Where each mark stands last: behind it nothing is looked for."""

    def tokens(self) -> Iterator[Token]:
        text, place, begin = self._text, 0, 0
        while (match := _OPENING.search(text, place)) is not None and match.start() < self._last[">"]:
            place = match.start()
            if match[0] in ("<!", "<?"):
                yield from self._characters(begin, place)
                place = begin = yield from self._declaration(place)
            elif (tag := self._tag.match(text, place)) is None:
                self._tag = _BARE_TAG  # a quote leaves the tag open to the end: none is trusted any more, else each tag would look that far
            else:
                yield from self._characters(begin, place)
                place = begin = yield from self._tagged(tag)
        yield from self._characters(begin, len(text))

    def _tagged(self, match: re.Match[str]) -> Generator[Token, None, int]:
        """Yield a tag, and the text of an element that holds no tags; return where to go on."""
        name, written = match[2].lower(), match[3]
        if match[1]:
            yield End(name, match.start(), match.end())
            return match.end()
        yield Start(name, written, written.endswith("/"), match.start(), match.end())
        if name not in _RAW and name not in _RAW_TEXT:
            return match.end()
        close = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII).search(self._text, match.end())
        end = close.start() if close else len(self._text)
        if name in _RAW_TEXT:
            yield from self._characters(match.end(), end)
        return end

    def _declaration(self, start: int) -> Generator[Token, None, int]:
        """Yield the text of a CDATA section, nothing for a comment or declaration; return where to go on."""
        text = self._text
        if text.startswith("<![CDATA[", start) and start + 9 <= self._last["]]>"]:
            end = text.index("]]>", start + 9)
            yield Characters(text[start + 9 : end], start, end + 3, raw=True)
            return end + 3
        if text.startswith("<!--", start) and not text.startswith(("<!-->", "<!--->"), start) and start + 4 <= self._last["-->"]:
            return text.index("-->", start + 4) + 3
        return text.index(">", start) + 1

    def _characters(self, start: int, end: int) -> Iterator[Characters]:
        if start < end:
            yield Characters(unescaped(self._text[start:end]), start, end)
