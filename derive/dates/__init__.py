"""Dates: what a text says of when, English and Chinese."""
