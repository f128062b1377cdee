"""The records that the sample documents of demo/ make, without broker and index."""

import tempfile
from pathlib import Path

from connectors.memo import MemoryMemo
from connectors.reader import Reader
from connectors.sources.adapters import adapter_for
from connectors.spacy_extractor import SpacyExtractor
from flows.demo.histories import stream
from flows.settings import embedded
from schemas.deadletter import DeadLetter
from schemas.ids import Tenant
from schemas.instant import DAY, Instant
from schemas.message import Mark, Message
from schemas.record import Belief, Kind, Record
from schemas.version import Incoming
from schemas.vocabulary import shipped
from state.sqlite import SqliteStore

TENANT = Tenant("main")
LATER = Instant(25_000 * DAY)
"""A time after all of the sample documents."""


def believed(documents: Path) -> list[str]:
    """Return the texts of the nuggets, bridges and units that were ever believed or disputed, each once, in the order of their ids."""
    vocabulary = shipped()
    reader = Reader(SpacyExtractor(vocabulary), MemoryMemo(), vocabulary)
    settings = embedded(documents)
    adapters = {source.name: adapter_for(source.adapter_settings()) for source in settings.sources}
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore.open(Path(folder) / "store.db", TENANT, settings.rules(TENANT), vocabulary)
        for offset, event in enumerate(stream(documents)):
            message = Message(event.source, 0, offset, offset - 1, LATER, event.document.encode(), event.value)
            items = [item for item in adapters[event.source].decode(message) if not isinstance(item, Mark)]
            incoming: list[Incoming] = []
            for item in items:
                incoming += [item] if isinstance(item, DeadLetter) else reader.read([item])
            store.apply(incoming, LATER)
        records = [one for chunk in store.after(0) for one in chunk if isinstance(one, Record) and not one.deleted]
        store.close()
    kept = [one for one in records if one.belief in (Belief.BELIEVED, Belief.DISPUTED) and one.kind in (Kind.NUGGET, Kind.BRIDGE, Kind.UNIT)]
    return list(dict.fromkeys(one.text for one in sorted(kept, key=lambda one: one.id)))
