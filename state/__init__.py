"""What is remembered: one transactional store per tenant, its tables, its views and their one refresh loop."""
