"""A measure as its formula with the counts filled in."""

from __future__ import annotations

import re
from typing import Any

from tradeoff.analysis.registry import METRICS, Measure
from tradeoff.ranking.confusion import ConfusionMatrix
from tradeoff.text import count, number

FUNCTIONS = frozenset({"sqrt", "log", "log2", "abs", "min", "max", "pi"})


def symbols(matrix: ConfusionMatrix) -> dict[str, Any]:
    """The letters that formulas use."""
    return {
        "tp": matrix.true_positives,
        "fn": matrix.false_negatives,
        "fp": matrix.false_positives,
        "tn": matrix.true_negatives,
        "rp": matrix.rejected_positives,
        "rn": matrix.rejected_negatives,
        "P": matrix.positives,
        "N": matrix.negatives,
        "n": matrix.rows,
    }


def is_expression(measure: Measure) -> bool:
    """Whether the formula is an expression in counts, rates and parameters, not a description."""
    known = {*symbols(ConfusionMatrix(0, 0, 0, 0)), *FUNCTIONS, *measure.parameters}
    words = re.findall(r"[A-Za-z_]\w*", measure.formula)
    return all(word in known or METRICS.knows(word) for word in words)


def filled_in(measure: Measure, matrix: ConfusionMatrix) -> str:
    """The formula with numbers in place of letters.

    Example:
        >>> from tradeoff.ranking.confusion import ConfusionMatrix
        >>> filled_in(METRICS["precision"], ConfusionMatrix(7, 2, 4, 1))
        '7 / (7 + 4)'
    """
    letters = symbols(matrix)

    def value(found: re.Match[str]) -> str:
        word = found[0]
        if word in letters:
            return count(letters[word])
        if word in measure.parameters:
            return f"{measure.parameters[word]:g}"
        if word in FUNCTIONS:
            return word
        return number(float(METRICS.find(word)(matrix))) if METRICS.knows(word) else word

    return pretty(re.sub(r"[A-Za-z_]\w*", value, measure.formula))


def pretty(formula: str) -> str:
    """A formula as people write it.

    Example:
        >>> pretty("sqrt(tpr * precision)"), pretty("2 * beta**2")
        ('√(tpr · precision)', '2 · beta²')
    """
    written = formula.replace("sqrt", "√").replace("**2", "²").replace("pi", "π")
    return written.replace(" * ", " · ").replace(" - ", " − ")
