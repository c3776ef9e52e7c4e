"""The kernel model of a ROC curve: kernel density estimates of the scores of each class.

Zou, Hall & Shapiro 1997, doi:10.1002/(SICI)1097-0258(19971015)16:19<2143::AID-SIM655>3.0.CO;2-3.
Unlike ranks, the result depends on the scale of the scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.measures.registry import Undefined
from tradeoff.measures.summaries.areas import require_ranked_classes
from tradeoff.smooth.binormal import bivariate_normal_cdf
from tradeoff.stats.interval_methods import require_level

Floats = NDArray[np.float64]

MOST = 2000
"""With more distinct scores, neighbours are merged."""
NARROWEST = 1e-150
"""Smaller bandwidths relative to the largest score would overflow in squared distances."""
SCALES = ("score", "logit")


@dataclass(frozen=True, eq=False)
class KernelDensity:
    """Gaussian kernel density estimate of the scores of one class.

    `unit` converts the stored scores to the original ones.
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
        """The kernel bandwidth, on the scale of the original scores."""
        return self.width * self.unit

    def above(self, threshold: Any) -> Floats:
        """Share of the class at or above thresholds."""
        from scipy.special import ndtr

        distances = (self.scores - np.asarray(threshold)[..., None]) / self.width
        return np.asarray(ndtr(distances) @ self.weights)

    def density(self, threshold: Any) -> Floats:
        """Density of the class at the thresholds."""
        distances = (self.scores - np.asarray(threshold)[..., None]) / self.width
        return np.asarray(
            np.exp(-(distances**2) / 2) @ self.weights / (self.width * np.sqrt(2 * np.pi))
        )

    def threshold(self, share: Floats) -> Floats:
        """Thresholds above which given shares of the class lie."""
        thresholds = np.where(share <= 0, np.inf, np.where(share >= 1, -np.inf, np.nan))
        inside = (share > 0) & (share < 1)
        thresholds[inside] = self._solve_threshold(share[inside])
        return thresholds

    def _solve_threshold(self, share: Floats) -> Floats:
        """Newton's method, with bisection where a step would leave the bracket."""
        low = np.full(share.shape, self.scores.min() - 40 * self.width)
        high = np.full(share.shape, self.scores.max() + 40 * self.width)
        # Scores are in descending order: start from the empirical threshold.
        index = np.searchsorted(np.cumsum(self.weights), share)
        at = self.scores[np.minimum(index, len(self.scores) - 1)]
        for _ in range(200):
            excess = self.above(at) - share
            low, high = np.where(excess >= 0, at, low), np.where(excess <= 0, at, high)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                newton = at + excess / self.density(at)
            is_bracketed = (newton > low) & (newton < high)
            following = np.where(is_bracketed, newton, (low + high) / 2)
            converged = (np.abs(excess) <= 1e-13 * share) | (following == at)
            if converged.all():
                break
            at = np.where(converged, at, following)
        return np.asarray(at)


@dataclass(frozen=True, eq=False)
class Kernel:
    """Kernel model of a ROC curve: density estimates of both classes.

    Example:
        >>> one = np.ones(1)
        >>> model = Kernel(KernelDensity(one, one, 0.6), KernelDensity(0 * one, one, 0.8))
        >>> round(model.area, 4)
        0.8413
    """

    positives: KernelDensity
    negatives: KernelDensity

    @property
    def area(self) -> float:
        """Area under the kernel ROC curve: P(a positive scores above a negative)."""
        return float(self.positives.weights @ self.pairs() @ self.negatives.weights)

    def pairs(self) -> Floats:
        """Probability for each pair of scores that the smoothed positive exceeds the negative."""
        from scipy.special import ndtr

        spread = np.hypot(self.positives.width, self.negatives.width)
        distances = self.positives.scores[:, None] - self.negatives.scores
        return np.asarray(ndtr(distances / spread))

    def tpr(self, fpr: Any) -> Any:
        """True positive rate of the model at a false positive rate."""
        return _transfer_rate(np.asarray(fpr, np.float64), self.negatives, self.positives)

    def fpr(self, tpr: Any) -> Any:
        """False positive rate of the model at a true positive rate."""
        return _transfer_rate(np.asarray(tpr, np.float64), self.positives, self.negatives)

    def area_between(self, low: float, high: float) -> float:
        """The area under the model curve from one false positive rate to another."""
        thresholds = self.negatives.threshold(np.array([low, high]))
        below, above = (self._pairs_above(float(at)) for at in thresholds)
        return above - below

    def area_interval(self, level: float, replicates: int, seed: int) -> tuple[float, float]:
        """Stratified percentile bootstrap interval of the area, at fixed bandwidths."""
        random = np.random.default_rng(seed)
        weights = [
            random.multinomial(int(side.counts.sum()), side.weights, replicates) / side.counts.sum()
            for side in (self.positives, self.negatives)
        ]
        areas = ((weights[0] @ self.pairs()) * weights[1]).sum(axis=1)
        tail = (1 - require_level(level)) / 2
        low, high = np.quantile(areas, [tail, 1 - tail])
        return float(low), float(high)

    def _pairs_above(self, threshold: float) -> float:
        """P(a negative lies above the threshold, and a positive above the negative)."""
        if np.isinf(threshold):
            return 0.0 if threshold > 0 else self.area
        positives, negatives = self.positives, self.negatives
        spread = float(np.hypot(positives.width, negatives.width))
        h = (negatives.scores - threshold) / negatives.width
        k = (positives.scores[:, None] - negatives.scores) / spread
        both = bivariate_normal_cdf(np.broadcast_to(h, k.shape), k, -negatives.width / spread)
        return float(positives.weights @ both @ negatives.weights)


def fit_kernel(ranking: Ranking, *, scale: str = "score") -> Kernel:
    """Fit the kernel model of a ROC curve; raise `Undefined` with the reason if there is none.

    The bandwidth is Silverman's for each class: 0.9 min(sd, IQR / 1.34) n^(-1/5). With more than
    2,000 distinct scores, neighbours are merged into their mean, by class; a new group
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
            f"There is no scale {scale!r}.{did_you_mean(str(scale), SCALES)} "
            f"There are {format_list(SCALES)}."
        )
    require_ranked_classes(ranking)
    scores, unit = _scaled_scores(ranking, scale)
    columns = ranking.true_positives, ranking.false_positives
    counts = [np.diff(column).astype(np.float64) for column in columns]
    if ranking.lower_is_positive:
        scores = -scores
    names = ranking.positive, ranking.negative
    widths = [
        _silverman_bandwidth(scores, rows, name) for rows, name in zip(counts, names, strict=True)
    ]
    starts = _group_starts(scores, counts[0] + counts[1])
    positives, negatives = (
        KernelDensity(*_merge_groups(scores, rows, starts), width, unit)
        for rows, width in zip(counts, widths, strict=True)
    )
    return Kernel(positives, negatives)


def require_resampling(replicates: int, seed: int) -> None:
    """Require valid replicates and seed for the bootstrap of a kernel model."""
    if replicates < 2:
        raise InputError(f"replicates must be at least 2, not {replicates}.")
    if seed < 0:
        raise InputError(f"seed must be a non-negative integer, not {seed}.")


def _transfer_rate(share: Floats, first: KernelDensity, second: KernelDensity) -> Any:
    """Share of the second class above the thresholds of given shares of the first."""
    above = second.above(first.threshold(share))
    return np.where(np.isnan(share), np.nan, above)


def _scaled_scores(ranking: Ranking, scale: str) -> tuple[Floats, float]:
    """The distinct scores on a scale, divided by the largest so that squares cannot overflow."""
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
        if scale == "logit":
            raise Undefined("scores of exactly 0 or 1 are infinite on the logit scale")
        raise Undefined("infinite scores have no bandwidth")
    unit = float(np.abs(scores).max()) or 1.0
    return scores / unit, unit


def _silverman_bandwidth(scores: Floats, counts: Floats, name: str) -> float:
    """Silverman's rule of thumb for one class."""
    rows = counts.sum()
    mean = scores @ counts / rows
    spread = float(np.sqrt((scores - mean) ** 2 @ counts / max(rows - 1, rows / 2)))
    if np.ptp(scores[counts > 0]) == 0:
        raise Undefined(f"every {name} row has the same score: there is no variance to smooth")
    order = np.argsort(scores)
    ascending, cumulative = scores[order], np.cumsum(counts[order])
    ranks = np.array([0.25, 0.75]) * max(rows - 1, 0)
    below, above = (
        ascending[np.minimum(np.searchsorted(cumulative, rank, "right"), len(cumulative) - 1)]
        for rank in (np.floor(ranks), np.ceil(ranks))
    )
    lower_quartile, upper_quartile = below + (ranks - np.floor(ranks)) * (above - below)
    scaled_range = (upper_quartile - lower_quartile) / 1.34
    width = 0.9 * (min(spread, scaled_range) if scaled_range > 0 else spread) * rows**-0.2
    if not width > NARROWEST:
        raise Undefined(f"relative to the largest score, {name} rows have no variance to smooth")
    return float(width)


def _group_starts(scores: Floats, counts: Floats) -> NDArray[np.intp]:
    """Indices where groups of neighbouring scores begin: each score alone unless there are many."""
    if len(scores) <= MOST:
        return np.arange(len(scores))
    steps = MOST / 2 - 1
    by_range = np.floor((scores - scores[0]) / (scores[-1] - scores[0]) * steps)
    by_rows = np.floor((np.cumsum(counts) - counts / 2) / counts.sum() * steps)
    changed = (np.diff(by_range) != 0) | (np.diff(by_rows) != 0)
    return np.concatenate([[0], np.flatnonzero(changed) + 1])


def _merge_groups(
    scores: Floats, counts: Floats, starts: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Mean score and rows of a class in each group; empty groups are left out."""
    rows = np.add.reduceat(counts, starts)
    sums = np.add.reduceat(scores * counts, starts)
    filled = rows > 0
    means = sums[filled] / rows[filled]
    if len(starts) == len(scores):  # a mean of equal scores may differ in its last digit
        means = scores[filled]
    return means, rows[filled]
