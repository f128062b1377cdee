"""`millstream show`: one record's life, from the store alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data, Readers, SettingsFile, TenantName, snapshot
from flows.cli_output import SHORT, cause, flat, headline, out, paging, print_json, record_json, step, transition_json, validity
from retrieval.filter import PUBLIC, visible
from schemas.errors import BadQuestion
from schemas.ids import RecordId
from schemas.instant import FOREVER, iso
from schemas.record import Kind, Record
from schemas.transition import Transition

if TYPE_CHECKING:  # the store's rows need pydantic, and `--help` does not
    from state.reader import Quote

CAUSES = 3
"""Causes shown per transition; a batch may have fifty."""


def show(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="The record's id, or the first characters of it; id.3 is its third version.")],
    *,
    reader: Readers = None,
    tenant: TenantName = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Show where a record comes from, its versions, and every transition with its cause."""
    with snapshot(data, settings, tenant) as store:
        found = store.record(record)
        if found is None or found.audience not in visible(store.audiences(), frozenset(reader) if reader else PUBLIC):
            message = f"there is no record {record!r} in tenant {store.tenant}, as far as these readers may see; `ask` and `entity` name records"
            raise BadQuestion(message)
        root = RecordId(found.id.partition(".")[0])
        quotes, versions, transitions = store.quotes(found), store.closed(root), store.transitions(root)
        premises = store.records(support.record for support in found.provenance if support.record)
        rivals = store.records(found.rivals)
        links = store.links(found)
    if as_json:
        print_json(
            {
                "record": record_json(found),
                "quotes": [quote.words for quote in quotes],
                "links": links,
                "pages": [quote.pages for quote in quotes],
                "premises": [record_json(one) for one in premises],
                "rivals": [record_json(one) for one in rivals],
                "versions": [record_json(one) for one in versions],
                "transitions": [transition_json(one) for one in transitions],
            }
        )
        return
    console = out()
    _print_record(console, found, links)
    _print_records(console, "Follows from", premises)
    _print_records(console, "Against it", rivals)
    _print_quotes(console, quotes)
    _print_versions(console, versions)
    _print_transitions(console, transitions)


def _print_record(console: Console, record: Record, links: Sequence[str]) -> None:
    console.print(Text.assemble((record.text, "bold"), *((("  (gone)", "red"),) if record.deleted else ())))
    status = f"{record.status}, {record.belief} ({record.reason})" if record.reason else f"{record.status}, {record.belief}"
    rows = {
        "id": record.id,
        "kind": " ".join(filter(None, (record.kind, record.fact_kind))),
        "status": status,
        "validity": validity(record) + ("" if record.validity_known or record.kind is not Kind.NUGGET else ", as the document's versions tell"),
        "statement": " · ".join(filter(None, (record.subject, record.predicate, record.object))),
        "scope": " › ".join(record.scope),
        "section": " › ".join(record.section),
        "readers": "everybody" if record.audience == "*" else record.audience.strip("|").replace("|", ", ") or "nobody",
        "confidence": f"{record.confidence:.2f}{'' if record.verified else ', not verified'}",
        "version": f"{record.version}, sequence {record.sequence}, recorded {iso(record.recorded_at)}",
        "entities": " ".join(entity[:SHORT] for entity in record.entities),
        "links to": ", ".join(flat(link, 120) for link in links),
    }
    for name, value in rows.items():
        if value:
            console.print(Text.assemble((f"  {name:<11}", "dim"), value))


def _print_records(console: Console, title: str, records: Sequence[Record]) -> None:
    _print_title(console, title, len(records))
    for record in records:
        console.print(Text.assemble("  ", headline(record, record.status)))


def _print_quotes(console: Console, quotes: Sequence["Quote"]) -> None:
    _print_title(console, "Sources", len(quotes))
    for quote in quotes:
        support, unit = quote.support, quote.unit
        said = f"said since {iso(support.said_from)}" if support.said_to >= FOREVER else f"said {iso(support.said_from)} to {iso(support.said_to)}"
        section = f" › {' › '.join(unit.section)}" if unit and unit.section else ""
        console.print(Text.assemble("  ", (f"{support.source}/{support.document}", "blue"), paging(quote.pages), section, (f"  {said}", "dim")))
        where = f"characters {support.start} to {support.end} of unit {support.unit[:SHORT]}"
        console.print(Text.assemble("      ", f"“{quote.words}”" if quote.words else "the unit is forgotten", (f"  {where}", "dim")))


def _print_versions(console: Console, versions: Sequence[Record]) -> None:
    _print_title(console, "Former versions", len(versions))
    for one in versions:
        known = f"known {iso(one.recorded_at)} to {iso(one.known_to)}"
        console.print(Text.assemble(f"  {one.version}  ", flat(one.text, 120), (f"  {one.belief}, {validity(one)}; {known}", "dim")))


def _print_transitions(console: Console, transitions: Sequence[Transition]) -> None:
    _print_title(console, "Transitions", len(transitions))
    for one in transitions:
        state = one.after or one.before
        reason = f"  {state.reason}" if state and state.reason else ""
        console.print(Text.assemble(f"  {one.sequence:>6}  {iso(one.recorded_at)}  ", step(one), (reason, "dim")))
        for each in one.causes[:CAUSES]:
            console.print(Text(f"          {cause(each)}", "dim"))
        if len(one.causes) > CAUSES:
            console.print(Text(f"          and {len(one.causes) - CAUSES} more causes", "dim"))


def _print_title(console: Console, title: str, count: int) -> None:
    if count:
        console.print(Text(f"\n{title} ({count})", "bold"))
