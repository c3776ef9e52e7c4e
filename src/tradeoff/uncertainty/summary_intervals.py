"""Confidence intervals for summaries of a ranking, such as the AUC or the Brier score.

AUCs have formulas (`auc`), and a summary may define its own; the others have bootstrap standard
errors. The bootstrap is available on request. Some summaries are so biased that no interval would
be reliable: they have none, and a note gives the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import extreme_rankings
from tradeoff.core.ranking import Ranking
from tradeoff.core.resampled_rankings import Resamples, drop_empty_scores
from tradeoff.core.sort import Tally
from tradeoff.measures import mover
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, missing_interval
from tradeoff.measures.registry import Measure
from tradeoff.stats.special import t_quantile
from tradeoff.uncertainty.auc import auc_interval
from tradeoff.uncertainty.bootstrap import (
    RankedRows,
    bca_acceleration,
    bootstrap,
    coarsen_ranking,
    percentile_interval,
    standard_error_interval,
)
from tradeoff.uncertainty.question import Question

if TYPE_CHECKING:
    from tradeoff.uncertainty.confidence import Confidence

    Floats = NDArray[np.float64]


class RankingStatistic(Protocol):
    """A statistic of a ranking: a summary, or any other question answered by a single value."""

    @property
    def name(self) -> str:
        """Name of the statistic."""

    def estimate(self, ranking: Ranking, /) -> Estimate:
        """Value of the statistic for one ranking."""


MAX_LOG_LIMIT = 20.0
"""Maximum logarithm of an interval limit that is still informative."""

MIN_ROWS_PER_CLASS = 2
"""With fewer rows in a class, there is no interval."""

MAX_GROUPS_FOR_BCA = 400
"""Maximum number of score groups in the jackknife for BCa, which leaves out a row of each."""

MAX_GROUPS_FOR_VARIANCE = 120
"""Maximum number of score groups in the jackknife for a variance, for which fewer suffice."""

STANDARD_ERROR_RESAMPLES = 200
"""Number of resamples for a standard error (Efron & Tibshirani 1993, section 6.4)."""

MAX_SCORES_TO_READ = 20_000
"""With more distinct scores, values are read off the curves of a coarse ranking."""

TOO_FEW_ROWS = "no interval: two rows of each class are needed"


def summaries_with_intervals(
    measures: Iterable[RankingStatistic], ranking: Ranking, confidence: Confidence
) -> dict[str, Estimate]:
    """Estimates of summaries with confidence intervals; bootstrap intervals share resamples."""
    by_name = {measure.name: (measure, measure.estimate(ranking)) for measure in measures}
    estimates: dict[str, Estimate] = {}
    remaining = []
    for name, (measure, estimate) in by_name.items():
        if not estimate.is_defined:
            estimates[name] = estimate
        elif reason := _no_interval_note(measure, confidence):
            estimates[name] = with_interval(estimate, missing_interval(reason), confidence.level)
        elif (coefficients := linear_in_auc(measure)) and not confidence.is_bootstrap:
            interval = _auc_interval(ranking, confidence, *coefficients)
            estimates[name] = with_interval(estimate, interval, confidence.level)
        elif (fit := _fitting_function(measure)) and not confidence.is_bootstrap and ranking.exact:
            estimates[name] = fit(ranking, confidence.level)
        else:
            remaining.append(measure)
    compute_intervals = _intervals if ranking.exact else _intervals_in_bins
    intervals = compute_intervals(remaining, ranking, confidence) if remaining else {}
    for measure in remaining:
        estimate = by_name[measure.name][1]
        interval = with_coverage_warning(intervals[measure.name], _summary(measure))
        estimates[measure.name] = with_interval(estimate, interval, confidence.level)
    return {name: estimates[name] for name in by_name}


def summary_with_interval(
    measure: RankingStatistic, ranking: Ranking, confidence: Confidence
) -> Estimate:
    """Estimate of one summary with its confidence interval."""
    return summaries_with_intervals([measure], ranking, confidence)[measure.name]


def with_interval(estimate: Estimate, interval: ConfidenceInterval, level: float) -> Estimate:
    """Add a confidence interval and its note to the estimate of a summary or metric."""
    notes = [note for note in (estimate.note, interval.note) if note]
    note = "; ".join(notes) or None
    low, high, method, _ = interval
    if math.isnan(low) or math.isnan(high):
        return replace(estimate, note=note)
    return replace(estimate, low=low, high=high, level=level, method=method, note=note)


def clip_interval(interval: ConfidenceInterval, measure: Any) -> ConfidenceInterval:
    """Clip the confidence interval of a summary or metric to the range of its values."""
    lowest, highest = getattr(measure, "low", -math.inf), getattr(measure, "high", math.inf)
    low, high = max(interval.low, lowest), min(interval.high, highest)
    if low >= high:
        reason = "no interval: the resamples are too biased"
        return ConfidenceInterval(math.nan, math.nan, interval.method, reason)
    return interval._replace(low=low, high=high)


def _summary(measure: RankingStatistic) -> Measure | None:
    """The summary to be estimated; None for a metric at an operating point, or a cost."""
    summary = measure.measure if isinstance(measure, Question) else measure
    return summary if getattr(summary, "kind", None) == "summary" else None  # type: ignore[return-value]


def _no_interval_note(measure: RankingStatistic, confidence: Confidence) -> str | None:
    summary = _summary(measure)
    if summary is None or not summary.no_interval or confidence.is_bootstrap:
        return None
    return f"no interval: {summary.no_interval}"


def with_coverage_warning(
    interval: ConfidenceInterval, measure: Measure | None
) -> ConfidenceInterval:
    """Add a note to a summary's bootstrap interval if its coverage falls short of its level."""
    if measure is None or not measure.no_interval or math.isnan(interval.low):
        return interval
    warning = f"the coverage of the interval is below its level: {measure.no_interval}"
    return interval._replace(note="; ".join(filter(None, [interval.note, warning])))


def linear_in_auc(measure: RankingStatistic) -> tuple[float, float] | None:
    """Slope and intercept of a summary that is linear in the AUC, such as Gini; else None."""
    summary = _summary(measure)
    return None if summary is None else summary.linear_in_auc


def _fitting_function(measure: RankingStatistic) -> Callable[..., Estimate] | None:
    """The function that estimates a summary by fitting a model, with its own standard error."""
    summary = _summary(measure)
    return summary.function if summary is not None and summary.returns_interval else None


def _auc_interval(
    ranking: Ranking, confidence: Confidence, factor: float = 1.0, constant: float = 0.0
) -> ConfidenceInterval:
    interval = auc_interval(ranking, confidence.level, confidence.method_for("areas").name)
    note = f"no interval: {interval.reason}" if interval.reason else interval.note
    low, high = (factor * limit + constant for limit in (interval.low, interval.high))
    return ConfidenceInterval(low, high, interval.method, note)


@dataclass(frozen=True)
class _Subject:
    """A summary with its value and ranking, as interval functions need it (see `Subject`)."""

    measure: Measure
    value: float
    ranking: Ranking
    confidence: Confidence

    @property
    def parameters(self) -> Mapping[str, Any]:
        return self.measure.parameters

    @property
    def level(self) -> float:
        return self.confidence.level

    @property
    def by_class(self) -> bool:
        """Whether class totals are fixed, or the prevalence is known."""
        return self.confidence.by_class or self.ranking.prevalence_known

    @property
    def prevalence(self) -> float:
        positives, negatives = float(self.ranking.positives), float(self.ranking.negatives)
        return positives / (positives + negatives)

    def mean_interval(
        self, value: float, positive_values: Floats, negative_values: Floats
    ) -> tuple[float, float]:
        mean_moments = moments(
            self.ranking, positive_values, negative_values, by_class=self.by_class
        )
        return hall_interval(value, mean_moments, self.level)

    def mean_variance(self, positive_values: Floats, negative_values: Floats) -> float:
        return moments(
            self.ranking, positive_values, negative_values, by_class=self.by_class
        ).variance

    def area(self, ranking: Ranking) -> ConfidenceInterval:
        return _auc_interval(ranking, self.confidence)

    def reading(self) -> ConfidenceInterval:
        low, high = mover.reading_interval(
            self.measure, self.ranking, self.level, fixed_classes=self.by_class
        )
        return ConfidenceInterval(low, high, mover.METHOD)

    def jackknife(self, *, log: bool) -> ConfidenceInterval:
        return _jackknife_interval(self, log=log)


def _intervals(
    measures: list[RankingStatistic], ranking: Ranking, confidence: Confidence
) -> dict[str, ConfidenceInterval]:
    if min(ranking.effective_rows) < MIN_ROWS_PER_CLASS:
        return {measure.name: missing_interval(TOO_FEW_ROWS) for measure in measures}
    intervals = {}
    if not confidence.is_bootstrap:
        intervals = _formula_intervals(measures, ranking, confidence)
    bootstrap_measures = [measure for measure in measures if measure.name not in intervals]
    if bootstrap_measures:
        intervals |= _bootstrap_intervals(bootstrap_measures, ranking, confidence)
    return {measure.name: clip_interval(intervals[measure.name], measure) for measure in measures}


def _formula_intervals(
    measures: list[RankingStatistic], ranking: Ranking, confidence: Confidence
) -> dict[str, ConfidenceInterval]:
    """Intervals that need no resampling."""
    intervals = {}
    for measure in measures:
        summary = _summary(measure)
        if summary is not None and summary.interval is not None:
            weighted = ranking.at_prevalence(getattr(measure, "prevalence", None))
            subject = _Subject(summary, summary(weighted), weighted, confidence)
            interval = summary.interval(subject)
            if interval is not None:
                intervals[measure.name] = interval
        elif isinstance(measure, Question) and measure.point is not None:
            intervals[measure.name] = _reading_interval(measure, ranking, confidence)
    return intervals


def _reading_interval(
    question: Question, ranking: Ranking, confidence: Confidence
) -> ConfidenceInterval:
    """Interval for a metric at the point where another metric has a given value."""
    coarse = ranking
    if ranking.distinct > MAX_SCORES_TO_READ:
        coarse = coarsen_ranking(ranking, keep=[question.indices(ranking)])
    shift = question.estimate(ranking).value - question.estimate(coarse).value
    fixed_classes = confidence.by_class or question.prevalence is not None
    low, high = mover.reading_interval(
        lambda ranking: question.estimate(ranking).value,
        coarse,
        confidence.level,
        fixed_classes=fixed_classes,
    )
    return ConfidenceInterval(low + shift, high + shift, mover.METHOD)


def _bootstrap_intervals(
    measures: list[RankingStatistic], ranking: Ranking, confidence: Confidence
) -> dict[str, ConfidenceInterval]:
    questions = [measure for measure in measures if isinstance(measure, Question)]
    coarse = coarsen_ranking(ranking, keep=[q.indices(ranking) for q in questions])
    if not confidence.is_bootstrap:
        replicates = min(confidence.replicates, STANDARD_ERROR_RESAMPLES)
        confidence = replace(confidence, replicates=replicates)
    values = _bootstrap_values(measures, coarse, confidence)
    exact_values, coarse_values = _values(measures, ranking), _values(measures, coarse)
    if not confidence.is_bootstrap:
        return {
            measure.name: standard_error_interval(values[:, i], exact_values[i], confidence)
            for i, measure in enumerate(measures)
        }
    is_bca = confidence.method == "bca"
    accelerations = _accelerations(measures, ranking) if is_bca else np.zeros(len(measures))
    return {
        measure.name: percentile_interval(
            values[:, i],
            coarse_values[i],
            confidence,
            acceleration=float(accelerations[i]),
            shift=exact_values[i] - coarse_values[i],
        )
        for i, measure in enumerate(measures)
    }


def _jackknife_interval(subject: _Subject, *, log: bool) -> ConfidenceInterval:
    """Jackknife t interval of a summary that is nearly a mean over rows, corrected for skewness.

    On the log scale, it is an interval for ln(1 - value), by the delta method.
    """
    distance = 1 - subject.value
    if log and not distance > 0:
        return missing_interval(f"no interval: the value is {subject.value:g}")
    deviations, rows = _jackknife_deviations(
        [subject.measure],
        subject.ranking,
        by_class=subject.by_class,
        max_groups=MAX_GROUPS_FOR_VARIANCE,
    )
    total = float(rows.sum())
    influences = (total - 1) * deviations[:, 0]
    second_moment = float(rows @ influences**2) / total
    if not second_moment > 0:
        return missing_interval("no interval: no single row influences the value")
    third_moment = float(rows @ influences**3) / total
    skewness = third_moment / second_moment**1.5 / math.sqrt(total)
    jackknife_moments = Moments(second_moment / (total - 1), skewness, total)
    if not log:
        low, high = hall_interval(subject.value, jackknife_moments, subject.level)
        return ConfidenceInterval(low, high, "jackknife, Hall")
    log_moments = jackknife_moments.scaled(-1 / distance)
    log_limits = hall_interval(math.log(distance), log_moments, subject.level)
    if log_limits[1] > MAX_LOG_LIMIT:
        return missing_interval("no interval: single rows have too much influence")
    low, high = (1 - math.exp(limit) for limit in reversed(log_limits))
    return ConfidenceInterval(low, high, "jackknife, log, Hall")


def _intervals_in_bins(
    measures: list[RankingStatistic], ranking: Ranking, confidence: Confidence
) -> dict[str, ConfidenceInterval]:
    """Intervals that contain those for the worst and the best order inside bins.

    The rows rank no worse than in the worst case, and no better than in the best case.
    """
    worst_case, best_case = (
        _intervals(measures, case, confidence) for case in extreme_rankings(ranking)
    )
    intervals = {}
    for measure in measures:
        worst, best = worst_case[measure.name], best_case[measure.name]
        low, high = min(worst.low, best.low), max(worst.high, best.high)
        estimate = measure.estimate(ranking)
        values = [measure.estimate(case).value for case in (ranking.worst_case, ranking.best_case)]
        # A summary may lie outside the range of the two cases; the interval is widened accordingly.
        low += min(estimate.value - estimate.within - min(values), 0.0)
        high += max(estimate.value + estimate.within - max(values), 0.0)
        intervals[measure.name] = worst._replace(low=low, high=high, note=worst.note or best.note)
    return intervals


def _bootstrap_values(
    measures: list[RankingStatistic], ranking: Ranking, confidence: Confidence
) -> Floats:
    """Bootstrap replicates of measures: AUCs for all resamples at once, others one by one."""
    coefficients = [linear_in_auc(measure) for measure in measures]

    def auc_replicates(resamples: Resamples) -> NDArray[Any]:
        aucs = resamples.aucs()
        return np.column_stack([f * aucs + c for f, c in filter(None, coefficients)])

    def replicates(resamples: Resamples) -> NDArray[Any]:
        return np.array([_values(measures, resample) for resample in resamples])

    all_linear = all(coefficients)
    statistic = auc_replicates if all_linear else replicates
    return bootstrap(RankedRows(ranking), statistic, confidence, parallel=all_linear)


def _values(measures: list[RankingStatistic], ranking: Ranking) -> list[float]:
    return [measure.estimate(ranking).value for measure in measures]


def _accelerations(measures: list[RankingStatistic], ranking: Ranking) -> Floats:
    """BCa acceleration for each measure."""
    return bca_acceleration(
        *_jackknife_deviations(measures, ranking, by_class=True, max_groups=MAX_GROUPS_FOR_BCA)
    )


def _jackknife_deviations(
    measures: list[Any], ranking: Ranking, *, by_class: bool, max_groups: int
) -> tuple[Floats, Floats]:
    """Jackknife deviations of each measure, and the number of rows with each deviation.

    Deviations are from the mean over all rows, or over the rows of the class.
    """
    coarse = coarsen_ranking(ranking, max_groups)
    values, counts, rows = [], [], []
    for column in (1, 2):
        weights = np.diff(coarse.tally[column])
        squares = weights if coarse.squares is None else np.diff(coarse.squares.tally[column])
        indices = np.flatnonzero(weights)
        values.append(
            np.array(
                [
                    _values(measures, _without_row(coarse, column, index))
                    for index in indices.tolist()
                ]
            )
        )
        counts.append(weights[indices].astype(np.float64))
        rows.append(weights[indices] ** 2 / squares[indices])
    if not by_class:
        values, counts = [np.concatenate(values)], [np.concatenate(counts)]
    deviations = [
        weight @ value / weight.sum() - value for value, weight in zip(values, counts, strict=True)
    ]
    return np.concatenate(deviations), np.concatenate(rows)


def _without_row(ranking: Ranking, column: int, index: int) -> Ranking:
    """Remove one row of a score and class (tally column 1: positive, 2: negative)."""
    columns = list(ranking.tally)
    row_weight = 1.0
    if ranking.squares is not None:  # the mean weight of a row of this group
        squares = ranking.squares.tally[column]
        weight = columns[column][index + 1] - columns[column][index]
        row_weight = float((squares[index + 1] - squares[index]) / weight)
    columns[column] = columns[column] - row_weight * (np.arange(len(ranking)) > index)
    return replace(ranking, tally=drop_empty_scores(Tally(*columns)), squares=None, levels=None)


# Intervals for statistics that are a mean over rows, or nearly so.
#
# To first order, such a statistic is a mean of the *influences* of its rows: how much one more row
# of this score and class would change it (Hampel 1974, doi:10.1080/01621459.1974.10482962). Their
# variance determines its variance. If few rows are positive, influences are skewed, and so is the
# estimate; Hall's transformation (1992, doi:10.1111/j.2517-6161.1992.tb01872.x) corrects the t
# interval for that.


MIN_SKEWNESS = 1e-9
"""Skewness below this is ignored."""


@dataclass(frozen=True)
class Moments:
    """Variance and skewness of an estimate, and the number of rows it is based on."""

    variance: float
    skewness: float
    rows: float

    def scaled(self, factor: float) -> Moments:
        """Moments of the estimate multiplied by a factor."""
        sign = math.copysign(1.0, factor)
        return Moments(self.variance * factor**2, self.skewness * sign, self.rows)


def moments(
    ranking: Ranking, positive_values: Floats, negative_values: Floats, *, by_class: bool
) -> Moments:
    """Variance and skewness of a summary that is a mean over rows, from the value of each row.

    Args:
        ranking: The rows by score and class.
        positive_values: The value of a positive row at each score, in the order of the ranking.
        negative_values: The value of a negative row at each score.
        by_class: Whether class totals are fixed, so that rows vary only within a class.
    """
    weights = [np.diff(counts).astype(np.float64) for counts in ranking.tally[1:]]
    squares = weights
    if ranking.squares is not None:
        squares = [np.diff(counts).astype(np.float64) for counts in ranking.squares.tally[1:]]
    # Rows of the same score and class are assumed to have equal weights.
    cubes = [
        np.divide(s**2, w, out=np.zeros(len(w)), where=w > 0)
        for w, s in zip(weights, squares, strict=True)
    ]
    values = [positive_values, negative_values]
    total = sum(float(w.sum()) for w in weights)
    means = [_mean([v], [w]) for v, w in zip(values, weights, strict=True)]
    if not by_class:
        means = [_mean(values, weights)] * 2
    deviations = [value - mean for value, mean in zip(values, means, strict=True)]
    rows = total**2 / sum(float(s.sum()) for s in squares)
    variance = sum(float(s @ d**2) for s, d in zip(squares, deviations, strict=True)) / total**2
    third_moment = (
        # A third of the time that a power takes.
        sum(float(c @ (d * d * d)) for c, d in zip(cubes, deviations, strict=True)) / total**3
    )
    if not variance > 0:
        return Moments(0.0, 0.0, rows)
    return Moments(variance * rows / max(rows - 1, 1.0), third_moment / variance**1.5, rows)


def _mean(values: list[Floats], weights: list[Floats]) -> float:
    total = sum(float(w.sum()) for w in weights)
    weighted_sum = sum(float(v @ w) for v, w in zip(values, weights, strict=True))
    return weighted_sum / total if total else 0.0


def hall_interval(value: float, mean_moments: Moments, level: float = 0.95) -> tuple[float, float]:
    """Hall's t interval for a summary that is a mean over rows, corrected for skewness.

    Example:
        >>> limits = hall_interval(0.1, Moments(0.0004, 0.0, 101))  # 0.1 ± 1.984 * 0.02
        >>> [round(limit, 4) for limit in limits]
        [0.0603, 0.1397]
        >>> limits = hall_interval(0.1, Moments(0.0004, 0.3, 101))
        >>> [round(limit, 4) for limit in limits]
        [0.067, 0.1539]
    """
    standard_error, skewness = math.sqrt(mean_moments.variance), mean_moments.skewness
    critical_t = t_quantile(max(mean_moments.rows - 1, 1.0), (1 + level) / 2)
    low, high = (
        value - standard_error * _inverse_hall(t, skewness) for t in (critical_t, -critical_t)
    )
    return low, high


def _inverse_hall(quantile: float, skewness: float) -> float:
    """Inverse of Hall's monotone transformation."""
    if abs(skewness) < MIN_SKEWNESS:
        return quantile
    cube = 1 + skewness * (quantile - skewness / 6)
    return 3 * (math.copysign(abs(cube) ** (1 / 3), cube) - 1) / skewness
