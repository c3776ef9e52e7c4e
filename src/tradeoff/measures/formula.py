"""A measure as its formula with the counts filled in."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures.registry import METRICS, Measure, written
from tradeoff.text import count, number

WORD = r"[A-Za-z_]\w*"


def xlog2y(x: Any, y: Any) -> Any:
    """Multiply x by log2(y): 0 where x is 0, whatever y is.

    Example:
        >>> float(xlog2y(0.5, 0.25)), float(xlog2y(0, 0))
        (-1.0, 0.0)
    """
    logs = np.log2(np.where(np.equal(x, 0), 1.0, y))
    return x * logs


def entropy(*shares: Any) -> Any:
    """-Σ p · log2(p) of shares.

    Example:
        >>> float(entropy(0.5, 0.25, 0.25, 0))
        1.5
    """
    return 0.0 - np.sum([xlog2y(own, own) for own in shares], axis=0)


def pairs(unit: Any, *rows: Any) -> Any:
    """How many pairs rows make within their groups, one row being a unit.

    Example:
        >>> float(pairs(1, 4)), float(pairs(1, 4, 2)), float(pairs(0.5, 2))
        (6.0, 7.0, 1.5)
    """
    return np.sum([own * (own - unit) / 2 for own in rows], axis=0)


def counted(rows: Any) -> Any:
    """Rows, undefined where they are not more than one: proportions do not tell how many.

    Example:
        >>> float(counted(14)), float(counted(1.0))
        (14.0, nan)
    """
    return np.where(np.greater(rows, 1), rows, np.nan)[()]


def if_zero(value: Any, then: Any, otherwise: Any) -> Any:
    """One thing where a value is 0, another where it is not or is undefined.

    Example:
        >>> float(if_zero(0.0, 1, 2)), float(if_zero(float("nan"), 1, 2))
        (1.0, 2.0)
    """
    return np.where(np.equal(value, 0), then, otherwise)[()]


FUNCTIONS: dict[str, Any] = {
    "sqrt": np.sqrt,
    "log": np.log,
    "log2": np.log2,
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "pi": math.pi,
    "xlog2y": xlog2y,
    "entropy": entropy,
    "pairs": pairs,
    "counted": counted,
    "if_zero": if_zero,
}
"""The words that formulas use beside counts, parameters and metrics."""


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
        "d": matrix.decided,
        "e": matrix.effective_decided,
    }


LETTERS = frozenset(symbols(ConfusionMatrix(0, 0, 0, 0)))


def is_expression(measure: Measure) -> bool:
    """Whether the counts of two classes can be filled in: the formula is no mere description."""
    return bool(readable(measure))


def readable(measure: Measure) -> str:
    """The expression that people read: the formula, or that for two classes; empty if none is."""
    for formula in (measure.formula, measure.two_classes):
        if formula and _is_known(formula, measure):
            return formula
    return ""


def exact(measure: Measure) -> str:
    """The expression whose value is the function's for every matrix; empty if there is none."""
    return measure.two_classes or readable(measure)


def _is_known(formula: str, measure: Measure) -> bool:
    known = {*LETTERS, *FUNCTIONS, *measure.parameters}
    return all(word in known or METRICS.knows(word) for word in re.findall(WORD, formula))


def filled_in(measure: Measure, matrix: ConfusionMatrix) -> str:
    """The formula with numbers in place of letters.

    Example:
        >>> from tradeoff.core.confusion import ConfusionMatrix
        >>> filled_in(METRICS["precision"], ConfusionMatrix(7, 2, 4, 1))
        '7 / (7 + 4)'
        >>> filled_in(METRICS["actual_entropy"], ConfusionMatrix(7, 2, 4, 1))
        'entropy((7 + 2) / 14, (4 + 1) / 14)'
    """
    letters = symbols(matrix)

    def value(found: re.Match[str]) -> str:
        word = found[0]
        if word in letters:
            return count(letters[word])
        if word in measure.parameters:
            given = measure.parameters[word]
            return word if given is None else written(given)
        if word in FUNCTIONS:
            return word
        return number(float(METRICS.find(word)(matrix))) if METRICS.knows(word) else word

    return pretty(re.sub(WORD, value, readable(measure) or measure.formula))


def pretty(formula: str) -> str:
    """A formula as people write it.

    Example:
        >>> pretty("sqrt(tpr * precision)"), pretty("2 * beta**2")
        ('√(tpr · precision)', '2 · beta²')
    """
    text = formula.replace("sqrt", "√").replace("**2", "²").replace("pi", "π")
    return text.replace(" * ", " · ").replace(" - ", " − ")
