"""Hostile and extreme bodies: bounded work, no character that the body itself may not hold, no error but BadReading."""

import json
import time
from decimal import Context, Decimal

import pysbd
import pytest

import derive.text
from derive.dates.time import bind, whole_moment
from derive.markup.frontmatter import front_matter
from derive.markup.markdown import markdown_tree
from derive.reading import parsed, reading_of
from derive.text import normalise, sentences
from derive.units import LONGEST
from derive.values import value_of
from schemas.errors import BadReading
from schemas.fact import Period, Relative
from schemas.instant import DAY, Instant
from schemas.value import ValueKind
from schemas.version import Reading
from schemas.vocabulary import shipped

VOCABULARY = shipped()


def reading(body: str) -> Reading:
    found = parsed(body, "text/markdown", VOCABULARY)
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def bomb(first: str, more: str) -> str:
    lines = [f"a0: &a0 {first}", *(f"a{n}: &a{n} " + more.format(n=n - 1) for n in range(1, 9))]
    return "---\n" + "\n".join(lines) + "\n---\ntext"


LISTS = bomb("[lol, lol, lol, lol, lol, lol, lol, lol, lol]", "[" + ", ".join(["*a{n}"] * 9) + "]")
MAPPINGS = bomb("{x: lol}", "{{" + ", ".join(f"k{k}: *a{{n}}" for k in range(9)) + "}}")
RECORDS = bomb("[{x: lol}]", "[" + ", ".join(["{{y: *a{n}}}"] * 9) + "]")
MERGES = bomb("{x: lol}", "{{<<: [" + ", ".join(["*a{n}"] * 9) + "]}}")
LONG_TEXT = f"---\na: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 200)}]\n---\ntext"
LONG_LABEL = f"---\n{'x' * 1000}: {{a: 1, b: {{{', '.join(f'k{n}: 1' for n in range(9000))}}}}}\n---\ntext"


@pytest.mark.parametrize("body", [LISTS, MAPPINGS, RECORDS, MERGES, LONG_TEXT, LONG_LABEL, "---\na: &a [*a]\n---\n", "---\na: &a {b: *a}\n---\n"])
def test_aliases_that_name_more_than_the_body_holds_are_refused_with_the_limit(body: str) -> None:
    with pytest.raises(BadReading, match=r"front matter: (more than 50,000 nodes|maximum recursion)"):
        front_matter(body, VOCABULARY)


def test_aliases_and_merge_keys_within_the_limit_are_followed() -> None:
    body = "---\nx: &x {owner: Ilse Brandt, port: 1}\ny: &y {port: 2, crane: 7}\nz:\n  <<: [*x, *y]\n  crane: 8\nw: {<<: *y}\n---\n"
    texts = [block.text for block in front_matter(body, VOCABULARY).blocks]
    assert "z: port is 1; crane is 8; owner is Ilse Brandt" in texts
    assert "w: port is 2; crane is 7" in texts


def test_lists_and_records_inside_lists_are_values_of_their_own() -> None:
    front = front_matter("---\ncrew: [[Ilse, Marek], [Tove, {deck: 3}]]\ntitle: {en: Quay}\n---\n", VOCABULARY)
    assert front.blocks[0].text == "crew: Ilse\ncrew: Marek\ncrew: Tove\ncrew: deck: 3"
    assert front.title == "en: Quay"


@pytest.mark.parametrize("value", ["!!bool maybe", "!!timestamp soon", "!!float ''", "{<<: 3}", "{<<: [3]}"])
def test_values_that_the_yaml_loader_fails_on_are_a_bad_reading(value: str) -> None:
    with pytest.raises(BadReading, match="front matter: "):
        front_matter(f"---\na: {value}\n---\n", VOCABULARY)


def test_of_many_aliases_the_first_hundred_count() -> None:
    names = [f"Berth {number}" for number in range(150)]
    assert front_matter(f"---\naliases: {json.dumps(names)}\n---\n", VOCABULARY).aliases == tuple(names[:100])


def test_numbers_in_front_matter_keep_all_their_digits() -> None:
    whole, part = "1" * 5000, "0.12345678901234567890123"
    body = f"---\na: {whole}\nb: {part}\nc: 12\n---\n"
    assert front_matter(body, VOCABULARY).blocks[0].text == f"a: {whole}\nb: {part}\nc: 12"


def test_control_characters_of_escapes_reach_no_name_value_or_title() -> None:
    hostile = r'"\x01\x02\0\e]0;pier\a\x9b"'
    body = f"---\ntitle: {hostile}\naliases: [{hostile}]\n{hostile}: {hostile}\nships:\n- name: {hostile}\n  {hostile}: {hostile}\n---\n"
    read = reading(body)
    assert read.title == "]0;pier"
    assert read.aliases == ("]0;pier",)
    said = [read.title, *read.aliases]
    for unit in read.units:
        said.append(unit.text)
        for fact in unit.facts:
            said += [fact.text, fact.predicate, fact.object, *fact.scope]
    assert all(part == normalise(part) for part in said)


def test_control_characters_of_encoded_addresses_reach_no_text() -> None:
    (block,) = markdown_tree("See <https://quay.example/%01%02%1b> now", VOCABULARY).blocks
    assert block.text == "See https://quay.example/ now"


@pytest.mark.parametrize(
    ("text", "first", "length"),
    [("9999", "9999-01-01", 365), ("9999-12", "9999-12-01", 31), ("9999-12-31", "9999-12-31", 1)],
)
def test_the_last_days_of_the_calendar_are_dates_with_an_end(text: str, first: str, length: int) -> None:
    moment = whole_moment(text)
    start = whole_moment(first)
    assert isinstance(start, Period)
    assert isinstance(moment, Period)
    assert moment == Period(start.first, Instant(start.first + length * DAY))


@pytest.mark.parametrize("text", ["9999", "9999-12", "9999-12-31", "0000", "0000-01", "9999-13"])
@pytest.mark.parametrize(
    "body", ["---\nvalid until: {0}\nport: 4\n---\n", "| Port | Valid until |\n|---|---|\n| 4 | {0} |\n", "- **Valid until:** {0}\n"]
)
def test_a_bound_at_the_calendars_end_is_read(text: str, body: str) -> None:
    assert reading(body.format(text)).units


def test_today_is_a_day_on_the_last_day_of_the_calendar() -> None:
    last = whole_moment("9999-12-31")
    assert isinstance(last, Period)
    assert bind(Relative("today"), last.first) == last


class Counting(pysbd.Segmenter):  # type: ignore[misc]
    """pysbd with a count of the characters that it is given."""

    longest = 0
    total = 0

    def processor(self, text: str) -> object:
        Counting.longest = max(Counting.longest, len(text))
        Counting.total += len(text)
        return super().processor(text)


@pytest.mark.parametrize("text", ["He came. " * 1500, "He came. " + "word " * 3000, "He said so to her at the quay in the rain. " * 300])
def test_long_paragraphs_are_segmented_in_windows(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(derive.text, "_SEGMENTER", Counting(language="en", clean=False, char_span=True))
    Counting.longest = Counting.total = 0
    spans = sentences(text)
    assert Counting.longest <= 4000
    assert Counting.total <= 2 * len(text)
    assert [text[start:end] for start, end in spans] == [part.strip() for part in text.replace(". ", ".\n").split("\n") if part.strip()]


@pytest.mark.parametrize(("piece", "media_type"), [(".. a::\n", "text/plain"), ("a. ", "text/plain"), ("A: b\n", "text/plain"), ("*", "text/x-wiki")])
def test_bodies_of_one_short_piece_take_time_that_grows_with_them_only(piece: str, media_type: str) -> None:
    begun = time.process_time()
    found = parsed(piece * (500_000 // len(piece)), media_type, VOCABULARY)
    reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<div>a" + "<" * 9, "a<<<<<<<<<"),
        ("<div>a" + "<!--" * 3, "a<!--<!--<!--"),
        ("<div>a<!-- b > c -->d<!-- e >f", "ad f"),
        ("<div>a<!-->b-->c", "ac"),
        ("due ~~May~~ June, ~5 m", "due May June, ~5 m"),
        ("<div>a < b <i>c</i>", "a c"),
    ],
)
def test_tags_and_comments_are_cut_from_html(body: str, text: str) -> None:
    (block,) = markdown_tree(body, VOCABULARY).blocks
    assert block.text.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("unit", ["word ", "a\n", "He came. ", "<!--", "# a\n\nb\n\n", "<"])
def test_text_that_repeats_is_read_whole_in_bounded_units(unit: str) -> None:
    read = reading("<div>\n\n" + unit * 3000)
    assert all(len(found.text) <= LONGEST for found in read.units)
    if unit.strip().isalpha():
        assert sum(found.text.count(unit.strip()) for found in read.units) == 3000


@pytest.mark.parametrize("digits", [28, 29, 60, 10_000])
def test_numbers_are_exact_whatever_their_length(digits: int) -> None:
    number = "9" * (digits - 1) + "8"
    assert value_of(number).normal == number
    assert value_of(f"{number}.50 kg") == value_of(f"{number}.5 kg") or digits == 10_000
    assert value_of(f"0.{number[:-1]}") != value_of(f"0.{number[:-1][:-1]}1")
    assert Decimal(value_of(f"{number} barges").normal.removesuffix(" barge")) == Decimal(number)
    assert Decimal(value_of(f"{number} lb").normal.removesuffix(" kg")) == Context(prec=20_000).multiply(Decimal(number), Decimal("0.45359237"))


def test_a_figure_of_more_than_ten_thousand_digits_is_a_text() -> None:
    assert value_of("7" * 10_001).kind is ValueKind.TEXT
