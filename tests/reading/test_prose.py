"""Facts from prose: what sentences say, with and without a model."""

from functools import cache

import pytest

from connectors.extractor import Extractor, PatternExtractor
from connectors.spacy_extractor import SpacyExtractor
from derive.dates.time import iso_moment as iso
from derive.dates.timing import SPOKEN
from derive.prose.phrases import Phrase
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
