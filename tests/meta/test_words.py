"""One word per thing: the glossary names what there is, and the words that it rules out name nothing."""

import ast
import importlib
import re
from pathlib import PurePosixPath

import pytest

from tests.meta.repository import PACKAGES, ROOT, section, texts

CODE = [*PACKAGES, "bench"]
EMPTY = section("glossary.md", "## Words that we do not use").partition("what it is:\n")[2].partition(".\n")[0]
OTHERS = [
    row.split("|")[2] for row in section("glossary.md", "## Words that we do not use").splitlines() if row.startswith("| ") and " say " not in row
]
REFUSED = {word.strip() for word in [*EMPTY.split(","), *",".join(re.sub(r"\(.*?\)", "", cell) for cell in OTHERS).split(",")]}


def words_of(name: str) -> list[str]:
    """Return the words of a name in either style: `MilvusServer`, `milvus_server`."""
    return re.findall(r"[a-z]+|[A-Z][a-z]*", name.replace("_", " "))


def named() -> list[tuple[str, str]]:
    """Return (where, name) of every module and every class that others use."""
    found = [(path, PurePosixPath(path).stem) for path, _ in texts(*CODE) if path.endswith(".py")]
    for path, text in texts(*CODE):
        if path.endswith(".py"):
            found += [(path, node.name) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef) and node.name[0] != "_"]
    return found


def test_no_module_and_no_class_has_a_word_that_the_glossary_rules_out() -> None:
    assert {"manager", "helper", "chunk", "poison queue"} <= REFUSED
    found = [(path, name) for path, name in named() if REFUSED & {*(word.casefold() for word in words_of(name)), " ".join(words_of(name)).casefold()}]
    assert found == []


@pytest.mark.parametrize("page", ["glossary.md"])
def test_what_the_glossary_points_to_is_there(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    for name in re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", text):
        module, _, attribute = name.rpartition(".")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), attribute), name


def test_every_kind_of_record_belief_status_and_outcome_is_in_the_glossary() -> None:
    from schemas.change import KIND, Verdict
    from schemas.receipt import Outcome
    from schemas.record import Belief, Kind, Status

    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    wanted = [*Kind, *Belief, *Status, *Verdict, *KIND.values(), *(outcome for outcome in Outcome if outcome is not Outcome.DEAD_LETTER)]
    assert [word for word in wanted if word not in text] == []
