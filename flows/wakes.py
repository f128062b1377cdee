"""The source of wake-ups: at every start, one for each tenant that has a store already.

A store that never got into a snapshot comes back to the flow as an unknown key; without a wake-up it would keep to itself what the index lacks
until its first change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from flows.traffic import Arrival, Wake
from schemas.ids import Tenant


@dataclass(frozen=True)
class Wakes(FixedPartitionedSource[Arrival, None]):
    """Emits a wake-up per tenant and ends; it has no state, so the next start does the same."""

    tenants: Sequence[Tenant]

    def list_parts(self) -> list[str]:
        """Return the one partition."""
        return ["all"]

    def build_part(self, step_id: str, for_part: str, resume_state: None) -> "Once":
        """Open the partition."""
        return Once([Arrival(tenant, Wake()) for tenant in self.tenants])


class Once(StatefulSourcePartition[Arrival, None]):
    """Emits a list once."""

    def __init__(self, arrivals: Sequence[Arrival]) -> None:
        self._arrivals = list(arrivals)

    def next_batch(self) -> list[Arrival]:
        """Return all, then end."""
        if not self._arrivals:
            raise StopIteration
        taken, self._arrivals = self._arrivals, []
        return taken

    def snapshot(self) -> None:
        """Keep nothing."""
        return
