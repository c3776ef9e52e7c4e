"""Statistics: numbers in, numbers out. Nothing here knows a ranking."""
