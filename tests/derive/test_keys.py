"""What a statement is about: groups that are decided together, and ids that depend on content alone (DESIGN.md 5.6, 5.8)."""

from derive.keys import Clusters, document_entity, name_entity, nugget_id, stance_of, unit_id
from schemas.ids import Audience, DocumentKey, EntityId
from schemas.nugget import Stance
from schemas.statement import Claim, What
from schemas.value import Value, ValueKind
from schemas.vocabulary import Cardinality, Predicate, Vocabulary

ALL, CREW = Audience("*"), Audience("|crew|")
TARN, GULL = EntityId("t" * 32), EntityId("g" * 32)
VOCABULARY = Vocabulary(
    predicates={
        "head": Predicate("head", Cardinality.FUNCTIONAL, "name"),
        "member": Predicate("member"),
        "visit": Predicate("visit", Cardinality.LOG),
        "status": Predicate("status", Cardinality.FUNCTIONAL),
        "superseded by": Predicate("superseded by", excludes=(("status", "accepted"),)),
        "closed": Predicate("closed", excludes=(("reopened", ""),)),
        "reopened": Predicate("reopened", excludes=(("superseded by", ""), ("open", ""))),
    }
)
CLUSTERS = Clusters(VOCABULARY)


def stance(predicate: str, value: str, *, negated: bool = False) -> Stance:
    return Stance(predicate, Value(ValueKind.NAME, value), negated)


def group(
    predicate: str, value: str, *, negated: bool = False, audience: Audience = ALL, subject: EntityId = TARN, scope: tuple[str, ...] = ()
) -> bytes:
    return CLUSTERS.group(audience, subject, stance(predicate, value, negated=negated), scope)


def test_values_of_a_functional_key_are_decided_together() -> None:
    assert group("head", "finch") == group("head", "reyes") == group("head", "reyes", negated=True)


def test_values_of_other_predicates_are_groups_of_their_own_each_with_its_negation() -> None:
    for predicate in ("member", "visit", "never heard of"):
        assert group(predicate, "finch") != group(predicate, "reyes")
        assert group(predicate, "finch") == group(predicate, "finch", negated=True)


def test_predicates_that_exclusions_tie_are_decided_together_whatever_their_cardinality() -> None:
    """Ties carry on: superseded by - status, reopened - superseded by, closed - reopened, reopened - open."""
    tied = ["superseded by", "status", "reopened", "closed", "open"]
    assert len({group(predicate, "finch") for predicate in tied} | {group("closed", "reyes")}) == 1
    assert {CLUSTERS.of(predicate) for predicate in tied} == {"closed"}
    assert not any(CLUSTERS.value_apart(predicate) for predicate in tied)


def test_a_renamed_predicate_stays_in_the_group_of_its_first_name() -> None:
    excluding = {**VOCABULARY.predicates, "state": VOCABULARY.predicates["status"]}
    excluding["superseded by"] = Predicate("superseded by", excludes=(("state", "accepted"),))
    renamed = Vocabulary(excluding, renamed={"status": "state"}, first={"state": "status"})
    status = stance("status", "accepted")
    assert Clusters(renamed).group(ALL, TARN, status, ()) == CLUSTERS.group(ALL, TARN, status, ())


def test_other_predicates_are_decided_alone() -> None:
    assert CLUSTERS.of("head") == "head"
    assert group("head", "finch") != group("member", "finch") != group("status", "finch")
    assert CLUSTERS.value_apart("member")
    assert not CLUSTERS.value_apart("head")


def test_audience_subject_and_scope_part_groups() -> None:
    """G8: facts of different audiences never meet."""
    assert len({group("head", "finch"), group("head", "finch", audience=CREW), group("head", "finch", subject=GULL)}) == 3
    assert len({group("head", "finch", scope=scope) for scope in ((), ("a",), ("b",), ("a", "b"), ("ab",))}) == 5


def test_a_name_stands_as_its_entity_and_other_values_as_themselves() -> None:
    claim = Claim(What.FACT, "tarn works", "head", (), Value(ValueKind.NAME, "finch"), negated=True)
    assert stance_of(claim, {"finch": GULL}.__getitem__) == Stance("head", Value(ValueKind.NAME, GULL), negated=True)
    dated = Claim(What.FACT, "tarn works", "opens", (), Value(ValueKind.DATE, "2031-02"))
    assert stance_of(dated, EntityId) == Stance("opens", Value(ValueKind.DATE, "2031-02"))


def test_a_nugget_s_id_depends_on_key_value_and_number_alone() -> None:
    one = nugget_id(ALL, TARN, ("a",), stance("head", "finch"), 0)
    assert one == nugget_id(ALL, TARN, ("a",), stance("head", "finch"), 0)
    others = {
        nugget_id(CREW, TARN, ("a",), stance("head", "finch"), 0),
        nugget_id(ALL, GULL, ("a",), stance("head", "finch"), 0),
        nugget_id(ALL, TARN, ("b",), stance("head", "finch"), 0),
        nugget_id(ALL, TARN, ("a",), stance("status", "finch"), 0),
        nugget_id(ALL, TARN, ("a",), stance("head", "reyes"), 0),
        nugget_id(ALL, TARN, ("a",), stance("head", "finch", negated=True), 0),
        nugget_id(ALL, TARN, ("a",), Stance("head", Value(ValueKind.TEXT, "finch")), 0),
        nugget_id(ALL, TARN, ("a",), stance("head", "finch"), 1),
    }
    assert len({one, *others}) == 9


def test_entities_of_names_and_of_documents_never_meet_and_are_apart_per_audience() -> None:
    ids = {name_entity(ALL, "tarn"), name_entity(CREW, "tarn"), document_entity(ALL, "wiki", "tarn"), document_entity(CREW, "wiki", "tarn")}
    assert len(ids | {document_entity(ALL, "notes", "tarn"), document_entity(ALL, "wik", "itarn")}) == 6


def test_a_unit_s_record_is_known_by_document_unit_and_number_of_its_validity() -> None:
    a, b = DocumentKey("a"), DocumentKey("b")
    assert unit_id(a, "u") == unit_id(a, "u", 0)
    assert len({unit_id(a, "u"), unit_id(b, "u"), unit_id(a, "v"), unit_id(a, "u", 1)}) == 4
