"""Prose: from sentences to facts, English and Chinese; parsers and models are elsewhere."""
