"""Records: the searchable form of what the views derive (DESIGN.md 5.8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from derive.govern import CURRENT, ENDED
from derive.keys import nugget_id, unit_id
from schemas.bridge import Bridge, Premise, Reasoning
from schemas.draft import About, Draft
from schemas.fact import KNOWN
from schemas.ids import Audience, DocumentKey, EntityId, RecordId, Tenant
from schemas.instant import EPOCH, FOREVER
from schemas.nugget import Evidence, Run, Stance
from schemas.record import Belief, Kind, Record, Support
from schemas.statement import Assertion, Standing, What
from schemas.value import ValueKind
from schemas.vocabulary import Vocabulary

SUPPORTS = 64
"""Places that a record names at most, least document first; what counts is never cut, only what is listed."""


@dataclass(frozen=True, slots=True)
class Group:
    """What a group of values has in common, and what is known of the documents and entities that its assertions name.

    `entities` holds the entities of each assertion's mentions, by the normal form of the name.
    """

    tenant: Tenant
    audience: Audience
    subject: EntityId
    scope: tuple[str, ...]
    about: Mapping[DocumentKey, About]
    entities: Mapping[str, EntityId]


def nuggets(group: Group, runs: Sequence[Run], vocabulary: Vocabulary) -> list[Draft]:
    """Return the nugget of every run; runs of one value are numbered in the order of time."""
    numbered: dict[Stance, int] = {}
    ids: list[RecordId] = []
    for run in runs:
        number = numbered.get(run.stance, 0)
        numbered[run.stance] = number + 1
        ids.append(nugget_id(group.audience, group.subject, group.scope, run.stance, number))
    disputed: dict[Stance, list[tuple[Run, RecordId]]] = {}
    for run, record in zip(runs, ids, strict=True):
        if run.belief is Belief.DISPUTED:
            disputed.setdefault(run.stance, []).append((run, record))
    return [_nugget(group, run, record, _rivals(run, disputed), vocabulary) for run, record in zip(runs, ids, strict=True)]


def _rivals(run: Run, disputed: Mapping[Stance, Sequence[tuple[Run, RecordId]]]) -> tuple[RecordId, ...]:
    meeting = (pair for stance in run.rivals for pair in disputed[stance])
    return tuple(record for other, record in meeting if other.start < run.end and run.start < other.end)


def _nugget(group: Group, run: Run, record: RecordId, rivals: tuple[RecordId, ...], vocabulary: Vocabulary) -> Draft:
    own = [one for one in run.evidence if one.stance == run.stance]
    best = min(own, key=_best)
    wording = best.assertion.wording
    about = group.about[best.document]
    target = EntityId(run.stance.value.normal) if run.stance.value.kind is ValueKind.NAME else EntityId("")
    mentioned = (group.entities[name] for name, _ in wording.mentions if name in group.entities)
    entities = tuple(dict.fromkeys(entity for entity in (group.subject, target, *sorted(mentioned)) if entity))
    supports = _supports(run.evidence, group.about)
    current = tuple(sorted({one.document for one in run.evidence if one.assertion.current}))
    made = Record(
        id=record,
        kind=Kind.NUGGET,
        tenant=group.tenant,
        audience=group.audience,
        text=wording.text if wording.subject else f"{about.title}: {wording.text}",
        belief=run.belief,
        reason=run.reason,
        valid_from=run.start,
        valid_to=run.end,
        said_at=min(one.assertion.said_from for one in run.evidence),
        validity_known=any(_known(one.assertion) for one in run.evidence),
        entities=entities,
        documents=tuple(sorted({one.document for one in run.evidence}))[:SUPPORTS],
        subject=wording.subject or about.title,
        predicate=vocabulary.named(best.stance.predicate),
        object=wording.object,
        scope=group.scope,
        fact_kind=wording.kind,
        section=wording.section,
        confidence=min(wording.confidence, wording.dates.confidence),
        rivals=rivals,
        provenance=supports,
    )
    if run.belief not in (Belief.BELIEVED, Belief.DISPUTED):
        return Draft(made)
    return Draft(made, _premise(made, group.subject, target, current, negated=run.stance.negated))


def _known(assertion: Assertion) -> bool:
    """Tell whether the words of an assertion say since when or until when it holds, and can be relied on."""
    return assertion.wording.dates.confidence >= KNOWN and (assertion.dated or assertion.ends_in < FOREVER)


def _best(one: Evidence) -> tuple[object, ...]:
    """Order: highest confidence, then least document, then span (DESIGN.md 5.8); the newest saying and then the words break what is left."""
    wording = one.assertion.wording
    words = (wording.text, wording.subject, wording.object, wording.kind, wording.mentions)
    return (-wording.confidence, one.document, wording.unit, wording.start, wording.end, -one.assertion.said_from, words)


def _premise(record: Record, subject: EntityId, target: EntityId, current: tuple[DocumentKey, ...], *, negated: bool) -> Premise:
    return Premise(
        record.id, record.text, record.subject, subject, record.predicate, record.object, target, record.entities, record.belief,
        record.valid_from, record.valid_to, record.said_at, record.confidence, current, record.scope, negated, record.provenance,
    )  # fmt: skip


def _supports(evidence: Iterable[Evidence], about: Mapping[DocumentKey, About]) -> tuple[Support, ...]:
    found = {_support(one.assertion, one.document, about[one.document]) for one in evidence}
    return tuple(sorted(found)[:SUPPORTS])


def _support(assertion: Assertion, document: DocumentKey, about: About) -> Support:
    wording = assertion.wording
    return Support(about.source, about.document, unit_id(document, wording.unit), wording.start, wording.end, assertion.said_from, assertion.said_to)


def stretches(tenant: Tenant, audience: Audience, document: DocumentKey, about: About, assertions: Sequence[Assertion]) -> list[Draft]:
    """Return the records of one unit or section of a document: one for each stretch of time in which the document has it, numbered in time."""
    return [
        Draft(_stretch(tenant, audience, document, about, assertion, number))
        for number, assertion in enumerate(sorted(assertions, key=lambda one: (one.start, one.end, one.standing)))
    ]


def _stretch(tenant: Tenant, audience: Audience, document: DocumentKey, about: About, assertion: Assertion, number: int) -> Record:
    wording = assertion.wording
    believed = assertion.standing is Standing.EVIDENCE
    kind = Kind.UNIT if assertion.claim.what is What.UNIT else Kind.SECTION
    return Record(
        id=unit_id(document, wording.unit, number),
        kind=kind,
        tenant=tenant,
        audience=audience,
        text=wording.text if kind is Kind.UNIT else f"{about.title} › {wording.text}",
        belief=Belief.BELIEVED if believed else Belief.REJECTED,
        reason=(CURRENT if assertion.end >= FOREVER else ENDED) if believed else assertion.standing,
        valid_from=assertion.start,
        valid_to=assertion.end,
        said_at=assertion.said_from,
        documents=(document,),
        subject=about.title,
        section=wording.section,
        provenance=_sources(assertion, document, about),
    )


def _sources(assertion: Assertion, document: DocumentKey, about: About) -> tuple[Support, ...]:
    """Return the one place of a unit or section; of a unit that was stitched, one for each source."""
    whole = _support(assertion, document, about)
    return tuple(replace(whole, start=start, end=end) for start, end in assertion.wording.parts[:SUPPORTS]) or (whole,)


def bridge_record(tenant: Tenant, bridge: Bridge, premises: Mapping[RecordId, Premise]) -> Record:
    """Return the record of a bridge; its provenance is that of its supports, each named with its nugget."""
    supports = [premises[record] for record in bridge.supports]
    provenance = sorted({replace(place, record=one.record) for one in supports for place in one.provenance})
    return Record(
        id=bridge.id,
        kind=Kind.BRIDGE,
        tenant=tenant,
        audience=bridge.audience,
        text=bridge.text,
        belief=bridge.belief,
        reason=CURRENT if bridge.valid_to >= FOREVER else ENDED,
        valid_from=bridge.valid_from,
        valid_to=bridge.valid_to,
        said_at=max(one.said_at for one in supports),
        entities=tuple(dict.fromkeys([bridge.entity, *(entity for one in supports for entity in one.entities)])),
        documents=tuple(sorted({document for one in supports for document in one.documents}))[:SUPPORTS],
        subject=supports[0].subject if bridge.reasoning is Reasoning.SHARED_SUBJECT else supports[0].object,
        predicate=bridge.reasoning,
        confidence=bridge.confidence,
        verified=bridge.verified,
        provenance=tuple(provenance[: 2 * SUPPORTS]),
    )


def entity_record(
    tenant: Tenant, audience: Audience, entity: EntityId, name: str, spellings: Sequence[str], documents: Sequence[tuple[DocumentKey, About]]
) -> Record:
    """Return the record of an entity: its display name, its other names, and the documents that stand for it, else some that use it."""
    also = [spelling for spelling in spellings if spelling != name]
    return Record(
        id=RecordId(entity),
        kind=Kind.ENTITY,
        tenant=tenant,
        audience=audience,
        text=f"{name} (also {', '.join(also)})" if also else name,
        belief=Belief.BELIEVED,
        reason=CURRENT,
        valid_from=EPOCH,
        valid_to=FOREVER,
        said_at=EPOCH,
        entities=(entity,),
        documents=tuple(sorted(key for key, _ in documents))[:SUPPORTS],
        subject=name,
        provenance=tuple(sorted(Support(about.source, about.document, "", 0, 0, EPOCH) for _, about in documents))[:SUPPORTS],
    )
