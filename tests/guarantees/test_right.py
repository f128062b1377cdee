"""Right (G1), from bodies to records: sources that write dates differently say equal bodies, notes are numbered, and titles change hands."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.extractor import PatternExtractor
from connectors.memo import MemoryMemo
from connectors.reader import Reader
from schemas.change import Change, Delete, Move, Position, Put, Redact, Restore, Stamp, Text
from schemas.ids import DocumentId
from schemas.instant import DAY, Instant
from schemas.rules import DateOrder, SourceRules, Writing
from schemas.version import Version
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore
from tests.oracle import expected
from tests.state.stores import agree, cut, fresh, live
from tests.streams import BEGIN, CLOCK, NOTES, TENANT, TICKETS, WIKI, positioned

VOCABULARY = shipped()
WRITINGS = {WIKI: Writing(DateOrder.MDY), NOTES: Writing(DateOrder.DMY, 120)}
RULES = {source: SourceRules(source, readers=frozenset({"*"})) for source in (WIKI, NOTES, TICKETS)}
BODIES = (
    "---\nnote: 31\ntitle: Tide Memo\nreplaced-by: 4\n---\nText.",
    "---\nnote: 31\ntitle: Tide Plan\nreplaces: note 4\nstatus: WIP\n---\nText.",
    "---\nnote: 4\ntitle: Tide Memo\nreplaced-by: note 31\nstatus: accepted\n---\nText.",
    '---\nnote: 4\ntitle: Harbour Rule\nopened: "03\\u002F05\\u002F2024"\nstatus: draft\n---\nOwner: Orla Finch\n\nThe lock is 6 m wide.',
    "# Sea lock\n\nOwner: Milo Reyes\n\nOpened: 03/**05**/2024\n\nThe sea lock is 600 cm wide since 04&#47;05&#47;2024.",
    "# Tide Memo\n\nOwner: Orla Finch\n\nThe sea lock is 7 m wide since 03/*05*/2024 and was 6 m wide until 2024-03-05&nbsp;23:30.",
    "The sea lock is 6 metres wide since circa 2024. Status: In Progress",
    '---\nvalid_from: "04\\u002F05\\u002F2024"\nowner: Orla Finch\n---\nStatus: final\n\nThe sea lock is 8 m wide since 2024-03-05&nbsp;23:30.',
)


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """Make a change of one of five documents of three sources."""
    source, document = draw(st.sampled_from([(WIKI, "a"), (WIKI, "b"), (NOTES, "n"), (TICKETS, "t")]))
    order = draw(st.integers(1, 4))
    stamp = Stamp(TENANT, source, DocumentId(document), (order,), Instant(BEGIN + order * 3 * DAY), Instant(BEGIN + 50 * DAY), Position("", 0, 0))
    title = draw(st.sampled_from([None, None, "Tide Memo", "Tide Plan"]))
    body = Text(draw(st.sampled_from(BODIES)))
    made: list[Change] = [Delete(stamp), Restore(stamp), Redact(stamp), Move(stamp, title, None), *[Put(stamp, body, title)] * 8]
    return draw(st.sampled_from(made))


def read(some: list[Change]) -> list[Version]:
    """Return what a reader with an empty memo makes of changes, in their order."""
    answers = Reader(PatternExtractor(VOCABULARY), MemoryMemo(), VOCABULARY, WRITINGS).read(some)
    return [answer for answer in answers if isinstance(answer, Version)]


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(changes(), min_size=2, max_size=12), st.randoms(use_true_random=False), st.lists(st.integers(1, 4), max_size=6))
def test_bodies_end_as_the_same_records_in_any_order_of_arrival_and_at_any_pace_of_the_clock(
    sent: list[Change], random: Random, sizes: list[int]
) -> None:
    arriving = [*sent, *sent[:2]]
    random.shuffle(arriving)
    now = BEGIN
    with fresh() as path:
        store = SqliteStore.open(path, TENANT, RULES, VOCABULARY)
        for batch in cut(positioned(read(arriving)), sizes):
            now = Instant(min(CLOCK, now + random.randrange(20) * DAY))
            store.apply(batch, now)
        store.tick(CLOCK)
        agree(live(store), expected(read(sent), RULES, VOCABULARY, TENANT, CLOCK))
        store.close()
