"""The vocabulary on the command line, in the settings, and on its page."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from flows.cli import app
from flows.cli_vocabulary import table
from flows.demo import demo
from flows.located import Addresses, located, published
from flows.up import Wanted, up
from flows.vocabulary import vocabulary
from schemas.errors import BadSettings
from schemas.vocabulary import shipped
from tests.meta.repository import ROOT, section

OWN = 'format = 1\n[predicates."piloted by"]\nobject = "name"\n[predicates.status]\naliases = ["stage"]\n'
BAD = 'format = 1\n[predicates.status]\naliases = ["state"]\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(OWN, "utf-8")
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.toml"
    path.write_text(BAD, "utf-8")
    return path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        app(["vocabulary", *words])
    return int(ended.value.code or 0), *capsys.readouterr()


def test_every_predicate_is_printed_with_its_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, text, _ = said(capsys, "--data", str(tmp_path))
    assert code == 0
    assert all(f"\n{name}  " in f"\n{text}" for name in shipped().predicates)
    assert "chief executive" in text
    assert "  excludes status = accepted" in text
    code, text, _ = said(capsys, "--json", "--data", str(tmp_path))
    printed = json.loads(text)
    assert printed["version"] == shipped().version
    assert printed["predicates"]["headed by"]["inverses"][0] == "heads"


def test_the_vocabulary_of_a_millstream_is_the_one_that_its_settings_name(capsys: pytest.CaptureFixture[str], tmp_path: Path, own: Path) -> None:
    settings = tmp_path / "millstream.toml"
    settings.write_text(f'[reading]\nvocabulary = "{own}"\n[[sources]]\nname = "wiki"\ntopic = "wiki.changes"\n', "utf-8")
    _, text, _ = said(capsys, "--json", "--settings", str(settings))
    assert json.loads(text)["predicates"].keys() - shipped().predicates.keys() == {"piloted by"}
    assert json.loads(text)["version"] == vocabulary(str(own)).version


def test_a_later_start_and_other_commands_find_the_vocabulary_of_the_last(tmp_path: Path, own: Path) -> None:
    with published(tmp_path, Addresses(1, "127.0.0.1:9", "http://127.0.0.1:9", 9, "ngram", str(own))):
        assert located(tmp_path, None).settings.reading.vocabulary == str(own)
    assert located(tmp_path, None).settings.reading.vocabulary == str(own)
    kept = tmp_path / "addresses.json"
    kept.write_bytes(kept.read_bytes().replace(json.dumps(str(own)).encode(), b'""'))
    assert located(tmp_path, None).settings.reading.vocabulary == ""


def test_a_sound_file_is_told_what_it_changes(capsys: pytest.CaptureFixture[str], own: Path) -> None:
    code, text, _ = said(capsys, "check", str(own))
    assert (code, "is sound" in text, "adds    piloted by" in text, "changes status" in text) == (0, True, True, True)
    code, text, _ = said(capsys, "check", str(own), "--json")
    assert {name: json.loads(text)[name] for name in ("added", "changed")} == {"added": ["piloted by"], "changed": ["status"]}
    own.write_text("format = 1\n", "utf-8")
    code, text, _ = said(capsys, "check", str(own))
    assert (code, len(text.splitlines())) == (0, 1)


def test_a_bad_file_is_refused_with_its_line(capsys: pytest.CaptureFixture[str], bad: Path) -> None:
    code, text, fault = said(capsys, "check", str(bad))
    assert (code, text) == (2, "")
    assert "bad.toml:3: predicates.status.aliases.0: alias 'state' already means 'state' (schemas/predicates.toml:" in " ".join(fault.split())


def test_nothing_starts_with_a_bad_vocabulary(tmp_path: Path, bad: Path) -> None:
    steps: list[str] = []
    with pytest.raises(BadSettings, match=r"bad\.toml:3"):
        up(tmp_path, Wanted(vocabulary=str(bad)), steps.append, lambda _: None)
    assert steps == []
    with pytest.raises(BadSettings, match=r"bad\.toml:3"):
        demo(tmp_path / "demo", None, overrides={"reading.vocabulary": str(bad)})  # type: ignore[arg-type]
    assert not (tmp_path / "demo").exists()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"reading\.vocabulary: .*none\.toml cannot be read"):
        vocabulary(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b"\xe9")
    with pytest.raises(BadSettings, match=r"reading\.vocabulary: .*latin\.toml is not UTF-8"):
        vocabulary(str(tmp_path / "latin.toml"))


def test_the_table_of_the_page_is_that_of_the_file() -> None:
    written = [line for line in section("vocabulary.md", "## All predicates").splitlines() if line.startswith("|")]
    assert written == table(shipped()), "print the table with `millstream vocabulary --markdown` and put it at the end of docs/vocabulary.md"


def test_the_example_of_the_page_extends_the_vocabulary(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", section("vocabulary.md", "## A vocabulary of your own"), re.DOTALL)
    path = tmp_path / "own.toml"
    path.write_text(example, "utf-8")
    found = vocabulary(str(path))
    assert (found.canonical("stage"), found.inverses["pilots"], found.predicate("status").word("sketch")) == ("status", "piloted by", "draft")
    assert replace(found.predicate("width"), template="") != replace(shipped().predicate("width"), template="")
    assert (ROOT / "schemas" / "predicates.toml").exists()
