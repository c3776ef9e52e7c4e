"""Diagnostic accuracy as in reports of clinical studies (STARD): a 2 × 2 table with totals."""

from __future__ import annotations

from tradeoff.core.confusion import REJECTED, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import format_count, format_threshold, printable
from tradeoff.render.sections import Section


def result_labels(ranking: Ranking, threshold: float) -> tuple[str, str]:
    """Labels of the results of a diagnostic test, such as "s100b ≥ 0.22" and "s100b < 0.22".

    Example:
        >>> from tradeoff import evaluate
        >>> ranking = evaluate([0, 1], {"s100b": [0.1, 0.3]}).ranking
        >>> result_labels(ranking, 0.22)
        ('s100b ≥ 0.22', 's100b < 0.22')
    """
    signs = "≤>" if ranking.lower_is_positive else "≥<"
    name, value = printable(ranking.name), format_threshold(threshold)
    return f"{name} {signs[0]} {value}", f"{name} {signs[1]} {value}"


def diagnostic_table_section(matrix: ConfusionMatrix, results: tuple[str, str]) -> Section:
    """The 2 × 2 table of a diagnostic test: results in rows, actual classes in columns.

    Args:
        matrix: Confusion matrix of the test.
        results: Labels of a positive and of a negative result.
    """
    rows = [
        (results[0], matrix.true_positives, matrix.false_positives),
        (results[1], matrix.false_negatives, matrix.true_negatives),
    ]
    if matrix.rejected:
        rows.append((REJECTED, matrix.rejected_positives, matrix.rejected_negatives))
    rows.append(("total", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    header = ("", *(f"actual {printable(name)}" for name in matrix.classes), "total")
    table = [
        (label, *map(format_count, (positives, negatives, positives + negatives)))
        for label, positives, negatives in rows
    ]
    return Section(table=(header, *table))
