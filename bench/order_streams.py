"""Random streams through the wired flow, against the oracle: whatever the order of delivery, the index holds what all versions together say.

Everything is the real part but the outside: messages come from a list, vectors are hashed, the index is the twin in memory. A stream is a pure
function of its seed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event
from zlib import crc32

import orjson
from bytewax.testing import run_main

from connectors.embedding import NgramEmbedder
from connectors.extractor import PatternExtractor
from connectors.kafka_source import Messages
from connectors.memo import MemoryMemo
from connectors.memory_index import MemoryIndex
from connectors.metrics import Metrics
from connectors.reader import Reader
from connectors.sources.adapters import adapter_for
from connectors.sources.settings import SourceSettings
from connectors.watermark import Watermarks
from flows.applying import Applying
from flows.decoding import Decoding, Intake
from flows.embedding import Embedding
from flows.fault import none
from flows.index import build
from flows.ports import Ports
from flows.publishing import IndexSink, part_names
from flows.reading import CHANGES, Reading
from flows.rereads import Rereads
from flows.stores import Stores
from schemas.ids import RecordId, Source, Tenant
from schemas.instant import DAY, FOREVER, Instant
from schemas.message import Message
from schemas.record import Record
from schemas.rules import OnDelete, SourceRules
from schemas.version import Version
from schemas.vocabulary import Vocabulary
from state.sqlite import SqliteStore
from tests.flow.rig import Kept
from tests.oracle import expected

TENANT = Tenant("harbour")
BEGIN = Instant(19_723 * DAY)
"""2024-01-01."""
CLOCK = Instant(BEGIN + 120 * DAY)
HOUR = DAY // 24
WIKI, NOTES, TICKETS, REVIEWS = Source("wiki"), Source("notes"), Source("tickets"), Source("reviews")
RULES = {
    WIKI: SourceRules(WIKI, readers=frozenset({"*"})),
    NOTES: SourceRules(NOTES, OnDelete.END, readers=frozenset({"*"})),
    TICKETS: SourceRules(TICKETS, rank=1, origin="desk", readers=frozenset({"*"})),
    REVIEWS: SourceRules(REVIEWS, readers=frozenset({"*"})),
}
DOCUMENTS = ((WIKI, "tarn"), (WIKI, "gull"), (WIKI, "lock-crew"), (NOTES, "note-4"), (NOTES, "note-5"), (TICKETS, "T-1"))
TITLES = ("Tarn Works", "Gull Point", "Harbour Control System", "Quay Notes")
PEOPLE = ("Orla Finch", "Milo Reyes", "Ines Vale")
SENTENCES = (
    "{person} heads Tarn Works.",
    "{person} heads Tarn Works.",
    "{person} has headed Tarn Works since {day}.",
    "{person} has headed Tarn Works since last week.",
    "Tarn Works is headed by {person} until {day}.",
    "{person} does not head Tarn Works.",
    "The sea lock is {number} m wide.",
    "Gull Point is owned by {person} from {day}.",
    "Tarn Works owns Gull Point.",
    "Gull Point depends on the Harbour Control System.",
    "HCS is operated by Tarn Works.",
    "The Harbour Control System (HCS) is old.",
    "It is operated by Dock Board.",
    "{person} works for Tarn Works.",
    "Mr. Reyes works for Dock Board.",
    "{person} led the Lock Crew from {day} to {later}.",
)
FIELDS = (
    "status: accepted",
    "status: draft",
    "superseded_by: Note 31",
    "owner: {person}",
    "aliases: [Gull Point]",
    "eol: {month}",
    "eol: {day}",
    "releases:\n  - releaseCycle: '3.{number}'\n    eol: {later}\n    from: {day}",
)


@dataclass(frozen=True, slots=True)
class Stream:
    """Messages in the order of delivery, with how they are batched: at the source, per transaction, and when the index is written."""

    messages: tuple[Message, ...]
    batch: int
    transaction: int
    index_parts: int


def stream(seed: int) -> Stream:
    """Return the stream of a seed: 10 to 20 changes of 3 to 5 documents and a few reviews, shuffled or the old history last, some twice."""
    chance = Random(seed)
    documents, bodies = chance.sample(DOCUMENTS, chance.randint(3, 5)), [_body(chance) for _ in range(5)]
    sent = [_change(chance, *chance.choice(documents), number, bodies) for number in range(chance.randint(10, 20))]
    sent += [_review(chance) for _ in range(chance.choice((0, 0, 1, 2)))]
    sent += chance.sample(sent, len(sent) // 4)
    if chance.random() < 0.3:  # a live stream first, then the history
        half = len(sent) // 2
        sent = sent[half:] + sent[:half]
    else:
        chance.shuffle(sent)
    early = chance.random() < 0.3  # events from the future of their own intake
    messages = _placed(sent, BEGIN + (20 if early else 100) * DAY, chance)
    return Stream(tuple(messages), chance.randint(2, 9), chance.randint(3, 20), chance.randint(1, 3))


def _change(chance: Random, source: Source, document: str, number: int, bodies: Sequence[str]) -> tuple[str, dict[str, object]]:
    """Return a change with its topic. Orders tie now and then, days are few enough for reverts within the window, times run backwards."""
    kind = chance.choice(("put",) * 14 + ("delete", "delete", "restore", "move", "acl", "redact"))
    day = chance.choice((chance.randint(0, 50), 9, 10, 31))
    change: dict[str, object] = {
        "kind": kind, "id": document, "order": chance.choice((number, number, number // 2)) + 1, "incarnation": chance.choice((0,) * 15 + (1,)),
        "time": BEGIN + day * DAY + chance.choice((0, HOUR, 2 * HOUR)), "time_unit": "ms",
    }  # fmt: skip
    match kind:
        case "put":
            change |= _content(chance, bodies)
        case "move":
            change["title"] = chance.choice(TITLES)
        case "acl":
            change["readers"] = chance.choice((["*"], ["crew"]))
        case _:
            pass
    return f"{source}.changes", change


def _content(chance: Random, bodies: Sequence[str]) -> dict[str, object]:
    """Return what a put says: mostly one of the stream's bodies, so that documents repeat, revert to and contradict each other often."""
    content: dict[str, object] = {}
    if chance.random() < 0.94:
        content["body"] = chance.choice(bodies) if chance.random() < 0.95 else {"redacted": True}
    if chance.random() < 0.3:
        content["title"] = chance.choice(TITLES)
    if chance.random() < 0.1:
        content["readers"] = ["crew"]
    if chance.random() < 0.1:
        content["aliases"] = ["HCS"]
    return content


def _body(chance: Random) -> str:
    """Return a body of fields and sentences about the same few things."""
    fields = [_filled(chance, field) for field in chance.sample(FIELDS, chance.randint(0, 2))]
    sentences = [_filled(chance, sentence) for sentence in chance.sample(SENTENCES, chance.randint(0, 4))]
    header = "---\n" + "\n".join(fields) + "\n---\n\n" if fields else ""
    heading = f"# {chance.choice(TITLES)}\n\n" if chance.random() < 0.2 else ""
    return header + heading + "\n\n".join(sentences) + "\n"


def _filled(chance: Random, template: str) -> str:
    day, later = chance.choice(("2024-01-10", "2024-02-01")), chance.choice(("2024-02-20", "2024-03-31", "2024-06-30"))
    return template.format(person=chance.choice(PEOPLE), day=day, later=later, month=day[:7], number=chance.choice((6, 8)))


def _review(chance: Random) -> tuple[str, dict[str, object]]:
    verdict, at = chance.choice(("prefer", "reject", "clear")), BEGIN + chance.randint(0, 60) * DAY
    value = chance.choice(PEOPLE)
    return "reviews", {
        "subject": "Tarn Works",
        "predicate": "headed by",
        "value": value,
        "verdict": verdict,
        "by": "dana",
        "at": at,
        "time_unit": "ms",
    }


def _placed(sent: Sequence[tuple[str, dict[str, object]]], first: int, chance: Random) -> Iterator[Message]:
    """Yield the messages; each topic has two partitions, of which a document mostly keeps to one, and offsets have gaps."""
    at: dict[tuple[str, int], int] = {}
    for number, (topic, change) in enumerate(sent):
        strayed = chance.random() < 0.15  # the topic got more partitions, so that an older time may be delivered later
        place = (topic, (crc32(str(change.get("id", "")).encode()) + strayed) % 2)
        previous = at.get(place, -1)
        at[place] = previous + chance.randint(1, 3)
        yield Message(topic, place[1], at[place], previous, Instant(first + number * HOUR), None, orjson.dumps(change))


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a stream: the records of the index and those of the oracle, without the index's own diary."""

    found: Mapping[RecordId, Record]
    wanted: Mapping[RecordId, Record]

    @property
    def differing(self) -> list[tuple[Record | None, Record | None]]:
        """The records in which the two differ, each as the index and as the oracle has it."""
        found, wanted = self.found, self.wanted
        return [(found.get(name), wanted.get(name)) for name in sorted({*found, *wanted}) if found.get(name) != wanted.get(name)]


def tried(given: Stream, vocabulary: Vocabulary) -> Trial:
    """Run a stream through the flow, and all its versions at once through the oracle."""
    with TemporaryDirectory(prefix="millstream-order-") as folder:
        found = _indexed(given, Path(folder), vocabulary)
    return Trial(found, expected(_versions(given, vocabulary), RULES, vocabulary, TENANT, CLOCK))


def _versions(given: Stream, vocabulary: Vocabulary) -> list[Version]:
    """Return the versions that the oracle gets, read on their own."""
    intakes, reader = _intakes(), Reader(PatternExtractor(vocabulary), MemoryMemo(), vocabulary)
    changes = [change for message in given.messages for change in intakes[message.topic].adapter.decode(message)]
    versions = reader.read([change for change in changes if isinstance(change, CHANGES)])
    assert len(versions) == len(given.messages), "the stream holds well-formed changes only"
    return [version for version in versions if isinstance(version, Version)]


def _intakes() -> Mapping[str, Intake]:
    sources = [SourceSettings(name, TENANT, f"{name}.changes") for name in (WIKI, NOTES, TICKETS)]
    sources.append(SourceSettings(REVIEWS, TENANT, "reviews", "reviews"))
    return {each.topic: Intake(each, adapter_for(each)) for each in sources}


def _indexed(given: Stream, folder: Path, vocabulary: Vocabulary) -> dict[RecordId, Record]:
    """Run the flow over the stream; return the current records of the index without its diary."""
    index = MemoryIndex(NgramEmbedder(8).fingerprint, 8)
    stores = Stores(lambda tenant, at_least, identity: _opened(folder, tenant, at_least, identity, vocabulary))
    watermarks = Watermarks(folder / "watermark.db", part_names(given.index_parts))
    watermarks.begin({})
    letters = Kept()
    try:
        run_main(build(_ports(given, index, stores, watermarks, vocabulary, letters)), epoch_interval=timedelta(0))
    finally:
        stores.close()
        watermarks.close()
    assert not letters.messages, f"a change was not applied: {letters.messages[0]}"
    current = (stored.record for stored in index.scan() if stored.record.known_to == FOREVER)
    return {record.id: replace(record, version=0, sequence=0, recorded_at=Instant(0)) for record in current}


def _opened(folder: Path, tenant: Tenant, at_least: int, identity: str | None, vocabulary: Vocabulary) -> SqliteStore:
    return SqliteStore.open(folder / f"{tenant}.db", tenant, RULES, vocabulary, at_least=at_least, identity=identity)


def _ports(given: Stream, index: MemoryIndex, stores: Stores, watermarks: Watermarks, vocabulary: Vocabulary, letters: Kept) -> Ports:
    metrics, extractor, memo = Metrics(), PatternExtractor(vocabulary), MemoryMemo()
    return Ports(
        source=Messages(given.messages, given.batch),
        known=[],
        decoding=Decoding(_intakes(), metrics),
        reading=Reading(lambda: Reader(extractor, memo, vocabulary), metrics),
        buckets=16,
        applying=Applying(stores, metrics, lambda: CLOCK, none, Event(), lambda _: None, transaction=given.transaction),
        embedding=Embedding(NgramEmbedder(8), metrics),
        index=IndexSink(index, given.index_parts, watermarks, metrics, none, _refuse, write_rows=16),
        transitions=Kept(),
        dead_letters=letters,
        rereads=Rereads([], str, metrics, Event()),
    )


def _refuse(letters: Sequence[object]) -> None:
    message = f"the index refused {letters[0]}"
    raise AssertionError(message)
