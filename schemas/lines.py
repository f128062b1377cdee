"""Lines: where in a TOML text a table, a key or an item of a list stands, for complaints that name the line. `tomllib` does not say."""

import re
import tomllib
from collections.abc import Iterator
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys from the root of a file to a value; a number is a place in a list."""

_TOKEN = re.compile(
    r'''(?P<text>"""(?:[^"\\]|\\.|"(?!""))*"{3,5} | \'{3}(?:[^']|'(?!''))*'{3,5} | "(?:[^"\\\n]|\\.)*" | '[^'\n]*')
    | (?P<mark>[\[\]{}=,.\n]) | (?P<comment>\#[^\n]*) | (?P<bare>[^\s\[\]{}=,."'\#]+)''',
    re.VERBOSE | re.DOTALL,
)
_End: TypeAlias = frozenset[str]
_LINE, _LIST, _TABLE = frozenset("\n"), frozenset(",]\n"), frozenset(",}\n")


def lines_of(text: str) -> dict[Path, int]:
    """Return the line, counted from 1, at which each table, key and item of a TOML text begins. The text is known to be TOML."""
    return _Walk(text).lines


class _Walk:
    """One pass over the words of a text that `tomllib` takes; what it would refuse is not looked for."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {(): 1}
        self._tables: dict[Path, int] = {}
        self._words = _words(text)
        self._word, self._line = "", 1
        self._table: Path = ()
        self._next()
        while self._word:
            self._statement()

    def _next(self) -> str:
        """Go one word on; "" at the end of the text. Return the word that was left."""
        left = self._word
        self._word, self._line = next(self._words, ("", self._line))
        return left

    def _statement(self) -> None:
        if self._word == "\n":
            self._next()
        elif self._word == "[":
            self._header()
        else:
            self._pair(self._table, _LINE)

    def _header(self) -> None:
        line = self._line
        self._next()
        listed = self._word == "["
        if listed:
            self._next()
        path = self._keys(())
        if listed:
            number = self._tables[path] = self._tables.get(path, -1) + 1
            path = (*path, number)
            self._next()
        self._next()
        self._table = path
        self._note(path, line)

    def _keys(self, path: Path) -> Path:
        """Read a key of one or more parts; a key within a list of tables is one of its last table."""
        while True:
            inside = (*path, self._tables[path]) if path in self._tables else path
            path = (*inside, _plain(self._next()))
            if self._word != ".":
                return path
            self._next()

    def _pair(self, table: Path, end: _End) -> None:
        line = self._line
        path = self._keys(table)
        self._note(path, line)
        self._next()
        self._value(path, end)

    def _value(self, path: Path, end: _End) -> None:
        if self._word == "[":
            self._next()
            self._items(path)
        elif self._word == "{":
            self._next()
            while self._word != "}":
                self._next() if self._word in ",\n" else self._pair(path, _TABLE)
            self._next()
        else:
            while self._word and self._word not in end:
                self._next()

    def _items(self, path: Path) -> None:
        place = 0
        while self._word != "]":
            if self._word in ",\n":
                self._next()
                continue
            self._note((*path, place), self._line)
            self._value((*path, place), _LIST)
            place += 1
        self._next()

    def _note(self, path: Path, line: int) -> None:
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], line)


def _words(text: str) -> Iterator[tuple[str, int]]:
    """Yield strings, marks, ends of lines and bare words, each with its line; comments are none."""
    line, place = 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", place, found.start())
        place = found.start()
        if found.lastgroup != "comment":
            yield found[0], line


def _plain(key: str) -> str:
    """Return a key as `tomllib` reads it."""
    return str(tomllib.loads(f"key = {key}")["key"]) if key[0] in "\"'" else key
