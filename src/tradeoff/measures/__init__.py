"""Metrics, summaries and curves: their definitions, registries and estimates.

Importing any module of this package fills the registries.
"""

from tradeoff.measures import metrics, summaries

__all__ = ["metrics", "summaries"]
