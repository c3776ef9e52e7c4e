"""A question to a ranking that has one number for an answer: a summary, a metric at some point.

Points are thresholds, or wherever another metric has a value: the true positive rate where the
false positive rate is 0.1, the lift at a depth of 5 %, the cost at a threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, as_number
from tradeoff.measures.curves.bounds import corners, place_inside, reading, spread_over
from tradeoff.measures.curves.registry import over
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Better, Measure

THRESHOLD = "threshold"
WINDOW = 257
"""So many places around a point are kept when scores are merged."""


@dataclass(frozen=True)
class Question:
    """What is asked of a ranking; `threshold` tells where, if at one."""

    name: str
    better: Better
    answer: Callable[[Ranking], Estimate]
    measure: Measure | None = None
    threshold: float | None = None
    point: tuple[Measure, float] | None = None
    prevalence: float | None = None

    @property
    def low(self) -> float:
        """The least that the answer can be."""
        return -inf if self.measure is None else self.measure.low

    @property
    def high(self) -> float:
        """The most that the answer can be."""
        return inf if self.measure is None else self.measure.high

    def estimate(self, ranking: Ranking) -> Estimate:
        """The answer for one ranking, or the reason why there is none."""
        return self.answer(ranking)

    def places(self, ranking: Ranking) -> NDArray[np.intp]:
        """Places of a ranking that must not be merged with others."""
        if self.threshold is not None:
            place = ranking.index(self.threshold)
            return np.array([place, min(place + 1, ranking.distinct)])
        if self.point is None or ranking.distinct < WINDOW:
            return np.zeros(0, np.intp)
        measure, value = self.point
        away = np.abs(np.asarray(measure(ranking.confusion)) - value)
        middle = int(np.nanargmin(away)) if not np.isnan(away).all() else 0
        # Draws move the point by a few standard errors: as fine as that it must stay.
        reach = 5 * np.sqrt(middle + 25)
        near = middle + np.linspace(-reach, reach, WINDOW).round().astype(np.intp)
        return np.asarray(np.clip(near, 0, ranking.distinct))


def ask(
    name: str,
    *,
    at: tuple[str, float] | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    **parameters: Any,
) -> Question:
    """The question that a name and a point make.

    Args:
        name: A summary, a metric, or "cost" for the expected cost per case of `costs`.
        at: For a metric, ("threshold", 0.5) or the value of another metric: ("fpr", 0.1).
        costs: What outcomes cost.
        prevalence: Share of positives where the classifier will be used.
        parameters: Of the measure.

    Example:
        >>> import tradeoff as to
        >>> ranking = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8]).ranking
        >>> ask("tpr", at=("fpr", 0.5)).estimate(ranking)
        Estimate(true_positive_rate where fpr = 0.5 = 1.0000)
    """
    if costs is not None or name == "cost":
        return _cost(costs, at, prevalence)
    return question_of(_measure(name, parameters), at=at, prevalence=prevalence)


def question_of(
    measure: Measure, *, at: tuple[str, float] | None = None, prevalence: float | None = None
) -> Question:
    """The question that a measure itself makes, at a point if it is a metric."""
    if measure.kind == "summary":
        if at is not None:
            raise InputError(f"{measure.name} is of the whole ranking: it has no point `at`.")

        def summed(ranking: Ranking) -> Estimate:
            return measure.estimate(ranking.at_prevalence(prevalence))

        return Question(measure.name, measure.better, summed, measure, prevalence=prevalence)
    return _at_point(measure, at or (THRESHOLD, 0.5), prevalence)


def _measure(name: str, parameters: dict[str, Any]) -> Measure:
    registry = SUMMARIES if SUMMARIES.knows(name.partition("(")[0]) else METRICS
    measure = registry.find(name)
    return measure.with_parameters(**parameters) if parameters else measure


def _at_point(measure: Measure, at: tuple[str, float], prevalence: float | None) -> Question:
    what, value = at
    value = as_number(value, f"The {what} to look at")
    if what == THRESHOLD:

        def here(ranking: Ranking) -> Estimate:
            return _at_threshold(measure, ranking.at_prevalence(prevalence), value)

        name = f"{measure.name} at threshold {value:g}"
        return Question(name, measure.better, here, measure, value, prevalence=prevalence)
    across = METRICS.find(what)
    name = f"{measure.name} where {what} = {value:g}"

    def there(ranking: Ranking) -> Estimate:
        seen = ranking.at_prevalence(prevalence)
        if not seen.exact:
            return reading(seen, across, measure, value, name)
        found = over(seen, across.name, measure.name).y_at(value)
        why = f"{across.name} never is {value:g}" if np.isnan(found) else None
        return Estimate(name, found, reason=why)

    point = across, value
    return Question(name, measure.better, there, measure, point=point, prevalence=prevalence)


def _cost(
    costs: AnyCosts | None, at: tuple[str, float] | None, prevalence: float | None
) -> Question:
    from tradeoff.core.costs import expenses

    if costs is None:
        raise InputError("Say what outcomes cost: costs=Costs(false_positive=…, …).")
    if not isinstance(costs, Costs) or costs.columns:
        raise InputError("Costs that differ from row to row cannot be drawn again from a ranking.")
    what, value = at or (THRESHOLD, 0.5)
    if what != THRESHOLD:
        raise InputError("Costs are compared at a threshold.")

    def spent(ranking: Ranking) -> Estimate:
        if not (ranking.positives and ranking.negatives):
            return Estimate("expected_cost", nan, reason="rows of both classes are needed")
        paid = expenses(ranking, costs, value, prevalence)
        return cost_inside(
            Estimate("expected_cost", float(paid.here / paid.rows)),
            ranking.at_prevalence(prevalence),
            costs,
            value,
        )

    return Question(f"expected_cost at threshold {value:g}", "lower", spent, None, float(value))


def _at_threshold(measure: Measure, ranking: Ranking, threshold: float) -> Estimate:
    """A metric at a threshold; where this parts a bin, with what the bin leaves open."""
    place = place_inside(ranking, threshold)
    if place is None:
        return measure.estimate(ranking.at(threshold))
    found = [measure.estimate(corner) for corner in corners(ranking, place)]
    return spread_over(measure, found, ranking)


def cost_inside(found: Estimate, ranking: Ranking, costs: Costs, threshold: float) -> Estimate:
    """An expected cost; where its threshold parts a bin, with what the bin leaves open."""
    place = place_inside(ranking, threshold)
    if place is None:
        return found
    totals = [float(costs.total(corner)) for corner in corners(ranking, place)]
    each = [replace(found, value=total / float(ranking.total)) for total in totals]
    return spread_over(None, [found, *each], ranking)


def applying(metric: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What applies to one of several metrics: summaries have no point, costs go with cost.

    Example:
        >>> applying("auc", {"at": ("threshold", 0.5), "costs": None, "prevalence": 0.1})
        {'prevalence': 0.1}
    """
    left_out = {"at"} if is_summary(metric) else set()
    if metric != "cost":
        left_out.add("costs")
    return {key: v for key, v in asked.items() if v is not None and key not in left_out}


def is_summary(metric: str) -> bool:
    """Whether a metric's name, with parameters or without, is that of a summary."""
    return SUMMARIES.knows(metric.partition("(")[0])
