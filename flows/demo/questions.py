"""The demo's questions, and whether an answer is the expected one."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from retrieval.filter import PUBLIC, View, view_named
from retrieval.service import Hit
from schemas.errors import BadSettings, Problem
from schemas.instant import Instant, from_datetime
from schemas.record import Kind, Status


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a hit may look like: a text that it contains, and perhaps its status at the asked time and its kind."""

    text: str
    status: Status | None = None
    kind: Kind | None = None

    def fits(self, hit: Hit) -> bool:
        """Return whether a hit looks like this."""
        said = self.text.casefold() in hit.record.text.casefold()
        return said and self.status in (None, hit.status) and self.kind in (None, hit.record.kind)

    def __str__(self) -> str:
        """Return the pattern as people read it."""
        marks = [mark for mark in (self.status, self.kind) if mark]
        return f"{self.text!r}" + (f" ({', '.join(marks)})" if marks else "")


@dataclass(frozen=True, slots=True)
class Question:
    """One question; `at` None asks about now. Every pattern of `expect` and none of `refuse` must fit a hit."""

    topic: str
    ask: str
    why: str
    at: Instant | None
    view: View
    readers: frozenset[str]
    expect: tuple[Pattern, ...]
    refuse: tuple[Pattern, ...]


def load(path: Path) -> list[Question]:
    """Return the questions of a file; one that is not understood is BadSettings."""
    try:
        plain = tomllib.loads(path.read_text("utf-8"))
        return [_question(entry) for entry in plain["question"]]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, Problem) as err:
        message = f"{path}: {type(err).__name__}: {err}; demo/README.md and the head of the file say what a question holds"
        raise BadSettings(message) from err


def differences(question: Question, hits: Sequence[Hit]) -> list[str]:
    """Return what about an answer is not as expected, in words; nothing if all of it is."""
    missing = [f"expected {pattern}" for pattern in question.expect if not any(map(pattern.fits, hits))]
    return missing + [f"did not expect {pattern}" for pattern in question.refuse if any(map(pattern.fits, hits))]


def telling(question: Question, hits: Sequence[Hit], most: int) -> list[Hit]:
    """Return at most so many hits, in their order: those that were expected or refused, then those of a kind that was expected, then the best."""
    patterns = (*question.expect, *question.refuse)
    kinds = {pattern.kind for pattern in question.expect}

    def rank(hit: Hit) -> int:
        return 0 if any(pattern.fits(hit) for pattern in patterns) else 1 if hit.record.kind in kinds else 2

    chosen = sorted(hits, key=rank)[:most]
    return [hit for hit in hits if hit in chosen]


def _question(entry: Mapping[str, Any]) -> Question:
    return Question(
        topic=entry["topic"],
        ask=entry["ask"],
        why=entry["why"],
        at=_instant(entry["at"]) if "at" in entry else None,
        view=view_named(entry.get("view", View.FULL)),
        readers=frozenset(entry.get("readers", PUBLIC)),
        expect=_patterns(entry.get("expect", ())),
        refuse=_patterns(entry.get("refuse", ())),
    )


def _patterns(entries: Iterable[Mapping[str, str]]) -> tuple[Pattern, ...]:
    return tuple(
        Pattern(entry["text"], Status(entry["status"]) if "status" in entry else None, Kind(entry["kind"]) if "kind" in entry else None)
        for entry in entries
    )


def _instant(value: date | datetime) -> Instant:
    """Return a TOML date (its midnight) or time, UTC unless it says otherwise."""
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day, tzinfo=UTC)
    return from_datetime(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
