"""`millstream status`: how the index is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data, SettingsFile, TenantName, find
from flows.cli_output import STYLES, out, print_json, receipt_json
from schemas.ids import Tenant
from schemas.instant import iso
from schemas.receipt import Outcome, Receipt
from schemas.record import Kind, Status

if TYPE_CHECKING:  # the settings and the metrics' parser take their time to load, and `--help` needs neither
    from pathlib import Path

    from flows.scrape import ModelUse, Scrape, Waits
    from flows.settings import Settings


@dataclass(frozen=True, slots=True)
class Stock:
    """What a store holds; empty before the first change. `documents` counts them by source and by whether they live."""

    sequence: int = 0
    clock: int = 0
    documents: Counter[tuple[str, bool]] = field(default_factory=Counter)
    records: Mapping[tuple[Kind, Status], int] = field(default_factory=dict)
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    waiting: int = 0
    replayed: int = 0
    last: Sequence[Receipt] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """One source partition: the last offset up to which all is searchable (-1: none), and the messages that are unread; None if nobody says."""

    topic: str
    partition: int
    watermark: int
    unread: int | None


def status(
    *,
    last: Annotated[int, typer.Option("--last", min=0, help="How many of the last receipts are shown.")] = 3,
    tenant: TenantName = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Show how far the index is: lag and watermark per partition, records and changes by what became of them, freshness, dead letters."""
    from flows.scrape import scrape

    place = find(data, settings)
    name = place.tenant(tenant)
    metrics = place.settings.metrics
    said = None if metrics.off or place.running is False else scrape(metrics.host, metrics.port)
    stock = _stock(place.settings.store(name), last)
    partitions = _partitions(place.settings, name, said)
    running = said is not None if place.running is None else place.running
    if as_json:
        print_json(_json(name, stock, partitions, said, running=running))
        return
    console = out()
    state = ("running", "green") if running else ("not running", "yellow") if place.running is False else ("its metrics do not answer", "yellow")
    console.print(Text.assemble((f"{place.settings.data}, tenant {name}: ", "bold"), state, f"; sequence {stock.sequence}, clock {iso(stock.clock)}"))
    _print(console, stock, partitions, said)


def _stock(path: "Path", last: int) -> Stock:
    """Return what the store holds at one moment."""
    from state.reader import StoreReader

    if not path.exists():
        return Stock()
    with closing(StoreReader(path)) as store, store.snapshot():
        letters = Counter(letter.replayed for letter in store.dead_letters())
        return Stock(
            sequence=store.sequence,
            clock=store.clock,
            documents=Counter((document.source, document.live) for document in store.documents()),
            records=store.counts(),
            outcomes=store.outcomes(),
            waiting=letters[False],
            replayed=letters[True],
            last=store.receipts(last),
        )


def _partitions(settings: "Settings", tenant: Tenant, said: "Scrape | None") -> list[Progress]:
    """Return the partitions of the tenant's topics, as far as anybody knows them."""
    from connectors.watermark import read

    topics = {source.topic for source in settings.sources if source.tenant == tenant}
    marks = read(settings.watermark)
    unread = said.unread if said else {}
    known = sorted(partition for partition in {*marks, *unread} if partition[0] in topics)
    return [Progress(*partition, marks.get(partition, -1), unread.get(partition)) for partition in known]


def _json(tenant: Tenant, stock: Stock, partitions: Sequence[Progress], said: "Scrape | None", *, running: bool) -> dict[str, object]:
    return {
        "tenant": tenant,
        "running": running,
        "sequence": stock.sequence,
        "clock": stock.clock,
        "partitions": [asdict(one) for one in partitions],
        "freshness": {
            "since_event": asdict(said.since_event) if said and said.since_event else None,
            "since_commit": asdict(said.since_commit) if said and said.since_commit else None,
        },
        "language_model": asdict(said.model) if said and said.model else None,
        "reread_left": said.reread_left if said else None,
        "documents": [{"source": source, "live": live, "count": count} for (source, live), count in sorted(stock.documents.items())],
        "records": [{"kind": kind, "status": status, "count": count} for (kind, status), count in stock.records.items()],
        "receipts": {str(outcome): count for outcome, count in stock.outcomes.items()},
        "dead_letters": {"waiting": stock.waiting, "replayed": stock.replayed},
        "last": [receipt_json(receipt) for receipt in stock.last],
    }


def _print(console: Console, stock: Stock, partitions: Sequence[Progress], said: "Scrape | None") -> None:
    console.print(_partition_table(partitions))
    console.print(_freshness_table(said))
    console.print(_record_table(stock))
    documents = [f"{source} {stock.documents[source, True]}" for source in sorted({source for source, _ in stock.documents})]
    deleted = sum(count for (_, live), count in stock.documents.items() if not live)
    console.print(Text(f"Documents: {', '.join(documents) or 'none'}; deleted {deleted}"))
    console.print(Text(f"Changes: {', '.join(f'{count} {outcome}' for outcome, count in sorted(stock.outcomes.items())) or 'none'}"))
    if said and said.model:
        console.print(_model_line(said.model))
    if said and said.reread_left:
        console.print(Text(f"Read again because another extractor had read them: {said.reread_left} bodies left", "yellow"))
    style = "yellow" if stock.waiting else ""
    more = "; see `millstream dead-letters list`" if stock.waiting else ""
    console.print(Text(f"Dead letters: {stock.waiting} waiting, {stock.replayed} replayed{more}", style))
    for receipt in stock.last:
        said_of = f"{receipt.kind} of {receipt.source}/{receipt.document} {receipt.order}".strip()
        console.print(Text(f"  {iso(receipt.recorded_at)}  {receipt.outcome}: {said_of} ({receipt.position}), {receipt.records} records", "dim"))


def _model_line(model: "ModelUse") -> Text:
    """Return what the language model did, costs and may still cost."""
    calls = ", ".join(f"{count} {outcome}" for outcome, count in model.calls.items()) or "none"
    dropped = f" ({', '.join(f'{reason} {count}' for reason, count in model.dropped.items())})" if model.dropped else ""
    left = f"; left of {', '.join(f'{limit} {rest:g}' for limit, rest in model.left.items())}" if model.left else ""
    state = ("", "; one call tries whether it is back", "; left alone for a while")[model.breaker]
    said = f"Language model: calls {calls}; tokens {model.tokens_in} in, {model.tokens_out} out, cost {model.cost:.4g}; "
    said += f"facts {model.kept} kept, {sum(model.dropped.values())} dropped{dropped}{left}{state}"
    return Text(said, "yellow" if model.breaker or 0 in model.left.values() else "")


def _partition_table(partitions: Sequence[Progress]) -> Table:
    table = _table("Partition", "searchable up to", "unread")
    for one in partitions:
        table.add_row(f"{one.topic}:{one.partition}", _known(one.watermark if one.watermark >= 0 else None, "nothing"), _known(one.unread, "?"))
    return table


def _known(number: int | None, otherwise: str) -> str:
    return otherwise if number is None else str(number)


def _freshness_table(said: "Scrape | None") -> Table:
    table = _table("Until searchable", "changes", "p50", "p99")
    for name, waits in (("since Kafka had it", said.since_commit if said else None), ("since it happened", said.since_event if said else None)):
        table.add_row(name, *_waits(waits))
    return table


def _waits(waits: "Waits | None") -> tuple[str, str, str]:
    return ("?", "?", "?") if waits is None else (str(waits.count), _seconds(waits.p50), _seconds(waits.p99))


def _seconds(value: float | None) -> str:
    if value is None:
        return "over 1 h"
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:.1f} s"


def _record_table(stock: Stock) -> Table:
    table = _table("Records", *Status)
    for kind in Kind:
        counts = [(stock.records.get((kind, status), 0), STYLES[status]) for status in Status]
        table.add_row(kind, *(Text(str(count), style if count else "dim") for count, style in counts))
    return table


def _table(first: str, *rest: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first)
    for name in rest:
        table.add_column(name, justify="right")
    return table
