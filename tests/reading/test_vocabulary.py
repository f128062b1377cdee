"""The vocabulary that ships, and how a bad one is refused."""

import pytest

from schemas.errors import BadSettings
from schemas.vocabulary import Cardinality, fold, load, shipped


def test_the_shipped_vocabulary_is_sound_and_its_fingerprint_is_that_of_its_content() -> None:
    vocabulary = shipped()
    assert vocabulary.predicate("headed by").cardinality is Cardinality.FUNCTIONAL
    assert vocabulary.predicate("never heard of").cardinality is Cardinality.MULTI
    assert vocabulary.version == shipped().version
    assert vocabulary.version != load("format = 1\n", "other").version


def test_fields_of_release_cycles_are_distinct_functional_predicates() -> None:
    vocabulary = shipped()
    names = [vocabulary.canonical(name) for name in ("latest", "eol", "releaseDate", "release", "support", "eoas", "lts", "discontinued")]
    assert len(set(names)) == 8
    assert all(vocabulary.predicate(name).cardinality is Cardinality.FUNCTIONAL for name in names)


def test_spellings_of_a_field_are_one_predicate() -> None:
    assert fold("releaseDate") == fold("Release_Date") == fold(" release-date ") == "release date"
    assert shipped().canonical("Replaced-By") == shipped().canonical("superseded by") == "superseded by"


def test_chinese_fields_and_verbs_mean_the_same_predicates_as_english_ones() -> None:
    vocabulary = shipped()
    assert vocabulary.canonical("首席执行官") == vocabulary.canonical("CEO")
    assert vocabulary.canonical("位于") == vocabulary.canonical("situated in")
    assert vocabulary.canonical("成立于") == vocabulary.canonical("founded in")
    assert vocabulary.inverses["运营"] == vocabulary.inverses["operates"]


GOOD = """
format = 1
[records]
keys = ["id"]
valid_from = ["from"]
[prose]
qualifiers = ["acting"]
[predicates."headed by"]
cardinality = "functional"
object = "name"
aliases = ["head"]
inverse = "heads"
inverse_aliases = ["head of"]
template = "{subject} is headed by {object}"
[predicates.state]
[predicates.dead]
excludes = [["state", "alive"]]
"""


def test_a_good_vocabulary_is_read() -> None:
    vocabulary = load(GOOD, "good.toml")
    assert vocabulary.canonical("Head") == "headed by"
    assert vocabulary.inverses == {"heads": "headed by", "head of": "headed by"}
    assert vocabulary.predicate("dead").excludes == (("state", "alive"),)
    assert (vocabulary.record_keys, vocabulary.valid_from, vocabulary.qualifiers) == (("id",), frozenset({"from"}), frozenset({"acting"}))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("format = 1", "format = 2", r"bad\.toml: format: 2 is not 1"),
        ("format = 1", "format = ", r"bad\.toml: no TOML"),
        ('cardinality = "functional"', 'cardinality = "one"', r"predicates\.headed by: cardinality 'one'"),
        ('object = "name"', 'object = "person"', r"predicates\.headed by: object 'person'"),
        ('aliases = ["head"]', 'alias = ["head"]', r"predicates\.headed by: unknown field 'alias'"),
        ('aliases = ["head"]', 'aliases = "head"', r"aliases: 'head' is not a list"),
        ('aliases = ["head"]', "aliases = [1]", r"aliases: 1 is not a text"),
        ('aliases = ["head"]', 'aliases = [""]', r"aliases: holds an empty text"),
        ('aliases = ["head"]', 'aliases = ["state"]', r"alias 'state' already means 'state'"),
        ('keys = ["id"]', 'key = ["id"]', r"records: unknown field 'key'"),
        ("{object}", "{value}", r"template .* lacks"),
        ("[predicates.state]", "[predicates.State]", r"predicates\.State: the name must be folded: 'state'"),
        ('["state", "alive"]', '["mood", "alive"]', r"predicates\.dead: excludes 'mood', which is not declared"),
        ('[["state", "alive"]]', '[["state"]]', r"predicates\.dead: excludes \['state'\] is not a pair"),
        ("[predicates.state]", '[predicates.state]\ninverse = "heads"', r"predicates\.state: inverse 'heads' already means 'headed by'"),
        ("[predicates.state]", '[predicates.state]\naliases = ["head"]', r"predicates\.state: alias 'head' already means 'headed by'"),
        ("[predicates.state]", '[predicates.state]\ninverse = "headed by"', r"predicates\.state: inverse 'headed by' has an inverse of its own"),
        ("[predicates.state]", "[predicates]\nstate = 1", r"predicates\.state: 1 is not a table|no TOML"),
        ("[records]", "[[records]]", r"records: .* is not a table"),
    ],
)
def test_a_bad_vocabulary_is_refused_and_the_entry_named(old: str, new: str, complaint: str) -> None:
    with pytest.raises(BadSettings, match=complaint):
        load(GOOD.replace(old, new, 1), "bad.toml")


def test_an_entry_that_is_no_table_is_refused() -> None:
    with pytest.raises(BadSettings, match=r"predicates\.state: 1 is not a table"):
        load("format = 1\n[predicates]\nstate = 1\n", "bad.toml")
