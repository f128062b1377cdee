"""Labels: sentences with the facts that a careful reader takes from them, written by hand (bench/labels/prose, a file for each domain and language).

The halves follow from the number of a sentence: odd ones are for tuning the rules, even ones are held back.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from derive.dates.time import iso_moment

FOLDER = Path(__file__).resolve().parents[1] / "labels" / "prose"
DOMAINS = ("software", "company", "harbour", "public", "law")
LANGUAGES = ("en", "zh")
TUNE: Final = "tune"
HELD: Final = "held"
WRITTEN = "2024-06-15"
"""The date of a document that gives none."""
TAGS = frozenset(
    "active passive apposition copula conjunction relative list definition pronoun possessive role qualifier number+unit"
    " date-start date-end interval relative-date no-longer negation planned possible obligation reported quotation question conditional"
    " procedure mixed trap".split()
)
_ID = re.compile(rf"(?P<domain>{'|'.join(DOMAINS)})-(?P<language>{'|'.join(LANGUAGES)})-(?P<number>\d\d)")


class BadLabels(ValueError):
    """Labels that cannot be used; names the file, the sentence and what is wrong with it."""


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Spellings: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)]
"""Wordings that are equally right, the best one first; in the files a single one is written as a text."""


class Expected(BaseModel):
    """One fact that a careful reader takes from a sentence.

    `start` and `end` are ISO dates as granular as they are said, "" for none; an end includes the period that it names. `scope` holds the words that
    must be kept as a qualifier ("acting"). `ended`: it was true and is so no longer, which may be said as a negation or as an end; `end` is then the
    date of the change. Facts of a sentence that share `either` are wordings of one: any of them is enough. What is `optional` is right if it is
    found and not missed if it is not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    subject: Spellings
    predicate: Spellings
    object: Spellings
    negated: bool = False
    ended: bool = False
    start: Spellings = ("",)
    end: Spellings = ("",)
    scope: tuple[str, ...] = ()
    either: str = ""
    optional: bool = False

    @field_validator("start", "end")
    @classmethod
    def _dated(cls, dates: tuple[str, ...]) -> tuple[str, ...]:
        for date in filter(None, dates):
            iso_moment(date)
        return dates

    @model_validator(mode="after")
    def _consistent(self) -> "Expected":
        if self.ended and self.negated:
            message = "what is ended is not negated too"
            raise ValueError(message)
        return self

    @property
    def dated(self) -> bool:
        """Whether the sentence gives it a validity that must not be missed."""
        return "" not in self.start or "" not in self.end


class Sentence(BaseModel):
    """A sentence, or two where one refers to the other, with what it states.

    `facts` is empty where nothing is stated that may be believed: plans, possibilities, what others say, questions, conditions, instructions.
    `unsaid` are statements of a sentence that must not be believed although it states others. `title` and `date` are those of its document.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    tags: tuple[str, ...] = Field(min_length=1)
    text: str = Field(min_length=1)
    facts: tuple[Expected, ...]
    unsaid: tuple[Expected, ...] = ()
    title: str = ""
    date: str = WRITTEN

    @field_validator("id")
    @classmethod
    def _named(cls, value: str) -> str:
        if not _ID.fullmatch(value):
            message = f"{value!r} is not domain-language-number"
            raise ValueError(message)
        return value

    @field_validator("tags")
    @classmethod
    def _known(cls, tags: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := sorted(set(tags) - TAGS):
            message = f"unknown tags {', '.join(unknown)}"
            raise ValueError(message)
        return tags

    @field_validator("date")
    @classmethod
    def _day(cls, value: str) -> str:
        iso_moment(value)
        return value

    @model_validator(mode="after")
    def _grounded(self) -> "Sentence":
        said = _plain(f"{self.title} {self.text}")
        for fact in (*self.facts, *self.unsaid):
            for spelling in (fact.subject[0], fact.object[0]):
                if _plain(spelling) not in said:
                    message = f"{spelling!r} is neither in the text nor in the title"
                    raise ValueError(message)
        for group, count in Counter(fact.either for fact in self.facts if fact.either).items():
            if count == 1:
                message = f"only one fact has either = {group!r}"
                raise ValueError(message)
        return self

    @property
    def domain(self) -> str:
        """What it is about."""
        return self._part("domain")

    @property
    def language(self) -> str:
        """The language that it is written in."""
        return self._part("language")

    @property
    def half(self) -> Literal["tune", "held"]:
        """The half that it is in."""
        return TUNE if int(self._part("number")) % 2 else HELD

    @property
    def asserts(self) -> bool:
        """Whether anything in it must be found."""
        return any(not fact.optional for fact in self.facts)

    def _part(self, name: str) -> str:
        found = _ID.fullmatch(self.id)
        assert found is not None
        return found[name]


def labels(folder: Path = FOLDER) -> tuple[Sentence, ...]:
    """Return all sentences, by file and number; BadLabels names the first that is wrong."""
    found = tuple(sentence for path in sorted(folder.glob("*.toml")) for sentence in _of_file(path))
    if not found:
        message = f"{folder}: no sentences"
        raise BadLabels(message)
    return found


def _of_file(path: Path) -> Iterator[Sentence]:
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("sentence", [])
    except tomllib.TOMLDecodeError as err:
        message = f"{path.name}: no TOML: {err}"
        raise BadLabels(message) from err
    for number, entry in enumerate(entries, start=1):
        yield _read(path, number, entry)


def _read(path: Path, number: int, entry: Mapping[str, object]) -> Sentence:
    domain, language, *_ = path.name.split(".")
    wanted = f"{domain}-{language}-{number:02d}"
    name = f"{path.name}: {entry.get('id', f'sentence {number}')}"
    if entry.get("id") != wanted:  # so that none is there twice, and none changes its half
        message = f"{name}: the id must be {wanted}"
        raise BadLabels(message)
    try:
        return Sentence.model_validate(entry)
    except ValidationError as err:
        first = err.errors()[0]
        message = f"{name}: {'.'.join(map(str, first['loc'])) or 'sentence'}: {first['msg']}"
        raise BadLabels(message) from err


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
