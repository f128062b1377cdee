"""What the demo has to tell, and its form in JSON."""

from dataclasses import asdict, dataclass

import orjson

from flows.demo.answers import Answer, Premise
from flows.demo.replay import Freshness
from flows.demo.watch import Sight
from schemas.deadletter import DeadLetter
from schemas.instant import iso
from schemas.record import Record, Status
from schemas.transition import Transition
from state.reader import Quote


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a demo. `premises` are what the bridge follows from; `seconds` is the length of the replay."""

    sight: Sight
    seconds: float
    freshness: Freshness
    told: dict[Status, list[Transition]]
    answers: list[Answer]
    bridge: Record | None
    premises: list[Premise]
    letters: list[DeadLetter]

    @property
    def unexpected(self) -> int:
        """How many answers are not as expected."""
        return sum(bool(answer.differences) for answer in self.answers)


def report_json(report: Report) -> str:
    """Return a report as one JSON object."""
    plain = {
        "changes": report.sight.done,
        "seconds": round(report.seconds, 3),
        "receipts": dict(report.sight.outcomes),
        "records": [{"kind": kind, "status": status, "count": count} for (kind, status), count in sorted(report.sight.records.items())],
        "freshness_ms": {"p50": round(1000 * report.freshness.p50, 1), "p99": round(1000 * report.freshness.p99, 1)},
        "transitions": {status: [asdict(one) for one in some] for status, some in report.told.items()},
        "bridge": _bridge(report),
        "answers": [_answer(answer) for answer in report.answers],
        "unexpected": report.unexpected,
        "dead_letters": [{"document": letter.document, "position": str(letter.position), "reason": letter.reason} for letter in report.letters],
    }
    return orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS).decode()


def _bridge(report: Report) -> dict[str, object] | None:
    if report.bridge is None:
        return None
    supports = [{"text": premise.record.text, "sources": _sources(premise.quotes)} for premise in report.premises]
    return {"text": report.bridge.text, "reasoning": report.bridge.predicate, "entity": report.bridge.subject, "supports": supports}


def _answer(answer: Answer) -> dict[str, object]:
    hits = [
        {
            "record": hit.record.id,
            "text": hit.record.text,
            "kind": hit.record.kind,
            "status": hit.status,
            "reason": hit.record.reason,
            "valid_from": iso(hit.record.valid_from),
            "valid_to": iso(hit.record.valid_to),
            "rivals": [rival.text for rival in hit.rivals],
            "sources": _sources(quotes),
        }
        for hit, quotes in zip(answer.hits, answer.quotes, strict=True)
    ]
    return {
        "topic": answer.question.topic,
        "ask": answer.question.ask,
        "at": iso(answer.at),
        "view": answer.question.view,
        "as_expected": not answer.differences,
        "differences": answer.differences,
        "hits": hits,
    }


def _sources(quotes: tuple[Quote, ...]) -> list[dict[str, str]]:
    return [{"document": f"{quote.support.source}/{quote.support.document}", "quote": quote.words} for quote in quotes]
