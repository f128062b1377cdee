"""The predicate vocabulary: what each predicate means and what may hold at once.

It is written in TOML (`schemas/predicates.toml` is the one that ships; `docs/vocabulary.md` says how to read and extend it) and refused whole if one
entry is wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources

from schemas.entries import ADDED, Entries, Entry, Said, entries
from schemas.ids import digest
from schemas.predicate import Cardinality as Cardinality
from schemas.predicate import Predicate as Predicate
from schemas.predicate import fold as fold

ORIGIN = "schemas/predicates.toml"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All predicates that are known, by canonical name; the rest is multi-valued with a value of any type.

    `record_keys`: fields that name a record in nested data, strongest first. `valid_from`/`valid_to`: fields of such a record that give its facts
    their validity; all folded. `qualifiers`: words of prose that narrow a statement (acting, northern) and so belong to its scope.
    `inverses`: words that say a predicate from the other side, with its canonical name. `renamed`: former names with the present one;
    `first`: present names with the one that is stored. `version` is a fingerprint of the whole content.
    """

    predicates: dict[str, Predicate] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    record_keys: tuple[str, ...] = ()
    valid_from: frozenset[str] = frozenset()
    valid_to: frozenset[str] = frozenset()
    qualifiers: frozenset[str] = frozenset()
    version: str = ""
    inverses: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def canonical(self, words: str) -> str:
        """Return the canonical name of a predicate as text or data spell it: folded, alias and former name resolved."""
        folded = fold(words)
        return self.aliases.get(folded) or self.named(folded)

    def predicate(self, name: str) -> Predicate:
        """Return the predicate of a canonical or a stored name; an unknown one is multi-valued."""
        present = self.named(name)
        return self.predicates.get(present) or Predicate(present)

    def named(self, name: str) -> str:
        """Return the present name of a predicate that was renamed; any other name is returned as it is."""
        return self.renamed.get(name, name)

    def stored(self, name: str) -> str:
        """Return the name under which a predicate is stored: its first one, so that a new name leaves keys and ids as they are."""
        return self.first.get(name, name)

    def meant(self, words: str) -> Predicate | None:
        """Return the predicate that words mean from either side; None if they are not known."""
        name = self.inverses.get(words) or self.canonical(words)
        return self.predicates.get(name)

    def qualified(self, words: Sequence[str], ending: str = "") -> tuple[tuple[str, ...], str]:
        """Return what narrows a role or property ("acting ceo", "regional head"), and its name. `ending` follows the name where it is looked up."""
        common = [number for number, word in enumerate(words[:-1]) if word in self.qualifiers]
        rest = [number for number in range(len(words)) if number not in common]
        for cut in range(1, len(rest)):
            known = self.meant(" ".join(words[number] for number in rest[cut:]) + ending)
            if known is not None and all(words[number] in known.scope for number in rest[:cut]):
                common, rest = sorted([*common, *rest[:cut]]), rest[cut:]
                break
        return tuple(words[number] for number in common), " ".join(words[number] for number in rest)


@cache
def shipped() -> Vocabulary:
    """Return the vocabulary that comes with Millstream."""
    return load(_shipped_text(), ORIGIN)


def load(text: str, origin: str) -> Vocabulary:
    """Return the vocabulary that a TOML text describes; BadSettings names `origin`, the line, the entry at fault and what is wrong with it."""
    return _combined([entries(text, origin)], digest("vocabulary", text))


def extended(text: str, origin: str) -> Vocabulary:
    """Return the shipped vocabulary with what a TOML text adds to it or overrides in it; BadSettings as from `load`, a clash with both places."""
    base = _shipped_text()
    return _combined([entries(base, ORIGIN), entries(text, origin)], digest("vocabulary", base, text))


def _shipped_text() -> str:
    return resources.files("schemas").joinpath("predicates.toml").read_text("utf-8")


def _combined(files: Sequence[Entries], version: str) -> Vocabulary:
    """Return the vocabulary of several files, each of which extends those before it."""
    held: dict[str, list[Entry]] = {}
    for file in files:
        for name, entry in file.predicates.items():
            held[name] = _extended(held.get(name, []), entry)
    predicates = {name: _joined(parts) for name, parts in held.items()}
    parts = [entry for file in files for name, entry in file.predicates.items() if any(entry is part for part in held[name])]
    places = {name: of_one[0].said for name, of_one in held.items()}
    _check_exclusions(parts, predicates)
    aliases = _aliases(parts, places)
    inverses = _inverses(parts, predicates, aliases)
    renamed = _renamed([said for file in files for said in file.renamed], places, aliases | {said.words: said for said in inverses.values()})
    qualifiers = _distinct([said for file in files for said in file.qualifiers])
    for of_one in held.values():
        _distinct([*qualifiers.values(), *(said for entry in of_one for said in entry.scope)])
    return Vocabulary(
        predicates=predicates,
        aliases={words: said.means for words, said in aliases.items()},
        record_keys=tuple(_distinct([said for file in reversed(files) for said in file.keys])),
        valid_from=frozenset(_distinct([said for file in files for said in file.valid_from])),
        valid_to=frozenset(_distinct([said for file in files for said in file.valid_to])),
        qualifiers=frozenset(qualifiers),
        version=version,
        inverses={words: said.means for words, said in inverses.items()},
        renamed=renamed,
        first={new: old for old, new in renamed.items() if old not in {said.means for file in files for said in file.renamed}},
    )


def _extended(before: list[Entry], entry: Entry) -> list[Entry]:
    """Return the parts of one predicate once another file has spoken of it."""
    if entry.override:
        if not before:
            entry.said.refuse("overrides nothing: no such predicate is there to be replaced; leave override out")
        return [entry]
    for name in sorted(entry.given - ADDED) if before else []:
        known = f"the predicate is declared already ({before[0].said.place})"
        entry.said.file.refuse((*entry.said.path, name), f"{known}; override = true replaces it whole, {', '.join(sorted(ADDED))} add to it")
    return [*before, entry]


def _joined(parts: Sequence[Entry]) -> Predicate:
    """Return a predicate with all that its parts add."""
    values: dict[str, Said] = {}
    for said in (said for entry in parts for said in entry.values):
        known = values.setdefault(said.words, said)
        if known.means != said.means:
            said.refuse(f"{said.words!r} already means {known.means!r} ({known.place})")
    predicates = [entry.predicate for entry in parts]
    return replace(
        predicates[0],
        aliases=tuple(dict.fromkeys(alias for one in predicates for alias in one.aliases)),
        excludes=tuple(dict.fromkeys(pair for one in predicates for pair in one.excludes)),
        scope=tuple(word for one in predicates for word in one.scope),
        synonyms={words: said.means for words, said in values.items()},
    )


def _check_exclusions(parts: Iterable[Entry], predicates: Mapping[str, Predicate]) -> None:
    for entry in parts:
        for said in entry.excludes:
            if said.words not in predicates or said.words == entry.predicate.name:
                said.refuse(f"excludes {said.words!r}, which is {'the predicate itself' if said.words in predicates else 'not declared'}")


def _aliases(parts: Iterable[Entry], places: Mapping[str, Said]) -> dict[str, Said]:
    """Return the aliases; one that means two predicates, or is one itself, is refused."""
    found: dict[str, Said] = {}
    for said in (said for entry in parts for said in entry.aliases):
        _claim(said, "alias", {**found, **({said.words: places[said.words]} if said.words in places else {})})
        if said.words in places:
            said.refuse(f"alias {said.words!r} is the name of its own predicate")
        found[said.words] = said
    return found


def _inverses(parts: Sequence[Entry], predicates: Mapping[str, Predicate], aliases: Mapping[str, Said]) -> dict[str, Said]:
    """Return the words that say a predicate from the other side.

    They may be a predicate themselves, or an alias of one, if that one is the other side: it is among the inverse words itself and has no inverse.
    They may be an alias of their own predicate, as where a language has one word for "lead" of a table and "leads" of a sentence.
    """
    found: dict[str, Said] = {}
    for entry in parts:
        for said in entry.inverses:
            _claim(said, "inverse", found)
            found[said.words] = said
    for said in found.values():
        known = predicates.get(said.words)
        if known is not None and (known.inverse or said.words == said.means):
            said.refuse(f"inverse {said.words!r} is a predicate with an inverse of its own")
        alias = aliases.get(said.words)
        if alias is not None and alias.means != said.means and (alias.means not in found or found[alias.means].means != said.means):
            said.refuse(f"inverse {said.words!r} is an alias of {alias.means!r} ({alias.place}), which is not its other side")
    return found


def _claim(said: Said, what: str, found: Mapping[str, Said]) -> None:
    known = found.get(said.words)
    if known is not None and known.means != said.means:
        said.refuse(f"{what} {said.words!r} already means {known.means!r} ({known.place})")


def _renamed(listed: Sequence[Said], places: Mapping[str, Said], taken: Mapping[str, Said]) -> dict[str, str]:
    """Return each former name with the present one; a name of several renamings in a row leads to the last.

    Two names that became one are refused: what is stored under both cannot keep its keys.
    """
    steps = {said.words: said for said in listed}
    found: dict[str, str] = {}
    targets: dict[str, Said] = {}
    for said in listed:
        other = targets.setdefault(said.means, said)
        if other is not said:
            said.refuse(f"{other.words!r} was renamed to {said.means!r} as well ({other.place}); two predicates cannot become one by renaming")
        known = places.get(said.words) or taken.get(said.words)
        if known is not None or steps[said.words] is not said:
            said.refuse(f"{said.words!r} is still in use ({(known or steps[said.words]).place})")
        seen, name = [said.words], said.means
        while name in steps:
            if name in seen:
                said.refuse(f"renaming goes round in a circle: {' -> '.join([*seen, name])}")
            seen.append(name)
            name = steps[name].means
        if name not in places:
            said.refuse(f"renamed to {name!r}, which is not declared")
        found[said.words] = name
    return found


def _distinct(listed: Iterable[Said]) -> dict[str, Said]:
    """Return words in their order; words that come twice are refused with both places."""
    found: dict[str, Said] = {}
    for said in listed:
        if said.words in found:
            said.refuse(f"{said.words!r} is listed already ({found[said.words].place})")
        found[said.words] = said
    return found
