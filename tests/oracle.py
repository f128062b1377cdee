"""The oracle: all records that should exist, computed from the whole set of versions at once, with nothing kept from before.

It imports nothing from `state/`: no neighbours, no touched keys, no tables. What it shares with the store are the pure functions of `derive/`, whose
own tests check them against tables written by hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from derive.bind import State, scope_part, state_of
from derive.bridge import TAU, bridges
from derive.govern import govern
from derive.history import assertions, stated, timeline
from derive.keys import Clusters, document_entity, name_entity, stance_of
from derive.names import Link, Strength, groups, initials, is_acronym, is_entity_name, normal
from derive.records import Group, bridge_record, entity_record, nuggets, stretches
from derive.values import value_for
from schemas.bridge import Premise
from schemas.change import RANK, Redact, Review, audience_of, change_id
from schemas.draft import About, Draft
from schemas.event import Event, event_of
from schemas.fact import SELF
from schemas.ids import Audience, DocumentKey, EntityId, RecordId, Source, Tenant, document_key
from schemas.instant import Instant
from schemas.nugget import Evidence, Judgement, Stance
from schemas.record import Record, status_at
from schemas.rules import OnDelete, SourceRules
from schemas.statement import Assertion, Claim, What
from schemas.value import ValueKind
from schemas.version import Reading, Version
from schemas.vocabulary import Vocabulary

At = tuple[int, tuple[int, ...], int]


@dataclass
class Page:
    """One document, from all its changes."""

    source: str
    document: str
    rules: SourceRules
    events: dict[At, tuple[Event, Reading | None]] = field(default_factory=dict)

    def take(self, at: At, event: Event, reading: Reading | None) -> None:
        held = self.events.get(at)
        if held is None or held[0].digest < event.digest:
            self.events[at] = (event, reading)
        elif held[0].digest == event.digest:
            self.events[at] = (replace(event, since=min(event.since, held[0].since)), reading)

    @property
    def ordered(self) -> list[tuple[At, Event, Reading | None]]:
        return [(at, event, reading) for at, (event, reading) in sorted(self.events.items(), key=lambda one: _sortable(one[0]))]

    def newest(self, aspect: str) -> object:
        found: object = None
        for _, event, _ in self.ordered:
            value = getattr(event, aspect)
            if value is not None and value != ():
                found = value
        return found

    @property
    def aliases(self) -> tuple[str, ...]:
        found: tuple[str, ...] = ()
        for _, event, _ in self.ordered:
            found = event.aliases or found
        return found

    @property
    def live(self) -> bool:
        lives = [event.kind for _, event, _ in self.ordered if event.kind in ("put", "restore", "delete")]
        return bool(lives) and lives[-1] != "delete"

    @property
    def incarnation(self) -> int:
        return max(at[0] for at in self.events)

    def versions(self) -> list[tuple[At, Instant, Reading | None]]:
        """Return what says something of the text; None says nothing."""
        redacted = {at[:2] for at in self.events if at[2] == RANK[Redact]}
        found: list[tuple[At, Instant, Reading | None]] = []
        said: Reading | None = None
        for at, event, reading in self.ordered:
            if reading is not None and at[:2] not in redacted:
                said = reading
                found.append((at, event.since, reading))
            elif self.rules.on_delete is OnDelete.END and event.kind == "delete":
                found.append((at, event.since, None))
            elif self.rules.on_delete is OnDelete.END and event.kind == "restore":
                found.append((at, event.since, said))
        return found

    @property
    def readings(self) -> list[Reading]:
        return [reading for _, _, reading in self.versions() if reading is not None]

    @property
    def body(self) -> Reading | None:
        versions = self.versions()
        return versions[-1][2] if versions else None

    @property
    def name(self) -> str:
        path = self.newest("path")
        body = self.body.title if self.body else None
        return str(self.newest("title") or body or (PurePosixPath(str(path)).stem if path else "") or self.document)

    @property
    def titles(self) -> set[str]:
        given = {event.title for _, event, _ in self.ordered if event.title}
        return given | {reading.title for reading in self.readings if reading.title}

    @property
    def audience(self) -> Audience:
        readers = self.newest("readers")
        return Audience(str(readers)) if readers is not None else audience_of(self.rules.readers)

    @property
    def key(self) -> DocumentKey:
        return document_key(self.source, self.document)

    @property
    def about(self) -> About:
        return About(self.source, self.document, self.name)

    def asserted(self, vocabulary: Vocabulary) -> list[Assertion]:
        versions = self.versions()
        points = timeline(
            [(_bytes(at), f"{at[0]} {reading.content if reading else ''}", since) for at, since, reading in versions], self.rules.revert_window
        )
        states: list[State] = [state_of(reading, vocabulary, at[0]) if reading else {} for at, _, reading in versions]
        found: list[Assertion] = []
        for claim, runs in stated(points, states).values():
            withdrawn = self.rules.on_delete is OnDelete.WITHDRAW and (not self.live or claim.incarnation < self.incarnation)
            found.extend(assertions(claim, runs, withdrawn=withdrawn))
        return found


def _sortable(at: At) -> bytes:
    return _bytes(at)


def _bytes(at: At) -> bytes:
    parts = b"".join(b"\1" + (number + 2**63).to_bytes(8, "big") for number in at[1])
    return (at[0] + 2**63).to_bytes(8, "big") + parts + b"\0" + bytes([at[2]])


def expected(
    versions: Iterable[Version], rules: Mapping[Source, SourceRules], vocabulary: Vocabulary, tenant: Tenant, clock: Instant, tau: int = TAU
) -> dict[RecordId, Record]:
    """Return every live record, by id, with its status at the clock; versions, sequence numbers and Kafka times are the index's own diary."""
    pages, reviews = _pages(versions, rules)
    made = {key: (page, page.asserted(vocabulary)) for key, page in pages.items()}
    records: list[Record] = []
    for audience in {page.audience for page in pages.values()} | {_review_audience(review, rules) for review in reviews}:
        inside = {key: one for key, one in made.items() if one[0].audience == audience}
        mine = [review for review in reviews if _review_audience(review, rules) == audience]
        records.extend(_audience(audience, inside, mine, vocabulary, tenant, tau))
    return {record.id: replace(record, status=status_at(record.belief, record.valid_from, record.valid_to, clock)) for record in records}


def _pages(versions: Iterable[Version], rules: Mapping[Source, SourceRules]) -> tuple[dict[str, Page], list[Review]]:
    pages: dict[str, Page] = {}
    reviews: dict[str, Review] = {}
    for version in versions:
        change = version.change
        if isinstance(change, Review):
            reviews[change_id(change)] = change
            continue
        stamp = change.stamp
        page = pages.setdefault(stamp.key, Page(stamp.source, stamp.document, rules.get(stamp.source) or SourceRules(stamp.source)))
        page.take((stamp.incarnation, stamp.order, RANK[type(change)]), event_of(change, version.reading), version.reading)
    return pages, list(reviews.values())


def _review_audience(review: Review, rules: Mapping[Source, SourceRules]) -> Audience:
    known = rules.get(review.source) or SourceRules(review.source)
    return audience_of(review.readers if review.readers is not None else known.readers)


Made = Mapping[str, tuple[Page, list[Assertion]]]


def _audience(audience: Audience, made: Made, reviews: Sequence[Review], vocabulary: Vocabulary, tenant: Tenant, tau: int) -> list[Record]:
    entity = Entities(audience, made, reviews, vocabulary)
    drafts = _nuggets(audience, made, reviews, vocabulary, tenant, entity)
    records = [draft.record for draft in drafts]
    premises = [draft.premise for draft in drafts if draft.premise]
    records.extend(_bridges(audience, premises, vocabulary, tenant, entity, tau))
    for page, found in made.values():
        by_claim: dict[Claim, list[Assertion]] = {}
        for assertion in found:
            if assertion.claim.what is not What.FACT:
                by_claim.setdefault(assertion.claim, []).append(assertion)
        for some in by_claim.values():
            records.extend(draft.record for draft in stretches(tenant, audience, page.key, page.about, some))
    return records + entity.records(tenant)


class Entities:
    """Which entity each name and document of one audience stands for."""

    def __init__(self, audience: Audience, made: Made, reviews: Sequence[Review], vocabulary: Vocabulary) -> None:
        self.audience = audience
        self.made = made
        self.nodes: dict[str, int] = {}
        self.uses: dict[str, list[tuple[str, Claim, bool, str]]] = {}
        for key, (page, found) in made.items():
            self.node(key)
            self._use(key, page, found)
        for review in reviews:
            self.node(normal(review.subject))
            value = value_for(vocabulary.predicate(vocabulary.canonical(review.predicate)), review.value)
            if value.kind is ValueKind.NAME:
                self.node(value.normal)
        links = self._links()
        names = {node: name for name, node in self.nodes.items() if node > 0}
        joined = groups(names, links)
        members: dict[int, list[str]] = {}
        for thing, node in self.nodes.items():
            members.setdefault(joined.get(node, node), []).append(thing)
        self.of: dict[str, EntityId] = {}
        self.members: dict[EntityId, list[str]] = {}
        for things in members.values():
            entity = self._id(things)
            self.members[entity] = things
            self.of.update(dict.fromkeys(things, entity))

    def node(self, thing: str) -> int:
        """Names get numbers above 0, documents below; ties among links go by a document's number, so it comes from its key."""
        if thing not in self.nodes:
            self.nodes[thing] = -max(1, int(thing[:16], 16) >> 1) if thing in self.made else len(self.nodes) + 1
        return self.nodes[thing]

    def _use(self, key: str, page: Page, found: Iterable[Assertion]) -> None:
        for assertion in found:
            claim, wording = assertion.claim, assertion.wording
            if claim.what is not What.FACT:
                continue
            named = [(claim.subject, wording.subject)] if claim.subject != SELF else []
            if claim.value.kind is ValueKind.NAME:
                named.append((claim.value.normal, wording.object))
            for name, surface in [*named, *wording.mentions]:
                self.node(name)
                self.uses.setdefault(name, []).append((key, claim, assertion.current, surface))

    def _links(self) -> set[Link]:
        links: set[Link] = set()
        bearing: dict[str, set[str]] = {}
        bore: dict[str, set[str]] = {}
        for key, (page, _) in self.made.items():
            if not page.live:
                continue
            now = normal(page.name)
            bearing.setdefault(now, set()).add(key)
            for title in page.titles:
                if normal(title) != now:
                    bore.setdefault(normal(title), set()).add(key)
            links |= self._equal(page)
        for name in bearing.keys() | bore.keys():
            owners = bearing.get(name) or bore[name]
            self.node(name)
            if len(owners) == 1:
                links.add(Link(Strength.TITLE, self.node(name), self.node(next(iter(owners)))))
        return links | self._aliases() | self._acronyms()

    def _aliases(self) -> set[Link]:
        """Return the links of documents with the aliases that they alone declare."""
        declaring: dict[str, set[str]] = {}
        for key, (page, _) in self.made.items():
            aliases = (*page.aliases, *(page.body.aliases if page.body else ())) if page.live else ()
            for alias in filter(str.strip, aliases):
                declaring.setdefault(normal(alias), set()).add(key)
        nodes = {name: self.node(name) for name in declaring}
        return {Link(Strength.DECLARED, self.node(min(owners)), nodes[name]) for name, owners in declaring.items() if len(owners) == 1}

    def _equal(self, page: Page) -> set[Link]:
        body = page.body
        links: set[Link] = set()
        pairs = list(body.pairs) if body else []
        if body and body.redirect:
            pairs.append((page.name, body.redirect))
        for one, other in pairs:
            if normal(one) != normal(other):
                links.add(Link(Strength.DECLARED, self.node(normal(one)), self.node(normal(other))))
        return links

    def _acronyms(self) -> set[Link]:
        live = {name for name, uses in self.uses.items() if any(current for _, _, current, _ in uses)}
        links: set[Link] = set()
        for name in live:
            spelt = {self.spelling(name, key, claim) for key, claim, current, _ in self.uses[name] if self.current(name, key, claim)}
            full = [other for other in live if initials(other) == name]
            if len(full) == 1 and any(is_acronym(surface) for surface in spelt):
                links.add(Link(Strength.ACRONYM, self.node(name), self.node(full[0])))
        return links

    def spelling(self, name: str, key: str, claim: Claim) -> str:
        """Return how one claim of one document spells a name: the least of its spellings."""
        return min(surface for where, what, _, surface in self.uses[name] if (where, what) == (key, claim))

    def current(self, name: str, key: str, claim: Claim) -> bool:
        return any(current for where, what, current, _ in self.uses[name] if (where, what) == (key, claim))

    def _id(self, things: Sequence[str]) -> EntityId:
        pages = sorted((self.made[thing][0].source, self.made[thing][0].document) for thing in things if thing in self.made)
        return document_entity(self.audience, *pages[0]) if pages else name_entity(self.audience, min(things))

    def records(self, tenant: Tenant) -> list[Record]:
        """Return the record of every entity that a live document uses, names or is."""
        found: list[Record] = []
        for entity, things in self.members.items():
            spelt = [(name, *one) for name in things if name not in self.made for one in self._spellings(name)]
            pages = sorted((self.made[thing][0] for thing in things if thing in self.made), key=lambda page: (page.source, page.document))
            standing = [(page.key, page.about) for page in pages if page.live]
            if not spelt and not standing:
                continue
            counted: dict[str, int] = {}
            for _, _, surface in spelt:
                counted[surface] = counted.get(surface, 0) + 1
            name = standing[0][1].title if standing else min(counted, key=lambda surface: (-counted[surface], surface))
            best = {text: min((s for t, _, s in spelt if t == text), key=lambda s: (-counted[s], s)) for text, _, _ in spelt}
            using = sorted({key for _, key, _ in spelt}, key=lambda key: max(1, int(key[:16], 16) >> 1))[:3]
            named = standing or [(self.made[key][0].key, self.made[key][0].about) for key in using]
            found.append(entity_record(tenant, self.audience, entity, name, sorted({*best.values()}), named))
        return found

    def _spellings(self, name: str) -> list[tuple[str, str]]:
        """Return (document, spelling) of every live claim that uses a name, and of every live document that declares it."""
        places = {(key, claim) for key, claim, _, _ in self.uses.get(name, ()) if self.current(name, key, claim)}
        declared = {
            (key, surface) for key, (page, _) in self.made.items() if page.live for surface in self._surfaces(page) if normal(surface) == name
        }
        assert max(len(places), len(declared)) <= 50, "the oracle counts every spelling; the store the first 50 only"
        return [(key, self.spelling(name, key, claim)) for key, claim in places] + list(declared)

    def _surfaces(self, page: Page) -> set[str]:
        body = page.body
        pairs = [*(body.pairs if body else ()), *([(page.name, body.redirect)] if body and body.redirect else ())]
        aliases = [alias for alias in (*page.aliases, *(body.aliases if body else ())) if alias.strip()]
        return {page.name, *page.titles, *aliases, *(surface for pair in pairs for surface in pair)}


def _nuggets(audience: Audience, made: Made, reviews: Sequence[Review], vocabulary: Vocabulary, tenant: Tenant, entity: Entities) -> list[Draft]:
    clusters = Clusters(vocabulary)
    found: dict[bytes, list[tuple[Page, Assertion, EntityId]]] = {}
    about: dict[DocumentKey, About] = {}
    for key, (page, some) in made.items():
        about[page.key] = page.about
        for assertion in some:
            claim = assertion.claim
            if claim.what is What.FACT:
                subject = entity.of[key if claim.subject == SELF else claim.subject]
                group = clusters.group(audience, subject, stance_of(claim, entity.of.__getitem__), claim.scope)
                found.setdefault(group, []).append((page, assertion, subject))
    drafts: list[Draft] = []
    for group, stated_here in found.items():
        evidence = [
            Evidence(
                stance_of(assertion.claim, entity.of.__getitem__), assertion, page.key,
                page.rules.rank + (subject == entity.of[page.key]), page.rules.origin or page.key,
                " ".join(assertion.wording.text.casefold().split()),
            )
            for page, assertion, subject in stated_here
        ]  # fmt: skip
        judged = [judgement for judgement, where in (_judgement(review, vocabulary, entity, clusters) for review in reviews) if where == group]
        names = {name: entity.of[name] for name in entity.of if name not in made}
        here = Group(tenant, audience, stated_here[0][2], stated_here[0][1].claim.scope, about, names)
        drafts.extend(nuggets(here, govern(evidence, judged, vocabulary), vocabulary))
    return drafts


def _judgement(review: Review, vocabulary: Vocabulary, entity: Entities, clusters: Clusters) -> tuple[Judgement, bytes]:
    predicate = vocabulary.predicate(vocabulary.canonical(review.predicate))
    value = value_for(predicate, review.value)
    if value.kind is ValueKind.NAME:
        value = replace(value, normal=entity.of[value.normal])
    stance = Stance(vocabulary.stored(predicate.name), value)
    scope = tuple(scope_part(part) for part in review.scope)
    group = clusters.group(entity.audience, entity.of[normal(review.subject)], stance, scope)
    return Judgement(stance, review.verdict, review.at, review.by), group


def _bridges(audience: Audience, premises: Sequence[Premise], vocabulary: Vocabulary, tenant: Tenant, entity: Entities, tau: int) -> list[Record]:
    records: list[Record] = []
    for one in {name for premise in premises for name in premise.entities}:
        names = [str(thing) for thing in entity.members[one] if thing not in entity.made]
        if not any(is_entity_name(name) or _acronym(entity, name) for name in names):
            continue
        about = [premise for premise in premises if one in premise.entities]
        given = {premise.record: premise for premise in about}
        records.extend(bridge_record(tenant, bridge, given) for bridge in bridges(one, audience, about, vocabulary, tau))
    return records


def _acronym(entity: Entities, name: str) -> bool:
    return len(name) == 3 and any(current and is_acronym(entity.spelling(name, key, claim)) for key, claim, current, _ in entity.uses.get(name, ()))
