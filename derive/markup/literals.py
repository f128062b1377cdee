"""JSON with the places of its texts, so that what is read from it can be shown where it stands."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from schemas.errors import BadReading

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Literal:
    """A text, and [start, end) of its literal, quotes included."""

    text: str
    start: int
    end: int


Json: TypeAlias = "dict[str, Json] | list[Json] | Literal | int | float | bool | None"


def located(source: str) -> Json:
    """Return the value of a JSON text with the place of every text in it; of a repeated field the last counts. BadReading if it is no JSON."""
    try:
        json.loads(source, strict=False)
        tokens = _TOKEN.finditer(source)
        return _value(next(tokens), tokens)
    except RecursionError as err:
        message = "JSON is nested too deeply"
        raise BadReading(message) from err
    except ValueError as err:
        message = f"no JSON: {err}"
        raise BadReading(message) from err


def _value(token: re.Match[str], tokens: Iterator[re.Match[str]]) -> Json:
    """Return the value that begins with a token, of JSON that is known to be right."""
    match token[0][0]:
        case "{":
            return _object(tokens)
        case "[":
            return [_value(item, tokens) for item in _until("]", tokens)]
        case '"':
            return Literal(json.loads(token[0], strict=False), *token.span())
        case _:
            scalar: Json = json.loads(token[0])
            return scalar


def _object(tokens: Iterator[re.Match[str]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name in _until("}", tokens):
        next(tokens)  # the colon
        found[json.loads(name[0], strict=False)] = _value(next(tokens), tokens)
    return found


def _until(close: str, tokens: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Yield the first token of each part up to the bracket that closes them; the rest of a part is taken by whoever reads it."""
    while (token := next(tokens))[0] != close:
        if token[0] != ",":
            yield token
