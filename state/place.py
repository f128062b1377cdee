"""Places: a version's position in its document's history as bytes that sort the same way (incarnation, order, rank)."""

from schemas.change import Order

_OFFSET = 2**63
_MORE, _NO_MORE = b"\x01", b"\x00"


def place(incarnation: int, order: Order, rank: int) -> bytes:
    """Return the place; comparing two of them as bytes compares (incarnation, order, rank), a shorter order before a longer one."""
    parts = b"".join(_MORE + (number + _OFFSET).to_bytes(8, "big") for number in order)
    return (incarnation + _OFFSET).to_bytes(8, "big") + parts + _NO_MORE + bytes([rank])


def incarnation_of(at: bytes) -> int:
    """Return the incarnation of a place."""
    return int.from_bytes(at[:8], "big") - _OFFSET


def with_rank(at: bytes, rank: int) -> bytes:
    """Return the place of a change of another rank at the same order."""
    return at[:-1] + bytes([rank])


def spoken(order: Order) -> str:
    """Return an order as people read it: "7", "12.3"."""
    return ".".join(map(str, order))
