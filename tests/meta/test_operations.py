"""The page for operators is true: it lists every metric and every setting, and no others."""

import re
from collections.abc import Iterator

from pydantic import BaseModel

from connectors.metrics import HELP, STAGES, Metrics
from flows.settings import Settings, SourcePart
from tests.meta.repository import first_cells, section


def names(text: str) -> list[str]:
    return [name for cell in first_cells(text) for name in re.findall(r"`([\w.]+)`", cell)]


def test_every_metric_is_listed_and_no_other() -> None:
    listed = [name for name in names(section("operations.md", "## Metrics")) if name.startswith("millstream_")]
    assert sorted(listed) == sorted(HELP)


def test_the_labels_of_every_metric_are_listed() -> None:
    rows = dict(re.findall(r"^\| `(millstream_\w+)` \| ([\w, ]*)\|", section("operations.md", "## Metrics"), re.MULTILINE))
    listed = {name: [label.strip() for label in labels.split(",") if label.strip()] for name, labels in rows.items()}
    instruments = vars(Metrics()).values()
    served = {one._name: list(one._labelnames) for one in instruments if hasattr(one, "_labelnames")}
    assert {name.removesuffix("_total"): labels for name, labels in listed.items()} == served


def test_the_stages_are_named() -> None:
    assert all(stage in section("operations.md", "## Metrics") for stage in STAGES)


def test_every_setting_is_listed_and_no_other() -> None:
    text = section("operations.md", "## Settings")
    listed = names(text)
    assert sorted(listed) == sorted([*fields(Settings), *SourcePart.model_fields])


def fields(part: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of all settings; the sources have a table of their own."""
    for name, field in part.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from fields(inner, f"{prefix}{name}.")
        else:
            yield prefix + name


def test_alerts_use_metrics_that_there_are() -> None:
    used = set(re.findall(r"millstream_\w+", section("operations.md", "### What to watch")))
    known = {*HELP, *(f"{name}_bucket" for name in HELP)}
    assert used <= known
