"""Confidence bands for curves, pointwise or simultaneous."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import extreme_rankings
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import RowCosts
from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.measures.curves import any_curve
from tradeoff.measures.curves.bin_bounds import is_curve_bounded, require_bounded_curve
from tradeoff.measures.curves.curve import SMALL_FRACTION, Curve
from tradeoff.measures.curves.interpolation import CountInterpolation
from tradeoff.measures.curves.registry import curve_kind
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.results import Result, Tabular
from tradeoff.uncertainty.bootstrap import (
    RankedRows,
    SharedRows,
    bootstrap,
    bootstrap_method_name,
    coarsen_ranking,
)
from tradeoff.uncertainty.confidence_region import ConfidenceRegion

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence

    Floats = NDArray[np.float64]


# Pointwise bands from bootstrap percentiles, as in other software.
#
# Where no resample can depart from the observed curve, as at the top of an ROC curve once all
# positives are found, such a band has no width, and its coverage falls below its level.


def _bootstrap_percentiles(
    curve: Curve,
    curve_options: Mapping[str, Any],
    x: Floats,
    confidence: Confidence,
    paired: PairedRanking | None,
) -> tuple[Floats, Floats, Floats, str]:
    """Lower, middle and upper percentiles of the heights of bootstrap curves, and the method."""
    ranking = curve.ranking
    shared = None if paired is None else SharedRows.of(paired)
    coarse = coarsen_ranking(ranking) if shared is None else shared.coarse_rankings[0]
    coarse_curve = any_curve(coarse, **curve_options)
    heights, coarse_heights = band_heights(curve, x), band_heights(coarse_curve, x)
    has_rejections = ranking.rejected_positives or ranking.rejected_negatives
    is_roc = curve.name == "roc" and not has_rejections

    def resampled_heights(resamples: Resamples) -> NDArray[Any]:
        if is_roc:
            return _roc_heights(x, resamples)
        return np.array(
            [band_heights(any_curve(resample, **curve_options), x) for resample in resamples]
        )

    if shared is None:
        ys = bootstrap(RankedRows(coarse), resampled_heights, confidence, parallel=is_roc)
        method = bootstrap_method_name(replace(confidence, method="bootstrap"))
    else:
        ys = bootstrap(shared, lambda models: resampled_heights(models[0]), confidence)
        method = "cluster bootstrap"
    ys = _clip_heights(ys + np.nan_to_num(heights - coarse_heights), curve.up.name)
    tail = (1 - confidence.level) / 2
    limits = np.full((3, len(x)), np.nan)
    is_defined = ~np.isnan(ys).all(axis=0)
    limits[:, is_defined] = np.nanquantile(ys[:, is_defined], [tail, 0.5, 1 - tail], axis=0)
    method = f"{method}, {len(ys):,} resamples, seed {confidence.seed}"
    return limits[0], limits[1], limits[2], method


def band_heights(curve: Curve, x: Floats) -> Floats:
    """Heights of a curve that its confidence band covers: on a vertical step, the better end."""
    left, right = curve.limits(x)
    better = np.fmin if curve.up.better == "lower" else np.fmax
    return np.asarray(better(left, right))


def _roc_heights(x: Floats, resamples: Resamples) -> NDArray[Any]:
    """Heights of the ROC curves of resamples, without building curves."""
    with np.errstate(invalid="ignore", divide="ignore"):
        tprs, fprs = (counts / counts[:, -1:] for counts in resamples.tally[1:])
    # On a vertical step, interp returns the last point, which is the highest.
    return np.array([np.interp(x, fpr, tpr) for fpr, tpr in zip(fprs, tprs, strict=True)])


def _clip_heights(heights: Floats, name: str) -> Floats:
    """Clip heights to the range of their metric."""
    if not METRICS.knows(name):
        return heights
    return np.clip(heights, METRICS[name].low, METRICS[name].high)


# Confidence bands as the envelopes of curves over many rankings.


def band_envelope(
    curve: Curve, curve_options: Mapping[str, Any], rankings: Iterable[Ranking], x: Floats
) -> tuple[Floats, Floats]:
    """Limits of the confidence band for a curve: its extreme heights over many rankings.

    They are NaN where the curve is undefined.
    """
    path = curve.between
    if isinstance(path, CountInterpolation) and path.x_metric.linear:
        ys = _heights_over_linear_x(rankings, path, x)
    else:
        curves = (any_curve(ranking, **curve_options) for ranking in rankings)
        ys = np.concatenate([ranking_curve.limits(x) for ranking_curve in curves])
    return np.fmin.reduce(ys), np.fmax.reduce(ys)


def _heights_over_linear_x(
    rankings: Iterable[Ranking], path: CountInterpolation, x: Floats
) -> Floats:
    """Left and right limits of curves whose x metric is linear in the counts.

    All are computed at once from interpolated counts, which takes a third of the time.
    """
    counts = np.concatenate(
        [_confusion_counts_at(ranking, path.x_metric, x) for ranking in rankings]
    )
    return np.asarray(path.y_metric(ConfusionMatrix(*np.moveaxis(counts, 1, 0))))


def _confusion_counts_at(ranking: Ranking, x_metric: Measure, x: Floats) -> Floats:
    """Counts of the first and the last confusion matrix at which a metric equals each x."""
    matrix = ranking.confusion
    values = x_metric(matrix)
    columns = (
        matrix.true_positives,
        matrix.false_negatives,
        matrix.false_positives,
        matrix.true_negatives,
    )
    rejected = np.broadcast_to(matrix.rejections[:, None], (2, len(x)))

    def interpolate(targets: Floats, order: slice, sign: int) -> Floats:
        xp = sign * values[order]
        counts = [
            np.interp(sign * targets, xp, column[order], np.nan, np.nan) for column in columns
        ]
        return np.array([*counts, *rejected])

    last = np.searchsorted(values, values[0], "right") - 1
    # Precision is undefined while no row is predicted positive, but defined just after that.
    is_empty = (x == values[0]) & (columns[0][last] + columns[2][last] == 0)
    right_x = np.where(is_empty, x + SMALL_FRACTION, x)
    # Where values repeat, interp uses the last.
    first_counts = interpolate(x, slice(None, None, -1), -1)
    return np.array([first_counts, interpolate(right_x, slice(None), 1)])


Kind = Literal["pointwise", "simultaneous"]
MAX_POINTS = 1000
GRID_POINTS = 201
"""A band is computed at up to `MAX_POINTS` points of its curve, and at `GRID_POINTS` of a grid."""

MAX_THRESHOLDS = 1024
"""Maximum number of thresholds for a band; those in between lie on nearly straight lines."""

METHOD_NAMES = {
    "pointwise": "Jeffreys intervals profiled over thresholds (after Claeskens, Jing, Peng & Zhou "
    "2003), conservative with few rows",
    "simultaneous": "equal local levels (Weine, McPeek & Abney 2023) profiled over thresholds "
    "(after Claeskens, Jing, Peng & Zhou 2003), conservative",
}


@dataclass(frozen=True, eq=False)
class Band(Tabular):
    """Confidence band for a curve: `low` and `high` over `x`, with the curve as the `middle`.

    A "pointwise" band covers the true height at each x with probability `level`, a "simultaneous"
    one the whole curve.
    """

    x: Floats
    low: Floats
    middle: Floats
    high: Floats
    kind: Kind
    level: float
    method: str

    def __repr__(self) -> str:
        """One line: its kind, level and method."""
        return f"Band({self.kind}, {100 * self.level:g}%, {len(self.x):,} points, {self.method})"

    def columns(self) -> dict[str, Floats]:
        """Columns of the band as a table."""
        return {"x": self.x, "low": self.low, "middle": self.middle, "high": self.high}


@dataclass(frozen=True, eq=False)
class CurveEstimate(
    Result, views="tradeoff.views.curves", charts="tradeoff.views.curve_chart", picture=True
):
    """A curve, its area with a confidence interval, and its confidence band."""

    curve: Curve
    area: Estimate
    band: Band | None = None

    def columns(self) -> dict[str, Any]:
        """Columns of the points of the curve, and of its band if there is one."""
        return {**self.curve.columns(), **self._band_columns()}

    def _band_columns(self) -> dict[str, Floats]:
        """Limits of the band at the points of the curve."""
        if self.band is None:
            return {}
        # On a vertical step, the limits are given at its last point.
        x = self.curve.x
        is_last = np.isfinite(x)
        is_last[:-1] &= x[1:] != x[:-1]
        columns = {}
        for name, limits in (("band_low", self.band.low), ("band_high", self.band.high)):
            columns[name] = np.full(len(x), np.nan)
            columns[name][is_last] = np.interp(x[is_last], self.band.x, limits)
        return columns


def curve_band(  # noqa: PLR0913 - ranking, curve, confidence and points
    ranking: Ranking,
    curve_options: Mapping[str, Any],
    confidence: Confidence,
    *,
    kind: Kind = "pointwise",
    x: Any = None,
    paired: PairedRanking | None = None,
) -> Band:
    """Confidence band for a curve: its envelope over the rankings in a confidence region.

    Args:
        ranking: The ranking of the curve.
        curve_options: Options of the curve: its name, or x and y, and its parameters.
        confidence: The level, and whether class totals are fixed. With the method "bootstrap", a
            pointwise band has bootstrap percentiles, whose coverage is lower near the ends.
        kind: "pointwise" or "simultaneous".
        x: Where to compute the band; by default at the points of the curve (at most 1,000) and on
            a grid of 201.
        paired: The rows with their clusters, if rows are clustered.
    """
    if kind not in get_args(Kind):
        raise UnknownName(
            f"There is no band {kind!r}.{did_you_mean(str(kind), get_args(Kind))} Available bands: "
            f"{format_list(get_args(Kind))}."
        )
    curve = any_curve(ranking, **curve_options)
    if x is None:
        band = curve_band(
            ranking, curve_options, confidence, kind=kind, x=_band_points(curve), paired=paired
        )
        return _connect_points(band) if kind == "simultaneous" else band
    x_values = np.atleast_1d(np.asarray(x, np.float64))
    if not ranking.exact and paired is None:
        require_bounded_curve(curve)
        bands = [
            curve_band(case, curve_options, confidence, kind=kind, x=x_values)
            for case in extreme_rankings(ranking)
        ]
        return _union_of_bands(*bands)
    if confidence.is_bootstrap and kind == "pointwise":
        low, middle, high, method = _bootstrap_percentiles(
            curve, curve_options, x_values, confidence, paired
        )
        return Band(x_values, low, middle, high, kind, confidence.level, method)
    _require_guaranteed_coverage(curve, curve_options)
    middle = band_heights(curve, x_values)
    if paired is not None:
        (ranking,) = paired.rankings.values()
    coarse = coarsen_ranking(
        ranking,
        MAX_THRESHOLDS,
        [ranking.places(values) for values in _thresholds(curve, curve_options, x_values)],
    )
    by_class = confidence.by_class or ranking.prevalence_known
    vary_prevalence = not by_class and _depends_on_prevalence(coarse, curve_options, x_values)
    region = ConfidenceRegion.of(
        coarse, confidence.level, simultaneous=kind == "simultaneous", paired=paired
    )
    rankings = region.rankings(vary_prevalence=vary_prevalence, is_ordered=_is_ordered(curve))
    low, high = band_envelope(curve, curve_options, rankings, x_values)
    method = METHOD_NAMES[kind] if paired is None else f"{METHOD_NAMES[kind]}, by cluster"
    return Band(x_values, low, middle, high, kind, confidence.level, method)


def _union_of_bands(worst: Band, best: Band) -> Band:
    """Band that contains the bands for the worst and the best order inside bins."""
    return replace(
        worst,
        low=np.fmin(worst.low, best.low),
        middle=(worst.middle + best.middle) / 2,
        high=np.fmax(worst.high, best.high),
        method=f"{worst.method}, for every order inside bins",
    )


def _band_points(curve: Curve) -> Floats:
    x = np.unique(curve.x[np.isfinite(curve.x)])
    if not len(x):
        raise InputError(f"The {curve.name} curve is undefined everywhere, so it has no band.")
    if len(x) > MAX_POINTS:
        x = x[np.linspace(0, len(x) - 1, MAX_POINTS).round().astype(np.intp)]
    # With few points, a band would have long straight sides.
    return x if curve.formula is not None else np.union1d(x, np.linspace(x[0], x[-1], GRID_POINTS))


def _require_guaranteed_coverage(curve: Curve, curve_options: Mapping[str, Any]) -> None:
    """Require a curve for which a band is known to reach its nominal coverage."""
    ranking, reason = curve.ranking, curve_kind(curve.name).no_band
    if isinstance(curve_options.get("costs"), RowCosts):
        reason = "costs differ from row to row"
    if reason:
        raise InputError(
            f"The {curve.name} curve has no band of guaranteed coverage, as {reason}; the "
            'bootstrap (method="bootstrap", --band bootstrap) gives one without that guarantee.'
        )
    classes = ((ranking.positives, ranking.positive), (ranking.negatives, ranking.negative))
    for rows, name in classes:
        if not rows:
            raise InputError(
                f"A band needs rows of both classes, but no row belongs to class {name!r}."
            )


def _thresholds(curve: Curve, curve_options: Mapping[str, Any], x: Floats) -> list[Floats]:
    """Thresholds at which the curve is evaluated."""
    thresholds = [x] if curve.formula is not None and curve.across.name == "threshold" else []
    if "threshold" in curve_options:
        thresholds = [*thresholds, np.atleast_1d(curve_options["threshold"])]
    return thresholds


def _depends_on_prevalence(ranking: Ranking, curve_options: Mapping[str, Any], x: Floats) -> bool:
    """Whether the curve depends on the prevalence."""
    rankings = ranking, ranking.weighed(2, 1)
    first, second = (band_heights(any_curve(case, **curve_options), x) for case in rankings)
    return not np.allclose(first, second, rtol=1e-9, atol=1e-12, equal_nan=True)


def _is_ordered(curve: Curve) -> bool:
    """Whether a better ranking always has a better curve, at every x."""
    path = curve.between
    return isinstance(path, CountInterpolation) and is_curve_bounded(path.x_metric, path.y_metric)


def _connect_points(band: Band) -> Band:
    """Widen a band so that straight lines between its points contain everything in between."""
    low, high = (np.pad(limits, 1, mode="edge") for limits in (band.low, band.high))
    return replace(
        band,
        low=np.fmin(np.fmin(low[:-2], low[2:]), band.low),
        high=np.fmax(np.fmax(high[:-2], high[2:]), band.high),
    )
