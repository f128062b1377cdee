"""The predicate vocabulary: what each predicate means and what may hold at once.

It is written in TOML (`schemas/predicates.toml` is the one that ships) and refused whole if one entry is wrong.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import NoReturn, TypeAlias

from schemas.errors import BadSettings
from schemas.ids import digest

FORMAT = 1
OBJECT_TYPES = frozenset({"name", "date", "number", "quantity", "version", "boolean", "text", "any"})

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SPACES = re.compile(r"[\s_-]+")

Entry: TypeAlias = Mapping[str, object]


class Cardinality(StrEnum):
    """How many values of one key may hold at one time."""

    FUNCTIONAL = "functional"
    MULTI = "multi-valued"
    LOG = "event log"


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate. `object` is a type: name, date, number, quantity, version, boolean, text or any.

    `inverse` are the words that say the same from the other side ("heads" of "headed by"): prose that uses them is turned round.
    `excludes` lists (predicate, value or "" for any) pairs that cannot hold beside a value of this one.
    `template` writes a statement as a person would: "{subject} is led by {object}".
    """

    name: str
    cardinality: Cardinality = Cardinality.MULTI
    object: str = "any"
    aliases: tuple[str, ...] = ()
    inverse: str = ""
    excludes: tuple[tuple[str, str], ...] = ()
    template: str = ""


@lru_cache(maxsize=4096)
def fold(words: str) -> str:
    """Return the spelling under which a predicate is looked up: `releaseDate`, `release_date` and `Release date` are one."""
    return _SPACES.sub(" ", _CAMEL.sub(" ", words)).casefold().strip()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All predicates that are known, by canonical name; the rest is multi-valued with a value of any type.

    `record_keys`: fields that name a record in nested data, strongest first. `valid_from`/`valid_to`: fields of such a record that give its facts
    their validity; all folded. `qualifiers`: words of prose that narrow a statement (acting, northern) and so belong to its scope.
    `inverses`: words that say a predicate from the other side, with its canonical name.
    `version` is a fingerprint of the whole content.
    """

    predicates: dict[str, Predicate] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    record_keys: tuple[str, ...] = ()
    valid_from: frozenset[str] = frozenset()
    valid_to: frozenset[str] = frozenset()
    qualifiers: frozenset[str] = frozenset()
    version: str = ""
    inverses: dict[str, str] = field(default_factory=dict)

    def canonical(self, words: str) -> str:
        """Return the canonical name of a predicate as text or data spell it: folded, alias resolved."""
        folded = fold(words)
        return self.aliases.get(folded, folded)

    def predicate(self, name: str) -> Predicate:
        """Return the predicate of a canonical name; an unknown one is multi-valued."""
        return self.predicates.get(name) or Predicate(name)


def shipped() -> Vocabulary:
    """Return the vocabulary that comes with Millstream."""
    return load(resources.files("schemas").joinpath("predicates.toml").read_text("utf-8"), "schemas/predicates.toml")


def load(toml_text: str, origin: str) -> Vocabulary:
    """Return the vocabulary that a TOML text describes; BadSettings names `origin`, the entry at fault and what is wrong with it."""
    try:
        document = tomllib.loads(toml_text)
    except tomllib.TOMLDecodeError as err:
        message = f"{origin}: no TOML: {err}"
        raise BadSettings(message) from err
    reading = _Reading(origin)
    reading.check_names("the file", document, {"format", "records", "prose", "predicates"})
    if document.get("format") != FORMAT:
        reading.refuse("format", f"{document.get('format')!r} is not {FORMAT}")
    records, prose = reading.table("records", document), reading.table("prose", document)
    entries = reading.table("predicates", document)
    reading.check_names("records", records, {"keys", "valid_from", "valid_to"})
    reading.check_names("prose", prose, {"qualifiers"})
    predicates = {name: reading.predicate(name, entry) for name, entry in entries.items()}
    return Vocabulary(
        predicates=predicates,
        aliases=reading.aliases(predicates),
        record_keys=tuple(map(fold, reading.words("records.keys", records.get("keys", [])))),
        valid_from=frozenset(map(fold, reading.words("records.valid_from", records.get("valid_from", [])))),
        valid_to=frozenset(map(fold, reading.words("records.valid_to", records.get("valid_to", [])))),
        qualifiers=frozenset(map(fold, reading.words("prose.qualifiers", prose.get("qualifiers", [])))),
        version=digest("vocabulary", toml_text),
        inverses=reading.inverses(predicates, entries),
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads one vocabulary file; every complaint names it."""

    origin: str

    def refuse(self, entry: str, problem: str) -> NoReturn:
        message = f"{self.origin}: {entry}: {problem}"
        raise BadSettings(message)

    def check_names(self, entry: str, table: Entry, known: set[str]) -> None:
        for name in sorted(set(table) - known):
            self.refuse(entry, f"unknown field {name!r}; known are {', '.join(sorted(known))}")

    def table(self, entry: str, document: Entry) -> Entry:
        value = document.get(entry, {})
        if not isinstance(value, dict):
            self.refuse(entry, f"{value!r} is not a table")
        return value

    def text(self, entry: str, value: object) -> str:
        if not isinstance(value, str) or (value and not value.strip()):
            self.refuse(entry, f"{value!r} is not a text")
        return value

    def words(self, entry: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.refuse(entry, f"{value!r} is not a list of texts")
        texts = [self.text(entry, item) for item in value]
        if "" in texts:
            self.refuse(entry, "holds an empty text")
        return tuple(texts)

    def predicate(self, name: str, entry: object) -> Predicate:
        label = f"predicates.{name}"
        if not isinstance(entry, dict):
            self.refuse(label, f"{entry!r} is not a table")
        self.check_names(label, entry, {"cardinality", "object", "aliases", "inverse", "inverse_aliases", "excludes", "template"})
        if name != fold(name) or not name:
            self.refuse(label, f"the name must be folded: {fold(name)!r}")
        kind, cardinality = entry.get("object", "any"), entry.get("cardinality", Cardinality.MULTI)
        if kind not in OBJECT_TYPES:
            self.refuse(label, f"object {kind!r} is not one of {', '.join(sorted(OBJECT_TYPES))}")
        if cardinality not in tuple(Cardinality):
            self.refuse(label, f"cardinality {cardinality!r} is not one of {', '.join(Cardinality)}")
        template = self.text(f"{label}.template", entry.get("template", ""))
        if template and not {"{subject}", "{object}"} <= set(re.findall(r"\{\w*\}", template)):
            self.refuse(label, f"template {template!r} lacks {{subject}} or {{object}}")
        return Predicate(
            name=name,
            cardinality=Cardinality(str(cardinality)),
            object=str(kind),
            aliases=tuple(map(fold, self.words(f"{label}.aliases", entry.get("aliases", [])))),
            inverse=fold(self.text(f"{label}.inverse", entry.get("inverse", ""))),
            excludes=self.excludes(label, entry.get("excludes", [])),
            template=template,
        )

    def excludes(self, label: str, value: object) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for pair in value if isinstance(value, list) else [value]:
            match pair:
                case [str(predicate), str(text)]:
                    found.append((fold(predicate), text))
                case _:
                    self.refuse(label, f"excludes {pair!r} is not a pair [predicate, value]")
        return tuple(found)

    def aliases(self, predicates: Mapping[str, Predicate]) -> dict[str, str]:
        """Return alias -> canonical name.

        An alias that means two predicates, or is one itself, is refused; so is an exclusion of a predicate that is not declared.
        """
        found: dict[str, str] = {}
        for name, predicate in predicates.items():
            for other, _ in predicate.excludes:
                if other not in predicates:
                    self.refuse(f"predicates.{name}", f"excludes {other!r}, which is not declared")
            for alias in predicate.aliases:
                self._claim(found, alias, name, "alias", predicates)
        return found

    def inverses(self, predicates: Mapping[str, Predicate], entries: Entry) -> dict[str, str]:
        """Return inverse words -> canonical name. Words that are a predicate themselves are allowed if that one has no inverse of its own."""
        found: dict[str, str] = {}
        for name, predicate in predicates.items():
            entry = entries[name]
            extra = entry.get("inverse_aliases", []) if isinstance(entry, dict) else []
            for words in _present(predicate.inverse, self.words(f"predicates.{name}.inverse_aliases", extra)):
                known = predicates.get(words)
                if known is not None and (known.inverse or words == name):
                    self.refuse(f"predicates.{name}", f"inverse {words!r} has an inverse of its own")
                self._claim(found, words, name, "inverse", {})
        return found

    def _claim(self, found: dict[str, str], words: str, name: str, what: str, predicates: Mapping[str, Predicate]) -> None:
        if words in predicates or found.get(words, name) != name:
            self.refuse(f"predicates.{name}", f"{what} {words!r} already means {found.get(words, words)!r}")
        found[words] = name


def _present(first: str, rest: Iterable[str]) -> list[str]:
    return [word for word in (first, *map(fold, rest)) if word]
