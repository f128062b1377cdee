"""Stores: the tenants' stores that this process has open. One process writes to a store; its lock says so."""

import threading
from collections.abc import Callable
from typing import TypeAlias

from schemas.ids import Tenant
from state.port import Store

Opener: TypeAlias = Callable[[Tenant, int, str | None], Store]
"""Opens a tenant's store that must be at least at a sequence and have an identity, if one is given; else Inconsistent."""


class Stores:
    """Opens stores for the steps that own them, and closes them when the flow has ended. Workers share it."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._open: list[Store] = []

    def open(self, tenant: Tenant, at_least: int = 0, identity: str | None = None) -> Store:
        """Open a store."""
        store = self._opener(tenant, at_least, identity)
        with self._lock:
            self._open.append(store)
        return store

    def close(self) -> None:
        """Close all; twice changes nothing."""
        with self._lock:
            for store in self._open:
                store.close()
            self._open.clear()
