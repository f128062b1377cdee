"""Adapters by the name that the settings give them."""

from collections.abc import Callable
from typing import Protocol

from connectors.sources.native import NativeAdapter
from connectors.sources.payload import Decoded
from connectors.sources.reviews import ReviewsAdapter
from connectors.sources.settings import SourceSettings
from schemas.errors import BadSettings
from schemas.message import Message


class Adapter(Protocol):
    """Turns one source's messages into changes."""

    def decode(self, message: Message) -> list[Decoded]:
        """Return what the message holds, in order: changes and dead letters, or a mark. Never raises on input."""


ADAPTERS: dict[str, Callable[[SourceSettings], Adapter]] = {"native": NativeAdapter, "reviews": ReviewsAdapter}


def adapter_for(settings: SourceSettings) -> Adapter:
    """Return the adapter of a source."""
    make = ADAPTERS.get(settings.adapter)
    if make is None:
        message = f"source {settings.name}: adapter {settings.adapter!r} is not one of {', '.join(ADAPTERS)}"
        raise BadSettings(message)
    return make(settings)
