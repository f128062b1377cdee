"""How commands print: results on standard output, everything else on standard error, so that results can be piped."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

import orjson
from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
from rich.segment import Segment
from rich.text import Text

from schemas import wire
from schemas.deadletter import DeadLetter
from schemas.instant import FOREVER, iso
from schemas.receipt import Receipt
from schemas.record import Record, Status, Support
from schemas.transition import Cause, State, Transition

Pages: TypeAlias = tuple[int, int] | None
"""First and last page, from 1."""
STYLES: Mapping[Status, str] = {Status.ACTIVE: "green", Status.DEPRECATED: "bright_black", Status.CONTESTED: "yellow", Status.NONE: "dim"}
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SHORT = 12
"""Characters of a record's id that are shown; `millstream show` takes them. 48 bits: two of a million records share them with a chance of 0.2 %."""
LONGEST = 300
"""Characters of a text that is shown among others."""
PLACES = 5
"""Places that are shown of a record in a list; `millstream show` shows all."""


def out() -> Console:
    """Return the console for results."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console for progress and problems."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    """Return a console that wraps lines on a terminal only: what is piped is cut into lines by nobody but us."""
    console = Console(stderr=stderr, highlight=False, markup=False)
    console.soft_wrap = not console.is_terminal
    console.push_render_hook(_Harmless())
    return console


class _Harmless(RenderHook):
    """Lets nothing that is printed steer the terminal, wherever in a table or line it stands."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Return the same, to be rendered without steering characters."""
        return [_Shown(one) for one in renderables]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is rendered as the part is, but for characters that steer the terminal; Rich's own control codes stay."""

    part: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Yield the segments of the part."""
        for text, style, control in console.render(self.part, options):
            yield Segment(text if control else harmless(text), style, control)


def harmless(text: str) -> str:
    """Return a text with U+FFFD for each character that steers a terminal: controls but for newline and tab, and overrides of the direction."""
    return text if text.isascii() and text.isprintable() else _STEERING.sub("\ufffd", text)


def print_json(plain: object) -> None:
    """Print one JSON value on a line of its own, at once. What steers a terminal is escaped, so that the value is the same and a terminal safe."""
    line = _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", orjson.dumps(plain).decode())
    out().file.write(line + "\n")
    out().file.flush()


def record_json(record: Record) -> dict[str, object]:
    """Return a record as JSON has it: the fields of its class, times in milliseconds."""
    return {"format": 1, "type": "record", **asdict(record)}


def receipt_json(receipt: Receipt) -> object:
    """Return a receipt as it is on the wire."""
    return orjson.loads(wire.receipt_json(receipt))


def transition_json(transition: Transition) -> object:
    """Return a transition as it is on the wire."""
    return orjson.loads(wire.transition_json(transition))


def dead_letter_json(letter: DeadLetter) -> object:
    """Return a dead letter as it is on the wire."""
    return orjson.loads(wire.dead_letter_json(letter))


def headline(record: Record, status: Status, *, text: int = LONGEST) -> Text:
    """Return a record in one line: status, kind, text, validity and id."""
    return Text.assemble(
        (f"{status:<10}", STYLES[status]),
        (f" {record.kind:<7} ", "dim"),
        (flat(record.text, text), "bold"),
        (f"  {validity(record)}{_remark(record, status)}", "dim"),
        (f"  {record.id[:SHORT]}", "cyan"),
    )


def validity(record: Record | State) -> str:
    """Return from when to when something holds, as people say it."""
    start = iso(record.valid_from)
    return f"since {start}" if record.valid_to >= FOREVER else f"{start} to {iso(record.valid_to)}"


def _remark(record: Record, status: Status) -> str:
    return "" if status in (Status.ACTIVE, Status.CONTESTED) else f"; {harmless(record.reason or record.belief)}"


def places(found: Iterable[tuple[Support, str, Pages]], indent: int, most: int = PLACES) -> Iterator[Text]:
    """Yield a line for each place that a record comes from, with its pages and the words that stand there."""
    listed = list(dict.fromkeys((support.source, support.document, paging(pages), words) for support, words, pages in found))
    for source, document, page, words in listed[:most]:
        quoted = f": “{flat(words, LONGEST)}”" if words else ""
        yield Text.assemble(" " * indent, (flat(f"{source}/{document}", LONGEST), "blue"), page, quoted)
    if len(listed) > most:
        yield Text(f"{' ' * indent}and {len(listed) - most} more", "dim")


def paging(pages: Pages) -> str:
    """Return pages as people cite them behind a document; nothing where there are none."""
    if pages is None:
        return ""
    first, last = pages
    return f", p. {first}" if first == last else f", pp. {first}-{last}"


def step(transition: Transition) -> Text:
    """Return what a transition changed: the status, or the validity where the status is as before."""
    before, after = transition.before, transition.after
    if before is not None and after is not None and before.status is after.status:
        return Text.assemble(_status(after), f": {validity(before)} → {validity(after)}")
    return Text.assemble(_status(before) if before else "new", " → ", _status(after) if after else "gone")


def _status(state: State) -> Text:
    return Text(state.status, STYLES[state.status])


def cause(one: Cause) -> str:
    """Return a cause as people say it."""
    if one.kind == "clock":
        return f"the clock reached {iso(one.at)}"
    if one.kind == "reader":
        return f"another extractor read it again, {iso(one.at)}"
    order = f", version {one.order}" if one.order else ""
    author = f" by {one.author}" if one.author else ""
    position = f" ({one.position})" if one.position else ""
    return flat(f"{one.kind} of {one.source}/{one.document}{order}{author}, {iso(one.at)}{position}", LONGEST)


def flat(text: str, most: int) -> str:
    """Return a text in one harmless line of limited length."""
    line = harmless(" ".join(text.split()))
    return line if len(line) <= most else line[: most - 1] + "…"
