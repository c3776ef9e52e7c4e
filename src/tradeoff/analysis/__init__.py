"""Rankings and confusion matrices become numbers. Nothing here reads data or prints."""

# Whoever imports any part of the analysis finds the tables of metrics and summaries filled.
from tradeoff.analysis import metrics, summaries

__all__ = ["metrics", "summaries"]
