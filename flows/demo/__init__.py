"""The demo: a small company's documents are replayed into an index of their own, and the index is asked."""
