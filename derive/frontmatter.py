"""YAML front matter: nested mappings and lists of records, each a block of its own.

Read through PyYAML's safe loader (the C one where it is built), by nodes, so that each record keeps its place in the text.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

import yaml

from derive.structure import Named, record, singular
from derive.text import squeeze
from derive.tree import Block, Front
from schemas.errors import BadReading
from schemas.vocabulary import Vocabulary, fold

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCE = "---\n"
_ENDS = ("\n---\n", "\n...\n")
_ALIASES = frozenset({"aliases", "alias", "aka", "also known as", "redirect from"})
_REDIRECTS = frozenset({"redirect", "redirect to"})


def front_matter(text: str, vocabulary: Vocabulary) -> Front:
    """Return what the front matter of a normalised body says; an empty front if there is none. BadReading if it is broken."""
    if not text.startswith(_FENCE):
        return Front()
    ends = [(place, len(mark)) for mark in _ENDS if (place := (text + "\n").find(mark, len(_FENCE) - 1)) >= 0]
    if not ends:
        return Front()
    place, length = min(ends)
    loader = _Loader(text[len(_FENCE) : place + 1])
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            return Front()
        return _Reader(loader, vocabulary).front(node, min(place + length, len(text)))
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        message = f"front matter: {squeeze(str(err))}"
        raise BadReading(message) from err
    finally:
        loader.dispose()


class _Reader:
    """Walks one front matter; owns its loader."""

    def __init__(self, loader: yaml.SafeLoader, vocabulary: Vocabulary) -> None:
        self._loader = loader
        self._vocabulary = vocabulary

    def front(self, node: yaml.MappingNode, end: int) -> Front:
        title: str | None = None
        aliases: tuple[str, ...] = ()
        redirect: str | None = None
        rest: list[tuple[str, yaml.Node]] = []
        for name, value in self._entries(node):
            match fold(name):
                case "title":
                    title = next(iter(self._scalars(value)), None)
                case folded if folded in _ALIASES:
                    aliases += self._scalars(value)
                case folded if folded in _REDIRECTS:
                    redirect = next(iter(self._scalars(value)), None)
                case _:
                    rest.append((name, value))
        place = (len(_FENCE), end)
        return Front(end, tuple(self._blocks(rest, (), "", place)), title, tuple(dict.fromkeys(aliases)), redirect)

    def _blocks(self, entries: Sequence[tuple[str, yaml.Node]], path: tuple[str, ...], label: str, place: tuple[int, int]) -> Iterator[Block]:
        """Yield the block of a record's own values, then those of the records inside it."""
        values: list[Named] = []
        inner: list[Block] = []
        for name, node in entries:
            below = f"{label}, " if label else ""
            if isinstance(node, yaml.MappingNode):
                inner += self._blocks(
                    self._entries(node), (*path, name), below + name if not _is_key(name, path) else f"{label} {name}", _place(node)
                )
            elif isinstance(node, yaml.SequenceNode) and any(isinstance(item, yaml.MappingNode) for item in node.value):
                inner += self._records(node, (*path, name), below + singular(name))
            else:
                values += ((name, value) for value in self._scalars(node))
        if values:
            yield record(path, label, values, place, self._vocabulary)
        yield from inner

    def _records(self, node: yaml.SequenceNode, path: tuple[str, ...], label: str) -> Iterator[Block]:
        for item in node.value:
            if not isinstance(item, yaml.MappingNode):
                values = [(path[-1], value) for value in self._scalars(item)]
                yield record(path[:-1], label, values, _place(item), self._vocabulary)
                continue
            entries = self._entries(item)
            key = self._key(entries)
            if key is None:
                yield from self._blocks(entries, path, label, _place(item))
            else:
                name, value = key
                own = [(other, inner) for other, inner in entries if other != name] or entries
                yield from self._blocks(own, (*path, value), f"{label} {value}", _place(item))

    def _key(self, entries: Sequence[tuple[str, yaml.Node]]) -> tuple[str, str] | None:
        """Return the field that names a record, and its value: the strongest that the vocabulary knows, else the first value of several."""
        scalars = {fold(name): (name, values[0]) for name, node in entries if (values := self._scalars(node)) and isinstance(node, yaml.ScalarNode)}
        for known in self._vocabulary.record_keys:
            if known in scalars:
                return scalars[known]
        return next(iter(scalars.values())) if len(entries) > 1 and scalars else None

    def _entries(self, node: yaml.MappingNode) -> list[tuple[str, yaml.Node]]:
        """Return the fields of a mapping, merge keys resolved; of a repeated one the last counts."""
        self._loader.flatten_mapping(node)
        return list({_name(key): value for key, value in node.value}.items())

    def _scalars(self, node: yaml.Node) -> tuple[str, ...]:
        """Return the value of a scalar, or the values of a list of scalars, as text; nothing for null."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        values = (self._loader.construct_object(item, deep=True) for item in nodes)
        return tuple(_text(value) for value in values if value is not None)


def _is_key(name: str, path: Sequence[str]) -> bool:
    """Tell whether the name of a mapping is rather the key of a record, as in `releases: {"3.7": {...}}`."""
    return bool(path) and not name.isidentifier()


def _place(node: yaml.Node) -> tuple[int, int]:
    return len(_FENCE) + node.start_mark.index, len(_FENCE) + node.end_mark.index


def _name(node: yaml.Node) -> str:
    """Return a field's name as it is written: YAML takes an `on` for true."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value).strip()
    message = f"the field in line {node.start_mark.line + 2} has no plain name"
    raise ValueError(message)


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, (date, datetime)) else str(value).strip()
