"""The page of guarantees is true: each of the eleven names tests, and each test that it names exists."""

import ast
import re
from functools import cache

import pytest

from tests.meta.repository import ROOT

PAGE = (ROOT / "docs" / "guarantees.md").read_text("utf-8")
PARTS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the names of the tests in a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))


def test_there_are_eleven_guarantees() -> None:
    assert [part.split(" ")[0] for part in PARTS] == [f"G{number}" for number in range(1, 12)]


@pytest.mark.parametrize("part", PARTS, ids=[part.split(" ")[0] for part in PARTS])
def test_every_test_that_a_guarantee_names_exists(part: str) -> None:
    named = re.findall(r"^- `(tests/[\w/]+\.py)::(\w+)`", part, re.MULTILINE)
    assert named
    assert [f"{path}::{name}" for path, name in named if not (ROOT / path).exists() or name not in names_in(path)] == []


def test_every_line_of_the_lists_is_a_test_or_a_bench() -> None:
    lines = [line for part in PARTS for line in part.splitlines() if line.startswith("- ")]
    assert [line for line in lines if not re.match(r"- (`tests/[\w/]+\.py::test_\w+`|bench: `bench/\w+\.py`)", line)] == []
