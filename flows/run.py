"""A run: what its parts must know of it."""

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from flows.fault import fault_from
from flows.settings import Settings
from flows.traffic import Fault

NO_REEMIT = "MILLSTREAM_NO_REEMIT"
"""Set to 1 by the crash bench: a restart then does not emit again what the index may lack, and the index must come out wrong."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the flow. `stop` is set to ask for the end; `bounded` ends where the topics end now; `forget` drops vanished partitions."""

    settings: Settings
    bounded: bool = False
    forget: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def fault(self) -> Fault:
        """The faults that the environment asks for; mostly none."""
        return fault_from(self.environment)

    @property
    def reemit(self) -> bool:
        """Whether a restart emits again what the index may lack."""
        return self.environment.get(NO_REEMIT) != "1"
