"""Channels: ways to find candidates, each with its own ranking, best first.

The dense channel finds what means the same, the lexical one what says the same words, the exact one what is about an entity that the question names.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from connectors.bm25 import Bm25
from connectors.embedding import Vector
from connectors.index import Filter, Index, Match
from connectors.lexical import terms
from connectors.limits import searched_words
from schemas.record import Kind, Record

DEPTH = 60  # candidates of a channel, as measured in milvus.md section 10
WIDE = 240  # candidates of the dense channel where the lexical one can only rank these anew
_NAMED = 5  # entities that a question names at most, longest name first
_SHORTEST = 3  # letters of a name that is looked for in a question; two for names with other than ASCII letters
_ALSO = re.compile(r"(?P<name>.*?) \(also (?P<others>.*)\)", re.DOTALL)

Rankings = dict[str, Sequence[Match]]


def rankings(index: Index, question: str, vector: Vector | None, where: Filter) -> Rankings:
    """Return the ranking of every channel that the index and the question have. Without a vector there is no dense channel.

    An index without a lexical channel gets one in memory: the nearest candidates ranked anew by their words. It finds nothing that the dense channel
    missed, but corrects its order.
    """
    found: Rankings = {}
    if vector is not None:
        found["dense"] = index.dense(vector, where, DEPTH if index.has_lexical else WIDE)
    found["lexical"] = index.lexical(question, where, DEPTH) if index.has_lexical else by_words(question, found.get("dense", ()))[:DEPTH]
    named = named_entities(_entities(index, question, vector, where), question)
    if named:
        about = replace(where, entities=frozenset(entity for record in named for entity in record.entities))
        found["exact"] = index.dense(vector, about, DEPTH) if vector is not None else index.lexical(_with_names(question, named), about, DEPTH)
    return {channel: matches for channel, matches in found.items() if matches}


def by_words(question: str, candidates: Iterable[Match]) -> list[Match]:
    """Return the candidates that share words with the question, ranked by BM25 among themselves."""
    records = [match.record for match in candidates]
    words = Bm25()
    for number, record in enumerate(records):
        words.put(number, searched_words(record).split())
    scores = words.scores(terms(question), len(records))
    ranked = sorted(np.flatnonzero(scores), key=lambda number: (-scores[number], records[number].id))
    return [Match(records[number], float(scores[number])) for number in ranked]


def named_entities(entities: Iterable[Record], question: str) -> list[Record]:
    """Return the entities of whose names one stands in the question, word for word, longest name first; not more than a few."""
    asked = terms(question)
    lengths = {record: max((len(name) for name in names_of(record) if _stands_in(terms(name), asked)), default=0) for record in entities}
    return sorted((record for record, length in lengths.items() if length), key=lambda record: (-lengths[record], record.id))[:_NAMED]


def names_of(entity: Record) -> Iterator[str]:
    """Yield the names of an entity that are long enough to be looked for; its record says them as `derive.records.entity_record` writes it."""
    written = _ALSO.fullmatch(entity.text)
    names = [entity.subject, *(written["others"].split(", ") if written else ())]
    return (name for name in names if len(name) >= (_SHORTEST if name.isascii() else _SHORTEST - 1))


def _entities(index: Index, question: str, vector: Vector | None, where: Filter) -> list[Record]:
    sought = replace(where, kinds=frozenset({Kind.ENTITY}), at=None, documents=None)
    if index.has_lexical:
        return [match.record for match in index.lexical(question, sought, DEPTH)]
    return [match.record for match in index.dense(vector, sought, DEPTH)] if vector is not None else []


def _with_names(question: str, named: Iterable[Record]) -> str:
    """Return the question with the display names of what it names: facts say those, where the question may use another name."""
    return " ".join([question, *(record.subject for record in named)])


def _stands_in(name: Sequence[str], asked: Sequence[str]) -> bool:
    width = len(name)
    return width > 0 and any(tuple(asked[at : at + width]) == tuple(name) for at in range(len(asked) - width + 1))
