"""What travels: changes, versions, units, facts, nuggets, bridges, records, transitions, receipts and errors."""
