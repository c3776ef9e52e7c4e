"""Numbers that sum up a whole ranking. A new one is a decorated function in one of these files."""

from tradeoff.measures.summaries import (
    areas,
    calibration,
    partial_areas,
    precision_recall,
    probabilities,
)

__all__ = [
    "areas",
    "calibration",
    "partial_areas",
    "precision_recall",
    "probabilities",
]
