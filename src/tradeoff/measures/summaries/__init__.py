"""All summaries of a whole ranking. To add one, decorate a function in one of these files."""

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
