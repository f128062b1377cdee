"""`millstream entity`: what is known of one entity, from the reverse indexes of the store."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data, Readers, SettingsFile, TenantName, snapshot
from flows.cli_output import Pages, headline, out, places, print_json, record_json
from retrieval.filter import PUBLIC, visible
from schemas.errors import BadQuestion
from schemas.ids import EntityId
from schemas.record import Record, Support

if TYPE_CHECKING:  # the store's rows need pydantic, and `--help` does not
    from state.naming import Named, Witness
    from state.reader import StoreReader


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that is shown of one entity. `quotes` are those of the facts, in their order; `total` counts all facts and bridges that there are."""

    entity: EntityId
    record: Record | None
    named: Sequence["Named"]
    facts: Sequence[Record]
    bridges: Sequence[Record]
    quotes: Sequence[Sequence[tuple[Support, str, Pages]]]
    total: tuple[int, int]


def entity(
    name: Annotated[str, typer.Argument(help="A name, the title or id of a document, or an entity's id.")],
    *,
    reader: Readers = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many facts and how many bridges at most.")] = 30,
    tenant: TenantName = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Show an entity: its names with their evidence, its facts and its bridges."""
    from state.naming import entities  # here: it needs the store

    with snapshot(data, settings, tenant) as store:
        found = entities(store, name, visible(store.audiences(), frozenset(reader) if reader else PUBLIC))
        if not found:
            message = f"nothing is called {name!r} in tenant {store.tenant}, as far as these readers may see"
            raise BadQuestion(message)
        portraits = [_portrait(store, one, limit) for one in found]
    if as_json:
        print_json({"name": name, "entities": [_json(one) for one in portraits]})
        return
    console = out()
    for one in portraits:
        _print(console, one)


def _portrait(store: "StoreReader", entity: EntityId, limit: int) -> Portrait:
    from state.naming import names_of

    facts = store.facts(entity, limit)
    return Portrait(
        entity=entity,
        record=next((record for record in store.records([entity]) if not record.deleted), None),
        named=names_of(store, entity),
        facts=facts,
        bridges=store.bridges(entity, limit),
        quotes=[[(quote.support, quote.words, quote.pages) for quote in store.quotes(fact)] for fact in facts],
        total=store.count(entity),
    )


def _json(one: Portrait) -> dict[str, object]:
    facts, bridges = one.total
    return {
        "id": one.entity,
        "record": record_json(one.record) if one.record else None,
        "names": [asdict(named) for named in one.named],
        "fact_count": facts,
        "facts": [record_json(record) for record in one.facts],
        "bridge_count": bridges,
        "bridges": [record_json(record) for record in one.bridges],
    }


def _print(console: Console, one: Portrait) -> None:
    title = one.record.subject if one.record else "an entity without a name in use"
    console.print(Text.assemble((title, "bold"), (f"  entity {one.entity}", "cyan")))
    for named in one.named:
        console.print(Text.assemble("  ", named.spellings[0] if named.spellings else named.normal, ("; ".join(["", *_evidence(named)]), "dim")))
    facts, bridges = one.total
    _print_title(console, "Facts", len(one.facts), facts)
    for record, quotes in zip(one.facts, one.quotes, strict=True):
        console.print(Text.assemble("  ", headline(record, record.status)))
        for line in places(quotes, 8):
            console.print(line)
    _print_title(console, "Bridges", len(one.bridges), bridges)
    for record in one.bridges:
        console.print(Text.assemble("  ", headline(record, record.status)))
        for line in places(((support, "", None) for support in record.provenance), 8):
            console.print(line)


def _evidence(named: "Named") -> Iterator[str]:
    """Yield why a name stands for its entity, as people say it."""
    if len(named.spellings) > 1:
        yield f"also spelt {', '.join(named.spellings[1:])}"
    yield from map(_said, named.witnesses)


def _said(one: "Witness") -> str:
    from state.naming import Why

    where = f"{one.source}/{one.document}"
    match one.why:
        case Why.TITLE:
            return f"title of {where}"
        case Why.FORMER_TITLE:
            return f"former title of {where}"
        case Why.DECLARED:
            return f"declared by {where}" + (f" as {one.other}" if one.other else "")
        case Why.ACRONYM:
            return f"short for {one.other}"
        case Why.USED:
            return f"used in {where}"


def _print_title(console: Console, title: str, shown: int, total: int) -> None:
    if total:
        console.print(Text(f"\n{title} ({shown} of {total})" if shown < total else f"\n{title} ({total})", "bold"))
