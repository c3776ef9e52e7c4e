"""ROC convex hull of several models, and the best vertex for given costs and prevalence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.convex_hull import upper_hull
from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking, require_prevalence
from tradeoff.errors import InputError, format_list
from tradeoff.formatting import printable
from tradeoff.hulls.classifier import CombinedClassifier, Rule
from tradeoff.results import Result
from tradeoff.sources.confusion_matrices import ranking_of_matrix

NumberOrRange = float | tuple[float, float] | list[float]


@dataclass(frozen=True)
class Vertex:
    """Vertex of the ROC hull: a model at a threshold; the models in `shared` reach it too.

    No model owns (0, 0), where no row is predicted positive, and (1, 1), where all are.
    """

    model: str | None
    threshold: float
    fpr: float
    tpr: float
    shared: tuple[str, ...] = ()
    lower_is_positive: bool = False

    def cost(self, probability_cost: float) -> float:
        """Normalized expected cost of the vertex at a probability cost PC(+)."""
        return (1 - self.tpr) * probability_cost + self.fpr * (1 - probability_cost)

    @property
    def rule(self) -> Rule:
        """Decision rule of the classifier at this vertex."""
        return Rule(self.model, self.threshold, self.lower_is_positive)


class BestRange(NamedTuple):
    """Range of PC(+) in a decision map over which one vertex of the hull is best."""

    vertex: Vertex
    start: float
    stop: float
    cost_at_start: float
    cost_at_stop: float


@dataclass(frozen=True, eq=False)
class Hull(Result, views="tradeoff.hulls.views"):
    """Upper convex hull of ROC points from (0, 0) to (1, 1).

    For any costs and prevalence, one of its vertices is best; a point inside never is. A point on
    an edge is reached by a random mix of the two vertices. With binned scores, vertices lie between
    bins, and the area under the hull of the unbinned scores is between `area` and `area_at_best`.
    `chosen` holds the vertices that can be best for the requested costs and prevalences, if any.
    """

    vertices: tuple[Vertex, ...]
    models: tuple[str, ...]
    prevalence: float = 0.5
    positive: str = "positive"
    negative: str = "negative"
    area_at_best: float | None = None
    chosen: tuple[Vertex, ...] | None = None

    @property
    def slopes(self) -> tuple[float, ...]:
        """Slope of each edge: the likelihood ratio of the scores along that edge."""
        return tuple(
            (b.tpr - a.tpr) / (b.fpr - a.fpr) if b.fpr > a.fpr else math.inf
            for a, b in pairwise(self.vertices)
        )

    def columns(self) -> dict[str, list[Any]]:
        """One row per vertex of the hull, from left to right."""
        keys = ("model", "threshold", "fpr", "tpr")
        return {key: [getattr(vertex, key) for vertex in self.vertices] for key in keys}

    @property
    def area(self) -> float:
        """The area under the hull."""
        x, y = [v.fpr for v in self.vertices], [v.tpr for v in self.vertices]
        return float(np.trapezoid(y, x))

    @property
    def owners(self) -> tuple[str, ...]:
        """Models that own a vertex of the hull, from left to right."""
        return tuple(dict.fromkeys(v.model for v in self.vertices if v.model is not None))

    def best(
        self, costs: Costs | Iterable[Costs] | None = None, prevalence: NumberOrRange | None = None
    ) -> tuple[Vertex, ...]:
        """The vertices that are best (given ranges: can be best) for these costs and prevalences.

        Args:
            costs: One set of costs, or the extreme sets of a range.
            prevalence: One prevalence, or a pair (lowest, highest); the default is that of the
                first model's rows.

        Two vertices are equally good if the edge between them has the slope of an iso-cost line.
        """
        scenarios = [costs or Costs()] if costs is None or isinstance(costs, Costs) else list(costs)
        prior = self.prevalence if prevalence is None else prevalence
        priors = list(prior) if isinstance(prior, tuple | list) else [prior]
        for value in priors:
            require_prevalence(value)
        slopes = [scenario.slope(value) for scenario in scenarios for value in priors]
        return self.at_slope(min(slopes), max(slopes))

    def with_best(
        self, costs: Costs | Iterable[Costs] | None = None, prevalence: NumberOrRange | None = None
    ) -> Hull:
        """The hull with the best vertices for these costs and prevalences as `chosen`."""
        return replace(self, chosen=self.best(costs, prevalence))

    def at_slope(self, lowest: float, highest: float | None = None) -> tuple[Vertex, ...]:
        """The vertices touched from above by a line with this slope, or with a slope in a range."""
        highest = lowest if highest is None else highest
        return tuple(
            vertex
            for vertex, (low, high) in zip(self.vertices, self._slope_ranges(), strict=True)
            if (low <= highest or math.isclose(low, highest))
            and (high >= lowest or math.isclose(high, lowest))
        )

    def iso_line(self, slope: float) -> tuple[float, float]:
        """Iso-cost line that touches the hull, as (slope, intercept)."""
        if not 0 <= slope < math.inf:
            raise InputError(f"An iso-cost line must have a slope of 0 or more, not {slope:g}.")
        return slope, max(v.tpr - slope * v.fpr for v in self.vertices)

    def decision_map(self) -> tuple[BestRange, ...]:
        """The best operating point on the hull for each range of PC(+)."""
        limits = [0.0, *(1 / (1 + slope) for slope in self.slopes), 1.0]
        return tuple(
            BestRange(vertex, start, stop, vertex.cost(start), vertex.cost(stop))
            for vertex, (start, stop) in zip(self.vertices, pairwise(limits), strict=True)
            if stop > start
        )

    def regret(self, vertex: Vertex, probability_cost: float) -> float:
        """Normalized cost of an operating point minus that of the best one, at PC(+)."""
        best = min(v.cost(probability_cost) for v in self.vertices)
        return vertex.cost(probability_cost) - best

    def largest_regret(self, vertex: Vertex, low: float = 0.0, high: float = 1.0) -> float:
        """Largest regret of an operating point over a range of PC(+)."""
        limits = [1 / (1 + slope) for slope in self.slopes]
        # The lowest cost is linear between these limits, so the regret is largest at one of them.
        candidates = [low, high, *(limit for limit in limits if low < limit < high)]
        return max(self.regret(vertex, probability_cost) for probability_cost in candidates)

    def classifier(
        self, *, fpr: float | None = None, tpr: float | None = None
    ) -> CombinedClassifier:
        """Classifier at any point on the hull: one vertex, or a random mix of two."""
        if (fpr is None) == (tpr is None):
            raise InputError("Give either fpr or tpr.")
        rate, name = (fpr, "fpr") if tpr is None else (tpr, "tpr")
        if rate is None or not 0 <= rate <= 1:
            raise InputError(f"{name} must be between 0 and 1, not {rate}.")
        rates = [getattr(v, name) for v in self.vertices]
        # If several vertices have this rate, the first is best for a tpr, the last for an fpr.
        index = int(np.searchsorted(rates, rate, "left" if name == "tpr" else "right"))
        index = min(max(index, 1), len(rates) - 1)
        first, second = self.vertices[index - 1], self.vertices[index]
        if name == "tpr" and rates[index - 1] == rate:
            return self._mix(first, second, 0.0)
        share = (rate - rates[index - 1]) / (rates[index] - rates[index - 1])
        return self._mix(first, second, share)

    def _mix(self, first: Vertex, second: Vertex, share: float) -> CombinedClassifier:
        return CombinedClassifier(
            first.rule,
            second.rule,
            share,
            (1 - share) * first.fpr + share * second.fpr,
            (1 - share) * first.tpr + share * second.tpr,
            self.positive,
            self.negative,
        )

    def _slope_ranges(self) -> list[tuple[float, float]]:
        """The range of slopes for which each vertex is best."""
        slopes = [math.inf, *self.slopes, 0.0]
        return [(low, high) for high, low in pairwise(slopes)]

    def __repr__(self) -> str:
        """One line: the number of vertices, their models and the area."""
        owners = format_list([printable(name) for name in self.owners]) or "no model"
        return f"Hull({len(self.vertices)} vertices, of {owners}, area {self.area:.4f})"


def hull(models: Mapping[str, Any] | Iterable[Any]) -> Hull:
    """ROC convex hull of several models, computed from exact rational rates.

    The models may come from different rows: only their rates matter.

    Args:
        models: Rankings, evaluations or confusion matrices: a mapping from names, or a list. In a
            list, rankings have their own names, and confusion matrices are "matrix 1", "matrix 2".

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score={"a": [0.1, 0.35, 0.4, 0.8]})
        >>> hull([e.ranking]) == hull(e) == hull({"a": e.ranking})
        True
    """
    rankings = _rankings_by_name(models)
    points: dict[tuple[Fraction, Fraction], Vertex] = {}
    for name, ranking in rankings.items():
        if not (ranking.positives and ranking.negatives):
            raise InputError(f"{name} has rows of one class only, so it has no ROC curve.")
        for key, vertex in _vertices(name, ranking):
            first_vertex = points.setdefault(key, vertex)
            owners = first_vertex.model, vertex.model
            if first_vertex is not vertex and None not in owners:
                points[key] = replace(first_vertex, shared=(*first_vertex.shared, name))
    if not points:
        raise InputError("A hull needs at least one model.")
    first = next(iter(rankings.values()))
    keys = sorted(points)
    x, y = (np.array([key[axis] for key in keys], dtype=object) for axis in (0, 1))
    vertices = tuple(points[keys[index]] for index in upper_hull(y, x, np.arange(len(keys))))
    prevalence = float(first.positives / (first.positives + first.negatives))
    result = Hull(vertices, tuple(rankings), prevalence, first.positive, first.negative)
    if all(ranking.exact for ranking in rankings.values()):
        return result
    best_case_hull = hull({name: ranking.best_case for name, ranking in rankings.items()})
    return replace(result, area_at_best=best_case_hull.area)


def _rankings_by_name(models: Any) -> dict[str, Ranking]:
    """Rankings by name, from all that `hull` accepts."""
    if isinstance(models, Mapping):
        named = [
            pair for name, model in models.items() for pair in _named_rankings(str(name), model)
        ]
    elif isinstance(models, Ranking | ConfusionMatrix) or hasattr(models, "rankings"):
        named = _named_rankings(None, models)
    elif isinstance(models, Iterable) and not isinstance(models, str):
        items = list(models)
        numbers = iter(range(1, len(items) + 1))
        named = [
            pair
            for model in items
            for pair in _named_rankings(
                f"matrix {next(numbers)}" if isinstance(model, ConfusionMatrix) else None, model
            )
        ]
    else:
        raise _not_a_model(models)
    names = [name for name, _ in named]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise InputError(
            f"Two models are called {repeated!r}: pass a mapping from names to models, as in "
            'hull({"old": …, "new": …}).'
        )
    return dict(named)


def _named_rankings(name: str | None, model: Any) -> list[tuple[str, Ranking]]:
    """The ranking of a model, or the rankings of all models of an evaluation, with their names."""
    if isinstance(model, Ranking):
        return [(model.name if name is None else name, model)]
    if isinstance(model, ConfusionMatrix):
        name = "matrix 1" if name is None else name
        return [(name, ranking_of_matrix(model, name))]
    if not hasattr(model, "rankings"):
        raise _not_a_model(model)
    rankings: Mapping[str, Ranking] = model.rankings
    if name is None:
        return list(rankings.items())
    if len(rankings) == 1:
        return [(name, next(iter(rankings.values())))]
    return [(f"{name}: {model_name}", ranking) for model_name, ranking in rankings.items()]


def _not_a_model(model: Any) -> InputError:
    return InputError(
        f"A hull needs rankings, evaluations or confusion matrices, not {type(model).__name__}."
    )


def _vertices(name: str, ranking: Ranking) -> Iterable[tuple[tuple[Fraction, Fraction], Vertex]]:
    positives, negatives = (Fraction(n.item()) for n in (ranking.positives, ranking.negatives))
    indices = ranking.hull_places
    last = len(ranking) - 1
    columns = (ranking.thresholds, ranking.true_positives, ranking.false_positives)
    lower_is_positive = ranking.lower_is_positive
    lowest_threshold = math.inf if lower_is_positive else -math.inf
    for index, ranking_threshold, true_positives, false_positives in zip(
        indices.tolist(), *(column[indices].tolist() for column in columns), strict=True
    ):
        fpr, tpr = Fraction(false_positives) / negatives, Fraction(true_positives) / positives
        model = name if 0 < index < last else None
        threshold = ranking_threshold if index < last else lowest_threshold
        yield (
            (fpr, tpr),
            Vertex(model, threshold, float(fpr), float(tpr), lower_is_positive=lower_is_positive),
        )
