"""Checks of scored rows for problems that make their metrics misleading."""

from tradeoff.checks import folds, rankings, rows  # noqa: F401 - registers their checks
from tradeoff.checks.findings import ranking_findings, row_findings
from tradeoff.checks.registry import CHECKS, CheckKind, Finding, worst_level
from tradeoff.checks.rows import RawRows, RawScores

__all__ = [
    "CHECKS",
    "CheckKind",
    "Finding",
    "RawRows",
    "RawScores",
    "ranking_findings",
    "row_findings",
    "worst_level",
]
