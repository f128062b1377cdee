"""What an adapter must know of its source; the flow builds it from its own settings."""

from dataclasses import dataclass

from schemas.ids import Source, Tenant

LONGEST_BODY = 1_000_000
"""Characters. Kafka's usual message limit is 1 MB, and a wiki page of more than that is an attachment."""


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """One source: one topic, read by one adapter, owned by one tenant.

    `adapter` is native or reviews. `zone_offset_minutes` (east positive) is the zone of times that name none. `limit` is the number of
    characters that a body may have. `ordered` False: the source has no version numbers, the last delivered is the newest.
    """

    name: Source
    tenant: Tenant
    topic: str
    adapter: str = "native"
    zone_offset_minutes: int = 0
    limit: int = LONGEST_BODY
    ordered: bool = True
