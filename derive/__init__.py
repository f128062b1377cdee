"""What is computed: pure functions without I/O and without a clock."""
