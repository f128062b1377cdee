"""Settings are complete or refused, and the refusal names the field."""

import traceback
from pathlib import Path

import pytest

from connectors.milvus import MilvusSettings
from flows.settings import Settings, embedded, read, secret
from schemas.errors import BadSettings
from schemas.ids import Source, Tenant
from schemas.rules import UNSAID, DateOrder, OnDelete, Writing

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
date_order = "dmy"
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
    assert settings.writings == {Source("wiki-eu/ENG"): Writing(DateOrder.DMY, -210), Source("words"): UNSAID}
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
        ("flow.epoch_s", float("inf"), r"flow\.epoch_s: inf"),
        ("flow.epoch_s", 1e300, r"flow\.epoch_s: 1e\+300"),
        ("reading.embedding", "", r"reading\.embedding: ''"),
        ("flow.workers", True, r"flow\.workers: True"),
        ("flow.closed_days", 10**18, r"flow\.closed_days: 10{18}"),
        ("kafka.timeout_s", float("inf"), r"kafka\.timeout_s: inf"),
        ("kafka.bootstrap", False, r"kafka\.bootstrap: False"),
        ("llm.price_in", float("inf"), r"llm\.price_in: inf"),
        ("llm.retries", True, r"llm\.retries: True"),
        ("metrics.off", 5, r"metrics\.off: 5"),
        ("flow.transaction", 51, r"flow\.transaction: 51"),
        ("index.parts", 4, "needs a Milvus server"),
        ("kafka.sasl_mechanism", "PLAIN", "sasl_mechanism goes with"),
        ("reading.extractor", "llm", r"llm\.base_url is empty"),
        ("reading.extractor", "magic", r"reading\.extractor: 'magic'"),
        ("llm.batch", 0, r"llm\.batch: 0"),
        ("llm.budget_tokens_per_hour", -1, r"llm\.budget_tokens_per_hour: -1"),
        ("llm.timeout_s", "long", r"llm\.timeout_s: 'long'"),
        ("llm.budget_cost", 5.0, "needs price_in or price_out"),
        ("sources", [], "sources"),
        ("sources", [{"name": "a", "topic": "b", "zone": "CET"}], r"sources\.0\.zone: 'CET'"),
        ("sources", [{"name": "a", "topic": "b", "date_order": "dym"}], r"sources\.0\.date_order: 'dym'"),
        ("sources", [{"name": "a", "topic": "b"}, {"name": "a", "topic": "c"}], "two sources have the name 'a'"),
        ("sources", [{"name": "a", "topic": "b"}, {"name": "c", "topic": "b"}], "two sources have the topic 'b'"),
        ("kafka.dead_letters", "wiki.changes", r"kafka\.dead_letters is 'wiki\.changes', which a source reads"),
        ("kafka.transitions", "reviews", r"kafka\.transitions is 'reviews', which a source reads"),
        ("kafka.transitions", "millstream.dead-letters", "each needs a topic of its own"),
        ("kafka.transitions", "a/b", r"kafka\.transitions: 'a/b' .*topic"),
        ("kafka.dead_letters", "..", r"kafka\.dead_letters: '\.\.' .*topic"),
        ("sources", [{"name": "a", "topic": "."}], r"sources\.0\.topic: '\.'"),
        ("sources", [{"name": "a", "topic": ""}], r"sources\.0\.topic: ''"),
        ("sources", [{"name": "a", "topic": "t" * 250}], r"sources\.0\.topic: 't+' .*249"),
        ("sources", [{"name": "a", "topic": "b\n"}], r"sources\.0\.topic"),
        ("sources", [{"name": "a", "topic": "b", "readers": ["x|y"]}], r"sources\.0\.readers.*contains a bar"),
        ("sources", [{"name": "a", "topic": "b", "tenant": "../up"}], r"sources\.0\.tenant"),
        ("sources", [{"name": "a", "topic": "b", "adapter": "fax"}], r"sources\.0\.adapter: 'fax'"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(tmp_path: Path, field: str, value: object, shown: str) -> None:
    with pytest.raises(BadSettings, match=shown):
        embedded(tmp_path, {field: value})


@pytest.mark.parametrize("name", ["t" * 249, "_topic.of-9", "...", "-"])
def test_every_name_that_kafka_takes_is_a_topic(tmp_path: Path, name: str) -> None:
    assert embedded(tmp_path, {"sources": [{"name": "a", "topic": name}]}).topics == (name,)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kafka.password", "hunter2"),
        ("kafka.pasword", "hunter2"),
        ("llm.api_key", "hunter2"),
        ("llm.api_key_env", ["hunter2"]),
        ("index.token", "hunter2"),
        ("kafka.password_env", ["hunter2"]),
        ("index.token_env", {"value": "hunter2"}),
        ("key", "hunter2"),
        ("kafka", [{"password": "hunter2"}]),
        ("kafka.username", {"name": "x", "login": "hunter2"}),
    ],
)
def test_what_may_be_a_secret_is_never_shown_in_a_refusal(tmp_path: Path, field: str, value: object) -> None:
    with pytest.raises(BadSettings, match=field.replace(".", r"\.")) as refused:
        embedded(tmp_path, {field: value})
    assert "hunter2" not in "".join(traceback.format_exception(refused.value))


def test_a_secret_in_place_of_its_variable_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"^kafka\.password_env: the environment variable that it names is not set") as refused:
        secret("hunter2", "kafka.password_env", {})
    assert "hunter2" not in str(refused.value)
    with_login = embedded(tmp_path, {"index.uri": "https://root:hunter2@milvus:19530"})
    assert "hunter2" not in repr(with_login)
    assert with_login.milvus_shown == "https://...@milvus:19530"


@pytest.mark.parametrize("login", ["root:hunter2", "hunter2", "root:@hunter2/", ":hunter2"])
def test_settings_of_milvus_show_neither_token_nor_login(login: str) -> None:
    shown = repr(MilvusSettings(f"https://{login}@milvus:19530", token="hunter2"))
    assert "hunter2" not in shown
    assert "https://...@milvus:19530" in shown
    assert "'data/milvus.db'" in repr(MilvusSettings("data/milvus.db"))


def test_a_model_needs_an_address_and_a_name_and_its_key_shows_nowhere(tmp_path: Path) -> None:
    chosen = {"reading.extractor": "llm", "llm.base_url": "http://me:hunter2@tide:8000/v1"}
    with pytest.raises(BadSettings, match=r"llm\.model is empty"):
        embedded(tmp_path, chosen)
    with pytest.raises(BadSettings, match="must begin with http") as refused:
        embedded(tmp_path, {**chosen, "llm.model": "tide-7b", "llm.base_url": "tide:hunter2"})
    assert "hunter2" not in str(refused.value)
    settings = embedded(tmp_path, {**chosen, "llm.model": "tide-7b", "llm.api_key_env": "LLM_KEY", "llm.budget_calls": 7})
    endpoint = settings.llm.endpoint({"LLM_KEY": "hunter2"})
    assert endpoint.key.get_secret_value() == "hunter2"
    assert "hunter2" not in repr(endpoint) + repr(settings)
    assert settings.llm.budget().calls == 7
    with pytest.raises(BadSettings, match=r"llm\.api_key_env.*LLM_KEY"):
        settings.llm.endpoint({})
    assert embedded(tmp_path, {"llm.model": "x"}).llm.endpoint({}).key.get_secret_value() == "none"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read"):
        read(tmp_path / "absent.toml")
    with pytest.raises(BadSettings, match="not TOML"):
        _read(tmp_path, "data = ")


def test_an_unknown_source_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"'wikis'.*wiki, tickets, git, reviews"):
        embedded(tmp_path).source("wikis")
