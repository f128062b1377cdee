"""Plain text and reStructuredText to the block tree: RFC-822 style headers on top, underlined headings, paragraphs and list items."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.headers import headers
from derive.markdown import lead_in
from derive.structure import pair
from derive.text import squeeze
from derive.tree import Block, BlockKind, Form, Growing, Heading, Tree, key_and_value
from schemas.vocabulary import Vocabulary

_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}\s*$")
_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+•]|\(?\d{1,3}[.)]|#\.)\s+(?=\S)")
_LITERAL = re.compile(r"``(.+?)``", re.DOTALL)
_ROLES = (
    (re.compile(r":[\w:+-]+:`([^`<]+?)\s*(?:<[^`>]*>)?`"), r"\1"),
    (re.compile(r"`([^`<]+?)\s*(?:<[^`>]*>)?`__?"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"\1"),
    (re.compile(r"\*\*(\S(?:.*?\S)?)\*\*", re.DOTALL), r"\1"),
    (re.compile(r"(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])", re.DOTALL), r"\1"),
    (re.compile(r"\[[#\w]+\]_"), ""),
    (re.compile(r"(?<![\w])([A-Za-z][\w-]*[A-Za-z0-9])__?(?=[\s.,;:)]|$)"), r"\1"),
)
_DIRECTIVE = re.compile(r"\.\. (?P<name>[\w:-]+)::\s*(?P<rest>.*)", re.DOTALL)
_SAID = frozenset({"note", "warning", "important", "tip", "caution", "attention", "hint", "danger", "seealso", "versionadded", "versionchanged"})


def plain_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in plain text."""
    return _tree(text, Form.PLAIN, vocabulary)


def rst_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in reStructuredText."""
    return _tree(text, Form.RST, vocabulary)


def _tree(text: str, form: Form, vocabulary: Vocabulary) -> Tree:
    return _Walk(text, form, Growing(len(text), headers(text, vocabulary)), vocabulary).tree()


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Lines without an empty one between them; offsets in the body."""

    lines: tuple[str, ...]
    start: int

    @property
    def end(self) -> int:
        return self.start + sum(len(line) + 1 for line in self.lines) - 1


class _Walk:
    """One pass over the chunks of one body."""

    def __init__(self, text: str, form: Form, growing: Growing, vocabulary: Vocabulary) -> None:
        self._text = text
        self._form = form
        self._growing = growing
        self._vocabulary = vocabulary
        self._styles: list[str] = []
        self._lead = ""
        self._literal = False

    def tree(self) -> Tree:
        chunks = [part for chunk in _chunks(self._text, self._growing.front.end) for part in self._headings(chunk)]
        levels = [chunk.level for chunk in chunks if isinstance(chunk, Heading)]
        self._growing.titled = levels.count(1) == 1 and levels[0] == 1
        for chunk in chunks:
            if isinstance(chunk, Heading):
                self._growing.heading(chunk)
                self._lead = ""
            else:
                self._chunk(chunk)
        return self._growing.finish()

    def _headings(self, chunk: _Chunk) -> Iterator[Heading | _Chunk]:
        """Yield the headings of a chunk (a line with an underline, perhaps an overline) and what stands between them."""
        lines, place, number = chunk.lines, chunk.start, 0
        begin, held = place, 0
        while number < len(lines):
            over = _UNDERLINE.match(lines[number]) is not None
            title, under = (number + 1, number + 2) if over else (number, number + 1)
            size = sum(len(line) + 1 for line in lines[number : under + 1])
            if under < len(lines) and _is_heading(lines[title], lines[under]):
                if held:
                    yield _Chunk(lines[number - held : number], begin)
                yield Heading(self._level(lines[under][0] + ("over" if over else "")), self._inline(lines[title]), place, place + size - 1)
                number, held = under + 1, 0
                place += size
                begin = place
            else:
                place += len(lines[number]) + 1
                number, held = number + 1, held + 1
        if held:
            yield _Chunk(lines[len(lines) - held :], begin)

    def _level(self, style: str) -> int:
        if style not in self._styles:
            self._styles.append(style)
        return self._styles.index(style) + 1

    def _chunk(self, chunk: _Chunk) -> None:
        indented = all(line[0] in " \t" for line in chunk.lines)
        if self._literal and indented:
            self._growing.add(Block(BlockKind.CODE, "\n".join(chunk.lines), self._growing.section, chunk.start, chunk.end))
            return
        self._literal = False
        if _ITEM.match(chunk.lines[0]):
            for item in _items(chunk):
                self._item(item)
            return
        self._paragraph(chunk)

    def _item(self, chunk: _Chunk) -> None:
        raw = self._before_literal(_ITEM.sub("", chunk.lines[0], count=1) + "\n" + "\n".join(chunk.lines[1:]))
        text = self._inline(raw)
        parts = key_and_value(text, marked=raw.startswith("**"))
        if parts:
            self._growing.add(pair(*parts, self._growing.section, (chunk.start, chunk.end), self._vocabulary))
        else:
            self._growing.add(Block(BlockKind.ITEM, text, self._growing.section, chunk.start, chunk.end, lead=self._lead))

    def _paragraph(self, chunk: _Chunk) -> None:
        raw = "\n".join(chunk.lines)
        text = self._inline(self._before_literal(_said(raw) if self._form is Form.RST else raw))
        if not text or text == ":":
            return
        self._lead = "" if self._literal else lead_in(text)
        kind = BlockKind.LEAD if lead_in(text) == text else BlockKind.PROSE
        self._growing.add(Block(kind, text, self._growing.section, chunk.start, chunk.end))

    def _before_literal(self, raw: str) -> str:
        """Note whether code follows, as "::" announces it, and return the text with a plain colon."""
        self._literal = self._form is Form.RST and raw.rstrip().endswith("::")
        return raw.rstrip().removesuffix(":") if self._literal else raw

    def _inline(self, raw: str) -> str:
        """Return inline markup as plain text; what stands in literals is left as it is."""
        if self._form is not Form.RST:
            return squeeze(raw)
        parts = _LITERAL.split(raw)
        return squeeze("".join(part if number % 2 else _unmarked(part) for number, part in enumerate(parts)))


def _unmarked(text: str) -> str:
    for pattern, replacement in _ROLES:
        text = pattern.sub(replacement, text)
    return text


def _chunks(text: str, start: int) -> Iterator[_Chunk]:
    lines: list[str] = []
    begin = place = start
    for line in text[start:].split("\n"):
        if line.strip():
            begin = begin if lines else place
            lines.append(line)
        elif lines:
            yield _Chunk(tuple(lines), begin)
            lines = []
        place += len(line) + 1
    if lines:
        yield _Chunk(tuple(lines), begin)


def _is_heading(title: str, under: str) -> bool:
    return (
        _UNDERLINE.match(under) is not None
        and _UNDERLINE.match(title) is None
        and len(under.strip()) >= min(len(title.strip()), 4)
        and len(title) <= 120
    )


def _items(chunk: _Chunk) -> Iterator[_Chunk]:
    """Yield the items of a list, each with its continuation lines."""
    place, begin, held = chunk.start, chunk.start, list[str]()
    for line in chunk.lines:
        if held and _ITEM.match(line):
            yield _Chunk(tuple(held), begin)
            held, begin = [], place
        held.append(line)
        place += len(line) + 1
    yield _Chunk(tuple(held), begin)


def _said(raw: str) -> str:
    """Return what a piece of explicit markup says: the text of an admonition; nothing for targets, comments and other directives."""
    stripped = raw.strip()
    if not stripped.startswith(".. "):
        return raw
    match = _DIRECTIVE.match(stripped)
    return match["rest"] if match and match["name"] in _SAID else ""
