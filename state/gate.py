"""The version gate: which changes are accepted, what they make of their document, and what they touch (DESIGN.md 5.2)."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import orjson

from derive.bind import scope_part
from derive.names import normal
from derive.values import value_for
from schemas.change import KIND, RANK, DocumentChange, Put, Redact, Review, Text, audience_of, change_id
from schemas.event import Event, event_of
from schemas.ids import Source
from schemas.instant import Instant
from schemas.nugget import Judgement, Stance
from schemas.receipt import Outcome, Receipt
from schemas.rules import OnDelete, SourceRules
from schemas.value import ValueKind
from schemas.version import Reading, Reread, Version
from schemas.vocabulary import Vocabulary
from state.audiences import Audiences
from state.codec import EVENT, JUDGEMENT
from state.documents import Document, Documents
from state.names import Names
from state.place import incarnation_of, place, spoken, with_rank
from state.port import NOTHING_FORGOTTEN, Forgotten
from state.timeline import NOTHING, Timeline
from state.touched import Causes, Touched

SUSPECT = "suspect time: later than its message, or before 1990"
RUNS_BACKWARDS = "suspect time: earlier than that of a version before it"
"""Doubts that a receipt states; the time itself is kept."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the gate says of one change: its receipt so far; after a redaction what must be forgotten, and of which document."""

    receipt: Receipt
    forget: Forgotten = NOTHING_FORGOTTEN
    redacted: str = ""


class Gate:
    """Accepts the changes of one batch. Owned by one transaction at a time."""

    def __init__(
        self,
        db: sqlite3.Connection,
        timeline: Timeline,
        names: Names,
        audiences: Audiences,
        rules: Mapping[Source, SourceRules],
        vocabulary: Vocabulary,
    ) -> None:
        self._db = db
        self._timeline = timeline
        self._names = names
        self._audiences = audiences
        self._rules = rules
        self._vocabulary = vocabulary
        self._documents = Documents(db)

    def rules(self, source: str) -> SourceRules:
        """Return the rules of a source; one without settings gets the defaults: nobody reads it."""
        return self._rules.get(Source(source)) or SourceRules(Source(source))

    def save(self) -> None:
        """Write the documents of the batch."""
        self._documents.save()

    def forget(self) -> None:
        """Drop what is remembered of a batch that failed."""
        self._documents.forget()

    def accept(self, version: Version, number: int, touched: Touched) -> Accepted:
        """Take one change into the store, if it is new; `number` is its number in the batch, the cause of what it touches."""
        if isinstance(version.change, Review):
            return self._review(version.change, frozenset({number}), touched)
        return self._change(version, version.change, frozenset({number}), touched)

    def reread(self, rereads: Sequence[Reread], causes: Causes, touched: Touched) -> Forgotten:
        """Derive again every document that says what was read again, each once; what reads the same touches nothing that is stored.

        Return what the memo must forget: it learnt it from bodies that were redacted while they were being read.
        """
        gone = [one.reading for one in rereads if not self._timeline.has(bytes.fromhex(one.reading.content))]
        titles = {str(one.reading.content): one.reading.title for one in rereads}
        for doc in sorted({doc for one in rereads for doc in self._timeline.replace(one.reading, one.reader)}):
            document = self._documents.numbered(doc)
            before, rules = replace(document), self.rules(document.source)
            for at, body in self._db.execute("SELECT at, body FROM events WHERE doc = ?", (doc,)).fetchall():
                event = EVENT.unpack(body)
                if event.content in titles and event.body_title != titles[event.content]:
                    told = replace(event, body_title=titles[event.content])
                    self._db.execute("UPDATE events SET body = ? WHERE doc = ? AND at = ?", (EVENT.pack(told), doc, at))
            self._rebuild(document, rules, causes, touched)
            self._compare(before, document, rules, causes, touched)
        return sum((_all_of(reading) for reading in gone), NOTHING_FORGOTTEN)

    def _change(self, version: Version, change: DocumentChange, causes: Causes, touched: Touched) -> Accepted:
        stamp, rules = change.stamp, self.rules(change.stamp.source)
        document = self._documents.get(bytes.fromhex(stamp.key), stamp.source, stamp.document)
        at = place(stamp.incarnation, stamp.order, RANK[type(change)])
        hidden = self._is_redacted(document, at)
        event = event_of(change, version.reading)
        event = replace(event, body_title=None) if hidden else event
        held = self._db.execute("SELECT digest, body FROM events WHERE doc = ? AND at = ?", (document.doc, at)).fetchone()
        tie = held is not None and held[0] != event.digest
        if held is not None and (not tie or held[0] > event.digest):
            self._again(document, at, event, EVENT.unpack(held[1]), tie=tie, causes=causes, touched=touched)
            forget = self._unsaid(version) if hidden else NOTHING_FORGOTTEN
            return Accepted(replace(_receipt(version, Outcome.LATE if tie else Outcome.DUPLICATE), tie=tie), forget)
        if not rules.history and event.kind != "redact" and at < max(document.exists_at, document.body_at):
            return Accepted(_receipt(version, Outcome.LATE))
        return self._new(version, document, at, event, rules, tie=tie, causes=causes, touched=touched)

    def _again(self, document: Document, at: bytes, event: Event, stored: Event, *, tie: bool, causes: Causes, touched: Touched) -> None:
        """Hear the same change again: the earliest delivery says since when it counts, whichever came first; its body stays as it was read."""
        if not tie and event.since < stored.since:
            heard = replace(event, body_title=stored.body_title)
            self._db.execute("UPDATE events SET body = ? WHERE doc = ? AND at = ?", (EVENT.pack(heard), document.doc, at))
            self._rebuild(document, self.rules(document.source), causes, touched)

    def _new(
        self, version: Version, document: Document, at: bytes, event: Event, rules: SourceRules, *, tie: bool, causes: Causes, touched: Touched
    ) -> Accepted:
        before = replace(document)
        self._db.execute("INSERT OR REPLACE INTO events VALUES(?, ?, ?, ?)", (document.doc, at, event.digest, EVENT.pack(event)))
        newest = document.hear(event, at, incarnation_of(at))
        hidden = self._is_redacted(document, at)
        content = self._timeline.keep(version.reading, _text(version), version.reader) if version.reading and not hidden else None
        forget = self._unsaid(version) if hidden else NOTHING_FORGOTTEN
        raised = False
        if tie or event.kind == "redact" or (document.restored and rules.on_delete is OnDelete.END):
            forget = self._rebuild(document, rules, causes, touched)
        elif not hidden:
            content = NOTHING if event.kind == "delete" and rules.on_delete is OnDelete.END else content
            if content is not None:
                tie = self._timeline.meets(document.doc, at, content, event.since)
                document.speak(at, content, event.body_title)
                claims = self._timeline.insert(document.doc, at, content, event.since, rules.revert_window)
                touched.claims.update(((document.doc, claim) for claim in claims), causes)
                raised = self._timeline.raised(document.doc, at)
        self._compare(before, document, rules, causes, touched)
        outcome = Outcome.LATE if not newest else Outcome.UNCHANGED if _same(before, document) else Outcome.APPLIED
        return Accepted(
            _doubted(replace(_receipt(version, outcome), tie=tie), raised=raised), forget, document.key.hex() if event.kind == "redact" else ""
        )

    def _unsaid(self, version: Version) -> Forgotten:
        """Return what the memo learnt from a body that is redacted already, unless another version says it too."""
        if version.reading is None or self._timeline.has(bytes.fromhex(version.reading.content)):
            return NOTHING_FORGOTTEN
        return _all_of(version.reading)

    def _is_redacted(self, document: Document, at: bytes) -> bool:
        redact = with_rank(at, RANK[Redact])
        return self._db.execute("SELECT 1 FROM events WHERE doc = ? AND at = ?", (document.doc, redact)).fetchone() is not None

    def _rebuild(self, document: Document, rules: SourceRules, causes: Causes, touched: Touched) -> Forgotten:
        """Derive the document's aspects and history from all its events; return what nothing says any more."""
        gone = {row[0] for row in self._db.execute("SELECT content FROM versions WHERE doc = ?", (document.doc,))}
        events = [(at, EVENT.unpack(body)) for at, body in self._db.execute("SELECT at, body FROM events WHERE doc = ? ORDER BY at", (document.doc,))]
        redacted = {with_rank(at, RANK[Put]) for at, event in events if event.kind == "redact"}
        document.reset()
        versions: list[tuple[bytes, bytes, Instant]] = []
        said, said_title = NOTHING, None
        for at, event in events:
            document.hear(event, at, incarnation_of(at))
            hidden = event.content is not None and at in redacted  # a restoration with the order of a redaction brings no body that could be hidden
            content = None if hidden else _content(event, rules, said)
            if content is not None:
                if event.content is not None:
                    said, said_title = content, event.body_title
                document.speak(at, content, said_title if content else None)
                versions.append((at, content, event.since))
        unsaid = [(at, event) for at, event in events if event.content and at in redacted]
        gone.update(bytes.fromhex(event.content or "") for _, event in unsaid)
        blank = [(EVENT.pack(replace(event, body_title=None)), document.doc, at) for at, event in unsaid if event.body_title]
        self._db.executemany("UPDATE events SET body = ? WHERE doc = ? AND at = ?", blank)
        claims = self._timeline.rebuild(document.doc, versions, rules.revert_window)
        touched.claims.update(((document.doc, claim) for claim in claims), causes)
        touched.documents.add(document.doc, causes)
        return self._timeline.forget(gone - {content for _, content, _ in versions})

    def _compare(self, before: Document, document: Document, rules: SourceRules, causes: Causes, touched: Touched) -> None:
        """Touch what depends on the document as a whole, where that differs."""
        document.audience = self._audiences.number(document.audience_by(rules))
        moved = before.audience != document.audience
        if moved and before.audience:
            touched.moved.add(document.key, causes)
        facts = self._db.execute("SELECT DISTINCT claim FROM assertions WHERE doc = ? AND grp IS NOT NULL", (document.doc,)) if moved else ()
        for (claim,) in facts:
            touched.uses.add((document.doc, claim), causes)
            touched.members.add((document.doc, claim), causes)
        if before.live != document.live or before.incarnation != document.incarnation:
            touched.claims.update(((document.doc, claim) for claim in self._timeline.claims(document.doc)), causes)
        if moved or not _same(before, document) or before.titles != document.titles:
            touched.documents.add(document.doc, causes)
            touched.nodes.add(-document.doc, causes)
        if moved or before.name != document.name:
            touched.stretches.update(((document.doc, claim) for claim in self._timeline.claims(document.doc)), causes)
            own = self._db.execute("SELECT claim FROM uses WHERE node = ? AND doc = ?", (-document.doc, document.doc))
            touched.members.update(((document.doc, row[0]) for row in own), causes)

    def _review(self, review: Review, causes: Causes, touched: Touched) -> Accepted:
        name = bytes.fromhex(change_id(review))
        if self._db.execute("SELECT 1 FROM reviews WHERE id = ?", (name,)).fetchone():
            return Accepted(_receipt(Version(review), Outcome.DUPLICATE))
        predicate = self._vocabulary.predicate(self._vocabulary.canonical(review.predicate))
        value = value_for(predicate, review.value)
        readers = review.readers if review.readers is not None else self.rules(review.source).readers
        audience = self._audiences.number(audience_of(readers))
        subject = self._names.number(audience, normal(review.subject))
        target = self._names.number(audience, value.normal) if value.kind is ValueKind.NAME else 0
        judgement = Judgement(Stance(self._vocabulary.stored(predicate.name), value), review.verdict, review.at, review.by)
        scope = [scope_part(part) for part in review.scope]
        body = JUDGEMENT.pack(judgement) + b"\n" + orjson.dumps(scope)
        self._db.execute("INSERT INTO reviews VALUES(?, ?, ?, ?, NULL, ?)", (name, audience, subject, target, body))
        touched.nodes.update({subject, *([target] if target else [])}, causes)
        touched.reviews.add(name, causes)
        return Accepted(_receipt(Version(review), Outcome.APPLIED))


def _content(event: Event, rules: SourceRules, said: bytes) -> bytes | None:
    """Return the content with which an event stands in the document's history, None if it does not. `said` is the text before it."""
    if event.content is not None:
        return bytes.fromhex(event.content)
    if rules.on_delete is OnDelete.END:
        return {"delete": NOTHING, "restore": said}.get(event.kind)
    return None


def _all_of(reading: Reading) -> Forgotten:
    return Forgotten(reading.keys, tuple(unit.text for unit in reading.units))


def _text(version: Version) -> Text | None:
    """Return the text that a version was read from."""
    change = version.change
    return change.body if isinstance(change, Put) and isinstance(change.body, Text) else None


def _same(before: Document, after: Document) -> bool:
    return (before.audience, before.incarnation, before.live, before.content, before.name, before.aliases) == (
        after.audience, after.incarnation, after.live, after.content, after.name, after.aliases,
    )  # fmt: skip


def _doubted(receipt: Receipt, *, raised: bool) -> Receipt:
    """Return the receipt with the doubt about its time: what is kept, but counts as the time of the version before it."""
    return replace(receipt, reason=RUNS_BACKWARDS) if raised else receipt


def _receipt(version: Version, outcome: Outcome) -> Receipt:
    change = version.change
    if isinstance(change, Review):
        return Receipt(change.tenant, change.source, "", "", "review", outcome, change.position, change.at, change.recorded_at, hits=version.hits)
    stamp = change.stamp
    return Receipt(
        stamp.tenant, stamp.source, stamp.document, spoken(stamp.order), KIND[type(change)], outcome, stamp.position, stamp.event_time,
        stamp.recorded_at, calls=version.calls, hits=version.hits, reason=SUSPECT if stamp.time_suspect else "",
    )  # fmt: skip
