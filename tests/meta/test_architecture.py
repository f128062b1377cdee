"""The page on the architecture is true: it has every step of the flow and every view, in their order."""

import re

from schemas.ids import Tenant
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore
from tests.meta.repository import ROOT, first_cells, section


def test_every_step_of_the_flow_has_its_place_in_the_table_and_in_the_picture() -> None:
    steps = re.findall(r"\bop\.\w+\(\s*\"(\w+)\"", (ROOT / "flows" / "index.py").read_text("utf-8"))
    text = section("architecture.md", "## The flow")
    listed = [name for cell in first_cells(text) for name in re.findall(r"`(\w+)`", cell)]
    assert len(steps) > 10
    assert sorted(listed) == sorted(steps)
    picture = text.partition("```")[2].partition("```")[0]
    assert [step for step in steps if step not in picture and step not in ("arrived", "tenant")] == []


def test_the_views_are_listed_in_the_order_in_which_they_are_refreshed() -> None:
    store = SqliteStore.open(":memory:", Tenant("meta"), {}, shipped())
    try:
        assert [cell.strip("`") for cell in first_cells(section("architecture.md", "## The views"))] == list(store.views)
    finally:
        store.close()
