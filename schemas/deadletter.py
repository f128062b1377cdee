"""Dead letters: changes that could not be applied, kept with their reason and their bytes until somebody replays or drops them."""

from dataclasses import dataclass

from schemas.change import Position
from schemas.ids import Tenant
from schemas.instant import Instant


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One message (or one change of it) that could not be applied.

    `step` is decode, read, apply or publish; `reason` names the field and shows the value. `document` is empty where it could not be told.
    `key` and `payload` are the message as it came.
    """

    tenant: Tenant
    source: str
    document: str
    step: str
    reason: str
    position: Position
    recorded_at: Instant
    key: bytes = b""
    payload: bytes = b""
    attempts: int = 1
    sequence: int = 0
    replayed: bool = False
