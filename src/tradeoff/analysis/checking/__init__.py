"""Whether scored rows are what they should be, before anybody believes their numbers."""

from tradeoff.analysis.checking import folds, rankings, rows  # noqa: F401 - they enter their checks
from tradeoff.analysis.checking.asking import findings_of, findings_of_rows, worst_level
from tradeoff.analysis.checking.kinds import CHECKS, Check, Finding
from tradeoff.analysis.checking.rows import GivenRows, GivenScores

__all__ = [
    "CHECKS",
    "Check",
    "Finding",
    "GivenRows",
    "GivenScores",
    "findings_of",
    "findings_of_rows",
    "worst_level",
]
