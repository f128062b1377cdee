"""What the demo shows: statuses, causes and counts in words, on a terminal and as lines."""

from dataclasses import replace

from rich.console import Console, RenderableType

from flows.demo.live import line, live
from flows.demo.questions import Pattern, Question
from flows.demo.replay import Progress
from flows.demo.telling import told
from flows.demo.view import transition
from flows.demo.watch import Notebook, notable
from retrieval.filter import PUBLIC, View
from schemas.ids import RecordId, Tenant
from schemas.instant import FOREVER, Instant
from schemas.record import Belief, Kind, Status
from schemas.transition import Cause, State, Transition

JANUARY, MARCH = Instant(1_704_067_200_000), Instant(1_709_251_200_000)
HOLDS = State(Status.ACTIVE, Belief.BELIEVED, "current", JANUARY, FOREVER)
ENDED = State(Status.DEPRECATED, Belief.BELIEVED, "succeeded", JANUARY, MARCH)
DISPUTED = State(Status.CONTESTED, Belief.DISPUTED, "rivals", MARCH, FOREVER)
EDIT = Cause("put", "wiki", "notices", "2", MARCH, "Dilys Thorne", "wiki.changes:0:7")


def moved(sequence: int, text: str, before: State | None, after: State | None, kind: Kind = Kind.NUGGET) -> Transition:
    return Transition(Tenant("main"), sequence, RecordId("r"), kind, text, before, after, (EDIT,), MARCH)


ENDING = moved(3, "Hedda Quill heads the Gate Crew.", HOLDS, ENDED)


def shown(renderable: RenderableType) -> str:
    console = Console(width=140, force_terminal=False)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


def test_a_transition_says_what_was_what_is_why_and_by_whom() -> None:
    what, why = (line.plain for line in transition(ENDING))
    assert "Active → Deprecated  Hedda Quill heads the Gate Crew." in what
    assert "succeeded, 2024-01-01 to 2024-03-01; caused by put of wiki/notices, version 2 by Dilys Thorne, 2024-03-01" in why


def test_what_comes_as_active_or_goes_is_not_notable_but_a_change_of_status_is() -> None:
    assert notable(ENDING)
    assert notable(moved(1, "x", None, DISPUTED))
    assert not notable(moved(1, "x", None, HOLDS))
    assert not notable(moved(1, "x", HOLDS, None))
    assert not notable(moved(1, "x", HOLDS, ENDED, Kind.UNIT))


def test_both_displays_count_records_by_their_present_status() -> None:
    notebook = Notebook()
    notebook.transitions([moved(1, "a", None, HOLDS), moved(2, "b", None, HOLDS), ENDING])
    progress = Progress(3, 9, MARCH, notebook.sight())
    assert "nuggets: 1 Active, 1 Deprecated, 0 Contested; latest: Hedda Quill heads the Gate Crew. Active → Deprecated" in line(progress)
    text = shown(live(progress, 2.0))
    assert "0 of 9 changes searchable" in text
    assert "Hedda Quill heads the Gate Crew." in text


def test_the_transitions_told_are_those_that_the_questions_turn_on() -> None:
    question = Question("t", "Who?", "w", None, View.FULL, PUBLIC, (Pattern("Hedda Quill"),), ())
    others = [moved(number, f"Ticket {number} is open.", HOLDS, ENDED) for number in (4, 5, 6)]
    back = moved(9, "Hedda Quill heads the Gate Crew.", ENDED, HOLDS)
    told_of = told([*others, replace(ENDING, sequence=7), moved(8, "new", None, HOLDS), back], [question])
    assert [one.sequence for one in told_of[Status.DEPRECATED]] == [4, 7]
    assert [one.sequence for one in told_of[Status.ACTIVE]] == [9]
    assert told_of[Status.CONTESTED] == []
