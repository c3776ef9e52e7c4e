"""All metrics, by family. To add one, decorate a function in the file of its family."""

from tradeoff.measures.metrics import (
    agreement,
    association,
    combined,
    costs,
    information,
    overall,
    rates,
    ratios,
)

__all__ = [
    "agreement",
    "association",
    "combined",
    "costs",
    "information",
    "overall",
    "rates",
    "ratios",
]
