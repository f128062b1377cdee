"""Random streams: changes of a few documents about a few things, made to collide in every way that the design names."""

from dataclasses import replace

from hypothesis import strategies as st

from schemas.change import Acl, Change, Delete, Move, Position, Put, Redact, Redacted, Restore, Review, Stamp, Text, Unchanged, Verdict
from schemas.fact import NO_DATES, SELF, Dates, Fact, FactKind, Period, Relative
from schemas.ids import ContentHash, DocumentId, Source, Tenant, digest
from schemas.instant import DAY, Instant
from schemas.rules import OnDelete, SourceRules
from schemas.version import Reading, Section, Unit, Version
from schemas.vocabulary import Cardinality, Predicate, Vocabulary

TENANT = Tenant("quay")
WIKI, NOTES, TICKETS = Source("wiki"), Source("notes"), Source("tickets")
HOUR = 3_600_000
BEGIN = Instant(19_000 * DAY)
CLOCK = Instant(BEGIN + 60 * DAY)

VOCABULARY = Vocabulary(
    predicates={
        name: Predicate(name, cardinality, kind, excludes=excludes, synonyms={"wip": "draft"} if name == "status" else {})
        for name, cardinality, kind, excludes in (
            ("headed by", Cardinality.FUNCTIONAL, "name", ()),
            ("opens", Cardinality.FUNCTIONAL, "date", ()),
            ("status", Cardinality.FUNCTIONAL, "text", ()),
            ("superseded by", Cardinality.MULTI, "name", (("status", "accepted"),)),
            ("depends on", Cardinality.MULTI, "name", ()),
        )
    },
    renamed={"run by": "headed by", "state": "status"},
    first={"headed by": "run by", "status": "state"},
)
RULES = {
    WIKI: SourceRules(WIKI, readers=frozenset({"*"})),
    NOTES: SourceRules(NOTES, OnDelete.END, readers=frozenset({"*"})),
    TICKETS: SourceRules(TICKETS, rank=1, origin="desk", readers=frozenset({"crew"})),
}

_NAMES = ("Tarn Works", "the Tarn Works", "Gull Point", "HCS", "Harbour Control System", "Dock Board", "Note 31", "Note 4")
_PEOPLE = ("Orla Finch", "Milo Reyes", "Mr. Reyes")


def _day(number: int) -> Period:
    return Period(Instant(BEGIN + number * DAY), Instant(BEGIN + (number + 1) * DAY))


_starts = st.one_of(st.none(), st.integers(0, 40).map(_day), st.sampled_from([Relative("yesterday"), Relative("last week")]))
_sure = st.sampled_from([1.0, 1.0, 0.8, 0.55, 0.4])
"""On both sides of what governs and of what is known."""
_ends = st.one_of(st.none(), st.integers(0, 80).map(_day))


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    """Make a fact that fits in the first ten characters of any unit."""
    predicate, values = draw(
        st.sampled_from(
            [
                ("headed by", _PEOPLE),
                ("run by", _PEOPLE),
                ("opens", ("2022-03", "2022-03-04", "2022-03-05", "2022-04")),
                ("status", ("draft", "WIP", "accepted")),
                ("superseded by", ("Note 31", "note 31", "Note 4")),
                ("depends on", _NAMES),
            ]
        )
    )
    subject = draw(st.sampled_from([SELF, *_NAMES]))
    value = draw(st.sampled_from(values))
    dates = draw(st.one_of(st.just(NO_DATES), st.builds(Dates, _starts, _ends, _sure)))
    scope = draw(st.sampled_from([(), (), ("release", "3.12")]))
    mentions = tuple(
        sorted({name for name in (subject, value) if name != SELF and predicate in ("headed by", "run by", "depends on", "superseded by")})
    )
    negated = draw(st.sampled_from([False, False, False, True]))
    return Fact(
        f"{'not ' * negated}{subject} {predicate} {value}", FactKind.RELATION, subject, predicate, value, 0, draw(st.integers(1, 10)),
        draw(st.sampled_from([0.99, 0.9, 0.9, 0.7, 0.5])), scope, mentions, dates, negated,
        draw(st.booleans()),
    )  # fmt: skip


@st.composite
def readings(draw: st.DrawFn, units: list[tuple[Fact, ...]]) -> Reading:
    """Make a body of some of the given units."""
    chosen = draw(st.lists(st.integers(0, len(units) - 1), max_size=4))
    section = draw(st.sampled_from([(), ("Crew",)]))
    made = tuple(Unit(f"unit number {index}", section, 0, 13, chosen[:place].count(index), units[index]) for place, index in enumerate(chosen))
    title = draw(st.sampled_from([None, "Tarn Works", "Gull Point Guide"]))
    aliases = draw(st.sampled_from([(), (), ("Gull Point",), ("Note 31",), ("Note 4",)]))
    pairs = draw(st.sampled_from([(), (), (("Tarn Works", "Dock Board"),)]))
    redirect = draw(st.sampled_from([None, None, None, "Gull Point"]))
    content = digest(*map(repr, (made, section, title, aliases, pairs, redirect)))
    sections = (Section(("Crew",), 0, 4),) if section else ()
    return Reading(ContentHash(content), made, sections, title, aliases, pairs, redirect)


@st.composite
def streams(draw: st.DrawFn, *, least: int = 1, most: int = 14) -> list[Version]:
    """Return versions in an order of arrival; positions are not set, see `positioned`."""
    units = draw(st.lists(st.lists(facts(), max_size=3).map(tuple), min_size=1, max_size=5))
    bodies = draw(st.lists(readings(units), min_size=1, max_size=4))
    return [draw(_version(bodies)) for _ in range(draw(st.integers(least, most)))]


@st.composite
def _version(draw: st.DrawFn, bodies: list[Reading]) -> Version:
    if draw(st.integers(0, 9)) == 0:
        return Version(draw(_reviews()))
    source, document = draw(st.sampled_from([(WIKI, "a"), (WIKI, "b"), (WIKI, "c"), (NOTES, "n"), (NOTES, "m"), (TICKETS, "t")]))
    order = draw(st.integers(1, 6))
    apart = st.integers(0, 40).map(lambda days: days * DAY)
    at = Instant(BEGIN + draw(st.one_of(apart, st.just(10 * DAY + order * 5 * HOUR))))  # within the revert window every second time
    stamp = Stamp(
        TENANT, source, DocumentId(document), (order,), at, Instant(BEGIN + draw(st.sampled_from([50, 50, 20])) * DAY),
        Position("", 0, 0), draw(st.sampled_from([0, 0, 0, 0, 1])),
    )  # fmt: skip
    kind = draw(st.sampled_from(["put"] * 8 + ["delete", "restore", "move", "acl", "redact", "hidden", "same"]))
    return _changed(draw, kind, stamp, bodies)


def _changed(draw: st.DrawFn, kind: str, stamp: Stamp, bodies: list[Reading]) -> Version:
    title = draw(st.sampled_from([None, None, "Gull Point", "Tarn Works", "Note 31"]))
    path = draw(st.sampled_from([None, "dock-board.md"]))
    readers = draw(st.sampled_from([None, None, None, frozenset({"crew"}), frozenset()]))
    change: Change
    match kind:
        case "put":
            aliases = draw(st.sampled_from([(), (), ("HCS",), ("Note 4",)]))
            return Version(Put(stamp, Text(""), title, path, readers, aliases), draw(st.sampled_from(bodies)))
        case "hidden":
            change = Put(stamp, Redacted(), title, path, readers)
        case "same":
            change = Put(stamp, Unchanged(), title, path, readers)
        case "delete":
            change = Delete(stamp)
        case "restore":
            change = Restore(stamp)
        case "move":
            change = Move(stamp, title, path)
        case "acl":
            change = Acl(stamp, readers or frozenset({"*"}))
        case _:
            change = Redact(stamp)
    return Version(change)


@st.composite
def _reviews(draw: st.DrawFn) -> Review:
    predicate, values = draw(st.sampled_from([("run by", _PEOPLE), ("status", ("wip", "accepted")), ("depends on", _NAMES)]))
    at = Instant(BEGIN + draw(st.integers(0, 40)) * DAY)
    return Review(
        TENANT, WIKI, draw(st.sampled_from(_NAMES)), predicate, draw(st.sampled_from(values)), draw(st.sampled_from(list(Verdict))), "dana", at,
        Instant(BEGIN + 50 * DAY), Position("", 0, 0),
    )  # fmt: skip


def positioned(versions: list[Version], start: int = 0) -> list[Version]:
    """Return the versions as delivered one after the other on one partition."""
    placed: list[Version] = []
    for offset, version in enumerate(versions, start=start):
        position = Position("changes", 0, offset, previous=offset - 1)
        change = version.change
        moved: Change = (
            replace(change, position=position) if isinstance(change, Review) else replace(change, stamp=replace(change.stamp, position=position))
        )
        placed.append(replace(version, change=moved))
    return placed
