"""Settings are complete or refused, and the refusal names the field."""

from pathlib import Path

import pytest

from flows.settings import Settings, embedded, read, secret
from schemas.errors import BadSettings
from schemas.ids import Source, Tenant
from schemas.rules import OnDelete

FILE = """
data = "here"

[kafka]
bootstrap = "one:9092,two:9092"
security_protocol = "SASL_SSL"
sasl_mechanism = "SCRAM-SHA-512"
username = "millstream"
password_env = "KAFKA_PASSWORD"
ca_file = "ca.pem"

[index]
uri = "http://milvus:19530"
parts = 4

[[sources]]
name = "wiki-eu/ENG"
topic = "wiki.changes"
tenant = "ferries"
rank = 2
origin = "wikis"
zone = "-03:30"
history = "current"
ordered = false
revert_window_h = 1.5

[[sources]]
name = "words"
topic = "reviews"
adapter = "reviews"
"""


def _read(tmp_path: Path, text: str = FILE, **overrides: object) -> Settings:
    path = tmp_path / "millstream.toml"
    path.write_text(text, encoding="utf-8")
    return read(path, {name.replace("__", "."): value for name, value in overrides.items()})


def test_a_file_gives_each_part_what_it_must_know(tmp_path: Path) -> None:
    settings = _read(tmp_path)
    assert settings.tenants == (Tenant("ferries"), Tenant("main"))
    assert settings.topics == ("wiki.changes", "reviews")
    rules = settings.rules(Tenant("ferries"))[Source("wiki-eu/ENG")]
    assert (rules.rank, rules.origin, rules.history, rules.ordered, rules.revert_window) == (2, "wikis", False, False, 5_400_000)
    assert rules.readers == frozenset()
    assert settings.source("wiki-eu/ENG").adapter_settings().zone_offset_minutes == -210
    assert settings.source("words").adapter_settings().zone_offset_minutes == 0
    assert settings.store(Tenant("main")) == Path("here/stores/main.db")
    assert settings.milvus == "http://milvus:19530"


def test_an_override_wins_over_the_file(tmp_path: Path) -> None:
    assert _read(tmp_path, kafka__bootstrap="other:1", flow__epoch_s=0.5).kafka.bootstrap == "other:1"


def test_the_embedded_settings_need_nothing_and_let_everybody_read(tmp_path: Path) -> None:
    settings = embedded(tmp_path)
    assert settings.tenants == (Tenant("main"),)
    assert {source.name: source.on_delete for source in settings.sources}["git"] is OnDelete.END
    assert all(source.readers == ("*",) for source in settings.sources)
    assert settings.kafka.recreated == "restart"
    assert settings.milvus == str(tmp_path / "milvus.db")


def test_the_password_comes_from_the_environment_and_shows_nowhere(tmp_path: Path) -> None:
    settings = _read(tmp_path)
    connection = settings.kafka.connection({"KAFKA_PASSWORD": "hunter2"})
    assert connection.options()["sasl_plain_password"] == "hunter2"
    assert connection.options()["bootstrap_servers"] == ["one:9092", "two:9092"]
    assert "hunter2" not in repr(connection) + repr(settings) + repr(secret("P", "f", {"P": "hunter2"}))
    with pytest.raises(BadSettings, match=r"kafka\.password_env.*KAFKA_PASSWORD"):
        settings.kafka.connection({})


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("kafka.nonsense", 1, r"kafka\.nonsense"),
        ("flow.epoch_s", "soon", r"flow\.epoch_s: 'soon'"),
        ("flow.transaction", 51, r"flow\.transaction: 51"),
        ("index.parts", 4, "needs a Milvus server"),
        ("kafka.sasl_mechanism", "PLAIN", "sasl_mechanism goes with"),
        ("sources", [], "sources"),
        ("sources", [{"name": "a", "topic": "b", "zone": "CET"}], r"sources\.0\.zone: 'CET'"),
        ("sources", [{"name": "a", "topic": "b"}, {"name": "a", "topic": "c"}], "two sources have the name 'a'"),
        ("sources", [{"name": "a", "topic": "b"}, {"name": "c", "topic": "b"}], "two sources have the topic 'b'"),
        ("sources", [{"name": "a", "topic": "b", "tenant": "../up"}], r"sources\.0\.tenant"),
        ("sources", [{"name": "a", "topic": "b", "adapter": "fax"}], r"sources\.0\.adapter: 'fax'"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(tmp_path: Path, field: str, value: object, shown: str) -> None:
    with pytest.raises(BadSettings, match=shown):
        embedded(tmp_path, {field: value})


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read"):
        read(tmp_path / "absent.toml")
    with pytest.raises(BadSettings, match="not TOML"):
        _read(tmp_path, "data = ")


def test_an_unknown_source_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"'wikis'.*wiki, tickets, git, reviews"):
        embedded(tmp_path).source("wikis")
