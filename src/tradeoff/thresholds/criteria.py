"""Criteria for choosing a threshold: a metric or cost to optimise, or a target to reach.

A criterion finds the indices of a ranking's best thresholds. It can also be evaluated at any index
of another ranking, so that thresholds chosen on some rows can be assessed on others. A ranking may
be an array of bootstrap resamples, one resample per row of the array.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, require_unique_name
from tradeoff.formatting import format_count, format_screen_number, format_threshold
from tradeoff.measures.curves import bin_bounds
from tradeoff.measures.curves.interpolation import values_along
from tradeoff.measures.registry import METRICS, Better, Measure, lookup_key
from tradeoff.measures.vocabulary import Vocabulary, name_label
from tradeoff.results import ByValue

if TYPE_CHECKING:
    from tradeoff.core.resampled_rankings import AnyRanking

    Mask = NDArray[np.bool_]


SLACK = 8 * np.finfo(np.float64).eps
"""Relative tolerance: values closer than this differ only by rounding error."""

ValuesFunction = Callable[["AnyRanking"], "NDArray[np.float64]"]
ValueFunction = Callable[["AnyRanking", Any], Any]


class CriterionSpec(NamedTuple):
    """Arguments from which a criterion was parsed, kept so that it can be pickled."""

    by: str
    target: float | None
    costs: AnyCosts | None
    parameters: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Criterion(ByValue):
    """Criterion by which a threshold is chosen.

    `measure` names the metric that is optimised or reported; `values` computes it at every
    threshold, `value_at` at one index (or at one index per resample). `best` returns a mask of the
    best thresholds, all False if none can be chosen; `failure_message` then explains why. `meets`
    returns a mask of the thresholds that reach the target. If `is_bounded`, the values for the
    worst and the best order of rows inside bins bound those for any other order. `spelling` is the
    name by which the metric was requested; `metric` is the metric itself, unless it is a cost or a
    difference of metrics. `objective` is the metric that remains to be optimised
    if the criterion is a target to reach: in it, models are compared.
    """

    name: str
    measure: str
    better: Better
    values: ValuesFunction
    value_at: ValueFunction
    best: Callable[[AnyRanking], Mask]
    meets: Callable[[AnyRanking], Mask] | None = None
    failure_message: Callable[[Ranking], str] | None = None
    is_bounded: bool = False
    spec: CriterionSpec | None = None
    spelling: str = field(default="", compare=False)
    objective: Measure | None = None
    metric: Measure | None = field(default=None, compare=False)

    @property
    def objective_name(self) -> str:
        """Name of the metric by which models are compared."""
        return self.measure if self.objective is None else self.objective.name

    @property
    def objective_better(self) -> Better:
        """Whether higher or lower values of the objective are better."""
        return self.better if self.objective is None else self.objective.better

    def objective_label(self, vocabulary: Vocabulary = "general") -> str:
        """Label of the metric by which models are compared."""
        if self.objective is None:
            return self.measure_label(vocabulary)
        return self.objective.label_in(vocabulary)

    def objective_values(self, ranking: AnyRanking) -> NDArray[np.float64]:
        """Values of the objective at every threshold."""
        if self.objective is None:
            return self.values(ranking)
        return values_along(ranking, [self.objective])[0]

    def objective_at(self, ranking: AnyRanking, index: Any) -> Any:
        """Value of the objective at one index, or at one index per resample."""
        if self.objective is None:
            return self.value_at(ranking, index)
        return self.objective(ranking.at_place(index))

    def measure_label(self, vocabulary: Vocabulary = "general") -> str:
        """Label of the metric: as it was requested, else in a vocabulary."""
        return self.spelling or name_label(self.measure, vocabulary)

    def label(self, vocabulary: Vocabulary = "general") -> str:
        """Label of the criterion, such as "sensitivity ≥ 0.9"."""
        subject, separator, condition = self.name.partition(" ")
        if subject == self.measure:
            subject = self.measure_label(vocabulary)
        elif subject in METRICS:
            subject = name_label(subject, vocabulary)
        condition = condition.replace(">=", "≥").replace("<=", "≤")
        return f"{subject}{separator}{condition}"

    def best_indices(self, ranking: Ranking) -> NDArray[np.intp]:
        """Indices of the best thresholds of a ranking, by increasing false positive rate."""
        indices = np.flatnonzero(self.best(ranking))
        if not len(indices):
            undefined = f"No threshold can be chosen: {self.label()} is undefined at all of them."
            message = undefined if self.failure_message is None else self.failure_message(ranking)
            raise InputError(message)
        return indices

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments of the criterion: its functions cannot be pickled."""
        if self.spec is None:
            return super().__reduce__()  # type: ignore[return-value]
        return parse_criterion, tuple(self.spec)


TargetRequirement = Literal["needed", "optional", "refused"]


@dataclass(frozen=True)
class CriterionEntry:
    """Registry entry of a threshold criterion: a function that builds it, or a metric's name.

    `target` says whether a target is needed, optional or refused; `target_meaning` says what it is.
    """

    name: str
    target: TargetRequirement
    make: Callable[..., Criterion] | None = None
    metric: str = ""
    target_meaning: str = ""
    is_listed: bool = True


CRITERIA: dict[str, CriterionEntry] = {}
"""Registry of threshold criteria by name; the name of any metric is accepted too."""


def criterion(
    name: str, *, target: TargetRequirement = "refused", target_meaning: str = ""
) -> Callable[[Callable[..., Criterion]], Callable[..., Criterion]]:
    """Register a function that builds a threshold criterion, from a target if it takes one."""

    def register(make: Callable[..., Criterion]) -> Callable[..., Criterion]:
        require_unique_name(name, CRITERIA, "criteria")
        CRITERIA[name] = CriterionEntry(name, target, make, target_meaning=target_meaning)
        return make

    return register


def _register_metric(
    name: str, metric: str, *, target: TargetRequirement, is_listed: bool = True
) -> None:
    """Register a short name for a criterion that optimises a metric or reaches a target value."""
    require_unique_name(name, CRITERIA, "criteria")
    CRITERIA[name] = CriterionEntry(name, target, metric=metric, is_listed=is_listed)


def listed_criteria() -> list[str]:
    """Names of the threshold criteria shown in help texts and messages."""
    return [entry.name for entry in CRITERIA.values() if entry.is_listed]


def _optimal_criterion(measure: Measure) -> Criterion:
    """Criterion that optimises a metric."""
    if measure.better is None:
        raise InputError(
            f"Neither high nor low values of {measure.label} are better: choose by another metric."
        )
    if measure.monotone_along_ranking:
        raise InputError(
            f"By {measure.label} alone, predicting {_trivial_optimum(measure)} would always be "
            "best: give a target, such as 0.9, or choose by another metric."
        )
    optimum = _extremum_criterion(
        measure.name,
        measure.better,
        _measure_values(measure),
        _measure_value_at(measure),
        is_bounded=bin_bounds.is_bounded(measure),
    )
    return replace(optimum, metric=measure)


def _trivial_optimum(measure: Measure) -> str:
    """The trivial rule that optimises a metric that is monotone along every ranking."""
    all_positive, all_negative = (
        float(measure(ConfusionMatrix(*counts))) for counts in ((1, 0, 1, 0), (0, 1, 0, 1))
    )
    return (
        "every row positive"
        if (all_positive > all_negative) == (measure.better == "higher")
        else "no row positive"
    )


def _extremum_criterion(
    name: str,
    better: Better,
    values: ValuesFunction,
    value_at: ValueFunction,
    *,
    is_bounded: bool = False,
) -> Criterion:
    """Criterion that minimises or maximises values over thresholds."""

    def best(ranking: AnyRanking) -> Mask:
        return _is_lowest(-values(ranking) if better == "higher" else values(ranking))

    return Criterion(name, name, better, values, value_at, best, is_bounded=is_bounded)


@criterion("cost")
def lowest_cost(costs: AnyCosts) -> Criterion:
    """Criterion that minimises the expected cost per row."""

    def values(ranking: AnyRanking) -> NDArray[np.float64]:
        totals = costs.totals(ranking)
        totals /= row_count(ranking)
        return totals

    def value_at(ranking: AnyRanking, index: Any) -> Any:
        return costs.total_at(ranking, index) / row_count(ranking)

    def row_count(ranking: AnyRanking) -> NDArray[np.float64]:
        total = np.asarray(ranking.total, np.float64)
        return np.where(total, total, np.nan)

    def best(ranking: AnyRanking) -> Mask:
        is_lowest = _is_lowest(values(ranking))
        if not (isinstance(costs, Costs) and ranking.is_counted):
            return is_lowest
        # With very many rows, one row may cost less than the rounding error of cancelling sums.
        indices = np.nonzero(is_lowest)
        matrices = ranking.matrices(indices)
        totals, rounding_error = costs.total(matrices), SLACK * costs.turnover(matrices)
        resamples = indices[0] if is_lowest.ndim > 1 else np.zeros(len(indices[0]), np.intp)
        minimum = np.full(resamples.max(initial=0) + 1, np.inf)
        np.minimum.at(minimum, resamples, totals + rounding_error)
        is_lowest[indices] = totals - rounding_error <= minimum[resamples]
        return is_lowest

    name = "expected_cost"
    is_bounded = isinstance(costs, Costs)
    return Criterion(name, name, "lower", values, value_at, best, is_bounded=is_bounded)


_register_metric("youden", "youden_j", target="refused")
_register_metric("distance", "distance_to_perfect", target="refused")
_register_metric("plain_distance", "plain_distance_to_perfect", target="refused")
_register_metric("f", "f_measure", target="refused")
_register_metric("tpr", "tpr", target="needed")
_register_metric("fpr", "fpr", target="needed")
_register_metric("tnr", "tnr", target="needed", is_listed=False)
_register_metric("fnr", "fnr", target="needed", is_listed=False)
_register_metric("precision", "precision", target="optional")
_register_metric("lift", "lift", target="needed")


@criterion("depth", target="needed", target_meaning="a proportion of the rows")
def depth(proportion: float) -> Criterion:
    """Criterion for predicting at most a proportion of the rows positive: those scored highest."""
    if not 0 <= proportion <= 1:
        raise InputError(
            f"A depth must be a proportion of rows between 0 and 1, not {proportion:g}."
        )
    name = f"predicted_positive_rate <= {proportion:g}"
    return _most_rows_criterion(
        name, lambda ranking: proportion * np.asarray(ranking.total, np.float64)
    )


@criterion("capacity", target="needed", target_meaning="a number of rows")
def capacity(rows: float) -> Criterion:
    """Criterion for predicting at most a number of rows positive: those scored highest."""
    if not rows >= 0:
        raise InputError(f"A capacity must be 0 rows or more, not {rows:g}.")
    return _most_rows_criterion(
        f"at most {format_count(rows)} rows predicted positive", lambda _: rows
    )


@criterion("eer")
def equal_error_rate() -> Criterion:
    """Criterion for equal error rates: minimises |false positive rate − false negative rate|."""
    return _closest_rates_criterion("|fpr − fnr|", "false_positive_rate", "false_negative_rate")


@criterion("prevalence")
def matching_prevalence() -> Criterion:
    """Criterion for predicting as many rows positive as there are positive rows."""
    return _closest_rates_criterion("|depth − prevalence|", "predicted_positive_rate", "prevalence")


def _closest_rates_criterion(name: str, first_name: str, second_name: str) -> Criterion:
    """Criterion that minimises the absolute difference between two rates."""
    rates = METRICS[first_name], METRICS[second_name]

    def values(ranking: AnyRanking) -> NDArray[np.float64]:
        first_values, second_values = values_along(ranking, rates)
        return np.abs(first_values - second_values)

    def value_at(ranking: AnyRanking, index: Any) -> Any:
        matrix = ranking.at_place(index)
        return np.abs(rates[0](matrix) - rates[1](matrix))

    return _extremum_criterion(name, "lower", values, value_at)


def _target_criterion(measure: Measure, target: float) -> Criterion:
    """Criterion that requires a metric to reach a target (Neyman–Pearson).

    Among the thresholds that reach it, the best one has the highest true positive rate or, if the
    target is reached by predicting more rows positive, the lowest false positive rate.
    """
    if not measure.low <= target <= measure.high:
        raise InputError(
            f"{measure.label} lies between {measure.low:g} and {measure.high:g}: it cannot be "
            f"{target:g}."
        )
    is_upper_limit = measure.better == "lower" or measure.better is None
    minimise_fpr = measure.reached_by_more_positives
    primary_metric, secondary_metric = ("fpr", "tpr") if minimise_fpr else ("tpr", "fpr")

    # With weights, rounding error may keep a rate from its target.
    slack = SLACK * max(abs(target), 1.0)

    def reaches_target(values: NDArray[np.float64]) -> Mask:
        return values <= target + slack if is_upper_limit else values >= target - slack

    def best(ranking: AnyRanking) -> Mask:
        measures = [measure, METRICS[primary_metric], METRICS[secondary_metric]]
        values, primary_values, secondary_values = values_along(ranking, measures)
        # Lowest FPR, then highest TPR; or highest TPR, then lowest FPR.
        sign = 1 if minimise_fpr else -1
        is_optimal = _is_lowest(np.where(reaches_target(values), sign * primary_values, np.nan))
        is_optimal = _is_lowest(np.where(is_optimal, -sign * secondary_values, np.nan))
        # If several are left, keep only the first.
        is_optimal[..., 1:] &= ~np.logical_or.accumulate(is_optimal, axis=-1)[..., :-1]
        return is_optimal

    def failure_message(ranking: Ranking) -> str:
        return _unreachable_target_message(
            ranking, measure, target, values(ranking), is_upper_limit=is_upper_limit
        )

    values, value_at = _measure_values(measure), _measure_value_at(measure)
    name = f"{measure.name} {'<=' if is_upper_limit else '>='} {target:g}"
    better: Better = "lower" if is_upper_limit else "higher"
    return Criterion(
        name,
        measure.name,
        better,
        values,
        value_at,
        best,
        lambda ranking: reaches_target(values(ranking)),
        failure_message,
        objective=METRICS[primary_metric],
        metric=measure,
    )


def _most_rows_criterion(name: str, limit: Callable[[AnyRanking], Any]) -> Criterion:
    """Criterion for predicting as many rows positive as a limit allows; it reports the TPR."""
    recall = METRICS["true_positive_rate"]

    def meets(ranking: AnyRanking) -> Mask:
        predicted_positives = ranking.true_positives + ranking.false_positives
        # A proportion of the rows, such as 0.7 of 10, may miss a whole number by rounding error.
        return np.asarray(predicted_positives <= limit(ranking) * (1 + SLACK))

    def best(ranking: AnyRanking) -> Mask:
        is_last = meets(ranking)
        is_last[..., :-1] &= ~is_last[..., 1:]  # predicted positives never decrease
        return is_last

    values, value_at = _measure_values(recall), _measure_value_at(recall)
    return Criterion(name, recall.name, "higher", values, value_at, best, meets, metric=recall)


def _measure_values(measure: Measure) -> ValuesFunction:
    """Function that computes a metric at every threshold of a ranking."""
    return lambda ranking: values_along(ranking, [measure])[0]


def _measure_value_at(measure: Measure) -> ValueFunction:
    """Function that computes a metric at one threshold of a ranking."""
    return lambda ranking, index: measure(ranking.at_place(index))


def _is_lowest(values: NDArray[np.float64]) -> Mask:
    """Mask of the minima along the last axis, up to rounding error; NaN is never a minimum."""
    minima = values.min(axis=-1, keepdims=True)  # NaN if any value is
    if np.isnan(minima).any():
        minima = np.fmin.reduce(values, axis=-1, keepdims=True)
    slack = np.where(np.isfinite(minima), SLACK * np.maximum(np.abs(minima), 1.0), 0.0)
    return np.asarray(values <= minima + slack)


def _unreachable_target_message(
    ranking: Ranking,
    measure: Measure,
    target: float,
    values: NDArray[Any],
    *,
    is_upper_limit: bool,
) -> str:
    """Message that no threshold reaches the target, with the closest one."""
    if np.isnan(values).all():
        return f"No threshold can be chosen: {measure.label} is undefined at all of them."
    closest_index = int(np.nanargmin(values) if is_upper_limit else np.nanargmax(values))
    condition = f"{'at most' if is_upper_limit else 'at least'} {target:g}"
    threshold = format_threshold(float(ranking.thresholds[closest_index]))
    subject = "No threshold" if ranking.exact else "No threshold between the score bins"
    return (
        f"{subject} has a {measure.label} of {condition}. The closest value is "
        f"{format_screen_number(float(values[closest_index]))}, at threshold {threshold}."
    )


def parse_criterion(
    by: str, target: float | None, costs: AnyCosts | None, parameters: dict[str, Any]
) -> Criterion:
    """Build a threshold criterion from its name, target, costs and parameters."""
    criterion = _build_criterion(by, target, costs, parameters)
    return replace(criterion, spec=CriterionSpec(by, target, costs, parameters))


def _criterion_entry(by: str) -> CriterionEntry:
    """Registry entry of a criterion, in any usual spelling; for other names, that of a metric."""
    entries = {lookup_key(name): entry for name, entry in CRITERIA.items()}
    return entries.get(lookup_key(by), CriterionEntry(by, "optional", metric=by))


def _build_criterion(
    by: str, target: float | None, costs: AnyCosts | None, parameters: dict[str, Any]
) -> Criterion:
    if costs is not None and by != "cost":
        raise InputError(f'Costs can be combined only with by="cost", not with {by!r}.')
    entry = _criterion_entry(by)
    if parameters and entry.make is not None:
        raise UnknownName(f"{by} does not take {format_list(parameters)}.")
    if target is None and entry.target == "needed":
        raise InputError(f"{by} needs a target to reach.")
    if target is not None and entry.target == "refused":
        raise InputError(f"{by} takes no target: it chooses the best threshold.")
    if by == "cost":
        if costs is None:
            raise InputError("Give the cost of a false positive and of a false negative.")
        return lowest_cost(costs)
    if entry.make is not None:
        return entry.make() if target is None else entry.make(target)
    measure = _find_metric(entry.metric)
    if entry.metric != entry.name:  # "youden" is the name of a criterion, its metric has a label
        measure = replace(measure, spelling="")
    measure = measure.with_parameters(**parameters) if parameters else measure
    if target is None:
        return replace(_optimal_criterion(measure), spelling=measure.spelling)
    return replace(_target_criterion(measure, target), spelling=measure.spelling)


def _find_metric(name: str) -> Any:
    try:
        return METRICS.find(name)
    except UnknownName:
        if METRICS.knows(name.partition("(")[0]):
            raise
        names = listed_criteria()
        raise UnknownName(
            f"No threshold can be chosen by {name!r}.{did_you_mean(name, [*names, *METRICS])} "
            f"Choose by {format_list(names, 20)}, or by any metric."
        ) from None
