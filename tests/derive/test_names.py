"""Which names mean one thing (DESIGN.md 5.5): what follows from spelling alone, what may never be joined, and how links make groups."""

from random import Random
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.names import (
    Link,
    Strength,
    counted_apart,
    groups,
    initials,
    is_acronym,
    is_entity_name,
    is_short_form,
    normal,
    short_forms,
    singular,
    vetoed,
)

# Normal forms.


@pytest.mark.parametrize(
    "spellings",
    [
        ("Harbour Master", "harbour master", "HarbourMaster", "harbour_master", "HARBOUR-MASTER", "the harbour master", "Harbour Masters"),
        ("Tarn Works", "The Tarn Works", "Tarn Works Ltd.", "Tarn Works Co Ltd", "Tarn Works' "),
        ("Henry Edwards", "Mr. Henry Edwards", "Prof. Dr. Henry Edwards", "HENRY EDWARDS"),
        ("Cafe\u0301 Basin", "Caf\u00e9 Basin"),
        ("soft\u00adware desk", "software desk", "soft\u200bware desk"),
        ("\u0130zmir", "izmir"),
        ("Dana's desk", "Dana’s desk"),
        ("ＨＣＳ", "hcs"),
    ],
)
def test_case_joining_articles_honorifics_legal_forms_and_plurals_do_not_tell_names_apart(spellings: tuple[str, ...]) -> None:
    """C48, C49."""
    assert len({normal(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Одесса", "上海"),
        ("上海", "بيروت"),
        ("港务长", "Harbour Master"),
        ("North Lock", "South Lock"),
        ("Pier 3", "Pier 13"),
        ("C", "C++"),
        ("C++", "C#"),
        ("C", "C++ desk"),
        ("Ltd", "Inc"),
    ],
)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert normal(one) != normal(other)


@pytest.mark.parametrize("name", ["Одесса", "上海", "بيروت", "The", "Mr", "Ltd", "!!!", " ++ "])
def test_no_name_becomes_empty(name: str) -> None:
    assert normal(name)


def test_a_name_that_is_only_an_article_or_a_legal_form_is_kept() -> None:
    assert (normal("The"), normal("Ltd"), normal(" ++ ")) == ("the", "ltd", "++")


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("crews", "crew"),
        ("ferries", "ferry"),
        ("ties", "tie"),
        ("boxes", "box"),
        ("batches", "batch"),
        ("dishes", "dish"),
        ("glasses", "glass"),
        *((word, word) for word in ("glass", "status", "basis", "gas", "übers", "crew", "dana's")),
    ],
)
def test_a_plural_is_its_singular(word: str, one: str) -> None:
    assert singular(word) == one


# Acronyms and looks.


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("harbour control system", "hcs"),
        ("ministry of the northern harbour", "mnh"),
        ("bank for inland north traffic", "bint"),
        ("dock board", ""),
        ("tarn", ""),
    ],
)
def test_initials_are_those_of_three_words_or_more_without_small_words(name: str, short: str) -> None:
    assert initials(name) == short


@pytest.mark.parametrize(
    ("surface", "is_one"), [("HCS", True), ("HARBOR", True), ("HC", False), ("HARBOUR", False), ("Hcs", False), ("HC1", False), ("ХЦС", False)]
)
def test_an_acronym_is_three_to_six_capital_letters(surface: str, is_one: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_acronym(surface) is is_one


@pytest.mark.parametrize(
    ("name", "may"),
    [("tarn", True), ("hcs", False), ("上海", True), ("上", False), ("2031", False), ("2031-02-03", False), ("pier 3", True), ("f-3", False)],
)
def test_a_name_that_carries_bridges_has_letters_enough(name: str, may: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_entity_name(name) is may


# Short forms within a document.


def test_a_titled_surname_is_the_one_full_name_of_the_document_that_ends_so() -> None:
    assert short_forms(["Mr. Edwards", "Henry Edwards", "Tarn Works"]) == {"Mr. Edwards": "Henry Edwards"}


def test_a_titled_surname_of_two_people_is_nobody_s_short_form() -> None:
    assert short_forms(["Mr. Edwards", "Henry Edwards", "Anna Edwards"]) == {}


def test_two_spellings_of_one_full_name_are_one() -> None:
    assert short_forms(["Mr. Edwards", "Henry Edwards", "Henry EDWARDS"]) == {"Mr. Edwards": "Henry EDWARDS"}


@pytest.mark.parametrize("full", ["henry edwards", "Henry Edwards 2", "The Edwards", "Dr Edwards", "Edwards Ltd", "Edwards", "Henry Edwardson"])
def test_what_is_no_full_name_has_no_short_form(full: str) -> None:
    assert short_forms(["Mr. Edwards", full]) == {}


def test_a_bare_surname_is_no_short_form() -> None:
    assert short_forms(["Edwards", "Henry Edwards"]) == {}


def test_a_short_form_is_the_end_of_a_longer_name() -> None:
    assert is_short_form(["edwards"], ["henry", "edwards"])
    assert not is_short_form(["henry"], ["henry", "edwards"])
    assert not is_short_form([], ["henry"])
    assert not is_short_form(["henry", "edwards"], ["henry", "edwards"])


# Vetoes.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pier 3", "pier 4"),
        ("pier 3", "pier"),
        ("first pier", "second pier"),
        ("henry ii", "henry iii"),
        ("release 3.1", "release 3.10"),
        ("north lock", "south lock"),
        ("north lock", "lock"),
        ("acting harbour master", "harbour master"),
        ("j edward", "h edward"),
        ("henry edward", "anna edward"),
    ],
)
def test_numbers_ordinals_qualifiers_and_initials_keep_names_apart(one: str, other: str) -> None:
    assert vetoed(one, other)
    assert vetoed(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pier 3", "pier 03"),
        ("third pier", "pier 3"),
        ("henry ii", "henry 2"),
        ("harbour control system", "harbour system"),
        ("j edward", "edward"),
        ("tarn", "gull"),
    ],
)
def test_what_may_be_one_thing_is_not_vetoed(one: str, other: str) -> None:
    assert not vetoed(one, other)
    assert not vetoed(other, one)


# Groups.

HARBOUR, HCS, BOARD, PIER3, PIER4, PAGE = 1, 2, 3, 4, 5, -1
NAMES = {HARBOUR: "harbour control system", HCS: "hcs", BOARD: "dock board", PIER3: "pier 3", PIER4: "pier 4"}


def test_linked_names_are_one_group_known_by_its_least_node() -> None:
    assert groups(NAMES, [Link(Strength.ACRONYM, HCS, HARBOUR), Link(Strength.TITLE, HARBOUR, PAGE)]) == {HARBOUR: PAGE, HCS: PAGE, PAGE: PAGE}


def test_links_carry_on() -> None:
    assert groups(NAMES, [Link(Strength.DECLARED, HARBOUR, BOARD), Link(Strength.DECLARED, BOARD, HCS)]) == {
        HARBOUR: HARBOUR,
        BOARD: HARBOUR,
        HCS: HARBOUR,
    }


def test_no_union_by_inference_holds_a_vetoed_pair() -> None:
    """The page bears both titles in turn; the second link would put both piers into one group."""
    found = groups(NAMES, [Link(Strength.TITLE, PIER3, PAGE), Link(Strength.TITLE, PIER4, PAGE)])
    assert found[PIER3] == found[PAGE] != found[PIER4]


def test_a_former_title_may_begin_with_other_letters() -> None:
    names = {1: "tide memo", 2: "harbour memo"}
    assert vetoed(names[1], names[2])
    assert set(groups(names, [Link(Strength.TITLE, 1, -1), Link(Strength.TITLE, 2, -1)]).values()) == {-1}


def test_a_declared_pair_is_never_vetoed() -> None:
    assert groups(NAMES, [Link(Strength.DECLARED, PIER3, PIER4)]) == {PIER3: PIER3, PIER4: PIER3}


def test_the_stronger_link_joins_first_and_the_weaker_one_is_vetoed_then() -> None:
    links = [Link(Strength.TITLE, PIER3, PAGE), Link(Strength.DECLARED, PIER4, PAGE)]
    found = groups(NAMES, links)
    assert found[PIER4] == found[PAGE] != found[PIER3]
    assert groups(NAMES, links[::-1]) == found


def test_an_acronym_is_not_vetoed_against_its_own_expansion() -> None:
    names = {1: "upper canal board", 2: "ucb"}
    assert vetoed(names[1], names[2])
    assert groups(names, [Link(Strength.ACRONYM, 1, 2)]) == {1: 1, 2: 1}


def test_links_of_documents_alone_join_them() -> None:
    assert groups({}, [Link(Strength.TITLE, -1, -2)]) == {-1: -2, -2: -2}


def test_without_links_there_are_no_groups() -> None:
    assert groups(NAMES, []) == {}


_nodes = st.sampled_from([*NAMES, PAGE, -2])
_links = st.lists(st.builds(Link, st.sampled_from(Strength), _nodes, _nodes), max_size=8)


@given(_links, st.randoms(use_true_random=False))
def test_groups_do_not_depend_on_the_order_or_direction_of_links(links: list[Link], random: Random) -> None:
    turned = [Link(link.strength, link.other, link.one) if random.random() < 0.5 else link for link in links]
    random.shuffle(turned)
    assert groups(NAMES, turned + turned[:2]) == groups(NAMES, links)


@given(_links)
def test_a_group_holds_a_vetoed_pair_only_where_declared_links_join_it(links: list[Link]) -> None:
    found = groups(NAMES, links)
    declared = groups(NAMES, [link for link in links if link.strength is Strength.DECLARED])
    titled = groups(NAMES, [link for link in links if link.strength is not Strength.ACRONYM])
    for one in NAMES:
        for other in NAMES:
            if found.get(one, one) == found.get(other, other) and one != other and vetoed(NAMES[one], NAMES[other]):
                acronym = {NAMES[one], NAMES[other]} == {"harbour control system", "hcs"}
                initials = titled.get(one, one) == titled.get(other, other) and not counted_apart(NAMES[one], NAMES[other])
                assert acronym or initials or declared.get(one, one) == declared.get(other, other)


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12))
def test_a_chinese_name_keeps_all_its_characters(name: str) -> None:
    assert normal(name) == normalize("NFKC", name)
    assert normal(f"「{name}」") == normal(name)


def test_wide_and_narrow_characters_spell_one_name() -> None:
    assert normal("ＡＢＣ公司") == normal("ABC公司")
    assert normal("３号码头") == normal("3号码头")
    assert normal("The Merrow Line") != normal("默罗航运公司")
