"""What comes from data steers no terminal, in no form of output."""

from typing import Any

import orjson
import pytest
from rich.table import Table
from rich.text import Text

from flows.cli_output import cause, err, flat, harmless, headline, out, places, print_json
from schemas.ids import Audience, RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Record, Status, Support
from schemas.transition import Cause

STEERING = [*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
ATTACK = "quay" + "".join(map(chr, STEERING)) + "\x1b]0;title\x07\x1b[2J\x9b31m" + "\u202e7"


def _steers(shown: str) -> set[str]:
    return set(shown) & set(map(chr, STEERING))


def _record(**fields: Any) -> Record:
    wanted: dict[str, Any] = {
        "id": RecordId("r" * 32),
        "tenant": Tenant("main"),
        "kind": Kind.NUGGET,
        "audience": Audience("*"),
        "text": "Quay 7 opens at dawn",
        "belief": Belief.BELIEVED,
        "reason": "current",
        "valid_from": Instant(100),
        "valid_to": FOREVER,
        "said_at": Instant(100),
        "version": 1,
        "sequence": 1,
        "recorded_at": Instant(1_000),
    }
    return Record(**{**wanted, **fields})


@pytest.mark.parametrize("code", STEERING)
def test_each_character_that_steers_a_terminal_is_replaced(code: int) -> None:
    assert harmless(f"a{chr(code)}b") == "a\ufffdb"


@pytest.mark.parametrize("text", ["", "plain", "two\nlines\tand a tab", "中文 é \U0001f6a2 שלום", "\u200d"])
def test_what_people_write_is_shown_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_no_part_of_a_record_steers_the_terminal() -> None:
    record = _record(text=ATTACK, reason=ATTACK)
    place = Support(ATTACK, ATTACK, "u", 0, 1, Instant(0))
    lines = [headline(record, Status.DEPRECATED), *places([(place, ATTACK, None)], 2)]
    assert all("quay" in line.plain and not _steers(line.plain) for line in lines)
    assert not _steers(flat(ATTACK, 300))
    said = Cause(kind="put", source=ATTACK, document=ATTACK, author=ATTACK, at=Instant(0))
    assert not _steers(cause(said))


def test_a_place_and_a_cause_are_one_line_whatever_they_are_called() -> None:
    place = Support("wiki", "quay\nnotes", "u", 0, 1, Instant(0))
    assert [line.plain for line in places([(place, "", None)], 0)] == ["wiki/quay notes"]
    assert "\n" not in cause(Cause(kind="put", source="wiki", document="quay\nnotes", author="a\tb", at=Instant(0)))


def test_a_place_in_a_document_with_pages_is_cited_by_page() -> None:
    place = Support("files", "manual.pdf", "u", 0, 1, Instant(0))
    found = [(place, "old", (3, 3)), (place, "old", (3, 4)), (place, "old", (3, 3))]
    assert [line.plain for line in places(found, 0)] == ["files/manual.pdf, p. 3: “old”", "files/manual.pdf, pp. 3-4: “old”"]


@pytest.mark.parametrize("console", [out, err])
def test_whatever_a_command_prints_reaches_the_terminal_without_steering_it(console: Any, capfd: pytest.CaptureFixture[str]) -> None:
    table = Table()
    table.add_column(ATTACK)
    table.add_row(Text(ATTACK))
    for printed in (ATTACK, Text(ATTACK), table):
        console().print(printed)
    shown = "".join(capfd.readouterr())
    assert "quay" in shown
    assert not _steers(shown)


def test_json_is_the_same_value_and_steers_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    value = {ATTACK: [ATTACK, "two\nlines", "中文"]}
    print_json(value)
    shown = capfd.readouterr().out
    assert orjson.loads(shown) == value
    assert not _steers(shown)
    assert shown.count("\n") == 1
    assert "中文" in shown
