"""Which model and threshold is best where."""
