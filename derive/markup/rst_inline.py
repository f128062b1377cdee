"""Inline markup of reStructuredText as plain text, through docutils: marks, roles and targets gone, substitutions filled in."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import SimpleNamespace

from docutils import nodes
from docutils.parsers.rst import states
from docutils.utils import Reporter, unescape

from derive.markup.links import Shown, linked, path_of, shown
from derive.markup.rst_parser import LEVEL, Document
from derive.text import squeeze

Substitutions = tuple[tuple[str, str], ...]
"""(name in lower case, text) of all that a body defines."""

_MARKED = re.compile(r"[*`|\\]|_(?!\w)")
_STRETCH = 4_000
"""Characters that docutils sees at once: a mark that nothing closes costs it a look at all of them."""
_PIECE = re.compile(rf"(?s:.{{1,{_STRETCH}}})(?:\s|$)|(?s:.{{1,{_STRETCH}}})")
_TARGET = re.compile(r"\s*<[^<>]*>$")
_SPOKEN = {"pep": "PEP", "rfc": "RFC"}
"""What a role says before its text."""
_NOTE = "\0"
_NOTED = re.compile(rf"\s*{_NOTE}")
"""A note that is referred to, and the white space before it."""
_FORMER = re.compile(r"^[~!](?=\S)")


def plain(raw: str, substitutions: Substitutions = ()) -> str:
    """Return inline markup as plain text on one line."""
    return said(raw, substitutions).text


@lru_cache(maxsize=4096)
def said(raw: str, substitutions: Substitutions = ()) -> Shown:
    """Return the same with the links to other documents in it. Remembered: most paragraphs of a page are those of the version before."""
    if not _MARKED.search(raw):
        return Shown(squeeze(raw))
    known = dict(substitutions)
    found = (_Inliner().parse(piece, 0, _MEMO, _DOCUMENT)[0] for piece in _PIECE.findall(raw))
    return shown(_NOTED.sub("", "".join(text for nodes_ in found for text in _texts(nodes_, known))))


class _Ending:
    """What closes a mark, in one text: where the rest of it holds no ending, no shorter rest does."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._hopeless = -1

    def search(self, rest: str) -> re.Match[str] | None:
        """Return the first ending in the rest of the text."""
        if len(rest) <= self._hopeless:
            return None
        found = self._pattern.search(rest)
        if found is None:
            self._hopeless = len(rest)
        return found


class _Silent(Reporter):
    """A reporter that reports nothing."""

    def system_message(self, level: int, message: str | Exception, *children: nodes.Node, **_: object) -> nodes.system_message:
        return _NO_MESSAGE


class _Inliner(states.Inliner):
    """docutils' inliner for one text; every role is its text, and addresses and the like in running text are text."""

    def __init__(self) -> None:
        super().__init__()
        self.__dict__.update(_READY.__dict__)
        closing = {name: _Ending(getattr(_READY.patterns, name)) for name in _CLOSING}
        self.patterns = SimpleNamespace(**{**_READY.patterns.__dict__, **closing})

    def problematic(self, text: str, rawsource: str, message: object) -> nodes.problematic:
        return nodes.problematic(rawsource, text)

    def interpreted(self, rawsource: str, text: str, role: str, lineno: int) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        written = unescape(text)
        title = _FORMER.sub("", _TARGET.sub("", written) or written.strip(" <>"))
        if role == "doc":
            named = _TARGET.search(written)
            title = linked(title, path_of(named[0].strip(" <>") if named else written))
        return [nodes.inline(rawsource, f"{_SPOKEN[role]} {title}" if role in _SPOKEN else title)], []

    def implicit_inline(self, text: str, lineno: int) -> list[nodes.Text]:
        return [nodes.Text(text)] if text else []


def _texts(found: Iterable[nodes.Node], known: Mapping[str, str]) -> Iterator[str]:
    for node in found:
        match node:
            case nodes.footnote_reference() | nodes.citation_reference():
                yield _NOTE
            case nodes.substitution_reference():
                yield known.get(squeeze(node.astext()).casefold(), node.astext())
            case nodes.reference() if node.children and isinstance(node.children[0], nodes.substitution_reference):
                yield from _texts(node.children, known)
            case nodes.reference() if "refuri" in node:
                yield linked(node.astext(), path_of(node["refuri"]))
            case _:
                yield node.astext()


_READY = states.Inliner()
"""An inliner as docutils prepares it, which it can do for its own class only."""
_READY.init_customizations(Document().settings)
_CLOSING = ("emphasis", "strong", "literal", "target", "substitution_ref", "interpreted_or_phrase_ref")
_NO_MESSAGE = nodes.system_message()
_DOCUMENT = Document()
_DOCUMENT.reporter = _Silent("", LEVEL, LEVEL, False)  # noqa: FBT003, docutils names it so
_MEMO = SimpleNamespace(document=_DOCUMENT, reporter=_DOCUMENT.reporter, language=None)
