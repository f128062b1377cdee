"""Events: what the store keeps of an accepted change, enough to derive its document again."""

from dataclasses import dataclass

from schemas.change import KIND, Acl, DocumentChange, Move, Put, Redacted, audience_of
from schemas.ids import digest
from schemas.instant import Instant
from schemas.version import Reading


@dataclass(frozen=True, slots=True)
class Event:
    """What a change says of each aspect; None where it does not speak of one.

    `content` is that of the body it brings. `since` is when it counts from: as the source says, but never later than it was taken in.
    """

    kind: str
    since: Instant
    title: str | None = None
    path: str | None = None
    readers: str | None = None
    aliases: tuple[str, ...] = ()
    content: str | None = None
    body_title: str | None = None
    redacted: bool = False

    @property
    def digest(self) -> bytes:
        """The hash of what it says; two deliveries that say the same are duplicates, whenever they came."""
        said = (self.title, self.path, self.readers, self.content)
        spoken = [part for text in said for part in ("0" if text is None else "1", text or "")]
        return bytes.fromhex(digest("event", self.kind, *spoken, len(self.aliases), *self.aliases, int(self.redacted)))


def event_of(change: DocumentChange, reading: Reading | None) -> Event:
    """Return what the store keeps of a change."""
    kind, since = KIND[type(change)], min(change.stamp.event_time, change.stamp.recorded_at)
    match change:
        case Put():
            return Event(
                kind,
                since,
                change.title or None,
                change.path or None,
                None if change.readers is None else audience_of(change.readers),
                tuple(sorted(change.aliases)),
                reading.content if reading else None,
                reading.title if reading else None,
                isinstance(change.body, Redacted),
            )
        case Move():
            return Event(kind, since, change.title or None, change.path or None, aliases=tuple(sorted(change.aliases)))
        case Acl():
            return Event(kind, since, readers=audience_of(change.readers))
        case _:
            return Event(kind, since)
