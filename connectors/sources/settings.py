"""What an adapter must know of its source; the flow builds it from its own settings."""

from dataclasses import dataclass

from schemas.ids import Source, Tenant

LONGEST_BODY = 1_000_000
"""Characters. A page that is longer is an attachment."""

LARGEST_MESSAGE = 1_000_000
"""Bytes. Kafka takes 1,048,576 with key and headers, unless it is told otherwise."""


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
