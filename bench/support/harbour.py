"""An endless stream of changes about an invented harbour, a pure function of its seed.

Documents share their facts; they are edited, taken back, deleted, restored, renamed, redacted and hidden, late and repeated; reviews judge what they
say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import orjson

from schemas.instant import DAY, Instant

BEGIN = Instant(19_723 * DAY)
"""2024-01-01."""
STEP = 10
"""Orders between two changes of a document, so that late ones find room."""
MINUTES = DAY // (24 * 60)
# Two hours between changes of a document: reverts within a day and beyond it.
PACE = 12 * MINUTES
TOPICS = {"wiki.changes": 10, "git.changes": 5, "ticket.changes": 5}
"""Topics and how many documents each has."""
PEOPLE = ("Orla Finch", "Milo Reyes", "Ines Vale", "Tomas Berg", "Ada Quill")
PLACES = (
    *("Gull Point", "Heron Basin", "Lock House", "Tarn Works", "Quay Ledger", "Berth Crew"),
    *("Marsh Light", "Pilot Desk", "Ferry Board", "Customs Yard", "North Mole", "Salt Store"),
)
SENTENCES = (
    "{person} heads {place}.",
    "{person} has headed {place} since {day}.",
    "{place} is headed by {person} until {later}.",
    "{person} does not head {place}.",
    "{place} is owned by {other}.",
    "{place} depends on {other}.",
    "{place} is operated by {other}.",
    "{person} works for {place}.",
    "The sea lock is {number} m wide.",
    "{place} is located in {other}.",
    "It is operated by {place}.",
)
FIELDS = ("owner: {person}", "status: accepted", "status: draft", "superseded_by: Note {number}", "aliases: [{place}]", "eol: {day}", "eol: {later}")
KINDS = {"put": 40, "edit": 25, "revert": 8, "late": 8, "delete": 8, "restore": 4, "move": 3, "acl": 2, "redact": 2, "repeat": 4, "review": 4}
"""How often each kind of change comes; an edit changes one sentence, a repeat is the message before it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One message."""

    topic: str
    key: bytes
    value: bytes


@dataclass(slots=True)
class Document:
    """What the stream knows of a document. Owned by the stream."""

    topic: str
    name: str
    order: int = 0
    bodies: list[tuple[int, list[str]]] = field(default_factory=list)

    def next(self) -> int:
        """Return the order of the next change."""
        self.order += STEP
        return self.order


def changes(seed: int) -> Iterator[Sent]:
    """Yield the messages of the stream."""
    chance = Random(seed)
    documents = [Document(topic, f"{topic.partition('.')[0]}-{number}") for topic, count in TOPICS.items() for number in range(count)]
    for document in documents:
        yield _message(document, _put(chance, document, document.next()))
    last = None
    while True:
        kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
        if kind != "repeat" or last is None:
            last = _review(chance) if kind == "review" else _change(chance, chance.choice(documents), kind)
        yield last


def _change(chance: Random, document: Document, kind: str) -> Sent:
    match kind:
        case "edit" | "revert" | "late":
            change = {"edit": _edit, "revert": _revert, "late": _late}[kind](chance, document)
        case "redact":
            change = {"kind": kind, "order": chance.choice(document.bodies)[0]}
        case "delete" | "restore":
            change = {"kind": kind, "order": document.next()}
        case "move":
            change = {"kind": kind, "order": document.next(), "title": chance.choice((*PLACES, document.name))}
        case "acl":
            change = {"kind": kind, "order": document.next(), "readers": chance.choice((["*"], ["*"], ["crew"]))}
        case _:
            change = _put(chance, document, document.next())
    return _message(document, change)


def _put(chance: Random, document: Document, order: int) -> dict[str, object]:
    fields = [_filled(chance, one) for one in chance.sample(FIELDS, chance.randint(0, 2))]
    return _said(document, order, ["---", *fields, "---", *(_filled(chance, one) for one in chance.sample(SENTENCES, chance.randint(1, 4)))])


def _edit(chance: Random, document: Document) -> dict[str, object]:
    lines = list(document.bodies[-1][1])
    lines[-1] = _filled(chance, chance.choice(SENTENCES))
    return _said(document, document.next(), lines)


def _revert(chance: Random, document: Document) -> dict[str, object]:
    return _said(document, document.next(), chance.choice(document.bodies[-6:])[1])


def _late(chance: Random, document: Document) -> dict[str, object]:
    """Return a version between two that were sent before."""
    return _put(chance, document, max(1, document.order - STEP * chance.randint(1, 5) + chance.randint(1, STEP - 1)))


def _said(document: Document, order: int, lines: list[str]) -> dict[str, object]:
    document.bodies.append((order, lines))
    del document.bodies[:-20]
    return {"order": order, "body": "\n".join(lines[: lines.index("---", 1) + 1]) + "\n\n" + "\n\n".join(lines[lines.index("---", 1) + 1 :]) + "\n"}


def _message(document: Document, change: dict[str, object]) -> Sent:
    order = change["order"]
    assert isinstance(order, int)
    whole = {"id": document.name, "time": BEGIN + order * PACE, "time_unit": "ms", **change}
    return Sent(document.topic, document.name.encode(), orjson.dumps(whole))


def _review(chance: Random) -> Sent:
    review = {
        "subject": chance.choice(PLACES),
        "predicate": "headed by",
        "value": chance.choice(PEOPLE),
        "verdict": chance.choice(("prefer", "reject", "clear")),
        "by": "dana",
        "at": BEGIN + chance.randint(0, 60) * DAY,
        "time_unit": "ms",
    }
    return Sent("reviews", str(review["subject"]).encode(), orjson.dumps(review))


def _filled(chance: Random, template: str) -> str:
    place, other = chance.sample(PLACES, 2)
    day, later = chance.choice(("2024-01-10", "2024-02-01")), chance.choice(("2024-02-20", "2024-03-31", "2039-06-30"))
    return template.format(person=chance.choice(PEOPLE), place=place, other=other, day=day, later=later, number=chance.choice((6, 8)))
