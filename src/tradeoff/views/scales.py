"""Scales for charts: limits and spacing of axes for scores, metrics and error rates."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.registry import QUANTITIES, Quantity
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.render.chart import Scale, ScaleKind
from tradeoff.views.chart_labels import axis_label


def _scale_kind(name: str) -> ScaleKind:
    """Kind of scale for a quantity: in percent for proportions of rows, else plain."""
    return "share" if _is_share(name) else "plain"


def _is_share(name: str) -> bool:
    if name in QUANTITIES:
        return QUANTITIES[name].is_share
    return METRICS.knows(name) and bool(METRICS.find(name).trials)


def scale_range(name: str) -> tuple[float, float]:
    """Range of a metric or another quantity on its scale; infinite if unbounded.

    Example:
        >>> [scale_range(name) for name in ("precision", "lift", "probability_cost")]
        [(0.0, 1.0), (0.0, inf), (0.0, 1.0)]
    """
    quantity = _find_quantity(name)
    return (-math.inf, math.inf) if quantity is None else (quantity.low, quantity.high)


def _find_quantity(name: str) -> Quantity | Measure | None:
    if name in QUANTITIES:
        return QUANTITIES[name]
    return METRICS.find(name) if METRICS.knows(name) else None


MAX_DRAWN_SCORE = 1e300
"""Larger finite scores are drawn at this value, so that the width of a scale does not overflow."""
TAIL_PROPORTION = 0.01
"""Proportion of rows in each tail that a scale may omit."""
MIN_LOG_SCALE_RATIO = 20.0
"""Positive scores whose maximum exceeds their median by this factor get a logarithmic scale."""
MIN_OUTLIER_RATIO = 3.0
MIN_ERROR_RATE = 1e-5


def score_scale(rankings: Iterable[Ranking], label: str = "score") -> Scale:
    """Scale for scores: 0 to 1 for probabilities, else the range of nearly all rows.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> scale = score_scale([ranking])
        >>> scale.low, scale.high, scale.kind
        (0.0, 1.0, 'plain')
    """
    score_weights = [_score_weights(ranking) for ranking in rankings]
    values, rows = (np.concatenate(column) for column in zip(*score_weights, strict=True))
    if not len(values):
        return Scale(label, 0.0, 1.0)
    order = np.argsort(values, kind="stable")
    values, cumulative = values[order], np.cumsum(rows[order])
    cumulative = cumulative / cumulative[-1]
    first, last = float(values[0]), float(values[-1])
    if first >= 0 and last <= 1 and not (last < 0.2 and first > 0):
        return Scale(label, 0.0, 1.0)
    if first == last:
        margin = abs(first) / 2 or 0.5
        return Scale(label, first - margin, first + margin)
    low, median, high = (
        float(values[np.searchsorted(cumulative, quantile)])
        for quantile in (TAIL_PROPORTION, 0.5, 1 - TAIL_PROPORTION - 1e-12)
    )
    if first > 0 and last > MIN_LOG_SCALE_RATIO * median:
        return Scale(label, first, last, "log")
    if high > low and last - first > MIN_OUTLIER_RATIO * (high - low):
        first, last = low, high
    low, high = padded_range(first, last)
    return Scale(label, 0.0 if first >= 0 > low else low, high)


def metric_scale(
    name: str,
    values: Iterable[NDArray[np.float64]],
    ranking: Ranking,
    curve: str = "",
    spelling: str = "",
) -> Scale:
    """Scale for a metric: its range, or the range of its values if it is unbounded.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> metric_scale("lift", [np.array([np.nan, 2.0, 1.0])], ranking).high
        2.05
    """
    label, kind = axis_label(name, ranking, curve, spelling), _scale_kind(name)
    low, high = scale_range(name)
    finite_values = [column[np.isfinite(column)] for column in values]
    defined = np.concatenate([[], *finite_values])
    minimum, maximum = (float(defined.min()), float(defined.max())) if len(defined) else (0.0, 1.0)
    quantity = _find_quantity(name)
    if quantity is not None and quantity.zoomed and len(defined):
        higher_is_better = isinstance(quantity, Measure) and quantity.better == "higher"
        bounds = (max(math.floor(10 * (minimum - 0.02)) / 10, 0.0), 1.0)
        return Scale(
            label,
            *(bounds if higher_is_better else (0.0, min(1.1 * maximum, 1.0) or 1.0)),
            kind,
        )
    if math.isfinite(low) and math.isfinite(high):
        start = 0.0 if minimum >= 0 else math.floor(10 * (minimum - 0.02)) / 10
        return Scale(label, max(start, min(low, minimum)), high, kind)
    lower, upper = padded_range(minimum, maximum)
    start = 0.0 if minimum >= 0 and (low == 0 or minimum <= 0.3 * maximum) else lower
    return Scale(label, start, min(upper, high), kind)


def error_scale(name: str, ranking: Ranking) -> Scale:
    """Normal quantile scale for an error rate: from that of half a row to 99%."""
    rows = float(ranking.negatives if name == "false_positive_rate" else ranking.positives)
    minimum = min(max(0.5 / rows if rows else 0.01, MIN_ERROR_RATE), 0.01)
    return Scale(axis_label(name, ranking), minimum, 0.99, "normal")


def transform_values(values: NDArray[np.float64], kind: ScaleKind) -> NDArray[np.float64]:
    """Values transformed for a kind of scale (logarithm, normal quantile).

    Example:
        >>> transform_values(np.array([1.0, 100.0]), "log").tolist()
        [0.0, 2.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "log":
            return np.log10(values)
        if kind == "normal":
            from scipy.special import ndtri

            return np.asarray(ndtri(values))
    return values


def padded_range(low: float, high: float, fraction: float = 0.05) -> tuple[float, float]:
    """Range of a scale with a margin on both sides, even if all values are equal.

    Example:
        >>> padded_range(0, 2)
        (-0.1, 2.1)
    """
    margin = (high - low) * fraction or abs(high) * fraction or fraction
    return low - margin, high + margin


def _score_weights(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Finite scores, clipped to what can be drawn, and the number of rows with each."""
    scores = ranking.thresholds[1:]
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    is_drawn = np.isfinite(scores) & (rows > 0)
    return np.clip(scores[is_drawn], -MAX_DRAWN_SCORE, MAX_DRAWN_SCORE), rows[is_drawn].astype(
        np.float64
    )
