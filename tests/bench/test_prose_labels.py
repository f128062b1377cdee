"""The labels of the prose bench: enough of them, evenly split, grounded in their texts, and refused where they are wrong."""

from collections import Counter
from pathlib import Path

import pytest

from bench.support.labels import DOMAINS, FOLDER, HELD, LANGUAGES, TAGS, TUNE, BadLabels, Sentence, labels

LABELS = labels()
GOOD = """
[[sentence]]
id = "law-en-01"
tags = ["active"]
text = "Act 2 repeals Act 1."
facts = [{ subject = "Act 2", predicate = "repeals", object = "Act 1", start = "" }]
"""


def refusal(folder: Path, text: str) -> str:
    (folder / "law.en.toml").write_text(text, "utf-8")
    with pytest.raises(BadLabels) as caught:
        labels(folder)
    return str(caught.value)


def test_there_are_two_hundred_sentences_a_third_of_them_chinese_and_thirty_five_state_nothing() -> None:
    languages = Counter(sentence.language for sentence in LABELS)
    assert len(LABELS) >= 200
    assert languages["en"] >= 130
    assert languages["zh"] >= 70
    assert sum(not sentence.facts for sentence in LABELS) >= 35


def test_every_domain_and_language_has_its_file_and_both_halves_hold_equally_many_of_each() -> None:
    shares = Counter[tuple[str, str, str]]((sentence.domain, sentence.language, sentence.half) for sentence in LABELS)
    assert {path.name for path in FOLDER.iterdir()} == {f"{domain}.{language}.toml" for domain in DOMAINS for language in LANGUAGES}
    for domain in DOMAINS:
        for language in LANGUAGES:
            assert shares[domain, language, TUNE] == shares[domain, language, HELD] > 0


def test_both_halves_expect_about_as_many_facts_and_refuse_about_as_many_sentences() -> None:
    expected = Counter[str]()
    empty = Counter[str]()
    for sentence in LABELS:
        expected[sentence.half] += sum(not fact.optional for fact in sentence.facts)
        empty[sentence.half] += not sentence.facts
    for counts in (expected, empty):
        assert abs(counts[TUNE] - counts[HELD]) <= 0.15 * counts.total()


def test_every_phenomenon_is_there_and_what_occurs_often_occurs_in_both_halves() -> None:
    tags = Counter(tag for sentence in LABELS for tag in sentence.tags)
    assert tags.keys() == TAGS
    halves = {(tag, sentence.half) for sentence in LABELS for tag in sentence.tags}
    assert [tag for tag, count in tags.items() if count > 3 and not {(tag, TUNE), (tag, HELD)} <= halves] == []


def test_ids_and_texts_are_unique() -> None:
    assert len({sentence.id for sentence in LABELS}) == len(LABELS)
    assert len({sentence.text for sentence in LABELS}) == len(LABELS)


@pytest.mark.parametrize("sentence", LABELS, ids=lambda sentence: sentence.id)
def test_subject_and_object_of_every_fact_stand_in_the_text_or_in_the_title(sentence: Sentence) -> None:
    said = f"{sentence.title} {sentence.text}".casefold()
    for fact in (*sentence.facts, *sentence.unsaid):
        assert fact.subject[0].casefold() in said
        assert fact.object[0].casefold() in said


def test_a_good_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "law.en.toml").write_text(GOOD, "utf-8")
    (sentence,) = labels(tmp_path)
    assert (sentence.domain, sentence.language, sentence.half, sentence.asserts) == ("law", "en", TUNE, True)
    assert sentence.facts[0].subject == ("Act 2",)


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ('object = "Act 1"', 'object = "Act 3"', "'Act 3' is neither in the text nor in the title"),
        ('subject = "Act 2"', 'subject = "The Board"', "'The Board' is neither"),
        ('subject = "Act 2"', "subject = []", "subject"),
        ('start = ""', 'start = "soon"', "start"),
        ('start = ""', "negated = true, ended = true", "ended"),
        ('start = ""', 'either = "a"', "only one fact has either = 'a'"),
        ('start = ""', "sure = true", "sure"),
        ('["active"]', '["brisk"]', "unknown tags brisk"),
        ('tags = ["active"]', 'tags = ["active"]\ndate = "today"', "date"),
        ("law-en-01", "law-en-02", "the id must be law-en-01"),
        ('text = "Act 2 repeals Act 1."', 'text = ""', "text"),
        ("[[sentence]]", "[sentence", "no TOML"),
    ],
)
def test_a_bad_entry_is_refused_with_its_id_and_the_reason(tmp_path: Path, right: str, wrong: str, complaint: str) -> None:
    assert right in GOOD
    said = refusal(tmp_path, GOOD.replace(right, wrong))
    assert complaint in said
    assert "law.en.toml" in said
    assert "law-en-0" in said or "no TOML" in said


def test_the_same_id_twice_is_refused(tmp_path: Path) -> None:
    assert "the id must be law-en-02" in refusal(tmp_path, GOOD + GOOD)


def test_a_folder_without_sentences_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLabels, match="no sentences"):
        labels(tmp_path)
