"""Curves of any metric against another metric, or against the threshold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.curve import Axis, Curve, Line, counts_table
from tradeoff.measures.curves.interpolation import (
    CountInterpolation,
    linear_interpolation_area,
    values_along,
)
from tradeoff.measures.registry import METRICS, Measure

Integral = Callable[[Curve, float, float], float]
THRESHOLD = "threshold"


def metric_curve(  # noqa: PLR0913 - one option per property of a curve
    ranking: Ranking,
    x: str,
    y: str,
    *,
    name: str | None = None,
    chance: Line | None = None,
    ideal: Line | None = None,
    integral: Integral | None = None,
) -> Curve:
    """Curve of one metric against another; if unnamed, labelled with the requested names."""
    x_metric, y_metric = (METRICS[axis] if name else METRICS.find(axis) for axis in (x, y))
    values = values_along(ranking, [x_metric, y_metric])
    if integral is None and x_metric.linear and y_metric.linear:
        integral = linear_interpolation_area if (np.diff(values[0]) >= 0).all() else None
    return Curve(
        name or f"{y_metric.name} over {x_metric.name}",
        ranking,
        _axis(x_metric, values[0]),
        _axis(y_metric, values[1]),
        CountInterpolation(ranking, x_metric, y_metric, *values),
        chance=chance,
        ideal=ideal,
        table=lambda: counts_table(ranking, ranking.confusion),
        integral=integral,
    )


def threshold_curve(
    ranking: Ranking, measure: Measure, *others: Measure, name: str | None = None
) -> Curve:
    """Curve of one or more metrics against the threshold: step functions of the scores."""
    values = values_along(ranking, [measure, *others])
    first, *also = (_axis(m, v) for m, v in zip((measure, *others), values, strict=True))
    steps = first.values

    def height(thresholds: Any) -> Any:
        return steps[ranking.places(thresholds)]

    return Curve(
        name or f"{measure.name} over {THRESHOLD}",
        ranking,
        Axis(THRESHOLD, ranking.thresholds),
        first,
        formula=height,
        also=tuple(also),
        table=lambda: counts_table(ranking, ranking.confusion),
    )


def _axis(measure: Measure, values: NDArray[np.float64]) -> Axis:
    # A canonical name has an axis label of its own, with the user's class names.
    spelling = "" if measure.spelling == measure.name else measure.spelling
    return Axis(measure.name, values, measure.better, spelling)
