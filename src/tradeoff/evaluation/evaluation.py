"""The façade: what a user asks of one or more ranked models. Computes nothing itself."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from tradeoff.calibration.calibration import Calibration, calibration, recalibrated
from tradeoff.core.costs import Costs, demand_costs, expenses
from tradeoff.core.ranking import each_at_prevalence
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.hulls.hull import hull
from tradeoff.measures import curves
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.results import Tabular
from tradeoff.smooth.curve import smooth_roc
from tradeoff.thresholds.decision import best_threshold
from tradeoff.thresholds.reject_band import best_band
from tradeoff.uncertainty.confidence import Confidence, parted
from tradeoff.uncertainty.curve_bands import curve_band
from tradeoff.uncertainty.estimates import PLAIN, Intervals, sure_cost
from tradeoff.uncertainty.question import ask

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from tradeoff.calibration.calibration import How
    from tradeoff.calibration.maps import CalibrationMap
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.core.costs import AnyCosts, Expenses
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.hulls.hull import Hull
    from tradeoff.measures.curves.average import AverageCurve, Method
    from tradeoff.measures.curves.curve import Curve
    from tradeoff.measures.estimate import Estimate
    from tradeoff.measures.registry import Settled
    from tradeoff.render.chart import Chart
    from tradeoff.smooth.curve import SmoothCurve
    from tradeoff.thresholds.decision import Decision
    from tradeoff.thresholds.reject_band import BandDecision
    from tradeoff.uncertainty.curve_bands import Band, Kind
    from tradeoff.views.details import Details

__all__ = ["METRICS", "SUMMARIES", "Evaluation"]

DEFAULT_THRESHOLD = 0.5


@dataclass(frozen=True, eq=False)
class Evaluation(Tabular):
    """One or more models, each with its ranking of the same rows.

    With a single model its numbers are asked of the evaluation itself; with several, choose one
    first: `e["naive_bayes"].auc`. `folds` and `segments` hold rankings by model and value, `costs`
    what was said of costs when the rows were read, `clusters` the rows of models whose rows come
    in clusters. Numbers come with intervals: `level`, `method`, `replicates` and `seed` choose
    how, `level=None` leaves them out.
    """

    rankings: Mapping[str, Ranking]
    folds: Mapping[str, Mapping[str, Ranking]] = field(default_factory=dict)
    segments: Mapping[str, Mapping[str, Ranking]] = field(default_factory=dict)
    costs: Mapping[str, AnyCosts] = field(default_factory=dict)
    clusters: Mapping[str, PairedRanking] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A model is called what the evaluation calls it."""
        named = {name: ranking.named(name) for name, ranking in self.rankings.items()}
        object.__setattr__(self, "rankings", named)

    @property
    def ranking(self) -> Ranking:
        """The ranking of the only model."""
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

    def at(self, threshold: float = DEFAULT_THRESHOLD) -> ConfusionMatrix:
        """The confusion matrix at a threshold."""
        return self.ranking.at(threshold)

    def metric(
        self,
        name: str,
        threshold: float = DEFAULT_THRESHOLD,
        *,
        undefined: Settled = nan,
        **asked: Any,
    ) -> Estimate:
        """One metric at a threshold, under any of its names, with its interval.

        Where it is undefined the estimate says why; `undefined` puts 0, 1 or "scikit-learn" (what
        that library says) in its place, and the estimate's note tells.
        """
        measure = METRICS.find(name)
        intervals, parameters = self._intervals(asked)
        own = self._costs(None)
        if measure.takes_costs and not parameters and own is not None:
            return sure_cost(self.ranking, own, threshold, intervals)
        if parameters:
            measure = measure.with_parameters(**parameters)
        found = intervals.at([measure], self.ranking, threshold)[measure.name]
        settles = not found.is_defined and (isinstance(undefined, str) or not isnan(undefined))
        return measure.estimate(self.at(threshold), undefined=undefined) if settles else found

    def summary(self, name: str, **asked: Any) -> Estimate:
        """One summary of the whole ranking, under any of its names, with its interval."""
        measure = SUMMARIES.find(name)
        intervals, parameters = self._intervals(asked)
        if parameters:
            measure = measure.with_parameters(**parameters)
        return intervals.summaries([measure], self.ranking)[measure.name]

    def estimate(
        self,
        name: str,
        *,
        at: tuple[str, float] | None = None,
        prevalence: float | None = None,
        costs: Costs | None = None,
        **asked: Any,
    ) -> Estimate:
        """Any one number with its interval, by drawing rows again where no formula is known.

        Also metrics where another one has a value, and the expected cost:
        `e.estimate("lift", at=("depth", 0.1))`, `e.estimate("cost", costs=Costs(…))`.
        """
        intervals, parameters = self._intervals(asked)
        own = self._costs(costs) if name == "cost" else None
        if own is not None and not isinstance(own, Costs):
            line = at[1] if at else DEFAULT_THRESHOLD
            return sure_cost(self.ranking, own, line, intervals, prevalence)
        question = ask(name, at=at, prevalence=prevalence, costs=own, **parameters)
        return intervals.answer(question, self.ranking)

    def band(
        self,
        name: str | None = None,
        *,
        kind: Kind = "pointwise",
        at: Any = None,
        x: str | None = None,
        y: str | None = None,
        **asked: Any,
    ) -> Band:
        """How sure a curve is: a "pointwise" band, or a "simultaneous" one around all of it.

        `at` says for which values of x; `level`, `replicates` and `seed` how.
        """
        choices, parameters = parted(asked)
        wanted = {"name": name, "x": x, "y": y, **self._with_costs(name, x, y, parameters)}
        paired = self.clusters.get(self.ranking.name)
        return curve_band(
            self.ranking, wanted, Confidence(**choices), kind=kind, x=at, paired=paired
        )

    def calibration(self, *, bins: int = 10, **choices: Any) -> Calibration:
        """Whether scores are honest probabilities: decompositions, regression lines, tests."""
        return calibration(self.ranking, confidence=Confidence(**choices), bins=bins)

    def recalibrated(self, how: How = "isotonic") -> CalibrationMap:
        """A map from scores to honest probabilities, "isotonic" or "platt", to apply and save."""
        return recalibrated(self.ranking, how)

    def smooth(self, model: str = "binormal", **choices: Any) -> SmoothCurve:
        """A smooth model of the ROC curve, "binormal" or "kernel"; never the curve itself."""
        return smooth_roc(self.ranking, model, **choices)

    def _intervals(self, asked: dict[str, Any]) -> tuple[Intervals, dict[str, Any]]:
        """How intervals are wanted, and what else was asked for."""
        choices, parameters = parted(asked)
        if choices.get("level", 0) is None:
            return PLAIN, parameters
        return Intervals(Confidence(**choices), self.clusters), parameters

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
            self.ranking, name, x=x, y=y, **self._with_costs(name, x, y, parameters)
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
        return best_threshold(
            self.ranking,
            by,
            target=target,
            costs=self._costs(costs) if by in {None, "cost"} else costs,
            prevalence=prevalence,
            **parameters,
        )

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
        return best_band(
            self.ranking,
            gamma=gamma,
            costs=costs if gamma is not None else self._costs(costs),
            coverage=coverage,
            capacity=capacity,
            prevalence=prevalence,
        )

    def expenses(
        self,
        threshold: float = DEFAULT_THRESHOLD,
        *,
        costs: Costs | None = None,
        prevalence: float | None = None,
    ) -> Expenses:
        """What a threshold costs, beside all, none, random choice and an oracle."""
        own = self._costs(costs)
        if own is None:
            raise InputError("Say what outcomes cost: costs=Costs(false_positive=…, …).")
        return expenses(self.ranking, own, threshold, prevalence)

    def average(
        self,
        name: str | None = None,
        *,
        method: Method = "vertical",
        x: str | None = None,
        y: str | None = None,
        **parameters: Any,
    ) -> AverageCurve:
        """A curve averaged over the folds that `evaluate(…, fold=…)` read."""
        name = name or ("roc" if x is None and y is None else None)
        known = self._with_costs(name, x, y, parameters)
        return average_curve(self.own_folds, name, method=method, x=x, y=y, **known)

    @property
    def own_folds(self) -> Mapping[str, Ranking]:
        """The only model's rankings by fold."""
        model = self.ranking.name
        if model not in self.folds:
            raise InputError("No folds were read: name their column, as in evaluate(…, fold=…).")
        return self.folds[model]

    def at_prevalence(self, prevalence: float) -> Evaluation:
        """The evaluation as it would be where positives are this share of all rows."""
        return replace(
            self,
            rankings={name: r.at_prevalence(prevalence) for name, r in self.rankings.items()},
            folds={m: each_at_prevalence(own, prevalence) for m, own in self.folds.items()},
            segments={m: each_at_prevalence(own, prevalence) for m, own in self.segments.items()},
            clusters={m: own.at_prevalence(prevalence) for m, own in self.clusters.items()},
        )

    def hull(self) -> Hull:
        """The convex hull of all models' ROC points: who is best where."""
        return hull(self.rankings)

    def _with_costs(
        self, name: str | None, x: str | None, y: Any, parameters: dict[str, Any]
    ) -> dict[str, Any]:
        """A curve's parameters, with the evaluation's own costs where it takes some."""
        own = self._costs(parameters.get("costs"))
        return curves.with_costs(own, name, x, y, parameters)

    def _costs(self, given: AnyCosts | None) -> AnyCosts | None:
        if given is None:
            return self.costs.get(next(iter(self.rankings))) if len(self.rankings) == 1 else None
        return demand_costs(given)

    def chart(self, name: str | None = None, **wishes: Any) -> Chart:
        """A chart as data: any curve, "matrix", "scores", "folds" …; wishes as in `chart_of`."""
        from tradeoff.evaluation.charts import chart_of

        return chart_of(self, name, **wishes)

    def plot(self, name: str | None = None, *, ax: Any = None, **wishes: Any) -> Any:
        """The chart drawn by matplotlib, on `ax` if one is given; the axes are returned."""
        from tradeoff.render.matplotlib import drawn

        return drawn(self.chart(name, **wishes), ax)

    def report(self, path: str | os.PathLike[str], **choices: Any) -> None:
        """Write one HTML file in which the line can be moved: everything follows.

        Choices: the `threshold` it opens with, a `title`, and what `compare` made as `comparison`.
        """
        from tradeoff.report import document, page

        page.write(document.report(self.rankings, self._details(), **choices), path)

    def _repr_html_(self) -> str:
        from tradeoff.report import document, page

        return page.frame(document.report(self.rankings, self._details()))

    def to_dict(self, threshold: float = DEFAULT_THRESHOLD) -> dict[str, Any]:
        """Everything at one threshold, ready for JSON (undefined numbers are None)."""
        from tradeoff.evaluation.views import evaluation_document

        return evaluation_document(self.rankings, threshold, self._details())

    def columns(self, threshold: float = DEFAULT_THRESHOLD) -> dict[str, list[Any]]:
        """Everything at one threshold as a tidy table, one line a number; see `to_pandas`."""
        from tradeoff.evaluation.views import evaluation_columns

        return evaluation_columns(self.rankings, threshold, self._details())

    def __getitem__(self, name: str) -> Evaluation:
        """The evaluation of one model."""
        if name not in self.rankings:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(name, self.rankings)} "
                f"There are {listed(self.rankings)}."
            )
        held: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        return Evaluation(**{k: {name: v[name]} if name in v else {} for k, v in held.items()})

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

    def __str__(self) -> str:
        """The evaluation as a person reads it."""
        from tradeoff.evaluation.views import evaluation_sections
        from tradeoff.render.sections import as_text

        sections = evaluation_sections(self.rankings, DEFAULT_THRESHOLD, details=self._details())
        return as_text(sections)

    def _details(self) -> Details:
        from tradeoff.views.details import Details

        return Details(
            self.folds, self.segments, self.costs, intervals=Intervals(clusters=self.clusters)
        )
