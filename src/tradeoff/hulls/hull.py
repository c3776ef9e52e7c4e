"""The convex hull of several models' ROC points: who is best where, for which costs and priors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tradeoff.core.costs import Costs
from tradeoff.core.hull import upper_chain
from tradeoff.core.ranking import Ranking, demand_prevalence
from tradeoff.errors import InputError, listed
from tradeoff.hulls.classifier import CombinedClassifier, Rule
from tradeoff.results import Result
from tradeoff.text import plain

Range = float | tuple[float, float] | list[float]


@dataclass(frozen=True)
class Vertex:
    """An operating point of the hull: a model at a threshold. `shared` models reach it too.

    No model owns (0, 0), where nothing is called positive, and (1, 1), where everything is.
    """

    model: str | None
    threshold: float
    fpr: float
    tpr: float
    shared: tuple[str, ...] = ()
    lower_is_positive: bool = False

    def cost(self, probability_cost: float) -> float:
        """Expected cost as a share of the worst, where misses have this share PC(+) of it."""
        return (1 - self.tpr) * probability_cost + self.fpr * (1 - probability_cost)

    @property
    def rule(self) -> Rule:
        """The decision that a classifier at this point takes."""
        return Rule(self.model, self.threshold, self.lower_is_positive)


class Stretch(NamedTuple):
    """A part of the decision map: between two values of PC(+) one operating point is best."""

    vertex: Vertex
    start: float
    stop: float
    cost_at_start: float
    cost_at_stop: float


@dataclass(frozen=True, eq=False)
class Hull(Result, views="tradeoff.hulls.views"):
    """The upper convex hull of ROC points from (0, 0) to (1, 1).

    Whatever costs and prevalence are, one of its vertices is best; points inside never are. An
    edge is reached by a random mix of its ends. Where scores are in bins, vertices lie between
    them, and the hull by all scores has an area from this one's up to `area_at_best`. `chosen` are
    the vertices that can be best for costs and prevalences, where such were asked about.
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
        """The slope of each edge: the likelihood ratio of the scores that it stretches over."""
        return tuple(
            (b.tpr - a.tpr) / (b.fpr - a.fpr) if b.fpr > a.fpr else math.inf
            for a, b in pairwise(self.vertices)
        )

    def columns(self) -> dict[str, list[Any]]:
        """One line a vertex, from left to right."""
        keys = ("model", "threshold", "fpr", "tpr")
        return {key: [getattr(vertex, key) for vertex in self.vertices] for key in keys}

    @property
    def area(self) -> float:
        """The area under the hull."""
        x, y = [v.fpr for v in self.vertices], [v.tpr for v in self.vertices]
        return float(np.trapezoid(y, x))

    @property
    def owners(self) -> tuple[str, ...]:
        """Models that own a vertex, from left to right."""
        return tuple(dict.fromkeys(v.model for v in self.vertices if v.model is not None))

    def best(
        self, costs: Costs | Iterable[Costs] | None = None, prevalence: Range | None = None
    ) -> tuple[Vertex, ...]:
        """The vertices that are best, or can be best somewhere in a range.

        Args:
            costs: One set of costs, or the sets at the ends of what is thought possible.
            prevalence: One prevalence, or a pair (lowest, highest); that of the first model's rows
                if not given.

        Two are equally good where an edge has the very slope that pays.
        """
        kinds = [costs or Costs()] if costs is None or isinstance(costs, Costs) else list(costs)
        given = self.prevalence if prevalence is None else prevalence
        priors = list(given) if isinstance(given, tuple | list) else [given]
        for prior in priors:
            demand_prevalence(prior)
        slopes = [kind.slope(prior) for kind in kinds for prior in priors]
        return self.at_slope(min(slopes), max(slopes))

    def asked(
        self, costs: Costs | Iterable[Costs] | None = None, prevalence: Range | None = None
    ) -> Hull:
        """The hull with what is best for these costs and prevalences as `chosen`."""
        return replace(self, chosen=self.best(costs, prevalence))

    def at_slope(self, lowest: float, highest: float | None = None) -> tuple[Vertex, ...]:
        """The vertices that a line of this slope, or of one in a range, touches from above."""
        highest = lowest if highest is None else highest
        return tuple(
            vertex
            for vertex, (low, high) in zip(self.vertices, self._slope_ranges(), strict=True)
            if (low <= highest or math.isclose(low, highest))
            and (high >= lowest or math.isclose(high, lowest))
        )

    def iso_line(self, slope: float) -> tuple[float, float]:
        """The line of equal cost that touches the hull, as (slope, height at fpr = 0)."""
        if not 0 <= slope < math.inf:
            raise InputError(f"A line of equal cost has a slope of 0 or more, not {slope:g}.")
        return slope, max(v.tpr - slope * v.fpr for v in self.vertices)

    def decision_map(self) -> tuple[Stretch, ...]:
        """Which operating point is best for each share PC(+) of misses in the cost."""
        turns = [0.0, *(1 / (1 + slope) for slope in self.slopes), 1.0]
        return tuple(
            Stretch(vertex, start, stop, vertex.cost(start), vertex.cost(stop))
            for vertex, (start, stop) in zip(self.vertices, pairwise(turns), strict=True)
            if stop > start
        )

    def regret(self, vertex: Vertex, probability_cost: float) -> float:
        """How much dearer a fixed choice is than the best one, as a share of the worst cost."""
        best = min(v.cost(probability_cost) for v in self.vertices)
        return vertex.cost(probability_cost) - best

    def largest_regret(self, vertex: Vertex, low: float = 0.0, high: float = 1.0) -> float:
        """The most that a fixed choice can be dearer than the best, for PC(+) in a range."""
        turns = [1 / (1 + slope) for slope in self.slopes]
        # The best cost is straight between turns, so the regret is largest at one or at an end.
        places = [low, high, *(turn for turn in turns if low < turn < high)]
        return max(self.regret(vertex, place) for place in places)

    def classifier(
        self, *, fpr: float | None = None, tpr: float | None = None
    ) -> CombinedClassifier:
        """A classifier at any point of the hull: one model's threshold, or a mix of two."""
        if (fpr is None) == (tpr is None):
            raise InputError("Give either the wanted fpr or the wanted tpr.")
        wanted, name = (fpr, "fpr") if tpr is None else (tpr, "tpr")
        if wanted is None or not 0 <= wanted <= 1:
            raise InputError(f"A wanted {name} lies between 0 and 1, not at {wanted}.")
        rates = [getattr(v, name) for v in self.vertices]
        # Of several places with this rate the better one: left with a tpr, right with an fpr.
        at = int(np.searchsorted(rates, wanted, "left" if name == "tpr" else "right"))
        at = min(max(at, 1), len(rates) - 1)
        first, second = self.vertices[at - 1], self.vertices[at]
        if name == "tpr" and rates[at - 1] == wanted:
            return self._mixed(first, second, 0.0)
        return self._mixed(first, second, (wanted - rates[at - 1]) / (rates[at] - rates[at - 1]))

    def _mixed(self, first: Vertex, second: Vertex, share: float) -> CombinedClassifier:
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
        """The slopes for which each vertex is best."""
        slopes = [math.inf, *self.slopes, 0.0]
        return [(low, high) for high, low in pairwise(slopes)]

    def __repr__(self) -> str:
        """One line: who is on it."""
        owners = listed([plain(name) for name in self.owners]) or "no model"
        return f"Hull({len(self.vertices)} vertices, of {owners}, area {self.area:.4f})"


def hull(rankings: Mapping[str, Ranking]) -> Hull:
    """The common hull of several rankings, each by its own name.

    They may have been made on different rows: only their rates matter. Cross products are exact.
    """
    points: dict[tuple[Fraction, Fraction], Vertex] = {}
    for name, ranking in rankings.items():
        if not (ranking.positives and ranking.negatives):
            raise InputError(f"{name} has rows of one class only: it has no ROC points.")
        for key, vertex in _vertices(name, ranking):
            known = points.setdefault(key, vertex)
            if known is not vertex and known.model is not None and vertex.model is not None:
                points[key] = replace(known, shared=(*known.shared, name))
    if not points:
        raise InputError("A hull needs at least one model.")
    first = next(iter(rankings.values()))
    keys = sorted(points)
    x, y = (np.array([key[axis] for key in keys], dtype=object) for axis in (0, 1))
    vertices = tuple(points[keys[at]] for at in upper_chain(y, x, np.arange(len(keys))))
    share = float(first.positives / (first.positives + first.negatives))
    found = Hull(vertices, tuple(rankings), share, first.positive, first.negative)
    if all(ranking.exact for ranking in rankings.values()):
        return found
    best = hull({name: ranking.best_case for name, ranking in rankings.items()})
    return replace(found, area_at_best=best.area)


def _vertices(name: str, ranking: Ranking) -> Iterable[tuple[tuple[Fraction, Fraction], Vertex]]:
    positives, negatives = (Fraction(n.item()) for n in (ranking.positives, ranking.negatives))
    places = ranking.hull_places
    last = len(ranking) - 1
    columns = (ranking.thresholds, ranking.true_positives, ranking.false_positives)
    for place, threshold, found, alarms in zip(
        places.tolist(), *(column[places].tolist() for column in columns), strict=True
    ):
        key = Fraction(alarms) / negatives, Fraction(found) / positives
        owner, at = (name, threshold) if 0 < place < last else (None, threshold)
        if place == last:
            at = math.inf if ranking.lower_is_positive else -math.inf
        yield (
            key,
            Vertex(
                owner, at, float(key[0]), float(key[1]), lower_is_positive=ranking.lower_is_positive
            ),
        )
