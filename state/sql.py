"""SQL over sets of keys: a few statements per batch, not one per key."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeAlias, TypeVar

Cell: TypeAlias = int | str | bytes | None
T = TypeVar("T")

_SIZES = (1, 4, 16, 64, 250)
"""Numbers of keys per statement; few different ones, so that SQLite's statement cache holds them all."""


def select_in(db: sqlite3.Connection, statement: str, keys: Iterable[Cell], before: Sequence[Cell] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement that says `IN ({})`, for all keys. `before` are the arguments that stand before the keys."""
    for part in chunks(keys, _SIZES[-1]):
        size = _size(part)
        padded = [*part, *[part[-1]] * (size - len(part))]
        yield from db.execute(statement.format(",".join("?" * size)), [*before, *padded]).fetchall()


def select_join(db: sqlite3.Connection, statement: str, keys: Iterable[tuple[Cell, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement that says `FROM {} CROSS JOIN ...`, for all keys: they stand there as table k(column1, column2, ...).

    `(a, b) IN (VALUES ...)` would be shorter, but SQLite scans the whole table for it.
    """
    for part in chunks(keys, _SIZES[-1]):
        size, width = _size(part), len(part[0])
        values = ",".join(["(" + ",".join("?" * width) + ")"] * size)
        cells = [cell for key in part for cell in key] + [None] * (width * (size - len(part)))
        yield from db.execute(statement.format(f"(VALUES {values}) AS k"), cells).fetchall()


def _size(part: Sequence[object]) -> int:
    return next(size for size in _SIZES if size >= len(part))


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of at most `size`."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part
