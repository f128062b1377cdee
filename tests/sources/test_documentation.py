"""The page on sources is true: its examples are accepted, and its tables name every field."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from connectors.sources.files import Mark, lines
from connectors.sources.native import NativeAdapter
from connectors.sources.reviews import ReviewsAdapter
from flows.settings import SourcePart
from schemas.change import Review
from schemas.deadletter import DeadLetter
from tests.sources.messages import ORDERED, raw

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Return the lines of all code blocks with this mark."""
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [line for block in found for line in block.splitlines()]


@pytest.mark.parametrize("line", blocks("json"))
def test_every_example_of_a_change_is_accepted(line: str) -> None:
    found = NativeAdapter(ORDERED).decode(raw(line.encode()))
    assert found
    assert [letter.reason for letter in found if isinstance(letter, DeadLetter)] == []


@pytest.mark.parametrize("line", blocks("json review"))
def test_every_example_of_a_review_is_accepted(line: str) -> None:
    (found,) = ReviewsAdapter(ORDERED).decode(raw(line.encode()))
    assert isinstance(found, Review), found


def test_the_example_of_a_file_can_be_fed(tmp_path: Path) -> None:
    path = tmp_path / "changes.jsonl"
    path.write_text("\n".join(blocks("jsonl")), "utf-8")
    assert [(line.topic, line.key) for line in lines(path, Mark())] == [("", b"quay"), ("", b"quay"), ("reviews", None), ("", b"quay")]


@pytest.mark.parametrize("definition", ["change", "review"])
def test_the_tables_name_every_field(definition: str) -> None:
    section = PAGE.partition("## Reviews")[0 if definition == "change" else 2]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    schema = json.loads((ROOT / "schemas" / f"{definition}.schema.json").read_text("utf-8"))
    assert named == set(schema["$defs"][definition]["properties"])


def test_the_settings_of_the_page_are_those_of_a_source() -> None:
    (table,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (source,) = tomllib.loads(table)["sources"]
    assert SourcePart.model_validate(source).adapter_settings().zone_offset_minutes == 120
