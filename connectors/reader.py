"""The reader: changes become versions. Bodies are parsed, and facts of prose are drawn once per block of content, then remembered."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from connectors.extractor import Extractor
from connectors.memo import Memo
from derive.reading import VERSION, Parsed, parsed, reading_of
from schemas.change import Change, Put, Text
from schemas.deadletter import DeadLetter
from schemas.errors import BadReading, Unreachable
from schemas.fact import Fact
from schemas.ids import Fingerprint, Source, digest
from schemas.pack import pack_facts, unpack_facts
from schemas.rules import UNSAID, Writing
from schemas.version import KeptText, Reading, Reread, Version
from schemas.vocabulary import Vocabulary

LIMIT = 1_000_000
"""Characters of a body; the largest page of a long documentation history has 137,000."""
ATTEMPTS = 3
AT_ONCE = 64
"""Blocks per question to the extractor; what it answered is in the memo before it is asked again, so that a long body is not paid twice."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds between attempts at an extractor that is away; doubled each time."""

Facts: TypeAlias = dict[str, tuple[Fact, ...]]
"""Facts of blocks by memo key."""

_log = logging.getLogger("millstream.read")


@dataclass(frozen=True, slots=True)
class _Page:
    """A parsed body on its way to be a version, or what a kept text says now. `wanted` are the statements of its extracted blocks by memo key."""

    change: Put | KeptText
    parsed: Parsed
    wanted: Mapping[str, str]


class Reader:
    """Turns changes into versions. One reader serves one thread; several may share a memo.

    `writings`: how sources write dates, for those that say so. `limit` is the greatest length of a body in characters. `sleep` waits for so many
    seconds.
    """

    def __init__(
        self,
        extractor: Extractor,
        memo: Memo,
        vocabulary: Vocabulary,
        writings: Mapping[Source, Writing] = MappingProxyType({}),
        *,
        limit: int = LIMIT,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._extractor = extractor
        self._memo = memo
        self._vocabulary = vocabulary
        self._writings = writings
        self._limit = limit
        self._sleep = sleep
        self.fingerprint = Fingerprint(digest("reader", VERSION, extractor.fingerprint))
        self._space = f"facts:{extractor.fingerprint}"

    def read(self, changes: Sequence[Change]) -> list[Version | DeadLetter]:
        """Return what became of each change, in their order.

        All blocks that the memo does not know go to the extractor in one call, and its answers are in the memo before this returns: a replay costs
        nothing. `calls` are the blocks that a change sent, `hits` those it did not need to. A body that cannot be read, or that the extractor refuses
        three times, is a dead letter of its own change; an extractor that is away is waited for.
        """
        opened = [self._open(change) for change in changes]
        pages = [page for page in opened if isinstance(page, _Page)]
        known = self._remembered(pages)
        asked = _shares(pages, known)
        failures = self._extract(pages, known)
        return [self._version(page, known, len(asked[id(page)]), failures.get(id(page))) if isinstance(page, _Page) else page for page in opened]

    def reread(self, texts: Sequence[KeptText]) -> list[Reread | None]:
        """Return what each kept text says to this reader, None for one that it fails on: what was read before stays.

        The content stays that of the kept text, though the source may write dates otherwise by now: it names what the reading takes the place of.
        """
        opened: list[_Page | BadReading] = []
        for text in texts:
            try:
                opened.append(self._page(text, text.source, text.text, text.media_type))
            except BadReading as err:
                opened.append(err)
        pages = [page for page in opened if isinstance(page, _Page)]
        known = self._remembered(pages)
        failures = self._extract(pages, known)
        found: list[Reread | None] = []
        for text, page in zip(texts, opened, strict=True):
            failure = failures.get(id(page)) if isinstance(page, _Page) else page
            if failure is not None:
                _log.warning("content %s of document %s cannot be read again, what was read before stays: %s", text.content, text.document, failure)
            read = replace(self._reading(page, known), content=text.content) if isinstance(page, _Page) and failure is None else None
            found.append(Reread(read, self.fingerprint) if read is not None else None)
        return found

    def forget(self, keys: Sequence[str]) -> None:
        """Remove from the memo what any extractor drew from these blocks, for a redaction. Another document with an equal block pays for it once."""
        self._memo.forget("facts", keys)

    def _open(self, change: Change) -> _Page | Version | DeadLetter:
        if not isinstance(change, Put) or not isinstance(change.body, Text):
            return Version(change)
        body = change.body
        if len(body.text) > self._limit:
            return _dead(change, f"body: {len(body.text):,} characters are above the limit of {self._limit:,}", 1)
        try:
            return self._page(change, change.stamp.source, body.text, body.media_type)
        except BadReading as err:
            return _dead(change, f"body: {err}", 1)

    def _page(self, change: Put | KeptText, source: Source, text: str, media_type: str) -> _Page:
        found = parsed(text, media_type, self._vocabulary, self._writings.get(source, UNSAID))
        pairs = zip(found.keys, found.blocks, strict=True)
        return _Page(change, found, {key: block.statement for key, block in pairs if key is not None})

    def _remembered(self, pages: Sequence[_Page]) -> Facts:
        keys = list(dict.fromkeys(key for page in pages for key in page.wanted))
        return {key: unpack_facts(packed) for key, packed in self._memo.get(self._space, keys).items()}

    def _extract(self, pages: Sequence[_Page], known: Facts) -> dict[int, BadReading]:
        """Make every wanted block known; return the pages for which that failed.

        The batch is tried as a whole; if it is refused, each page is tried alone, so that one bad page does not take others with it.
        """
        try:
            self._learn(pages, known)
        except BadReading:
            return {id(page): failure for page in pages if (failure := self._alone(page, known)) is not None}
        return {}

    def _alone(self, page: _Page, known: Facts) -> BadReading | None:
        for attempt in range(2, ATTEMPTS + 1):
            try:
                self._learn([page], known)
            except BadReading as err:
                if attempt == ATTEMPTS:
                    return err
            else:
                return None
        return None

    def _learn(self, pages: Sequence[_Page], known: Facts) -> None:
        missing = [(key, statement) for page in pages for key, statement in page.wanted.items() if key not in known]
        wanted = list(dict(missing).items())
        for first in range(0, len(wanted), AT_ONCE):
            some = wanted[first : first + AT_ONCE]
            answers = self._ask([statement for _, statement in some])
            learnt = {key: pack_facts(facts) for (key, _), facts in zip(some, answers, strict=True)}
            known.update({key: unpack_facts(packed) for key, packed in self._memo.keep(self._space, learnt).items()})

    def _ask(self, statements: Sequence[str]) -> list[tuple[Fact, ...]]:
        """Return the extractor's answers, however long it is away."""
        wait = FIRST_WAIT
        while True:
            try:
                return self._extractor.extract(statements)
            except Unreachable as err:
                _log.warning("waiting for the extractor, next attempt in %.1f s: %s", wait, err)
                self._sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT)

    def _version(self, page: _Page, known: Facts, calls: int, failure: BadReading | None) -> Version | DeadLetter:
        assert isinstance(page.change, Put)
        if failure is not None:
            return _dead(page.change, f"body: {failure}", ATTEMPTS)
        extracted = sum(key is not None for key in page.parsed.keys)
        return Version(page.change, self._reading(page, known), calls, extracted - calls, self.fingerprint)

    def _reading(self, page: _Page, known: Facts) -> Reading:
        return replace(reading_of(page.parsed, known, self._vocabulary), keys=tuple(page.wanted))


def _shares(pages: Sequence[_Page], known: Facts) -> dict[int, list[str]]:
    """Return which unknown blocks each page is charged for: those that no page before it wants."""
    charged: set[str] = set()
    shares: dict[int, list[str]] = {}
    for page in pages:
        shares[id(page)] = [key for key in page.wanted if key not in known and key not in charged]
        charged.update(shares[id(page)])
    return shares


def _dead(change: Put, reason: str, attempts: int) -> DeadLetter:
    stamp = change.stamp
    return DeadLetter(stamp.tenant, stamp.source, stamp.document, "read", reason, stamp.position, stamp.recorded_at, attempts=attempts)
