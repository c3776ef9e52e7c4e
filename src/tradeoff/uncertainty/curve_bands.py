"""How sure a whole curve is: bands around it, at each x by itself or around all of it at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import RowCosts
from tradeoff.core.ranking import Ranking
from tradeoff.core.resamples import Resamples
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.measures.curves import any_curve
from tradeoff.measures.curves.bounds import cases, demand_bounds, lies_above
from tradeoff.measures.curves.curve import JUST_BEHIND, Curve
from tradeoff.measures.curves.interpolation import Mixed
from tradeoff.measures.curves.registry import kind_of
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.results import Result, Tabular
from tradeoff.uncertainty.bootstrap import (
    RankedRows,
    SharedRows,
    bootstrap,
    method_name,
    thinned,
)
from tradeoff.uncertainty.plausible import Plausible

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence

    Floats = NDArray[np.float64]


# A pointwise band by the bootstrap: percentiles, as other programs give them.
#
# Where no resample can leave the curve seen, as at the top of a ROC curve once all positives are
# found, it has no width; it holds the truth less often than it says there.


def _bootstrap_percentiles(
    curve: Curve,
    asked: Mapping[str, Any],
    x: Floats,
    confidence: Confidence,
    paired: PairedRanking | None,
) -> tuple[Floats, Floats, Floats, str]:
    """The lower end, the middle and the upper end of resamples' heights, and what was done."""
    ranking = curve.ranking
    shared = None if paired is None else SharedRows.of(paired)
    coarse = thinned(ranking) if shared is None else shared.patterns[0]
    exact, rough = height(curve, x), height(any_curve(coarse, **asked), x)
    undecided = ranking.rejected_positives or ranking.rejected_negatives
    is_roc = curve.name == "roc" and not undecided

    def heights_of(resamples: Resamples) -> NDArray[Any]:
        if is_roc:
            return _roc_heights(x, resamples)
        return np.array([height(any_curve(own, **asked), x) for own in resamples])

    if shared is None:
        heights = bootstrap(RankedRows(coarse), heights_of, confidence, parallel=is_roc)
        how = method_name(replace(confidence, method="bootstrap"))
    else:
        heights = bootstrap(shared, lambda models: heights_of(models[0]), confidence)
        how = "cluster bootstrap"
    heights = _inside(heights + np.nan_to_num(exact - rough), curve.up.name)
    tail = (1 - confidence.level) / 2
    ends = np.full((3, len(x)), np.nan)
    known = ~np.isnan(heights).all(axis=0)
    ends[:, known] = np.nanquantile(heights[:, known], [tail, 0.5, 1 - tail], axis=0)
    return ends[0], ends[1], ends[2], f"{how}, {len(heights):,} draws, seed {confidence.seed}"


def height(curve: Curve, x: Floats) -> Floats:
    """The heights at many x; on a vertical step the better end."""
    arriving, leaving = curve.limits(x)
    pick = np.fmin if curve.up.better == "lower" else np.fmax
    return np.asarray(pick(arriving, leaving))


def _roc_heights(x: Floats, resamples: Resamples) -> NDArray[Any]:
    """The same for ROC curves, without making curves."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ups, overs = (side / side[:, -1:] for side in resamples.tally[1:])
    # Of several heights at one x, interp gives the last: the highest.
    return np.array([np.interp(x, over, up) for over, up in zip(overs, ups, strict=True)])


def _inside(heights: Floats, name: str) -> Floats:
    """No height beyond what the metric can be."""
    if not METRICS.knows(name):
        return heights
    return np.clip(heights, METRICS[name].low, METRICS[name].high)


# How low and how high a curve lies among many rankings, at any x.


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


Kind = Literal["pointwise", "simultaneous"]
MOST_POINTS = 1000
GRID = 201
"""A band is given at a curve's own points, or at so many of them, and at a grid of so many."""

PLACES = 1024
"""Thresholds that a band looks at; those between lie on nearly straight lines."""

METHODS = {
    "pointwise": "Jeffreys intervals profiled over thresholds (after Claeskens, Jing, Peng & Zhou "
    "2003), conservative with few rows",
    "simultaneous": "equal local levels (Weine, McPeek & Abney 2023) profiled over thresholds "
    "(after Claeskens, Jing, Peng & Zhou 2003), conservative",
}


@dataclass(frozen=True, eq=False)
class Band(Tabular):
    """Where a curve may lie: `low` and `high` over `x`, and the curve itself in the `middle`.

    A "pointwise" band holds the true height at each x with the probability `level`, a
    "simultaneous" one the whole curve.
    """

    x: Floats
    low: Floats
    middle: Floats
    high: Floats
    kind: Kind
    level: float
    method: str

    def __repr__(self) -> str:
        """One line: its kind, level and how it was found."""
        return f"Band({self.kind}, {100 * self.level:g} %, {len(self.x):,} points, {self.method})"

    def columns(self) -> dict[str, Floats]:
        """The band as a table."""
        return {"x": self.x, "low": self.low, "middle": self.middle, "high": self.high}


@dataclass(frozen=True, eq=False)
class CurveEstimate(Result, views="tradeoff.views.curves"):
    """A curve with how sure it is: its area with an interval, and the band around it."""

    curve: Curve
    area: Estimate
    band: Band | None = None

    def columns(self) -> dict[str, Any]:
        """The points of the curve; a band adds columns."""
        return {**self.curve.columns(), **self._band_columns()}

    def _band_columns(self) -> dict[str, Floats]:
        """The limits of the band at the curve's own points."""
        if self.band is None:
            return {}
        # On a vertical step the band is of the height that is read there.
        x = self.curve.x
        is_read = np.isfinite(x)
        is_read[:-1] &= x[1:] != x[:-1]
        columns = {}
        for name, ends in (("band_low", self.band.low), ("band_high", self.band.high)):
            columns[name] = np.full(len(x), np.nan)
            columns[name][is_read] = np.interp(x[is_read], self.band.x, ends)
        return columns


def curve_band(  # noqa: PLR0913 - whose curve, which, how sure, where
    ranking: Ranking,
    asked: Mapping[str, Any],
    confidence: Confidence,
    *,
    kind: Kind = "pointwise",
    x: Any = None,
    paired: PairedRanking | None = None,
) -> Band:
    """The band of a curve: from its lowest to its highest among plausible rankings.

    Args:
        ranking: Whose curve it is.
        asked: What makes the curve: its name, or x and y, and its parameters.
        confidence: The level, and whether the prevalence is given. By the method "bootstrap" a
            pointwise band has percentiles of bootstrap resamples, which hold less near the ends.
        kind: "pointwise" or "simultaneous".
        x: Where to give the band; if not said, at the curve's own points (1,000 of them at most)
            and on a grid of 201.
        paired: The rows by cluster, where they come in some.
    """
    if kind not in get_args(Kind):
        raise UnknownName(
            f"No band is called {kind!r}.{did_you_mean(str(kind), get_args(Kind))} There are "
            f"{listed(get_args(Kind))}."
        )
    curve = any_curve(ranking, **asked)
    if x is None:
        band = curve_band(ranking, asked, confidence, kind=kind, x=_places(curve), paired=paired)
        return _joined(band) if kind == "simultaneous" else band
    at = np.atleast_1d(np.asarray(x, np.float64))
    if not ranking.exact and paired is None:
        demand_bounds(curve)
        both = [curve_band(own, asked, confidence, kind=kind, x=at) for own in cases(ranking)]
        return _around(*both)
    if confidence.draws and kind == "pointwise":
        low, middle, high, method = _bootstrap_percentiles(curve, asked, at, confidence, paired)
        return Band(at, low, middle, high, kind, confidence.level, method)
    _demand_promise(curve, asked)
    middle = height(curve, at)
    if paired is not None:
        (ranking,) = paired.rankings.values()
    pattern = thinned(
        ranking, PLACES, [ranking.places(own) for own in _thresholds(curve, asked, at)]
    )
    by_class = confidence.by_class or ranking.prevalence_known
    mixes = not by_class and _mixes_classes(pattern, asked, at)
    plausible = Plausible.of(
        pattern, confidence.level, everywhere=kind == "simultaneous", paired=paired
    )
    others = plausible.rankings(prevalence=mixes, ordered=_is_ordered(curve))
    low, high = envelope(curve, asked, others, at)
    method = METHODS[kind] if paired is None else f"{METHODS[kind]}, by cluster"
    return Band(at, low, middle, high, kind, confidence.level, method)


def _around(worst: Band, best: Band) -> Band:
    """The band that holds those of the worst and of the best order inside bins."""
    return replace(
        worst,
        low=np.fmin(worst.low, best.low),
        middle=(worst.middle + best.middle) / 2,
        high=np.fmax(worst.high, best.high),
        method=f"{worst.method}, for every order inside bins",
    )


def _places(curve: Curve) -> Floats:
    own = np.unique(curve.x[np.isfinite(curve.x)])
    if not len(own):
        raise InputError(f"The {curve.name} curve is nowhere defined, so it has no band.")
    if len(own) > MOST_POINTS:
        own = own[np.linspace(0, len(own) - 1, MOST_POINTS).round().astype(np.intp)]
    # Of few points a band would have long straight sides.
    return own if curve.formula is not None else np.union1d(own, np.linspace(own[0], own[-1], GRID))


def _demand_promise(curve: Curve, asked: Mapping[str, Any]) -> None:
    """No band whose level is known not to hold."""
    ranking, why = curve.ranking, kind_of(curve.name).no_band
    if isinstance(asked.get("costs"), RowCosts):
        why = "costs differ from row to row"
    if why:
        raise InputError(
            f"The {curve.name} curve has no band that holds its level, as {why}; by bootstrap "
            '(method="bootstrap", --band bootstrap) it has one without that promise.'
        )
    sides = ((ranking.positives, ranking.positive), (ranking.negatives, ranking.negative))
    for rows, name in sides:
        if not rows:
            raise InputError(f"A band needs rows of both classes, and no row is {name!r}.")


def _thresholds(curve: Curve, asked: Mapping[str, Any], at: Floats) -> list[Floats]:
    """Thresholds that the curve is read at."""
    read = [at] if curve.formula is not None and curve.across.name == "threshold" else []
    return [*read, np.atleast_1d(asked["threshold"])] if "threshold" in asked else read


def _mixes_classes(ranking: Ranking, asked: Mapping[str, Any], at: Floats) -> bool:
    """Whether the curve changes with the prevalence."""
    seen, other = (height(any_curve(own, **asked), at) for own in (ranking, ranking.weighed(2, 1)))
    return not np.allclose(seen, other, rtol=1e-9, atol=1e-12, equal_nan=True)


def _is_ordered(curve: Curve) -> bool:
    """Whether a better ranking has a better curve everywhere."""
    way = curve.between
    return isinstance(way, Mixed) and lies_above(way.x_metric, way.y_metric)


def _joined(band: Band) -> Band:
    """The band whose straight sides hold all that lies between neighbouring points, also steps."""
    low, high = (np.pad(ends, 1, mode="edge") for ends in (band.low, band.high))
    return replace(
        band,
        low=np.fmin(np.fmin(low[:-2], low[2:]), band.low),
        high=np.fmax(np.fmax(high[:-2], high[2:]), band.high),
    )
