"""Core data structures: rankings, confusion matrices, costs, and the sort that makes rankings."""
