"""One module per source system: each turns that system's events into changes."""
