"""`millstream dead-letters`: what could not be applied, why, and sending it again."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import track
from rich.text import Text

from flows.cli_options import DATA, AsJson, Data, SettingsFile, TenantName, find, snapshot
from flows.cli_output import LONGEST, dead_letter_json, err, flat, out, print_json
from schemas.change import Position
from schemas.deadletter import DeadLetter
from schemas.errors import BadQuestion, BadSettings
from schemas.instant import iso

if TYPE_CHECKING:  # Kafka takes its time to load, and `--help` does not need it
    from connectors.kafka import Producer

letters = typer.Typer(no_args_is_help=True, help="List, show and replay what could not be applied.")

At = Annotated[str, typer.Argument(metavar="POSITION", help="Where the message came from: TOPIC:PARTITION:OFFSET, as `list` shows it.")]


@letters.command("list")
def listed(
    *,
    all_: Annotated[bool, typer.Option("--all", help="Those that were replayed, too.")] = False,
    tenant: TenantName = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """List the dead letters that wait, oldest first."""
    with snapshot(data, settings, tenant) as store:
        found = store.dead_letters(replayed=None if all_ else False)
    if as_json:
        print_json([dead_letter_json(letter) for letter in found])
        return
    console = out()
    for letter in found:
        console.print(_line(letter))
        console.print(Text(f"    {flat(letter.reason, LONGEST)}", "red"))
    if not found:
        console.print("no dead letters" if all_ else "no dead letters wait")


@letters.command("show")
def shown(
    position: At,
    *,
    tenant: TenantName = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Show the dead letters of one message, with the message."""
    with snapshot(data, settings, tenant) as store:
        found = _at(store.dead_letters_at(position_of(position)), position)
    if as_json:
        print_json([dead_letter_json(letter) for letter in found])
        return
    console = out()
    for letter in found:
        console.print(_line(letter))
        console.print(Text(f"    {letter.reason}", "red"))
    console.print(Text.assemble(("    key      ", "dim"), letters_text(found[0].key)))
    console.print(Text.assemble(("    payload  ", "dim"), letters_text(found[0].payload)))


@letters.command("replay")
def replay(
    position: Annotated[str | None, typer.Argument(metavar="[POSITION]", help="TOPIC:PARTITION:OFFSET, as `list` shows it.")] = None,
    *,
    all_: Annotated[bool, typer.Option("--all", help="All that wait.")] = False,
    corrected: Annotated[Path | None, typer.Option("--with", help="Send what this file holds instead of the message's own payload.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Send it with this key instead of the message's own.")] = None,
    tenant: TenantName = None,
    data: Data = DATA,
    settings: SettingsFile = None,
    as_json: AsJson = False,
) -> None:
    """Send dead letters to their topics again, as they came or corrected, and note that they were replayed.

    What is still wrong becomes a dead letter anew, at its new position. A message that is sent twice changes nothing the second time.
    """
    if (position is None) != all_ or (all_ and (corrected or key)):
        message = "give one POSITION, or --all without --with and --key"
        raise BadQuestion(message)
    place = find(data, settings)
    name = place.tenant(tenant)
    path = place.settings.store(name)
    with snapshot(data, settings, name) as store:
        found = store.dead_letters(replayed=False) if position is None else _at(store.dead_letters_at(position_of(position)), position)
    place.require_running()
    from connectors.kafka import Feed
    from state.letters import mark_replayed

    messages: dict[tuple[str, int], list[DeadLetter]] = {}
    for letter in found:  # one message may hold several bad changes; a position may come again when a topic was made anew
        messages.setdefault((str(letter.position), letter.recorded_at), []).append(letter)
    payload = _content(corrected) if corrected else None
    sent: list[dict[str, object]] = []
    with Feed(place.settings.kafka.connection(os.environ)) as feed:
        for some in track(messages.values(), "replaying", console=err(), disable=as_json or len(messages) < 2):
            to = _send(feed, some[0], payload, key)
            mark_replayed(path, [letter.sequence for letter in some])
            sent.append({"from": str(some[0].position), "to": str(to)})
    if as_json:
        print_json(sent)
        return
    for one in sent:
        out().print(f"{one['from']} sent again as {one['to']}")
    if not sent:
        out().print("no dead letters wait")


def position_of(text: str) -> Position:
    """Return the position of a message. BadQuestion if it is no topic:partition:offset."""
    topic, _, rest = text.partition(":")
    partition, _, offset = rest.partition(":")
    if not (topic and partition.isdecimal() and offset.isdecimal()):
        message = f"{text!r} is no position such as wiki.changes:0:17"
        raise BadQuestion(message)
    return Position(topic, int(partition), int(offset))


def letters_text(raw: bytes) -> str:
    """Return bytes as people can read them."""
    return raw.decode("utf-8", "backslashreplace") if raw else "none"


def _send(feed: "Producer", letter: DeadLetter, payload: bytes | None, key: str | None) -> Position:
    """Send a letter's message; what has no payload, as a message without a value, and what has no key either with an empty one: Kafka wants one."""
    sent_key = key.encode() if key is not None else letter.key
    return feed.send(letter.position.topic, sent_key or None, payload or letter.payload or (None if sent_key else b""))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror})"
        raise BadSettings(message) from error


def _at(found: Sequence[DeadLetter], position: str) -> Sequence[DeadLetter]:
    """Return the letters of a position; BadQuestion if there are none."""
    if not found:
        message = f"there is no dead letter at {position}; `millstream dead-letters list --all` shows those that there are"
        raise BadQuestion(message)
    return found


def _line(letter: DeadLetter) -> Text:
    return Text.assemble(
        (str(letter.position), "cyan"),
        (f"#{letter.position.index}" if letter.position.count > 1 else "", "cyan"),
        f"  {letter.source}/{letter.document or '?'}",
        (f"  step {letter.step}, {iso(letter.recorded_at)}{', replayed' if letter.replayed else ''}", "dim"),
    )
