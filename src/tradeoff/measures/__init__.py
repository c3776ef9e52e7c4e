"""Metrics, summaries and curves: their definitions, registries and estimates.

Whoever imports any of them finds the registries filled.
"""

from tradeoff.measures import metrics, summaries

__all__ = ["metrics", "summaries"]
