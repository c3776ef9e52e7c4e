"""Criteria for choosing a threshold: a metric or cost to optimise, or a target to reach.

A criterion finds the best indices of a ranking's thresholds. It also evaluates any index of another
ranking, so that thresholds chosen on some rows can be assessed on others. Rankings may be arrays of
bootstrap resamples, one per row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, require_unique_name
from tradeoff.measures.curves import bin_bounds
from tradeoff.measures.curves.interpolation import values_along
from tradeoff.measures.registry import METRICS, Better, Measure
from tradeoff.results import ByValue
from tradeoff.text import format_count, format_number, format_threshold

if TYPE_CHECKING:
    from tradeoff.core.resampled_rankings import AnyRanking

    Mask = NDArray[np.bool_]


SLACK = 8 * np.finfo(np.float64).eps
"""Relative tolerance: values closer than this differ only by rounding."""

Values = Callable[["AnyRanking"], "NDArray[np.float64]"]
ValueAt = Callable[["AnyRanking", Any], Any]


class CriterionSpec(NamedTuple):
    """Arguments from which a criterion was parsed, kept for pickling."""

    by: str
    target: float | None
    costs: AnyCosts | None
    parameters: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Criterion(ByValue):
    """Criterion by which a threshold is chosen.

    `measure` names the metric that is optimised or reported, `values` is its value at every
    threshold, `value_at` at one index (or one per resample). `best` is the mask of the best
    thresholds, empty where none can be chosen; `refusal` then says why. `meets` marks thresholds
    that reach the target. Where `is_bounded`, no order of rows inside bins gives better values than
    their worst and best case.
    """

    name: str
    measure: str
    better: Better
    values: Values
    value_at: ValueAt
    best: Callable[[AnyRanking], Mask]
    meets: Callable[[AnyRanking], Mask] | None = None
    refusal: Callable[[Ranking], str] | None = None
    is_bounded: bool = False
    spec: CriterionSpec | None = None

    def best_indices(self, ranking: Ranking) -> NDArray[np.intp]:
        """Indices of the best thresholds of a ranking, the lowest false positive rate first."""
        indices = np.flatnonzero(self.best(ranking))
        if not len(indices):
            undefined = f"No threshold can be chosen: {self.name} is undefined at all of them."
            raise InputError(undefined if self.refusal is None else self.refusal(ranking))
        return indices

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments of the criterion: its functions cannot be pickled."""
        if self.spec is None:
            return super().__reduce__()  # type: ignore[return-value]
        return parse_criterion, tuple(self.spec)


Target = Literal["needed", "optional", "refused"]


@dataclass(frozen=True)
class CriterionEntry:
    """Registry entry of a threshold criterion: a function that makes it, or a metric's name.

    `target` says whether a target value is needed, `target_meaning` what its unit is.
    """

    name: str
    target: Target
    make: Callable[..., Criterion] | None = None
    metric: str = ""
    target_meaning: str = ""
    is_listed: bool = True


CRITERIA: dict[str, CriterionEntry] = {}
"""Registry of threshold criteria by name; the name of any metric is accepted too."""


def criterion(
    name: str, *, target: Target = "refused", target_meaning: str = ""
) -> Callable[[Callable[..., Criterion]], Callable[..., Criterion]]:
    """Register a function that makes a threshold criterion, from its target if it has one."""

    def enter(make: Callable[..., Criterion]) -> Callable[..., Criterion]:
        require_unique_name(name, CRITERIA, "criteria")
        CRITERIA[name] = CriterionEntry(name, target, make, target_meaning=target_meaning)
        return make

    return enter


def _enter_metric(name: str, metric: str, *, target: Target, is_listed: bool = True) -> None:
    """Register a short name for optimising a metric, or for reaching a target of it."""
    require_unique_name(name, CRITERIA, "criteria")
    CRITERIA[name] = CriterionEntry(name, target, metric=metric, is_listed=is_listed)


def listed_criteria() -> list[str]:
    """Names of the threshold criteria shown in help texts and messages."""
    return [entry.name for entry in CRITERIA.values() if entry.is_listed]


def criteria_help() -> str:
    """Help text that lists the threshold criteria, those with a target last."""
    entries = [entry for entry in CRITERIA.values() if entry.is_listed]
    without_target = [entry.name for entry in entries if entry.target == "refused"]
    with_target = [
        f"{entry.name} ({entry.target_meaning})" if entry.target_meaning else entry.name
        for entry in entries
        if entry.target != "refused"
    ]
    return (
        f"{', '.join(without_target)}, or any metric; with --target also {', '.join(with_target)}"
    )


def _optimal_criterion(measure: Measure) -> Criterion:
    """Criterion that optimises a metric."""
    if measure.better is None:
        raise InputError(
            f"{measure.name} is neither better high nor better low: choose by another metric."
        )
    if measure.monotone_along_ranking:
        raise InputError(
            f"By {measure.name} alone, predicting {_trivial_optimum(measure)} would always be "
            "best: give a target to reach, or choose by another metric."
        )
    return _extremum(
        measure.name,
        measure.better,
        _measure_values(measure),
        _measure_at(measure),
        is_bounded=bin_bounds.is_bounded(measure),
    )


def _trivial_optimum(measure: Measure) -> str:
    """The trivial rule at which a metric that is monotone along every ranking is best."""
    everything, nothing = (
        float(measure(ConfusionMatrix(*counts))) for counts in ((1, 0, 1, 0), (0, 1, 0, 1))
    )
    return (
        "every row positive"
        if (everything > nothing) == (measure.better == "higher")
        else "no row positive"
    )


def _extremum(
    name: str, better: Better, values: Values, value_at: ValueAt, *, is_bounded: bool = False
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
        totals /= rows(ranking)
        return totals

    def value_at(ranking: AnyRanking, index: Any) -> Any:
        return costs.total_at(ranking, index) / rows(ranking)

    def rows(ranking: AnyRanking) -> NDArray[np.float64]:
        total = np.asarray(ranking.total, np.float64)
        return np.where(total, total, np.nan)

    def best(ranking: AnyRanking) -> Mask:
        lowest = _is_lowest(values(ranking))
        if not (isinstance(costs, Costs) and ranking.is_counted):
            return lowest
        # With very many rows, one row may cost less than the rounding error of cancelling sums.
        indices = np.nonzero(lowest)
        matrices = ranking.matrices(indices)
        totals, rounding = costs.total(matrices), SLACK * costs.turnover(matrices)
        resample = indices[0] if lowest.ndim > 1 else np.zeros(len(indices[0]), np.intp)
        minimum = np.full(resample.max(initial=0) + 1, np.inf)
        np.minimum.at(minimum, resample, totals + rounding)
        lowest[indices] = totals - rounding <= minimum[resample]
        return lowest

    name, constant = "expected_cost", isinstance(costs, Costs)
    return Criterion(name, name, "lower", values, value_at, best, is_bounded=constant)


_enter_metric("youden", "youden_j", target="refused")
_enter_metric("distance", "distance_to_perfect", target="refused")
_enter_metric("plain_distance", "plain_distance_to_perfect", target="refused")
_enter_metric("f", "f_measure", target="refused")
_enter_metric("tpr", "tpr", target="needed")
_enter_metric("fpr", "fpr", target="needed")
_enter_metric("tnr", "tnr", target="needed", is_listed=False)
_enter_metric("fnr", "fnr", target="needed", is_listed=False)
_enter_metric("precision", "precision", target="optional")
_enter_metric("lift", "lift", target="needed")


@criterion("depth", target="needed", target_meaning="a share of the rows")
def depth(share: float) -> Criterion:
    """Criterion that predicts the highest-scored share of the rows positive."""
    if not 0 <= share <= 1:
        raise InputError(f"A depth is a share of rows between 0 and 1, not {share:g}.")
    name = f"predicted_positive_rate <= {share:g}"
    return _most_rows_within(name, lambda ranking: share * np.asarray(ranking.total, np.float64))


@criterion("capacity", target="needed", target_meaning="a number of rows")
def capacity(rows: float) -> Criterion:
    """Criterion that predicts at most a number of rows positive, those scored highest."""
    if not rows >= 0:
        raise InputError(f"A capacity is 0 rows or more, not {rows:g}.")
    return _most_rows_within(
        f"at most {format_count(rows)} rows predicted positive", lambda _: rows
    )


@criterion("eer")
def equal_error_rate() -> Criterion:
    """Criterion of the equal error rate: false positive rate nearest to false negative rate."""
    return _closest_rates("|fpr − fnr|", "false_positive_rate", "false_negative_rate")


@criterion("prevalence")
def matching_prevalence() -> Criterion:
    """Criterion that predicts as many rows positive as are positive."""
    return _closest_rates("|depth − prevalence|", "predicted_positive_rate", "prevalence")


def _closest_rates(name: str, first: str, second: str) -> Criterion:
    """Criterion that minimises the absolute difference of two rates."""
    rates = METRICS[first], METRICS[second]

    def values(ranking: AnyRanking) -> NDArray[np.float64]:
        first_values, second_values = values_along(ranking, rates)
        return np.abs(first_values - second_values)

    def value_at(ranking: AnyRanking, index: Any) -> Any:
        matrix = ranking.at_place(index)
        return np.abs(rates[0](matrix) - rates[1](matrix))

    return _extremum(name, "lower", values, value_at)


def _target_criterion(measure: Measure, target: float) -> Criterion:
    """Criterion that a metric reaches a target (Neyman–Pearson).

    Among thresholds that reach it: the highest true positive rate or, where predicting more rows
    positive is what reaches the target, the lowest false positive rate.
    """
    if not measure.low <= target <= measure.high:
        raise InputError(
            f"{measure.name} lies between {measure.low:g} and {measure.high:g}: it cannot be "
            f"{target:g}."
        )
    at_most = measure.better == "lower" or measure.better is None
    minimise_fpr = measure.reached_by_more_positives
    primary, secondary = ("fpr", "tpr") if minimise_fpr else ("tpr", "fpr")

    # With weights a rate may miss its target by rounding.
    slack = SLACK * max(abs(target), 1.0)

    def reached(values: NDArray[np.float64]) -> Mask:
        return values <= target + slack if at_most else values >= target - slack

    def best(ranking: AnyRanking) -> Mask:
        measures = [measure, METRICS[primary], METRICS[secondary]]
        values, primary_values, secondary_values = values_along(ranking, measures)
        # Lowest FPR, then highest TPR; or highest TPR, then lowest FPR.
        sign = 1 if minimise_fpr else -1
        optimal = _is_lowest(np.where(reached(values), sign * primary_values, np.nan))
        optimal = _is_lowest(np.where(optimal, -sign * secondary_values, np.nan))
        # Only the first of several.
        optimal[..., 1:] &= ~np.logical_or.accumulate(optimal, axis=-1)[..., :-1]
        return optimal

    def refusal(ranking: Ranking) -> str:
        return _unreachable_target(ranking, measure, target, values(ranking), at_most=at_most)

    values, value_at = _measure_values(measure), _measure_at(measure)
    limit = f"{measure.name} {'<=' if at_most else '>='} {target:g}"
    better: Better = "lower" if at_most else "higher"
    return Criterion(
        limit, measure.name, better, values, value_at, best, lambda r: reached(values(r)), refusal
    )


def _most_rows_within(name: str, limit: Callable[[AnyRanking], Any]) -> Criterion:
    """Criterion that predicts as many rows positive as a limit allows, reported by its TPR."""
    recall = METRICS["true_positive_rate"]

    def meets(ranking: AnyRanking) -> Mask:
        predicted_positives = ranking.true_positives + ranking.false_positives
        # A share of the rows, such as 0.7 of 10, may miss its whole number by rounding.
        return np.asarray(predicted_positives <= limit(ranking) * (1 + SLACK))

    def best(ranking: AnyRanking) -> Mask:
        last = meets(ranking)
        last[..., :-1] &= ~last[..., 1:]  # predicted positives never decrease
        return last

    return Criterion(
        name, recall.name, "higher", _measure_values(recall), _measure_at(recall), best, meets
    )


def _measure_values(measure: Measure) -> Values:
    """Values of a metric at every threshold of a ranking."""
    return lambda ranking: values_along(ranking, [measure])[0]


def _measure_at(measure: Measure) -> ValueAt:
    """Value of a metric at one threshold of a ranking."""
    return lambda ranking, index: measure(ranking.at_place(index))


def _is_lowest(values: NDArray[np.float64]) -> Mask:
    """Mask of the minima along the last axis, up to rounding; NaN is never one."""
    lowest = values.min(axis=-1, keepdims=True)  # NaN if any value is
    if np.isnan(lowest).any():
        lowest = np.fmin.reduce(values, axis=-1, keepdims=True)
    slack = np.where(np.isfinite(lowest), SLACK * np.maximum(np.abs(lowest), 1.0), 0.0)
    return np.asarray(values <= lowest + slack)


def _unreachable_target(
    ranking: Ranking, measure: Measure, target: float, values: NDArray[Any], *, at_most: bool
) -> str:
    """Message that no threshold reaches a target, with the one that comes closest."""
    if np.isnan(values).all():
        return f"No threshold can be chosen: {measure.name} is undefined at all of them."
    closest = int(np.nanargmin(values) if at_most else np.nanargmax(values))
    condition = f"{'at most' if at_most else 'at least'} {target:g}"
    where = format_threshold(float(ranking.thresholds[closest]))
    which = "No threshold" if ranking.exact else "No threshold between the score bins"
    return (
        f"{which} has a {measure.name} of {condition}. The closest is "
        f"{format_number(float(values[closest]))}, at threshold {where}."
    )


def parse_criterion(
    by: str, target: float | None, costs: AnyCosts | None, parameters: dict[str, Any]
) -> Criterion:
    """Threshold criterion from its name, target, costs and parameters."""
    criterion = _criterion(by, target, costs, parameters)
    return replace(criterion, spec=CriterionSpec(by, target, costs, parameters))


def _criterion(
    by: str, target: float | None, costs: AnyCosts | None, parameters: dict[str, Any]
) -> Criterion:
    if costs is not None and by != "cost":
        raise InputError(f'Costs go with by="cost", not with {by!r}.')
    entry = CRITERIA.get(by, CriterionEntry(by, "optional", metric=by))
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
    measure = _measure(entry.metric)
    measure = measure.with_parameters(**parameters) if parameters else measure
    return _optimal_criterion(measure) if target is None else _target_criterion(measure, target)


def _measure(name: str) -> Any:
    try:
        return METRICS.find(name)
    except UnknownName:
        if METRICS.knows(name.partition("(")[0]):
            raise
        words = listed_criteria()
        raise UnknownName(
            f"No threshold can be chosen by {name!r}.{did_you_mean(name, [*words, *METRICS])} "
            f"Choose by {format_list(words, 20)}, or by any metric."
        ) from None
