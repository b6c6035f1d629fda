"""People at a table: who may act, what is written down, and who is told."""
