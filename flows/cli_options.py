"""Options that several commands have, and the way from them to a Millstream."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:  # the settings take half a second to load, and `--help` needs none
    from flows.located import Located
    from state.reader import StoreReader

DATA = Path("millstream-data")

Data: TypeAlias = Annotated[Path, typer.Option("--data", envvar="MILLSTREAM_DATA", help="The data directory of `millstream up`.")]
SettingsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--settings", envvar="MILLSTREAM_SETTINGS", help="A settings file instead of what `millstream up` started.")
]
TenantName: TypeAlias = Annotated[str | None, typer.Option("--tenant", help="The tenant, where the settings have several.")]
Readers: TypeAlias = Annotated[
    list[str] | None, typer.Option("--reader", help="On whose behalf: a person or group; may be given again. Without: what everybody may read.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, and nothing else there.")]


def find(data: Path, file: Path | None) -> "Located":
    """Return the Millstream that is meant: of the settings file if there is one, else of the data directory."""
    from flows.located import located  # here, as above

    return located(data, file)


@contextmanager
def snapshot(data: Path, file: Path | None, tenant: str | None) -> Iterator["StoreReader"]:
    """Open the store of a tenant as it is at one moment."""
    from state.reader import StoreReader  # here, as above

    place = find(data, file)
    with closing(StoreReader(place.settings.store(place.tenant(tenant)))) as store, store.snapshot():
        yield store
