"""One `millstream up` and every command beside it: what was fed is asked, looked into, corrected; and all of it is there again after a stop."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Command, Follower, Up, until
from tests.sources.repository import Repository

pytestmark = pytest.mark.timeout(300)  # parts start twice, and the language model is loaded with each

CREW = "---\ntitle: Gate Crew\nlead: {lead}\nstatus: active\n---\n\nThe Gate Crew runs the [lock gates](gates.md#north).\n"
CONTROL = "---\ntitle: Harbour Control System\nowner: Gate Crew\naliases: [HCS]\n---\n\nThe Harbour Control System opens the gates on request.\n"
BEFORE, AFTER = "2023-11-14T22:15:30Z", "2023-11-14T22:17:30Z"
"""Between the commits, and behind them; the first one is of 22:14:20."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("harbour")


@pytest.fixture(scope="module")
def wiki(home: Path) -> Iterator[Repository]:
    with Repository(home / "wiki") as repository:
        repository.commit({"gate-crew.md": CREW.format(lead="Ines Vale")})
        repository.commit({"control.md": CONTROL})
        yield repository


@pytest.fixture(scope="module")
def up(home: Path) -> Iterator[Up]:
    running = Up(home / "data")
    yield running
    running.stop(signal.SIGKILL)


@pytest.fixture
def command(home: Path, up: Up, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(home / "data", capsys)


def texts(answer: Any) -> list[str]:
    return [hit["record"]["text"] for hit in answer["hits"]]


def lead(command: Command, at: str) -> list[str]:
    return [text for text in texts(command.json("ask", "Who leads the Gate Crew?", "--at", at)) if text.startswith("Gate Crew: lead")]


def test_1_before_anything_is_fed_commands_say_so(command: Command) -> None:
    status = command.json("status")
    assert (status["running"], status["sequence"], status["records"]) == (True, 0, [])
    assert {one["watermark"] for one in status["partitions"]} <= {-1}
    for words in (["ask", "Who?"], ["show", "12ab"], ["entity", "Gate Crew"], ["dead-letters", "list"]):
        said = command(*words)
        assert said.code == 2
        assert "nothing was indexed for this tenant yet" in said.err


def test_2_a_history_is_fed_and_searchable_when_the_feed_returns(command: Command, wiki: Repository) -> None:
    said = command("feed", "git", str(wiki.path), "--wait")
    assert said.code == 0, said.err
    assert "2 messages to git.changes" in said.out
    assert lead(command, AFTER) == ["Gate Crew: lead: Ines Vale"]
    wiki.commit({"gate-crew.md": CREW.format(lead="Tom Ashby")})
    fed = command.json("feed", "git", str(wiki.path), "--wait")
    assert (fed["done"], fed["total"], fed["messages"], fed["searchable"]) == (3, 3, 1, True)
    assert lead(command, AFTER) == ["Gate Crew: lead: Tom Ashby"]
    assert lead(command, BEFORE) == ["Gate Crew: lead: Ines Vale"]
    assert command.json("feed", "git", str(wiki.path)) == {"topic": "git.changes", "messages": 0, "searchable": False}


def test_3_an_answer_says_what_it_is_and_where_it_comes_from(command: Command) -> None:
    said = command("ask", "Who leads the Gate Crew?", "--at", AFTER, "--k", "3")
    assert said.code == 0, said.err
    assert "Active     nugget  Gate Crew: lead: Tom Ashby  since 2023-11-14T22:16:20Z" in said.out
    assert "git/gate-crew.md: “lead: Tom Ashby”" in said.out
    hit = next(hit for hit in command.json("ask", "Who leads the Gate Crew?")["hits"] if hit["record"]["text"] == "Gate Crew: lead: Tom Ashby")
    assert (hit["status"], hit["quotes"], hit["rivals"]) == ("Active", ["lead: Tom Ashby"], [])
    assert hit["record"]["provenance"][0]["document"] == "gate-crew.md"


def test_3_between_two_times_both_values_answer_and_before_anything_was_known_none(command: Command) -> None:
    both = command.json("ask", "Who leads the Gate Crew?", "--between", BEFORE, AFTER)
    assert {"Gate Crew: lead: Ines Vale", "Gate Crew: lead: Tom Ashby"} <= set(texts(both))
    assert f"between {BEFORE} and {AFTER}" in command("ask", "Who leads the Gate Crew?", "--between", BEFORE, AFTER).out
    early = command("ask", "Who leads the Gate Crew?", "--at", AFTER, "--known-at", AFTER)
    assert f"as of {AFTER}, as known on {AFTER}" in early.out
    assert "nothing is known about that as of then" in early.out
    refused = command("ask", "Who leads the Gate Crew?", "--at", AFTER, "--between", BEFORE, AFTER)
    assert (refused.code, "--at and --between exclude each other" in refused.err) == (2, True)
    assert "--known-at: 'soon' is no time" in command("ask", "Who leads the Gate Crew?", "--known-at", "soon").err


def test_4_a_view_shows_what_held_and_holds_no_more(command: Command) -> None:
    everything = command.json("ask", "Who leads the Gate Crew?", "--view", "all")
    found = {hit["record"]["text"]: hit["status"] for hit in everything["hits"]}
    assert found["Gate Crew: lead: Ines Vale"] == "Deprecated"
    assert found["Gate Crew: lead: Tom Ashby"] == "Active"
    assert "Gate Crew: lead: Ines Vale" not in texts(command.json("ask", "Who leads the Gate Crew?", "--view", "active"))


def test_5_an_answer_up_to_a_position_is_given_or_refused(command: Command) -> None:
    assert command("ask", "Who leads the Gate Crew?", "--position", "git.changes:0:2").code == 0
    said = command("ask", "Who leads the Gate Crew?", "--position", "git.changes:0:9")
    assert said.code == 1
    assert "complete up to git.changes:0:2, which is 7 behind git.changes:0:9" in said.err


def test_6_a_record_shows_its_span_its_versions_and_the_cause_of_every_transition(command: Command) -> None:
    (old,) = [fact for fact in command.json("entity", "Gate Crew")["entities"][0]["facts"] if "Ines Vale" in fact["text"]]
    said = command("show", old["id"][:12])
    assert said.code == 0, said.err
    assert "“lead: Ines Vale”  characters" in said.out
    assert "Active → Deprecated  ended" in said.out
    assert "put of git/gate-crew.md, version 2 by Orla Finch, 2023-11-14T22:16:20Z (git.changes:0:2)" in said.out
    shown = command.json("show", old["id"])
    assert [one["after"]["status"] for one in shown["transitions"]] == ["Active", "Deprecated"]
    assert shown["quotes"] == ["lead: Ines Vale"]
    assert command.json("show", f"{old['id']}.1")["record"]["valid_to"] > old["valid_to"]


def test_6_a_unit_shows_what_it_links_to(command: Command) -> None:
    (old,) = [fact for fact in command.json("entity", "Gate Crew")["entities"][0]["facts"] if "Ines Vale" in fact["text"]]
    unit = command.json("show", old["id"])["record"]["provenance"][0]["unit"]
    assert command.json("show", unit)["links"] == ["gates.md"]
    assert "links to   gates.md" in command("show", unit).out
    assert command.json("show", old["id"])["links"] == []


def test_7_a_bridge_shows_what_it_follows_from(command: Command) -> None:
    bridge = command.json("entity", "gate crew")["entities"][0]["bridges"][0]
    shown = command.json("show", bridge["id"])
    assert len(shown["premises"]) == 2
    assert {support["document"] for support in shown["record"]["provenance"]} == {"control.md", "gate-crew.md"}
    said = command("show", bridge["id"])
    assert "Follows from (2)" in said.out


def test_8_an_entity_shows_its_names_facts_and_bridges(command: Command) -> None:
    said = command("entity", "HCS")
    assert said.code == 0, said.err
    assert said.out.startswith("Harbour Control System  entity ")
    assert "declared by git/control.md" in said.out
    assert "Harbour Control System: owner: Gate Crew" in said.out
    assert "Bridges (" in said.out
    one = command.json("entity", "HCS", "--limit", "1")["entities"][0]
    assert len(one["facts"]) == 1 <= one["fact_count"]
    assert command("entity", "HCS", "--reader", "crew").code == 0


def test_9_dead_letters_are_listed_shown_and_replayed_corrected(command: Command, home: Path) -> None:
    lines = home / "bad.jsonl"
    bad = {"id": "gate-log", "order": "first", "body": "---\ntitle: Gate Log\nowner: Gate Crew\n---\n"}
    lines.write_text("\n".join(json.dumps(one) for one in (bad, [{"id": ""}, {"id": "x", "kind": "fly"}])))
    assert command.json("feed", "file", str(lines), "--wait")["searchable"] is True
    listed = command("dead-letters", "list")
    assert "wiki.changes:0:0  wiki/gate-log  step decode" in listed.out
    assert "order: 'first' is not an integer" in listed.out
    assert "wiki.changes:0:1#1" in listed.out
    shown = command("dead-letters", "show", "wiki.changes:0:0")
    assert '"order": "first"' in shown.out
    good = home / "good.json"
    good.write_text(json.dumps({**bad, "order": 1}))
    assert command.json("dead-letters", "replay", "wiki.changes:0:0", "--with", str(good)) == [{"from": "wiki.changes:0:0", "to": "wiki.changes:0:2"}]
    assert {one["position"]["offset"] for one in command.json("dead-letters", "list")} == {1}
    assert [one["replayed"] for one in command.json("dead-letters", "show", "wiki.changes:0:0")] == [True]
    assert until(command, ["entity", "Gate Log"], "Gate Log: owner: Gate Crew")


def test_a_replay_that_is_still_wrong_is_a_dead_letter_anew(command: Command) -> None:
    (sent,) = command.json("dead-letters", "replay", "--all")
    assert sent["from"] == "wiki.changes:0:1"
    until(command, ["dead-letters", "list"], f'"offset":{sent["to"].rpartition(":")[2]}')
    assert len(command.json("dead-letters", "list", "--all")) == 5


def test_b_status_tells_watermark_lag_counts_and_freshness(command: Command) -> None:
    status = command.json("status")
    assert [(one["topic"], one["watermark"], one["unread"]) for one in status["partitions"] if one["watermark"] >= 0] == [
        ("git.changes", 2, 0),
        ("wiki.changes", 3, 0),
    ]
    assert status["freshness"]["since_commit"]["count"] > 0
    assert status["receipts"]["applied"] == 4
    assert status["dead_letters"] == {"waiting": 2, "replayed": 3}
    assert {one["source"]: one["count"] for one in status["documents"]} == {"git": 2, "wiki": 1}
    said = command("status")
    assert "running" in said.out
    assert "Dead letters: 2 waiting, 3 replayed; see `millstream dead-letters list`" in said.out


def test_c_what_cannot_be_done_is_one_line(command: Command, home: Path) -> None:
    for words, expected in (
        (["ask", " "], "the question is empty"),
        (["ask", "Who?", "--at", "yesterday"], "--at: 'yesterday' is no time"),
        (["ask", "Who?", "--tenant", "nobody"], "tenant 'nobody' is not in the settings"),
        (["ask", "Who?", "--position", "here"], "'here' is no position"),
        (["show", "zz"], "'zz' is no record"),
        (["show", "0123456789"], "there is no record '0123456789'"),
        (["entity", "Nobody"], "nothing is called 'Nobody'"),
        (["feed", "git", str(home)], "is no git repository"),
        (["feed", "git", str(home), "--source", "nothing"], "source 'nothing' is not in the settings"),
        (["feed", "git", str(home), "--follow", "--wait"], "nothing to --wait for"),
        (["dead-letters", "show", "wiki.changes:0:77"], "there is no dead letter at wiki.changes:0:77"),
        (["dead-letters", "replay"], "give one POSITION, or --all"),
        (["dead-letters", "replay", "wiki.changes:0:1", "--with", str(home / "none")], "cannot be read"),
        (["up"], "is in use by another Millstream"),
    ):
        said = command(*words)
        assert said.code == 2, words
        assert said.err.count("\n") == 1, said.err
        assert expected in said.err


def test_d_new_commits_are_fed_while_they_come(command: Command, wiki: Repository, up: Up, home: Path) -> None:
    follower = Follower(home / "data", wiki.path)
    wiki.commit({"tide-gauge.md": "---\ntitle: Tide Gauge\nowner: Harbour Control System\n---\n\nThe Tide Gauge stands at the mole.\n"})
    assert json.loads(follower.line())["messages"] == 1
    wiki.commit({"tide-gauge.md": None})
    assert json.loads(follower.line())["messages"] == 2
    assert follower.stop() == 0
    deleted = until(command, ["status"], '"source":"git","live":false,"count":1')
    assert deleted["running"] is True


def test_e_it_stops_cleanly_and_the_index_can_still_be_asked(command: Command, up: Up) -> None:
    assert up.stop(signal.SIGINT) == 0
    for name in ("kafka", "milvus", "metrics"):
        port = int(up.addresses[name].removesuffix("/metrics").rpartition(":")[2])
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0, name
    assert lead(command, AFTER) == ["Gate Crew: lead: Tom Ashby"]
    status = command.json("status")
    assert (status["running"], status["freshness"]["since_commit"]) == (False, None)
    assert command("entity", "Gate Crew").code == 0
    for words in (["feed", "file", os.devnull], ["dead-letters", "replay", "--all"]):
        said = command(*words)
        assert said.code == 1
        assert "nothing runs on" in said.err


def test_f_up_again_on_the_same_data_goes_on(command: Command, home: Path, wiki: Repository) -> None:
    again = Up(home / "data")
    try:
        before = command.json("status")["sequence"]
        assert lead(command, AFTER) == ["Gate Crew: lead: Tom Ashby"]
        wiki.commit({"gate-crew.md": CREW.format(lead="Noor Reyes")})
        fed = command.json("feed", "git", str(wiki.path), "--wait")
        assert fed["done"] == fed["total"] == 6
        assert lead(command, "2030-01-01") == ["Gate Crew: lead: Noor Reyes"]
        assert lead(command, AFTER) == ["Gate Crew: lead: Tom Ashby"]
        assert command.json("status")["sequence"] > before
    finally:
        assert again.stop() == 0
