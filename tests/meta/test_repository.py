"""The repository keeps its own rules: what linters cannot see."""

import os
import re

import pytest

from tests.meta.repository import PACKAGES, ROOT, texts

CODE = (*PACKAGES, "tests", "bench")
LONGEST = 400  # lines of a file; what ages badly is always one or two huge files


def python(*folders: str) -> list[tuple[str, str]]:
    return [(path, text) for path, text in texts(*folders) if path.endswith(".py")]


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    path = re.compile("|".join(["/" + "work/", "/" + "tmp/[a-z]", "/" + "root/", "/" + "home/[a-z]"]))
    assert [f"{name}: {found[0]}" for name, text in texts() if (found := path.search(text))] == []


def test_nothing_is_left_for_later() -> None:
    marks = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b|NotImplemented" + "Error")
    assert [f"{name}: {found[0]}" for name, text in python(*CODE) if (found := marks.search(text))] == []


def test_no_test_replaces_a_part_by_a_mock() -> None:
    mocks = re.compile(r"unittest" + r"\.mock|Magic" + "Mock")
    assert [name for name, text in python("tests") if mocks.search(text)] == []


def test_a_file_owns_one_concept_and_is_short() -> None:
    assert [f"{name}: {lines}" for name, text in python(*CODE) if (lines := text.count("\n")) > LONGEST] == []


def test_every_suppression_in_the_packages_has_its_reason_beside_it() -> None:
    bare = re.compile(r"#\s*(?:noqa(?:: [A-Z0-9, ]+)?|type: ignore(?:\[[\w, -]+\])?|pragma: no (?:cover|branch))\s*$")
    lines = ((name, number, line) for name, text in python(*PACKAGES, "bench") for number, line in enumerate(text.splitlines(), 1))
    assert [f"{name}:{number}" for name, number, line in lines if bare.search(line)] == []


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "bench").glob("*.py") if "__main__" in path.read_text("utf-8")))
def test_every_bench_prints_its_result_in_one_line_and_says_what_it_measures(name: str) -> None:
    text = (ROOT / "bench" / name).read_text("utf-8")
    assert re.search(r"[\"']RESULT ?[\"'{]", text)
    assert f"python bench/{name}" in text.partition('"""')[2].partition('"""')[0]


def test_ci_runs_the_same_check_as_developers() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert re.search(r"^make check\b", script.read_text("utf-8"), re.MULTILINE)
