"""Folds of a cross-validation: thin curves, their average, and how far they lie apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.errors import InputError
from tradeoff.measures.curves.registry import THRESHOLD
from tradeoff.presentation.charts.chart import Chart, Line, Ribbon
from tradeoff.presentation.charts.curves import SQUARE, curve_chart
from tradeoff.presentation.charts.lines import fitted, way
from tradeoff.presentation.charts.wording import AREAS, legend
from tradeoff.text import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.measures.curves.average import AverageCurve, Spread
    from tradeoff.presentation.charts.chart import Layer

SPREADS = {
    "sd": "one standard deviation",
    "se": "one standard error",
    "t": "{:g} % interval of the mean",
}


def folds_chart(
    averages: Mapping[str, AverageCurve], *, spread: Spread | None = "t", level: float = 0.95
) -> Chart:
    """The average over folds of one or several models.

    Args:
        averages: By model; of one alone the folds' own curves are drawn, too.
        spread: The band around a vertical average, as for `AverageCurve.band`; None: no band.
        level: Of the band "t".

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(
        ...     actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.3], fold=["a", "a", "b", "b"]
        ... )
        >>> chart = folds_chart({"m": e.average("roc")})
        >>> [layer.role for layer in chart.layers]
        ['chance', 'fold', 'fold', 'average', 'average']
        >>> chart.layers[-1].label
        'm (mean AUC 0.50)'
    """
    if not averages:
        raise InputError("A chart of folds needs at least one model.")
    first = next(iter(averages.values()))
    frame = curve_chart(first.folds)
    layers: list[Layer] = [one for one in frame.layers if one.role in {"chance", "ideal", "iso"}]  # type: ignore[union-attr]
    if len(averages) == 1 and first.method != "pooled":
        size = len(first.folds)
        for place, curve in enumerate(first.folds.values()):
            label = "" if place else f"{size} fold{'s' if size > 1 else ''}"
            layers.append(Line(*way(curve, frame.x), "fold", label))
    for order, (name, average) in enumerate(averages.items()):
        layers += _average(name, average, spread, level, order)
    lit = (fitted(one, frame.x, frame.y) for one in layers)
    how = "all folds pooled" if first.method == "pooled" else f"{first.method} average"
    told = [f"{how.capitalize()} of {len(first.folds)} folds."]
    if first.method == "pooled":
        told = ["All folds pooled into one ranking."]
    told += [f"Fold {plain(f)} is left out: {why}." for f, why in first.left_out.items()]
    title = f"{frame.title} over folds"
    return Chart(title, frame.x, frame.y, tuple(lit), " ".join(told), first.name in SQUARE)


def _average(
    name: str, average: AverageCurve, spread: Spread | None, level: float, order: int
) -> list[Layer]:
    found: list[Layer] = []
    if spread is not None and average.method == "vertical":
        band = average.band(spread, level=level)
        label = SPREADS[spread].format(100 * level) if not order else ""
        if np.isfinite(band.low).any():
            found.append(Ribbon(band.x, band.low, band.high, "average", label, order))
    called = AREAS.get(average.name)
    area = average.area() if called else None
    word = called if average.method == "pooled" else f"mean {called}"
    known = area is not None and area.is_defined
    label = legend(name, area, word or "") if known else f"{legend(name)}, average"
    stepped = average.x_name == THRESHOLD and average.name != "net_benefit"
    points = _steps(average) if stepped else (average.x, average.y)
    found.append(Line(*points, "average", label, order, stepped))
    return found


def _steps(average: AverageCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Heights by threshold from left to right, each level up to the next score of any fold."""
    known = np.isfinite(average.x)
    x, y = average.x[known], average.y[known]
    if len(x) > 1 and x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    if next(iter(average.folds.values())).ranking.lower_is_positive:
        return x, y
    return x, np.append(y[1:], y[-1:])  # a threshold just above a score leaves its rows out
