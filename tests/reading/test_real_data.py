"""Reading on real histories: front matter of release cycles against the gold, headers of proposals, a large guide."""

import csv
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from connectors.spacy_extractor import SpacyExtractor
from derive.reading import parsed, reading_of
from derive.text import normalise
from derive.tree import BlockKind
from derive.units import LONGEST
from schemas.errors import BadReading
from schemas.fact import SELF
from schemas.version import Reading
from schemas.vocabulary import shipped

STREAMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "streams"
VOCABULARY = shipped()
FIELDS = {VOCABULARY.canonical(name): name for name in ("latest", "eol", "releaseDate", "release", "support", "eoas", "lts", "discontinued")}

pytestmark = pytest.mark.skipif(not STREAMS.is_dir(), reason="the shared change histories are not beside this checkout")


def rows(name: str, every: int) -> Iterator[dict[str, str]]:
    with lzma.open(STREAMS / name, "rt", encoding="utf8") as lines:
        for number, line in enumerate(lines):
            if number % every == 0:
                yield json.loads(line)


def reading(body: str, media_type: str) -> Reading:
    found = parsed(body, media_type, VOCABULARY)
    return reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)


def gold() -> dict[str, list[tuple[str, str, str, datetime, datetime | None]]]:
    found = defaultdict(list)
    with lzma.open(STREAMS / "endoflife-fact-intervals.csv.xz", "rt", encoding="utf8", newline="") as lines:
        for row in csv.DictReader(lines):
            end = datetime.fromisoformat(row["observed_to"]) if row["observed_to"] else None
            found[row["product"]].append(
                (row["release_cycle"], row["field"], row["value"].strip(), datetime.fromisoformat(row["observed_from"]), end)
            )
    return found


def test_facts_of_release_cycles_are_those_of_the_gold_at_their_revision() -> None:
    """Left out as the gold says: `releases` as a mapping, broken YAML, and revisions that share their time with another one."""
    wanted, checked = gold(), 0
    for row in rows("endoflife-products.jsonl.xz", 37):
        at = datetime.fromisoformat(row["commit_date"])
        if re.search(r"^releases:\s*\n\s+['\"\w.]+[^\n]*:\s*\n", row["text"], re.MULTILINE) and not re.search(
            r"^\s*-\s+(?:releaseC|c)ycle", row["text"], re.MULTILINE
        ):
            continue
        try:
            read = reading(row["text"], "text/markdown")
        except BadReading:
            continue
        stated = {
            (fact.scope[1], FIELDS[fact.predicate]): fact.object
            for unit in read.units
            for fact in unit.facts
            if fact.subject == SELF and fact.scope[:1] == ("releases",) and fact.predicate in FIELDS
        }
        valid = {(cycle, field): value for cycle, field, value, start, end in wanted[row["doc_id"]] if start <= at and (end is None or at < end)}
        if any(at in (start, end) for *_, start, end in wanted[row["doc_id"]]) and stated != valid:
            continue  # two revisions of one second: the gold holds the later one
        assert stated == valid, (row["doc_id"], row["commit_date"])
        checked += 1
    assert checked > 100


def test_headers_of_proposals_are_read_field_by_field() -> None:
    checked = 0
    for row in rows("peps-headers.jsonl.xz", 61):
        if row["op"] == "D" or not row.get("header"):
            continue
        read = reading(row["header"] + "\n\nAbstract\n========\n\nText.\n", "text/x-rst")
        facts = {fact.predicate: fact.object for unit in read.units for fact in unit.facts}
        for key in ("Status", "Type"):
            line = re.search(rf"^{key}:[ \t]*(\S[^\n]*)$", row["header"], re.MULTILINE)
            if line:
                assert facts[key.casefold()] == line[1].strip(), row["path"]
                checked += 1
        title = re.search(r"^Title:[ \t]*(\S[^\n]*(?:\n[ \t]+[^\n]+)*)", row["header"], re.MULTILINE)
        assert title is None or read.title == " ".join(re.sub(r"\\(?=\W)|``", "", title[1]).split())
    assert checked > 150


@pytest.mark.parametrize(("name", "every"), [("devguide.jsonl.xz", 101), ("peps-bodies.jsonl.xz", 211)])
def test_a_guide_of_years_is_read_into_units_that_hold_its_words_at_their_place(name: str, every: int) -> None:
    for row in rows(name, every):
        if row["op"] == "D":
            continue
        media_type = "text/x-rst" if row["path"].endswith((".rst", ".txt")) else "text/markdown"
        read = reading(row["body"], media_type)
        source = normalise(row["body"])
        rows_of_tables = {block.text for block in parsed(row["body"], media_type, VOCABULARY).blocks if block.kind is BlockKind.ROW}
        assert read.units or not source
        for unit in read.units:
            assert len(unit.text) <= 2 * LONGEST
            place = set(re.findall(r"[^\W_]+", source[unit.start : unit.end]))
            said = (line for line in unit.text.split("\n") if line not in rows_of_tables)  # a row repeats the headers above it
            lines = [line for line in said if not line.endswith(":")]  # a list that goes on repeats its lead-in
            words = re.findall(r"[^\W_]+", " ".join(lines))
            assert sum(word in place for word in words) >= 0.9 * len(words), (row["path"], unit.text[:80])


def test_facts_of_wild_prose_stand_where_they_say_and_are_neither_empty_nor_many() -> None:
    with lzma.open(STREAMS.parent / "qa" / "musique_train_corpus.json.xz", "rt", encoding="utf8") as file:
        passages = [" ".join(entry["text"].split()) for entry in json.load(file)[::19]]
    drawn = SpacyExtractor(VOCABULARY).extract(passages)
    for passage, facts in zip(passages, drawn, strict=True):
        for fact in facts:
            assert 0 <= fact.start < fact.end <= len(passage)
            assert fact.subject
            assert fact.predicate
            assert any(name.split()[-1] in passage[fact.start : fact.end] for name in (fact.object, fact.subject))
            assert 0.6 <= fact.confidence <= 0.99
    assert 2 <= sum(map(len, drawn)) / len(passages) <= 8
