"""How sure a whole curve is: bands around it, at each x by itself or around all of it at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from tradeoff.analysis.comparing.drawing import PairedDraws
from tradeoff.analysis.curves import any_curve
from tradeoff.analysis.curves.certain import demand_bounds
from tradeoff.analysis.in_bins import cases
from tradeoff.analysis.intervals.drawing import judged, thinned
from tradeoff.analysis.intervals.percentiles import describe
from tradeoff.analysis.registry import METRICS
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.tabular import Tabular

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.analysis.curves.curve import Curve
    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.analysis.intervals.drawing import Drawn
    from tradeoff.ranking.paired import PairedRanking
    from tradeoff.ranking.ranking import Ranking

Kind = Literal["pointwise", "simultaneous"]
GRID = 201
MOST_POINTS = 1000
BETWEEN = 256
"""Replicates' heights looked at together, which bounds memory."""


@dataclass(frozen=True, eq=False)
class Band(Tabular):
    """Where a curve may lie: `low` and `high` over `x`, and the middle of the replicates.

    A "pointwise" band holds the true height at each x with the probability `level`, a
    "simultaneous" one the whole curve.
    """

    x: NDArray[np.float64]
    low: NDArray[np.float64]
    middle: NDArray[np.float64]
    high: NDArray[np.float64]
    kind: Kind
    level: float
    method: str

    def __repr__(self) -> str:
        """One line: its kind, level and how it was found."""
        return f"Band({self.kind}, {100 * self.level:g} %, {len(self.x):,} points, {self.method})"

    def columns(self) -> dict[str, NDArray[np.float64]]:
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
    """The band of a curve, by drawing rows again.

    Args:
        ranking: Whose curve it is.
        asked: What makes the curve: its name, or x and y, and its parameters.
        confidence: Level, replicates, seed.
        kind: "pointwise" or "simultaneous".
        x: Where to give the band; if not said, at the curve's own points or a grid of 201.
        paired: The rows by cluster, where they come in some.
    """
    if kind not in get_args(Kind):
        raise UnknownName(
            f"No band is called {kind!r}.{did_you_mean(str(kind), get_args(Kind))} There are "
            f"{listed(get_args(Kind))}."
        )
    curve = any_curve(ranking, **asked)
    at = _places(curve) if x is None else np.atleast_1d(np.asarray(x, np.float64))
    if not ranking.exact and paired is None:
        demand_bounds(curve)
        both = [curve_band(own, asked, confidence, kind=kind, x=at) for own in cases(ranking)]
        return _around(*both)
    exact = _heights(curve, at)
    draws = None if paired is None else PairedDraws.of(paired)
    coarse = thinned(ranking) if draws is None else draws.patterns[0]
    rough = _heights(any_curve(coarse, **asked), at)
    undecided = ranking.rejected_positives or ranking.rejected_negatives
    is_roc = asked.get("name") == "roc" and not undecided

    def judge(drawn: Drawn) -> NDArray[Any]:
        if is_roc:
            return _roc_heights(at, drawn)
        return np.array([_heights(any_curve(own, **asked), at) for own in drawn])

    if draws is None:
        heights = judged(coarse, judge, confidence, together=is_roc)
    else:
        heights = draws.judged(lambda drawn: judge(drawn[0]), confidence)
    heights = _inside(heights + np.nan_to_num(exact - rough), curve.up.name)
    tail = (1 - confidence.level) / 2
    if kind == "simultaneous":
        tail = _common_tail(heights, confidence.level)
    low, middle, high = _quantiles(heights, [tail, 0.5, 1 - tail])
    how = (
        "cluster bootstrap"
        if paired is not None
        else describe(replace(confidence, method="bootstrap"))
    )
    method = f"{how}, {len(heights):,} draws, seed {confidence.seed}"
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


def _places(curve: Curve) -> NDArray[np.float64]:
    own = np.unique(curve.x[np.isfinite(curve.x)])
    if not len(own):
        raise InputError(f"The {curve.name} curve is nowhere defined, so it has no band.")
    return own if len(own) <= MOST_POINTS else np.linspace(own[0], own[-1], GRID)


def _heights(curve: Curve, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The heights at many x; on a vertical step the better end."""
    arriving, leaving = curve.limits(x)
    pick = np.fmin if curve.up.better == "lower" else np.fmax
    return np.asarray(pick(arriving, leaving))


def _roc_heights(x: NDArray[np.float64], drawn: Drawn) -> NDArray[Any]:
    """The same for ROC curves, without making curves."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ups, overs = (side / side[:, -1:] for side in (drawn.found, drawn.alarms))
    # Of several heights at one x, interp gives the last: the highest.
    return np.array([np.interp(x, over, up) for over, up in zip(overs, ups, strict=True)])


def _inside(heights: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """No height beyond what the metric can be."""
    if not METRICS.knows(name):
        return heights
    return np.clip(heights, METRICS[name].low, METRICS[name].high)


def _quantiles(heights: NDArray[np.float64], tails: list[float]) -> NDArray[np.float64]:
    known = ~np.isnan(heights).all(axis=0)
    found = np.full((len(tails), heights.shape[1]), np.nan)
    found[:, known] = np.nanquantile(heights[:, known], tails, axis=0)
    return found


def _common_tail(heights: NDArray[np.float64], level: float) -> float:
    """The pointwise tail at which a share of `level` of the replicates lies wholly inside.

    Each replicate is as extreme as its most extreme height (Davison & Hinkley 1997, section 4.2).
    """
    size = len(heights)
    worst = np.full(size, size)
    for start in range(0, heights.shape[1], BETWEEN):
        part = heights[:, start : start + BETWEEN]
        part = part[:, ~np.isnan(part).any(axis=0) & (np.ptp(np.nan_to_num(part), axis=0) > 0)]
        if not part.shape[1]:
            continue
        ordered = np.sort(part, axis=0)
        # Equal heights share the milder rank: curves that run along the top are not extreme.
        below = np.array(
            [np.searchsorted(o, h, "right") for o, h in zip(ordered.T, part.T, strict=True)]
        )
        above = size - np.array(
            [np.searchsorted(o, h, "left") for o, h in zip(ordered.T, part.T, strict=True)]
        )
        worst = np.minimum(worst, np.minimum(below, above).min(axis=0))
    rank = int(np.quantile(worst, 1 - level, method="lower"))
    return max((rank - 1) / (size - 1), 0.0)
