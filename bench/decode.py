"""Decode: small native changes per second through the adapter, one core; the best of three rounds.

python bench/decode.py
"""

import json
import sys
import time
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from connectors.sources.native import NativeAdapter  # the bench also runs where Millstream is not installed
from connectors.sources.settings import SourceSettings
from schemas.ids import Source, Tenant
from schemas.instant import Instant
from schemas.message import Message

COUNT = 30_000
FIELDS = {"time": "2024-05-01T12:30:00+02:00", "title": "North Quay", "path": "harbour/quay.md", "author": "Orla Finch"}


def messages(body: str) -> list[Message]:
    """Return puts with this body and all common fields."""
    values = (orjson.dumps({"id": f"quay-{number}", "order": number, "body": body, **FIELDS}) for number in range(COUNT))
    return [Message("wiki.changes", 0, offset, offset - 1, Instant(1_717_243_200_000), None, value) for offset, value in enumerate(values)]


def rate(held: list[Message]) -> float:
    """Return decoded changes per second of processor time."""
    adapter = NativeAdapter(SourceSettings(Source("wiki"), Tenant("main"), "wiki.changes"))
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for message in held:
            adapter.decode(message)
        best = min(best, time.process_time() - start)
    return len(held) / best


def main() -> None:
    """Run; the last line is the result."""
    small, page = rate(messages("The quay has nine berths.")), rate(messages("The quay has nine berths. " * 115))
    print(f"small changes {small:,.0f}/s, pages of 3 kB {page:,.0f}/s")
    print("RESULT", json.dumps({"small_per_s": round(small), "page_per_s": round(page)}, separators=(",", ":")))


if __name__ == "__main__":
    main()
