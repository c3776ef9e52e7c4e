"""Whether scored rows are what they should be, before anybody believes their numbers."""

from tradeoff.checks import folds, rankings, rows  # noqa: F401 - they enter their checks
from tradeoff.checks.registry import (
    CHECKS,
    CheckKind,
    Finding,
    findings_of,
    findings_of_rows,
    worst_level,
)
from tradeoff.checks.rows import GivenRows, GivenScores

__all__ = [
    "CHECKS",
    "CheckKind",
    "Finding",
    "GivenRows",
    "GivenScores",
    "findings_of",
    "findings_of_rows",
    "worst_level",
]
