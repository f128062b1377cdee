"""Facts from structure: exact predicates, scopes, validity, and a text that reads by itself."""

import pytest

from derive.dates.time import whole_moment
from derive.reading import parsed, reading_of
from schemas.fact import SELF, Dates, Fact, FactKind
from schemas.vocabulary import shipped

VOCABULARY = shipped()


def facts(body: str, media_type: str = "text/markdown") -> list[Fact]:
    found = parsed(body, media_type, VOCABULARY)
    read = reading_of(found, {key: () for key in found.keys if key is not None}, VOCABULARY)
    for unit in read.units:
        assert all(unit.text[fact.start : fact.end] in fact.text for fact in unit.facts)
    return [fact for unit in read.units for fact in unit.facts]


def keys(body: str, media_type: str = "text/markdown") -> list[tuple[str, tuple[str, ...], str, str]]:
    return [(fact.subject, fact.scope, fact.predicate, fact.object) for fact in facts(body, media_type)]


CYCLES = """---
title: Tarn OS
category: os
releases:
- releaseCycle: "3.12"
  releaseDate: 2023-10-02
  latest: "3.12.0"
  lts: true
- cycle: 4
  release: 2024-01-01
  eol: false
---
"""


def test_nested_records_state_facts_of_the_document_under_the_path_of_the_data() -> None:
    assert keys(CYCLES) == [
        (SELF, (), "category", "os"),
        (SELF, ("releases", "3.12"), "release date", "2023-10-02"),
        (SELF, ("releases", "3.12"), "latest", "3.12.0"),
        (SELF, ("releases", "3.12"), "lts", "True"),
        (SELF, ("releases", "4"), "release", "2024-01-01"),
        (SELF, ("releases", "4"), "eol", "False"),
    ]


def test_a_structural_fact_reads_by_itself_without_the_title() -> None:
    texts = [fact.text for fact in facts(CYCLES)]
    assert texts[0] == "category: os"
    assert texts[1:3] == ["release 3.12: release date is 2023-10-02", "release 3.12: latest is 3.12.0"]
    assert {(fact.confidence, fact.structural) for fact in facts(CYCLES)} == {(0.99, True)}


def test_deeper_data_has_deeper_scopes_and_mappings_of_records_are_records_too() -> None:
    body = """---
services:
  billing:
    owner: Dana Reyes
    ports:
    - name: http
      number: 8080
releases:
  '3.7':
    latest: 3.7.3
---
"""
    assert keys(body) == [
        (SELF, ("services", "billing"), "owner", "Dana Reyes"),
        (SELF, ("services", "billing", "ports", "http"), "number", "8080"),
        (SELF, ("releases", "3.7"), "latest", "3.7.3"),
    ]
    assert [fact.text for fact in facts(body)][2] == "releases 3.7: latest is 3.7.3"


def test_records_without_a_key_are_told_apart_by_their_first_value() -> None:
    assert keys("---\nidentifiers:\n- purl: pkg:a\n- purl: pkg:b\nsteps:\n- on: quay\n  do: look\n- plain\n---\n") == [
        (SELF, ("identifiers",), "purl", "pkg:a"),
        (SELF, ("identifiers",), "purl", "pkg:b"),
        (SELF, ("steps", "quay"), "do", "look"),
        (SELF, (), "steps", "plain"),
    ]


def test_a_record_that_is_only_its_key_is_a_value_of_the_list() -> None:
    assert keys("---\nmembers:\n- name: Orla Finch\n- name: Ines Vale\n---\n") == [
        (SELF, ("members", "Orla Finch"), "name", "Orla Finch"),
        (SELF, ("members", "Ines Vale"), "name", "Ines Vale"),
    ]


def test_of_a_repeated_field_the_last_counts_and_merged_fields_count_too() -> None:
    assert keys("---\nowner: A Firm\nowner: B Firm\n---\n") == [(SELF, (), "owner", "B Firm")]
    assert set(keys("---\nbase: &b\n  latest: 1.2\nthis:\n  <<: *b\n  eol: 2030-01-01\n---\n")[1:]) == {
        (SELF, ("this",), "eol", "2030-01-01"),
        (SELF, ("this",), "latest", "1.2"),
    }


def test_fields_that_bound_a_record_give_its_facts_their_validity() -> None:
    body = "---\nheads:\n- name: Tarn Works\n  head: Orla Finch\n  from: 2023-05-01\n  until: 2024-01\n- name: Dock\n  since: 2020\n---\n"
    found = facts(body)
    assert [(fact.predicate, fact.dates) for fact in found] == [
        ("headed by", Dates(whole_moment("2023-05-01"), whole_moment("2024-01"))),
        ("since", Dates(whole_moment("2020"), None)),
    ]


TABLE = """| Service | Owner | Since |
| --- | --- | --- |
| Billing | Dana Reyes | 2024-02-01 |
| Search | - | |
"""


def test_a_row_speaks_of_what_its_first_cell_names() -> None:
    found = facts(TABLE)
    assert [(fact.subject, fact.predicate, fact.object, fact.scope) for fact in found] == [("Billing", "owner", "Dana Reyes", ())]
    assert found[0].dates == Dates(whole_moment("2024-02-01"))
    assert found[0].mentions == ("Billing", "Dana Reyes")
    assert found[0].text == "Billing: Owner is Dana Reyes"


def test_a_row_that_a_figure_names_speaks_of_the_document_under_that_figure() -> None:
    assert keys("| Version | Latest |\n|---|---|\n| 3.12 | 3.12.1 |") == [(SELF, ("Version", "3.12"), "latest", "3.12.1")]


def test_a_table_of_keys_and_values_speaks_of_the_document() -> None:
    assert keys("## Facts\n\n| Field | Value |\n|---|---|\n| Port | 8080 |\n| Owner | Dana Reyes |") == [
        (SELF, (), "listens on", "8080"),
        (SELF, (), "owner", "Dana Reyes"),
    ]


def test_key_value_lines_speak_of_the_document() -> None:
    assert keys("- **Owner:** Dana Reyes\n- **Status**: active\n- State: closed\n\n**Priority:** high\n**Type:** bug") == [
        (SELF, (), "owner", "Dana Reyes"),
        (SELF, (), "status", "active"),
        (SELF, (), "state", "closed"),
        (SELF, (), "priority", "high"),
        (SELF, (), "type", "bug"),
    ]


def test_a_schedule_names_its_dates_by_version_and_a_bare_number_names_nothing() -> None:
    assert keys("- 2.0 final: Monday, 2031-03-03\n- 12: thirteen") == [(SELF, (), "2.0 final", "Monday, 2031-03-03")]


@pytest.mark.parametrize("line", ["2.7.18 2031-04-18", "2.7.18, 2031-04-18", "2.7.18 release candidate 2031-04-18", "v2.7.18rc1 2031-04"])
def test_an_edition_with_its_date_is_a_key_and_a_value(line: str) -> None:
    edition, _, date = line.rpartition(" ")
    assert keys(f"- {line}") == [(SELF, (), edition.removesuffix(","), date)]


@pytest.mark.parametrize(
    "line", ["2.7.18 is out since 2031-04-18.", "2031-04-18 2.7.18", "2 2031-04-18", "2.7.18 was the last one before 2031-04-18"]
)
def test_other_lines_with_a_date_are_no_editions(line: str) -> None:
    assert keys(f"- {line}") == []


def test_key_value_lines_of_several_sections_do_not_contradict_each_other() -> None:
    body = "## Billing\n\n- Owner: Dana Reyes\n\n## Search\n\n- Owner: Milo Reyes\n- Status: new\n"
    assert keys(body) == [
        (SELF, ("Billing",), "owner", "Dana Reyes"),
        (SELF, ("Search",), "owner", "Milo Reyes"),
        (SELF, (), "status", "new"),
    ]


@pytest.mark.parametrize("line", ["- Note: the pump must run every night.", "- Then: go. And come back.", "- see https://example.org: it is there"])
def test_prose_behind_a_colon_is_no_value(line: str) -> None:
    assert facts(line) == []


def test_headers_of_a_ticket_speak_of_the_ticket() -> None:
    assert keys("Title: Crane\nStatus: open\nAssignee: Dana Reyes\n\nText.", "text/plain") == [
        (SELF, (), "title", "Crane"),
        (SELF, (), "status", "open"),
        (SELF, (), "assignee", "Dana Reyes"),
    ]


def test_names_are_mentioned_and_words_and_figures_are_not() -> None:
    found = {
        fact.predicate: (fact.mentions, fact.kind)
        for fact in facts("---\nowner: Dana Reyes\ncategory: os\ncity: Oslo\nlatest: 1.2.3\nlink: http://x.y\n---\n")
    }
    assert found == {
        "owner": (("Dana Reyes",), FactKind.RELATION),
        "category": ((), FactKind.ATTRIBUTE),
        "city": (("Oslo",), FactKind.RELATION),
        "latest": ((), FactKind.ATTRIBUTE),
        "link": ((), FactKind.ATTRIBUTE),
    }


def test_a_value_too_long_to_compare_is_text_only() -> None:
    assert keys(f"---\nsummary: {'long ' * 60}\nowner: A Firm\n---\n") == [(SELF, (), "owner", "A Firm")]


def test_a_value_that_says_nothing_is_no_line_of_the_record() -> None:
    found = parsed("---\nowner: n/a\nlead: Dana Reyes\n---\n\nThe crew.\n", "text/markdown", VOCABULARY)
    assert [block.text for block in found.blocks] == ["lead: Dana Reyes", "The crew."]
