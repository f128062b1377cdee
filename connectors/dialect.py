"""Dialects: how an endpoint wants to be asked for an object, and how an object is found in what it says.

From the strictest way of asking down: the schema as `response_format`, any JSON object with the schema in the prompt, the prompt alone. Endpoints
differ too in what they call the bound of an answer, and some models take no temperature. What an endpoint refuses by name is not tried again.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

from json_repair import repair_json
from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)

Turn: TypeAlias = tuple[str, str]
"""(role, text)."""

_LONGEST = 100_000
"""Characters of an answer that is mended; 4,000 tokens have 16,000."""
_NEST = re.compile(r"(?:[\[{]\s*){8}")
"""So many brackets in a row are no answer, and cost whoever mends them 0.3 ms each."""


class Rung(StrEnum):
    """What holds the model to the schema."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of asking."""

    rung: Rung = Rung.SCHEMA
    limit: str = "max_tokens"
    temperature: bool = True

    def __str__(self) -> str:
        """Return it as a log line says it."""
        return f"{self.rung}, {self.limit}, {'with' if self.temperature else 'without'} temperature"


FIRST = Dialect()
_LOWER = {Rung.SCHEMA: Rung.OBJECT, Rung.OBJECT: Rung.PROMPT}


def lowered(dialect: Dialect, refusal: str) -> Dialect | None:
    """Return the next way of asking after a refusal that names what it does not take; None if it names nothing that could be left out."""
    if "response_format" in refusal and dialect.rung in _LOWER:
        return replace(dialect, rung=_LOWER[dialect.rung])
    if "max_tokens" in refusal and dialect.limit == "max_tokens":
        return replace(dialect, limit="max_completion_tokens")
    if "temperature" in refusal and dialect.temperature:
        return replace(dialect, temperature=False)
    return None


def arguments(dialect: Dialect, turns: Sequence[Turn], schema: type[BaseModel], temperature: float, max_tokens: int) -> dict[str, Any]:
    """Return the arguments of a chat completion."""
    shape = strict_schema(schema)
    asked: dict[str, Any] = {dialect.limit: max_tokens}
    if dialect.temperature:
        asked["temperature"] = temperature
    told = list(turns)
    if dialect.rung is Rung.SCHEMA:
        asked["response_format"] = {"type": "json_schema", "json_schema": {"name": schema.__name__, "schema": shape, "strict": True}}
    else:
        role, text = told[0]
        told[0] = role, f"{text}\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(shape)}\n"
    if dialect.rung is Rung.OBJECT:
        asked["response_format"] = {"type": "json_object"}
    return {**asked, "messages": [{"role": role, "content": text} for role, text in told]}


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """Return a JSON schema as strict decoding wants it: every field required, none besides, no defaults; without what we say of our classes."""
    shape: dict[str, Any] = _strict(schema.model_json_schema())
    return shape


_UNSAID = ("default", "description", "title")


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("properties"), dict):  # the names below are the model's, not the schema's
        fields = {name: _strict(field) for name, field in node["properties"].items()}
        rest = {name: _strict(each) for name, each in node.items() if name not in ("properties", "required", *_UNSAID)}
        return {**rest, "properties": fields, "required": list(fields), "additionalProperties": False}
    return {name: _strict(each) for name, each in node.items() if name not in _UNSAID}


def object_in(said: str, schema: type[M]) -> M:
    """Return the object in what a model said, mended where brackets or quotation marks are missing; ValidationError if there is none that fits."""
    try:
        return schema.model_validate_json(said)
    except ValidationError:
        if len(said) > _LONGEST or _NEST.search(said):
            raise
    start, end = max(said.find("{"), 0), said.rfind("}")
    try:
        return schema.model_validate_json(said[start : end + 1])
    except ValidationError:
        return schema.model_validate(_mended(said[start:]))


def _mended(said: str) -> object:
    try:
        return repair_json(said, return_objects=True)
    except ValueError:  # it nests too deeply to be an answer
        return None
