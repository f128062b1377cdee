"""The demo: a small company's documents are replayed into an index of their own, and the index is asked."""

from flows.demo.story import demo

__all__ = ["demo"]
