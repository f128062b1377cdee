"""The client of language models, over real HTTP: how it asks, what it makes of answers, and when it stops asking."""

import logging
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from connectors.breaker import Breaker
from connectors.dialect import object_in, strict_schema
from connectors.llm import Endpoint, LanguageModel, Prompt
from connectors.metrics import Metrics
from connectors.spending import Budget, Spending, Spent
from schemas.errors import BadReading, BadSettings, Problem, Unreachable
from tests.model_server import KEY, MODEL, ModelServer, Reply


class Pier(BaseModel):
    name: str
    lamps: int


PIER = Pier(name="Pier 3", lamps=7)
PROMPT = Prompt("You count lamps.", "How many lamps has Pier 3?")

Open = Callable[..., LanguageModel]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(lambda _: PIER.model_dump_json()) as served:
        yield served


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def opened(server: ModelServer, tmp_path: Path, metrics: Metrics) -> Iterator[Open]:
    """Yield what opens a model of the server; settings are those of the endpoint, a budget and a breaker may be given."""
    models: list[LanguageModel] = []
    ledgers: list[Spending] = []

    def make(budget: Budget = Budget(), breaker: Breaker | None = None, **settings: object) -> LanguageModel:  # noqa: B008 - it is frozen
        endpoint = Endpoint(**{"base_url": server.url, "model": MODEL, "timeout_s": 5.0, "retries": 0, **settings})  # type: ignore[arg-type]
        ledgers.append(Spending(tmp_path / "spending.db", budget))
        models.append(LanguageModel(endpoint, ledgers[-1], breaker or Breaker(100, 30.0), metrics))
        return models[-1]

    yield make
    for model in models:
        model.close()
    for ledger in ledgers:
        ledger.close()


def one(model: LanguageModel) -> Pier | Problem:
    (found,) = model.ask([PROMPT], Pier)
    return found


def failure(model: LanguageModel, kind: type[Problem]) -> str:
    found = one(model)
    assert isinstance(found, kind), found
    return str(found)


def test_an_endpoint_that_knows_schemas_is_given_the_schema(server: ModelServer, opened: Open) -> None:
    assert one(opened()) == PIER
    (asked,) = server.asked
    assert asked.body["response_format"]["json_schema"] == {"name": "Pier", "schema": strict_schema(Pier), "strict": True}
    assert [turn["role"] for turn in asked.body["messages"]] == ["system", "user"]
    assert (asked.body["model"], asked.body["max_tokens"], asked.body["temperature"]) == (MODEL, 4000, 0.0)


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    ("takes", "ladder"),
    [({"json_object"}, ["json_schema", "json_object"]), (set(), ["json_schema", "json_object", "prompt"])],
)
def test_a_refused_response_format_is_a_step_down_the_ladder_that_is_remembered(
    server: ModelServer, opened: Open, status: int, takes: set[str], ladder: list[str]
) -> None:
    server.takes, server.refusal = takes, status
    model = opened()
    assert one(model) == PIER
    assert server.rungs == ladder
    assert one(model) == PIER
    assert server.rungs == [*ladder, ladder[-1]]
    assert '"lamps"' in server.asked[-1].told  # the schema stands in the prompt now


def test_requests_that_are_refused_at_the_same_time_step_down_once(server: ModelServer, opened: Open) -> None:
    server.takes, server.pause = {"json_object"}, 0.1
    assert opened(concurrency=8).ask([PROMPT] * 8, Pier) == [PIER] * 8
    assert set(server.rungs) == {"json_schema", "json_object"}


@pytest.mark.parametrize("reply", [Reply(429), Reply(500), Reply(503, "<html>"), Reply(408), Reply(pause=0.6), Reply(400, '{"error": "bad words"}')])
def test_nothing_but_a_refused_response_format_is_a_step_down(server: ModelServer, opened: Open, reply: Reply) -> None:
    model = opened(timeout_s=0.3)
    server.replies.append(reply)
    assert isinstance(one(model), Problem)
    assert one(model) == PIER
    assert server.rungs == ["json_schema", "json_schema"]


def test_a_bound_under_another_name_and_a_fixed_temperature_are_found_out(server: ModelServer, opened: Open) -> None:
    server.takes_limit, server.takes_temperature = "max_completion_tokens", False
    model = opened(max_tokens=700)
    assert one(model) == PIER
    assert len(server.asked) == 3
    assert server.asked[-1].body["max_completion_tokens"] == 700
    assert {"max_tokens", "temperature"}.isdisjoint(server.asked[-1].body)
    assert one(model) == PIER
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    "said",
    [
        'Certainly! {"name": "Pier 3", "lamps": 7} I hope that this helps.',
        '```json\n{"name": "Pier 3", "lamps": 7}\n```',
        '{"name": "Pier 3", "lamps": 7',
        "{'name': 'Pier 3', 'lamps': 7,}",
        '{"name": "Pier 3", "lamps": "7"}',
    ],
)
def test_an_object_is_found_in_what_models_say_around_it(server: ModelServer, opened: Open, said: str) -> None:
    server.model = lambda _: said
    assert one(opened()) == PIER
    assert len(server.asked) == 1


def test_an_answer_that_does_not_fit_is_shown_to_the_model_once(server: ModelServer, opened: Open, metrics: Metrics) -> None:
    server.model = lambda told: PIER.model_dump_json() if "not valid" in told else '{"name": "Pier 3"}'
    assert one(opened()) == PIER
    turns = server.asked[-1].body["messages"]
    assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user"]
    assert turns[2]["content"] == '{"name": "Pier 3"}'
    assert "lamps: Field required" in turns[3]["content"]
    assert metrics.registry.get_sample_value("millstream_llm_calls_total", {"outcome": "broken"}) == 1


@pytest.mark.parametrize("said", ['{"name": "Pier 3"}', "I cannot do that.", "[]", "null", "{" * 5_000, "x" * 300_000])
def test_an_answer_that_fits_neither_time_is_a_failure_as_data(server: ModelServer, opened: Open, said: str) -> None:
    server.model = lambda _: said
    assert "twice" in failure(opened(), BadReading)
    assert len(server.asked) == 2


def test_one_failure_among_many_prompts_leaves_the_others(server: ModelServer, opened: Open) -> None:
    server.model = lambda told: "nonsense" if "Pier 4" in told else PIER.model_dump_json()
    first, second, third = opened().ask([PROMPT, Prompt("", "Pier 4?"), PROMPT], Pier)
    assert (first, third) == (PIER, PIER)
    assert isinstance(second, BadReading)


def test_an_answer_that_was_cut_or_withheld_is_no_answer(server: ModelServer, opened: Open) -> None:
    server.finish = "length"
    assert "llm.max_tokens" in failure(opened(), BadReading)
    server.finish, server.model = "content_filter", lambda _: ""
    assert "content_filter" in failure(opened(), BadReading)


def test_a_request_that_is_too_long_for_the_model_is_refused_for_good(server: ModelServer, opened: Open) -> None:
    for status in (400, 413, 422):
        server.replies.append(Reply(status, '{"error": {"message": "maximum context length is 8192"}}'))
        assert "maximum context length" in failure(opened(), BadReading)


@pytest.mark.parametrize("text", ["<html>It works!</html>", "{}", '{"choices": []}', "{"])
def test_a_server_that_is_no_model_is_waited_for(server: ModelServer, opened: Open, text: str) -> None:
    server.replies += [Reply(text=text, headers={"Content-Type": "text/html" if "html" in text else "application/json"})] * 2
    assert failure(opened(), Unreachable)


def test_a_busy_endpoint_is_asked_again_when_it_wants_to_be(server: ModelServer, opened: Open) -> None:
    server.replies += [Reply(429, headers={"Retry-After": "1"}), Reply(500)]
    started = time.monotonic()
    assert one(opened(retries=2)) == PIER
    assert 1.0 < time.monotonic() - started < 5.0
    assert len(server.asked) == 3


def test_a_long_retry_after_keeps_every_call_back(server: ModelServer, opened: Open) -> None:
    server.replies.append(Reply(429, headers={"Retry-After": "600"}))
    model = opened(retries=2)
    assert "status 429" in failure(model, Unreachable)
    assert "not called for another" in failure(model, Unreachable)
    assert len(server.asked) == 1


def test_a_silent_endpoint_is_given_up_on_in_time(server: ModelServer, opened: Open) -> None:
    server.replies.append(Reply(pause=2.0))
    started = time.monotonic()
    assert "timed out" in failure(opened(timeout_s=0.3), Unreachable)
    assert time.monotonic() - started < 1.5


def test_after_failures_in_a_row_nothing_is_called_until_one_call_got_through(server: ModelServer, opened: Open, metrics: Metrics) -> None:
    now = [100.0]
    breaker = Breaker(3, 30.0, lambda: now[0])
    model = opened(breaker=breaker, concurrency=1)
    server.replies += [Reply(500)] * 4
    for _ in range(3):
        failure(model, Unreachable)
    assert breaker.circuit.name == "OPEN"
    assert "after 3 failed calls in a row; the last: status 500" in failure(model, Unreachable)
    assert len(server.asked) == 3
    assert metrics.registry.get_sample_value("millstream_llm_breaker") == 2
    now[0] += 31
    assert breaker.circuit.name == "HALF_OPEN"
    failure(model, Unreachable)  # the probe fails: closed for as long again
    assert len(server.asked) == 4
    assert breaker.circuit.name == "OPEN"
    now[0] += 31
    assert one(model) == PIER
    assert breaker.circuit.name == "CLOSED"
    assert metrics.registry.get_sample_value("millstream_llm_breaker") == 0


def test_only_one_call_tries_a_half_open_circuit(server: ModelServer, opened: Open) -> None:
    now = [100.0]
    model = opened(breaker=Breaker(1, 30.0, lambda: now[0]), concurrency=6)
    server.replies.append(Reply(500))
    failure(model, Unreachable)
    now[0] += 31
    server.pause = 0.3
    answers = model.ask([PROMPT] * 6, Pier)
    assert answers.count(PIER) == 1
    assert len(server.asked) == 2
    assert model.ask([PROMPT] * 6, Pier) == [PIER] * 6


def test_a_failure_between_answers_opens_nothing() -> None:
    breaker = Breaker(2, 30.0)
    for _ in range(5):
        breaker.failed("status 500")
        breaker.succeeded()
    breaker.admit()


def test_calls_run_side_by_side_up_to_the_limit_whoever_asks(server: ModelServer, opened: Open) -> None:
    server.pause = 0.15
    model = opened(concurrency=3)
    threads = [threading.Thread(target=lambda: model.ask([PROMPT] * 6, Pier)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 12
    assert server.at_once == 3


def test_a_wrong_key_ends_the_start_and_is_waited_for_later(server: ModelServer, opened: Open, caplog: pytest.LogCaptureFixture) -> None:
    server.key = KEY
    wrong = "sk-nobody-999"
    model = opened(key=SecretStr(wrong))
    with caplog.at_level(logging.INFO), pytest.raises(BadSettings, match=r"llm\.api_key_env.*401") as refused:
        model.check()
    shown = [*traceback.format_exception(refused.value), failure(model, Unreachable), caplog.text, repr(model), repr(model._endpoint)]
    assert [text for text in shown if wrong in text] == []
    opened(key=SecretStr(KEY)).check()
    assert one(opened(key=SecretStr(KEY))) == PIER


@pytest.mark.parametrize("lists", [True, False])
def test_an_unknown_model_ends_the_start(server: ModelServer, opened: Open, lists: bool) -> None:  # noqa: FBT001 - a case
    server.lists = lists
    opened().check()
    with pytest.raises(BadSettings, match=r"llm\.model.*'ebb-9b'"):
        opened(model="ebb-9b").check()
    assert "status 404" in failure(opened(model="ebb-9b"), Unreachable)


def test_a_model_that_refuses_to_be_asked_at_all_ends_the_start(server: ModelServer, opened: Open) -> None:
    server.replies.append(Reply(400, '{"error": {"message": "this model only embeds"}}'))
    server.lists = False
    with pytest.raises(BadSettings, match="only embeds"):
        opened().check()


def test_an_endpoint_that_is_away_at_start_is_waited_for(opened: Open, caplog: pytest.LogCaptureFixture) -> None:
    model = opened(base_url="http://127.0.0.1:9/v1")
    with caplog.at_level(logging.WARNING):
        model.check()
    assert "cannot be reached yet" in caplog.text
    assert failure(model, Unreachable)


def test_a_budget_of_calls_or_tokens_or_money_is_waited_for_not_passed(server: ModelServer, opened: Open, metrics: Metrics) -> None:
    for budget, name in ((Budget(calls_per_hour=2), "calls_per_hour"), (Budget(tokens=1), "tokens"), (Budget(cost=1e-6), "cost")):
        model = opened(budget, price_in=1.0, price_out=2.0)
        answers = [one(model) for _ in range(3)]
        refused = [answer for answer in answers if isinstance(answer, Unreachable)]
        assert refused
        assert f"llm.budget_{name}" in str(refused[-1])
        assert metrics.registry.get_sample_value("millstream_llm_budget_left", {"limit": name}) == 0
    assert len(server.asked) == 2  # all three share one ledger, and two calls used it up


def test_what_was_spent_is_remembered_and_counts_what_the_endpoint_counted(
    server: ModelServer, opened: Open, tmp_path: Path, metrics: Metrics
) -> None:
    assert one(opened(price_in=3.0, price_out=15.0)) == PIER
    server.replies.append(Reply(500))
    failure(opened(), Unreachable)  # costs nothing
    told, said = len(server.asked[0].told) // 4, len(PIER.model_dump_json()) // 4
    with closing(Spending(tmp_path / "spending.db", Budget())) as ledger:
        assert ledger.total.calls == 1
        assert ledger.total.tokens == told + said
        assert ledger.total.cost == pytest.approx((3 * told + 15 * said) / 1e6)
    value = metrics.registry.get_sample_value
    assert value("millstream_llm_tokens_total", {"direction": "in"}) == told
    assert value("millstream_llm_tokens_total", {"direction": "out"}) == said
    assert value("millstream_llm_cost_total") == pytest.approx((3 * told + 15 * said) / 1e6)
    assert value("millstream_llm_calls_total", {"outcome": "away"}) == 1


def test_an_endpoint_that_does_not_count_is_estimated(server: ModelServer, opened: Open, tmp_path: Path) -> None:
    server.counts = False
    assert one(opened()) == PIER
    with closing(Spending(tmp_path / "spending.db", Budget())) as ledger:
        assert ledger.total.tokens > 0


def test_an_hour_later_the_hourly_budget_is_free_again_and_the_total_is_not(tmp_path: Path) -> None:
    now = [1_000_000_000.0]
    with closing(Spending(tmp_path / "s.db", Budget(calls_per_hour=2, calls=3), lambda: now[0])) as ledger:
        first = ledger.begin(100, 0.5)
        now[0] += 600
        ledger.begin(100, 0.5)
        with pytest.raises(Unreachable, match=r"calls_per_hour = 2 is used up: the next call is possible in 50 min"):
            ledger.begin(1, 0.0)
        assert ledger.left == {"calls_per_hour": 0, "calls": 1}
        now[0] += 3_001
        ledger.correct(first, 0, -40, -0.2)
        ledger.begin(100, 0.5)
        now[0] += 7_200
        with pytest.raises(Unreachable, match="calls = 3 is used up: nothing more"):
            ledger.begin(1, 0.0)
        assert ledger.left == {"calls_per_hour": 2, "calls": 0}
    with closing(Spending(tmp_path / "s.db", Budget(), lambda: now[0])) as ledger:
        assert ledger.total == Spent(3, 260, pytest.approx(1.3))  # type: ignore[arg-type]
        assert ledger.left == {}


def test_calls_under_way_count_against_the_budget(server: ModelServer, opened: Open) -> None:
    server.pause = 0.2
    answers = opened(Budget(calls=2), concurrency=6).ask([PROMPT] * 6, Pier)
    assert answers.count(PIER) == 2
    assert len(server.asked) == 2


def test_repairing_a_hostile_answer_takes_no_time() -> None:
    started = time.monotonic()
    for said in ("{" * 190_000, "{" + '"a":[' * 30_000, '{"name": "' + "\\" * 190_000):
        with pytest.raises(ValueError, match="validation error"):
            object_in(said, Pier)
    assert time.monotonic() - started < 20


def test_a_clock_that_was_ahead_holds_up_nobody_for_more_than_an_hour_and_what_was_spent_stays_spent(tmp_path: Path) -> None:
    now = [2_000_000 * 60.0]
    with closing(Spending(tmp_path / "s.db", Budget(calls_per_hour=2), lambda: now[0])) as ledger:
        ledger.begin(1, 0.0)
        ledger.begin(1, 0.0)
        now[0] = 1_000_000 * 60.0
        with pytest.raises(Unreachable, match="in 60 min"):
            ledger.begin(1, 0.0)
        now[0] += 3600.0
        ledger.begin(1, 0.0)
        assert ledger.total.calls == 3


def test_a_damaged_ledger_is_refused_and_not_taken_for_nothing_spent(tmp_path: Path) -> None:
    (tmp_path / "s.db").write_bytes(b"no ledger" * 1000)
    with pytest.raises(BadSettings, match=r"s\.db is no ledger of what the language model cost"):
        Spending(tmp_path / "s.db", Budget())
