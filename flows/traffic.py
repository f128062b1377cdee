"""Traffic: what runs along the edges of the flow."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from schemas.change import Change
from schemas.deadletter import DeadLetter
from schemas.ids import Tenant
from schemas.message import Mark
from schemas.receipt import Receipt
from schemas.record import Record, Row
from schemas.transition import Transition
from schemas.version import KeptText, Reread, Version


@dataclass(frozen=True, slots=True)
class Wake:
    """Opens a tenant's store at start, so that what the index lacks is emitted although no change may arrive."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Something on its way to a tenant's store. `key` and `payload` are its message as it came, for the dead letter that it may become."""

    tenant: Tenant
    item: Change | Version | DeadLetter | Mark | Wake | KeptText | Reread
    key: bytes = b""
    payload: bytes = b""


Effect: TypeAlias = Record | Transition | Receipt | DeadLetter | Mark
"""What the store's step emits, in the order of the store's sequence."""
Searched: TypeAlias = Record | Receipt | Mark
"""The effects that go to the index: records, and behind them what says that they are there."""
Indexed: TypeAlias = Row | Receipt | Mark
"""What the index's sink takes."""

Fault: TypeAlias = Callable[[str], None]
"""Called at the points where a crash would hurt most; does nothing unless a crash test asked for it (flows/fault.py)."""


def with_message(letter: DeadLetter, arrival: Arrival) -> DeadLetter:
    """Return a dead letter with the message that it came in, so that it can be replayed."""
    return replace(letter, key=arrival.key, payload=arrival.payload)
