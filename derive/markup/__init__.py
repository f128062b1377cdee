"""Markup: from a body, however it is written, to the block tree."""
