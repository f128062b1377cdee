"""Reviews: a person's word on one value of one key, format 1; `schemas/review.schema.json` describes it field by field.

A review that does not say when it was given was given when its message came. A message without a value is a dead letter: a review is withdrawn
by another one with the verdict `clear`.
"""

from connectors.sources import checks
from connectors.sources.payload import Decoded, Item, decode
from connectors.sources.settings import SourceSettings
from schemas.change import Change, Position, Review, Verdict
from schemas.errors import BadChange
from schemas.message import Message

FORMAT = 1
LONGEST_VALUE = 10_000  # characters; a value is a name, a number or a sentence
_FIELDS = frozenset({"subject", "predicate", "value", "verdict", "by", "at", "time_unit", "scope", "readers", "format"})
_VERDICTS = {str(verdict): verdict for verdict in Verdict}


class ReviewsAdapter:
    """Decodes the messages of one topic of reviews."""

    def __init__(self, settings: SourceSettings) -> None:
        self._settings = settings

    def decode(self, message: Message) -> list[Decoded]:
        """Return the reviews of the message in their order, dead letters among them; a mark if it holds none. Pure."""
        return decode(message, self._settings, self._review, _nothing)

    def _review(self, item: Item, message: Message, position: Position) -> Review:
        checks.version(item.get("format", FORMAT), FORMAT)
        checks.known(item, _FIELDS, "review")
        return Review(
            tenant=self._settings.tenant,
            source=self._settings.name,
            subject=checks.name("subject", item.get("subject")),
            predicate=checks.name("predicate", item.get("predicate")),
            value=checks.name("value", item.get("value"), LONGEST_VALUE),
            verdict=_verdict(item.get("verdict")),
            by=checks.name("by", item.get("by")),
            at=checks.moment("at", item, message.timestamp, self._settings.zone_offset_minutes),
            recorded_at=message.timestamp,
            position=position,
            scope=checks.names("scope", item["scope"]) if "scope" in item else (),
            readers=checks.readers(item["readers"]) if "readers" in item else None,
        )


def _verdict(value: object) -> Verdict:
    found = _VERDICTS.get(value) if isinstance(value, str) else None
    if found is None:
        raise BadChange(field="verdict", value=value, expected=f"one of {', '.join(_VERDICTS)}")
    return found


def _nothing(message: Message) -> Change:
    raise BadChange(field="value", value=message.value, expected="a review; to withdraw one, send its verdict as clear")
