"""The demo asks its questions, and finds the words in the documents that each answer rests on."""

from collections.abc import Sequence
from dataclasses import dataclass

from flows.demo.questions import Question, differences, telling
from retrieval.service import Hit, Search
from schemas.instant import Instant
from schemas.record import Kind, Record
from state.reader import Quote, StoreReader

SHOWN = 3
"""Hits shown per question; ten are looked for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One question with its best hits, the places that each of them rests on, and what about all of its hits is not as expected."""

    question: Question
    at: Instant
    hits: tuple[Hit, ...]
    quotes: tuple[tuple[Quote, ...], ...]
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Premise:
    """One of the nuggets that a bridge follows from, and the places that it rests on."""

    record: Record
    quotes: tuple[Quote, ...]


def ask(search: Search, store: StoreReader, question: Question, now: Instant) -> Answer:
    """Return the answer to a question; one without a time asks about `now`."""
    at = now if question.at is None else question.at
    hits = search.search(question.ask, at, question.view, question.readers)
    shown = tuple(telling(question, hits, SHOWN))
    return Answer(question, at, shown, tuple(tuple(store.quotes(hit.record)) for hit in shown), tuple(differences(question, hits)))


def premises(store: StoreReader, bridge: Record) -> list[Premise]:
    """Return what a bridge follows from."""
    found = store.records(support.record for support in bridge.provenance)
    return [Premise(record, tuple(store.quotes(record))) for record in found]


def bridge_of(answers: Sequence[Answer]) -> Record | None:
    """Return the bridge that the demo tells of: one that a question expected, else the first that answered anything."""
    bridges = [(answer, hit) for answer in answers for hit in answer.hits if hit.record.kind is Kind.BRIDGE]
    wanted = [hit for answer, hit in bridges if any(pattern.kind is Kind.BRIDGE and pattern.fits(hit) for pattern in answer.question.expect)]
    return next(iter([hit.record for hit in (*wanted, *(hit for _, hit in bridges))]), None)
