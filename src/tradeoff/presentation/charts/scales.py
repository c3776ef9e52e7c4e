"""From where to where the sides of a chart run, also for skewed, tied and infinite scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.presentation.charts.chart import Scale
from tradeoff.presentation.charts.wording import limits, scale_kind, side

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.presentation.charts.chart import Kind

LARGEST = 1e300
"""Finite scores beyond this are drawn here: the width of a scale must be a number, too."""
RARE = 0.01
"""Scores rarer than this at an end do not decide how wide a scale is."""
SKEWED = 20.0
"""Scores whose highest is so many times the middle one are spaced by logarithm."""
FAR = 3.0
SMALLEST_SHARE = 1e-5


def score_scale(rankings: Iterable[Ranking], label: str = "score") -> Scale:
    """The scale of scores: 0 to 1 for probabilities, else what holds nearly all rows.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> scale = score_scale([ranking])
        >>> scale.low, scale.high, scale.kind
        (0.0, 1.0, 'plain')
    """
    parts = [_weighed(ranking) for ranking in rankings]
    values, rows = (np.concatenate(column) for column in zip(*parts, strict=True))
    if not len(values):
        return Scale(label, 0.0, 1.0)
    order = np.argsort(values, kind="stable")
    values, share = values[order], np.cumsum(rows[order])
    share = share / share[-1]
    first, last = float(values[0]), float(values[-1])
    if first >= 0 and last <= 1 and not (last < 0.2 and first > 0):
        return Scale(label, 0.0, 1.0)
    if first == last:
        reach = abs(first) / 2 or 0.5
        return Scale(label, first - reach, first + reach)
    low, middle, high = (
        float(values[np.searchsorted(share, at)]) for at in (RARE, 0.5, 1 - RARE - 1e-12)
    )
    if first > 0 and last > SKEWED * middle:
        return Scale(label, first, last, "log")
    if high > low and last - first > FAR * (high - low):
        first, last = low, high
    low, high = padded(first, last)
    return Scale(label, 0.0 if first >= 0 > low else low, high)


def metric_scale(
    name: str, values: Iterable[NDArray[np.float64]], ranking: Ranking, curve: str = ""
) -> Scale:
    """The scale of a metric: what it can be, or what it is where it has no bounds.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> metric_scale("lift", [np.array([np.nan, 2.0, 1.0])], ranking).high
        2.05
    """
    label, kind = side(name, ranking, curve), scale_kind(name)
    low, high = limits(name)
    found = [one[np.isfinite(one)] for one in values]
    known = np.concatenate([[], *found])
    least, most = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if name in ZOOMED and len(known):
        return Scale(label, *_zoomed(name, least, most), kind)
    if math.isfinite(low) and math.isfinite(high):
        start = 0.0 if least >= 0 else math.floor(10 * (least - 0.02)) / 10
        return Scale(label, max(start, min(low, least)), high, kind)
    below, above = padded(least, most)
    start = 0.0 if least >= 0 and (low == 0 or least <= 0.3 * most) else below
    return Scale(label, start, min(above, high), kind)


def error_scale(name: str, ranking: Ranking) -> Scale:
    """A rate by normal quantiles: from half a row to nearly all."""
    rows = float(ranking.negatives if name == "false_positive_rate" else ranking.positives)
    least = min(max(0.5 / rows if rows else 0.01, SMALLEST_SHARE), 0.01)
    return Scale(side(name, ranking), least, 0.99, "normal")


def spaced(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Values as far apart as a scale of this kind shows them.

    Example:
        >>> spaced(np.array([1.0, 100.0]), "log").tolist()
        [0.0, 2.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "log":
            return np.log10(values)
        if kind == "normal":
            from scipy.special import ndtri

            return np.asarray(ndtri(values))
    return values


def padded(low: float, high: float, share: float = 0.05) -> tuple[float, float]:
    """A little more room than the values take; some room also where they are all equal.

    Example:
        >>> padded(0, 2)
        (-0.1, 2.1)
    """
    reach = (high - low) * share or abs(high) * share or share
    return low - reach, high + reach


ZOOMED = frozenset({"accepted_error_rate", "accepted_accuracy", "normalized_expected_cost", "loss"})
"""What is often a small part of its range, and is read by itself."""


def _zoomed(name: str, least: float, most: float) -> tuple[float, float]:
    if name == "accepted_accuracy":
        return max(math.floor(10 * (least - 0.02)) / 10, 0.0), 1.0
    return 0.0, min(1.1 * most, 1.0) or 1.0


def _weighed(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The finite scores, none too large to be drawn, and the rows of each."""
    scores = ranking.thresholds[1:]
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    known = np.isfinite(scores) & (rows > 0)
    return np.clip(scores[known], -LARGEST, LARGEST), rows[known].astype(np.float64)
