"""Front matter in YAML or TOML: nested mappings and lists of records, each a block of its own.

YAML is read through PyYAML's safe loader (the C one where it is built), by nodes, so that each record keeps its place in the text.
"""

import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time

import yaml

from derive.markup.structure import Named, record, singular
from derive.text import normalise, squeeze
from derive.tree import Block, Front
from schemas.errors import BadReading
from schemas.vocabulary import Vocabulary, fold

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FENCE = "---\n"
_ENDS = {_FENCE: ("\n---\n", "\n...\n"), "+++\n": ("\n+++\n",)}
"""How front matter ends, by how it begins."""
_ALIASES = frozenset({"aliases", "alias", "aka", "also known as", "redirect from"})
_REDIRECTS = frozenset({"redirect", "redirect to"})
_MERGE = "tag:yaml.org,2002:merge"
_WRITTEN = {"tag:yaml.org,2002:float": 15, "tag:yaml.org,2002:int": 4000}
"""Characters above which a number stays as it is written: Python's float would lose digits, its int refuses more."""
_MOST_ALIASES = 100
"""Names of one document, as in an event; of more the first count."""
_MOST_VISITS = 50_000
"""Nodes of one front matter that are looked at, each alias anew: some 1,500 records of ten fields, and well below a second of work.

YAML's aliases let a few lines name billions of nodes, so the size of the body bounds nothing. Long texts count once more for each 100 characters.
"""


def front_matter(text: str, vocabulary: Vocabulary) -> Front:
    """Return what the front matter of a normalised body says, in YAML or TOML; an empty front if there is none. BadReading if it is broken."""
    marks = _ENDS.get(text[: len(_FENCE)], ())
    ends = [(place, len(mark)) for mark in marks if (place := (text + "\n").find(mark, len(_FENCE) - 1)) >= 0]
    if not ends:
        return Front()
    place, length = min(ends)
    written = text[len(_FENCE) : place + 1]
    loader = _Loader(written if text.startswith(_FENCE) else "")
    try:
        node = loader.get_single_node() if text.startswith(_FENCE) else _toml_node(written)
        if not isinstance(node, yaml.MappingNode):
            return Front()
        return _Reader(loader, vocabulary).front(node, min(place + length, len(text)))
    except (
        yaml.YAMLError,
        ValueError,
        RecursionError,
        LookupError,
        OverflowError,
        AttributeError,
        TypeError,
    ) as err:  # PyYAML's constructors raise any of these
        message = f"front matter: {squeeze(str(err))}"
        raise BadReading(message) from err
    finally:
        loader.dispose()


class _Toml(yaml.representer.SafeRepresenter):
    """Makes YAML's nodes of what TOML holds."""


_Toml.add_representer(time, lambda made, value: made.represent_str(value.isoformat()))


def _toml_node(written: str) -> yaml.Node:
    """Return TOML as the nodes that YAML would give; TOML does not say where a value stands, so that each stands in all of it."""
    node: yaml.Node = _Toml(sort_keys=False).represent_data(tomllib.loads(written))
    waiting = [node]
    while waiting:
        one = waiting.pop()
        one.start_mark, one.end_mark = yaml.Mark("", 0, 0, 0, None, 0), yaml.Mark("", len(written), 0, 0, None, 0)
        if isinstance(one, yaml.MappingNode):
            waiting += (inner for pair in one.value for inner in pair)
        elif isinstance(one, yaml.SequenceNode):
            waiting += one.value
    return node


class _Reader:
    """Walks one front matter; owns its loader and what is left of its visits. ValueError once they are used up."""

    def __init__(self, loader: yaml.SafeLoader, vocabulary: Vocabulary) -> None:
        self._loader = loader
        self._vocabulary = vocabulary
        self._left = _MOST_VISITS

    def _visit(self, nodes: int, characters: int = 0) -> None:
        self._left -= nodes + characters // 100
        if self._left < 0:
            message = f"more than {_MOST_VISITS:,} nodes, aliases followed"
            raise ValueError(message)

    def front(self, node: yaml.MappingNode, end: int) -> Front:
        title: str | None = None
        aliases: tuple[str, ...] = ()
        redirect: str | None = None
        rest: list[tuple[str, yaml.Node]] = []
        for name, value in self._entries(node):
            match fold(name):
                case "title":
                    title = next(map(squeeze, self._scalars(value)), None)
                case folded if folded in _ALIASES:
                    aliases += tuple(map(squeeze, self._scalars(value)))
                case folded if folded in _REDIRECTS:
                    redirect = next(map(squeeze, self._scalars(value)), None)
                case _:
                    rest.append((name, value))
        place = (len(_FENCE), end)
        return Front(end, tuple(self._blocks(rest, (), "", place)), title, tuple(dict.fromkeys(aliases))[:_MOST_ALIASES], redirect)

    def _blocks(self, entries: Sequence[tuple[str, yaml.Node]], path: tuple[str, ...], label: str, place: tuple[int, int]) -> Iterator[Block]:
        """Yield the block of a record's own values, then those of the records inside it."""
        values: list[Named] = []
        inner: list[Block] = []
        for name, node in entries:
            self._visit(1, len(label))
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
            self._visit(1, len(label))
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
        scalars = {fold(name): (name, values[0]) for name, node in entries if isinstance(node, yaml.ScalarNode) and (values := self._scalars(node))}
        for known in self._vocabulary.record_keys:
            if known in scalars:
                return scalars[known]
        return next(iter(scalars.values())) if len(entries) > 1 and scalars else None

    def _entries(self, node: yaml.MappingNode) -> list[tuple[str, yaml.Node]]:
        """Return the fields of a mapping, merge keys resolved; of a repeated one the last counts."""
        merged: dict[str, yaml.Node] = {}
        own: dict[str, yaml.Node] = {}
        for key, value in node.value:
            self._visit(1, len(key.value))
            if key.tag == _MERGE:
                merged.update(self._merged(value))
            else:
                own[_name(key)] = value
        return list((merged | own).items())

    def _merged(self, node: yaml.Node) -> Iterator[tuple[str, yaml.Node]]:
        """Yield the fields that a merge key brings in, those that count last."""
        for source in reversed(node.value) if isinstance(node, yaml.SequenceNode) else [node]:
            if not isinstance(source, yaml.MappingNode):
                message = f"line {source.start_mark.line + 2} merges what is no mapping"
                raise TypeError(message)
            yield from self._entries(source)

    def _scalars(self, node: yaml.Node) -> tuple[str, ...]:
        """Return the value of a scalar, or the values of a list and of the lists in it, as text; nothing for null. A mapping gives "name: value"."""
        return tuple(self._texts(node))

    def _texts(self, node: yaml.Node) -> Iterator[str]:
        self._visit(1)
        if isinstance(node, yaml.SequenceNode):
            for item in node.value:
                yield from self._texts(item)
        elif isinstance(node, yaml.MappingNode):
            for name, inner in self._entries(node):
                yield from (f"{name}: {text}" for text in self._texts(inner))
        else:
            self._visit(0, len(node.value))
            value = node.value if len(node.value) > _WRITTEN.get(node.tag, len(node.value)) else self._loader.construct_object(node)
            if value is not None:
                yield _text(value)


def _is_key(name: str, path: Sequence[str]) -> bool:
    """Tell whether the name of a mapping is rather the key of a record, as in `releases: {"3.7": {...}}`."""
    return bool(path) and not name.isidentifier()


def _place(node: yaml.Node) -> tuple[int, int]:
    return len(_FENCE) + node.start_mark.index, len(_FENCE) + node.end_mark.index


def _name(node: yaml.Node) -> str:
    """Return a field's name as it is written: YAML takes an `on` for true."""
    if isinstance(node, yaml.ScalarNode):
        return squeeze(normalise(str(node.value)))
    message = f"the field in line {node.start_mark.line + 2} has no plain name"
    raise ValueError(message)


def _text(value: object) -> str:
    """Return a value under the same rules as the body: an escape could bring in what the body itself may not hold."""
    return value.isoformat() if isinstance(value, (date, datetime)) else normalise(str(value))
