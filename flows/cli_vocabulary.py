"""`millstream vocabulary`: the predicates that are known, and whether a file that extends them is sound."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data, SettingsFile, find
from flows.cli_output import out, print_json
from flows.vocabulary import vocabulary
from schemas.vocabulary import Predicate, Vocabulary, shipped

words = typer.Typer(invoke_without_command=True, help="Print the predicates that are known; check a file that extends them.")


@words.callback()
def shown(
    context: typer.Context,
    *,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table of docs/vocabulary.md.")] = False,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Print the predicates that a Millstream reads with: those that ship, and those that its setting `reading.vocabulary` adds."""
    if context.invoked_subcommand is not None:
        return
    known = vocabulary(find(data, settings).settings.reading.vocabulary)
    if as_json:
        print_json(vocabulary_json(known))
    elif markdown:
        out().print("\n".join(table(known)))
    else:
        _print(known)


@words.command("check")
def checked(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file for the setting `reading.vocabulary`.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Say what a file changes of the vocabulary that ships; if it is wrong, say on which line and why."""
    base, own = shipped(), vocabulary(str(file))
    added = sorted(own.predicates.keys() - base.predicates.keys())
    changed = sorted(name for name in base.predicates if own.predicates[name] != base.predicates[name])
    if as_json:
        print_json({"added": added, "changed": changed, "version": own.version})
        return
    console = out()
    console.print(f"{file} is sound: {len(own.predicates)} predicates, {len(own.aliases)} other words for them")
    for said, names in (("adds", added), ("changes", changed)):
        if names:
            console.print(Text.assemble((f"  {said:<8}", "bold"), ", ".join(names)))


def vocabulary_json(known: Vocabulary) -> dict[str, object]:
    """Return a vocabulary as JSON has it: its predicates by name, and what narrows, names and bounds a statement."""
    return {
        "version": known.version,
        "predicates": {name: _json(predicate, known) for name, predicate in known.predicates.items()},
        "qualifiers": sorted(known.qualifiers),
        "renamed": known.renamed,
        "records": {"keys": known.record_keys, "valid_from": sorted(known.valid_from), "valid_to": sorted(known.valid_to)},
    }


def _json(predicate: Predicate, known: Vocabulary) -> dict[str, object]:
    return {
        "cardinality": predicate.cardinality,
        "subject": predicate.subject,
        "object": predicate.object,
        "aliases": predicate.aliases,
        "inverses": _inverses(predicate, known),
        "scope": predicate.scope,
        "values": dict(predicate.synonyms),
        "excludes": predicate.excludes,
        "template": predicate.template,
    }


def _inverses(predicate: Predicate, known: Vocabulary) -> list[str]:
    return [said for said, name in known.inverses.items() if name == predicate.name]


def table(known: Vocabulary) -> list[str]:
    """Return the lines of a Markdown table of all predicates. Other words are left out: they are many, and `millstream vocabulary` prints them."""
    rows = [f"| `{one.name}` | {one.cardinality} | {one.subject} | {one.object} | {one.template} |" for one in known.predicates.values()]
    return ["| predicate | how many at once | said of | value | in words |", "|---|---|---|---|---|", *rows]


def _print(known: Vocabulary) -> None:
    console = out()
    for one in known.predicates.values():
        console.print(Text.assemble((one.name, "bold"), (f"  {one.cardinality}, {one.subject} → {one.object}", "dim")))
        excluded = [f"{name} = {value}" if value else name for name, value in one.excludes]
        rows = {"also": one.aliases, "reversed": _inverses(one, known), "narrowed": one.scope, "values": dict.fromkeys(one.synonyms.values())}
        for said, listed in {**rows, "excludes": excluded}.items():
            if listed:
                console.print(Text.assemble((f"  {said:<9}", "dim"), ", ".join(listed)))
    console.print(Text(f"{len(known.predicates)} predicates, {len(known.aliases)} other words for them", "dim"))
