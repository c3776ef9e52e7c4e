"""All summaries of a whole ranking. Add a new one as a decorated function in one of these files."""

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
