"""The kernel model of an ROC curve: the scores of each class as a smooth hill around every row.

Zou, Hall & Shapiro 1997, doi:10.1002/(SICI)1097-0258(19971015)16:19<2143::AID-SIM655>3.0.CO;2-3.
Unlike ranks, the result depends on the scale of the scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.measures.registry import Undefined
from tradeoff.measures.summaries.areas import demand_both
from tradeoff.smooth.binormal import both_below
from tradeoff.stats.normal import demand_level

Floats = NDArray[np.float64]

MOST = 2000
"""Of more different scores, neighbours are merged."""
NARROWEST = 1e-150
"""Of narrower hills, as shares of the largest score, squares of distances would overflow."""
SCALES = ("score", "logit")


@dataclass(frozen=True, eq=False)
class Hills:
    """The smoothed scores of one class: a normal hill of one width around each score.

    `unit` turns scores as they are kept into the scores that were given.
    """

    scores: Floats
    counts: Floats
    width: float
    unit: float = 1.0

    @property
    def weights(self) -> Floats:
        """The share of the class that has each score."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def bandwidth(self) -> float:
        """The width of a hill, on the scale of the scores that were given."""
        return self.width * self.unit

    def above(self, threshold: Any) -> Floats:
        """The share of the class at or above thresholds."""
        from scipy.special import ndtr

        far = (self.scores - np.asarray(threshold)[..., None]) / self.width
        return np.asarray(ndtr(far) @ self.weights)

    def density(self, threshold: Any) -> Floats:
        """How dense the class lies at thresholds."""
        far = (self.scores - np.asarray(threshold)[..., None]) / self.width
        return np.asarray(np.exp(-(far**2) / 2) @ self.weights / (self.width * np.sqrt(2 * np.pi)))

    def threshold(self, share: Floats) -> Floats:
        """The thresholds above which given shares of the class lie."""
        found = np.where(share <= 0, np.inf, np.where(share >= 1, -np.inf, np.nan))
        inside = (share > 0) & (share < 1)
        found[inside] = self._inner_threshold(share[inside])
        return found

    def _inner_threshold(self, share: Floats) -> Floats:
        """Newton's steps, halving the bracket where they would leave it."""
        low = np.full(share.shape, self.scores.min() - 40 * self.width)
        high = np.full(share.shape, self.scores.max() + 40 * self.width)
        # Scores fall, so the threshold without smoothing is at hand: a start close by.
        near = np.searchsorted(np.cumsum(self.weights), share)
        at = self.scores[np.minimum(near, len(self.scores) - 1)]
        for _ in range(200):
            excess = self.above(at) - share
            low, high = np.where(excess >= 0, at, low), np.where(excess <= 0, at, high)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                tried = at + excess / self.density(at)
            good = (tried > low) & (tried < high)
            following = np.where(good, tried, (low + high) / 2)
            settled = (np.abs(excess) <= 1e-13 * share) | (following == at)
            if settled.all():
                break
            at = np.where(settled, at, following)
        return np.asarray(at)


@dataclass(frozen=True, eq=False)
class Kernel:
    """Both classes, smoothed.

    Example:
        >>> one = np.ones(1)
        >>> model = Kernel(Hills(one, one, 0.6), Hills(0 * one, one, 0.8))
        >>> round(model.area, 4)
        0.8413
    """

    positives: Hills
    negatives: Hills

    @property
    def area(self) -> float:
        """P(a smoothed positive scores above a smoothed negative), over all pairs of scores."""
        return float(self.positives.weights @ self.pairs() @ self.negatives.weights)

    def pairs(self) -> Floats:
        """For each pair of scores, how likely the smoothed positive lies above the negative."""
        from scipy.special import ndtr

        spread = np.hypot(self.positives.width, self.negatives.width)
        apart = self.positives.scores[:, None] - self.negatives.scores
        return np.asarray(ndtr(apart / spread))

    def tpr(self, fpr: Any) -> Any:
        """The height of the model curve."""
        return _across(np.asarray(fpr, np.float64), self.negatives, self.positives)

    def fpr(self, tpr: Any) -> Any:
        """Where the model curve has a height."""
        return _across(np.asarray(tpr, np.float64), self.positives, self.negatives)

    def area_between(self, low: float, high: float) -> float:
        """The area under the model curve from one false positive rate to another."""
        thresholds = self.negatives.threshold(np.array([low, high]))
        below, above = (self._won_above(float(at)) for at in thresholds)
        return above - below

    def area_interval(self, level: float, replicates: int, seed: int) -> tuple[float, float]:
        """Percentiles of the area when rows of each class are drawn again, with these widths."""
        random = np.random.default_rng(seed)
        drawn = [
            random.multinomial(int(own.counts.sum()), own.weights, replicates) / own.counts.sum()
            for own in (self.positives, self.negatives)
        ]
        areas = ((drawn[0] @ self.pairs()) * drawn[1]).sum(axis=1)
        tail = (1 - demand_level(level)) / 2
        low, high = np.quantile(areas, [tail, 1 - tail])
        return float(low), float(high)

    def _won_above(self, threshold: float) -> float:
        """P(a negative lies above the threshold, and a positive above the negative)."""
        if np.isinf(threshold):
            return 0.0 if threshold > 0 else self.area
        up, down = self.positives, self.negatives
        spread = float(np.hypot(up.width, down.width))
        h = (down.scores - threshold) / down.width
        k = (up.scores[:, None] - down.scores) / spread
        both = both_below(np.broadcast_to(h, k.shape), k, -down.width / spread)
        return float(up.weights @ both @ down.weights)


def fit_kernel(ranking: Ranking, *, scale: str = "score") -> Kernel:
    """The kernel model of a ranking; `Undefined` with the reason where there is none.

    The width of the hills is Silverman's for each class: 0.9 min(sd, IQR / 1.34) n^(-1/5). Of more
    than 2,000 different scores, neighbours are merged into their mean, by class; a new group
    starts at every 1,000th part of the range and at every 1,000th part of the rows.

    Args:
        ranking: The scored rows; scores must be finite.
        scale: "score": scores as they are. "logit": log(p / (1 - p)) of scores that are
            probabilities, which spreads out those near 0 and 1.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([0.9, 0.8, 0.6, 0.5, 0.3, 0.2])
        >>> model = fit_kernel(Ranking.of(scores, np.array([1, 1, 0, 1, 0, 0], bool)))
        >>> round(model.area, 3)
        0.891
    """
    if scale not in SCALES:
        raise UnknownName(
            f"Scores have no scale {scale!r}.{did_you_mean(str(scale), SCALES)} "
            f"There are {listed(SCALES)}."
        )
    demand_both(ranking)
    scores, unit = _on_scale(ranking, scale)
    columns = ranking.true_positives, ranking.false_positives
    counts = [np.diff(column).astype(np.float64) for column in columns]
    if ranking.lower_is_positive:
        scores = -scores
    names = ranking.positive, ranking.negative
    widths = [_width(scores, own, name) for own, name in zip(counts, names, strict=True)]
    starts = _groups(scores, counts[0] + counts[1])
    up, down = (
        Hills(*_merged(scores, own, starts), width, unit)
        for own, width in zip(counts, widths, strict=True)
    )
    return Kernel(up, down)


def demand_drawable(replicates: int, seed: int) -> None:
    """So many draws, from a seed that repeats them."""
    if replicates < 2:
        raise InputError(f"Rows are drawn 2 times or more, not {replicates}.")
    if seed < 0:
        raise InputError(f"A seed is a whole number from 0 on, not {seed}.")


def _across(share: Floats, first: Hills, second: Hills) -> Any:
    """The share of the second class above the thresholds that leave a share of the first above."""
    reached = second.above(first.threshold(share))
    return np.where(np.isnan(share), np.nan, reached)


def _on_scale(ranking: Ranking, scale: str) -> tuple[Floats, float]:
    """The distinct scores on the scale that was asked for, in a unit that squares cannot exceed."""
    scores = ranking.thresholds[1:]
    low, high = float(scores.min()), float(scores.max())
    if scale == "logit":
        if low < 0 or high > 1:
            raise Undefined(
                f"the logit scale needs probabilities; {ranking.name} runs from {low:g} to {high:g}"
            )
        with np.errstate(divide="ignore"):
            scores = np.log(scores) - np.log1p(-scores)
    if not np.isfinite(scores).all():
        ends = "of exactly 0 or 1 have no place on the logit scale"
        raise Undefined(f"scores {ends if scale == 'logit' else 'that are infinite have no width'}")
    unit = float(np.abs(scores).max()) or 1.0
    return scores / unit, unit


def _width(scores: Floats, counts: Floats, name: str) -> float:
    """Silverman's rule of thumb for one class."""
    rows = counts.sum()
    mean = scores @ counts / rows
    spread = float(np.sqrt((scores - mean) ** 2 @ counts / max(rows - 1, rows / 2)))
    if np.ptp(scores[counts > 0]) == 0:
        raise Undefined(f"every row that is {name} has the same score: no spread to smooth")
    order = np.argsort(scores)
    rising, ends = scores[order], np.cumsum(counts[order])
    places = np.array([0.25, 0.75]) * max(rows - 1, 0)
    below, above = (
        rising[np.minimum(np.searchsorted(ends, at, "right"), len(ends) - 1)]
        for at in (np.floor(places), np.ceil(places))
    )
    quarter, three = below + (places - np.floor(places)) * (above - below)
    middle_half = (three - quarter) / 1.34
    width = 0.9 * (min(spread, middle_half) if middle_half > 0 else spread) * rows**-0.2
    if not width > NARROWEST:
        raise Undefined(f"beside the largest score, rows that are {name} have no spread to smooth")
    return float(width)


def _groups(scores: Floats, counts: Floats) -> NDArray[np.intp]:
    """Where groups of neighbouring scores begin: each score by itself unless there are many."""
    if len(scores) <= MOST:
        return np.arange(len(scores))
    steps = MOST / 2 - 1
    by_range = np.floor((scores - scores[0]) / (scores[-1] - scores[0]) * steps)
    by_rows = np.floor((np.cumsum(counts) - counts / 2) / counts.sum() * steps)
    changed = (np.diff(by_range) != 0) | (np.diff(by_rows) != 0)
    return np.concatenate([[0], np.flatnonzero(changed) + 1])


def _merged(scores: Floats, counts: Floats, starts: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """The mean score of a class in each group, and its rows there; groups without rows are left."""
    rows = np.add.reduceat(counts, starts)
    sums = np.add.reduceat(scores * counts, starts)
    filled = rows > 0
    means = sums[filled] / rows[filled]
    if len(starts) == len(scores):  # a mean of equal scores may stray in its last digit
        means = scores[filled]
    return means, rows[filled]
