"""What the demo shows while the stream runs: a display on a terminal, a line now and then elsewhere."""

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from flows.cli_output import STYLES, flat, step
from flows.demo.replay import Progress
from flows.demo.view import transition
from flows.demo.watch import Sight
from schemas.instant import iso
from schemas.receipt import Outcome
from schemas.record import Kind, Status

KINDS = {Kind.UNIT: "units", Kind.SECTION: "sections", Kind.NUGGET: "nuggets", Kind.BRIDGE: "bridges", Kind.ENTITY: "entities"}
STATUSES = (Status.ACTIVE, Status.DEPRECATED, Status.CONTESTED)


def live(progress: Progress, seconds: float) -> RenderableType:
    """Return the display."""
    sight = progress.sight
    rate = sight.done / seconds if seconds else 0.0
    head = Table.grid(padding=(0, 2))
    head.add_row(
        Text(iso(progress.date)[:10], "bold"),
        ProgressBar(total=progress.total, completed=sight.done, width=40),
        f"{sight.done} of {progress.total} changes searchable, {rate:.1f}/s",
    )
    tables = Columns([_receipts(sight), _records(sight), _work(sight)], padding=(0, 3))
    recent = [line for one in sight.recent for line in transition(one)]
    return Panel(Group(head, tables, Text("Last of what changed", "bold"), *recent), title="The index, live", border_style="cyan")


def line(progress: Progress) -> str:
    """Return the display as one plain line."""
    sight = progress.sight
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(sight.outcomes.items()))
    nuggets = ", ".join(f"{sight.records[Kind.NUGGET, status]} {status}" for status in STATUSES)
    latest = f"; latest: {flat(sight.recent[-1].text, 70)} {step(sight.recent[-1])}" if sight.recent else ""
    return f"{iso(progress.date)[:10]}  {sight.done}/{progress.total} changes ({outcomes or 'none yet'}); nuggets: {nuggets}{latest}"


def _receipts(sight: Sight) -> Table:
    table = _table("Receipts", "changes")
    for outcome in Outcome:
        table.add_row(outcome, str(sight.outcomes[outcome]))
    return table


def _records(sight: Sight) -> Table:
    table = _table("Records", *STATUSES)
    for kind, name in KINDS.items():
        table.add_row(name, *(_count(sight.records[kind, status], STYLES[status]) for status in STATUSES))
    return table


def _work(sight: Sight) -> Table:
    table = _table("Work", "")
    table.add_row("blocks read", str(sight.calls))
    table.add_row("blocks remembered", str(sight.hits))
    table.add_row("bridges added", str(sight.bridges["added"]))
    table.add_row("bridges removed", str(sight.bridges["removed"]))
    table.add_row("transitions", str(sight.transitions))
    return table


def _table(first: str, *rest: str) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(first, style="bold")
    for name in rest:
        table.add_column(name, justify="right")
    return table


def _count(count: int, style: str) -> Text:
    return Text(str(count), style if count else "dim")
