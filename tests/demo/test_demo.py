"""The demo runs over a real broker and a real Milvus Lite, says what it saw, and empties no directory but its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from flows.demo.parts import MARK, emptied
from flows.demo.replay import freshness
from flows.demo.watch import Notebook
from flows.recovery import locked
from schemas.change import Position
from schemas.errors import BadSettings
from schemas.ids import Tenant
from schemas.instant import Instant
from schemas.receipt import Outcome, Receipt

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from pathlib import Path
from rich.console import Console
from flows.demo import demo
documents, data, form = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
sys.exit(demo(data, Console(width=200), as_json=form == "json", check=True, documents=documents, overrides={"reading.embedding": "ngram"}))
"""
QUESTIONS = """
[[question]]
topic = "colour"
ask = "What is the colour of the bell?"
why = "bell.md"
expect = [{ text = "red", status = "Active" }]
refuse = [{ text = "green" }]
"""
BELL = """@@ 2024-01-01 put
@ title: Bell
colour: green

@@ 2024-02-01 put
colour: red

@@ 2024-03-01 raw
{"kind": "put"
"""


def play(documents: Path, data: Path, form: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, str(documents), str(data), form]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=140, check=False)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    (tmp_path / "documents" / "wiki").mkdir(parents=True)
    (tmp_path / "documents" / "questions.toml").write_text(QUESTIONS, "utf-8")
    (tmp_path / "documents" / "wiki" / "bell.md").write_text(BELL, "utf-8")
    return tmp_path / "documents"


@pytest.mark.timeout(300)  # two runs of a whole Millstream, on a machine that may be busy
def test_the_demo_replays_asks_and_reports_and_an_edit_changes_the_answer(documents: Path, tmp_path: Path) -> None:
    first = play(documents, tmp_path / "data", "json")
    assert first.returncode == 0, first.stderr
    report = json.loads(first.stdout)
    assert report["changes"] == 3
    assert report["receipts"] == {"applied": 2, "dead-letter": 1}
    assert [answer["as_expected"] for answer in report["answers"]] == [True]
    assert report["dead_letters"][0]["document"] == "bell"
    assert report["freshness_ms"]["p99"] > 0

    (documents / "wiki" / "bell.md").write_text(BELL.replace("red", "blue"), "utf-8")
    second = play(documents, tmp_path / "data", "text")
    assert second.returncode == 1, second.stderr
    assert "blue" in second.stdout
    assert "expected 'red' (Active)" in second.stdout
    assert "From Kafka until searchable" in second.stdout


def test_only_a_directory_of_the_demo_is_emptied(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear", "utf-8")
    with pytest.raises(BadSettings, match="was not made by the demo"):
        emptied(mine)
    assert (mine / "letter.txt").exists()


def test_a_new_demo_keeps_the_model_and_nothing_else(tmp_path: Path) -> None:
    data = emptied(tmp_path / "demo")
    for name in ("models", "stores"):
        (data / name).mkdir()
        (data / name / "file").touch()
    (data / "memo.db").touch()
    emptied(data)
    assert sorted(entry.name for entry in data.iterdir()) == [MARK, ".lock", "models"]
    assert (data / "models" / "file").exists()


def test_a_directory_that_a_millstream_runs_on_is_not_emptied(tmp_path: Path) -> None:
    data = emptied(tmp_path / "demo")
    (data / "memo.db").touch()
    with locked(data), pytest.raises(BadSettings, match="in use"):
        emptied(data)
    assert (data / "memo.db").exists()


def receipt(offset: int, recorded_at: int) -> Receipt:
    position = Position("wiki", 0, offset)
    return Receipt(Tenant("main"), "wiki", "bell", "1", "put", Outcome.APPLIED, position, Instant(0), Instant(recorded_at))


def test_freshness_leaves_out_the_first_change_and_counts_a_redelivery_once() -> None:
    notebook = Notebook()
    notebook.searchable([receipt(0, 1_000)], now=9.0)
    notebook.searchable([receipt(offset, 10_000) for offset in range(1, 101)], now=10.25)
    notebook.searchable([receipt(1, 10_000)], now=99.0)
    fresh = freshness(notebook)
    assert (fresh.count, fresh.first, fresh.p50, fresh.p99, fresh.longest) == (100, 8.0, 0.25, 0.25, 0.25)


def test_the_99th_percentile_is_the_value_that_one_in_a_hundred_exceeds() -> None:
    notebook = Notebook()
    notebook.searchable([receipt(0, 0)], now=0.0)
    for offset in range(1, 101):
        notebook.searchable([receipt(offset, 0)], now=offset / 100)
    fresh = freshness(notebook)
    assert (fresh.p50, fresh.p99, fresh.longest) == (0.5, 0.99, 1.0)
