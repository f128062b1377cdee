"""The repository as its own tests see it: its files, its pages and what they name."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("schemas", "derive", "state", "connectors", "retrieval", "flows")
FOLDERS = (*PACKAGES, "tests", "bench", "docs", "demo", "deploy", ".ci")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("demo/*.md")])

_CODE = re.compile(r"```.*?\n(.*?)```|`([^`\n]+)`", re.DOTALL)


def texts(*folders: str) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file in some folders that is text, and of those on top if no folder is named."""
    paths = [path for folder in folders or FOLDERS for path in (ROOT / folder).rglob("*")]
    for path in sorted(paths if folders else [*paths, *ROOT.iterdir()]):
        if path.is_file() and "__pycache__" not in path.parts and path.name != ".coverage":
            try:
                yield str(path.relative_to(ROOT)), path.read_text("utf-8")
            except UnicodeDecodeError:
                continue


def code(page: Path) -> Iterator[str]:
    """Yield every line of code on a page, in blocks and within sentences."""
    for block, inline in _CODE.findall(page.read_text("utf-8")):
        yield from (block or inline).splitlines()


def section(page: str, heading: str) -> str:
    """Return what stands on a page of docs/ under a heading, up to the next one of its level or above."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    marks = heading.split(" ")[0]
    found = re.search(rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(marks)}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"docs/{page} has no heading {heading!r}"
    return found[1]


def first_cells(table: str) -> list[str]:
    """Return the first cell of every row of the tables in a text, without their heads."""
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")]
    return [
        cell
        for number, cell in enumerate(rows)
        if not set(cell) <= {"-"} and not set(rows[number + 1 : number + 2][0] if number + 1 < len(rows) else "x") <= {"-"}
    ]
