"""Tables of cut-offs: counts and metrics with confidence intervals at chosen thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, require_number
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.results import ByValue, Result
from tradeoff.thresholds.criteria import Criterion
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.thresholds.identical import (
    Interval,
    identical_thresholds,
    roundest_threshold,
)
from tradeoff.thresholds.out_of_sample import Bags, out_of_sample_plan
from tradeoff.uncertainty.bootstrap import bootstrap
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.estimates import metric_estimates

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking

CLINICAL_METRICS = (
    "true_positive_rate",
    "true_negative_rate",
    "precision",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
)
"""Columns of a table of cut-offs, as studies of diagnostic tests report them."""
QUANTILES = (0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05)
"""Proportions of rows predicted positive near which a table has a round cut-off by default."""
QUANTILE_TOLERANCE = 0.2
"""How far such a proportion may be off for a rounder cut-off, relative to the smaller side."""
MAX_SCORES_LISTED = 8
"""If there are at most this many distinct scores, all are listed by default."""
MAX_RESAMPLES = 1000
"""Default number of resamples of rows in memory: interval limits need more of them than means."""
MAX_RESAMPLED_ROWS = 20_000_000
"""With many rows, there are fewer resamples, so that their rows total about this number."""
MAX_CUTOFFS_WITH_INTERVALS = 1000
"""Above this number of cut-offs, their metrics have no intervals, which would take seconds."""
METHOD = "out-of-bag bootstrap, shifted percentile interval"


@dataclass(frozen=True, eq=False)
class Cutoff(ByValue):
    """One cut-off: its threshold, why it is listed, its confusion matrix and its metrics."""

    threshold: float
    label: str
    confusion: ConfusionMatrix
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class OutOfBagCutoff(ByValue):
    """Expected performance of a cut-off chosen by a criterion, on rows not used to choose it.

    The cut-off is chosen on each bootstrap resample and evaluated on the rows left out of it, whose
    counts are added up over resamples. `thresholds` is the percentile interval of the cut-offs.

    The intervals are percentile intervals of the metrics on the resamples themselves, shifted by
    their optimism: location-shifted bootstrap intervals (Noma et al. 2021, doi:10.1002/sim.9148).
    """

    label: str
    thresholds: Interval
    estimates: Mapping[str, Estimate]
    replicates: int
    seed: int
    level: float


@dataclass(frozen=True, eq=False)
class CutoffTable(ByValue):
    """Cut-offs of one model, by decreasing proportion of rows that are predicted positive."""

    ranking: Ranking
    cutoffs: tuple[Cutoff, ...]
    out_of_bag: OutOfBagCutoff | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Cutoffs(Result, views="tradeoff.thresholds.cutoff_views"):
    """Tables of cut-offs of one or more models, from `Evaluation.cutoffs`.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate([0, 0, 1, 0, 1, 1], {"marker": [1, 2, 3, 4, 5, 6]})
        >>> table = e.cutoffs([3, 5])
        >>> table
        Cutoffs(marker: 2 cut-offs)
        >>> table.columns()["true_positives"]
        [3, 2]
    """

    tables: tuple[CutoffTable, ...]
    measures: tuple[Measure, ...]
    prevalence: float | None = None
    confidence: Confidence | None = DEFAULT_CONFIDENCE
    vocabulary: Vocabulary = field(default="clinical", compare=False)

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per model and cut-off; the limits of intervals end in _low, _high."""
        rows = [_column_values(table.ranking.name, cutoff) for table, cutoff in self._rows()]
        keys = ["model", "cutoff", "label", *COUNTS, *_interval_names(self.measures)]
        return {key: [row[key] for row in rows] for key in keys}

    def _rows(self) -> list[tuple[CutoffTable, Cutoff]]:
        return [(table, cutoff) for table in self.tables for cutoff in table.cutoffs]

    def __repr__(self) -> str:
        """One line: the number of cut-offs of each model."""
        sizes = (f"{table.ranking.name}: {len(table.cutoffs)} cut-offs" for table in self.tables)
        return f"Cutoffs({', '.join(sizes)})"


COUNTS = ("true_positives", "false_positives", "false_negatives", "true_negatives")


def _interval_names(measures: Sequence[Measure]) -> list[str]:
    return [f"{m.name}{end}" for m in measures for end in ("", "_low", "_high")]


def _column_values(model: str, cutoff: Cutoff) -> dict[str, Any]:
    counts = {name: getattr(cutoff.confusion, name).item() for name in COUNTS}
    values: dict[str, Any] = {"model": model, "cutoff": cutoff.threshold, "label": cutoff.label}
    values |= counts
    for name, estimate in cutoff.estimates.items():
        values |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
    return values


def cutoff_measures(names: Sequence[str], vocabulary: Vocabulary) -> tuple[Measure, ...]:
    """Metrics in a table of cut-offs: those named, else those of a vocabulary."""
    if names:
        measures = [METRICS.find(name) for name in names]
        return tuple({measure.name: measure for measure in measures}.values())
    if vocabulary in {"general", "clinical"}:
        return tuple(METRICS[name].in_vocabulary("clinical") for name in CLINICAL_METRICS)
    return tuple(vocabulary_metrics(vocabulary))


def cutoff_table(  # noqa: PLR0913 - one parameter per option
    ranking: Ranking,
    at: Sequence[float] | None,
    measures: Sequence[Measure],
    *,
    everything: bool = False,
    prevalence: float | None = None,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    clusters: PairedRanking | None = None,
) -> CutoffTable:
    """Table of cut-offs of a ranking.

    Args:
        ranking: The scored rows.
        at: The cut-offs; by default Youden's and round ones near quantiles of the scores.
        measures: Metrics of each cut-off.
        everything: List all distinct scores instead.
        prevalence: Prevalence at which metrics are computed; default: that of the rows.
        confidence: Confidence level and method of intervals; None for no intervals.
        clusters: Rows by cluster, which intervals then respect.
    """
    if not ranking.distinct:
        raise InputError("There are no scored rows to list cut-offs for.")
    has_both_classes = bool(ranking.positives) and bool(ranking.negatives)
    youden = best_threshold(ranking, "youden") if has_both_classes else None
    thresholds = _listed_thresholds(ranking, at, youden, everything=everything)
    notes: tuple[str, ...] = ()
    if len(thresholds) > MAX_CUTOFFS_WITH_INTERVALS and confidence is not None:
        confidence = None
        notes = (f"no intervals: more than {MAX_CUTOFFS_WITH_INTERVALS:,} cut-offs are listed",)
    reweighted = ranking.at_prevalence(prevalence)

    def cutoff(threshold: float) -> Cutoff:
        matrix = ranking.at(threshold)
        is_youden = youden is not None and matrix == youden.confusion
        estimates = metric_estimates(measures, reweighted, threshold, confidence, clusters)
        return Cutoff(threshold, "Youden" if is_youden else "", matrix, estimates)

    if confidence is None and ranking.exact:
        youden_index = -1 if youden is None else youden.index
        return CutoffTable(
            ranking,
            _values_alone(ranking, reweighted, thresholds, measures, youden_index),
            None,
            notes,
        )
    return CutoffTable(ranking, tuple(map(cutoff, thresholds)), notes=notes)


def default_cutoffs(ranking: Ranking) -> list[float]:
    """Thresholds that a table of cut-offs lists by default, in the order of the table.

    Example:
        >>> from tradeoff import evaluate
        >>> default_cutoffs(evaluate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).ranking)
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    """
    if not ranking.distinct:
        return []
    has_both_classes = bool(ranking.positives) and bool(ranking.negatives)
    youden = best_threshold(ranking, "youden") if has_both_classes else None
    return _listed_thresholds(ranking, None, youden, everything=False)


def _values_alone(
    ranking: Ranking,
    reweighted: Ranking,
    thresholds: Sequence[float],
    measures: Sequence[Measure],
    youden_index: int,
) -> tuple[Cutoff, ...]:
    """Cut-offs without intervals, computed for all thresholds at once."""
    indices = ranking.places(np.array(thresholds, np.float64))
    matrices = reweighted.matrices(indices)
    shape = (len(indices),)
    values = [
        np.broadcast_to(np.asarray(m(matrices), np.float64), shape).tolist() for m in measures
    ]
    cutoffs = []
    for threshold, index, *row in zip(thresholds, indices.tolist(), *values, strict=True):
        estimates = {
            m.name: m.estimate(reweighted.at_place(index))
            if math.isnan(value)
            else Estimate(m.name, value, label=m.label)
            for m, value in zip(measures, row, strict=True)
        }
        label = "Youden" if index == youden_index else ""
        cutoffs.append(Cutoff(threshold, label, ranking.at_place(index), estimates))
    return tuple(cutoffs)


def _listed_thresholds(
    ranking: Ranking, at: Sequence[float] | None, youden: Decision | None, *, everything: bool
) -> list[float]:
    """Thresholds of the table, by decreasing proportion of rows predicted positive."""
    if at is not None:
        thresholds = [require_number(threshold, "A cut-off") for threshold in at]
        if not thresholds:
            raise InputError("Name at least one cut-off, or leave them out.")
    elif everything or ranking.distinct <= MAX_SCORES_LISTED:
        thresholds = ranking.thresholds[1:].tolist()
    else:
        indices = {0, len(ranking) - 1, *([] if youden is None else [youden.index])}
        thresholds = [] if youden is None else [youden.threshold]
        thresholds += _round_quantiles(ranking, indices)
    return sorted(set(thresholds), reverse=ranking.lower_is_positive)


def _round_quantiles(ranking: Ranking, listed_indices: set[int]) -> list[float]:
    """Round thresholds near quantiles of the scores, with predictions unlike those listed."""
    matrices = ranking.matrices(slice(None))
    depths = np.asarray(matrices.predicted_positives / matrices.rows, np.float64)
    indices, thresholds = set(listed_indices), []
    for proportion in QUANTILES:
        tolerance = QUANTILE_TOLERANCE * min(proportion, 1 - proportion)
        (near,) = np.nonzero(np.abs(depths - proportion) <= tolerance)
        if not len(near):
            near = np.array([np.abs(depths - proportion).argmin()])
        first, last = int(near[0]), int(near[-1])
        low = identical_thresholds(ranking, last).low
        interval = Interval(low, float(ranking.thresholds[first]))
        threshold = roundest_threshold(ranking, interval)
        index = int(ranking.index(threshold))
        if index not in indices:
            indices.add(index)
            thresholds.append(threshold)
    return thresholds


def out_of_bag_cutoff(  # noqa: PLR0913 - one parameter per option
    ranking: Ranking,
    measures: Sequence[Measure],
    *,
    by: str = "youden",
    target: float | None = None,
    prevalence: float | None = None,
    confidence: Confidence | None = None,
    replicates: int | None = None,
) -> OutOfBagCutoff:
    """Out-of-bag estimate for a table of cut-offs: expected performance of a chosen cut-off."""
    settings = confidence or DEFAULT_CONFIDENCE
    decision = best_threshold(ranking, by, target=target, prevalence=prevalence)
    if replicates is None:
        replicates = max(20, min(MAX_RESAMPLES, MAX_RESAMPLED_ROWS // max(ranking.rows, 1)))
    rows, plan = out_of_sample_plan(
        ranking, settings.level, replicates, settings.seed, settings.progress
    )
    values = bootstrap(
        rows,
        lambda bags: _chosen_counts(bags, decision.criterion, ranking, prevalence),
        plan,
        parallel=rows.is_large,
        block_size=rows.block_size,
    )
    thresholds, counts = values[:, 0], values[:, 1:].reshape(len(values), 2, 6)
    usable = ~np.isnan(counts).any(axis=(1, 2))
    if not usable.any():
        raise InputError(
            "No cut-off can be evaluated out of bag: no bootstrap resample leaves out rows of both "
            "classes."
        )
    in_bag, out_of_bag = counts[usable, 0], counts[usable, 1]
    estimates = {
        measure.name: _shifted_estimate(measure, in_bag, out_of_bag, plan.level)
        for measure in measures
    }
    tail = (1 - plan.level) / 2
    low, high = np.quantile(thresholds[usable], [tail, 1 - tail], method="inverted_cdf")
    label = "Youden" if by == "youden" else decision.criterion.label("clinical")
    return OutOfBagCutoff(
        label,
        Interval(*sorted((float(low), float(high)))),
        estimates,
        int(usable.sum()),
        plan.seed,
        plan.level,
    )


def _chosen_counts(
    bags: Bags, criterion: Criterion, ranking: Ranking, prevalence: float | None
) -> NDArray[np.float64]:
    """Cut-off chosen on each resample, and its counts in bag and out of bag."""
    in_bag, out_of_bag = (resamples.at_prevalence(prevalence) for resamples in bags)
    best = criterion.best(in_bag)
    index = best.argmax(axis=1)[:, np.newaxis]
    columns = [ranking.thresholds[index]]
    for resamples in (in_bag, out_of_bag):
        matrix = resamples.at_place(index)
        columns += [np.asarray(getattr(matrix, name), np.float64) for name in CELLS]
    values = np.concatenate([np.broadcast_to(c, (len(in_bag), 1)) for c in columns], axis=1)
    has_classes = np.logical_and.reduce(
        [
            (resamples.positives[:, 0] > 0) & (resamples.negatives[:, 0] > 0)
            for resamples in (in_bag, out_of_bag)
        ]
    )
    values[~(best.any(axis=1) & has_classes)] = math.nan
    return values


CELLS = (
    "true_positives",
    "false_negatives",
    "false_positives",
    "true_negatives",
    "rejected_positives",
    "rejected_negatives",
)


def _shifted_estimate(
    measure: Measure, in_bag: NDArray[np.float64], out_of_bag: NDArray[np.float64], level: float
) -> Estimate:
    """Metric of the rows left out, with the percentile interval of the resamples shifted to it."""
    value, apparent = (
        float(measure(ConfusionMatrix(*counts.sum(axis=0)))) for counts in (out_of_bag, in_bag)
    )
    estimate = Estimate(measure.name, value, label=measure.label)
    if not (math.isfinite(value) and math.isfinite(apparent)):
        reason = None if math.isinf(value) else "it is undefined on the rows left out"
        return Estimate(measure.name, value, reason=reason, label=measure.label)
    values = np.asarray(measure(ConfusionMatrix(*in_bag.T)), np.float64)
    values = values[~np.isnan(values)]
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf").tolist()
    if measure.high <= 1:
        low, high = (limit + value - apparent for limit in (low, high))
    elif apparent > 0:  # ratios are shifted on their logarithmic scale
        low, high = (limit * value / apparent for limit in (low, high))
    return Estimate(
        estimate.name,
        value,
        low=max(min(low, value), measure.low),
        high=min(max(high, value), measure.high),
        level=level,
        method=METHOD,
        label=measure.label,
    )
