"""Metrics are a contract: names, bounded labels, and numbers that survive a restart."""

import re
import urllib.request
from pathlib import Path

import pytest

from connectors.kafka_source import Progress
from connectors.metrics import HELP, MOST_REASONS, Metrics
from schemas.errors import BadSettings
from schemas.ids import RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Status
from schemas.transition import State, Transition
from tests.flow.rig import Crash, Rig, delete, put, striking, topic_of


def _transition(reason: str) -> Transition:
    after = State(Status.ACTIVE, Belief.BELIEVED, reason, Instant(0), FOREVER)
    return Transition(Tenant("t"), 1, RecordId("r"), Kind.NUGGET, "text", None, after, (), Instant(0))


def _records(rig: Rig) -> dict[str, float]:
    (family,) = [family for family in rig.metrics.registry.collect() if family.name == "millstream_records"]
    return {sample.labels["status"]: sample.value for sample in family.samples}


def test_every_metric_that_is_served_is_in_the_contract_and_all_of_the_contract_is_served() -> None:
    with Metrics().served("127.0.0.1", 0) as port, urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    assert set(re.findall(r"# TYPE (\S+)", text)) == set(HELP)


def test_metrics_are_served_on_a_free_port_only() -> None:
    with Metrics().served("127.0.0.1", 0) as port, pytest.raises(BadSettings, match=r"metrics\.port"), Metrics().served("127.0.0.1", port):
        pass


def test_reasons_stay_bounded() -> None:
    metrics = Metrics()
    metrics.transitions([_transition(f"reason {number}") for number in range(MOST_REASONS + 10)])
    assert metrics.registry.get_sample_value("millstream_transitions_total", {"from": "absent", "to": "Active", "reason": "other"}) == 10


def test_lag_is_what_is_unread_and_has_an_age_only_then() -> None:
    metrics = Metrics()
    labels = {"topic": "t", "partition": "0"}
    metrics.progress(Progress("t", 0, 3, 10, Instant(0)))
    assert metrics.registry.get_sample_value("millstream_lag_messages", labels) == 7
    assert (metrics.registry.get_sample_value("millstream_lag_seconds", labels) or 0) > 1_000_000
    metrics.progress(Progress("t", 0, 10, 10, Instant(0)))
    assert metrics.registry.get_sample_value("millstream_lag_messages", labels) == 0
    assert metrics.registry.get_sample_value("millstream_lag_seconds", labels) == 0


def test_records_are_counted_by_status_also_after_a_crash_and_a_restart(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    messages = topic_of("wiki.changes:0", *(put(f"page {number}", 1, "text") for number in range(20)), delete("page 3", 2), put("page 4", 2, "other"))
    with pytest.raises(Crash):
        rig.run(messages, fault=striking("commit-emit", 3))
    rig.metrics = Metrics()
    rig.run(messages)
    assert _records(rig) == {"Active": 19}
    rig.metrics = Metrics()
    rig.run([*messages, *topic_of("other.changes:0", put("b", 1, "b"))])
    assert _records(rig) == {"Active": 20}
    assert rig.metrics.registry.get_sample_value("millstream_epoch_seconds_count") == 0


def test_an_epoch_is_timed_by_one_partition() -> None:
    metrics = Metrics()
    for part in ("t:0", "t:1", "t:0", "t:1", "t:0"):
        metrics.epoch(part)
    assert metrics.registry.get_sample_value("millstream_epoch_seconds_count") == 2
