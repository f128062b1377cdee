"""What a question gets: what was true then, for these readers, in this view, with what speaks against it."""

import itertools
from typing import Any

import pytest

from connectors.embedding import NgramEmbedder
from connectors.memory_index import MemoryIndex
from retrieval.service import Search
from schemas.change import audience_of
from schemas.errors import BadQuestion, BadSettings, Inconsistent
from schemas.ids import Fingerprint, RecordId, Tenant, document_key
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Row, Status
from tests.retrieval.asked import EMBEDDER, TENANT, asked, audiences, fact, indexed, names

MASTERS = [
    fact("ana", "The harbour master is Ana Ruiz.", 100, 200),
    fact("bo", "The harbour master is Bo Lind.", 200, 300, reason="ended"),
    fact("cy", "The harbour master is Cy Okoro.", 300),
]
BELIEFS = [
    fact("believed", "The crane lifts 40 tons."),
    fact("disputed", "The crane lifts 50 tons.", belief=Belief.DISPUTED, rivals=(RecordId("rival"), RecordId("private"), RecordId("gone"))),
    fact("rival", "The crane lifts 60 tons.", belief=Belief.DISPUTED, rivals=(RecordId("disputed"),)),
    fact("private", "The crane lifts 70 tons.", belief=Belief.DISPUTED, audience=audience_of({"crew"})),
    fact("rejected", "The crane lifts 80 tons.", belief=Belief.REJECTED, reason="outvoted"),
    fact("weak", "The crane lifts 90 tons.", belief=Belief.WEAK),
    fact("unverified", "The crane lifts what the ferry brings.", kind=Kind.BRIDGE, verified=False),
    fact("bridge", "The crane and the ferry share quay 7.", kind=Kind.BRIDGE),
    fact("ended", "The crane lifts 10 tons.", 0, 50),
    fact("planned", "The crane lifts 100 tons.", 900),
]


@pytest.mark.parametrize("by_words", [False, True])
@pytest.mark.parametrize(("at", "master"), [(99, None), (100, "ana"), (199, "ana"), (200, "bo"), (299, "bo"), (300, "cy"), (FOREVER - 1, "cy")])
def test_a_question_as_of_a_time_gets_what_was_true_then(at: int, master: str | None, *, by_words: bool) -> None:
    hits = asked(MASTERS, "Who is the harbour master?", at, by_words=by_words)
    assert names(hits) == ([master] if master else [])
    assert all(hit.status is Status.ACTIVE for hit in hits)


@pytest.mark.parametrize("by_words", [False, True])
def test_a_question_in_chinese_finds_chinese_statements(*, by_words: bool) -> None:
    facts = [
        fact("head", "林若溪担任南港办事处主任。"),
        fact("lock", "北闸由闸门班运营。"),
        fact("depth", "南港栈桥的水深为4米。"),
        fact("crane", "The crane lifts 40 tons."),
    ]
    assert names(asked(facts, "谁担任南港办事处主任？", 100, by_words=by_words))[0] == "head"
    assert names(asked(facts, "水深是多少？", 100, by_words=by_words))[0] == "depth"


@pytest.mark.parametrize(
    ("view", "found"),
    [
        ("full", {"believed", "disputed", "rival", "bridge"}),
        ("active", {"believed", "bridge"}),
        ("all", {"believed", "disputed", "rival", "bridge", "rejected", "weak", "unverified", "ended", "planned"}),
    ],
)
def test_weak_rejected_and_unverified_statements_show_in_the_view_of_all_only(view: str, found: set[str]) -> None:
    assert set(names(asked(BELIEFS, "What does the crane lift?", 100, view=view, k=20))) == found


def test_the_status_of_a_hit_is_that_of_the_asked_time_whatever_was_stored() -> None:
    stored = [fact(record.id, record.text, record.valid_from, record.valid_to, belief=record.belief, status=Status.DEPRECATED) for record in BELIEFS]
    hits: dict[str, Status] = {hit.record.id: hit.status for hit in asked(stored, "What does the crane lift?", 100, view="all", k=20)}
    assert hits["believed"] is Status.ACTIVE
    assert hits["disputed"] is Status.CONTESTED
    assert hits["rejected"] is Status.DEPRECATED
    assert hits["ended"] is Status.DEPRECATED
    assert hits["weak"] is Status.NONE
    assert hits["planned"] is Status.NONE


def test_a_disputed_fact_comes_with_the_rivals_that_the_asker_may_read() -> None:
    def rivals(readers: frozenset[str]) -> list[str]:
        hits = asked(BELIEFS, "Does the crane lift 50 tons?", 100, readers=readers)
        return next([rival.id for rival in hit.rivals] for hit in hits if hit.record.id == "disputed")

    assert rivals(frozenset({"*"})) == ["rival"]
    assert rivals(frozenset({"crew"})) == ["rival", "private"]
    assert all(not hit.rivals for hit in asked(BELIEFS, "crane", 100, view="active"))


def test_rivals_that_hold_at_the_asked_time_are_shown_before_those_of_other_times() -> None:
    records = [
        fact("one", "The gate closes at six.", 0, 400, belief=Belief.DISPUTED, rivals=(RecordId("early"), RecordId("late"))),
        fact("early", "The gate closes at five.", 0, 200, belief=Belief.DISPUTED, rivals=(RecordId("one"),)),
        fact("late", "The gate closes at nine.", 200, 400, belief=Belief.DISPUTED, rivals=(RecordId("one"),)),
    ]

    def rivals(at: int, view: str) -> list[str]:
        return next([rival.id for rival in hit.rivals] for hit in asked(records, "gate", at, view=view) if hit.record.id == "one")

    assert rivals(100, "full") == ["early"]
    assert rivals(300, "full") == ["late"]
    assert rivals(900, "all") == ["early", "late"]


AUDIENCES = [
    fact("public", "The vault code is with the harbour master."),
    fact("crew", "The vault code is on page 9.", audience=audience_of({"crew"})),
    fact("crew-and-office", "The vault code is changed in May.", audience=audience_of({"crew", "office"})),
    fact("nobody", "The vault code is 1234.", audience=audience_of(())),
]


@pytest.mark.parametrize(
    ("readers", "found"),
    [
        (frozenset({"*"}), {"public"}),
        (frozenset(), {"public"}),
        (frozenset({"stranger"}), {"public"}),
        (frozenset({"crew"}), {"public", "crew", "crew-and-office"}),
        (frozenset({"office", "*"}), {"public", "crew-and-office"}),
        (frozenset({"cre"}), {"public"}),
        (frozenset({"crew", "office"}), {"public", "crew", "crew-and-office"}),
    ],
)
@pytest.mark.parametrize("view", ["full", "all"])
def test_everybody_reads_what_is_meant_for_them_and_nobody_reads_what_is_for_nobody(readers: frozenset[str], found: set[str], view: str) -> None:
    assert set(names(asked(AUDIENCES, "What is the vault code?", 10, view=view, readers=readers))) == found


@pytest.mark.parametrize("reader", ["", "|", "crew|office", "|crew|"])
def test_a_reader_that_is_no_name_is_refused(reader: str) -> None:
    with pytest.raises(BadQuestion, match="is no name"):
        asked(AUDIENCES, "vault", 10, readers=frozenset({reader}))


def test_records_that_may_not_be_seen_do_not_crowd_out_those_that_may() -> None:
    crowd = [fact(f"secret-{number}", "The pilot boat is red.", audience=audience_of({"crew"})) for number in range(300)]
    past = [fact(f"past-{number}", "The pilot boat is red.", 0, 5) for number in range(300)]
    assert names(asked([*crowd, *past, fact("seen", "A boat for pilots is kept at quay 2.")], "Is the pilot boat red?", 10)) == ["seen"]


def test_another_tenant_is_never_heard() -> None:
    assert names(asked([fact("ours", "The quay is long."), fact("theirs", "The quay is short.", tenant=Tenant("city"))], "quay", 1)) == ["ours"]


def test_an_answer_can_be_asked_from_some_documents_only() -> None:
    odd = document_key("wiki", 'Quay "7" \\ O\'Neil 50%')
    records = [fact("here", "The quay is long.", documents=(odd,)), fact("there", "The quay is wet.", documents=(document_key("wiki", "Quay"),))]
    assert names(asked(records, "quay", 1, documents=frozenset({odd}))) == ["here"]
    assert names(asked(records, "quay", 1, documents=frozenset())) == []


def test_closed_versions_answer_no_question() -> None:
    assert names(asked([fact("r", "The quay is long."), fact("r.1", "The quay is longish.", known_to=Instant(5))], "quay", 1, view="all")) == ["r"]


def test_one_state_gives_one_answer() -> None:
    records = [fact(f"r{number}", "The quay is long.", kind=kind) for number, kind in zip(range(30), itertools.cycle(Kind), strict=False)]
    answers = {tuple(names(asked(order, "long quay", 1))) for order in (records, records[::-1], records[7:] + records[:7])}
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("question", "options", "says"),
    [("  \n", {}, "empty"), ("quay", {"view": "some"}, "full, active, all"), ("quay", {"k": 0}, "1 to 1000"), ("quay", {"k": 1_001}, "1001")],
)
def test_a_question_that_cannot_be_answered_says_why(question: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadQuestion, match=says):
        asked(MASTERS, question, 1, **options)


def test_a_question_without_words_or_in_an_empty_index_finds_nothing() -> None:
    assert asked([], "quay", 1) == []
    assert asked(MASTERS, "???", 1, by_words=True) == []


def test_c61_a_question_of_another_model_is_refused() -> None:
    index = MemoryIndex(Fingerprint("other"), EMBEDDER.dimension)
    with pytest.raises(Inconsistent, match="other"):
        Search(index, EMBEDDER, TENANT, list)


class Wordless(MemoryIndex):
    """An index as a Milvus server below 2.5 is: without a lexical channel."""

    has_lexical = False


def test_without_a_lexical_channel_words_still_order_the_nearest() -> None:
    index = Wordless(EMBEDDER.fingerprint, EMBEDDER.dimension)
    index.write([Row(record, EMBEDDER.embed([record.text])[0], EMBEDDER.fingerprint) for record in MASTERS])
    hits = Search(index, EMBEDDER, TENANT, lambda: audiences(index)).search("harbour master Bo Lind", Instant(250))
    assert names(hits) == ["bo"]
    assert set(hits[0].channels) == {"dense", "lexical"}
    with pytest.raises(BadSettings, match="embedding model"):
        Search(index, None, TENANT, list)


def test_an_unknown_fusion_is_refused() -> None:
    with pytest.raises(BadSettings, match="rrf, min-max"):
        Search(indexed([]), NgramEmbedder(), TENANT, list, fusion="sum")
