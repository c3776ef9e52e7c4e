"""How low and how high a curve lies among many rankings, at any x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.measures.curves import any_curve
from tradeoff.measures.curves.curve import JUST_BEHIND
from tradeoff.measures.curves.interpolation import Mixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.measures.registry import Measure

    Floats = NDArray[np.float64]


def envelope(
    curve: Curve, asked: Mapping[str, Any], rankings: Iterable[Ranking], x: Floats
) -> tuple[Floats, Floats]:
    """The lowest and the highest heights of a curve of all rankings; NaN where none has any."""
    way = curve.between
    if isinstance(way, Mixed) and way.x_metric.linear:
        heights = _straight_heights(rankings, way, x)
    else:
        heights = np.concatenate([any_curve(own, **asked).limits(x) for own in rankings])
    return np.fmin.reduce(heights), np.fmax.reduce(heights)


def _straight_heights(rankings: Iterable[Ranking], way: Mixed, x: Floats) -> Floats:
    """Heights on arriving and on leaving where x is a straight line in the counts.

    All are read at once from the counts where x has its value: that takes a third of the time.
    """
    counts = np.concatenate([_counts_at(own, way.x_metric, x) for own in rankings])
    return np.asarray(way.y_metric(ConfusionMatrix(*np.moveaxis(counts, 1, 0))))


def _counts_at(ranking: Ranking, across: Measure, x: Floats) -> Floats:
    """The confusion matrices where a metric has given values, the first and the last of each."""
    matrix = ranking.confusion
    values = across(matrix)
    columns = (
        matrix.true_positives,
        matrix.false_negatives,
        matrix.false_positives,
        matrix.true_negatives,
    )
    rejected = np.broadcast_to(matrix.rejections[:, None], (2, len(x)))

    def read(at: Floats, order: slice, sign: int) -> Floats:
        along = sign * values[order]
        counts = [np.interp(sign * at, along, own[order], np.nan, np.nan) for own in columns]
        return np.array([*counts, *rejected])

    last = np.searchsorted(values, values[0], "right") - 1
    # Precision of nothing is undefined; just behind it is not.
    nothing = (x == values[0]) & (columns[0][last] + columns[2][last] == 0)
    leaving = np.where(nothing, x + JUST_BEHIND, x)
    # Where values are equal, interp reads the last.
    return np.array([read(x, slice(None, None, -1), -1), read(leaving, slice(None), 1)])
