"""What a number means, and all that is known of it: metrics, curves and summaries.

Whoever imports any of them finds the registries filled.
"""

from tradeoff.measures import metrics, summaries

__all__ = ["metrics", "summaries"]
