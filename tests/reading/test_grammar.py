"""Grammar of English prose, each rule in sentences of its own: what is said, what has ended, what is only planned, and who is meant."""

from functools import cache

import pytest

from connectors.extractor import Extractor
from connectors.spacy_extractor import SpacyExtractor
from derive.prose.english import grounded
from schemas.fact import NO_DATES, SELF, Fact
from schemas.vocabulary import shipped


@cache
def made() -> Extractor:
    return SpacyExtractor(shipped())


@pytest.fixture
def spacy() -> Extractor:
    return made()


def only(extractor: Extractor, text: str) -> Fact:
    """Return the one fact of a text."""
    ((fact,),) = extractor.extract([text])
    return fact


Said = tuple[str, str, str]


def believed(extractor: Extractor, text: str) -> list[Said]:
    """Return what a text says that is sure enough to be evidence, denials marked by "not"."""
    (facts,) = extractor.extract([text])
    assert all(0 <= fact.start < fact.end <= len(text) for fact in facts)
    return [(fact.subject, "not " * fact.negated + fact.predicate, fact.object) for fact in facts if fact.confidence >= 0.85]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The kiln is 3 m wide and 7 m long.", [("kiln", "width", "3 m"), ("kiln", "length", "7 m")]),
        ("The kiln is 3 m wide, 7 m long and 2 m high.", [("kiln", "width", "3 m"), ("kiln", "length", "7 m"), ("kiln", "height", "2 m")]),
        ("The silo's height is 31 metres.", [("silo", "height", "31 metres")]),
        ("The tug's top speed is 14 km/h.", [("tug", "speed", "14 km/h")]),
        ("The broker listens on port 7001.", [("broker", "listens on", "7001")]),
        ("The broker uses port 7001 by default.", [("broker", "uses", "port 7001")]),
    ],
)
def test_measures_and_numbers_keep_what_they_measure(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert believed(spacy, text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The coal barge no longer calls at Delby.", [("coal barge", "not call at", "Delby")]),
        ("The tug stopped using diesel in 2022.", [("tug", "not uses", "diesel")]),
        ("The mill does not use the canal anymore.", [("mill", "not uses", "canal")]),
        ("Olu Baker used to work for Norrkraft.", [("Olu Baker", "not works for", "Norrkraft")]),
        ("Olu Baker previously worked for Norrkraft.", [("Olu Baker", "not works for", "Norrkraft")]),
        ("Olu Baker formerly headed Tarn Works.", [("Tarn Works", "not headed by", "Olu Baker")]),
        ("Olu Baker is a former mayor of Delby.", [("Delby", "not mayor", "Olu Baker")]),
        ("The importer dropped support for XML in 2023.", [("importer", "not supports", "XML")]),
        ("The valve is used to drain the dock.", []),
        ("The mill was formerly bought by Norrkraft.", []),
        ("Olu Baker is not the former mayor of Delby.", []),
        ("Olu Baker never formerly headed Tarn Works.", []),
    ],
)
def test_what_has_ended_is_denied_from_the_day_it_is_said(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert believed(spacy, text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Petr Novak is due to retire in 2026.",
        "Petr Novak is set to join the board next year.",
        "The Brno office is scheduled to close in 2026.",
        "The Brno office is likely to close in 2026.",
        "The new bridge is to be named after Ruth Amadi.",
        "Corvid Systems hopes to buy the mill.",
        "Corvid Systems owns nothing and hopes to buy the mill.",
        "Corvid Systems was asked to sell the mill.",
        "Corvid Systems almost bought Norrkraft in 2015.",
        "Suppose Corvid Systems owns the mill.",
        "The planned bridge connects Lindholm and Delby.",
        "The crane is able to lift 40 tonnes.",
        "“Corvid Systems owns the mill.”",
        '"Corvid Systems owns the mill," it said.',
        "According to the Courier, Corvid Systems owns the mill; Norrkraft owns the dam.",
        "Ships are not allowed to anchor in the fairway.",
        "Not all ferries use the lock.",
        "Few ferries use the lock.",
        "There is no evidence that Corvid Systems owns the mill.",
        "Corvid Systems is going to buy the mill.",
        "Without a permit, Corvid Systems closes the mill.",
        "Either Corvid Systems or Norrkraft owns the mill.",
        "Neither Corvid Systems nor Norrkraft may own the mill.",
        "Hardly any ferry uses the lock.",
        "Most ferries use the lock.",
        "In the novel, Corvid Systems owns the mill.",
        "Corvid Systems is building a mill.",
        "The mill is being built by Corvid Systems.",
        "Corvid Systems began to build the mill in 2019.",
        "If the wind drops, the lock opens and Corvid Systems closes the mill.",
        "While Corvid Systems may own the mill, nobody owns the dam.",
    ],
)
def test_what_is_planned_wished_nearly_so_or_quoted_is_no_evidence(spacy: Extractor, text: str) -> None:
    assert [fact for fact in believed(spacy, text) if "not " not in fact[1]] == []


def test_what_is_set_to_a_value_is_said(spacy: Extractor) -> None:
    assert believed(spacy, "The time-out is set to 30 seconds.") == [("time-out", "set to", "30 seconds")]
    assert believed(spacy, "Ruth Amadi helps to run the mill.") == [("mill", "operated by", "Ruth Amadi")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Salt Wharf handles timber; grain is handled by Pier 4.", [("Salt Wharf", "handles", "timber"), ("Pier 4", "handles", "grain")]),
        ("Bramble runs on Node 16, but the Copper team plans to move it to Node 20.", [("Bramble", "uses", "Node 16")]),
        ("Regulation 14/2019 repeals Directive 7.", [("Regulation 14/2019", "repeals", "Directive 7")]),
        ("Act 12/2021 replaces Act 4/1998.", [("Act 4/1998", "superseded by", "Act 12/2021")]),
    ],
)
def test_names_at_the_beginning_numbers_of_acts_and_semicolons(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert believed(spacy, text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The bakery, founded in 1921, is run by Norrkraft.", [("bakery", "founded", "1921"), ("bakery", "operated by", "Norrkraft")]),
        ("Built in 1887, the lighthouse stands on Gull Point.", [("lighthouse", "built", "1887"), ("lighthouse", "stands on", "Gull Point")]),
        ("The board, which has nine members, is run by Ida Lund.", [("board", "has", "nine members"), ("board", "operated by", "Ida Lund")]),
        ("The head of Tarn Works, Ruth Amadi, lives in Delby.", [("Ruth Amadi", "lives in", "Delby"), ("Tarn Works", "headed by", "Ruth Amadi")]),
        ("Marlin, the message broker of Oakline, uses Redis.", [("Marlin", "uses", "Redis"), ("Marlin", "message broker of", "Oakline")]),
        ("The museum owns the Verrin hoard, which may be Roman.", [("Verrin hoard", "owner", "museum")]),
    ],
)  # fmt: skip
def test_asides_speak_of_what_they_stand_behind(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert believed(spacy, text) == said


def test_a_date_in_an_aside_is_none_of_the_sentence(spacy: Extractor) -> None:
    (facts,) = spacy.extract(["The bakery, founded in 1921, is run by Norrkraft."])
    assert [(fact.text, fact.dates) for fact in facts] == [
        ("The bakery was founded in 1921.", NO_DATES), ("The bakery is run by Norrkraft.", NO_DATES),
    ]  # fmt: skip
    (facts,) = spacy.extract(["The mill, owned by Norrkraft, uses coal."])
    assert facts[0].text == "The mill is owned by Norrkraft."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The board appointed Ruth Amadi as head of the audit team.", [("audit team", "headed by", "Ruth Amadi")]),
        ("The board appointed Ruth Amadi head of the audit team.", [("audit team", "headed by", "Ruth Amadi")]),
        ("Ida Lund described Ruth Amadi as head of the audit team.", [("Ida Lund", "describes", "Ruth Amadi")]),
        ("The board named the ferry Aurelia.", []),
        ("There are three cranes on the quay.", [("quay", "has", "three cranes")]),
        ("There is no crane on the quay.", [("quay", "not have", "crane")]),
        ("There are rules about the quay.", []),
        ("The lease lasts until 2030.", [("lease", "ends", "2030")]),
        ("A vessel means any craft used on water.", [("vessel", "means", "any craft used on water")]),
        ("Ida Lund holds the post.", [("Ida Lund", "hold", "post")]),
        ("Ida Lund holds the post in Delby.", [("Ida Lund", "hold", "post")]),
        ("The mill has a view of the canal.", [("mill", "have", "view of the canal")]),
        ("The mill is under the bridge.", []),
        ("Olu Baker is a former mayor.", []),
        ("Norrkraft ended support for Delby.", [("Norrkraft", "not supports", "Delby")]),
        ("Norrkraft ended the support in Delby.", [("Norrkraft", "end", "support")]),
    ],
)
def test_roles_given_things_there_are_ends_and_definitions(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert [fact for fact in believed(spacy, text) if fact[0] != "board"] == said


def test_acting_deputy_and_regional_heads_do_not_stand_against_the_head(spacy: Extractor) -> None:
    for text, scope in (
        ("Ida Lund is the acting CEO of Norrkraft.", ("acting",)),
        ("Ida Lund is the deputy head of Norrkraft.", ("deputy",)),
        ("The regional head of Norrkraft is Ida Lund.", ("regional",)),
        ("Ida Lund is the head of Norrkraft.", ()),
    ):
        assert only(spacy, text).scope == scope
    office = only(spacy, "Ida Lund is the head of the northern office of Norrkraft.")
    assert (office.subject, office.predicate) == ("northern office of Norrkraft", "headed by")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The mill grinds rye, but it does not use coal.", [("mill", "not uses", "coal")]),
        ("The mill may grind rye, but it uses coal.", [("mill", "uses", "coal")]),
        ("The Aurelia carries 90 cars. She was built at the Tarn Works in 2009.", [("Aurelia", "built at", "Tarn Works")]),
        ("Corvid Systems employs 90 people. The company owns the mill.", [("mill", "owner", "Corvid Systems")]),
        ("Corvid Systems employs 90 people. Ida Lund heads Norrkraft. She lives in Delby.", [("Ida Lund", "lives in", "Delby")]),
        ("The pilots use the tower. They depend on Redis.", [("pilots", "depends on", "Redis")]),
        ("The pilot uses the tower. They depend on Redis.", []),
        ("The company owns the mill.", [(SELF, "owns", "mill")]),
        ("Gulls nest here. The company owns the mill.", []),
        ("This standard does not cover wooden hulls.", [(SELF, "not covers", "wooden hulls")]),
        ("Gulls nest here. This standard does not cover wooden hulls.", []),
        ("This bolt holds the frame.", []),
        ("Tarn Works and Norrkraft own mills, and it uses coal.", []),
    ],
)
def test_pronouns_and_the_company_take_a_subject_that_can_be_told_or_none(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert [fact for fact in believed(spacy, text) if fact[:2] == said[0][:2]] == said if said else believed(spacy, text)[1:] == []


@pytest.mark.parametrize(
    ("span", "texts", "expected"),
    [
        ("The ferry carries 90 cars", ("ferry", "90 cars"), True),
        ("The ferry  carries\n90   cars", ("90 cars",), True),
        ("The ferry carries 90 cars", ("ferry", "80 cars"), False),
        ("", (), True),
    ],
)
def test_a_fact_is_grounded_if_all_its_words_stand_in_its_span(span: str, texts: tuple[str, ...], *, expected: bool) -> None:
    assert grounded(span, texts) is expected


def test_every_fact_stands_in_its_own_span_but_for_what_a_pronoun_means(spacy: Extractor) -> None:
    text = "The head of Tarn Works, Ruth Amadi, lives in Delby. She owns the mill, which is 9 m high; the mill was built in 1887."
    (facts,) = spacy.extract([text])
    assert len(facts) == 5
    for fact in facts:
        span = text[fact.start : fact.end]
        assert grounded(span, (fact.subject,)) or grounded(span, (fact.object,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The ferry cannot carry trucks.", [("ferry", "not carry", "trucks")]),
        ("The ferry can not carry trucks.", [("ferry", "not carry", "trucks")]),
        ("The ferry must not carry trucks.", []),
        ("Norrkraft is not only a bank.", [("Norrkraft", "is", "bank")]),
        ("Neither Norrkraft nor Delby uses coal.", [("Norrkraft", "not uses", "coal"), ("Delby", "not uses", "coal")]),
        ("The fact that Norrkraft owns the mill is old.", [("mill", "owner", "Norrkraft")]),
        ("A few ferries use the lock.", [("few ferries", "uses", "lock")]),
        ("Although Norrkraft owns the mill, Olu Baker runs it.", [("mill", "owner", "Norrkraft")]),
        ("Although the port closed in 2019, Norrkraft uses the quay.", [("port", "closes", "2019"), ("Norrkraft", "uses", "quay")]),
        ("The endpoint returns JSON.", [("endpoint", "returns", "JSON")]),
        ("The road links Delby and Lindholm.", [("road", "connects", "Delby"), ("road", "connects", "Lindholm")]),
        ("The tool requires Python 3.11 or later.", [("tool", "requires", "Python 3.11")]),
        ("The tool requires Python 3.11 or PyPy.", []),
        ("The Corin Prize is awarded by the academy.", [("academy", "awards", "Corin Prize")]),
        ("The Corin Prize was awarded to Ruth Amadi in 2019.", [("Corin Prize", "awarded to", "Ruth Amadi")]),
        ("Milo Reyes is Norrkraft's head.", [("Norrkraft", "headed by", "Milo Reyes")]),
        ("Norrkraft's new head is Milo Reyes.", [("Norrkraft", "headed by", "Milo Reyes")]),
        ("Norrkraft's head, Milo Reyes, lives in Delby.", [("Milo Reyes", "lives in", "Delby"), ("Norrkraft", "headed by", "Milo Reyes")]),
        ("Ida Lund is a member of the board.", [("Ida Lund", "member of", "board")]),
        ("The owner of the cluster is the Platform group.", [("cluster", "owner", "Platform group")]),
        ("The Platform group is in charge of the cluster.", [("Platform group", "responsible for", "cluster")]),
        ("The Platform group is in charge.", []),
        ("An operator is a person who runs a ship.", [("operator", "is", "person who runs a ship")]),
        ("For example, a ferry carries 90 cars.", [("ferry", "carries", "90 cars")]),
        ("Ida M. Lund (born 2 May 1956) heads Norrkraft.", [("Ida M. Lund", "born", "2 May 1956"), ("Norrkraft", "headed by", "Ida M. Lund")]),
        ("J. K. Moss owns the mill.", [("mill", "owner", "J. K. Moss")]),
        ("The mill was built 1890 by Norrkraft.", [("mill", "built by", "Norrkraft"), ("mill", "built", "1890")]),
        ("The Heron is a 1988 ferry.", [("Heron", "is", "1988 ferry")]),
        ("Ida Lund is a children's author.", [("Ida Lund", "is", "children's author")]),
        ("The board's head is Ida Lund.", [("board", "headed by", "Ida Lund")]),
        ("Ida Lund is the board's head.", [("board", "headed by", "Ida Lund")]),
        ("The mill was sold one of the owners.", []),
        ("The mill belongs to one of the families.", [("mill", "part of", "one of the families")]),
        ("The class A licence is valid.", []),
        ("The song Blue Tarn belongs to Norrkraft.", [("song Blue Tarn", "part of", "Norrkraft")]),
        ("Ida Lund owns the 1st mill.", [("1st mill", "owner", "Ida Lund")]),
    ],
)
def test_denials_concessions_owners_and_words_of_several(spacy: Extractor, text: str, said: list[Said]) -> None:
    assert believed(spacy, text) == said
