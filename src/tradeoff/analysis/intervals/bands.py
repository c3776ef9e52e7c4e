"""How sure a whole curve is: bands around it, at each x by itself or around all of it at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from tradeoff.analysis.intervals.drawing import thinned
from tradeoff.analysis.intervals.drawn_bands import drawn_percentiles, height
from tradeoff.analysis.intervals.envelope import envelope
from tradeoff.analysis.intervals.plausible import Plausible
from tradeoff.core.costs import RowCosts
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.measures.curves import any_curve
from tradeoff.measures.curves.bounds import cases, demand_bounds, lies_above
from tradeoff.measures.curves.interpolation import Mixed
from tradeoff.tabular import Tabular

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.curves.curve import Curve

    Floats = NDArray[np.float64]

Kind = Literal["pointwise", "simultaneous"]
MOST_POINTS = 1000
GRID = 201
"""A band is given at a curve's own points, or at so many of them, and at a grid of so many."""

PLACES = 1024
"""Thresholds that a band looks at; those between lie on nearly straight lines."""

WITHOUT = {
    "accuracy_rejection": "rejected rows lie between two thresholds, which vary together",
    "risk_coverage": "rejected rows lie between two thresholds, which vary together",
    "cost": "it follows the best threshold of these rows, which is not the best of all rows",
    "bin_lift": "its bins are those of these rows",
    "calibration": "its groups are those of these rows; a reliability diagram has bands of its own",
}
"""Curves for which no method is known to hold its level, and why."""

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
        low, middle, high, method = drawn_percentiles(curve, asked, at, confidence, paired)
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
    ranking, why = curve.ranking, WITHOUT.get(curve.name)
    if isinstance(asked.get("costs"), RowCosts):
        why = "costs differ from row to row"
    if why is not None:
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
