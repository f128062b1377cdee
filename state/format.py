"""The format of a store's tables. A module of its own, so that a reader need not load all that writes to them."""

FORMAT = 3
"""A store of another format is refused: rebuild it from the topics."""
