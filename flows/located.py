"""Where a Millstream is: its settings, the addresses of what `millstream up` started, and how other commands reach them.

`up` writes its addresses into the data directory when it is ready, and takes its process id out of them when it has stopped; the rest stays, since
a later question needs the embedding model that the index was made with, and a later `up` the vocabulary.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import orjson

from flows.settings import Settings, embedded, read
from schemas.errors import BadSettings, Inconsistent, Unreachable
from schemas.ids import Tenant

_FORMAT = 1
_STOPPED = 0


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the parts of one `millstream up` listen, all on this machine, and the process that holds them; 0 after it has stopped."""

    pid: int
    kafka: str
    milvus: str
    metrics: int
    embedding: str
    vocabulary: str = ""

    @property
    def running(self) -> bool:
        """Whether the process lives. It may have been killed, so the file alone does not tell."""
        if self.pid == _STOPPED:
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:  # it lives and is another user's
            return True
        return True


def addresses(data: Path) -> Addresses | None:
    """Return what `up` wrote last, None if it never ran on this directory."""
    path = _file(data)
    try:
        kept = orjson.loads(path.read_bytes())
        form = kept.pop("format")
        found = Addresses(**kept)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as err:
        message = f"{path} is damaged ({err}); remove it, `millstream up` writes it again"
        raise Inconsistent(message) from err
    if form != _FORMAT:
        message = f"{path} has format {form}, expected {_FORMAT}; remove it, `millstream up` writes it again"
        raise Inconsistent(message)
    return found


@contextmanager
def published(data: Path, found: Addresses) -> Iterator[None]:
    """Let other commands find the parts as long as the context lasts."""
    _write(data, found)
    try:
        yield
    finally:
        _write(data, replace(found, pid=_STOPPED))


def _write(data: Path, found: Addresses) -> None:
    draft = _file(data).with_suffix(".draft")
    draft.write_bytes(orjson.dumps({"format": _FORMAT, **asdict(found)}))
    draft.replace(_file(data))


def _file(data: Path) -> Path:
    return data / "addresses.json"


@dataclass(frozen=True, slots=True)
class Located:
    """A Millstream as a command finds it. `running` is None where nobody can tell: the parts are somebody else's, as a settings file says."""

    settings: Settings
    running: bool | None

    def tenant(self, name: str | None) -> Tenant:
        """Return the tenant that is meant; without a name the only one. BadSettings lists those that there are."""
        known = self.settings.tenants
        if name is None and len(known) == 1:
            return known[0]
        if name in known:
            return Tenant(name)
        said = "which tenant is not said" if name is None else f"tenant {name!r} is not in the settings"
        message = f"{said}; there are {', '.join(known)}: give one with --tenant"
        raise BadSettings(message)

    def require_running(self) -> None:
        """Unreachable if `up` does not run on this directory, or no longer."""
        if self.running is False or (self.running and not _runs(self.settings.data)):
            message = f"nothing runs on {self.settings.data}; start `millstream up --data {self.settings.data}`, or give --settings FILE"
            raise Unreachable(message)


def _runs(data: Path) -> bool:
    found = addresses(data)
    return found is not None and found.running


def located(data: Path, file: Path | None) -> Located:
    """Return the Millstream of a settings file, else the embedded one of a data directory, running or not."""
    if file is not None:
        return Located(read(file), None)
    found = addresses(data)
    if found is None:
        return Located(embedded(data), running=False)
    if found.running:
        return Located(embedded(data, overrides(found)), running=True)
    return Located(embedded(data, {"reading.embedding": found.embedding, "reading.vocabulary": found.vocabulary}), running=False)


def overrides(found: Addresses) -> dict[str, object]:
    """Return what the addresses change of the built-in settings."""
    return {
        "kafka.bootstrap": found.kafka,
        "index.uri": found.milvus,
        "metrics.port": found.metrics,
        "reading.embedding": found.embedding,
        "reading.vocabulary": found.vocabulary,
    }
