"""Pages are true: the commands, options, targets, files and links that they name exist."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from flows.cli import app
from tests.meta.repository import PAGES, ROOT, code

COMMANDS = typer.main.get_command(app)
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


@pytest.fixture(params=PAGES, ids=NAMES)
def page(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def calls(page: Path, program: str) -> Iterator[list[str]]:
    """Yield the words behind a program's name wherever a page calls it; several calls may stand in one line."""
    for line in code(page):
        for part in re.split(r"[;&|]+|  #", line):
            words = shlex.split(part.replace("'", "’")) if part.count('"') % 2 == 0 else part.split()
            if words and Path(words[0]).name == program:
                yield words[1:]


def test_every_command_and_option_that_a_page_calls_exists(page: Path) -> None:
    assert [fault for words in calls(page, "millstream") if (fault := wrong(words))] == []


def wrong(words: list[str]) -> str:
    """Return what is wrong with a call of the command line, "" if nothing is."""
    command, rest = COMMANDS, list(words)
    while isinstance(command, TyperGroup) and rest and rest[0] != "--help":
        if command.invoke_without_command and rest[0].startswith("--"):
            break
        name, *rest = rest
        if name not in command.commands:
            return f"there is no command {name!r} in {sorted(command.commands)}"
        command = command.commands[name]
    known = {"--help", *(option for parameter in command.params for option in parameter.opts)}
    unknown = [word for word in rest if word.startswith("--") and word.partition("=")[0] not in known]
    return f"{command.name} has no {unknown}; there are {sorted(known)}" if unknown else ""


def test_every_target_that_a_page_makes_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {words[0] for words in calls(page, "make") if words}
    assert named <= targets


def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text("utf-8"))
    assert [(path, place) for path, place in links if not leads(page.parent / path if path else page, place)] == []


def leads(target: Path, place: str) -> bool:
    """Whether there is a file, and in it the heading that a link means."""
    if not place:
        return target.exists()
    headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
    return place in {re.sub(r"[^\w\s-]", "", heading).strip().casefold().replace(" ", "-") for heading in headings}


def test_every_file_that_a_page_names_exists(page: Path) -> None:
    folders = r"(?:schemas|derive|state|connectors|retrieval|flows|tests|bench|docs|demo/wiki)"
    named = {name for line in code(page) for name in re.findall(rf"(?<![\w/.-])({folders}/[\w./-]+\.(?:py|md|toml|sql|json|txt))", line)}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def test_the_readme_starts_with_the_two_commands() -> None:
    found = [words[0] for words in calls(ROOT / "README.md", "make") if words]
    assert found[:2] == ["demo", "test"]


def test_every_decision_says_what_would_overturn_it() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    parts = ("**Problem.**", "**Decision.**", "**Alternatives.**", "**What would overturn it.**")
    assert pages
    assert [page.name for page in pages if any(part not in page.read_text("utf-8") for part in parts)] == []
