"""How the demo looks: on a terminal while it runs, and as plain lines elsewhere."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from flows.demo.answers import Answer, Source
from flows.demo.replay import Freshness, Progress
from flows.demo.watch import Sight
from retrieval.filter import PUBLIC, View
from retrieval.service import Hit
from schemas.deadletter import DeadLetter
from schemas.instant import FOREVER, iso
from schemas.receipt import Outcome
from schemas.record import Kind, Record, Status
from schemas.transition import Cause, State, Transition

STYLES = {Status.ACTIVE: "green", Status.DEPRECATED: "bright_black", Status.CONTESTED: "yellow", Status.NONE: "dim"}
WORDS = {Kind.UNIT: "unit", Kind.SECTION: "unit", Kind.NUGGET: "fact", Kind.BRIDGE: "bridge", Kind.ENTITY: "entity"}
KINDS = {Kind.UNIT: "units", Kind.SECTION: "sections", Kind.NUGGET: "facts", Kind.BRIDGE: "bridges", Kind.ENTITY: "entities"}
LONGEST = 110
"""Characters of a text that is shown in one line."""


def live(progress: Progress, seconds: float) -> RenderableType:
    """Return the display while the stream runs."""
    sight = progress.sight
    rate = sight.done / seconds if seconds else 0.0
    head = Table.grid(padding=(0, 2))
    head.add_row(
        Text(iso(progress.date)[:10], "bold"),
        ProgressBar(total=progress.total, completed=sight.done, width=40),
        f"{sight.done} of {progress.total} changes searchable, {rate:.1f}/s",
    )
    parts: list[RenderableType] = [
        head,
        Columns([_receipts(sight), _records(sight), _work(sight)], padding=(0, 3)),
        Text("Last of what changed", "bold"),
    ]
    return Panel(Group(*parts, *(transition(one) for one in sight.recent)), title="The index, live", border_style="cyan")


def line(progress: Progress) -> str:
    """Return the display as one plain line."""
    sight = progress.sight
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(sight.outcomes.items()))
    facts = ", ".join(f"{sight.records[Kind.NUGGET, status]} {status}" for status in (Status.ACTIVE, Status.DEPRECATED, Status.CONTESTED))
    latest = f"; latest: {_shown(sight.recent[-1].text, 70)} {_step(sight.recent[-1])}" if sight.recent else ""
    return f"{iso(progress.date)[:10]}  {sight.done}/{progress.total} changes ({outcomes or 'none yet'}); facts: {facts}{latest}"


def _receipts(sight: Sight) -> Table:
    table = _table("Receipts", "changes")
    for outcome in Outcome:
        table.add_row(outcome, str(sight.outcomes[outcome]))
    return table


def _records(sight: Sight) -> Table:
    table = _table("Records", "Active", "Deprecated", "Contested")
    for kind, name in KINDS.items():
        table.add_row(name, *(_count(sight.records[kind, status], STYLES[status]) for status in (Status.ACTIVE, Status.DEPRECATED, Status.CONTESTED)))
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


def transition(one: Transition) -> RenderableType:
    """Return one transition with its cause."""
    said = Text.assemble(*_arrow(one), "  ", _shown(one.text, LONGEST))
    return Group(said, Text(f"    {_outcome(one)}; caused by {' and '.join(map(cause, one.causes[:2]))}", "dim"))


def _outcome(one: Transition) -> str:
    """Return why the record has its new status, and from when to when it holds."""
    if one.after is None:
        return "gone"
    span = _span(one.after.valid_from, one.after.valid_to)
    return span if one.after.status is Status.ACTIVE else f"{one.after.reason}, {span}"


def cause(one: Cause) -> str:
    """Return a cause as people say it."""
    if one.kind == "clock":
        return f"the clock reached {iso(one.at)}"
    by = f" by {one.author}" if one.author else ""
    return f"{one.kind} of {one.source}/{one.document}, revision {one.order}{by}, {iso(one.at)[:10]}"


def _arrow(one: Transition) -> Iterator[Text | str]:
    yield _status(one.before)
    yield " → "
    yield _status(one.after)


def _step(one: Transition) -> str:
    return "".join(str(part) for part in _arrow(one))


def _status(state: State | None) -> Text:
    return Text("new", "dim") if state is None else Text(state.status, STYLES[state.status])


def transitions(console: Console, told: dict[Status, list[Transition]]) -> None:
    """Print transitions into each status."""
    meanings = {Status.ACTIVE: "holds again", Status.DEPRECATED: "no longer holds", Status.CONTESTED: "is disputed"}
    for status, some in told.items():
        _say(console, "\n", (status, f"bold {STYLES[status]}"), f": {meanings[status]}" if some else ": nothing")
        for one in some:
            console.print(Padding(transition(one), (0, 0, 0, 2), expand=False))


def bridge(console: Console, record: Record, premises: Sequence[tuple[Record, tuple[Source, ...]]]) -> None:
    """Print a bridge and what it follows from."""
    _say(console, "\n", (record.text, "bold"))
    _say(console, f"  {record.predicate} through {record.subject}, {_validity(record)}, from two documents:")
    for number, (premise, places) in enumerate(premises, 1):
        _say(console, f"  {number}. ", premise.text, (f"  ({_validity(premise)})", "dim"))
        _print_sources(console, places, 5)


def answer(console: Console, number: int, one: Answer) -> None:
    """Print a question and its answer; what was expected is marked and has its sources."""
    question = one.question
    verdict = ("  ✓ as expected", "green") if not one.differences else ("  ✗ not as expected", "red")
    _say(console, "\n", (f"{number}. {question.ask}", "bold"), verdict)
    _say(console, (f"   {', '.join((question.topic, *_terms(one)))}", "dim"))
    if not question.expect:
        _say(console, "   Nothing that may be shown says so. The nearest that is:" if not one.differences else "   The nearest:")
    for hit, places in zip(one.hits, one.sources, strict=True):
        _print_hit(console, hit, places, decisive=any(pattern.fits(hit) for pattern in question.expect))
    for difference in one.differences:
        _say(console, (f"   {difference}", "red"))
    _say(console, (f"   Why: {question.why}", "italic"))


def _terms(one: Answer) -> Iterator[str]:
    question = one.question
    yield "now" if question.at is None else f"as of {iso(one.at)}"
    if question.view is not View.FULL:
        yield f"view {question.view}"
    if question.readers != PUBLIC:
        yield f"asked by {' and '.join(sorted(question.readers))}"


def _print_hit(console: Console, hit: Hit, places: Sequence[Source], *, decisive: bool) -> None:
    record = hit.record
    remark = f", {record.reason}" if hit.status is Status.DEPRECATED else ""
    mark = " » " if decisive else "   "
    text = (_shown(record.text, LONGEST), "bold" if decisive else "")
    _say(console, mark, (hit.status, STYLES[hit.status]), f" {WORDS[record.kind]}: ", text, (f"  ({_validity(record)}{remark})", "dim"))
    for rival in hit.rivals:
        _say(console, (f"     against it: {rival.text}", "yellow"))
    if decisive:
        _print_sources(console, places, 5, quoted=record.kind is not Kind.UNIT)


def _print_sources(console: Console, places: Sequence[Source], indent: int, *, quoted: bool = True) -> None:
    for place in places:
        quote = f": “{_shown(place.quote, 80)}”" if quoted and place.quote else ""
        _say(console, (f"{' ' * indent}{place.place}{quote}", "cyan"))


def _validity(record: Record) -> str:
    return _span(record.valid_from, record.valid_to)


def _span(start: int, end: int) -> str:
    if end >= FOREVER:
        return f"since {iso(start)[:10]}"
    exact = 16 if iso(start)[:10] == iso(end)[:10] else 10
    return f"{iso(start)[:exact]} to {iso(end)[:exact]}"


def fresh(one: Freshness, seconds: float) -> Table:
    """Return the table of freshness."""
    table = Table(box=box.SIMPLE, title="From Kafka until searchable", title_justify="left", title_style="bold")
    for name in ("changes", "changes/s", "p50", "p99", "longest"):
        table.add_column(name, justify="right")
    cells = (str(one.count), f"{one.count / seconds:.1f}", *(f"{1000 * value:.0f} ms" for value in (one.p50, one.p99, one.longest)))
    table.add_row(*cells)
    return table


def letter(console: Console, one: DeadLetter) -> None:
    """Print a dead letter: what came, and why it could not be applied."""
    _say(console, "\n", (f"{one.source}/{one.document}", "bold"), f"  at {one.position}, step {one.step}")
    _say(console, (f"  {one.reason}", "red"))
    _say(console, (f"  {_shown(one.payload.decode('utf-8', 'replace'), LONGEST)}", "dim"))


def _say(console: Console, *parts: str | tuple[str, str]) -> None:
    """Print one line; a terminal wraps it, anything else gets it whole."""
    console.print(Text.assemble(*parts), soft_wrap=not console.is_terminal)


def _shown(text: str, most: int) -> str:
    """Return a text in one line of limited length."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
