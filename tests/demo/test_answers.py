"""The demo's answers are right, and follow the documents when these are edited."""

import shutil
from pathlib import Path

import pytest

from flows.demo.answers import Answer, bridge_of
from schemas.record import Status
from tests.demo.town import Town

pytestmark = pytest.mark.timeout(300)  # the language model is loaded and 200 changes are read, on a machine that may be busy
ROOT = Path(__file__).resolve().parents[2] / "demo"


@pytest.fixture(scope="module")
def town() -> Town:
    return Town()


@pytest.fixture(scope="module")
def answers(town: Town, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    return town.answers(ROOT, tmp_path_factory.mktemp("town"))


def edited(into: Path, *pages: str, edit: tuple[str, str, str]) -> Path:
    """Return a folder with the questions and some pages, of which the first is edited."""
    (into / "wiki").mkdir()
    shutil.copy(ROOT / "questions.toml", into)
    for page in pages:
        shutil.copy(ROOT / "wiki" / f"{page}.md", into / "wiki")
    page, before, after = edit
    file = into / "wiki" / f"{page}.md"
    assert before in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(before, after), "utf-8")
    return into


def said(answer: Answer) -> str:
    return "\n".join(f"{hit.status} {hit.record.text}" for hit in answer.hits)


def test_every_answer_is_as_expected(answers: dict[str, Answer]) -> None:
    assert {topic: answer.differences for topic, answer in answers.items() if answer.differences} == {}
    assert len(answers) >= 6


def test_every_hit_names_a_document_and_its_words(answers: dict[str, Answer]) -> None:
    for answer in answers.values():
        for quotes in answer.quotes:
            assert quotes
            assert {quote.support.source for quote in quotes} <= {"wiki", "tickets"}
            assert all(quote.words for quote in quotes)


def test_the_bridge_that_is_told_rests_on_two_documents(answers: dict[str, Answer]) -> None:
    bridge = bridge_of(list(answers.values()))
    assert bridge is not None
    assert {support.document for support in bridge.provenance} == {"north-lock", "staff-notices-2025"}


def test_another_name_in_the_notice_changes_the_answer_and_the_bridge(town: Town, tmp_path: Path) -> None:
    pages = ("staff-notices-2025", "who-heads-what", "north-lock", "gate-crew")
    answers = town.answers(edited(tmp_path, *pages, edit=("staff-notices-2025", "Tomas Ebberly", "Wanda Crisp")), tmp_path)
    assert "Wanda Crisp" in said(answers["a role that changed hands"])
    assert "Wanda Crisp" in said(answers["no document says it alone"])
    assert "Hedda Quill" in said(answers["the same before that"])
    assert answers["a role that changed hands"].differences


def test_pages_that_agree_are_no_longer_disputed(town: Town, tmp_path: Path) -> None:
    answers = town.answers(edited(tmp_path, "pilot-handbook", "lock-survey", edit=("pilot-handbook", "11 m wide", "12 m wide")), tmp_path)
    answer = answers["two pages disagree"]
    assert f"{Status.ACTIVE} The South Lock is 12 m wide." in said(answer)
    assert str(Status.CONTESTED) not in said(answer)


def test_a_notice_that_is_not_deleted_counts(town: Town, tmp_path: Path) -> None:
    deletion = "@@ 2026-02-06T17:30 delete\n@ author: Dilys Thorne\n"
    answers = town.answers(edited(tmp_path, "dispatch-notice", "who-heads-what", edit=("dispatch-notice", deletion, "")), tmp_path)
    answer = answers["a mistake was undone"]
    assert f"{Status.ACTIVE} Lena Orrick has headed the Dispatch Desk since 2026-02-01." in said(answer)
    assert "expected 'Bram Castell' (Active)" in answer.differences or "did not expect 'Lena Orrick has headed'" in answer.differences
