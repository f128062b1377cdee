"""The vocabulary that ships, what a file of one's own adds to it, and how a bad one is refused."""

import pytest

from schemas.errors import BadSettings
from schemas.predicate import LONGEST_WORD
from schemas.vocabulary import Cardinality, Predicate, extended, fold, load, shipped


def test_the_shipped_vocabulary_is_sound_and_its_fingerprint_is_that_of_its_content() -> None:
    vocabulary = shipped()
    assert vocabulary.predicate("headed by").cardinality is Cardinality.FUNCTIONAL
    assert vocabulary.predicate("never heard of").cardinality is Cardinality.MULTI
    assert vocabulary.version == shipped().version
    assert vocabulary.version != load("format = 1\n", "other").version


def test_the_shipped_vocabulary_covers_the_field_and_every_predicate_can_be_spoken() -> None:
    predicates = shipped().predicates.values()
    assert len(predicates) >= 120
    assert [predicate.name for predicate in predicates if not predicate.template] == []
    assert {predicate.cardinality for predicate in predicates} == set(Cardinality)


def test_fields_of_release_cycles_are_distinct_functional_predicates() -> None:
    vocabulary = shipped()
    names = [vocabulary.canonical(name) for name in ("latest", "eol", "releaseDate", "release", "support", "eoas", "lts", "discontinued")]
    assert len(set(names)) == 8
    assert all(vocabulary.predicate(name).cardinality is Cardinality.FUNCTIONAL for name in names)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("PEP-Delegate", "decided by"), ("BDFL-Delegate", "decided by"), ("Discussions-To", "discussions to"), ("Replaces", "replaces"),
        ("Requires", "requires"), ("Python-Version", "python version"), ("Obsoletes", "replaces"), ("Updated by", "amended by"),
        ("fixVersions", "fix version"), ("Last-Modified", "updated"), ("Replaced-By", "superseded by"), ("Superseded-By", "superseded by"),
        ("Sponsor", "sponsor"), ("Author", "author"),
    ],
)  # fmt: skip
def test_headers_of_standards_and_fields_of_tickets_are_known(header: str, name: str) -> None:
    assert shipped().canonical(header) == name
    assert name in shipped().predicates


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
[renamed]
"run by" = "steered by"
"steered by" = "headed by"
[predicates."headed by"]
cardinality = "functional"
object = "name"
subject = "organisation"
aliases = ["head"]
inverse = "heads"
inverse_aliases = ["head of"]
scope = ["regional"]
template = "{subject} is headed by {object}"
[predicates.state]
object = "text"
[predicates.state.values]
draft = ["WIP", "work in progress"]
dead = []
[predicates.dead]
excludes = [["state", "alive"]]
"""


def test_a_good_vocabulary_is_read() -> None:
    vocabulary = load(GOOD, "good.toml")
    assert vocabulary.canonical("Head") == "headed by"
    assert vocabulary.inverses == {"heads": "headed by", "head of": "headed by"}
    assert vocabulary.predicate("dead").excludes == (("state", "alive"),)
    assert (vocabulary.record_keys, vocabulary.valid_from, vocabulary.qualifiers) == (("id",), frozenset({"from"}), frozenset({"acting"}))
    assert (vocabulary.predicate("headed by").subject, vocabulary.predicate("headed by").scope) == ("organisation", ("regional",))


def test_words_of_a_value_that_mean_the_same_are_one_and_others_stand_for_themselves() -> None:
    state = load(GOOD, "good.toml").predicate("state")
    assert {state.word(words) for words in ("WIP", "Work-in-progress.", "draft", "Draft")} == {"draft"}
    assert (state.word("Accepted"), state.word("x" * (LONGEST_WORD + 1)), Predicate("mood").word("WIP")) == (
        "Accepted",
        "x" * (LONGEST_WORD + 1),
        "WIP",
    )


def test_a_renamed_predicate_is_found_by_every_name_and_stored_under_its_first() -> None:
    vocabulary = load(GOOD, "good.toml")
    names = ("run by", "Steered-By", "headed by", "head")
    assert {vocabulary.canonical(name) for name in names} == {"headed by"}
    assert vocabulary.predicate("run by") == vocabulary.predicate("headed by")
    assert {vocabulary.stored(vocabulary.canonical(name)) for name in names} == {"run by"}
    assert (vocabulary.named("run by"), vocabulary.named("state"), vocabulary.stored("state")) == ("headed by", "state", "state")


def test_a_word_may_be_a_field_and_the_verb_of_the_other_side_of_one_predicate() -> None:
    vocabulary = load(GOOD.replace('["head of"]', '["head of", "head"]'), "good.toml")
    assert (vocabulary.aliases["head"], vocabulary.inverses["head"]) == ("headed by", "headed by")


@pytest.mark.parametrize(
    ("words", "ending", "expected"),
    [
        ("acting head", "", (("acting",), "head")),
        ("acting regional head", " of", (("acting", "regional"), "head")),
        ("regional acting head", " of", (("regional", "acting"), "head")),
        ("regional state", "", ((), "regional state")),
        ("red head", " of", ((), "red head")),
        ("head", " of", ((), "head")),
        ("acting", "", ((), "acting")),
    ],
)
def test_qualifiers_of_every_predicate_and_of_this_one_narrow_a_role(words: str, ending: str, expected: tuple[tuple[str, ...], str]) -> None:
    assert load(GOOD, "good.toml").qualified(words.split(), ending) == expected


OWN = """
format = 1
[records]
keys = ["berth"]
[prose]
qualifiers = ["tidal"]
[renamed]
"pilotage by" = "piloted by"
[predicates."piloted by"]
cardinality = "functional"
object = "name"
inverse = "pilots"
[predicates."headed by"]
aliases = ["boss"]
inverse_aliases = ["boss of"]
scope = ["seasonal"]
[predicates.status]
excludes = [["discontinued", ""]]
[predicates.status.values]
draft = ["sketch"]
moored = []
[predicates.width]
override = true
object = "quantity"
template = "{subject} measures {object} across"
"""


def test_a_file_of_ones_own_adds_to_the_shipped_vocabulary_and_overrides_where_it_says_so() -> None:
    base, own = shipped(), extended(OWN, "own.toml")
    assert set(own.predicates) == {*base.predicates, "piloted by"}
    assert (own.canonical("boss"), own.canonical("head"), own.inverses["boss of"], own.inverses["pilots"]) == (
        "headed by", "headed by", "headed by", "piloted by",
    )  # fmt: skip
    assert (own.record_keys[0], own.record_keys[1:]) == ("berth", base.record_keys)
    assert own.qualifiers == base.qualifiers | {"tidal"}
    status = own.predicate("status")
    assert (status.word("Sketch"), status.word("WIP"), status.word("Moored")) == ("draft", "draft", "moored")
    assert status.excludes == (("discontinued", ""),)
    assert own.predicate("width").cardinality is Cardinality.MULTI
    assert own.canonical("breadth") == "breadth"
    assert own.predicate("headed by").scope == (*base.predicate("headed by").scope, "seasonal")
    assert own.stored("piloted by") == "pilotage by"


def test_the_fingerprint_covers_both_files() -> None:
    empty = "format = 1\n"
    versions = [extended(OWN, "own.toml"), shipped(), extended(OWN + "# more\n", "own.toml"), extended(empty, "own.toml"), load(empty, "own.toml")]
    assert len({vocabulary.version for vocabulary in versions}) == len(versions)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("format = 1", "format = 2", r"bad\.toml:2: format: 2 is not 1"),
        ("format = 1\n", "", r"bad\.toml:1: format: None is not 1"),
        ("format = 1", "format = ", r"bad\.toml: no TOML: .*line 2"),
        ("[renamed]", "[rename]", r"bad\.toml:8: rename: unknown field 'rename'"),
        ('cardinality = "functional"', 'cardinality = "one"', r"bad\.toml:12: predicates\.headed by\.cardinality: cardinality 'one'"),
        ('object = "name"', 'object = "person"', r"bad\.toml:13: predicates\.headed by\.object: object 'person'"),
        ('subject = "organisation"', 'subject = "firm"', r"bad\.toml:14: .*subject 'firm' is not one of any, document"),
        ('subject = "organisation"', "subject = 3", r"bad\.toml:14: .*subject 3 is not one of"),
        ('aliases = ["head"]', 'alias = ["head"]', r"bad\.toml:15: predicates\.headed by\.alias: unknown field 'alias'"),
        ('aliases = ["head"]', 'aliases = "head"', r":15: .*aliases: 'head' is not a list"),
        ('aliases = ["head"]', "aliases = [\n  'x',\n  1]", r":17: .*aliases\.1: 1 is not a text"),
        ('aliases = ["head"]', 'aliases = [""]', r":15: .*aliases\.0: '' is not a text with content"),
        ('aliases = ["head"]', 'aliases = ["head",\n"Head"]', r":16: .*aliases\.1: 'Head' is listed already \(bad\.toml:15\)"),
        ('aliases = ["head"]', 'aliases = ["state"]', r":15: .*alias 'state' already means 'state' \(bad\.toml:20\)"),
        ('aliases = ["head"]', 'aliases = ["headed by"]', r":15: .*alias 'headed by' is the name of its own predicate"),
        ('keys = ["id"]', 'key = ["id"]', r":4: records\.key: unknown field 'key'"),
        ("{object}", "{value}", r":19: .*template: .* must have"),
        ("{object}", "{object} {", r":19: .*template: .* must have"),
        ("{object}", "{object} {object}", r":19: .*template: .* must have"),
        ("[predicates.state]\n", "[predicates.State]\n", r":20: predicates\.State: the name must be folded: 'state'"),
        ('["state", "alive"]', '["mood", "alive"]', r":26: .*excludes 'mood', which is not declared"),
        ('["state", "alive"]', '["dead", "alive"]', r":26: .*excludes 'dead', which is the predicate itself"),
        ('[["state", "alive"]]', '[["state"]]', r":26: .*excludes\.0: \['state'\] is not a pair"),
        ('[["state", "alive"]]', '"state"', r":26: .*'state' is not a pair"),
        ("[predicates.state]\n", '[predicates.state]\ninverse = "heads"\n', r":21: .*inverse 'heads' already means 'headed by' \(bad\.toml:16\)"),
        ("[predicates.state]\n", '[predicates.state]\naliases = ["head"]\n', r":21: .*alias 'head' already means 'headed by' \(bad\.toml:15\)"),
        ("[predicates.state]\n", '[predicates.state]\ninverse = "headed by"\n', r":21: .*inverse 'headed by' is a predicate with an inverse"),
        ("[predicates.state]\n", '[predicates.state]\ninverse = "head"\n', r":21: .*inverse 'head' is an alias of 'headed by' \(bad\.toml:15\)"),
        ('object = "text"', 'object = "date"', r":22: predicates\.state\.values: a value of type date is not one of some words"),
        ('dead = []', 'dead = ["wip"]', r":24: predicates\.state\.values\.dead\.0: 'wip' already means 'draft' \(bad\.toml:23\)"),
        ('dead = []', 'Dead = []', r":24: predicates\.state\.values\.Dead: the name must be folded"),
        ('scope = ["regional"]', 'scope = ["acting"]', r":18: .*scope\.0: 'acting' is listed already \(bad\.toml:7\)"),
        ('qualifiers = ["acting"]', 'qualifiers = ["acting", "x", "Acting"]', r":7: prose\.qualifiers\.2: 'Acting' is listed already"),
        ('"run by" = "steered by"', '"run by" = "flown by"', r":9: renamed\.run by: renamed to 'flown by', which is not declared"),
        ('"run by" = "steered by"', '"Run by" = "steered by"', r":9: renamed\.Run by: the name must be folded"),
        ('"run by" = "steered by"', '"state" = "steered by"', r":9: renamed\.state: 'state' is still in use \(bad\.toml:20\)"),
        ('"run by" = "steered by"', '"heads" = "steered by"', r":9: renamed\.heads: 'heads' is still in use \(bad\.toml:16\)"),
        ('"run by" = "steered by"', '"run by" = "headed by"', r":10: .*'run by' was renamed to 'headed by' as well \(bad\.toml:9\)"),
        ('"steered by" = "headed by"', '"steered by" = "run by"', r":9: renamed\.run by: .* circle: run by -> steered by -> run by"),
        ("[predicates.dead]", "[predicates.dead]\noverride = 1", r":26: .*override: 1 is neither true nor false"),
        ("[predicates.dead]", "[predicates.dead]\noverride = true", r":25: predicates\.dead: overrides nothing"),
        ("[records]", "[[records]]", r":3: records: .* is not a table"),
    ],
)  # fmt: skip
def test_a_bad_vocabulary_is_refused_with_line_entry_and_fault(old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    with pytest.raises(BadSettings, match=complaint):
        load(GOOD.replace(old, new, 1), "bad.toml")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "override = true\n",
            "",
            r"own\.toml:23: predicates\.width\.object: .* declared already \(schemas/predicates\.toml:\d+\); o",
        ),
        ('aliases = ["boss"]', 'aliases = ["chair"]', r"own\.toml:14: .*alias 'chair' already means 'chaired by' \(schemas/predicates\.toml:\d+\)"),
        ('draft = ["sketch"]', 'draft = ["retracted"]', r"own\.toml:20: .*'retracted' already means 'withdrawn' \(schemas/predicates\.toml:\d+\)"),
        ('scope = ["seasonal"]', 'scope = ["regional"]', r"own\.toml:16: .*'regional' is listed already \(schemas/predicates\.toml:\d+\)"),
        ('qualifiers = ["tidal"]', 'qualifiers = ["acting"]', r"own\.toml:6: .*'acting' is listed already \(schemas/predicates\.toml:\d+\)"),
        ('"pilotage by"', '"headed by"', r"own\.toml:8: .*'headed by' is still in use \(schemas/predicates\.toml:\d+\)"),
    ],
)
def test_a_clash_with_the_shipped_vocabulary_names_both_places(old: str, new: str, complaint: str) -> None:
    with pytest.raises(BadSettings, match=complaint):
        extended(OWN.replace(old, new, 1), "own.toml")


def test_an_entry_that_is_no_table_is_refused() -> None:
    with pytest.raises(BadSettings, match=r"bad\.toml:3: predicates\.state: 1 is not a table"):
        load("format = 1\n[predicates]\nstate = 1\n", "bad.toml")
