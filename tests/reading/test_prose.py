"""Facts from prose: what sentences say, with and without a model."""

from functools import cache

import pytest

from connectors.extractor import Extractor, PatternExtractor
from connectors.spacy_extractor import SpacyExtractor
from derive.phrases import Phrase
from derive.prose import grounded
from derive.time import iso_moment as iso
from derive.timing import SPOKEN
from schemas.fact import GOVERNS, NO_DATES, SELF, Dates, Fact, FactKind, Relative
from schemas.vocabulary import shipped

VOCABULARY = shipped()


@cache
def made(kind: str) -> Extractor:
    return PatternExtractor(VOCABULARY) if kind == "patterns" else SpacyExtractor(VOCABULARY)


@pytest.fixture(params=["patterns", "spacy"])
def extractor(request: pytest.FixtureRequest) -> Extractor:
    return made(request.param)


@pytest.fixture
def spacy() -> Extractor:
    return made("spacy")


def only(extractor: Extractor, text: str) -> Fact:
    """Return the one fact of a text, after checking that it stands where it says."""
    (facts,) = extractor.extract([text])
    assert len(facts) == 1, facts
    return facts[0]


def keys(extractor: Extractor, text: str) -> list[tuple[str, str, str]]:
    (facts,) = extractor.extract([text])
    return [(fact.subject, fact.predicate, fact.object) for fact in facts]


PLAIN = [
    ("The night ferry carries 90 cars.", ("night ferry", "carries", "90 cars")),
    ("It calls at nine quays.", (SELF, "calls at", "nine quays")),
    ("Orla Finch chairs the Dock Board.", ("Dock Board", "chaired by", "Orla Finch")),
    ("Orla Finch heads Tarn Works.", ("Tarn Works", "headed by", "Orla Finch")),
    ("Ines Vale works for Tarn Works.", ("Ines Vale", "works for", "Tarn Works")),
    ("Ines Vale maintains the tarn-tools repository of Tarn Works.", ("tarn-tools repository of Tarn Works", "maintained by", "Ines Vale")),
    ("The sea lock is 6 m wide.", ("sea lock", "width", "6 m")),
    ("The sea lock is 8 m wide.", ("sea lock", "width", "8 m")),
    ("The width of the sea lock is 6 m.", ("sea lock", "width", "6 m")),
    ("The sea lock has a width of 6 m.", ("sea lock", "width", "6 m")),
    ("The claim period is 45 days.", ("claim period", "value", "45 days")),
    ("The billing service depends on Redis.", ("billing service", "depends on", "Redis")),
    ("The gate is operated by Tarn Works.", ("gate", "operated by", "Tarn Works")),
    ("Tarn Works operates the gate.", ("gate", "operated by", "Tarn Works")),
    ("Gull Point lies in North Bay.", ("Gull Point", "located in", "North Bay")),
    ("Gull Point is located in North Bay.", ("Gull Point", "located in", "North Bay")),
    ("Gull Point is in North Bay.", ("Gull Point", "located in", "North Bay")),
    ("Old Quay was renamed to West Quay.", ("Old Quay", "renamed to", "West Quay")),
    ("Alice Chen is the CEO of Acme.", ("Acme", "ceo", "Alice Chen")),
    ("The CEO of Acme is Alice Chen.", ("Acme", "ceo", "Alice Chen")),
    ("The head of Tarn Works is Milo Reyes.", ("Tarn Works", "headed by", "Milo Reyes")),
    ("Dana Reyes is the owner of the billing service.", ("billing service", "owner", "Dana Reyes")),
    ("The master of the Silver Heron is Gudrun Ashby.", ("Silver Heron", "master", "Gudrun Ashby")),
    ("Support ends in 2031.", ("Support", "ends", "2031")),
    ("The harbour office opened in 1998.", ("harbour office", "opens", "1998")),
    ("The North Lock was built in 1887.", ("North Lock", "built", "1887")),
    ("The release date is 2024-07-01.", ("release date", "value", "2024-07-01")),
    ("Beta Labs is a startup.", ("Beta Labs", "is", "startup")),
    ("Kafka 3.6 replaces RabbitMQ.", ("RabbitMQ", "superseded by", "Kafka 3.6")),
    ("The Booking Service is owned by the Platform Team.", ("Booking Service", "owner", "Platform Team")),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN, ids=[text for text, _ in PLAIN])
def test_a_plain_sentence_gives_its_one_fact(extractor: Extractor, text: str, expected: tuple[str, str, str]) -> None:
    fact = only(extractor, text)
    assert (fact.subject, fact.predicate, fact.object) == expected
    assert fact.confidence >= 0.85
    assert not fact.negated
    assert not fact.structural
    assert text[fact.start : fact.end].endswith(fact.text[-12:-1]) or text[fact.start : fact.end].endswith(fact.text[-12:])


DATED = [
    ("Milo Reyes has headed Tarn Works since 2024-01-01.", ("Tarn Works", "headed by", "Milo Reyes"), Dates(iso("2024-01-01"))),
    ("The pilot permit is valid until 2031-06-30.", ("pilot permit", "is", "valid"), Dates(None, iso("2031-06-30"))),
    ("Ines Vale led the Crew from 2023-01 to 2023-06.", ("Crew", "led by", "Ines Vale"), Dates(iso("2023-01"), iso("2023-06"))),
    ("Ines Vale leads the Lock Crew from 2025-02.", ("Lock Crew", "led by", "Ines Vale"), Dates(iso("2025-02"))),
    ("From 2025-04-01 the claim period is 60 days.", ("claim period", "value", "60 days"), Dates(iso("2025-04-01"))),
    ("Milo Reyes became CEO of Tarn Works in March 2019.", ("Tarn Works", "ceo", "Milo Reyes"), Dates(iso("2019-03"))),
    ("In 2024 the night ferry carries 75 cars.", ("night ferry", "carries", "75 cars"), Dates(iso("2024"), iso("2024"))),
    ("Tarn Works was founded by Orla Finch in 1990.", ("Tarn Works", "founded by", "Orla Finch"), Dates(iso("1990"))),
    ("Milo Reyes resigned as head of Tarn Works in 2022.", ("Tarn Works", "headed by", "Milo Reyes"), Dates(None, iso("2022"))),
    ("The board declined the offer on 2025-10-17.", ("board", "declines", "offer"), Dates(iso("2025-10-17"))),
    ("Petra Salling joined Beta Labs yesterday.", ("Petra Salling", "joins", "Beta Labs"), Dates(Relative("yesterday"), confidence=SPOKEN)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "dates"), DATED, ids=[text for text, *_ in DATED])
def test_a_date_moves_into_the_validity(extractor: Extractor, text: str, expected: tuple[str, str, str], dates: Dates) -> None:
    fact = only(extractor, text)
    assert (fact.subject, fact.predicate, fact.object) == expected
    assert fact.dates == dates
    assert fact.confidence >= 0.85
    assert fact.text == text


def test_what_is_no_longer_so_is_denied_from_the_day_it_is_said(extractor: Extractor) -> None:
    fact = only(extractor, "The billing service no longer depends on Redis.")
    assert (fact.subject, fact.predicate, fact.object, fact.negated) == ("billing service", "depends on", "Redis", True)
    assert fact.dates == Dates(Relative("today"), confidence=GOVERNS)
    dated = only(extractor, "Since 2024-01-01 the billing service no longer depends on Redis.")
    assert (dated.negated, dated.dates) == (True, Dates(iso("2024-01-01")))


def test_a_plain_denial_is_a_denial_without_a_date(extractor: Extractor) -> None:
    fact = only(extractor, "The billing service does not depend on Redis.")
    assert (fact.predicate, fact.negated, fact.dates) == ("depends on", True, NO_DATES)


@pytest.mark.parametrize(
    "text",
    [
        "Does Orla Finch head Tarn Works?",
        "The billing service may depend on Kafka.",
        "The billing service will depend on Kafka.",
        "Tarn Works plans to open an office in Oslo.",
        "If the gate is closed, the ferry waits at the quay.",
        "Milo Reyes said that Orla Finch heads Tarn Works.",
        "According to Milo Reyes, Orla Finch heads Tarn Works.",
        "Reportedly Orla Finch heads Tarn Works.",
        "Milo Reyes denied that Orla Finch heads Tarn Works.",
        "Orla Finch or Milo Reyes heads Tarn Works.",
        "The lamp blinks white, not amber.",
        "They depend on Redis.",
        "This depends on Redis.",
        "Look at the fuse first.",
        "The pump is high.",
        "No sign shows the name.",
        "Boats that wait for the South Lock make fast on the east wall.",
        "The bridge opens from 06:00 to 20:00.",
        "A broken lamp is reported on the same day.",
        "Milo Reyes resigned as head of Tarn Works.",
        "The gate will.",
        "The master of the is Gudrun Ashby.",
        "The ferry carries the.",
        "",
        "...",
    ],
)
def test_what_is_not_asserted_or_points_elsewhere_gives_no_fact(extractor: Extractor, text: str) -> None:
    assert keys(extractor, text) == []


@pytest.mark.parametrize(
    "text", ["The ferry carries cars and the.", "The ferry carries never.", "Ivo Strand works four days a week.", "The ferry stopped carrying cars."]
)
def test_without_a_model_what_is_not_plain_is_not_read(text: str) -> None:
    assert keys(made("patterns"), text) == []


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Ines Vale led the Lock Crew.", 0.7),
        ("The night ferry can carry 90 cars.", 0.7),
        ("Two motors are in Shed 4.", 0.7),
    ],
)
def test_what_is_past_or_possible_is_weak(extractor: Extractor, text: str, confidence: float) -> None:
    assert only(extractor, text).confidence == confidence


def test_objects_and_verbs_joined_by_and_are_facts_of_their_own(extractor: Extractor) -> None:
    assert keys(extractor, "The billing service uses PostgreSQL 15 and Redis.") == [
        ("billing service", "uses", "PostgreSQL 15"),
        ("billing service", "uses", "Redis"),
    ]
    assert keys(extractor, "The Gate Crew works in three shifts and has eleven members.") == [
        ("Gate Crew", "works in", "three shifts"),
        ("Gate Crew", "has", "eleven members"),
    ]


def test_holders_named_together_do_not_contradict_each_other(extractor: Extractor) -> None:
    assert keys(extractor, "Tarn Works is owned by Beta Labs and Acme.") == [
        ("Tarn Works", "jointly owner", "Beta Labs"),
        ("Tarn Works", "jointly owner", "Acme"),
    ]


def test_a_counted_noun_and_a_qualifier_are_scope(extractor: Extractor) -> None:
    assert only(extractor, "The night ferry carries 90 cars.").scope == ("cars",)
    assert only(extractor, "The sea lock is 6 m wide.").scope == ()
    assert only(extractor, "Milo Reyes is the acting head of Tarn Works.").scope == ("acting",)
    assert only(extractor, "The night ferry carries 40 cars in winter.").scope == ("cars", "in winter")


def test_a_value_of_another_type_does_not_get_the_predicate(extractor: Extractor) -> None:
    assert keys(extractor, "The night ferry carries mail.") == [("night ferry", "carry", "mail")]
    assert keys(extractor, "The Boarding App works for two hours.") == [("Boarding App", "work for", "two hours")]


def test_it_is_what_the_sentence_before_speaks_of(extractor: Extractor) -> None:
    text = "The night ferry carries 90 cars. It calls at nine quays."
    (facts,) = extractor.extract([text])
    assert [(fact.subject, fact.object) for fact in facts] == [("night ferry", "90 cars"), ("night ferry", "nine quays")]
    assert facts[1].text == "Night ferry calls at nine quays."
    assert text[facts[1].start : facts[1].end] == "calls at nine quays"
    assert keys(extractor, "Look here. It calls at nine quays.") == []


def test_she_is_the_person_before(spacy: Extractor) -> None:
    assert keys(spacy, "Orla Finch heads Tarn Works. She chairs the Dock Board.") == [
        ("Tarn Works", "headed by", "Orla Finch"),
        ("Dock Board", "chaired by", "Orla Finch"),
    ]
    alone = only(spacy, "She chairs the Dock Board.")
    assert (alone.subject, alone.confidence < 0.85) == (SELF, True)


def test_the_bridge_is_the_one_that_was_named(extractor: Extractor) -> None:
    assert keys(extractor, "The Basin Bridge is 34 m long. The bridge is operated by the Gate Crew.")[1] == (
        "Basin Bridge",
        "operated by",
        "Gate Crew",
    )
    assert keys(extractor, "Quay One is a pier. The pier is 4 m wide.")[1] == ("Quay One", "width", "4 m")
    assert keys(extractor, "The Old Bridge is 3 m wide. The New Bridge is 4 m wide. The bridge is 9 m long.")[2][0] == "bridge"


def test_its_belongs_to_it(spacy: Extractor) -> None:
    assert keys(spacy, "Gull Point lies in North Bay. Its length is 40 m.")[1] == ("Gull Point", "length", "40 m")
    assert keys(spacy, "Its length is 40 m.") == [(SELF, "length", "40 m")]


def test_appositions_and_asides_are_facts_too(spacy: Extractor) -> None:
    (facts,) = spacy.extract(["Alice Chen (CEO of Acme) joined Beta Labs."])
    assert [(fact.subject, fact.predicate, fact.object) for fact in facts] == [("Alice Chen", "joins", "Beta Labs"), ("Acme", "ceo", "Alice Chen")]
    assert facts[1].text == "Alice Chen is CEO of Acme."
    assert keys(spacy, "Tarn Works, which is based in Oslo, employs 45 people.") == [
        ("Tarn Works", "based in", "Oslo"),
        ("Tarn Works", "employs", "45 people"),
    ]


def test_what_stopped_is_denied_from_its_date(spacy: Extractor) -> None:
    fact = only(spacy, "The billing service stopped using Redis in 2021.")
    assert (fact.predicate, fact.object, fact.negated, fact.dates) == ("uses", "Redis", True, Dates(iso("2021")))
    assert fact.text == "The billing service stopped using Redis in 2021."


def test_kinds_and_mentions_follow_the_statement(extractor: Extractor) -> None:
    assert only(extractor, "Beta Labs is a startup.").kind is FactKind.DEFINITION
    assert only(extractor, "The North Lock was built in 1887.").kind is FactKind.EVENT
    assert only(extractor, "The sea lock is 6 m wide.").kind is FactKind.ATTRIBUTE
    fact = only(extractor, "Ines Vale maintains the tarn-tools repository of Tarn Works.")
    assert (fact.kind, fact.mentions) == (FactKind.RELATION, ("Ines Vale", "tarn-tools repository of Tarn Works", "Tarn Works"))
    assert only(extractor, "Pellness Pier is owned by the Town of Pellness.").mentions == ("Pellness Pier", "Town of Pellness", "Pellness")


def test_a_denial_covers_its_own_verb_and_limits_make_it_weak(spacy: Extractor) -> None:
    (facts,) = spacy.extract(["The service does not depend on Redis and uses Kafka."])
    assert [(fact.predicate, fact.negated) for fact in facts] == [("depends on", True), ("uses", False)]
    (weak,) = spacy.extract(["Tarrick Jetty has no light after midnight."])
    assert [(fact.object, fact.negated, fact.confidence) for fact in weak] == [("light", True, 0.7)]


def test_who_was_appointed_holds_the_role_and_what_was_named_has_the_name(spacy: Extractor) -> None:
    assert keys(spacy, "Milo Reyes was appointed CEO of Tarn Works in 2020.") == [("Tarn Works", "ceo", "Milo Reyes")]
    assert keys(spacy, "The quay was named Orla Pier in 2020.") == [("quay", "named", "Orla Pier")]


def test_what_has_been_so_is_so(extractor: Extractor) -> None:
    fact = only(extractor, "The gate has been operated by Tarn Works since 2020.")
    assert (fact.predicate, fact.object, fact.dates) == ("operated by", "Tarn Works", Dates(iso("2020")))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ines Vale holds the position of envoy of Norland to Tarrick from Jan, 1950 to Jan, 1953.", "envoy of Norland to Tarrick"),
        ("Ines Vale held the office of Member of the 4th Council of the Republic of Tarn.", "Member of the 4th Council of the Republic of Tarn"),
        ("Ines Vale occupies the post of the treasurer.", "treasurer"),
    ],
)
def test_a_post_keeps_what_tells_it_from_others(spacy: Extractor, text: str, value: str) -> None:
    fact = only(spacy, text)
    assert (fact.subject, fact.predicate, fact.object) == ("Ines Vale", "position", value)


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("Milo Reyes works for National Centre for Tidal Research.", ["National Centre for Tidal Research"]),
        ("Milo Reyes works for University of Tarn at Pellness.", ["University of Tarn at Pellness"]),
        ("Milo Reyes works for Tarn Works at Pellness.", ["Tarn Works", "Pellness"]),
        ("Milo Reyes works for Harbour College in Pellness.", ["Harbour College", "Pellness"]),
    ],
)
def test_an_institution_keeps_what_it_is_for(spacy: Extractor, text: str, objects: list[str]) -> None:
    assert [value for _, _, value in keys(spacy, text)] == objects


def test_a_value_is_tried_against_the_declared_type() -> None:
    version, word = Phrase("3.12.1", (0,), 0, None, ()), Phrase("Tarn Works", (0,), 0, None, ())
    kinds = ("name", "quantity", "number", "date", "version", "boolean", "text", "any")
    assert [version.fits(kind) for kind in kinds] == [False, False, True, False, True, True, True, True]
    assert [word.fits(kind) for kind in kinds] == [True, False, False, False, False, False, True, True]


PARAGRAPH = (
    "The Silver Heron is the flagship of the Merrow Line. The Silver Heron was built in 2009 and carries 84 cars. "
    "Its length is 62 m. The master of the Silver Heron is Gudrun Ashby. Since 2024-05-01 the ship is maintained by the Engine Shop."
)


def test_a_paragraph_gives_three_to_eight_facts_in_the_order_of_its_text_with_their_words_in_the_span(spacy: Extractor) -> None:
    (facts,) = spacy.extract([PARAGRAPH])
    assert 3 <= len(facts) <= 8
    for fact in facts:
        span = PARAGRAPH[fact.start : fact.end]
        assert all(word in span for word in fact.object.split())
        assert set(fact.text.strip(".").split()) - set(span.strip(".").split()) <= {*fact.subject.split(), "The"}


def test_blocks_are_read_alone_and_answers_do_not_depend_on_the_batch(extractor: Extractor) -> None:
    texts = [text for text, _ in PLAIN]
    assert extractor.extract(texts) == [extractor.extract([text])[0] for text in texts]


def test_the_fingerprint_changes_with_the_vocabulary_and_the_engine() -> None:
    prints = {made("patterns").fingerprint, made("spacy").fingerprint, PatternExtractor(type(VOCABULARY)(version="x")).fingerprint}
    assert len(prints) == 3


# Grammar, each rule in sentences of its own.

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
