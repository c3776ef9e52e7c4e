"""Metrics whose intervals follow from a published formula, or from that of another metric."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from tradeoff.measures.registry import METRICS
from tradeoff.stats.normal import quantile
from tradeoff.stats.paired_labels import newcombe
from tradeoff.stats.ratios import likelihood_ratio, odds_ratio, predictive_value
from tradeoff.uncertainty.confidence import Spread
from tradeoff.uncertainty.mover import METHOD as MOVER
from tradeoff.uncertainty.mover import PREVALENCE, TRUE_POSITIVE_RATE, Share, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tradeoff.uncertainty.mover import MovedShares

    Formula = Callable[[MovedShares], Spread | None]

ACTUAL_POSITIVE, PREDICTED_POSITIVE = Share((0, 1), (3, 4)), Share((0, 3), (1, 4))
"""The positive and the predicted positive share of the decided rows."""
NO_DIFFERENCE = "no interval: the difference that it is the reciprocal of may be 0"


def _class_counts(moved: MovedShares) -> tuple[float, float, float, float]:
    """True positives, positives, false positives, negatives, as equally weighted rows."""
    matrix = moved.matrix
    counts = []
    for hits, total, squares in (
        ("true_positives", "positives", "positives"),
        ("false_positives", "negatives", "negatives"),
    ):
        part, rows = float(getattr(matrix, hits)), float(getattr(matrix, total))
        if matrix.squares is not None and rows:
            trials = _class_trials(moved, squares)
            # Rounding must not make hits more than trials.
            part, rows = min(part * trials / rows, trials), trials
        counts += [part, rows]
    return counts[0], counts[1], counts[2], counts[3]


def _class_trials(moved: MovedShares, which: str) -> float:
    """How many equally weighted rows a rate over all rows of a class is worth."""
    cells = {"positives": Share((0,), (1, 2)), "negatives": Share((3,), (4, 5))}
    squares = moved.matrix.squares
    return float(
        cells[which].trials(cells_of(moved.matrix), None if squares is None else cells_of(squares))
    )


def _of_odds(scale: Callable[[float], float]) -> Formula:
    """A rising function of the odds ratio."""

    def interval(moved: MovedShares) -> Spread | None:
        if moved.matrix.rejected:
            return None
        tp, positives, fp, negatives = _class_counts(moved)
        odds = odds_ratio(tp, positives - tp, fp, negatives - fp, moved.level)
        return Spread(scale(float(odds.low)), scale(float(odds.high)), str(odds.method))

    return interval


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


def _from_odds(odds: float) -> float:
    return 1 - 2 / (1 + odds)


def _positive_likelihood(moved: MovedShares) -> Spread | None:
    """By MOVER where it is finite, else by its logarithm with 1/2 added to every cell."""
    if moved.matrix.false_positives or not moved.matrix.true_positives:
        return None
    ratio = likelihood_ratio(*_class_counts(moved), moved.level)
    return Spread(float(ratio.low), float(ratio.high), str(ratio.method))


def _negative_likelihood(moved: MovedShares) -> Spread | None:
    if moved.matrix.true_negatives or not moved.matrix.false_negatives or moved.matrix.rejected:
        return None
    tp, positives, fp, negatives = _class_counts(moved)
    ratio = likelihood_ratio(positives - tp, positives, negatives - fp, negatives, moved.level)
    return Spread(float(ratio.low), float(ratio.high), str(ratio.method))


def _youden(moved: MovedShares) -> Spread:
    low, high = (float(end) for end in newcombe(*_class_counts(moved), moved.level)[-2:])
    return Spread(low, high, "Newcombe")


def _balanced_accuracy(moved: MovedShares) -> Spread | None:
    if moved.matrix.rejected:
        return None
    low, high, method, _ = _youden(moved)
    return Spread((1 + low) / 2, (1 + high) / 2, method)


def _balanced_error_rate(moved: MovedShares) -> Spread | None:
    return _complement(_balanced_accuracy(moved))


def _complement(share: Spread | None) -> Spread | None:
    return share and share._replace(low=1 - share.high, high=1 - share.low)


def _number_needed_to_diagnose(moved: MovedShares) -> Spread:
    return _reciprocal(_youden(moved))


def _number_needed_to_predict(moved: MovedShares) -> Spread:
    return _reciprocal(_by_mover(moved, "markedness"))


def _reciprocal(difference: Spread) -> Spread:
    if difference.low <= 0 <= difference.high:
        return Spread(math.nan, math.nan, "", NO_DIFFERENCE)
    return difference._replace(low=1 / difference.high, high=1 / difference.low)


def _information_score(moved: MovedShares) -> Spread:
    low, high, method, _ = _by_mover(moved, "lift")
    return Spread(_log(low) / math.log(2), _log(high) / math.log(2), method)


def _precision_gain(moved: MovedShares) -> Spread | None:
    """1 - 1 / (positive likelihood ratio): the prevalence cancels out."""
    ratio = _positive_likelihood(moved) or _by_mover(moved, "positive_likelihood_ratio")
    low, high = (1 - 1 / end if end else -math.inf for end in (ratio.low, ratio.high))
    return Spread(low, high, ratio.method)


def _recall_gain(moved: MovedShares) -> Spread | None:
    """1 - exp(logit of the prevalence - logit of recall), each logit nearly normal."""
    if moved.matrix.rejected or not (moved.matrix.positives and moved.matrix.negatives):
        return None
    cells = cells_of(moved.matrix)
    squares = None if moved.matrix.squares is None else cells_of(moved.matrix.squares)
    hits, misses = float(cells[0]), float(cells[1])
    trials = float(TRUE_POSITIVE_RATE.trials(cells, squares))
    is_empty = not (hits and misses)
    counts = [part * trials / (hits + misses) + 0.5 * is_empty for part in (hits, misses)]
    variance = 1 / counts[0] + 1 / counts[1]
    prevalence = float(PREVALENCE.value(cells))
    if not moved.fixed_classes:
        rows = float(PREVALENCE.trials(cells, squares))
        variance += 1 / (rows * prevalence * (1 - prevalence))
    middle = math.log(prevalence / (1 - prevalence)) + math.log(counts[1] / counts[0])
    half = quantile(moved.level) * math.sqrt(variance)
    value = float(METRICS["recall_gain"](moved.matrix))
    low, high = 1 - math.exp(middle + half), 1 - math.exp(middle - half)
    method = "logit, with 1/2 added" if is_empty else "logit"
    return Spread(min(low, value), max(high, value), method)


def _of_one_share(share: Share, scale: Callable[[float], float]) -> Formula:
    """A function of one share that turns at one half and nowhere else."""

    def interval(moved: MovedShares) -> Spread | None:
        if moved.fixed_classes:
            return None
        cells, squares = cells_of(moved.matrix), moved.matrix.squares
        ends = share.interval(cells, None if squares is None else cells_of(squares), moved.level)
        low, high = (float(end) for end in ends)
        values = [scale(share) for share in (low, high, min(max(0.5, low), high))]
        return Spread(min(values), max(values), "Wilson")

    return interval


def _larger_class(share: float) -> float:
    return max(share, 1 - share)


def _binary_entropy(share: float) -> float:
    return -sum(p * math.log2(p) for p in (share, 1 - share) if p > 0)


def _overlap(larger: bool) -> Formula:
    """True positives among the predicted positives or the positives, whichever are fewer."""

    def interval(moved: MovedShares) -> Spread | None:
        matrix = moved.matrix
        by_class = (matrix.positives > matrix.predicted_positives) == larger
        if moved.fixed_classes and not by_class:
            return None
        share = Share((0,), (1, 2)) if by_class else Share((0,), (3,))
        squares = None if matrix.squares is None else cells_of(matrix.squares)
        low, high = share.interval(cells_of(matrix), squares, moved.level)
        return Spread(float(low), float(high), "Wilson")

    return interval


def _predictive(which: Literal["positive", "negative"]) -> Formula:
    """Predictive values where the prevalence is known; else they are plain shares."""

    def interval(moved: MovedShares) -> Spread | None:
        matrix = moved.matrix
        if matrix.rejected or not (matrix.positives and matrix.negatives):
            return None
        prevalence = float(matrix.positives / matrix.rows)
        found = predictive_value(*_class_counts(moved), prevalence, moved.level, which)
        return Spread(float(found.low), float(found.high), f"Mercaldo, {found.method}")

    return interval


def _false_discovery_rate(moved: MovedShares) -> Spread | None:
    return _complement(_predictive("positive")(moved))


def _false_omission_rate(moved: MovedShares) -> Spread | None:
    return _complement(_predictive("negative")(moved))


def _by_mover(moved: MovedShares, name: str) -> Spread:
    low, high = (float(end) for end in moved.interval(METRICS[name]))
    return Spread(low, high, MOVER)


KNOWN: dict[str, Formula] = {
    "odds_ratio": _of_odds(float),
    "log_odds_ratio": _of_odds(_log),
    "discriminant_power": _of_odds(lambda odds: math.sqrt(3) / math.pi * _log(odds)),
    "yules_q": _of_odds(_from_odds),
    "yules_y": _of_odds(lambda odds: _from_odds(math.sqrt(odds))),
    "positive_likelihood_ratio": _positive_likelihood,
    "negative_likelihood_ratio": _negative_likelihood,
    "youden_j": _youden,
    "balanced_accuracy": _balanced_accuracy,
    "balanced_error_rate": _balanced_error_rate,
    "number_needed_to_diagnose": _number_needed_to_diagnose,
    "number_needed_to_predict": _number_needed_to_predict,
    "information_score": _information_score,
    "precision_gain": _precision_gain,
    "recall_gain": _recall_gain,
    "no_information_rate": _of_one_share(ACTUAL_POSITIVE, _larger_class),
    "actual_entropy": _of_one_share(ACTUAL_POSITIVE, _binary_entropy),
    "predicted_entropy": _of_one_share(PREDICTED_POSITIVE, _binary_entropy),
    "overlap_coefficient": _overlap(larger=False),
    "braun_blanquet": _overlap(larger=True),
    "precision": _predictive("positive"),
    "negative_predictive_value": _predictive("negative"),
    "false_discovery_rate": _false_discovery_rate,
    "false_omission_rate": _false_omission_rate,
}
"""Metrics by name; a formula gives None where it does not hold for this matrix.

Predictive values are only asked for where class totals are fixed or the prevalence is known.
"""
