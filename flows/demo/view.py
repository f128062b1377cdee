"""What the demo prints: transitions, a bridge, answers, dead letters, freshness."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from flows.cli_output import STYLES, cause, flat, headline, places, step, validity
from flows.demo.answers import Answer, Premise
from flows.demo.replay import Freshness
from retrieval.filter import PUBLIC, View
from retrieval.service import Hit
from schemas.deadletter import DeadLetter
from schemas.instant import iso
from schemas.record import Kind, Record, Status
from schemas.transition import Transition
from state.reader import Quote

LONGEST = 110
"""Characters of a text that is shown in one line."""
CAUSES = 2
"""Causes that are shown of a transition; a batch may have many."""
MEANINGS = {Status.ACTIVE: "holds again", Status.DEPRECATED: "no longer holds", Status.CONTESTED: "is disputed"}


def transition(one: Transition) -> Iterator[Text]:
    """Yield the lines of one transition: what became of what; why, from when to when it holds, and what caused it."""
    yield Text.assemble("  ", step(one), "  ", flat(one.text, LONGEST))
    causes = " and ".join(map(cause, one.causes[:CAUSES]))
    yield Text(f"      {_outcome(one)}; caused by {causes}", "dim")


def _outcome(one: Transition) -> str:
    if one.after is None:
        return "gone"
    return validity(one.after) if one.after.status is Status.ACTIVE else f"{one.after.reason}, {validity(one.after)}"


def transitions(console: Console, told: dict[Status, list[Transition]]) -> None:
    """Print transitions into each status."""
    for status, some in told.items():
        _say(console, "\n", (status, f"bold {STYLES[status]}"), f": {MEANINGS[status]}" if some else ": nothing")
        for one in some:
            _lines(console, transition(one))


def bridge(console: Console, record: Record, premises: Sequence[Premise]) -> None:
    """Print a bridge and what it follows from."""
    _say(console, "\n", headline(record, record.status))
    _say(console, f"  {record.predicate} through {record.subject}, from two documents:")
    for number, premise in enumerate(premises, 1):
        _say(console, f"  {number}. ", headline(premise.record, premise.record.status))
        _lines(console, _places(premise.quotes, 8))


def answer(console: Console, number: int, one: Answer) -> None:
    """Print a question and its answer; what was expected is marked and has its sources."""
    question = one.question
    verdict = ("  ✓ as expected", "green") if not one.differences else ("  ✗ not as expected", "red")
    _say(console, "\n", (f"{number}. {question.ask}", "bold"), verdict)
    _say(console, (f"   {', '.join((question.topic, *_terms(one)))}", "dim"))
    if not question.expect:
        _say(console, "   Nothing that may be shown says so. The nearest that is:" if not one.differences else "   The nearest:")
    for hit, quotes in zip(one.hits, one.quotes, strict=True):
        _print_hit(console, hit, quotes, decisive=any(pattern.fits(hit) for pattern in question.expect))
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


def _print_hit(console: Console, hit: Hit, quotes: Sequence[Quote], *, decisive: bool) -> None:
    _say(console, " » " if decisive else "   ", headline(hit.record, hit.status, text=LONGEST))
    for rival in hit.rivals:
        _say(console, (f"       against it: {rival.text}", "yellow"))
    if decisive:
        _lines(console, _places(quotes, 7, quoted=hit.record.kind is not Kind.UNIT))


def _places(quotes: Sequence[Quote], indent: int, *, quoted: bool = True) -> Iterator[Text]:
    return places(((quote.support, quote.words if quoted else "", quote.pages) for quote in quotes), indent)


def letter(console: Console, one: DeadLetter) -> None:
    """Print a dead letter: what came, and why it could not be applied."""
    _say(console, "\n", (f"{one.source}/{one.document}", "bold"), f"  at {one.position}, step {one.step}")
    _say(console, (f"  {one.reason}", "red"))
    _say(console, (f"  {flat(one.payload.decode('utf-8', 'replace'), LONGEST)}", "dim"))


def fresh(one: Freshness, seconds: float) -> Table:
    """Return the table of freshness."""
    table = Table(box=box.SIMPLE, title="From Kafka until searchable", title_justify="left", title_style="bold")
    for name in ("changes", "changes/s", "p50", "p99", "longest"):
        table.add_column(name, justify="right")
    cells = (str(one.count), f"{one.count / seconds:.1f}", *(f"{1000 * value:.0f} ms" for value in (one.p50, one.p99, one.longest)))
    table.add_row(*cells)
    return table


def _lines(console: Console, lines: Iterator[Text]) -> None:
    for one in lines:
        _say(console, one)


def _say(console: Console, *parts: str | Text | tuple[str, str]) -> None:
    """Print one line; a terminal wraps it, anything else gets it whole."""
    console.print(Text.assemble(*parts), soft_wrap=not console.is_terminal)
