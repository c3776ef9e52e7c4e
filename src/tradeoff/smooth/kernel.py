"""The kernel model of an ROC curve: a kernel density estimate of the scores of each class.

Zou, Hall & Shapiro 1997, doi:10.1002/(SICI)1097-0258(19971015)16:19<2143::AID-SIM655>3.0.CO;2-3.
Unlike a rank-based curve, it depends on the scale of the scores.
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
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.normal import bivariate_normal_cdf
from tradeoff.wording import quote_class

Floats = NDArray[np.float64]

MAX_SCORES = 2000
"""Maximum number of distinct scores; if there are more, adjacent ones are merged."""
MIN_BANDWIDTH = 1e-150
"""With smaller bandwidths, relative to the largest score, squared distances would overflow."""
SCALES = ("score", "logit")


@dataclass(frozen=True, eq=False)
class KernelDensity:
    """Gaussian kernel density estimate of the scores of one class.

    The stored scores and the width must be multiplied by `unit` to get the original ones.
    """

    scores: Floats
    counts: Floats
    width: float
    unit: float = 1.0

    @property
    def weights(self) -> Floats:
        """The proportion of the class that has each score."""
        return np.asarray(self.counts / self.counts.sum())

    @property
    def bandwidth(self) -> float:
        """The kernel bandwidth, on the scale of the original scores."""
        return self.width * self.unit

    def survival(self, threshold: Any) -> Floats:
        """Survival function: the proportion of the class above each threshold."""
        from scipy.special import ndtr

        distances = (self.scores - np.asarray(threshold)[..., None]) / self.width
        return np.asarray(ndtr(distances) @ self.weights)

    def density(self, threshold: Any) -> Floats:
        """Density of the class at each threshold."""
        distances = (self.scores - np.asarray(threshold)[..., None]) / self.width
        return np.asarray(
            np.exp(-(distances**2) / 2) @ self.weights / (self.width * np.sqrt(2 * np.pi))
        )

    def threshold(self, proportion: Floats) -> Floats:
        """Thresholds above which the given proportions of the class lie."""
        thresholds = np.where(proportion <= 0, np.inf, np.where(proportion >= 1, -np.inf, np.nan))
        is_inside = (proportion > 0) & (proportion < 1)
        thresholds[is_inside] = self._solve_threshold(proportion[is_inside])
        return thresholds

    def _solve_threshold(self, proportion: Floats) -> Floats:
        """Solve for thresholds by Newton's method, with bisection if a step leaves the bracket."""
        low = np.full(proportion.shape, self.scores.min() - 40 * self.width)
        high = np.full(proportion.shape, self.scores.max() + 40 * self.width)
        # Scores are in descending order: start from the empirical threshold.
        index = np.searchsorted(np.cumsum(self.weights), proportion)
        thresholds = self.scores[np.minimum(index, len(self.scores) - 1)]
        for _ in range(200):
            excess = self.survival(thresholds) - proportion
            low = np.where(excess >= 0, thresholds, low)
            high = np.where(excess <= 0, thresholds, high)
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                newton_thresholds = thresholds + excess / self.density(thresholds)
            is_bracketed = (newton_thresholds > low) & (newton_thresholds < high)
            candidates = np.where(is_bracketed, newton_thresholds, (low + high) / 2)
            is_converged = (np.abs(excess) <= 1e-13 * proportion) | (candidates == thresholds)
            if is_converged.all():
                break
            thresholds = np.where(is_converged, thresholds, candidates)
        return np.asarray(thresholds)


@dataclass(frozen=True, eq=False)
class Kernel:
    """Kernel model of an ROC curve: density estimates of both classes.

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
        """Area under the kernel ROC curve: P(a positive scores higher than a negative)."""
        return float(self.positives.weights @ self.pair_probabilities() @ self.negatives.weights)

    def pair_probabilities(self) -> Floats:
        """Probability for each pair of scores that the smoothed positive exceeds the negative."""
        from scipy.special import ndtr

        standard_deviation = np.hypot(self.positives.width, self.negatives.width)
        differences = self.positives.scores[:, None] - self.negatives.scores
        return np.asarray(ndtr(differences / standard_deviation))

    def tpr(self, fpr: Any) -> Any:
        """True positive rate of the model at a false positive rate."""
        return _transfer_rate(np.asarray(fpr, np.float64), self.negatives, self.positives)

    def fpr(self, tpr: Any) -> Any:
        """False positive rate of the model at a true positive rate."""
        return _transfer_rate(np.asarray(tpr, np.float64), self.positives, self.negatives)

    def area_between(self, low: float, high: float) -> float:
        """The area under the model curve from one false positive rate to another."""
        thresholds = self.negatives.threshold(np.array([low, high]))
        area_up_to_low, area_up_to_high = (
            self._probability_above(float(threshold)) for threshold in thresholds
        )
        return area_up_to_high - area_up_to_low

    def area_interval(self, level: float, replicates: int, seed: int) -> tuple[float, float]:
        """Stratified percentile bootstrap interval for the area, at fixed bandwidths."""
        rng = np.random.default_rng(seed)
        weights = [
            rng.multinomial(int(side.counts.sum()), side.weights, replicates) / side.counts.sum()
            for side in (self.positives, self.negatives)
        ]
        areas = ((weights[0] @ self.pair_probabilities()) * weights[1]).sum(axis=1)
        tail = (1 - require_level(level)) / 2
        low, high = np.quantile(areas, [tail, 1 - tail])
        return float(low), float(high)

    def _probability_above(self, threshold: float) -> float:
        """P(a negative scores above the threshold and a positive above the negative)."""
        if np.isinf(threshold):
            return 0.0 if threshold > 0 else self.area
        positives, negatives = self.positives, self.negatives
        standard_deviation = float(np.hypot(positives.width, negatives.width))
        h = (negatives.scores - threshold) / negatives.width
        k = (positives.scores[:, None] - negatives.scores) / standard_deviation
        correlation = -negatives.width / standard_deviation
        probabilities = bivariate_normal_cdf(np.broadcast_to(h, k.shape), k, correlation)
        return float(positives.weights @ probabilities @ negatives.weights)


def fit_kernel(ranking: Ranking, *, scale: str = "score") -> Kernel:
    """Fit the kernel model of an ROC curve; raise `Undefined` with the reason if it has none.

    The bandwidth of each class follows Silverman's rule: 0.9 min(sd, IQR / 1.34) n^(-1/5). If there
    are more than 2,000 distinct scores, adjacent ones are merged into their mean, by class; a new
    group starts at every thousandth of the range and at every thousandth of the rows.

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
            f"The available scales are {format_list(SCALES)}."
        )
    require_ranked_classes(ranking)
    scores, unit = _scaled_scores(ranking, scale)
    cumulative_counts = ranking.true_positives, ranking.false_positives
    counts = [np.diff(column).astype(np.float64) for column in cumulative_counts]
    if ranking.lower_is_positive:
        scores = -scores
    names = ranking.positive, ranking.negative
    widths = [
        _silverman_bandwidth(scores, class_counts, name)
        for class_counts, name in zip(counts, names, strict=True)
    ]
    starts = _group_starts(scores, counts[0] + counts[1])
    positives, negatives = (
        KernelDensity(*_merge_groups(scores, class_counts, starts), width, unit)
        for class_counts, width in zip(counts, widths, strict=True)
    )
    return Kernel(positives, negatives)


def require_resampling(replicates: int, seed: int) -> None:
    """Require a valid number of replicates and seed for the bootstrap of a kernel model."""
    if replicates < 2:
        raise InputError(f"replicates must be at least 2, not {replicates}.")
    if seed < 0:
        raise InputError(f"seed must be a non-negative integer, not {seed}.")


def _transfer_rate(rate: Floats, first: KernelDensity, second: KernelDensity) -> Any:
    """Rate of the second class at the thresholds where the first class has the given rate."""
    second_rate = second.survival(first.threshold(rate))
    return np.where(np.isnan(rate), np.nan, second_rate)


def _scaled_scores(ranking: Ranking, scale: str) -> tuple[Floats, float]:
    """The distinct scores on a scale, divided by the largest so that squares cannot overflow."""
    scores = ranking.thresholds[1:]
    low, high = float(scores.min()), float(scores.max())
    if scale == "logit":
        if low < 0 or high > 1:
            raise Undefined(
                f"the logit scale needs probabilities; {ranking.name} ranges from {low:g} to "
                f"{high:g}"
            )
        with np.errstate(divide="ignore"):
            scores = np.log(scores) - np.log1p(-scores)
    if not np.isfinite(scores).all():
        if scale == "logit":
            raise Undefined("scores of exactly 0 or 1 are infinite on the logit scale")
        raise Undefined("scores are infinite, so no bandwidth can be computed")
    unit = float(np.abs(scores).max()) or 1.0
    return scores / unit, unit


def _silverman_bandwidth(scores: Floats, counts: Floats, name: str) -> float:
    """Bandwidth of one class by Silverman's rule of thumb."""
    rows = counts.sum()
    mean = scores @ counts / rows
    standard_deviation = float(np.sqrt((scores - mean) ** 2 @ counts / max(rows - 1, rows / 2)))
    if np.ptp(scores[counts > 0]) == 0:
        raise Undefined(
            f"every row of class {quote_class(name)} has the same score: there is no "
            "variance to smooth"
        )
    order = np.argsort(scores)
    sorted_scores, cumulative_counts, last = scores[order], np.cumsum(counts[order]), len(order) - 1
    ranks = np.array([0.25, 0.75]) * max(rows - 1, 0)
    below, above = (
        sorted_scores[np.minimum(np.searchsorted(cumulative_counts, rank, "right"), last)]
        for rank in (np.floor(ranks), np.ceil(ranks))
    )
    lower_quartile, upper_quartile = below + (ranks - np.floor(ranks)) * (above - below)
    scaled_range = (upper_quartile - lower_quartile) / 1.34
    has_range = scaled_range > 0
    spread = min(standard_deviation, scaled_range) if has_range else standard_deviation
    width = 0.9 * spread * rows**-0.2
    if not width > MIN_BANDWIDTH:
        raise Undefined(
            f"relative to the largest score, rows of class {quote_class(name)} have no variance to "
            "smooth"
        )
    return float(width)


def _group_starts(scores: Floats, counts: Floats) -> NDArray[np.intp]:
    """Indices where groups of adjacent scores start; groups of one score unless there are many."""
    if len(scores) <= MAX_SCORES:
        return np.arange(len(scores))
    steps = MAX_SCORES / 2 - 1
    by_range = np.floor((scores - scores[0]) / (scores[-1] - scores[0]) * steps)
    by_rows = np.floor((np.cumsum(counts) - counts / 2) / counts.sum() * steps)
    is_start = (np.diff(by_range) != 0) | (np.diff(by_rows) != 0)
    return np.concatenate([[0], np.flatnonzero(is_start) + 1])


def _merge_groups(
    scores: Floats, counts: Floats, starts: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Mean score and number of rows of a class in each group; empty groups are left out."""
    rows = np.add.reduceat(counts, starts)
    sums = np.add.reduceat(scores * counts, starts)
    has_rows = rows > 0
    means = sums[has_rows] / rows[has_rows]
    if len(starts) == len(scores):  # a mean of equal scores may differ in its last digit
        means = scores[has_rows]
    return means, rows[has_rows]
