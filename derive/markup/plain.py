"""Plain text to the block tree: RFC-822 style headers on top, underlined headings, paragraphs and list items."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.markup.headers import headers
from derive.markup.outline import Writer, outlined
from derive.text import squeeze
from derive.tree import Heading, Tree
from schemas.vocabulary import Vocabulary

_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}\s*$")
_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+•]|\(?\d{1,3}[.)]|#\.)\s+(?=\S)")


def plain_tree(text: str, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body in plain text. Items with empty lines between them are one list."""
    front = headers(text, vocabulary)
    writer, styles, listing = Writer(), list[str](), False
    for part in (part for run in _runs(text, front.end) for part in _headed(run, styles)):
        listed = isinstance(part, _Run) and _ITEM.match(part.lines[0]) is not None
        if listed and not listing:
            writer.begin_list()
        elif listing and not listed:
            writer.end_list()
        listing = listed
        _say(part, writer, listed=listed)
    return outlined(writer.said, len(text), front, vocabulary)


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines without an empty one between them, from an offset in the body."""

    lines: tuple[str, ...]
    start: int

    @property
    def place(self) -> tuple[int, int]:
        return self.start, self.start + sum(len(line) + 1 for line in self.lines) - 1


def _say(part: Heading | _Run, writer: Writer, *, listed: bool) -> None:
    if isinstance(part, Heading):
        writer.heading(part.level, part.text, (part.start, part.end))
    elif not listed:
        writer.paragraph(squeeze(" ".join(part.lines)), part.place)
    else:
        for item in _items(part):
            writer.begin_item()
            first = _ITEM.sub("", item.lines[0], count=1)
            writer.paragraph(squeeze(" ".join((first, *item.lines[1:]))), item.place, marked=first.startswith("**"))
            writer.end_item()


def _runs(text: str, start: int) -> Iterator[_Run]:
    lines: list[str] = []
    begin = place = start
    for line in text[start:].split("\n"):
        if line.strip():
            begin = begin if lines else place
            lines.append(line)
        elif lines:
            yield _Run(tuple(lines), begin)
            lines = []
        place += len(line) + 1
    if lines:
        yield _Run(tuple(lines), begin)


def _headed(run: _Run, styles: list[str]) -> Iterator[Heading | _Run]:
    """Yield the headings in a run (a line with an underline, perhaps an overline) and what stands between them; a new style is a deeper level."""
    lines, place, number = run.lines, run.start, 0
    begin, held = place, 0
    while number < len(lines):
        over = _UNDERLINE.match(lines[number]) is not None
        title, under = (number + 1, number + 2) if over else (number, number + 1)
        size = sum(len(line) + 1 for line in lines[number : under + 1])
        if under < len(lines) and _is_heading(lines[title], lines[under]):
            if held:
                yield _Run(lines[number - held : number], begin)
            style = lines[under][0] + ("over" if over else "")
            if style not in styles:
                styles.append(style)
            yield Heading(styles.index(style) + 1, squeeze(lines[title]), place, place + size - 1)
            number, held = under + 1, 0
            place += size
            begin = place
        else:
            place += len(lines[number]) + 1
            number, held = number + 1, held + 1
    if held:
        yield _Run(lines[len(lines) - held :], begin)


def _is_heading(title: str, under: str) -> bool:
    return (
        _UNDERLINE.match(under) is not None
        and _UNDERLINE.match(title) is None
        and len(under.strip()) >= min(len(title.strip()), 4)
        and len(title) <= 120
    )


def _items(run: _Run) -> Iterator[_Run]:
    """Yield the items of a list, each with its continuation lines."""
    place, begin, held = run.start, run.start, list[str]()
    for line in run.lines:
        if held and _ITEM.match(line):
            yield _Run(tuple(held), begin)
            held, begin = [], place
        held.append(line)
        place += len(line) + 1
    yield _Run(tuple(held), begin)
