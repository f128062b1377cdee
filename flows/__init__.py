"""How it runs: the index flow, its runner, the settings and the command line."""
