"""The class `Evaluation`: metrics, curves, thresholds, charts and reports of ranked models."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan, nan
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike

from tradeoff.calibration.calibration import Calibration, calibrated_model, calibration
from tradeoff.calibration.maps import CalibrationMap, MapKind, fit_calibration_map
from tradeoff.calibration.reliability import Bands
from tradeoff.core.confusion import ConfusionMatrix, Rows
from tradeoff.core.costs import AnyCosts, Costs, Expenses, expenses, require_costs
from tradeoff.core.ranked_models import GroupedRankings, RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.errors import (
    InputError,
    StorageError,
    UnknownName,
    did_you_mean,
    format_list,
    suggest_arguments,
)
from tradeoff.gains.gains import Gains, Top, model_gains
from tradeoff.hulls.hull import Hull, hull
from tradeoff.measures import curves
from tradeoff.measures.curves.average import AverageCurve, Method, Spread, average_curve
from tradeoff.measures.curves.calibration import Grouping
from tradeoff.measures.curves.curve import Curve
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure, UndefinedValue, is_summary
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.results import ChartStyleName, Result, find_view, renderer, to_dataframe
from tradeoff.segments import Segments, by_segment
from tradeoff.smooth.curve import SmoothCurve, smooth_roc
from tradeoff.thresholds.cutoffs import (
    Cutoffs,
    cutoff_measures,
    cutoff_table,
    out_of_bag_cutoff,
)
from tradeoff.thresholds.decision import (
    Decision,
    Decisions,
    best_threshold,
    ranked_decisions,
)
from tradeoff.thresholds.operating_threshold import (
    Goal,
    OperatingThreshold,
    Thresholds,
    operating_thresholds,
    thresholds_by_model,
)
from tradeoff.thresholds.out_of_sample import with_out_of_sample
from tradeoff.thresholds.reject_band import BandDecision, best_band
from tradeoff.uncertainty.confidence import (
    DEFAULT_CONFIDENCE,
    Confidence,
    ProgressCallback,
    Sampling,
    adjusted_confidence,
)
from tradeoff.uncertainty.curve_bands import Band, CurveEstimate, Kind, curve_band
from tradeoff.uncertainty.estimates import (
    cost_estimate,
    metric_estimates,
    question_estimate,
    summary_estimates,
)
from tradeoff.uncertainty.question import THRESHOLD, build_question
from tradeoff.wording import Wording

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.core.paired import PairedRanking
    from tradeoff.render.chart import Chart
    from tradeoff.render.sections import Section
    from tradeoff.report.guidelines import GuidelineName
    from tradeoff.report.page import NotebookPage

__all__ = ["METRICS", "SUMMARIES", "Evaluation"]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Evaluation(Result, views="tradeoff.evaluation.views", charts="tradeoff.evaluation.charts"):
    """One or more models, each with its ranking of the same rows.

    With a single model, its metrics are available from the evaluation itself; with several, choose
    one first: `e["naive_bayes"].auc`.
    """

    models: RankedModels
    confidence: Confidence | None
    prevalence: float | None
    threshold: Thresholds | None
    goal: Goal | None = None

    def __init__(
        self,
        models: RankedModels | Mapping[str, Ranking],
        confidence: Confidence | None = DEFAULT_CONFIDENCE,
        prevalence: float | None = None,
        threshold: Thresholds | None = None,
        goal: Goal | None = None,
    ) -> None:
        """Evaluate models that are already ranked.

        Args:
            models: Rankings by model, or `RankedModels`, which add the rankings of folds and
                segments, costs, and rows by cluster.
            confidence: Confidence level and method of intervals; None for no intervals.
            prevalence: Proportion of positives where the models will be used; defaults to the
                prevalence in the rows.
            threshold: Threshold of the confusion matrix and the metrics unless another is given: a
                number, or a mapping from models to numbers. By default the best one for the goal
                or the costs; without these 0.5 for probabilities, else that of Youden's J. See
                `operating_thresholds`.
            goal: Criterion, and target if it takes one, by which thresholds are chosen.
        """
        ranked = models if isinstance(models, RankedModels) else RankedModels(models)
        object.__setattr__(self, "models", ranked)
        object.__setattr__(self, "confidence", confidence)
        object.__setattr__(self, "prevalence", prevalence)
        thresholds_by_model(threshold, ranked.rankings)  # reports unknown models now
        object.__setattr__(self, "threshold", threshold)
        object.__setattr__(self, "goal", goal)

    @cached_property
    def operating_thresholds(self) -> Mapping[str, OperatingThreshold]:
        """The threshold at which each model is evaluated, and why.

        Example:
            >>> from tradeoff import evaluate
            >>> e = evaluate([0, 1], {"p": [0.2, 0.9]})
            >>> e.operating_thresholds["p"].value, e.operating_thresholds["p"].reason
            (0.5, 'convention')
        """
        return operating_thresholds(
            self.rankings,
            threshold=self.threshold,
            costs=self.costs,
            goal=self.goal,
            prevalence=self.prevalence,
        )

    @property
    def operating_threshold(self) -> float:
        """The threshold at which the only model is evaluated."""
        return self.operating_thresholds[self.ranking.name].value

    @property
    def rankings(self) -> Mapping[str, Ranking]:
        """Ranking of each model, not adjusted to a prevalence."""
        return self.models.rankings

    @property
    def wording(self) -> Wording:
        """The user's words for rows and amounts in text."""
        return self.models.wording

    @property
    def folds(self) -> GroupedRankings:
        """Rankings by model and fold."""
        return self.models.folds

    @property
    def segments(self) -> GroupedRankings:
        """Rankings by model and segment."""
        return self.models.segments

    @property
    def costs(self) -> Mapping[str, AnyCosts]:
        """Costs that were given when the rows were read, by model."""
        return self.models.costs

    @property
    def clusters(self) -> Mapping[str, PairedRanking]:
        """Rows by cluster, for models whose rows are clustered."""
        return self.models.clusters

    @property
    def ranking(self) -> Ranking:
        """The ranking of the only model, not adjusted to a prevalence."""
        if len(self.rankings) != 1:
            names = list(self.rankings)
            raise InputError(
                f"This evaluation holds {len(names)} models, {format_list(names)}: choose one, for "
                f"example e[{names[0]!r}]."
            )
        return next(iter(self.rankings.values()))

    @property
    def auc(self) -> Estimate:
        """The area under the ROC curve."""
        return self.summary("auc")

    def at(self, threshold: float | None = None) -> ConfusionMatrix:
        """The confusion matrix at a threshold, not adjusted to a prevalence."""
        return self.ranking.at(self.operating_threshold if threshold is None else threshold)

    @suggest_arguments
    def metric(  # noqa: PLR0913 - one parameter per option
        self,
        name: str,
        threshold: float | None = None,
        *,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
        at: float | None = None,
        costs: Costs | None = None,
        undefined: UndefinedValue = nan,
        level: float | EllipsisType | None = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: ProgressCallback | None = None,
    ) -> Estimate:
        """A metric at a threshold, by any of its names, with its confidence interval.

        Args:
            name: The metric, such as "recall", "ppv" or "f_measure(beta=2)".
            threshold: Threshold; by default that of the evaluation.
            beta: For the F-measure: how much more recall counts than precision.
            weight: For the distance to perfect: weight of false negatives.
            alpha: For the weighted error rate: weight of a false positive.
            gamma: For the rejection trade-off: weight of an error.
            dominance: For the index of balanced accuracy: its dominance parameter.
            at: For the net benefit: threshold probability.
            costs: For the expected cost: costs of the outcomes.
            undefined: Substitute for an undefined value: a number, or "scikit-learn" for what that
                library returns. A note on the estimate reports the substitution.
            level: Confidence level of the interval; None for no interval.
            method: Interval method.
            replicates: Number of bootstrap resamples.
            seed: Seed of the bootstrap.
            sampling: How rows were sampled, as for `evaluate`.
            progress: Called with the number of completed resamples and the total number.
        """
        measure = METRICS.find(name)
        confidence = adjusted_confidence(
            self.confidence, level, method, replicates, seed, sampling, progress
        )
        parameters = _without_none(
            beta=beta, weight=weight, alpha=alpha, gamma=gamma, dominance=dominance, at=at
        )
        at_threshold = self.operating_threshold if threshold is None else threshold
        if costs is not None and not measure.takes_costs:
            raise InputError(f"Costs apply to expected_cost, not to {measure.name}.")
        known_costs = self._costs(costs)
        if measure.takes_costs and known_costs is not None:
            cost = cost_estimate(
                self.ranking, known_costs, at_threshold, confidence, self.prevalence
            )
            return replace(cost, label=measure.label)
        if parameters:
            measure = measure.with_parameters(**parameters)
        ranking = self._reweighted
        estimates = metric_estimates([measure], ranking, at_threshold, confidence, self._clusters)
        estimate = estimates[measure.name]
        has_substitute = isinstance(undefined, str) or not isnan(undefined)
        if estimate.is_defined or not has_substitute:
            return estimate
        return measure.estimate(ranking.at(at_threshold), undefined=undefined)

    @suggest_arguments
    def summary(  # noqa: PLR0913 - one parameter per option
        self,
        name: str,
        *,
        low: float | None = None,
        high: float | None = None,
        along: Literal["fpr", "tpr"] | None = None,
        bins: int | None = None,
        by: Literal["rows", "width"] | None = None,
        threshold: float | None = None,
        level: float | EllipsisType | None = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: ProgressCallback | None = None,
    ) -> Estimate:
        """A summary of the whole ranking, by any of its names, with its confidence interval.

        Args:
            name: The summary, such as "auc", "brier" or "partial_auc(high=0.2)".
            low: For a partial area: lower limit.
            high: For a partial area: upper limit.
            along: For a partial area: "fpr" or "tpr".
            bins: For a calibration error: number of bins.
            by: For a calibration error: bins with equal numbers of "rows" or of equal "width".
            threshold: For the area under the risk–coverage curve: threshold of the predictions.
            level: Confidence level of the interval; None for no interval.
            method: Interval method.
            replicates: Number of bootstrap resamples.
            seed: Seed of the bootstrap.
            sampling: How rows were sampled, as for `evaluate`.
            progress: Called with the number of completed resamples and the total number.
        """
        measure = SUMMARIES.find(name)
        confidence = adjusted_confidence(
            self.confidence, level, method, replicates, seed, sampling, progress
        )
        parameters = _without_none(
            low=low, high=high, along=along, bins=bins, by=by, threshold=threshold
        )
        if parameters:
            measure = measure.with_parameters(**parameters)
        ranking = self._reweighted
        return summary_estimates([measure], ranking, confidence, self._clusters)[measure.name]

    @suggest_arguments
    def estimate(  # noqa: PLR0913 - one parameter per option
        self,
        name: str,
        *,
        at: tuple[str, float] | None = None,
        prevalence: float | None = None,
        costs: Costs | None = None,
        level: float | EllipsisType | None = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: ProgressCallback | None = None,
    ) -> Estimate:
        """Any metric or summary with its interval, bootstrapped if no formula is known.

        Also a metric at the point where another metric has a given value, and the expected cost:
        `e.estimate("lift", at=("depth", 0.1))`, `e.estimate("cost", costs=Costs(…))`.

        Args:
            name: The metric or summary, with parameters in parentheses: "f_measure(beta=2)".
            at: Operating point: ("threshold", 0.3), or the value of another metric: ("fpr", 0.1).
            prevalence: Proportion of positives where the model will be used.
            costs: Costs of the outcomes, for "cost".
            level: Confidence level of the interval; None for no interval.
            method: Interval method.
            replicates: Number of bootstrap resamples.
            seed: Seed of the bootstrap.
            sampling: How rows were sampled, as for `evaluate`.
            progress: Called with the number of completed resamples and the total number.
        """
        confidence = adjusted_confidence(
            self.confidence, level, method, replicates, seed, sampling, progress
        )
        prevalence = self.prevalence if prevalence is None else prevalence
        cost = self._costs(costs) if name == "cost" else None
        if cost is not None and not isinstance(cost, Costs):
            threshold = at[1] if at else self.operating_threshold
            return cost_estimate(self.ranking, cost, threshold, confidence, prevalence)
        if at is None and not is_summary(name):
            at = (THRESHOLD, self.operating_threshold)
        question = build_question(name, at=at, prevalence=prevalence, costs=cost)
        clusters = self.clusters.get(self.ranking.name)
        return question_estimate(question, self.ranking, confidence, clusters)

    @suggest_arguments
    def band(  # noqa: PLR0913 - one parameter per option
        self,
        name: str | None = None,
        *,
        kind: Kind = "pointwise",
        at: ArrayLike | None = None,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        costs: Costs | None = None,
        threshold: float | None = None,
        standardized: bool | None = None,
        by: Grouping | None = None,
        bins: int | None = None,
        window: int | None = None,
        level: float | EllipsisType = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: ProgressCallback | None = None,
    ) -> Band:
        """Confidence band of a curve, "pointwise" or "simultaneous".

        Args:
            name: The curve, as for `curve`.
            kind: "pointwise", or "simultaneous" for the whole curve.
            at: Values of x at which to compute the band.
            x: A metric, or "threshold".
            y: A metric, or several if x is the threshold.
            costs: Costs of the outcomes, for "expected_cost" and "profit".
            threshold: For "predictive_values" and rejection curves: the threshold.
            standardized: Whether "net_benefit" is divided by the prevalence.
            by: For "calibration": how to group rows.
            bins: For "calibration" and "bin_lift": number of bins.
            window: For "calibration" with a moving window: number of rows in it.
            level: Confidence level.
            method: Method of the band.
            replicates: Number of bootstrap resamples.
            seed: Seed of the bootstrap.
            sampling: How rows were sampled, as for `evaluate`.
            progress: Called with the number of completed resamples and the total number.
        """
        confidence = adjusted_confidence(
            self.confidence or DEFAULT_CONFIDENCE,
            level,
            method,
            replicates,
            seed,
            sampling,
            progress,
        )
        parameters = _without_none(
            costs=costs,
            threshold=threshold,
            standardized=standardized,
            by=by,
            bins=bins,
            window=window,
        )
        recipe = {"name": name, "x": x, "y": y, **self._with_costs(name, x, y, parameters)}
        return curve_band(
            self._reweighted,
            recipe,
            confidence or DEFAULT_CONFIDENCE,
            kind=kind,
            x=at,
            paired=self._clusters,
        )

    @suggest_arguments
    def calibration(  # noqa: PLR0913 - one parameter per option
        self,
        *,
        bins: int = 10,
        diagram: bool = False,
        bands: Bands | None = "consistency",
        level: float | EllipsisType = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: ProgressCallback | None = None,
    ) -> Calibration:
        """Calibration of the scores as probabilities: decompositions, calibration slope, tests.

        With `diagram`, it includes the reliability diagram, with `bands` unless they are None.
        """
        confidence = adjusted_confidence(
            self.confidence or DEFAULT_CONFIDENCE,
            level,
            method,
            replicates,
            seed,
            sampling,
            progress,
        )
        return calibration(
            self._reweighted,
            confidence=confidence or DEFAULT_CONFIDENCE,
            bins=bins,
            diagram=diagram,
            bands=bands,
        )

    def recalibrated(self, how: MapKind = "isotonic") -> CalibrationMap:
        """Calibration map for the scores, "isotonic", "platt" or "logistic", to apply and save."""
        return fit_calibration_map(self._reweighted, how)

    def calibrated(self, how: MapKind | CalibrationMap = "logistic") -> Evaluation:
        """The evaluation with calibrated probabilities of each model instead of its scores.

        For example, for the decision curve of a marker: `e.calibrated().curve("decision_curve")`.

        Args:
            how: "logistic", "isotonic" or "platt": the map is fitted to the rows of the evaluation.
                Or a map of the only model that was fitted to other rows.

        Example:
            >>> from tradeoff import evaluate
            >>> e = evaluate([0, 0, 1, 0, 1, 1], {"marker": [1, 2, 3, 4, 5, 6]})
            >>> e.calibrated("isotonic").ranking.thresholds.tolist()
            [inf, 1.0, 0.5, 0.0]
        """
        models = self.models
        for name in self:
            calibration_map = self[name].recalibrated(how) if isinstance(how, str) else how
            rows = "these rows" if isinstance(how, str) else "other rows"
            models = calibrated_model(models, name, calibration_map, rows)
        return replace(self, models=models)

    @suggest_arguments
    def smooth(  # noqa: PLR0913 - one parameter per option
        self,
        model: str = "binormal",
        *,
        how: Literal["likelihood", "regression"] | None = None,
        scale: Literal["score", "logit"] | None = None,
        points: int = 201,
        level: float = 0.95,
        replicates: int | None = None,
        seed: int | None = None,
    ) -> SmoothCurve:
        """Smooth model of the ROC curve, "binormal" or "kernel".

        Args:
            model: "binormal": scores that are normal after a monotone transformation, fitted to
                ranks alone. "kernel": kernel density of each class.
            how: For the binormal model: maximum "likelihood" or "regression".
            scale: For the kernel model: "score" or "logit".
            points: Number of points of the curve.
            level: Confidence level of the intervals.
            replicates: For the kernel model: number of bootstrap resamples.
            seed: For the kernel model: seed of the bootstrap.
        """
        parameters = _without_none(how=how, scale=scale, replicates=replicates, seed=seed)
        return smooth_roc(self._reweighted, model, level=level, points=points, **parameters)

    @suggest_arguments
    def curve(  # noqa: PLR0913 - one parameter per option
        self,
        name: str | None = None,
        *,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        costs: Costs | None = None,
        threshold: float | None = None,
        standardized: bool | None = None,
        by: Grouping | None = None,
        bins: int | None = None,
        window: int | None = None,
    ) -> Curve:
        """A named curve, or any metric `y` over any metric `x`.

        Args:
            name: The curve, such as "roc", "precision_recall" or "lift".
            x: A metric, or "threshold".
            y: A metric, or several if x is the threshold.
            costs: Costs of the outcomes, for "expected_cost" and "profit".
            threshold: For "predictive_values" and rejection curves: the threshold.
            standardized: Whether "net_benefit" is divided by the prevalence.
            by: For "calibration": how to group rows.
            bins: For "calibration" and "bin_lift": number of bins.
            window: For "calibration" with a moving window: number of rows in it.
        """
        parameters = _without_none(
            costs=costs,
            threshold=threshold,
            standardized=standardized,
            by=by,
            bins=bins,
            window=window,
        )
        return curves.any_curve(
            self._reweighted, name, x=x, y=y, **self._with_costs(name, x, y, parameters)
        )

    @suggest_arguments
    def best(  # noqa: PLR0913 - one parameter per option
        self,
        by: str | None = None,
        *,
        target: float | None = None,
        costs: Costs | None = None,
        prevalence: float | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
    ) -> Decision:
        """The best threshold by cost, Youden's J, a metric, a target for a metric or a capacity.

        Of several models, it is the decision of the one that is best out of sample; `thresholds`
        lists all.

        Args:
            by: "cost", "youden", "capacity", a metric to optimize, or one that must reach a
                `target`. By default "cost" if costs are known, else "youden".
            target: Value that the metric must reach, or the number of rows for "capacity".
            costs: Costs of the outcomes.
            prevalence: Proportion of positives where the threshold will be used.
            beta: For the F-measure: how much more recall counts than precision.
            weight: For the distance to perfect: weight of false negatives.
            alpha: For the weighted error rate: weight of a false positive.
            gamma: For the rejection trade-off: weight of an error.
            dominance: For the index of balanced accuracy: its dominance parameter.

        Example:
            >>> from tradeoff import Costs, evaluate
            >>> e = evaluate([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.35, 0.6, 0.7, 0.9])
            >>> e.best("youden")
            Decision(score >= 0.7: youden_j = 0.6667)
            >>> e.best(costs=Costs(fn=5), prevalence=0.2)
            Decision(score >= 0.35: expected_cost = 0.2667)
        """
        if len(self.rankings) > 1:
            decisions = self.thresholds(
                by,
                target=target,
                costs=costs,
                prevalence=prevalence,
                beta=beta,
                weight=weight,
                alpha=alpha,
                gamma=gamma,
                dominance=dominance,
            )
            return decisions.best
        parameters = _without_none(
            beta=beta, weight=weight, alpha=alpha, gamma=gamma, dominance=dominance
        )
        if curves.is_cost_metric(by) and self._costs(costs):
            by = "cost"
        decision = best_threshold(
            self.ranking,
            by,
            target=target,
            costs=self._costs(costs) if by in {None, "cost"} else costs,
            prevalence=self.prevalence if prevalence is None else prevalence,
            **parameters,
        )
        return replace(decision, confidence=self.confidence)

    @suggest_arguments
    def curve_estimate(  # noqa: PLR0913 - one parameter per option
        self,
        name: str | None = None,
        *,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        costs: Costs | None = None,
        threshold: float | None = None,
        standardized: bool | None = None,
        by: Grouping | None = None,
        bins: int | None = None,
        window: int | None = None,
        band: Kind | Literal["bootstrap"] | None = None,
        level: float | EllipsisType = ...,
        replicates: int | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> CurveEstimate:
        """A curve with the confidence interval of its area and a confidence band.

        Args:
            name: The curve, as for `curve`.
            x: A metric, or "threshold".
            y: A metric, or several if x is the threshold.
            costs: Costs of the outcomes, for "expected_cost" and "profit".
            threshold: For "predictive_values" and rejection curves: the threshold.
            standardized: Whether "net_benefit" is divided by the prevalence.
            by: For "calibration": how to group rows.
            bins: For "calibration" and "bin_lift": number of bins.
            window: For "calibration" with a moving window: number of rows in it.
            band: "pointwise", "simultaneous" or "bootstrap" (pointwise, from resamples).
            level: Confidence level of the band.
            replicates: Number of bootstrap resamples.
            seed: Seed of the bootstrap.
            progress: Called with the number of completed resamples and the total number.
        """
        parameters = _without_none(
            costs=costs,
            threshold=threshold,
            standardized=standardized,
            by=by,
            bins=bins,
            window=window,
        )
        curve = self.curve(name, x=x, y=y, **parameters)
        area = self.auc if curve.name == "roc" else curve.area()
        if band is None:
            return CurveEstimate(curve, area)
        confidence_band = self.band(
            name,
            kind="pointwise" if band == "bootstrap" else band,
            x=x,
            y=y,
            level=level,
            method="bootstrap" if band == "bootstrap" else None,
            replicates=replicates,
            seed=seed,
            progress=progress,
            **parameters,
        )
        return CurveEstimate(curve, area, confidence_band)

    @suggest_arguments
    def thresholds(  # noqa: PLR0913 - one parameter per option
        self,
        by: str | None = None,
        *,
        target: float | None = None,
        costs: Costs | None = None,
        prevalence: float | None = None,
        beta: float | None = None,
        weight: float | None = None,
        alpha: float | None = None,
        gamma: float | None = None,
        dominance: float | None = None,
        tolerance: float | None = None,
        check: bool = True,
        replicates: int | None = None,
        vocabulary: Vocabulary = "general",
    ) -> Decisions:
        """The best threshold of each model by `best`, with its out-of-sample estimate.

        Args:
            by: "cost", "youden", "capacity", a metric to optimize, or one that must reach a
                `target`. By default "cost" if costs are known, else "youden".
            target: Value that the metric must reach, or the number of rows for "capacity".
            costs: Costs of the outcomes.
            prevalence: Proportion of positives where the threshold will be used.
            beta: For the F-measure: how much more recall counts than precision.
            weight: For the distance to perfect: weight of false negatives.
            alpha: For the weighted error rate: weight of a false positive.
            gamma: For the rejection trade-off: weight of an error.
            dominance: For the index of balanced accuracy: its dominance parameter.
            tolerance: Also list thresholds that are worse by at most this amount.
            check: Whether to estimate the criterion out of sample (out-of-bag bootstrap).
            replicates: Number of bootstrap resamples for that estimate.
            vocabulary: Which names to use for metrics: "general", "ml", "clinical" or "marketing".
                The metric in `by` keeps the name given there.
        """
        decisions, confidence = [], self.confidence or DEFAULT_CONFIDENCE
        for name in self:
            decision = self[name].best(
                by,
                target=target,
                costs=costs,
                prevalence=prevalence,
                beta=beta,
                weight=weight,
                alpha=alpha,
                gamma=gamma,
                dominance=dominance,
            )
            decision = replace(decision, tolerance=tolerance, vocabulary=vocabulary)
            if check:
                decision = with_out_of_sample(decision, replicates, confidence)
            decisions.append(decision)
        differences = self._paired_differences(decisions, confidence) if check else {}
        return Decisions(tuple(decisions), differences)

    def _paired_differences(
        self, decisions: Sequence[Decision], confidence: Confidence
    ) -> Mapping[str, Estimate] | str:
        """Differences of the other models to the best one, or the reason why there are none."""
        if len(decisions) < 2:
            return {}
        if not self.models.rows:
            return f"they need the {self.wording.units} in memory"
        from tradeoff.sources.shared_rows import rank_shared_rows
        from tradeoff.thresholds.paired_differences import paired_differences

        first_clusters = next(iter(self.clusters.values()), None)
        codes = None if first_clusters is None else first_clusters.clusters
        if codes is not None and len({r.rows for r in self.rankings.values()}) > 1:
            return (
                f"the models did not score the same {self.wording.units}, so they are not compared"
            )
        out_of_sample = decisions[0].out_of_sample
        replicates = getattr(out_of_sample, "replicates", confidence.replicates)
        confidence = replace(confidence, method=None, replicates=replicates, progress=None)
        try:
            return paired_differences(
                ranked_decisions(decisions),
                rank_shared_rows(self.models.rows, codes, self.wording),
                confidence,
            )
        except InputError as problem:
            reason = str(problem).rstrip(".")
            return f"{reason[:1].lower()}{reason[1:]}"

    @suggest_arguments
    def cutoffs(  # noqa: PLR0913 - one parameter per option
        self,
        at: float | Sequence[float] | None = None,
        *,
        everything: bool = False,
        metric: str | Sequence[str] = (),
        out_of_bag: bool = False,
        by: str = "youden",
        target: float | None = None,
        replicates: int | None = None,
        vocabulary: Vocabulary = "clinical",
    ) -> Cutoffs:
        """Table of cut-offs: counts, sensitivity, specificity, PPV, NPV and likelihood ratios.

        Args:
            at: The cut-offs; by default Youden's and round ones near quantiles of the scores.
            everything: List all distinct scores instead.
            metric: Metrics to show, under the names given here; by default those of the vocabulary.
            out_of_bag: Add what to expect, on new data, of a cut-off chosen by `by`: it is chosen
                on bootstrap resamples and evaluated on the rows left out of each.
            by: For `out_of_bag`: criterion, as for `best`.
            target: For `out_of_bag`: value that the metric named by `by` must reach.
            replicates: For `out_of_bag`: number of bootstrap resamples.
            vocabulary: Which metrics to show, and which names to use for them.

        Example:
            >>> from tradeoff import evaluate
            >>> e = evaluate([0, 0, 1, 0, 1, 1], {"marker": [1, 2, 3, 4, 5, 6]}, level=None)
            >>> print(e.cutoffs([3, 5], metric=["sensitivity", "specificity"]))
            6 rows, 3 positive (1).
            <BLANKLINE>
            marker ≥  TP  FP  FN  TN  sensitivity  specificity
            3          3   1   0   2         1.00         0.67
            5 Youden   2   0   1   3         0.67         1.00
            <BLANKLINE>
            Prevalence 50.0% (3 of 6).
        """
        thresholds = [at] if isinstance(at, int | float) else at
        measures = cutoff_measures(_name_list(metric), vocabulary)
        tables = []
        for name, ranking in self.rankings.items():
            table = cutoff_table(
                ranking,
                thresholds,
                measures,
                everything=everything,
                prevalence=self.prevalence,
                confidence=self.confidence,
                clusters=self[name]._clusters,  # noqa: SLF001 - same class
            )
            if out_of_bag and name in self.clusters:
                raise InputError(
                    "Out-of-bag estimates of a cut-off assume independent rows: leave out clusters."
                )
            if out_of_bag:
                chosen = out_of_bag_cutoff(
                    ranking,
                    measures,
                    by=by,
                    target=target,
                    prevalence=self.prevalence,
                    confidence=self.confidence,
                    replicates=replicates,
                )
                table = replace(table, out_of_bag=chosen)
            tables.append(table)
        return Cutoffs(tuple(tables), measures, self.prevalence, self.confidence, vocabulary)

    @suggest_arguments
    def reject_bands(  # noqa: PLR0913 - one parameter per option
        self,
        *,
        gamma: float | None = None,
        costs: Costs | None = None,
        coverage: float | None = None,
        capacity: float | None = None,
        prevalence: float | None = None,
        check: bool = True,
        replicates: int | None = None,
        vocabulary: Vocabulary = "general",
    ) -> Decisions:
        """The best reject band of each model by `best_band`, with its out-of-sample estimate.

        `vocabulary` sets the names of metrics, as for `thresholds`; the other arguments are those
        of `best_band`.
        """
        decisions, confidence = [], self.confidence or DEFAULT_CONFIDENCE
        for name in self:
            decision = self[name].best_band(
                gamma=gamma,
                costs=costs,
                coverage=coverage,
                capacity=capacity,
                prevalence=prevalence,
            )
            decision = replace(decision, vocabulary=vocabulary)
            decisions.append(
                with_out_of_sample(decision, replicates, confidence) if check else decision
            )
        return Decisions(tuple(decisions))

    @suggest_arguments
    def gains(
        self,
        *,
        groups: int | None = None,
        costs: Costs | None = None,
        top: Top | None = None,
        check: bool = True,
        replicates: int | None = None,
    ) -> Gains:
        """Deciles with lift and profit, and the threshold for contacts, of each model.

        Args:
            groups: Number of groups of equal size; by default 10 (deciles).
            costs: Cost of a contact and value of a response: `Costs(contact=5, value=60)`. By
                default those of the evaluation; without costs there are no profits.
            top: Contacts at most: a number of rows (1 or more), or a proportion of them (below 1).
                By default the most profitable number. Ties are never split.
            check: Whether to estimate the profit out of sample (out-of-bag bootstrap).
            replicates: Number of bootstrap resamples for that estimate.
        """
        confidence = self.confidence or DEFAULT_CONFIDENCE
        return Gains(
            tuple(
                model_gains(
                    evaluation._reweighted,  # noqa: SLF001 - same class
                    groups=groups,
                    costs=evaluation._costs(costs),  # noqa: SLF001
                    top=top,
                    check=check,
                    replicates=replicates,
                    confidence=confidence,
                )
                for evaluation in (self[name] for name in self)
            )
        )

    @suggest_arguments
    def by_segment(
        self,
        metrics: Sequence[str | Measure] | None = None,
        *,
        vocabulary: Vocabulary = "general",
    ) -> Segments:
        """Metrics of the only model in each segment, worst first, and the gaps between segments.

        Args:
            metrics: Names of metrics and summaries; by default the AUC and the true and false
                positive rates.
            vocabulary: Which names to use: "general", "ml", "clinical" or "marketing". A metric
                requested under another name keeps that name.
        """
        if metrics is None:
            metrics = (SUMMARIES["auc"], METRICS["tpr"], METRICS["fpr"])
        model = self.ranking.name
        rankings = self.segments.get(model, {})
        values = by_segment(
            rankings,
            metrics,
            threshold=self.operating_threshold,
            confidence=self.confidence,
            vocabulary=vocabulary,
        )
        return Segments(model, rankings, tuple(values), self.operating_thresholds[model])

    @suggest_arguments
    def best_band(
        self,
        *,
        gamma: float | None = None,
        costs: Costs | None = None,
        coverage: float | None = None,
        capacity: float | None = None,
        prevalence: float | None = None,
    ) -> BandDecision:
        """The best band of scores to leave undecided.

        Give a gamma, costs that include the cost of rejection, a coverage that must be reached, or
        a capacity: the number of rows that can be reviewed.
        """
        decision = best_band(
            self.ranking,
            gamma=gamma,
            costs=costs if gamma is not None else self._costs(costs),
            coverage=coverage,
            capacity=capacity,
            prevalence=self.prevalence if prevalence is None else prevalence,
        )
        return replace(decision, confidence=self.confidence)

    @suggest_arguments
    def expenses(
        self,
        threshold: float | None = None,
        *,
        costs: Costs | None = None,
        prevalence: float | None = None,
    ) -> Expenses:
        """Costs at a threshold, compared with trivial decisions, a random choice and an oracle."""
        cost = self._costs(costs)
        if cost is None:
            raise InputError("Give the costs of the outcomes: costs=Costs(false_positive=…, …).")
        at = self.operating_threshold if threshold is None else threshold
        prevalence = self.prevalence if prevalence is None else prevalence
        return expenses(self.ranking, cost, at, prevalence)

    @suggest_arguments
    def average(  # noqa: PLR0913 - one parameter per option
        self,
        name: str | None = None,
        *,
        method: Method = "vertical",
        x: str | None = None,
        y: str | None = None,
        band: Spread | None = None,
        costs: Costs | None = None,
        threshold: float | None = None,
        standardized: bool | None = None,
        by: Grouping | None = None,
        bins: int | None = None,
        window: int | None = None,
    ) -> AverageCurve:
        """A curve averaged over the folds that `evaluate(…, fold=…)` read.

        Args:
            name: The curve, as for `curve`; by default "roc".
            method: "vertical", "horizontal", "threshold" or "pooled".
            x: A metric, or "threshold".
            y: A metric.
            band: Spread over folds to include in the table: "t", "sd" or "se".
            costs: Costs of the outcomes, for "expected_cost" and "profit".
            threshold: For "predictive_values" and rejection curves: the threshold.
            standardized: Whether "net_benefit" is divided by the prevalence.
            by: For "calibration": how to group rows.
            bins: For "calibration" and "bin_lift": number of bins.
            window: For "calibration" with a moving window: number of rows in it.
        """
        name = name or ("roc" if x is None and y is None else None)
        parameters = _without_none(
            costs=costs,
            threshold=threshold,
            standardized=standardized,
            by=by,
            bins=bins,
            window=window,
        )
        parameters = self._with_costs(name, x, y, parameters)
        average = average_curve(self.own_folds, name, method=method, x=x, y=y, **parameters)
        return replace(average, spread=band)

    @property
    def own_folds(self) -> Mapping[str, Ranking]:
        """Rankings of the only model by fold."""
        model = self.ranking.name
        if model not in self.folds:
            raise InputError("No folds were read: name the fold column, as in evaluate(…, fold=…).")
        return self.models.at_prevalence(self.prevalence).folds[model]

    def at_prevalence(self, prevalence: float) -> Evaluation:
        """The evaluation in a population with this proportion of positives."""
        return replace(self, models=self.models.at_prevalence(prevalence))

    @suggest_arguments
    def hull(
        self, costs: Costs | None = None, prevalence: tuple[float, float] | float | None = None
    ) -> Hull:
        """The convex hull of all models' ROC curves: which model is best under which conditions.

        With costs or a prevalence (or a range), the hull also lists what can be best there: models
        and their thresholds.
        """
        common_hull = hull(self.rankings)
        if costs is None and prevalence is None:
            return common_hull
        return common_hull.with_best(costs, prevalence)

    @property
    def _reweighted(self) -> Ranking:
        """The ranking of the only model, at the prevalence of the evaluation."""
        return self.ranking.at_prevalence(self.prevalence)

    @property
    def _clusters(self) -> PairedRanking | None:
        """Rows of the only model by cluster, at the prevalence of the evaluation."""
        clusters = self.clusters.get(self.ranking.name)
        if clusters is None or self.prevalence is None:
            return clusters
        return clusters.at_prevalence(self.prevalence)

    def _with_costs(
        self, name: str | None, x: str | None, y: Any, parameters: dict[str, Any]
    ) -> dict[str, Any]:
        """Parameters of a curve, with the costs of the evaluation if the curve takes costs."""
        costs = self._costs(parameters.get("costs"))
        return curves.with_costs(costs, name, x, y, parameters)

    def _costs(self, costs: AnyCosts | None) -> AnyCosts | None:
        """The given costs, or by default those of the only model."""
        if costs is None:
            return self.costs.get(next(iter(self.rankings))) if len(self.rankings) == 1 else None
        return require_costs(costs)

    @suggest_arguments
    def report(  # noqa: PLR0913 - one parameter per option
        self,
        path: str | os.PathLike[str],
        *,
        threshold: Thresholds | None = None,
        title: str | None = None,
        comparison: Comparison | None = None,
        prevalence: float | None = None,
        costs: Costs | None = None,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
        checklist: GuidelineName | None = None,
    ) -> None:
        """Write an offline HTML report in which the threshold can be moved.

        Args:
            path: File to write.
            threshold: Threshold selected when the page opens: a number, or a mapping from models
                to numbers. By default that of the evaluation, or the best for `costs`.
            title: Title of the page.
            comparison: Comparison of the same models, from `compare`.
            prevalence: Initial prevalence of the page.
            costs: Initial costs of the page.
            metric: Metrics and summaries to show first, under the names given here.
            vocabulary: Which metrics to show first otherwise, and which names to use: "general",
                "ml", "clinical" or "marketing".
            checklist: Reporting guideline whose items are filled in where the data answer them:
                "stard-ai" for diagnostic accuracy, "tripod-ai" for prediction models.
        """
        from tradeoff.report.page import write_page

        document = self._page_document(
            threshold=threshold,
            title=title,
            comparison=comparison,
            prevalence=prevalence,
            costs=costs,
            metric=_name_list(metric),
            vocabulary=vocabulary,
            checklist=checklist,
        )
        write_page(document, path)

    def _page_document(  # noqa: PLR0913 - one parameter per option
        self,
        *,
        threshold: Thresholds | None = None,
        title: str | None = None,
        comparison: Comparison | None = None,
        prevalence: float | None = None,
        costs: Costs | None = None,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
        checklist: GuidelineName | None = None,
    ) -> dict[str, Any]:
        from tradeoff.report.document import report_document

        models = self.models
        if costs is not None:
            models = replace(models, costs=dict.fromkeys(self.rankings, require_costs(costs)))
        return report_document(
            models,
            confidence=self.confidence,
            prevalence=self.prevalence if prevalence is None else prevalence,
            threshold=self.threshold if threshold is None else threshold,
            goal=self.goal,
            decisions=self._page_decisions(models, prevalence),
            title=title,
            comparison=comparison,
            metric=metric,
            vocabulary=vocabulary,
            wording=self.wording,
            checklist=checklist,
        )

    def _page_decisions(self, models: RankedModels, prevalence: float | None) -> Decisions | None:
        """The best threshold of each model, if costs or a goal choose one."""
        if not (models.costs or self.goal):
            return None
        evaluation = replace(self, models=models)
        by, target = self.goal or (None, None)
        try:
            return evaluation.thresholds(by, target=target, prevalence=prevalence)
        except InputError:  # such as a target that a model cannot reach
            return None

    def page(self) -> NotebookPage:
        """The interactive report, to be shown in a notebook; `report` writes it to a file."""
        from tradeoff.report.page import NotebookPage, page_iframe

        return NotebookPage(page_iframe(self._page_document()))

    def _repr_html_(self) -> str:
        """The card of the evaluation for notebooks."""
        from tradeoff.evaluation.card import card_html

        return card_html(self)

    @suggest_arguments
    def chart(  # noqa: PLR0913 - one parameter per option
        self,
        name: str | None = None,
        *,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        threshold: float | Sequence[float] | None = None,
        by: str | None = None,
        target: float | None = None,
        costs: Costs | None = None,
        beta: float | None = None,
        weight: float | None = None,
        hull: bool = False,
        band: Literal["pointwise", "simultaneous", "bootstrap"] | Spread | None = None,
        average: Method | None = None,
        bins: int | None = None,
        window: int | None = None,
        bands: Bands | EllipsisType | None = ...,
        rows: Rows | None = None,
        along: Literal["threshold", "depth"] | None = None,
        undecided: tuple[float, float] | None = None,
        gamma: float | None = None,
        coverage: float | None = None,
        capacity: float | None = None,
        summary: str | None = None,
        standardized: bool | None = None,
        prevalence: float | None = None,
        level: float | EllipsisType | None = ...,
        replicates: int | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Chart:
        """A chart by name, or of any metric over any other.

        Most options apply to some charts only; with any other chart they raise an error.

        Args:
            name: Any curve, "matrix", "scores", "hull", "decision_map", "decision", "rejection",
                "areas" or "folds"; by default "roc".
            x: A metric, or "threshold".
            y: A metric, or several if x is the threshold.
            threshold: One or several thresholds to mark, or the threshold of a confusion matrix.
            by: Criterion for the threshold to mark, as for `best`; for calibration, how to group
                rows.
            target: Value that the metric named by `by` must reach.
            costs: Costs of the outcomes.
            beta: Parameter of the F-measure as a criterion.
            weight: Parameter of the distance to perfect as a criterion.
            hull: Whether to draw the convex hull of ROC curves.
            band: Confidence band; over folds "t", "sd" or "se".
            average: How to average over folds: "vertical", "horizontal", "threshold" or "pooled".
            bins: Number of bins, for scores, calibration or lift.
            window: For calibration: number of rows in a moving window.
            bands: For calibration: "consistency" or "confidence" bands; None for no bands.
            rows: For a confusion matrix: whether its rows are "actual" or "predicted" classes.
            along: For a decision: its x-axis, "threshold" or "depth".
            undecided: For scores: limits of a reject band to mark.
            gamma: For rejection: weight of an error.
            coverage: For rejection: proportion of rows to decide.
            capacity: For rejection: number of rows that can be reviewed.
            summary: For areas: the summary to compare between models.
            standardized: Whether net benefit is divided by the prevalence.
            prevalence: Proportion of positives where the models will be used.
            level: Confidence level; None for no intervals.
            replicates: Number of bootstrap resamples for a band.
            seed: Seed of the bootstrap.
            progress: Called with the number of completed resamples and the total number.
        """
        chart: Chart = find_view(self, "chart")(
            self,
            name,
            x=x,
            y=y,
            threshold=threshold,
            by=by,
            target=target,
            costs=costs,
            beta=beta,
            weight=weight,
            band=band,
            average=average,
            bins=bins,
            window=window,
            rows=rows,
            along=along,
            undecided=undecided,
            gamma=gamma,
            coverage=coverage,
            capacity=capacity,
            summary=summary,
            standardized=standardized,
            prevalence=prevalence,
            replicates=replicates,
            seed=seed,
            progress=progress,
            hull=hull or None,
            bands=bands,
            level=level,
        )
        return chart

    @suggest_arguments
    def plot(  # noqa: PLR0913 - one parameter per option
        self,
        name: str | None = None,
        *,
        ax: Any = None,
        style: ChartStyleName = "default",
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        threshold: float | Sequence[float] | None = None,
        by: str | None = None,
        target: float | None = None,
        costs: Costs | None = None,
        beta: float | None = None,
        weight: float | None = None,
        hull: bool = False,
        band: Literal["pointwise", "simultaneous", "bootstrap"] | Spread | None = None,
        average: Method | None = None,
        bins: int | None = None,
        window: int | None = None,
        bands: Bands | EllipsisType | None = ...,
        rows: Rows | None = None,
        along: Literal["threshold", "depth"] | None = None,
        undecided: tuple[float, float] | None = None,
        gamma: float | None = None,
        coverage: float | None = None,
        capacity: float | None = None,
        summary: str | None = None,
        standardized: bool | None = None,
        prevalence: float | None = None,
        level: float | EllipsisType | None = ...,
        replicates: int | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> Any:
        """Draw a chart with matplotlib, on `ax` or a new figure.

        Other arguments are those of `chart`; `style="paper"` is grey and one column wide.
        """
        chart = self.chart(
            name,
            x=x,
            y=y,
            threshold=threshold,
            by=by,
            target=target,
            costs=costs,
            beta=beta,
            weight=weight,
            hull=hull,
            band=band,
            average=average,
            bins=bins,
            window=window,
            bands=bands,
            rows=rows,
            along=along,
            undecided=undecided,
            gamma=gamma,
            coverage=coverage,
            capacity=capacity,
            summary=summary,
            standardized=standardized,
            prevalence=prevalence,
            level=level,
            replicates=replicates,
            seed=seed,
            progress=progress,
        )
        return renderer("matplotlib")(chart, ax, style)

    def sections(
        self,
        *,
        everything: bool = False,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
    ) -> list[Section]:
        """Text sections of the evaluation; with `everything`, all metrics.

        With `metric`, only those, under the names given here; otherwise `vocabulary` selects and
        names the metrics.
        """
        sections: list[Section] = find_view(self, "sections")(
            self, everything=everything, metric=_name_list(metric), vocabulary=vocabulary
        )
        return sections

    def to_dict(
        self,
        threshold: Thresholds | None = None,
        *,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
    ) -> dict[str, Any]:
        """All results at one threshold, ready for JSON (undefined metrics are None).

        With `metric`, only those metrics and summaries, under the names given here; otherwise
        `vocabulary` sets the labels.
        """
        evaluation = self if threshold is None else replace(self, threshold=threshold)
        document: dict[str, Any] = find_view(self, "document")(
            evaluation, metric=_name_list(metric), vocabulary=vocabulary
        )
        return document

    def columns(
        self,
        threshold: Thresholds | None = None,
        *,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
    ) -> dict[str, list[Any]]:
        """All results at one threshold as a tidy table, one row per value.

        `to_csv` writes it, and `to_pandas(long=True)` returns it.

        With `metric`, only those metrics and summaries, under the names given here; otherwise
        `vocabulary` sets the labels.
        """
        evaluation = self if threshold is None else replace(self, threshold=threshold)
        columns: dict[str, list[Any]] = find_view(self, "columns")(
            evaluation, metric=_name_list(metric), vocabulary=vocabulary
        )
        return columns

    @suggest_arguments
    def to_pandas(
        self,
        *,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
        long: bool = False,
    ) -> Any:
        """Key measures with their intervals as a pandas dataframe, one row per model.

        Args:
            metric: Metrics and summaries to return instead, under the names given here.
            vocabulary: Which measures to return otherwise, and under which names: "general", "ml",
                "clinical" or "marketing".
            long: All measures, also of folds and segments, one row per value (as `columns`).
        """
        return self._dataframe("pandas", metric, vocabulary, long=long)

    @suggest_arguments
    def to_polars(
        self,
        *,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
        long: bool = False,
    ) -> Any:
        """Key measures with their intervals as a polars dataframe; see `to_pandas`."""
        return self._dataframe("polars", metric, vocabulary, long=long)

    @suggest_arguments
    def to_arrow(
        self,
        *,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
        long: bool = False,
    ) -> Any:
        """Key measures with their intervals as a pyarrow table; see `to_pandas`."""
        return self._dataframe("pyarrow", metric, vocabulary, long=long)

    def _dataframe(
        self,
        library: Literal["pandas", "polars", "pyarrow"],
        metric: str | Sequence[str],
        vocabulary: Vocabulary,
        *,
        long: bool,
    ) -> Any:
        """Dataframe of a library: one row per model, or one row per value."""
        from tradeoff.evaluation.views import model_columns

        if long:
            columns = self.columns(metric=metric, vocabulary=vocabulary)
        else:
            columns = model_columns(self, metric=_name_list(metric), vocabulary=vocabulary)
        return to_dataframe(columns, library)

    def to_csv(self, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general") -> str:
        """The table of `columns` as CSV."""
        columns = self.columns(metric=metric, vocabulary=vocabulary)
        return str(renderer("csv")(list(columns), zip(*columns.values(), strict=True)))

    @classmethod
    def load(cls, *paths: str | os.PathLike[str], costs: Costs | None = None) -> Evaluation:
        """Evaluation of saved rankings, which must have the same classes and distinct names."""
        rankings = [Ranking.load(path) for path in paths]
        named = {ranking.name: ranking for ranking in rankings}
        if len(named) < len(rankings):
            raise InputError(
                "Two of these rankings have the same name, by which a report distinguishes models."
            )
        classes = {(r.positive, r.negative, r.lower_is_positive) for r in rankings}
        if len(classes) > 1:
            raise InputError(
                "These rankings have different classes or directions: make a report of each."
            )
        return cls(RankedModels(named, costs=dict.fromkeys(named, costs) if costs else {}))

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Save the ranking of each model in a folder; return the paths of the files.

        Characters of a model name that are special in paths are replaced in its file name.
        """
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{folder} cannot be created: {error.strerror}.") from error
        paths = []
        for number, (name, ranking) in enumerate(self.rankings.items(), 1):
            safe_name = re.sub(r"[^\w-]+", "_", name)[:60]
            paths.append(Path(folder) / f"{number}_{safe_name}.ranking")
            ranking.save(paths[-1])
        return paths

    def __getitem__(self, name: str) -> Evaluation:
        """The evaluation of one model."""
        if name not in self.rankings:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(name, self.rankings)} "
                f"Available models: {format_list(self.rankings)}."
            )
        given = thresholds_by_model(self.threshold, self.rankings)
        return replace(self, models=self.models.of(name), threshold=given.get(name))

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the models."""
        return iter(self.rankings)

    def __len__(self) -> int:
        """Number of models."""
        return len(self.rankings)

    def __repr__(self) -> str:
        """Models and their AUCs on one line."""
        models = (f"{name}: AUC {self[name].auc!r}" for name in self)
        return f"Evaluation({'; '.join(models)})"


def _name_list(names: str | Sequence[str]) -> list[str]:
    """Names as a list; a single name may be given by itself."""
    return [names] if isinstance(names, str) else list(names)


def _without_none(**parameters: Any) -> dict[str, Any]:
    """Parameters whose value is not None."""
    return {name: value for name, value in parameters.items() if value is not None}
