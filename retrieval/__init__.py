"""How the index is asked: filter, channels, fusion, selection."""
