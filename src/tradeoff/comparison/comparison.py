"""Several models on the same rows: which is better, by how much, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison import permutation
from tradeoff.comparison.bootstrap import bootstrap_differences
from tradeoff.comparison.difference import (
    Difference,
    Verdict,
    difference_columns,
    equivalent,
    held_together,
    not_worse,
    varying_normally,
)
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, as_number, did_you_mean, listed
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES
from tradeoff.results import Result
from tradeoff.stats import paired_labels
from tradeoff.stats.normal import largest_deviation
from tradeoff.stats.significance import Test
from tradeoff.text import count
from tradeoff.uncertainty.auc import Areas, areas
from tradeoff.uncertainty.confidence import Confidence, Sampling, adjusted
from tradeoff.uncertainty.estimates import sure_answers
from tradeoff.uncertainty.question import Question, applying, ask
from tradeoff.uncertainty.summaries import sure_summary

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking

AREA = "auc"
WAYS = ("delong", "bootstrap", "permutation")
"""Ways to compare; without one, areas by DeLong and all else by a bootstrap."""
TESTS = ("mcnemar", "cochran", "venkatraman", "equal")
"""Tests that are not about one number's difference."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result, views="tradeoff.comparison.views"):
    """Models that scored the same rows.

    Differences are first minus second. Areas are compared by DeLong's test, everything else by
    drawing rows again.

    Example:
        >>> import tradeoff as to
        >>> c = to.compare(
        ...     actual=[0, 0, 1, 0, 1, 1], score={"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}
        ... )
        >>> c
        Comparison(a, b: 6 rows)
        >>> c.difference("a", "b").value.__round__(4)
        0.1111
    """

    paired: PairedRanking
    confidence: Confidence = field(default_factory=Confidence)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""
        return self.paired.models

    @property
    def rankings(self) -> Mapping[str, Ranking]:
        """Each model's own ranking."""
        return self.paired.rankings

    def columns(self) -> dict[str, list[Any]]:
        """One line a pair of models: the difference of their areas; `differences` has others."""
        return difference_columns(self.differences())

    @cached_property
    def areas(self) -> Areas:
        """The areas under the ROC curves and their covariance."""
        return areas(self.paired)

    def area(self, name: str, level: float | None = None) -> Estimate:
        """One model's area on the shared rows, with its own interval."""
        self._demand(name)
        asked = Confidence(self.confidence.level if level is None else level)
        if self.paired.clusters is None:
            return sure_summary(SUMMARIES[AREA], self.rankings[name], asked)
        return sure_answers({AREA: ask(AREA)}, self.paired.of_models(name), asked)[AREA]

    def difference(  # noqa: PLR0913 - who, in what, and how sure
        self,
        first: str,
        second: str,
        metric: str = AREA,
        *,
        at: tuple[str, float] | None = None,
        method: str | None = None,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        **parameters: Any,
    ) -> Difference:
        """One model minus another.

        Args:
            first: A model.
            second: Another one.
            metric: Any summary or metric, or "cost" with `costs`.
            at: For a metric, where: ("threshold", 0.5) or another metric's value, ("fpr", 0.1).
            method: "delong" (areas), "bootstrap" (of the shared rows) or "permutation" (p
                alone).
            costs: What outcomes cost, for "cost".
            prevalence: The share of positives where the models will be used.
            level: Confidence level; the comparison's own if not said, as all that follow.
            replicates: Number of bootstrap resamples.
            seed: Same seed, same resamples.
            sampling: How rows were sampled: "random" or "by class".
            parameters: Of the metric.
        """
        for name in (first, second):
            self._demand(name)
        question = _question(metric, at, method, costs, prevalence, parameters)
        confidence = self._confidence(method, level, replicates, seed, sampling)
        if self._by_formula(question, method):
            return self._by_delong(first, second, confidence.level)
        two = self.paired.of_models(first, second)
        if method == "permutation":
            return permutation.permuted(two, question, confidence)
        return bootstrap_differences(two, question, confidence)[0]

    def differences(  # noqa: PLR0913 - in what, and how sure
        self,
        metric: str = AREA,
        *,
        at: tuple[str, float] | None = None,
        method: str | None = None,
        simultaneous: bool = False,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        **parameters: Any,
    ) -> list[Difference]:
        """All pairs of models, p-values also adjusted for reading them together (Holm).

        `simultaneous` widens the intervals so that all of them hold together; p-values are then
        adjusted in the same way.
        """
        self._demand_two()
        question = _question(metric, at, method, costs, prevalence, parameters)
        confidence = self._confidence(method, level, replicates, seed, sampling)
        pairs = list(combinations(self.models, 2))
        if self._by_formula(question, method):
            found = [self._by_delong(*pair, confidence.level) for pair in pairs]
            if simultaneous:
                found = self._held_together(found, pairs, confidence)
        elif method == "permutation":
            found = [
                permutation.permuted(self.paired.of_models(*pair), question, confidence)
                for pair in pairs
            ]
        else:
            found = bootstrap_differences(
                self.paired, question, confidence, simultaneous=simultaneous
            )
        if simultaneous and method != "permutation":
            return found
        adjusted = paired_labels.holm([one.p_value for one in found])
        return [replace(one, adjusted=float(p)) for one, p in zip(found, adjusted, strict=True)]

    def contrast(self, weights: Mapping[str, float], level: float | None = None) -> Difference:
        """A weighted sum of areas, such as {"new": 1, "old a": -0.5, "old b": -0.5}."""
        for name in weights:
            self._demand(name)
        level = self.confidence.level if level is None else level
        own = np.array([as_number(weights.get(name, 0.0), "A weight") for name in self.models])
        up, down = own.clip(min=0), (-own).clip(min=0)
        named = [_summed(self.models, side) for side in (up, down)]
        values = [float(side @ self.areas.values) for side in (up, down)]
        variance = float(own @ self.areas.covariance @ own)
        return _normal(named[0], named[1], values, variance, level, self.areas.method)

    def equal(self) -> Test:
        """Whether all areas may be equal: one test for any number of models."""
        from scipy.special import chdtrc

        self._demand_two()
        size = len(self.models)
        steps = np.eye(size)[1:] - np.eye(size)[:-1]
        apart = steps @ self.areas.values
        covariance = steps @ self.areas.covariance @ steps.T
        name = f"all {size} areas are equal"
        if np.isnan(covariance).any():
            return Test.undefined(name, self.areas.method, "it needs two rows of each class")
        degrees = int(np.linalg.matrix_rank(covariance, hermitian=True))
        if not degrees:
            return Test.undefined(name, self.areas.method, "the areas do not vary")
        statistic = float(apart @ np.linalg.pinv(covariance, hermitian=True) @ apart)
        p_value = float(chdtrc(degrees, statistic))
        return Test(name, statistic, p_value, f"{self.areas.method}, chi-squared", degrees)

    def not_worse(
        self, first: str, second: str, margin: float, metric: str = AREA, **asked: Any
    ) -> Verdict:
        """Whether the first model is worse than the second by less than a margin at most."""
        return not_worse(self.difference(first, second, metric, **asked), margin)

    def equivalent(
        self, first: str, second: str, margin: float, metric: str = AREA, **asked: Any
    ) -> Verdict:
        """Whether the two models differ by less than a margin either way (two one-sided tests)."""
        return equivalent(self.difference(first, second, metric, **asked), margin)

    def summary(  # noqa: PLR0913 - in what, where, and which tests
        self,
        metrics: str | Sequence[str] = AREA,
        *,
        at: tuple[str, float] | None = None,
        method: str | None = None,
        simultaneous: bool = False,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        tests: Sequence[str] = (),
        margin: float | None = None,
    ) -> ComparisonSummary:
        """The differences of all pairs in several metrics, with tests and margins.

        Args:
            metrics: Summaries, metrics or "cost", whose differences are wanted.
            at: Where metrics are looked at, as for `difference`.
            method: As for `difference`; "delong" is for areas, others then have their usual one.
            simultaneous: Intervals that hold together for all pairs.
            costs: What outcomes cost, for "cost".
            prevalence: The share of positives where the models will be used.
            tests: Any of `TESTS`; those of right and wrong are made at the threshold of `at`, or
                at 0.5.
            margin: Also: is the first not worse by this much, are both alike?
        """
        asked = {"at": at, "prevalence": prevalence, "costs": costs}
        differences = [
            difference
            for metric in ([metrics] if isinstance(metrics, str) else metrics)
            for difference in self.differences(
                metric,
                method=method if metric == AREA or method != "delong" else None,
                simultaneous=simultaneous,
                **applying(metric, asked),
            )
        ]
        threshold = at[1] if at is not None and at[0] == "threshold" else 0.5
        made = [test for name in tests for test in self.tests(name, threshold)]
        judges = () if margin is None else (not_worse, equivalent)
        verdicts = [judge(one, margin) for one in differences for judge in judges]  # type: ignore[arg-type]
        return ComparisonSummary(self, tuple(differences), tuple(made), tuple(verdicts))

    def tests(self, name: str, threshold: float = 0.5) -> list[Test]:
        """One of `TESTS`, of all models together or of each pair of them."""
        pairs = list(combinations(self.models, 2))
        if name == "cochran":
            return [self.cochrans_q(threshold)]
        if name == "equal":
            return [self.equal()]
        if name == "mcnemar":
            return [self.mcnemar(*pair, threshold) for pair in pairs]
        if name == "venkatraman":
            return [self.venkatraman(*pair) for pair in pairs]
        raise UnknownName(
            f"No test is called {name!r}.{did_you_mean(str(name), TESTS)} There are "
            f"{listed(TESTS)}."
        )

    def mcnemar(self, first: str, second: str, threshold: Any = 0.5, method: str = "mid-p") -> Test:
        """Whether two models are right equally often, each at a threshold.

        `threshold` is a number, or a mapping from models to numbers.
        """
        ours, theirs = self._right([first, second], threshold)
        only = [self._counted(ours & ~theirs), self._counted(theirs & ~ours)]
        found = paired_labels.mcnemar(only[0], only[1], method)
        alone = " and ".join(
            f"{name} alone on {count(rows)}"
            for name, rows in zip((first, second), only, strict=True)
        )
        claim = f"{first} and {second} are right equally often"
        told = "; ".join(filter(None, [f"right are {alone}", found.note]))
        return replace(found, name=claim, method=f"McNemar, {found.method}", note=told)

    def cochrans_q(self, threshold: Any = 0.5) -> Test:
        """Whether all models are right equally often, each at a threshold."""
        self._demand_two()
        right = self._right(self.models, threshold)
        return paired_labels.cochrans_q(
            right, None if self._whole_weights is None else self.paired.weights
        )

    def venkatraman(self, first: str, second: str, **asked: Any) -> Test:
        """Whether two ROC curves differ anywhere, not only in their areas.

        Venkatraman & Begg 1996 (doi:10.1093/biomet/83.4.835), by exchanging ranks.
        """
        for name in (first, second):
            self._demand(name)
        from tradeoff.comparison.permutation import paired_curves

        self._demand_independent()
        confidence = replace(self.confidence, **asked)
        return paired_curves(self.paired.of_models(first, second), confidence)

    def __repr__(self) -> str:
        """One line: which models on how many rows."""
        return f"Comparison({', '.join(self.models)}: {self.paired.rows:,} rows)"

    def _confidence(
        self,
        method: str | None,
        level: float | None,
        replicates: int | None,
        seed: int | None,
        sampling: Sampling | None,
    ) -> Confidence:
        """How sure to be: the comparison's own choices, but for those that were made here."""
        chosen = adjusted(
            self.confidence,
            ... if level is None else level,
            replicates=replicates,
            seed=seed,
            sampling=sampling,
        )
        how = "bootstrap" if method == "bootstrap" else None
        return replace(chosen or self.confidence, method=how)

    def _by_formula(self, question: Question, method: str | None) -> bool:
        return question.name == AREA and method in {None, "delong"}

    def _by_delong(self, first: str, second: str, level: float) -> Difference:
        at = [self.models.index(name) for name in (first, second)]
        values = [float(self.areas.values[place]) for place in at]
        own = self.areas.covariance[np.ix_(at, at)]
        variance = float(own[0, 0] + own[1, 1] - 2 * own[0, 1])
        return _normal(first, second, values, variance, level, self.areas.method)

    def _held_together(
        self, found: list[Difference], pairs: list[tuple[str, str]], confidence: Confidence
    ) -> list[Difference]:
        """Intervals that hold together: the largest of correlated normal deviates."""
        at = {name: place for place, name in enumerate(self.models)}
        steps = np.zeros((len(pairs), len(at)))
        for line, (first, second) in zip(steps, pairs, strict=True):
            line[at[first]], line[at[second]] = 1, -1
        return held_together(
            found, largest_deviation(steps @ self.areas.covariance @ steps.T, confidence.seed)
        )

    def _right(self, models: Sequence[str], threshold: Any) -> NDArray[np.bool_]:
        """Which model is right on which row."""
        right = []
        for name in models:
            self._demand(name)
            at = threshold[name] if isinstance(threshold, dict) else threshold
            sign = -1 if self.paired.lower_is_positive else 1
            called = self.paired.falling(name).astype(np.float64) >= sign * float(at)
            right.append(called == self.paired.positive_rows)
        return np.array(right)

    @property
    def _whole_weights(self) -> NDArray[Any] | None:
        weights = self.paired.weights
        self._demand_independent()
        if weights is not None and self.paired.importance:
            raise InputError(
                "Tests of right and wrong need rows that count once, or so many times."
            )
        return weights

    def _counted(self, rows: NDArray[np.bool_]) -> float:
        weights = self._whole_weights
        return float(rows.sum() if weights is None else weights[rows].sum())

    def _demand_independent(self) -> None:
        if self.paired.clusters is not None:
            raise InputError(
                "This test takes rows as independent, but they come in clusters: compare areas or "
                "other metrics instead, whose intervals go by cluster."
            )

    def _demand(self, name: str) -> None:
        if name not in self.models:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(str(name), self.models)} "
                f"There are {listed(self.models)}."
            )

    def _demand_two(self) -> None:
        if len(self.models) < 2:
            raise InputError("A comparison needs two models or more.")


def _question(  # noqa: PLR0913, PLR0917 - in what, where, how
    metric: str,
    at: tuple[str, float] | None,
    method: str | None,
    costs: AnyCosts | None,
    prevalence: float | None,
    parameters: dict[str, Any],
) -> Question:
    """What is compared, if that can be done in this way."""
    if method not in {None, *WAYS}:
        raise UnknownName(
            f"No way to compare is called {method!r}.{did_you_mean(str(method), WAYS)} There "
            f"are {listed(WAYS)}."
        )
    question = ask(metric, at=at, costs=costs, prevalence=prevalence, **parameters)
    if method == "delong" and question.name != AREA:
        raise InputError(f"DeLong's test compares areas, not {question.name}.")
    return question


def _summed(models: Sequence[str], weights: NDArray[np.float64]) -> str:
    """One side of a contrast in words."""
    parts = [
        name if w == 1 else f"{w:g} {name}" for name, w in zip(models, weights, strict=True) if w
    ]
    return "".join(parts) or "0" if len(parts) < 2 else f"({' + '.join(parts)})"


def _normal(  # noqa: PLR0913, PLR0917 - two models, two values, three facts
    first: str, second: str, values: list[float], variance: float, level: float, method: str
) -> Difference:
    """A difference of areas whose deviations are normal."""
    own, other = values
    found = Difference(first, second, AREA, own, other, level=level, method=method)
    if math.isnan(variance):
        return replace(found, note="no interval: it needs two rows of each class")
    if variance <= 1e-20:
        same = found.value == 0
        note = "the two rank the rows alike" if same else "no interval: the areas do not vary"
        return replace(found, standard_error=0.0, note=note, p_value=1.0 if same else math.nan)
    return varying_normally(found, math.sqrt(variance))


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonSummary(Result, views="tradeoff.comparison.views"):
    """Differences of models, or of one model's segments, with the tests and margins asked for.

    `compared` are the models on the rows that they share; None where segments are compared, which
    share no rows: then `by` says of what.
    """

    compared: Comparison | None
    differences: tuple[Difference, ...]
    tests: tuple[Test, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    by: str = ""
    segments: tuple[str, ...] = ()

    def columns(self) -> dict[str, list[Any]]:
        """One line a difference."""
        return difference_columns(self.differences)

    def __repr__(self) -> str:
        """One line: how many differences, of what."""
        metrics = ", ".join(dict.fromkeys(one.metric for one in self.differences))
        return f"ComparisonSummary({len(self.differences)} differences in {metrics})"
