"""The bootstrap: resampling rows with replacement, and intervals from the replicates.

The source of resamples is one of `RankedRows` (one model), `SharedRows` (several models on the same
rows, or rows in clusters), `BaggedRows` (one model, with the rows that each resample leaves out)
and `MulticlassRows` (a score for each of many classes). `bootstrap` takes a source and a statistic,
and handles seeds, blocks, threads and progress.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError
from tradeoff.measures.estimate import ConfidenceInterval, missing_interval
from tradeoff.stats.normal import critical_value
from tradeoff.threads import map_in_thread_pool, thread_spans

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question

MAX_GROUPS = 512
"""Scores are resampled in at most this many groups: variances do not need finer ones."""

BLOCK_SIZE = 50
"""Number of resamples that share a seed: few enough to keep every core busy."""

MAX_BLOCK_CELLS = 1 << 18
"""Maximum number of thresholds times resamples in a block, which should fit in the cache."""

RETAINED_BYTES = 31 << 20
"""Once glibc has freed a block of this size, it keeps smaller ones for later arrays. Otherwise it
may return each to the system and request new pages, which takes longer than everything else on
20,000 rows."""

MAX_RESAMPLED_ROWS = 200_000_000
"""Maximum number of rows that are resampled one by one."""

MAX_UNITS = 10_000_000
"""Total frequency above which counts are drawn from a multinomial, not row by row."""

MIN_ONE_SIDED_PROPORTION = 0.25
"""If fewer lie on one side of the estimate, replicates are biased rather than just skewed."""

Sample_co = TypeVar("Sample_co", covariant=True)
Sample = TypeVar("Sample")


class Source(Protocol[Sample_co]):
    """Rows that the bootstrap can resample."""

    def resample(self, random: np.random.Generator, size: int, *, by_class: bool) -> Sample_co:
        """Draw `size` resamples; `by_class` stratifies them, which fixes class totals."""


def bootstrap(
    source: Source[Sample],
    statistic: Callable[[Sample], NDArray[Any]],
    confidence: Confidence,
    *,
    parallel: bool = False,
    block_size: int = BLOCK_SIZE,
) -> NDArray[np.float64]:
    """Bootstrap replicates of a statistic, one row per resample.

    A statistic that is vectorised over the resamples of a block benefits from `parallel` threads.
    """
    by_class = confidence.by_class
    return compute_bootstrap_replicates(
        lambda random, size: statistic(source.resample(random, size, by_class=by_class)),
        confidence,
        parallel=parallel,
        block_size=block_size,
    )


def compute_bootstrap_replicates(
    compute_block: Callable[[np.random.Generator, int], NDArray[Any]],
    confidence: Confidence,
    *,
    parallel: bool = False,
    block_size: int = BLOCK_SIZE,
) -> NDArray[np.float64]:
    """Compute bootstrap (or permutation) replicates in blocks, each with its own seed.

    Results therefore do not depend on the number of cores.
    """
    total = confidence.replicates
    sizes = [min(block_size, total - start) for start in range(0, total, block_size)]
    seeds = np.random.SeedSequence(confidence.seed).spawn(len(sizes))
    np.empty(RETAINED_BYTES, np.int8)  # freed at once

    def compute(seed_and_size: tuple[np.random.SeedSequence, int]) -> NDArray[Any]:
        seed, size = seed_and_size
        return compute_block(np.random.default_rng(seed), size)

    progress = confidence.progress
    report = None if progress is None else lambda done: progress(sum(sizes[:done]), total)
    blocks = list(zip(seeds, sizes, strict=True))
    return np.concatenate(map_in_thread_pool(compute, blocks, report, parallel=parallel))


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Bootstrap source: the rows of one ranking, which is coarsened first if it is long.

    Rows with the same score and class are interchangeable, so it suffices to sample how many come
    from each score: a multinomial, without sorting again. Weights that are not counts are sampled
    from gamma distributions with the same mean and variance (for rows of weight 1 this is the
    Bayesian bootstrap, Rubin 1981, doi:10.1214/aos/1176345338).
    """

    ranking: Ranking

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> Resamples:
        """Bootstrap resamples of the scored and the rejected rows."""
        ranking = self.ranking
        by_class = by_class or ranking.prevalence_known
        counts = _counts_by_class(ranking)
        if ranking.is_counted and ranking.squares is None:
            class_draws = _sample_multinomial(counts, random, size, by_class=by_class)
        else:
            # Frequencies: a row that occurs w times adds w to the sum of squares too.
            squares = counts if ranking.squares is None else _counts_by_class(ranking.squares)
            class_draws = _sample_gamma(counts, squares, random, size, by_class=by_class)
        positives, negatives = class_draws
        rejected = positives[:, -1:], negatives[:, -1:]
        return Resamples.of_counts(ranking, positives[:, :-1], negatives[:, :-1], rejected)


def _counts_by_class(ranking: Ranking) -> list[NDArray[Any]]:
    """Numbers of rows by score, for each class; rejected rows come last."""
    _, positives, negatives = ranking.tally
    return [
        np.append(np.diff(positives), ranking.rejected_positives),
        np.append(np.diff(negatives), ranking.rejected_negatives),
    ]


def _sample_multinomial(
    counts: list[NDArray[Any]], random: np.random.Generator, size: int, *, by_class: bool
) -> list[NDArray[Any]]:
    strata = counts if by_class else [np.concatenate(counts)]
    stratum_draws = [
        random.multinomial(int(stratum.sum()), stratum / max(stratum.sum(), 1), size)
        if stratum.any()
        else np.zeros((size, len(stratum)), np.int64)
        for stratum in strata
    ]
    return stratum_draws if by_class else np.split(stratum_draws[0], [len(counts[0])], axis=1)


def _sample_gamma(
    weights: list[NDArray[Any]],
    squares: list[NDArray[Any]],
    random: np.random.Generator,
    size: int,
    *,
    by_class: bool,
) -> list[NDArray[Any]]:
    class_draws = []
    for weight, square in zip(weights, squares, strict=True):
        has_rows = weight > 0
        shape = np.divide(weight**2, square, out=np.zeros(len(weight)), where=has_rows)
        scale = np.divide(square, weight, out=np.zeros(len(weight)), where=has_rows)
        class_draws.append(random.standard_gamma(shape, (size, len(weight))) * scale)
    totals = [weight.sum() for weight in weights]
    sums = [draws.sum(axis=1, keepdims=True) for draws in class_draws]
    if not by_class:
        return [draws * (sum(totals) / sum(sums)) for draws in class_draws]
    return [
        draws * np.divide(total, class_sums, out=np.zeros_like(class_sums), where=class_sums > 0)
        for draws, total, class_sums in zip(class_draws, totals, sums, strict=True)
    ]


def coarsen_ranking(
    ranking: Ranking, max_thresholds: int = MAX_GROUPS, keep: Sequence[Any] = ()
) -> Ranking:
    """Merge adjacent scores of a ranking, so that it can be bootstrapped faster.

    Groups are finer where the rows of either class are dense, and at the top, where a few rows
    matter. Thresholds whose indices are in `keep` are never merged.
    """
    if ranking.distinct <= max_thresholds:
        return ranking
    size = max_thresholds // 3
    class_quantiles = [
        np.searchsorted(counts, np.linspace(0, counts[-1], size)) for counts in ranking.tally[1:]
    ]
    top_indices = np.geomspace(1, ranking.distinct, max_thresholds - 2 * size - 1).astype(np.intp)
    indices = np.unique(
        np.concatenate([[0], *class_quantiles, top_indices, [ranking.distinct], *keep])
    )
    return _with_thresholds(ranking, np.minimum(indices.astype(np.intp), ranking.distinct))


def _with_thresholds(ranking: Ranking, indices: NDArray[np.intp]) -> Ranking:
    """Ranking reduced to some of its thresholds."""
    squares = None if ranking.squares is None else _with_thresholds(ranking.squares, indices)
    tally = Tally(*(column[indices] for column in ranking.tally))
    return replace(ranking, tally=tally, squares=squares, levels=None)


def _sample_rows(
    random: np.random.Generator, rows: int, strata: Sequence[NDArray[np.intp]] = ()
) -> NDArray[np.intp]:
    """Row indices of a bootstrap sample, drawn with replacement, within `strata` if given."""
    if not strata:
        return random.integers(0, rows, rows)
    return np.concatenate(
        [stratum[random.integers(0, len(stratum), len(stratum))] for stratum in strata]
    )


@dataclass(frozen=True, eq=False)
class SharedRows:
    """Bootstrap source: rows, or clusters of rows, that several models share.

    A resample ranks all models on the same rows. `codes` has one array row per model: the index of
    each row's score in the model's coarse ranking. Negatives are offset by its length, so that both
    classes are counted at once.
    """

    paired: PairedRanking
    coarse_rankings: tuple[Ranking, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(
        cls,
        paired: PairedRanking,
        *questions: Question,
        rankings: Sequence[Ranking] = (),
        thresholds: Sequence[float] = (),
        max_thresholds: int = MAX_GROUPS,
    ) -> SharedRows:
        """Look up the index of every score once, so that resamples need not be sorted.

        `rankings` are those of the models, if they are known. Thresholds that questions need, and
        the one of each model in `thresholds`, are never merged.
        """
        own_thresholds = thresholds or (math.inf,) * len(paired.models)
        coarse_rankings = tuple(
            coarsen_ranking(
                ranking,
                max_thresholds,
                keep=[
                    *(question.indices(ranking) for question in questions),
                    [ranking.index(threshold)],
                ],
            )
            for ranking, threshold in zip(
                rankings or paired.rankings.values(), own_thresholds, strict=True
            )
        )
        codes = np.empty((len(coarse_rankings), paired.rows), np.int32)
        for model_codes, name, coarse in zip(codes, paired.models, coarse_rankings, strict=True):
            model_codes[:] = _threshold_indices(coarse, paired.scores[name])
            model_codes[~paired.positive_rows] += len(coarse)
        return cls(paired, coarse_rankings, codes)

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> list[Resamples]:
        """Bootstrap resamples of the same rows for each model."""
        counts = [np.empty((size, 2 * len(coarse))) for coarse in self.coarse_rankings]
        for replicate in range(size):
            rows, weights = self._sample(random, by_class=by_class)
            for model_counts, codes in zip(counts, self.codes, strict=True):
                sampled_codes = codes if rows is None else codes[rows]
                model_counts[replicate] = np.bincount(
                    sampled_codes, weights, minlength=model_counts.shape[1]
                )
        if self.paired.weights is None:
            counts = [model_counts.astype(np.int64) for model_counts in counts]
        counts_by_class = (np.split(model_counts, 2, axis=1) for model_counts in counts)
        return [
            Resamples.of_counts(coarse, positives[:, 1:], negatives[:, 1:])
            for coarse, (positives, negatives) in zip(
                self.coarse_rankings, counts_by_class, strict=True
            )
        ]

    def _sample(
        self, random: np.random.Generator, *, by_class: bool
    ) -> tuple[NDArray[np.intp] | None, NDArray[Any] | None]:
        """Rows of one resample (None: all rows) and their weights (None: 1 each)."""
        paired, weights = self.paired, self.paired.weights
        if paired.clusters is not None:
            size = int(paired.clusters.max()) + 1
            cluster_draws = np.bincount(_sample_rows(random, size), minlength=size)
            draw_counts = cluster_draws[paired.clusters]
            return None, draw_counts if weights is None else draw_counts * weights
        strata = self._rows_by_class if by_class else ()
        if weights is not None and not paired.importance:
            return None, _sample_frequencies(random, weights, strata)
        rows = _sample_rows(random, paired.rows, strata)
        return rows, None if weights is None else weights[rows]

    @cached_property
    def _rows_by_class(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        positive = self.paired.positive_rows
        return np.flatnonzero(positive), np.flatnonzero(~positive)


def _sample_frequencies(
    random: np.random.Generator, weights: NDArray[Any], strata: Sequence[NDArray[np.intp]] = ()
) -> NDArray[np.int64]:
    """Resampled frequency of each row, where weights are frequencies."""
    draw_counts = np.zeros(len(weights), np.int64)
    for rows in strata or (slice(None),):
        frequencies = np.asarray(weights[rows], np.float64)
        total = frequencies.sum()
        draw_counts[rows] = random.multinomial(round(total), frequencies / total)
    return draw_counts


def _threshold_indices(ranking: Ranking, scores: NDArray[Any]) -> NDArray[np.intp]:
    """Index of the highest threshold at which each score is predicted positive."""
    sign = 1 if ranking.lower_is_positive else -1
    thresholds = sign * ranking.thresholds[1:]
    return 1 + np.searchsorted(thresholds, sign * scores.astype(np.float64), "left")


@dataclass(frozen=True, eq=False)
class BaggedRows:
    """Bootstrap source for out-of-bag estimates: the rows of a ranking, in-bag and out-of-bag.

    All positive rows come before all negative rows, and each class is in the order of the ranking.
    `cumulative_rows` are the numbers of rows of each class at or above each threshold; `weights`
    are the weights of the rows, after a leading 0 (None: 1 each). Only the sums of real-valued
    weights are known: rows of one score and class count as (Σw)² / Σw² rows of equal weight (Kish
    1965), which is exact if each has a distinct score.
    """

    ranking: Ranking
    cumulative_rows: tuple[NDArray[Any], NDArray[Any]]
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, ranking: Ranking) -> BaggedRows:
        """Expand a ranking into its rows; rejected rows are rejected in every resample."""
        _, positives, negatives = ranking.tally
        if ranking.is_counted and ranking.squares is None:
            _check_row_limit(int(positives[-1]) + int(negatives[-1]))
            return cls(ranking, (positives, negatives))
        # Frequencies: a row that occurs w times adds w to the sum of squares too.
        squares = (ranking.squares or ranking).tally[1:]
        sums = [
            (np.diff(weight), np.diff(square))
            for weight, square in zip(ranking.tally[1:], squares, strict=True)
        ]
        sizes = [_effective_rows(*class_sums) for class_sums in sums]
        _check_row_limit(sum(int(class_sizes.sum()) for class_sizes in sizes))
        counts = [class_sizes.astype(np.int64) for class_sizes in sizes]
        weights = [
            np.repeat(weight / np.maximum(size, 1), size)
            for (weight, _), size in zip(sums, counts, strict=True)
        ]
        first, second = (np.append(0, np.cumsum(size)) for size in counts)
        return cls(ranking, (first, second), np.concatenate([[0.0], *weights]))

    @property
    def rows(self) -> int:
        """Number of rows that are resampled."""
        return sum(int(class_rows[-1]) for class_rows in self.cumulative_rows)

    @property
    def replicates(self) -> int:
        """Sufficient number of resamples: fewer with many rows, as they vary less."""
        return max(20, min(200, 20_000_000 // max(self.rows, 1)))

    @property
    def block_size(self) -> int:
        """Number of resamples that fit in the cache."""
        return max(1, min(BLOCK_SIZE, MAX_BLOCK_CELLS // max(self.rows, len(self.ranking))))

    @property
    def is_large(self) -> bool:
        """Whether a statistic computed at all thresholds benefits from threads."""
        return len(thread_spans(self.rows)) > 1

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> tuple[Resamples, Resamples]:
        """In-bag resamples, and out-of-bag rows reweighted to the size of their class.

        Fixed costs, rejected rows and the prevalence are thus the same in both.
        """
        rows = self.rows
        strata = np.split(np.arange(rows), [self.cumulative_rows[0][-1]]) if by_class else ()
        draw_counts = np.zeros((size, rows + 1), np.int64)  # a leading 0, for cumulative sums
        for replicate in draw_counts:
            replicate[1:] = np.bincount(_sample_rows(random, rows, strata), minlength=rows)
        is_left_out = draw_counts == 0
        is_left_out[:, 0] = False
        out_of_bag = self._resamples(is_left_out)
        rescaled_counts = (
            left_out * (counts[-1] / np.where(left_out[:, -1:] > 0, left_out[:, -1:], np.inf))
            for left_out, counts in zip(out_of_bag.tally[1:], self.ranking.tally[1:], strict=True)
        )
        tally = Tally(self.ranking.tally.thresholds, *rescaled_counts)
        return self._resamples(draw_counts), replace(out_of_bag, tally=tally)

    def _resamples(self, draw_counts: NDArray[Any]) -> Resamples:
        ranking, (positives, negatives) = self.ranking, self.cumulative_rows
        weights = draw_counts if self.weights is None else draw_counts * self.weights
        sums = np.cumsum(weights, axis=1)
        true_positives = np.take(sums, positives, axis=1)
        false_positives = np.take(sums, negatives + positives[-1], axis=1)
        false_positives -= sums[:, positives[-1:]]
        tally = Tally(ranking.tally.thresholds, true_positives, false_positives)
        rejected = (
            np.full((len(draw_counts), 1), rows)
            for rows in (ranking.rejected_positives, ranking.rejected_negatives)
        )
        return Resamples(ranking, tally, *rejected)


def _check_row_limit(rows: int) -> None:
    if rows > MAX_RESAMPLED_ROWS:
        raise InputError(
            f"{rows:,} rows are too many to bootstrap; a threshold chosen on that many rows "
            "performs as well on new data."
        )


def _effective_rows(sums: NDArray[Any], squares: NDArray[Any]) -> NDArray[np.float64]:
    """Kish's effective numbers of rows, from sums of weights and of squared weights."""
    has_rows = sums > 0
    rows = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=has_rows)
    return np.asarray(np.maximum(rows.round(), has_rows))


@dataclass(frozen=True, eq=False)
class MulticlassRows:
    """Bootstrap source: rows with a score for each of many classes, resampled as row weights."""

    rows: ClassScores

    @property
    def replicates(self) -> int:
        """Sufficient number of resamples: fewer with many scores, as they vary less."""
        scores = self.rows.rows * len(self.rows.classes)
        return max(50, min(500, 200_000_000 // max(scores, 1)))

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the row weights of each resample."""
        strata = self._rows_by_class if by_class else ()
        for _ in range(size):
            yield self._sample(random, strata).astype(np.float64)

    def _sample(
        self, random: np.random.Generator, strata: Sequence[NDArray[np.intp]]
    ) -> NDArray[Any]:
        units, weights = self._units, self.rows.weights
        if units is None:
            return _sample_frequencies(random, np.asarray(weights), strata)
        sampled_units = units[_sample_rows(random, len(units), strata)]
        draw_counts = np.bincount(sampled_units, minlength=self.rows.rows)
        return draw_counts if weights is None or self.rows.is_counted else draw_counts * weights

    @cached_property
    def _units(self) -> NDArray[np.intp] | None:
        """The row of each unit (a row of frequency three is three units); None if too many."""
        weights, rows = self.rows.weights, np.arange(self.rows.rows)
        if weights is None or not self.rows.is_counted:
            return rows
        return np.repeat(rows, weights) if weights.sum(dtype=np.float64) <= MAX_UNITS else None

    @cached_property
    def _rows_by_class(self) -> list[NDArray[np.intp]]:
        codes = self.rows.codes if self._units is None else self.rows.codes[self._units]
        return [np.flatnonzero(codes == code) for code in np.unique(codes)]


# Intervals from replicates: percentiles, plain or corrected for bias and skewness (BCa).


def percentile_interval(
    values: NDArray[np.float64],
    value: float,
    confidence: Confidence,
    *,
    acceleration: float = 0.0,
    shift: float = 0.0,
) -> ConfidenceInterval:
    """Percentile confidence interval from bootstrap replicates: plain, bias-corrected or BCa.

    Args:
        values: The statistic in each resample; NaN where it is undefined.
        value: The statistic in the original sample.
        confidence: The level and the type of bootstrap interval.
        acceleration: The acceleration for BCa, see `bca_acceleration`.
        shift: Amount to add to both limits.
    """
    defined_values = values[~np.isnan(values)]
    note = _undefined_note(values, defined_values)
    method = (
        f"{bootstrap_method_name(confidence)}, {len(values):,} resamples, seed {confidence.seed}"
    )
    if len(defined_values) < 2 or 2 * len(defined_values) < len(values):
        return ConfidenceInterval(math.nan, math.nan, method, note)
    if defined_values.min() == defined_values.max():
        return ConfidenceInterval(
            math.nan, math.nan, method, "no interval: all resamples have the same value"
        )
    tails = np.array([(1 - confidence.level) / 2, (1 + confidence.level) / 2])
    all_finite = bool(np.isfinite(defined_values).all())
    if confidence.method != "bootstrap" and all_finite and math.isfinite(value):
        proportion_below = (defined_values < value).mean() + (defined_values == value).mean() / 2
        if not MIN_ONE_SIDED_PROPORTION < proportion_below < 1 - MIN_ONE_SIDED_PROPORTION:
            low, high = (limit + shift for limit in _basic_interval(defined_values, value, tails))
            return ConfidenceInterval(low, high, f"basic {method}", note)
        tails = _bca_tails(proportion_below, tails, acceleration)
    # Ratios may be infinite in some resamples: take the nearest replicate, not the mean of two.
    interpolation: Literal["linear", "nearest"] = "linear" if all_finite else "nearest"
    limits = np.quantile(defined_values, tails, method=interpolation)
    low, high = (float(limit) + shift for limit in limits)
    return ConfidenceInterval(low, high, method, note)


def standard_error_interval(
    values: NDArray[np.float64], value: float, confidence: Confidence
) -> ConfidenceInterval:
    """Normal confidence interval with the bootstrap standard error.

    For statistics that are nearly normal: with few rows, percentile intervals are too narrow
    (docs/explanation/coverage.md).
    """
    finite_values = values[np.isfinite(values)]
    if (
        len(finite_values) < 2
        or 2 * len(finite_values) < len(values)
        or finite_values.min() == finite_values.max()
    ):
        return missing_interval("no interval: too few resamples have distinct, finite values")
    half_width = critical_value(confidence.level) * float(finite_values.std(ddof=1))
    method = (
        f"bootstrap standard error, {len(values):,} resamples, seed {confidence.seed}"
        f"{', stratified by class' if confidence.by_class else ''}"
    )
    note = _undefined_note(values, finite_values)
    return ConfidenceInterval(value - half_width, value + half_width, method, note)


def _undefined_note(values: NDArray[np.float64], defined_values: NDArray[np.float64]) -> str | None:
    undefined = len(values) - len(defined_values)
    return f"undefined in {undefined:,} of {len(values):,} resamples" if undefined else None


def _basic_interval(
    values: NDArray[np.float64], value: float, tails: NDArray[np.float64]
) -> tuple[float, float]:
    """Basic bootstrap interval, extended to include the estimate, for very biased replicates."""
    high, low = (2 * value - float(limit) for limit in np.quantile(values, tails))
    return min(low, value), max(high, value)


def bootstrap_method_name(confidence: Confidence) -> str:
    """Name of the bootstrap interval method, as it appears in results."""
    names = {"bca": "BCa bootstrap", "bootstrap": "percentile bootstrap"}
    name = names.get(confidence.method or "", "bias-corrected bootstrap")
    return f"{name}, stratified by class" if confidence.by_class else name


def bca_acceleration(deviations: NDArray[np.float64], rows: NDArray[Any]) -> NDArray[np.float64]:
    """Acceleration for BCa bootstrap intervals, from jackknife deviations.

    Args:
        deviations: Deviations from the class mean; one array row per row left out, one column per
            statistic.
        rows: Number of rows with each of these deviations.
    """
    defined_deviations = np.nan_to_num(deviations)
    squares, cubes = (rows @ defined_deviations**power for power in (2, 3))
    return np.asarray(
        np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(squares), where=squares > 0)
    )


def _bca_tails(
    proportion_below: float, tails: NDArray[np.float64], acceleration: float
) -> NDArray[np.float64]:
    """BCa tail probabilities, corrected for median bias and acceleration.

    Efron 1987, doi:10.1080/01621459.1987.10478410.
    """
    from scipy.special import ndtr, ndtri

    bias = ndtri(proportion_below)
    z = bias + ndtri(tails)
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))
