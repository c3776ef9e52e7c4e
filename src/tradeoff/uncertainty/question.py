"""Questions answered by a single value: a summary, or a metric at an operating point.

An operating point is a threshold, or the point where another metric has a given value. Examples
are the true positive rate where the false positive rate is 0.1, the lift at a depth of 5%, and the
cost at a threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import split_bin_index
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, require_number
from tradeoff.measures.curves.bin_bounds import (
    bin_corner_matrices,
    estimate_inside_bin,
    reading_in_bins,
)
from tradeoff.measures.curves.metric_curves import metric_curve
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Better, Measure, find_measure, is_summary
from tradeoff.wording import Wording

THRESHOLD = "threshold"
WINDOW_SIZE = 257
"""Number of thresholds around an operating point that are kept when scores are merged."""


@dataclass(frozen=True)
class Question:
    """A question about a ranking: the quantity to estimate, and its operating point, if any.

    `name` is canonical; `label` is the quantity as it was requested.
    """

    name: str
    better: Better
    answer: Callable[[Ranking], Estimate]
    measure: Measure | None = None
    threshold: float | None = None
    point: tuple[Measure, float] | None = None
    prevalence: float | None = None
    label: str = ""

    def with_wording(self, wording: Wording) -> Question:
        """The question with a label that says the unit of an amount, if it has a currency."""
        if self.measure is not None or not wording.currency:
            return self
        return replace(self, label=f"{self.label} ({wording.currency} per {wording.unit})")

    @property
    def low(self) -> float:
        """Lower bound of the quantity."""
        return -inf if self.measure is None else self.measure.low

    @property
    def high(self) -> float:
        """Upper bound of the quantity."""
        return inf if self.measure is None else self.measure.high

    def estimate(self, ranking: Ranking) -> Estimate:
        """Estimate of the quantity for one ranking, or the reason why it is undefined."""
        return self.answer(ranking)

    def indices(self, ranking: Ranking) -> NDArray[np.intp]:
        """Indices of thresholds of a ranking that must not be merged with others."""
        if self.threshold is not None:
            index = ranking.index(self.threshold)
            return np.array([index, min(index + 1, ranking.distinct)])
        if self.point is None or ranking.distinct < WINDOW_SIZE:
            return np.zeros(0, np.intp)
        measure, value = self.point
        distances = np.abs(np.asarray(measure(ranking.confusion)) - value)
        nearest_index = int(np.nanargmin(distances)) if not np.isnan(distances).all() else 0
        # Resamples move the point by a few standard errors: scores stay distinct within them.
        half_width = 5 * np.sqrt(nearest_index + 25)
        offsets = np.linspace(-half_width, half_width, WINDOW_SIZE)
        indices = nearest_index + offsets.round().astype(np.intp)
        return np.asarray(np.clip(indices, 0, ranking.distinct))


def build_question(
    name: str | Measure,
    *,
    at: tuple[str, float] | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    **parameters: Any,
) -> Question:
    """Build the question for a metric, summary or cost by name, at an operating point.

    Args:
        name: A summary, a metric, or "cost" for the expected cost per case of `costs`; also a
            measure itself.
        at: For a metric, ("threshold", 0.5) or the value of another metric: ("fpr", 0.1).
        costs: Costs of the outcomes.
        prevalence: Prevalence where the classifier will be used.
        parameters: Parameters of the measure.

    Example:
        >>> import tradeoff as to
        >>> ranking = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8]).ranking
        >>> build_question("tpr", at=("fpr", 0.5)).estimate(ranking)
        1.000
    """
    if costs is not None or name == "cost":
        return _cost_question(costs, at, prevalence)
    return measure_question(_measure(name, parameters), at=at, prevalence=prevalence)


def measure_question(
    measure: Measure, *, at: tuple[str, float] | None = None, prevalence: float | None = None
) -> Question:
    """Question for a measure: a summary, or a metric at an operating point."""
    if measure.kind == "summary":
        if at is not None:
            raise InputError(
                f"{measure.name} is a summary of the whole ranking, so it takes no `at`."
            )

        def summary_estimate(ranking: Ranking) -> Estimate:
            return measure.estimate(ranking.at_prevalence(prevalence))

        return Question(
            measure.name,
            measure.better,
            summary_estimate,
            measure,
            prevalence=prevalence,
            label=measure.label,
        )
    return _question_at_point(measure, at or (THRESHOLD, 0.5), prevalence)


def _measure(name: str | Measure, parameters: dict[str, Any]) -> Measure:
    measure = find_measure(name) if isinstance(name, str) else name
    return measure.with_parameters(**parameters) if parameters else measure


def _question_at_point(
    measure: Measure, at: tuple[str, float], prevalence: float | None
) -> Question:
    axis, value = at
    value = require_number(value, f"The {axis} of `at`")
    if axis == THRESHOLD:

        def estimate_at_threshold(ranking: Ranking) -> Estimate:
            return _estimate_at_threshold(measure, ranking.at_prevalence(prevalence), value)

        point_label = f"at threshold {value:g}"
        return Question(
            f"{measure.name} {point_label}",
            measure.better,
            estimate_at_threshold,
            measure,
            value,
            prevalence=prevalence,
            label=f"{measure.label} {point_label}",
        )
    x_metric = METRICS.find(axis)
    name = f"{measure.name} where {axis} = {value:g}"
    label = f"{measure.label} where {axis} = {value:g}"

    def estimate_at_point(ranking: Ranking) -> Estimate:
        weighted = ranking.at_prevalence(prevalence)
        if not weighted.exact:
            estimate = reading_in_bins(weighted, x_metric, measure, value, name)
            return replace(estimate, label=label)
        y = metric_curve(weighted, x_metric.name, measure.name).y_at(value)
        reason = f"{x_metric.name} is never {value:g}" if np.isnan(y) else None
        return Estimate(name, y, reason=reason, label=label)

    return Question(
        name,
        measure.better,
        estimate_at_point,
        measure,
        point=(x_metric, value),
        prevalence=prevalence,
        label=label,
    )


def _cost_question(
    costs: AnyCosts | None, at: tuple[str, float] | None, prevalence: float | None
) -> Question:
    from tradeoff.core.costs import expenses

    if costs is None:
        raise InputError("Give the costs of the outcomes: costs=Costs(false_positive=…, …).")
    if not isinstance(costs, Costs) or costs.columns:
        raise InputError("Costs that differ from row to row cannot be resampled from a ranking.")
    axis, value = at or (THRESHOLD, 0.5)
    if axis != THRESHOLD:
        raise InputError('Costs are compared at a threshold: at=("threshold", …).')
    label = METRICS["expected_cost"].label

    def expected_cost(ranking: Ranking) -> Estimate:
        if not (ranking.positives and ranking.negatives):
            reason = "rows of both classes are needed"
            return Estimate("expected_cost", nan, reason=reason, label=label)
        total_costs = expenses(ranking, costs, value, prevalence)
        return cost_answer_in_bin(
            Estimate("expected_cost", float(total_costs.total / total_costs.rows), label=label),
            ranking.at_prevalence(prevalence),
            costs,
            value,
        )

    name = f"expected_cost at threshold {value:g}"
    return Question(
        name, "lower", expected_cost, None, float(value), label=f"{label} at threshold {value:g}"
    )


def _estimate_at_threshold(measure: Measure, ranking: Ranking, threshold: float) -> Estimate:
    """Estimate a metric at a threshold, with bounds if the threshold splits a bin."""
    index = split_bin_index(ranking, threshold)
    if index is None:
        return measure.estimate(ranking.at(threshold))
    estimates = [measure.estimate(corner) for corner in bin_corner_matrices(ranking, index)]
    return estimate_inside_bin(measure, estimates, ranking)


def cost_answer_in_bin(
    estimate: Estimate, ranking: Ranking, costs: Costs, threshold: float
) -> Estimate:
    """Add bounds to an estimate of the expected cost if the threshold splits a bin."""
    index = split_bin_index(ranking, threshold)
    if index is None:
        return estimate
    totals = [float(costs.total(corner)) for corner in bin_corner_matrices(ranking, index)]
    estimates = [replace(estimate, value=total / float(ranking.total)) for total in totals]
    return estimate_inside_bin(None, [estimate, *estimates], ranking)


def question_options(metric: str | Measure, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that apply to a metric: summaries take no `at`, and only "cost" takes costs.

    Example:
        >>> question_options("auc", {"at": ("threshold", 0.5), "costs": None, "prevalence": 0.1})
        {'prevalence': 0.1}
    """
    name = metric if isinstance(metric, str) else metric.name
    ignored = {"at"} if is_summary(name) else set()
    if name != "cost":
        ignored.add("costs")
    return {key: v for key, v in options.items() if v is not None and key not in ignored}
