"""Where to put the line: criteria, decisions, reject bands."""
