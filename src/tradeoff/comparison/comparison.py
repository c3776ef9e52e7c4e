"""Comparison of models on the same rows: differences with intervals, tests and margins."""

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
    difference_columns,
    metric_parameters,
    simultaneous_intervals,
    with_normal_interval,
)
from tradeoff.comparison.noninferiority import (
    Verdict,
    equivalence_verdict,
    noninferiority_verdict,
)
from tradeoff.comparison.questions import AUC, given_thresholds, model_questions
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_number,
    suggest_arguments,
)
from tradeoff.formatting import format_count
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES, Measure
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_measures
from tradeoff.results import Result, find_view, renderer
from tradeoff.stats import paired_labels
from tradeoff.stats.significance import Test, holm_adjusted
from tradeoff.stats.simultaneous import simulate_largest_deviation
from tradeoff.thresholds.operating_threshold import (
    Thresholds,
)
from tradeoff.uncertainty.auc import AucCovariance, auc_covariance
from tradeoff.uncertainty.confidence import Confidence, Sampling, adjusted_confidence
from tradeoff.uncertainty.estimates import clustered_estimates
from tradeoff.uncertainty.question import (
    THRESHOLD,
    Question,
    build_question,
    question_options,
)
from tradeoff.uncertainty.summary_intervals import summary_with_interval

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.results import Chart, ChartStyleName

TESTS = ("mcnemar", "cochran", "venkatraman", "equal")
"""Tests other than that of a difference in a single metric."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result, views="tradeoff.comparison.views"):
    """Comparison of models that scored the same rows.

    Differences are first minus second. AUCs are compared by DeLong's test, other metrics by a
    bootstrap of the rows that the models share.

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
        """Ranking of each model."""
        return self.paired.rankings

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per pair of models: the difference between their AUCs."""
        return difference_columns(self.differences())

    @cached_property
    def areas(self) -> AucCovariance:
        """AUCs of all models and their DeLong covariance."""
        return auc_covariance(self.paired)

    def area(self, name: str, level: float | None = None) -> Estimate:
        """AUC of one model on the shared rows, with its confidence interval."""
        self._require_model(name)
        confidence = Confidence(self.confidence.level if level is None else level)
        if self.paired.clusters is None:
            return summary_with_interval(SUMMARIES[AUC], self.rankings[name], confidence)
        return clustered_estimates(
            {AUC: build_question(AUC)}, self.paired.select_models(name), confidence
        )[AUC]

    @suggest_arguments
    def difference(  # noqa: PLR0913 - models, metric, method
        self,
        first: str,
        second: str,
        metric: str = AUC,
        *,
        at: tuple[str, Thresholds] | None = None,
        method: str | None = None,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
        low: float | None = None,
        high: float | None = None,
        along: str | None = None,
        bins: int | None = None,
        by: str | None = None,
        threshold: float | None = None,
    ) -> Difference:
        """Difference between two models in a metric, first minus second.

        Args:
            first: Name of a model.
            second: Name of another model.
            metric: Any summary or metric, or "cost" with `costs`.
            at: Operating point at which a metric is evaluated: ("threshold", 0.5), thresholds by
                model, ("threshold", {"a": 0.2, "b": 12}), or the value of another metric,
                ("fpr", 0.1). By default 0.5 for probabilities; other scores need one.
            method: "delong" (AUC only), "bootstrap" (of the shared rows) or "permutation" (p-value
                only).
            costs: Costs of the outcomes, for "cost".
            prevalence: Prevalence where the models will be used.
            level: Confidence level; by default that of the comparison, as for the next three.
            replicates: Number of bootstrap resamples.
            seed: Random seed; the same seed gives the same resamples.
            sampling: How rows were sampled: "random" or "by class".
            beta: For the F measure: how much more recall counts than precision.
            weight: For the distance to perfect: the weight of false negatives.
            alpha: For the weighted error rate: the weight of a false positive.
            gamma: For the rejection trade-off: the weight of an error.
            dominance: For the index of balanced accuracy.
            low: For a partial AUC: the lower limit.
            high: For a partial AUC: the upper limit.
            along: For a partial AUC: the axis of the limits, "fpr" or "tpr".
            bins: For calibration errors: the number of bins.
            by: For calibration errors: bins with equal "rows" or of equal "width".
            threshold: For the AURC: the threshold.
        """
        for name in (first, second):
            self._require_model(name)
        parameters = metric_parameters(
            beta=beta,
            weight=weight,
            alpha=alpha,
            gamma=gamma,
            dominance=dominance,
            low=low,
            high=high,
            along=along,
            bins=bins,
            by=by,
            threshold=threshold,
        )
        questions = model_questions(
            self.paired, (first, second), metric, at, method, costs, prevalence, parameters
        )
        confidence = self._confidence(method, level, replicates, seed, sampling)
        if self._uses_delong(questions[0], method):
            difference = self._delong_difference(first, second, confidence.level)
            return replace(difference, label=questions[0].label)
        pair = self.paired.select_models(first, second)
        if method == "permutation":
            return permutation.permutation_difference(pair, questions, confidence)
        return bootstrap_differences(pair, questions, confidence)[0]

    @suggest_arguments
    def differences(  # noqa: PLR0913 - metric, method
        self,
        metric: str | Measure = AUC,
        *,
        at: tuple[str, Thresholds] | None = None,
        method: str | None = None,
        simultaneous: bool = False,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
        low: float | None = None,
        high: float | None = None,
        along: str | None = None,
        bins: int | None = None,
        by: str | None = None,
        threshold: float | None = None,
    ) -> list[Difference]:
        """Differences between all pairs of models in a metric, with Holm-adjusted p-values.

        With `simultaneous`, confidence intervals are simultaneous and p-values are adjusted
        accordingly. The other arguments are those of `difference`.
        """
        self._require_two_models()
        parameters = metric_parameters(
            beta=beta,
            weight=weight,
            alpha=alpha,
            gamma=gamma,
            dominance=dominance,
            low=low,
            high=high,
            along=along,
            bins=bins,
            by=by,
            threshold=threshold,
        )
        questions = model_questions(
            self.paired, self.models, metric, at, method, costs, prevalence, parameters
        )
        question = questions[0]
        confidence = self._confidence(method, level, replicates, seed, sampling)
        pairs = list(combinations(self.models, 2))
        if self._uses_delong(question, method):
            differences = [self._delong_difference(*pair, confidence.level) for pair in pairs]
            if simultaneous:
                differences = self._with_simultaneous_intervals(differences, pairs, confidence)
            differences = [replace(d, label=question.label) for d in differences]
        elif method == "permutation":
            differences = [
                permutation.permutation_difference(
                    self.paired.select_models(*pair),
                    [questions[self.models.index(name)] for name in pair],
                    confidence,
                )
                for pair in pairs
            ]
        else:
            differences = bootstrap_differences(
                self.paired, questions, confidence, simultaneous=simultaneous
            )
        if simultaneous and method != "permutation":
            return differences
        adjusted = holm_adjusted([d.p_value for d in differences])
        return [replace(d, adjusted=float(p)) for d, p in zip(differences, adjusted, strict=True)]

    def contrast(self, weights: Mapping[str, float], level: float | None = None) -> Difference:
        """Contrast of AUCs: a weighted sum such as {"new": 1, "old a": -0.5, "old b": -0.5}."""
        for name in weights:
            self._require_model(name)
        level = self.confidence.level if level is None else level
        coefficients = np.array(
            [require_number(weights.get(name, 0.0), "A weight") for name in self.models]
        )
        sides = coefficients.clip(min=0), (-coefficients).clip(min=0)
        first, second = (_weighted_sum_name(self.models, side) for side in sides)
        values = [float(side @ self.areas.values) for side in sides]
        variance = float(coefficients @ self.areas.covariance @ coefficients)
        return _normal_difference(first, second, values, variance, level, self.areas.method)

    def equality_test(self) -> Test:
        """Chi-squared test that the AUCs of all models are equal."""
        from scipy.special import chdtrc

        self._require_two_models()
        size = len(self.models)
        contrasts = np.eye(size)[1:] - np.eye(size)[:-1]
        differences = contrasts @ self.areas.values
        covariance = contrasts @ self.areas.covariance @ contrasts.T
        name = f"all {size} AUCs are equal"
        if np.isnan(covariance).any():
            return Test.undefined(name, self.areas.method, "two rows of each class are needed")
        degrees_of_freedom = int(np.linalg.matrix_rank(covariance, hermitian=True))
        if not degrees_of_freedom:
            return Test.undefined(name, self.areas.method, "the AUCs have no variance")
        statistic = float(differences @ np.linalg.pinv(covariance, hermitian=True) @ differences)
        p_value = float(chdtrc(degrees_of_freedom, statistic))
        method = f"{self.areas.method}, chi-squared"
        return Test(name, statistic, p_value, method, degrees_of_freedom)

    @suggest_arguments
    def not_worse(  # noqa: PLR0913 - as difference
        self,
        first: str,
        second: str,
        margin: float,
        metric: str = AUC,
        *,
        at: tuple[str, Thresholds] | None = None,
        method: str | None = None,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
        low: float | None = None,
        high: float | None = None,
        along: str | None = None,
        bins: int | None = None,
        by: str | None = None,
        threshold: float | None = None,
    ) -> Verdict:
        """Non-inferiority test: the first model is less than `margin` worse than the second.

        The other arguments are those of `difference`.
        """
        difference = self.difference(
            first,
            second,
            metric,
            at=at,
            method=method,
            costs=costs,
            prevalence=prevalence,
            level=level,
            replicates=replicates,
            seed=seed,
            sampling=sampling,
            beta=beta,
            weight=weight,
            alpha=alpha,
            gamma=gamma,
            dominance=dominance,
            low=low,
            high=high,
            along=along,
            bins=bins,
            by=by,
            threshold=threshold,
        )
        return noninferiority_verdict(difference, margin)

    @suggest_arguments
    def equivalent(  # noqa: PLR0913 - as difference
        self,
        first: str,
        second: str,
        margin: float,
        metric: str = AUC,
        *,
        at: tuple[str, Thresholds] | None = None,
        method: str | None = None,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
        low: float | None = None,
        high: float | None = None,
        along: str | None = None,
        bins: int | None = None,
        by: str | None = None,
        threshold: float | None = None,
    ) -> Verdict:
        """Equivalence test (two one-sided tests): the models differ by less than `margin`.

        The other arguments are those of `difference`.
        """
        difference = self.difference(
            first,
            second,
            metric,
            at=at,
            method=method,
            costs=costs,
            prevalence=prevalence,
            level=level,
            replicates=replicates,
            seed=seed,
            sampling=sampling,
            beta=beta,
            weight=weight,
            alpha=alpha,
            gamma=gamma,
            dominance=dominance,
            low=low,
            high=high,
            along=along,
            bins=bins,
            by=by,
            threshold=threshold,
        )
        return equivalence_verdict(difference, margin)

    @suggest_arguments
    def summary(  # noqa: PLR0913 - metrics, method, tests
        self,
        metrics: str | Sequence[str] = AUC,
        *,
        at: tuple[str, Thresholds] | None = None,
        method: str | None = None,
        simultaneous: bool = False,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        tests: Sequence[str] = (),
        margin: float | None = None,
        vocabulary: Vocabulary = "general",
    ) -> ComparisonSummary:
        """Summary of a comparison: differences in several metrics, tests and verdicts on a margin.

        Args:
            metrics: Summaries, metrics or "cost".
            at: Operating point at which metrics are evaluated, as for `difference`.
            method: As for `difference`; "delong" applies to the AUC, other metrics keep their
                default.
            simultaneous: Whether the confidence intervals of all pairs are simultaneous.
            costs: Costs of the outcomes, for "cost".
            prevalence: Prevalence where the models will be used.
            tests: Any of `TESTS`; McNemar's and Cochran's at the threshold of `at`, or at 0.5 for
                probabilities.
            margin: Also test non-inferiority and equivalence with this margin.
            vocabulary: Which names to use for metrics: "general", "ml", "clinical" or "marketing".
                A metric that was requested by another name keeps that name.
        """
        names = [metrics] if isinstance(metrics, str) else metrics
        if costs is not None and "cost" not in names:
            raise InputError("Costs are used only by metric='cost': name it too.")
        options = {"at": at, "prevalence": prevalence, "costs": costs}
        differences = [
            difference
            for metric in vocabulary_measures(names, vocabulary)
            for difference in self.differences(
                metric,
                method=method if _is_auc(metric) or method != "delong" else None,
                simultaneous=simultaneous,
                **question_options(metric, options),
            )
        ]
        threshold = at[1] if at is not None and at[0] == THRESHOLD else None
        verdicts: list[Verdict] = []
        if margin is not None:
            for difference in differences:
                verdicts.append(noninferiority_verdict(difference, margin))
                verdicts.append(equivalence_verdict(difference, margin))
        return ComparisonSummary(
            self,
            tuple(differences),
            tuple(test for name in tests for test in self.tests(name, threshold)),
            tuple(verdicts),
        )

    def tests(self, name: str, threshold: Thresholds | None = None) -> list[Test]:
        """Results of one of `TESTS` for all models together, or for each pair."""
        pairs = list(combinations(self.models, 2))
        if name == "cochran":
            return [self.cochrans_q(threshold)]
        if name == "equal":
            return [self.equality_test()]
        if name == "mcnemar":
            return [self.mcnemar(*pair, threshold) for pair in pairs]
        if name == "venkatraman":
            return [self.venkatraman(*pair) for pair in pairs]
        raise UnknownName(
            f"No test is called {name!r}.{did_you_mean(str(name), TESTS)} Available tests: "
            f"{format_list(TESTS)}."
        )

    def mcnemar(
        self,
        first: str,
        second: str,
        threshold: Thresholds | None = None,
        method: str = "mid-p",
    ) -> Test:
        """McNemar's test that two models are correct equally often.

        `threshold` is a number, or a mapping from models to numbers; by default 0.5 for
        probabilities.
        """
        first_correct, second_correct = self._is_correct([first, second], threshold)
        discordant_counts = [
            self._row_count(first_correct & ~second_correct),
            self._row_count(second_correct & ~first_correct),
        ]
        test = paired_labels.mcnemar_test(discordant_counts[0], discordant_counts[1], method)
        discordant_rows = " and ".join(
            f"only {name} on {format_count(count)}"
            for name, count in zip((first, second), discordant_counts, strict=True)
        )
        null_hypothesis = f"{first} and {second} are correct equally often"
        note = "; ".join(filter(None, [f"correct: {discordant_rows}", test.note]))
        return replace(test, name=null_hypothesis, method=f"McNemar, {test.method}", note=note)

    def cochrans_q(self, threshold: Thresholds | None = None) -> Test:
        """Cochran's Q test that all models are correct equally often."""
        self._require_two_models()
        is_correct = self._is_correct(self.models, threshold)
        return paired_labels.cochran_q_test(
            is_correct, None if self._frequency_weights is None else self.paired.weights
        )

    @suggest_arguments
    def venkatraman(
        self, first: str, second: str, *, replicates: int | None = None, seed: int | None = None
    ) -> Test:
        """Venkatraman's permutation test that two ROC curves are equal everywhere.

        Venkatraman & Begg 1996, doi:10.1093/biomet/83.4.835.
        """
        for name in (first, second):
            self._require_model(name)
        from tradeoff.comparison.permutation import venkatraman_test

        self._require_independent_rows()
        confidence = self._confidence(None, None, replicates, seed, None)
        return venkatraman_test(self.paired.select_models(first, second), confidence)

    @suggest_arguments
    def chart(  # noqa: PLR0913 - as differences
        self,
        metric: str = "auc",
        *,
        at: tuple[str, Thresholds] | None = None,
        method: str | None = None,
        simultaneous: bool = False,
        costs: AnyCosts | None = None,
        prevalence: float | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
    ) -> Chart:
        """Forest plot of the differences between all pairs of models, as from `differences`."""
        parameters = metric_parameters(
            beta=beta, weight=weight, alpha=alpha, gamma=gamma, dominance=dominance
        )
        chart: Chart = find_view(self, "chart")(
            self,
            metric,
            at=at,
            method=method,
            simultaneous=simultaneous,
            costs=costs,
            prevalence=prevalence,
            level=level,
            replicates=replicates,
            seed=seed,
            sampling=sampling,
            **parameters,
        )
        return chart

    @suggest_arguments
    def plot(
        self, metric: str = "auc", *, ax: Any = None, style: ChartStyleName = "default"
    ) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; `style` is "default" or "paper"."""
        return renderer("matplotlib")(self.chart(metric), ax, style)

    def __repr__(self) -> str:
        """One line: the models and the number of rows."""
        return f"Comparison({', '.join(self.models)}: {self.paired.rows:,} rows)"

    def _confidence(
        self,
        method: str | None,
        level: float | None,
        replicates: int | None,
        seed: int | None,
        sampling: Sampling | None,
    ) -> Confidence:
        """Confidence settings of the comparison, some of them replaced."""
        confidence = adjusted_confidence(
            self.confidence,
            ... if level is None else level,
            replicates=replicates,
            seed=seed,
            sampling=sampling,
        )
        interval_method = "bootstrap" if method == "bootstrap" else None
        return replace(confidence or self.confidence, method=interval_method)

    def _uses_delong(self, question: Question, method: str | None) -> bool:
        return question.name == AUC and method in {None, "delong"}

    def _delong_difference(self, first: str, second: str, level: float) -> Difference:
        indices = [self.models.index(name) for name in (first, second)]
        values = [float(self.areas.values[index]) for index in indices]
        covariance = self.areas.covariance[np.ix_(indices, indices)]
        variance = float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
        return _normal_difference(first, second, values, variance, level, self.areas.method)

    def _with_simultaneous_intervals(
        self, differences: list[Difference], pairs: list[tuple[str, str]], confidence: Confidence
    ) -> list[Difference]:
        """Add simultaneous intervals, from the largest of correlated normal deviates."""
        indices = {name: index for index, name in enumerate(self.models)}
        contrasts = np.zeros((len(pairs), len(indices)))
        for contrast, (first, second) in zip(contrasts, pairs, strict=True):
            contrast[indices[first]], contrast[indices[second]] = 1, -1
        return simultaneous_intervals(
            differences,
            simulate_largest_deviation(
                contrasts @ self.areas.covariance @ contrasts.T, confidence.seed
            ),
        )

    def _is_correct(self, models: Sequence[str], threshold: Thresholds | None) -> NDArray[np.bool_]:
        """Whether each model is correct on each row."""
        is_correct = []
        for name in models:
            self._require_model(name)
        for name, cutoff in given_thresholds(self.paired, models, threshold, "This test").items():
            sign = -1 if self.paired.lower_is_positive else 1
            predictions = self.paired.oriented_scores(name).astype(np.float64) >= sign * cutoff
            is_correct.append(predictions == self.paired.positive_rows)
        return np.array(is_correct)

    @property
    def _frequency_weights(self) -> NDArray[Any] | None:
        weights = self.paired.weights
        self._require_independent_rows()
        if weights is not None and self.paired.importance:
            raise InputError(
                "McNemar's and Cochran's tests need weights that are counts, or no weights."
            )
        return weights

    def _row_count(self, mask: NDArray[np.bool_]) -> float:
        weights = self._frequency_weights
        return float(mask.sum() if weights is None else weights[mask].sum())

    def _require_independent_rows(self) -> None:
        if self.paired.clusters is not None:
            raise InputError(
                "This test assumes independent rows, but they come in clusters: compare AUCs or "
                "other metrics instead, whose intervals account for clusters."
            )

    def _require_model(self, name: str) -> None:
        if name not in self.models:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(str(name), self.models)} "
                f"Available models: {format_list(self.models)}."
            )

    def _require_two_models(self) -> None:
        if len(self.models) < 2:
            raise InputError("A comparison needs at least two models.")


def _is_auc(metric: str | Measure) -> bool:
    if isinstance(metric, Measure):
        return metric.name == AUC
    return SUMMARIES.knows(metric) and SUMMARIES[metric].name == AUC


def _weighted_sum_name(models: Sequence[str], weights: NDArray[np.float64]) -> str:
    """Name of one side of a contrast, such as "(0.5 a + 0.5 b)"."""
    terms = [
        name if w == 1 else f"{w:g} {name}" for name, w in zip(models, weights, strict=True) if w
    ]
    return "".join(terms) or "0" if len(terms) < 2 else f"({' + '.join(terms)})"


def _normal_difference(  # noqa: PLR0913, PLR0917 - two models, two values, variance
    first: str, second: str, values: list[float], variance: float, level: float, method: str
) -> Difference:
    """Difference between two AUCs, with a normal interval from its variance."""
    difference = Difference(first, second, AUC, values[0], values[1], level=level, method=method)
    if math.isnan(variance):
        return replace(difference, note="no interval: two rows of each class are needed")
    if variance <= 1e-20:
        is_equal = difference.value == 0
        note = (
            "the AUCs are equal and their difference has no variance"
            if is_equal
            else "no interval: the AUCs have no variance"
        )
        p_value = 1.0 if is_equal else math.nan
        return replace(difference, standard_error=0.0, note=note, p_value=p_value)
    return with_normal_interval(difference, math.sqrt(variance))


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonSummary(Result, views="tradeoff.comparison.views"):
    """Summary of a comparison between models or segments: differences, tests and margins.

    `compared` is the comparison of the models. It is None if segments are compared, which share no
    rows; `by` is then the column that defines them.
    """

    compared: Comparison | None
    differences: tuple[Difference, ...]
    tests: tuple[Test, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    by: str = ""
    segments: tuple[str, ...] = ()

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per difference."""
        return difference_columns(self.differences)

    def __repr__(self) -> str:
        """One line: the number of differences and their metrics."""
        metrics = ", ".join(dict.fromkeys(difference.metric for difference in self.differences))
        return f"ComparisonSummary({len(self.differences)} differences in {metrics})"
