"""TempReason: questions about a month, and sentences that say from which month to which something held."""

import json
import lzma
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from derive.dates.time import iso_moment
from schemas.instant import Instant

QUESTIONS = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "qa" / "tempreason_l2.jsonl.xz"
_MONTHS = {name: number for number, name in enumerate(("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec").split(), start=1)}
_SENTENCE = re.compile(r"(?P<said>.*?) from (?P<first>\w{3}, \d{4}) to (?P<last>\w{3}, \d{4})\.?")
_ASKED = re.compile(r"in (?P<month>\w{3}, \d{4})\?$")
_STATEMENTS = (
    # (words between the two, the relation, which side the one asked about stands on, the predicate of the reference library)
    (" holds the position of ", "position", "left", "positionHeld"),
    (" is a member of the ", "member", "left", "memberOf"),
    (" is the head coach of ", "coach", "right", "headCoach"),
    (" is the chair of ", "chair", "right", "chair"),
    (" is the head of ", "head", "right", "headOf"),
    (" is owned by ", "owner", "left", "owner"),
    (" plays for ", "team", "left", "playsFor"),
    (" works for ", "employer", "left", "employer"),
    (" attended ", "school", "left", "educatedAt"),
)


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month of a year."""

    year: int
    month: int

    @classmethod
    def of(cls, text: str) -> "Month":
        """Return the month that "Jul, 1979" names."""
        name, year = text.split(", ")
        return cls(int(year), _MONTHS[name])

    @property
    def iso(self) -> str:
        """As ISO writes it: 1979-07."""
        return f"{self.year:04d}-{self.month:02d}"

    @property
    def instant(self) -> Instant:
        """Its first instant."""
        return iso_moment(self.iso).first

    @property
    def after(self) -> "Month":
        """The month after it."""
        return Month(self.year + self.month // 12, self.month % 12 + 1)


@dataclass(frozen=True)
class Statement:
    """One sentence of the data. It holds in every month from `first` to `last`, both included: only so no question is left without its answer."""

    text: str
    subject: str
    relation: str
    value: str
    reference: str
    first: Month
    last: Month

    @classmethod
    def of(cls, text: str) -> "Statement":
        """Read a sentence; ValueError for one of another form."""
        parts = _SENTENCE.fullmatch(text)
        for words, relation, side, reference in _STATEMENTS if parts else ():
            assert parts is not None
            left, found, right = parts["said"].partition(words)
            if found:
                subject, value = (left, right) if side == "left" else (right, left)
                return cls(text, subject, relation, value, reference, Month.of(parts["first"]), Month.of(parts["last"]))
        message = f"{text!r} has none of the forms of the data"
        raise ValueError(message)

    def holds(self, month: Month) -> bool:
        """Whether it holds in a month."""
        return self.first <= month <= self.last


@dataclass(frozen=True)
class Question:
    """A question about a month, its answers, and the statements of its own context, each once."""

    text: str
    month: Month
    answers: tuple[str, ...]
    context: str
    statements: tuple[Statement, ...]

    @cached_property
    def unambiguous(self) -> bool:
        """Whether exactly one statement of the context holds in the month, and it gives an answer."""
        holding = {statement.value for statement in self.statements if statement.holds(self.month)}
        return len(holding) == 1 and self.is_answered(holding)

    def is_answered(self, texts: Iterable[str]) -> bool:
        """Whether some text holds one of the answers."""
        return any(plain(answer) in plain(text) for text in texts for answer in self.answers)


def questions() -> list[Question]:
    """Return the questions in the order of the file."""
    with lzma.open(QUESTIONS, "rt", encoding="utf8") as lines:
        rows = [json.loads(line) for line in lines]
    return [_question(row) for row in rows]


def _question(row: dict[str, object]) -> Question:
    text, answers, context = str(row["question"]), row["answer"], str(row["fact_context"])
    asked = _ASKED.search(text)
    assert asked is not None
    assert isinstance(answers, list)
    lines = dict.fromkeys(line.strip() for line in context.split("\n") if line.strip())
    return Question(text, Month.of(asked["month"]), tuple(map(str, answers)), "\n\n".join(lines), tuple(map(Statement.of, lines)))


def plain(text: str) -> str:
    """Return a text as it is compared: letters and digits, folded, single spaces."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())
