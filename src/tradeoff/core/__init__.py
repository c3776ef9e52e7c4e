"""Core data structures: rankings, confusion matrices, costs, and the sort behind rankings."""
