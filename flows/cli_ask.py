"""`millstream ask`: a question in, what the index knows out."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data, Readers, SettingsFile, TenantName, find
from flows.cli_output import Pages, err, headline, out, places, print_json, record_json
from retrieval.filter import PUBLIC, View
from schemas.errors import BadQuestion, Unreachable
from schemas.ids import Tenant
from schemas.instant import Instant, iso
from schemas.record import Kind, Record, Support, status_at

if TYPE_CHECKING:  # these bring Milvus and the embedding models
    from flows.located import Located
    from flows.settings import Settings
    from retrieval.service import Hit, Search
    from state.reader import StoreReader

PATIENCE = 10.0
"""Seconds that a question waits for an index that does not answer."""


def ask(
    question: Annotated[str, typer.Argument(help="The question, in words.")],
    *,
    at: Annotated[
        str | None, typer.Option("--at", help="As of a time: 2024-05-01 (its start, UTC), 2024-05-01T12:30:00Z and the like. Without: now.")
    ] = None,
    between: Annotated[
        tuple[str, str] | None, typer.Option("--between", metavar="FROM TO", help="What held at some time from one instant to before another.")
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="TIME", help="What the index knew then, as of then unless --at or --between says otherwise.")
    ] = None,
    view: Annotated[View, typer.Option("--view", help="full: what holds, disputed or not. active: undisputed only. all: ever said.")] = View.FULL,
    k: Annotated[int, typer.Option("--k", help="How many hits at most.")] = 10,
    reader: Readers = None,
    tenant: TenantName = None,
    position: Annotated[
        str | None, typer.Option("--position", metavar="TOPIC:PARTITION:OFFSET", help="Refuse unless the index is complete up to there.")
    ] = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask the index a question; hits come with status, validity, sources and rivals."""
    place = find(data, settings)
    name = place.tenant(tenant)
    asked = _asked(at, between, known_at)
    readers = frozenset(reader) if reader else PUBLIC
    _require(place.settings, position)
    with opened(place, name, err()) as (search, store):
        hits = search.search(question, asked.at, view, readers, k, until=asked.until, known_at=asked.known_at)
        quoted = [_quotes(store, hit.record) for hit in hits]
    if as_json:
        when = {"at": asked.at, "until": asked.until, "known_at": asked.known_at}
        given = {"question": question, **when, "view": view, "readers": sorted(readers), "tenant": name}
        told = [{"quotes": [words for _, words, _ in some], "pages": [pages for *_, pages in some]} for some in quoted]
        print_json({**given, "hits": [{**_hit_json(hit), **some} for hit, some in zip(hits, told, strict=True)]})
        return
    console = out()
    console.print(Text.assemble((question, "bold"), (f"   {asked}, view {view}", "dim")))
    for number, (hit, supports) in enumerate(zip(hits, quoted, strict=True), 1):
        console.print(Text.assemble(f"{number:>2}. ", headline(hit.record, hit.status)))
        for line in (*places(supports, 8), *_rivals(hit, asked.at)):
            console.print(line)
    if not hits:
        console.print("nothing is known about that as of then; `--view all` shows what was ever said")


@dataclass(frozen=True, slots=True)
class Asked:
    """The time that a question is about: an instant or, with `until`, all from it to before that; and whether as the index knew it at some time."""

    at: Instant
    until: Instant | None = None
    known_at: Instant | None = None

    def __str__(self) -> str:
        """Return it as people say it."""
        about = f"as of {iso(self.at)}" if self.until is None else f"between {iso(self.at)} and {iso(self.until)}"
        return about if self.known_at is None else f"{about}, as known on {iso(self.known_at)}"


def _asked(at: str | None, between: tuple[str, str] | None, known_at: str | None) -> Asked:
    """Return what the options say; BadQuestion if they contradict each other or one is no time."""
    if at is not None and between is not None:
        message = "--at and --between exclude each other"
        raise BadQuestion(message)
    known = instant(known_at, "--known-at") if known_at is not None else None
    if between is not None:
        start, end = (instant(text, "--between") for text in between)
        return Asked(start, end, known)
    return Asked(known if at is None and known is not None else instant(at, "--at"), None, known)


def instant(text: str | None, option: str) -> Instant:
    """Return the instant that an option names, now without one. BadQuestion if it is no time."""
    if text is None:
        return Instant(time.time_ns() // 1_000_000)
    from derive.dates.time import parse_instant  # here: finding dates in sentences takes a second to load

    try:
        found, _ = parse_instant(text)
    except ValueError as error:
        message = f"{option}: {error}"
        raise BadQuestion(message) from error
    return found


def _quotes(store: "StoreReader", record: Record) -> list[tuple[Support, str, Pages]]:
    """Return where a record comes from, with the words that stand there and their pages; a unit is its own words."""
    return [(quote.support, "" if record.kind is Kind.UNIT else quote.words, quote.pages) for quote in store.quotes(record)]


@contextmanager
def opened(place: "Located", tenant: Tenant, console: Console) -> Iterator[tuple["Search", "StoreReader"]]:
    """Open a tenant's index for questions, and its store. Where `up` does not run, its Milvus Lite is started for as long as this lasts."""
    from connectors.embedding import open_embedder
    from connectors.milvus import MilvusIndex, MilvusSettings
    from flows.settings import secret
    from retrieval.service import Search
    from state.reader import StoreReader

    with ExitStack() as stack:
        store = StoreReader(place.settings.store(tenant))
        stack.callback(store.close)
        settings = stack.enter_context(_served(place, console))
        embedder = open_embedder(settings.reading.embedding, settings.data / "models")
        token = secret(settings.index.token_env, "index.token_env", os.environ).get_secret_value() if settings.index.token_env else ""
        where = MilvusSettings(settings.milvus, settings.index.collection, token, patience=PATIENCE)
        index = MilvusIndex(where, embedder.fingerprint, embedder.dimension)
        stack.callback(index.close)
        index.ensure()
        yield Search(index, embedder, tenant, store.audiences), store


@contextmanager
def _served(place: "Located", console: Console) -> Iterator["Settings"]:
    """Yield settings whose index answers."""
    from flows.lite import held, lite
    from flows.recovery import locked

    if place.running is not False:
        if not place.settings.index.uri and held(Path(place.settings.milvus)):
            message = f"{place.settings.milvus} is open in the indexer, and Milvus Lite serves one process; give both `index.uri` of a server"
            raise Unreachable(message)
        yield place.settings
        return

    console.print(f"nothing runs on {place.settings.data}; the index is opened for this question", style="dim")
    with locked(place.settings.data), lite(place.settings.data) as index:
        yield place.settings.model_copy(update={"index": place.settings.index.model_copy(update={"uri": index.uri})})


def _require(settings: "Settings", position: str | None) -> None:
    """BadQuestion if the index is not complete up to a position."""
    if position is None:
        return
    from connectors.watermark import read
    from flows.cli_letters import position_of

    wanted = position_of(position)
    upto = read(settings.watermark).get((wanted.topic, wanted.partition), -1)
    if upto < wanted.offset:
        message = (
            f"the index is complete up to {wanted.topic}:{wanted.partition}:{upto}, which is {wanted.offset - upto} behind {position}; ask again"
        )
        raise Unreachable(message)


def _rivals(hit: "Hit", at: Instant) -> Iterator[Text]:
    for rival in hit.rivals:
        status = status_at(rival.belief, rival.valid_from, rival.valid_to, at)
        yield Text.assemble("        against it: ", headline(rival, status))
        yield from places(((support, "", None) for support in rival.provenance), 12)


def _hit_json(hit: "Hit") -> dict[str, object]:
    return {
        "status": hit.status,
        "score": hit.score,
        "channels": dict(hit.channels),
        "record": record_json(hit.record),
        "rivals": [record_json(rival) for rival in hit.rivals],
    }
