"""Entries: what one vocabulary file says, checked entry by entry. What two entries say together is checked in `schemas.vocabulary`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from schemas.errors import BadSettings
from schemas.lines import Path, lines_of
from schemas.predicate import OBJECT_TYPES, SUBJECT_TYPES, Cardinality, Predicate, fold

FORMAT = 1
_FIELDS = frozenset("cardinality object subject aliases inverse inverse_aliases excludes template values scope override".split())
ADDED = frozenset({"aliases", "inverse_aliases", "excludes", "values", "scope"})
"""Fields by which a file may add to a predicate of the file that it extends."""
_VALUED = frozenset({"text", "any"})
"""Types of which a value can be one of some known words."""
_SLOT = re.compile(r"\{\w*\}")

Table: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class File:
    """A vocabulary file while it is read; every complaint names it, the line, the entry and what is wrong."""

    origin: str
    text: str

    def refuse(self, path: Path, problem: str) -> NoReturn:
        """Raise BadSettings for the entry at a path."""
        message = f"{self.place(path)}: {'.'.join(map(str, path)) or 'the file'}: {problem}"
        raise BadSettings(message)

    def place(self, path: Path) -> str:
        """Return file and line of a path, or of the nearest table around it that is written down."""
        lines = lines_of(self.text)
        while path not in lines:
            path = path[:-1]
        return f"{self.origin}:{lines[path]}"


@dataclass(frozen=True, slots=True)
class Said:
    """Words to which a file gives a meaning, and where it does. `means` is the name of a predicate, or the word of a value."""

    words: str
    means: str
    file: File
    path: Path

    def refuse(self, problem: str) -> NoReturn:
        """Raise BadSettings for these words."""
        self.file.refuse(self.path, problem)

    @property
    def place(self) -> str:
        """File and line."""
        return self.file.place(self.path)


@dataclass(frozen=True, slots=True)
class Entry:
    """One predicate as one file has it. `given` are the fields that are written down; `values` has each known word with the one that it means."""

    predicate: Predicate
    said: Said
    given: frozenset[str]
    override: bool
    aliases: tuple[Said, ...]
    inverses: tuple[Said, ...]
    excludes: tuple[Said, ...]
    values: tuple[Said, ...]
    scope: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Entries:
    """All that one file says; lists in the order of the file."""

    file: File
    predicates: Mapping[str, Entry] = field(default_factory=dict)
    renamed: tuple[Said, ...] = ()
    keys: tuple[Said, ...] = ()
    valid_from: tuple[Said, ...] = ()
    valid_to: tuple[Said, ...] = ()
    qualifiers: tuple[Said, ...] = ()


def entries(text: str, origin: str) -> Entries:
    """Return what a TOML text says; BadSettings names `origin`, the line, the entry at fault and what is wrong with it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as err:
        message = f"{origin}: no TOML: {err}"
        raise BadSettings(message) from err
    return _Reading(File(origin, text)).file(document)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads the parts of one file."""

    source: File

    def file(self, document: Table) -> Entries:
        self.check_fields((), document, frozenset({"format", "records", "prose", "predicates", "renamed"}))
        if document.get("format") != FORMAT:
            self.source.refuse(("format",), f"{document.get('format')!r} is not {FORMAT}")
        records, prose = self.table(("records",), document), self.table(("prose",), document)
        self.check_fields(("records",), records, frozenset({"keys", "valid_from", "valid_to"}))
        self.check_fields(("prose",), prose, frozenset({"qualifiers"}))
        return Entries(
            self.source,
            {name: self.predicate(name, entry) for name, entry in self.table(("predicates",), document).items()},
            tuple(self.renamed(document)),
            self.words(("records", "keys"), records),
            self.words(("records", "valid_from"), records),
            self.words(("records", "valid_to"), records),
            self.words(("prose", "qualifiers"), prose),
        )

    def check_fields(self, path: Path, table: Table, known: frozenset[str]) -> None:
        for name in table:
            if name not in known:
                self.source.refuse((*path, name), f"unknown field {name!r}; known are {', '.join(sorted(known))}")

    def table(self, path: Path, around: Table) -> Table:
        value = around.get(str(path[-1]), {})
        if not isinstance(value, dict):
            self.source.refuse(path, f"{value!r} is not a table")
        return value

    def text(self, path: Path, value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            self.source.refuse(path, f"{value!r} is not a text with content")
        return value

    def words(self, path: Path, around: Table, means: str = "") -> tuple[Said, ...]:
        """Return the texts of a list, folded; one that comes twice is refused."""
        listed = around.get(str(path[-1]), [])
        if not isinstance(listed, list):
            self.source.refuse(path, f"{listed!r} is not a list of texts")
        found: dict[str, Said] = {}
        for number, item in enumerate(listed):
            said = Said(fold(self.text((*path, number), item)), means, self.source, (*path, number))
            if said.words in found:
                said.refuse(f"{item!r} is listed already ({found[said.words].place})")
            found[said.words] = said
        return tuple(found.values())

    def name(self, path: Path, name: str) -> None:
        if name != fold(name) or not name:
            self.source.refuse(path, f"the name must be folded: {fold(name)!r}")

    def choice(self, path: Path, value: object, known: frozenset[str]) -> str:
        if not isinstance(value, str) or value not in known:
            self.source.refuse(path, f"{path[-1]} {value!r} is not one of {', '.join(sorted(known))}")
        return value

    def predicate(self, name: str, value: object) -> Entry:
        path: Path = ("predicates", name)
        entry = self.table(path, {name: value})
        self.check_fields(path, entry, _FIELDS)
        self.name(path, name)
        override = entry.get("override", False)
        if not isinstance(override, bool):
            self.source.refuse((*path, "override"), f"{override!r} is neither true nor false")
        kind = self.choice((*path, "object"), entry.get("object", "any"), OBJECT_TYPES)
        values = tuple(self.values((*path, "values"), entry, kind))
        aliases = self.words((*path, "aliases"), entry, name)
        scope = self.words((*path, "scope"), entry, name)
        excludes = tuple(self.excludes((*path, "excludes"), entry.get("excludes", [])))
        inverse = tuple(Said(fold(self.text((*path, "inverse"), text)), name, self.source, (*path, "inverse")) for text in _given(entry, "inverse"))
        predicate = Predicate(
            name=name,
            cardinality=Cardinality(self.choice((*path, "cardinality"), entry.get("cardinality", "multi-valued"), frozenset(Cardinality))),
            object=kind,
            aliases=tuple(said.words for said in aliases),
            inverse="".join(said.words for said in inverse),
            excludes=tuple((said.words, said.means) for said in excludes),
            template=self.template((*path, "template"), entry),
            subject=self.choice((*path, "subject"), entry.get("subject", "any"), SUBJECT_TYPES),
            synonyms={said.words: said.means for said in values},
            scope=tuple(said.words for said in scope),
        )
        inverses = (*inverse, *self.words((*path, "inverse_aliases"), entry, name))
        said = Said(name, name, self.source, path)
        return Entry(predicate, said, frozenset(entry), override, aliases, inverses, excludes, values, scope)

    def template(self, path: Path, entry: Table) -> str:
        template = "".join(self.text(path, value) for value in _given(entry, "template"))
        if template and (sorted(_SLOT.findall(template)) != ["{object}", "{subject}"] or set("{}") & set(_SLOT.sub("", template))):
            self.source.refuse(path, f"{template!r} must have {{subject}} and {{object}} once each, and no other braces")
        return template

    def excludes(self, path: Path, value: object) -> Iterator[Said]:
        for number, pair in enumerate(value if isinstance(value, list) else [value]):
            match pair:
                case [str(predicate), str(text)]:
                    yield Said(fold(predicate), text, self.source, (*path, number))
                case _:
                    self.source.refuse((*path, number), f"{pair!r} is not a pair [predicate, value]")

    def values(self, path: Path, entry: Table, kind: str) -> Iterator[Said]:
        """Yield each known word of a value with the one that it means, itself for the word that stands for the others."""
        table = self.table(path, entry)
        if table and kind not in _VALUED:
            self.source.refuse(path, f"a value of type {kind} is not one of some words; object must be one of {', '.join(sorted(_VALUED))}")
        for word in table:
            self.name((*path, word), word)
            yield Said(word, word, self.source, (*path, word))
            yield from self.words((*path, word), table, word)

    def renamed(self, document: Table) -> Iterator[Said]:
        for old, new in self.table(("renamed",), document).items():
            self.name(("renamed", old), old)
            yield Said(old, fold(self.text(("renamed", old), new)), self.source, ("renamed", old))


def _given(entry: Table, name: str) -> list[object]:
    return [entry[name]] if name in entry else []
