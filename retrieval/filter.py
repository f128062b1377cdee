"""Who asks, of when and how widely, as a filter: it is applied before anything is ranked."""

from collections.abc import Iterable
from enum import StrEnum

from connectors.index import Filter
from schemas.change import EVERYONE
from schemas.errors import BadQuestion
from schemas.ids import Audience, Tenant
from schemas.instant import Instant
from schemas.record import Belief, Kind

PUBLIC = frozenset({EVERYONE})
"""The readers on whose behalf nobody in particular asks."""

ANSWERS = frozenset({Kind.NUGGET, Kind.BRIDGE, Kind.UNIT})
"""The kinds that answer questions; sections and entities are the way to them."""


class View(StrEnum):
    """Which records may answer (DESIGN.md 5.6)."""

    FULL = "full"
    ACTIVE = "active"
    ALL = "all"


_BELIEFS = {
    View.FULL: frozenset({Belief.BELIEVED, Belief.DISPUTED}),
    View.ACTIVE: frozenset({Belief.BELIEVED}),
    View.ALL: None,
}


def view_named(name: str) -> View:
    """Return the view of a name; BadQuestion lists those that there are."""
    try:
        return View(name)
    except ValueError as error:
        message = f"view {name!r} is unknown; there are {', '.join(View)}"
        raise BadQuestion(message) from error


def visible(audiences: Iterable[Audience], readers: Iterable[str]) -> frozenset[Audience]:
    """Return the audiences that one of the readers belongs to. Everybody belongs to `*`, nobody to the empty audience."""
    names = frozenset(readers) - {EVERYONE}
    odd = sorted(name for name in names if "|" in name or not name)
    if odd:
        message = f"reader {odd[0]!r} is no name: it is empty or holds '|'"
        raise BadQuestion(message)
    return frozenset(audience for audience in audiences if audience == EVERYONE or not names.isdisjoint(_members(audience)))


def condition(tenant: Tenant, audiences: frozenset[Audience], at: Instant, view: View) -> Filter:
    """Return what may answer at an instant in a view.

    full: believed or disputed, and valid. active: believed and valid. all: everything at any time, weak and rejected statements and unverified
    bridges included.
    """
    everything = view is View.ALL
    return Filter(
        tenant=tenant,
        audiences=audiences,
        at=None if everything else at,
        beliefs=_BELIEFS[view],
        kinds=ANSWERS,
        verified_only=not everything,
    )


def _members(audience: Audience) -> frozenset[str]:
    return frozenset(filter(None, audience.split("|")))
