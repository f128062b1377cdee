"""Acceptance cases about what a page says of its own state: C37 to C39."""

from dataclasses import replace

from schemas.record import Belief, Kind, Status
from schemas.vocabulary import Vocabulary, shipped
from tests.cases.conftest import Open
from tests.cases.desk import Desk, Work, day

NINETY, SEVENTY_FIVE = "The night ferry carries 90 cars.", "The night ferry carries 75 cars."


def page(number: int, state: str, title: str = "Winter Moorings", **more: str) -> str:
    """Return a proposal with its headers."""
    headers = {"Proposal": str(number), "Title": title, "State": state} | {key.replace("_", " "): value for key, value in more.items()}
    return "\n".join(f"{key}: {value}" for key, value in headers.items()) + f"\n\nThe berths of Tarn Works are numbered anew by proposal {number}.\n"


def propose(desk: Desk, order: int, at: str, body: str, document: str = "proposal") -> Work:
    return desk.put(document, order, body, at, media_type="text/plain")


def states(desk: Desk, at: str = "") -> dict[str, Status]:
    """Return the status of every state that the proposal has been in."""
    return {record.object: desk.status(record.text, at) for record in desk.about("proposal", "state")}


TIMES = ("2024-03-01T10:00:00Z", "2024-03-05T12:00:00Z", "2024-03-05T13:40:00Z", "2024-03-12T13:40:00Z", "2024-05-01T00:00:00Z")


def test_c37_a_state_that_is_taken_back_within_two_hours_is_an_interval_like_any_other(desk: Desk) -> None:
    works = [propose(desk, order, at, page(41, state)) for order, (at, state) in enumerate(zip(TIMES, IN_TURN, strict=True), start=1)]
    runs = desk.about("proposal", "state")
    assert [(run.object, run.valid_from) for run in runs] == [(state, day(at)) for state, at in zip(IN_TURN, TIMES, strict=True)]
    assert [run.valid_to for run in runs[:-1]] == [day(at) for at in TIMES[1:]]
    assert [run.status for run in runs] == [Status.DEPRECATED] * 4 + [Status.ACTIVE]
    assert {run.belief for run in runs} == {Belief.BELIEVED}
    assert [work.extract for work in works] == [1, 0, 0, 0, 0]


IN_TURN = ("draft", "accepted", "draft", "accepted", "final")


def test_c37_in_prose_what_is_reverted_within_the_window_is_corrected(desk: Desk) -> None:
    desk.put("ferry", 1, NINETY, TIMES[0])
    desk.put("ferry", 2, SEVENTY_FIVE, TIMES[1])
    assert desk.put("ferry", 3, NINETY, TIMES[2]).extract == 0
    assert (desk.nugget(SEVENTY_FIVE).belief, desk.nugget(SEVENTY_FIVE).reason) == (Belief.REJECTED, "corrected")
    assert (desk.nugget(NINETY).valid_from, desk.nugget(NINETY).status) == (day(TIMES[0]), Status.ACTIVE)
    assert desk.status(NINETY, at="2024-03-05T13:00:00Z") == Status.ACTIVE


def test_c38_a_reversed_decision_ends_the_old_one_and_a_new_title_changes_no_identity(desk: Desk) -> None:
    propose(desk, 1, "2021-06-01", page(8, "rejected"))
    before = desk.about("proposal", "state")[0]
    propose(desk, 2, "2023-06-01", page(8, "accepted"))
    propose(desk, 3, "2023-06-01T15:00:00Z", page(8, "accepted", title="Berths of Tarn Works"))
    propose(desk, 4, "2024-01-10", page(8, "final", title="Berths of Tarn Works"))
    rejected, accepted, final = desk.about("proposal", "state")
    assert (rejected.object, rejected.status, rejected.valid_to) == ("rejected", Status.DEPRECATED, day("2023-06-01"))
    assert (accepted.valid_from, accepted.valid_to) == (day("2023-06-01"), day("2024-01-10"))
    assert (final.object, final.status) == ("final", Status.ACTIVE)
    assert (rejected.id, rejected.entities, rejected.documents) == (before.id, before.entities, before.documents)
    assert [(run.object, run.status) for run in desk.about("proposal", "title")] == [
        ("Winter Moorings", Status.DEPRECATED),
        ("Berths of Tarn Works", Status.ACTIVE),
    ]


def odd(desk: Desk) -> None:
    """Take a page that names its successor and still calls itself accepted."""
    propose(desk, 1, "2023-01-10", page(17, "accepted"))
    propose(desk, 2, "2023-06-01", page(17, "accepted", Replaced_by="proposal 52"))


def test_c39_a_page_at_odds_with_itself_is_contested_until_it_says_so_no_longer(desk: Desk) -> None:
    odd(desk)
    assert states(desk, at="2023-05-31") == {"accepted": Status.ACTIVE}
    accepted, (successor,) = desk.about("proposal", "state")[-1], desk.about("proposal", "superseded by")
    assert (accepted.status, successor.status) == (Status.CONTESTED, Status.CONTESTED)
    assert (accepted.rivals, successor.rivals) == ((successor.id,), (accepted.id,))
    propose(desk, 3, "2024-06-01", page(17, "superseded", Replaced_by="proposal 52"))
    assert states(desk) == {"accepted": Status.DEPRECATED, "superseded": Status.ACTIVE}
    assert [(run.belief, run.valid_from, run.valid_to) for run in desk.about("proposal", "state") if run.object == "accepted"] == [
        (Belief.BELIEVED, day("2023-01-10"), day("2023-06-01")),
        (Belief.DISPUTED, day("2023-06-01"), day("2024-06-01")),
    ]
    assert desk.about("proposal", "superseded by")[-1].status == Status.ACTIVE
    assert not [record for record in desk.records(Kind.NUGGET) if record.status == Status.CONTESTED]


def test_c39_without_the_rule_accepted_is_active_until_the_page_says_otherwise(opened: Open) -> None:
    desk = opened(vocabulary=_without_exclusions(shipped()))
    odd(desk)
    assert states(desk) == {"accepted": Status.ACTIVE}
    propose(desk, 3, "2024-06-01", page(17, "superseded", Replaced_by="proposal 52"))
    assert states(desk) == {"accepted": Status.DEPRECATED, "superseded": Status.ACTIVE}
    assert [run.belief for run in desk.about("proposal", "state")] == [Belief.BELIEVED, Belief.BELIEVED]


def _without_exclusions(vocabulary: Vocabulary) -> Vocabulary:
    return replace(vocabulary, predicates={name: replace(one, excludes=()) for name, one in vocabulary.predicates.items()})
