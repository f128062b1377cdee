"""`millstream status` tells what a language model did, what it cost and what is left, from the metrics as they are served."""

from prometheus_client import generate_latest

from connectors.metrics import Metrics
from flows.cli_status import _model_line
from flows.scrape import ModelUse, parse


def served(metrics: Metrics) -> str:
    return generate_latest(metrics.registry).decode()


def test_a_flow_without_a_language_model_says_nothing_of_one() -> None:
    said = parse(served(Metrics()))
    assert (said.model, said.reread_left) == (None, 0)


def test_calls_tokens_cost_dropped_facts_breaker_and_budget_are_told() -> None:
    metrics = Metrics()
    metrics.llm_call("answered", 1200, 300, 0.0125)
    metrics.llm_call("away")
    metrics.llm_facts(7, ["quote", "order", "quote"])
    metrics.llm_state(2, {"tokens_per_hour": 98_500, "cost": 4.5})
    metrics.reread_left("main", 12)  # type: ignore[arg-type]  # a tenant
    said = parse(served(metrics))
    assert said.reread_left == 12
    assert said.model == ModelUse(
        {"answered": 1, "away": 1}, 1200, 300, 0.0125, 7, {"order": 1, "quote": 2}, 2, {"tokens_per_hour": 98_500, "cost": 4.5}
    )
    line = _model_line(said.model)
    assert line.plain == (
        "Language model: calls 1 answered, 1 away; tokens 1200 in, 300 out, cost 0.0125; facts 7 kept, 3 dropped (order 1, quote 2); "
        "left of tokens_per_hour 98500, cost 4.5; left alone for a while"
    )
    assert line.style == "yellow"


def test_a_budget_that_is_used_up_is_told_before_any_call() -> None:
    metrics = Metrics()
    metrics.llm_state(0, {"calls": 0})
    said = parse(served(metrics)).model
    assert said is not None
    assert _model_line(said).plain.startswith("Language model: calls none; tokens 0 in")
    assert _model_line(said).style == "yellow"
