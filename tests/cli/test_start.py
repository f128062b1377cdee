"""The command line starts fast, explains itself, and finds its Millstream."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from connectors.kafka_source import Progress
from connectors.metrics import Metrics
from flows.cli import app
from flows.located import Addresses, addresses, located, published
from flows.scrape import parse, scrape
from flows.settings import MetricsPart
from schemas.change import Position
from schemas.errors import BadSettings, Inconsistent, Unreachable
from schemas.ids import Tenant
from schemas.instant import Instant
from schemas.receipt import Outcome, Receipt
from tests.cli.command import ROOT, Command

HEAVY = ("torch", "spacy", "pymilvus", "bytewax", "kafka", "pydantic", "sentence_transformers", "numpy", "dulwich", "date_wrangler")
COMMANDS = ("up", "index", "feed", "ask", "show", "entity", "status", "dead-letters", "demo")


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path / "data", capsys)


def test_help_loads_nothing_heavy_and_names_every_command() -> None:
    code = (
        "import sys, flows.cli\n"
        "try: flows.cli.app(['--help'])\n"
        f"finally: print('loaded', [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stderr.strip() == "loaded []"
    for name in COMMANDS:
        assert f" {name} " in said.stdout


@pytest.mark.parametrize("words", [[name] for name in COMMANDS] + [["feed", "git"], ["feed", "file"], ["dead-letters", "replay"]])
def test_every_command_explains_itself(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        app([*words, "--help"])
    assert not ended.value.code
    assert "Usage:" in capsys.readouterr().out


def test_where_nothing_runs_commands_say_what_to_start(command: Command) -> None:
    said = command("feed", "file", os.devnull)
    assert said.code == 1
    assert said.err == f"millstream: nothing runs on {command.data}; start `millstream up --data {command.data}`, or give --settings FILE\n"
    status = command.json("status")
    assert (status["running"], status["partitions"], status["records"]) == (False, [], [])
    assert not command.data.exists()


def test_a_settings_file_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["index"], ["ask", "Who?"], ["status"]):
        with pytest.raises(SystemExit) as ended:
            app([*words, "--settings", str(tmp_path / "none.toml")])
        assert ended.value.code == 2
        assert capsys.readouterr().err.endswith("none.toml cannot be read (No such file or directory)\n")


def test_addresses_are_found_while_their_process_lives_and_the_model_is_known_after_it(tmp_path: Path) -> None:
    found = Addresses(os.getpid(), "127.0.0.1:9999", "http://127.0.0.1:19999", 9499, "ngram")
    with published(tmp_path, found):
        here = located(tmp_path, None)
        assert here.running is True
        here.require_running()
        assert (here.settings.kafka.bootstrap, here.settings.index.uri, here.settings.metrics.port) == (
            "127.0.0.1:9999",
            "http://127.0.0.1:19999",
            9499,
        )
    after = located(tmp_path, None)
    assert (after.running, after.settings.reading.embedding, after.settings.index.uri) == (False, "ngram", "")
    for stale in (here, after):
        with pytest.raises(Unreachable, match="nothing runs on"):
            stale.require_running()


def test_a_process_that_was_killed_does_not_run(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with published(tmp_path, Addresses(ended.pid, "", "", 0, "ngram")):
        assert located(tmp_path, None).running is False
    with published(tmp_path, Addresses(1, "", "", 0, "ngram")):  # somebody else's, for whoever is not root
        assert located(tmp_path, None).running is True


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"format":1,"pid":1}', b'{"format":7,"pid":1,"kafka":"","milvus":"","metrics":1,"embedding":""}']
)
def test_damaged_addresses_are_told_with_the_way_out(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "addresses.json").write_bytes(content)
    with pytest.raises(Inconsistent, match="remove it"):
        addresses(tmp_path)


def test_a_tenant_is_needed_only_where_there_are_several(tmp_path: Path) -> None:
    file = tmp_path / "millstream.toml"
    sources = "".join(f'[[sources]]\nname = "{name}"\ntopic = "{name}.changes"\ntenant = "{name}"\n' for name in ("harbour", "ferries"))
    file.write_text(sources)
    found = located(tmp_path, file)
    assert found.running is None
    found.require_running()
    assert found.tenant("ferries") == "ferries"
    with pytest.raises(BadSettings, match="which tenant is not said; there are harbour, ferries"):
        found.tenant(None)


def test_metrics_are_read_back_from_where_they_are_served() -> None:
    metrics = Metrics()
    now = Instant(time.time_ns() // 1_000_000)
    position = Position("wiki.changes", 3, 1)
    metrics.searchable([Receipt(Tenant("main"), "wiki", "quay", "1", "put", Outcome.APPLIED, position, Instant(now - 7_200_000), now)])
    metrics.progress(Progress("wiki.changes", 3, next=2, end=9, newest=now))
    with metrics.served("127.0.0.1", 0) as port:
        said = scrape("0.0.0.0", port)
    assert said is not None
    assert said.unread == {("wiki.changes", 3): 7}
    assert said.since_commit is not None
    assert said.since_event is not None
    assert said.since_commit.p50 is not None
    assert said.since_commit.p50 < 60
    assert said.since_event.p50 is None


def test_quantiles_lie_within_their_bucket_and_beyond_the_last_there_are_none() -> None:
    name = "millstream_freshness_commit_seconds"
    lines = [f"# TYPE {name} histogram"]
    for source, counts in {"wiki": (0, 90, 98, 98), "git": (0, 0, 0, 2)}.items():
        lines += [f'{name}_bucket{{source="{source}",le="{le}"}} {count}' for le, count in zip(("0.1", "0.2", "1.0", "+Inf"), counts, strict=True)]
    lines += ["# TYPE millstream_lag_messages gauge", 'millstream_lag_messages{topic="wiki.changes",partition="3"} 7.0']
    said = parse("\n".join(lines) + "\n")
    assert said.unread == {("wiki.changes", 3): 7}
    assert said.since_event is None
    assert said.since_commit is not None
    assert said.since_commit.count == 100
    assert said.since_commit.p50 == pytest.approx(0.1 + 0.1 * 50 / 90)
    assert said.since_commit.p99 is None


def test_an_endpoint_that_is_not_there_says_nothing() -> None:
    assert scrape(MetricsPart().host, 1) is None
