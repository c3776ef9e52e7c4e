"""The façade: what a user asks of one or more ranked models. Computes nothing itself."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.calibration.calibration import Calibration, How, calibration, recalibrated
from tradeoff.calibration.maps import CalibrationMap
from tradeoff.calibration.reliability import Bands
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import AnyCosts, Costs, Expenses, demand_costs, expenses
from tradeoff.core.models import Groups, RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, StorageError, UnknownName, did_you_mean, listed
from tradeoff.hulls.hull import Hull, hull
from tradeoff.measures import curves
from tradeoff.measures.curves.average import AverageCurve, Method, Spread, average_curve
from tradeoff.measures.curves.curve import Curve
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Settled
from tradeoff.results import Result, view_of
from tradeoff.segments import Segments, by_segment
from tradeoff.smooth.curve import SmoothCurve, smooth_roc
from tradeoff.thresholds.decision import Decision, Decisions, best_threshold
from tradeoff.thresholds.out_of_sample import checked
from tradeoff.thresholds.reject_band import BandDecision, best_band
from tradeoff.uncertainty.confidence import USUAL, Confidence, Progress, Sampling, adjusted
from tradeoff.uncertainty.curve_bands import Band, CurveEstimate, Kind, curve_band
from tradeoff.uncertainty.estimates import (
    answer,
    cost_estimate,
    metric_estimates,
    summary_estimates,
)
from tradeoff.uncertainty.question import ask

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.core.paired import PairedRanking

__all__ = ["METRICS", "SUMMARIES", "Evaluation"]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Evaluation(Result, views="tradeoff.evaluation.views", charts="tradeoff.evaluation.charts"):
    """One or more models, each with its ranking of the same rows.

    With a single model its numbers are asked of the evaluation itself; with several, choose one
    first: `e["naive_bayes"].auc`.
    """

    models: RankedModels
    confidence: Confidence | None
    prevalence: float | None
    threshold: float

    def __init__(
        self,
        models: RankedModels | Mapping[str, Ranking],
        confidence: Confidence | None = USUAL,
        prevalence: float | None = None,
        threshold: float = 0.5,
    ) -> None:
        """Ask of models that are ranked already.

        Args:
            models: Rankings by name, or all that is known of models: also the rankings of folds
                and segments, costs, and rows by cluster.
            confidence: How sure numbers are; None leaves intervals out.
            prevalence: The share of positives where the models will be used, for all that is
                asked here; the rows' own if None.
            threshold: The one that matrix and metrics are of unless another one is named.
        """
        ranked = models if isinstance(models, RankedModels) else RankedModels(models)
        object.__setattr__(self, "models", ranked)
        object.__setattr__(self, "confidence", confidence)
        object.__setattr__(self, "prevalence", prevalence)
        object.__setattr__(self, "threshold", threshold)

    @property
    def rankings(self) -> Mapping[str, Ranking]:
        """Each model's ranking, as counted."""
        return self.models.rankings

    @property
    def folds(self) -> Groups:
        """Rankings by model and fold."""
        return self.models.folds

    @property
    def segments(self) -> Groups:
        """Rankings by model and segment."""
        return self.models.segments

    @property
    def costs(self) -> Mapping[str, AnyCosts]:
        """What was said of costs when the rows were read, by model."""
        return self.models.costs

    @property
    def clusters(self) -> Mapping[str, PairedRanking]:
        """The rows of models whose rows come in clusters."""
        return self.models.clusters

    @property
    def ranking(self) -> Ranking:
        """The ranking of the only model, as counted."""
        if len(self.rankings) != 1:
            names = list(self.rankings)
            raise InputError(
                f"This evaluation holds {len(names)} models, {listed(names)}: choose one, for "
                f"example e[{names[0]!r}]."
            )
        return next(iter(self.rankings.values()))

    @property
    def auc(self) -> Estimate:
        """The area under the ROC curve."""
        return self.summary("auc")

    def at(self, threshold: float | None = None) -> ConfusionMatrix:
        """The confusion matrix at a threshold, as counted."""
        return self.ranking.at(self.threshold if threshold is None else threshold)

    def metric(  # noqa: PLR0913 - which, where, and how sure
        self,
        name: str,
        threshold: float | None = None,
        *,
        undefined: Settled = nan,
        level: float | EllipsisType | None = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> Estimate:
        """One metric at a threshold, under any of its names, with its interval.

        Where it is undefined the estimate says why; `undefined` puts 0, 1 or "scikit-learn" (what
        that library says) in its place, and the estimate's note tells. `level` to `progress` are
        for this interval alone, `level=None` leaves it out; `parameters` are the metric's own.
        """
        measure = METRICS.find(name)
        confidence = adjusted(self.confidence, level, method, replicates, seed, sampling, progress)
        at = self.threshold if threshold is None else threshold
        costs = self._costs(None)
        if measure.takes_costs and not parameters and costs is not None:
            return cost_estimate(self.ranking, costs, at, confidence, self.prevalence)
        if parameters:
            measure = measure.with_parameters(**parameters)
        ranking = self._weighed
        estimates = metric_estimates([measure], ranking, at, confidence, self._clusters)
        estimate = estimates[measure.name]
        settles = not estimate.is_defined and (isinstance(undefined, str) or not isnan(undefined))
        return measure.estimate(ranking.at(at), undefined=undefined) if settles else estimate

    def summary(  # noqa: PLR0913 - which, and how sure
        self,
        name: str,
        *,
        level: float | EllipsisType | None = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> Estimate:
        """One summary of the whole ranking, under any of its names, with its interval."""
        measure = SUMMARIES.find(name)
        confidence = adjusted(self.confidence, level, method, replicates, seed, sampling, progress)
        if parameters:
            measure = measure.with_parameters(**parameters)
        return summary_estimates([measure], self._weighed, confidence, self._clusters)[measure.name]

    def estimate(  # noqa: PLR0913 - which, where, and how sure
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
        progress: Progress | None = None,
        **parameters: Any,
    ) -> Estimate:
        """Any one number with its interval, from bootstrap resamples where no formula is known.

        Also metrics where another one has a value, and the expected cost:
        `e.estimate("lift", at=("depth", 0.1))`, `e.estimate("cost", costs=Costs(…))`.
        """
        confidence = adjusted(self.confidence, level, method, replicates, seed, sampling, progress)
        prevalence = self.prevalence if prevalence is None else prevalence
        cost = self._costs(costs) if name == "cost" else None
        if cost is not None and not isinstance(cost, Costs):
            threshold = at[1] if at else self.threshold
            return cost_estimate(self.ranking, cost, threshold, confidence, prevalence)
        question = ask(name, at=at, prevalence=prevalence, costs=cost, **parameters)
        clusters = self.clusters.get(self.ranking.name)
        return answer(question, self.ranking, confidence, clusters)

    def band(  # noqa: PLR0913 - which, where, and how sure
        self,
        name: str | None = None,
        *,
        kind: Kind = "pointwise",
        at: Any = None,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        level: float | EllipsisType = ...,
        method: str | None = None,
        replicates: int | None = None,
        seed: int | None = None,
        sampling: Sampling | None = None,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> Band:
        """How sure a curve is: a "pointwise" band, or a "simultaneous" one around all of it.

        `at` says for which values of x.
        """
        confidence = adjusted(
            self.confidence or USUAL, level, method, replicates, seed, sampling, progress
        )
        which = {"name": name, "x": x, "y": y, **self._with_costs(name, x, y, parameters)}
        return curve_band(
            self._weighed, which, confidence or USUAL, kind=kind, x=at, paired=self._clusters
        )

    def calibration(  # noqa: PLR0913 - how sure
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
        progress: Progress | None = None,
    ) -> Calibration:
        """Whether scores are honest probabilities: decompositions, regression lines, tests.

        With `diagram` also the reliability diagram, with `bands` around it or without (None).
        """
        confidence = adjusted(
            self.confidence or USUAL, level, method, replicates, seed, sampling, progress
        )
        return calibration(
            self._weighed,
            confidence=confidence or USUAL,
            bins=bins,
            diagram=diagram,
            bands=bands,
        )

    def recalibrated(self, how: How = "isotonic") -> CalibrationMap:
        """A map from scores to honest probabilities, "isotonic" or "platt", to apply and save."""
        return recalibrated(self._weighed, how)

    def smooth(self, model: str = "binormal", **choices: Any) -> SmoothCurve:
        """A smooth model of the ROC curve, "binormal" or "kernel"; never the curve itself."""
        return smooth_roc(self._weighed, model, **choices)

    def curve(
        self,
        name: str | None = None,
        *,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        **parameters: Any,
    ) -> Curve:
        """A named curve, or any metric `y` over any metric `x`.

        Over the "threshold" `y` may be several metrics.
        """
        return curves.any_curve(
            self._weighed, name, x=x, y=y, **self._with_costs(name, x, y, parameters)
        )

    def best(
        self,
        by: str | None = None,
        *,
        target: float | None = None,
        costs: Costs | None = None,
        prevalence: float | None = None,
        **parameters: Any,
    ) -> Decision:
        """The best threshold: by cost, by "youden", by a target for a metric, by a capacity.

        The ways and what they need are those of `tradeoff.thresholds.decision.best_threshold`.

        Example:
            >>> from tradeoff import Costs, evaluate
            >>> e = evaluate(actual=[0, 0, 1, 0, 1, 1], score=[0.1, 0.3, 0.35, 0.6, 0.7, 0.9])
            >>> e.best("youden")
            Decision(score >= 0.7: youden_j = 0.6667)
            >>> e.best(costs=Costs(false_negative=5), prevalence=0.2)
            Decision(score >= 0.35: expected_cost = 0.2667)
        """
        if curves.asks_for_cost(by) and not parameters and self._costs(costs):
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

    def curve_estimate(  # noqa: PLR0913 - which, and how sure
        self,
        name: str | None = None,
        *,
        x: str | None = None,
        y: str | Sequence[str] | None = None,
        band: Kind | Literal["bootstrap"] | None = None,
        level: float | EllipsisType = ...,
        replicates: int | None = None,
        seed: int | None = None,
        progress: Progress | None = None,
        **parameters: Any,
    ) -> CurveEstimate:
        """A curve with how sure it is: an interval of its area, and a band around it.

        A `band` is "pointwise", "simultaneous", or "bootstrap": pointwise, from resamples.
        """
        curve = self.curve(name, x=x, y=y, **parameters)
        area = self.auc if name == "roc" else curve.area()
        if band is None:
            return CurveEstimate(curve, area)
        around = self.band(
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
        return CurveEstimate(curve, area, around)

    def thresholds(  # noqa: PLR0913 - how to choose, and what to tell of it
        self,
        by: str | None = None,
        *,
        target: float | None = None,
        costs: Costs | None = None,
        prevalence: float | None = None,
        tolerance: float | None = None,
        check: bool = True,
        replicates: int | None = None,
        **parameters: Any,
    ) -> Decisions:
        """The best threshold of each model, as `best`, with what it is worth on other rows.

        Args:
            by: As for `best`, like all that follow but these.
            target: What the metric must reach.
            costs: What outcomes cost.
            prevalence: The share of positives where the threshold will be used.
            tolerance: Also list thresholds that are worse by at most this.
            check: Whether to estimate what the choice is worth on rows that it was not made on.
            replicates: Number of bootstrap resamples of that.
            parameters: Of the metric.
        """
        decisions, confidence = [], self.confidence or USUAL
        for name in self:
            decision = self[name].best(
                by, target=target, costs=costs, prevalence=prevalence, **parameters
            )
            decision = replace(decision, tolerance=tolerance)
            decisions.append(checked(decision, replicates, confidence) if check else decision)
        return Decisions(tuple(decisions))

    def reject_bands(  # noqa: PLR0913 - how to choose, and what to tell of it
        self,
        *,
        gamma: float | None = None,
        costs: Costs | None = None,
        coverage: float | None = None,
        capacity: float | None = None,
        prevalence: float | None = None,
        check: bool = True,
        replicates: int | None = None,
    ) -> Decisions:
        """The best band to reject of each model, as `best_band`, and its worth on other rows."""
        decisions, confidence = [], self.confidence or USUAL
        for name in self:
            decision = self[name].best_band(
                gamma=gamma,
                costs=costs,
                coverage=coverage,
                capacity=capacity,
                prevalence=prevalence,
            )
            decisions.append(checked(decision, replicates, confidence) if check else decision)
        return Decisions(tuple(decisions))

    def by_segment(
        self, metrics: Sequence[str] = ("auc", "tpr", "fpr"), **parameters: Any
    ) -> Segments:
        """The only model's numbers in each segment, worst first, and the gaps between segments."""
        model = self.ranking.name
        rankings = self.segments.get(model, {})
        numbers = by_segment(
            rankings,
            metrics,
            threshold=self.threshold,
            confidence=self.confidence,
            **parameters,
        )
        return Segments(model, rankings, tuple(numbers))

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

        For a gamma, for costs that say what rejecting costs, for a coverage that must be kept, or
        for a capacity of rows that can be reviewed.
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

    def expenses(
        self,
        threshold: float | None = None,
        *,
        costs: Costs | None = None,
        prevalence: float | None = None,
    ) -> Expenses:
        """What a threshold costs, beside all, none, random choice and an oracle."""
        cost = self._costs(costs)
        if cost is None:
            raise InputError("Say what outcomes cost: costs=Costs(false_positive=…, …).")
        at = self.threshold if threshold is None else threshold
        weighed = self.prevalence if prevalence is None else prevalence
        return expenses(self.ranking, cost, at, weighed)

    def average(
        self,
        name: str | None = None,
        *,
        method: Method = "vertical",
        x: str | None = None,
        y: str | None = None,
        band: Spread | None = None,
        **parameters: Any,
    ) -> AverageCurve:
        """A curve averaged over the folds that `evaluate(…, fold=…)` read.

        A `band` of how far folds lie apart ("t", "sd" or "se") is part of its table.
        """
        name = name or ("roc" if x is None and y is None else None)
        parameters = self._with_costs(name, x, y, parameters)
        average = average_curve(self.own_folds, name, method=method, x=x, y=y, **parameters)
        return replace(average, spread=band)

    @property
    def own_folds(self) -> Mapping[str, Ranking]:
        """The only model's rankings by fold."""
        model = self.ranking.name
        if model not in self.folds:
            raise InputError("No folds were read: name their column, as in evaluate(…, fold=…).")
        return self.models.at_prevalence(self.prevalence).folds[model]

    def at_prevalence(self, prevalence: float) -> Evaluation:
        """The evaluation as it would be where positives are this share of all rows."""
        return replace(self, models=self.models.at_prevalence(prevalence))

    def hull(
        self, costs: Costs | None = None, prevalence: tuple[float, float] | float | None = None
    ) -> Hull:
        """The convex hull of all models' ROC points: who is best where.

        With costs or a prevalence (or a range of it) the hull also says what can be best there.
        """
        common = hull(self.rankings)
        asked = costs is not None or prevalence is not None
        return common.asked(costs, prevalence) if asked else common

    @property
    def _weighed(self) -> Ranking:
        """The ranking of the only model, at the prevalence that is asked about."""
        return self.ranking.at_prevalence(self.prevalence)

    @property
    def _clusters(self) -> PairedRanking | None:
        """The only model's rows by cluster, at the prevalence that is asked about."""
        clusters = self.clusters.get(self.ranking.name)
        if clusters is None or self.prevalence is None:
            return clusters
        return clusters.at_prevalence(self.prevalence)

    def _with_costs(
        self, name: str | None, x: str | None, y: Any, parameters: dict[str, Any]
    ) -> dict[str, Any]:
        """A curve's parameters, with the evaluation's own costs where it takes some."""
        costs = self._costs(parameters.get("costs"))
        return curves.with_costs(costs, name, x, y, parameters)

    def _costs(self, costs: AnyCosts | None) -> AnyCosts | None:
        """These costs, or those of the only model."""
        if costs is None:
            return self.costs.get(next(iter(self.rankings))) if len(self.rankings) == 1 else None
        return demand_costs(costs)

    def report(  # noqa: PLR0913 - what the page opens with
        self,
        path: str | os.PathLike[str],
        *,
        threshold: float | None = None,
        title: str | None = None,
        comparison: Comparison | None = None,
        prevalence: float | None = None,
        costs: Costs | None = None,
    ) -> None:
        """Write one HTML file in which the line can be moved: everything follows.

        Args:
            path: Where to write it.
            threshold: Where the line is when the page opens.
            title: What stands on top.
            comparison: What `compare` made of the same models.
            prevalence: The share of positives that the page opens with.
            costs: The costs that the page opens with.
        """
        from tradeoff.report import page

        page.write(self._page(threshold, title, comparison, prevalence, costs), path)

    def _page(
        self,
        threshold: float | None = None,
        title: str | None = None,
        comparison: Comparison | None = None,
        prevalence: float | None = None,
        costs: Costs | None = None,
    ) -> dict[str, Any]:
        from tradeoff.report import document

        models = self.models
        if costs is not None:
            models = replace(models, costs=dict.fromkeys(self.rankings, demand_costs(costs)))
        return document.report(
            models,
            confidence=self.confidence,
            prevalence=self.prevalence if prevalence is None else prevalence,
            threshold=self.threshold if threshold is None else threshold,
            title=title,
            comparison=comparison,
        )

    def _repr_html_(self) -> str:
        from tradeoff.report import page

        return page.frame(self._page())

    def to_dict(self, threshold: float | None = None, **choices: Any) -> dict[str, Any]:
        """Everything at one threshold, ready for JSON (undefined numbers are None)."""
        if threshold is not None:
            return replace(self, threshold=threshold).to_dict(**choices)
        return super().to_dict(**choices)

    def columns(self, threshold: float | None = None) -> dict[str, list[Any]]:
        """Everything at one threshold as a tidy table, one line a number; see `to_pandas`."""
        if threshold is not None:
            return replace(self, threshold=threshold).columns()
        columns: dict[str, list[Any]] = view_of(self, "columns")(self)
        return columns

    @classmethod
    def load(cls, *paths: str | os.PathLike[str], costs: Costs | None = None) -> Evaluation:
        """The models of saved rankings, which have the same classes and names of their own."""
        rankings = [Ranking.load(path) for path in paths]
        named = {ranking.name: ranking for ranking in rankings}
        if len(named) < len(rankings):
            raise InputError(
                "Two of these rankings have the same name: a report tells models by it."
            )
        classes = {(r.positive, r.negative, r.lower_is_positive) for r in rankings}
        if len(classes) > 1:
            raise InputError("These rankings mean different classes: make a report of each.")
        return cls(RankedModels(named, costs=dict.fromkeys(named, costs) if costs else {}))

    def save(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Save each model's ranking in a folder; the files are returned.

        Names from data become file names without anything that paths know.
        """
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise StorageError(f"{folder} cannot be made: {problem.strerror}.") from problem
        paths = []
        for place, (name, ranking) in enumerate(self.rankings.items(), 1):
            safe = re.sub(r"[^\w-]+", "_", name)[:60]
            paths.append(Path(folder) / f"{place}_{safe}.ranking")
            ranking.save(paths[-1])
        return paths

    def __getitem__(self, name: str) -> Evaluation:
        """The evaluation of one model."""
        if name not in self.rankings:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(name, self.rankings)} "
                f"There are {listed(self.rankings)}."
            )
        return replace(self, models=self.models.of(name))

    def __iter__(self) -> Iterator[str]:
        """The names of the models."""
        return iter(self.rankings)

    def __len__(self) -> int:
        """How many models there are."""
        return len(self.rankings)

    def __repr__(self) -> str:
        """One line: the models and their areas."""
        areas = (f"{name}: {self[name].auc!r}" for name in self)
        return f"Evaluation({'; '.join(areas)})"
