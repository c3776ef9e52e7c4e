"""Named charts of an evaluation: their registry, and the function behind `e.chart(…)`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import EllipsisType
from typing import Any, Literal

from tradeoff.calibration.reliability import Bands, reliability
from tradeoff.calibration.views import reliability_chart
from tradeoff.comparison.views import estimates_chart
from tradeoff.core.confusion import Rows
from tradeoff.core.costs import AnyCosts, Costs, require_costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_number,
    require_unique_name,
)
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.formatting import printable
from tradeoff.hulls.hull import hull as find_hull
from tradeoff.hulls.views import decision_map_chart, hull_chart, hull_lines
from tradeoff.measures.curves import CURVES, any_curve, find_curve_kind, named_curve, with_costs
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.curves.curve import Curve
from tradeoff.measures.curves.registry import (
    CURVE_ALIASES,
    curve_kind,
    curve_search_texts,
    normalized_curve_name,
)
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import CHART_NAMES, METRICS, SUMMARIES, Measure, lookup_key
from tradeoff.render.chart import Chart
from tradeoff.results import shows
from tradeoff.thresholds.chart import AxisName, band_chart, decision_chart
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.thresholds.reject_band import RejectBand, best_band
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, adjusted_confidence
from tradeoff.uncertainty.curve_bands import curve_band
from tradeoff.uncertainty.estimates import summary_estimates
from tradeoff.views.chart_labels import threshold_label
from tradeoff.views.curve_chart import Mark, curve_chart, folds_chart, leading_models
from tradeoff.views.matrices import matrix_chart
from tradeoff.views.score_chart import scores_chart

ChartFunction = Callable[..., "Chart"]
Thresholds = float | list[float] | tuple[float, ...] | None
FOLDS = "folds"
FOLD_BANDS = ("t", "sd", "se")
MAX_AVERAGES_WITH_BANDS = 3
"""Averages over folds of more models have no bands by default: they would hide each other."""
CRITERION_OPTIONS = ("by", "target", "costs", "beta", "weight")
"""Options that select the threshold to mark."""


@dataclass(frozen=True)
class ChartKind:
    """Named chart: the function that returns it, and a description of what it shows."""

    name: str
    description: str
    function: ChartFunction
    aliases: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the chart's options."""
        return tuple(list(inspect.signature(self.function).parameters)[1:])


CHARTS: dict[str, ChartKind] = {}
"""Named charts other than curves, registered by `@register_chart`."""


def register_chart(
    description: str, aliases: tuple[str, ...] = ()
) -> Callable[[ChartFunction], ChartFunction]:
    """Decorator that registers a function of an `Evaluation` as the named chart of that name."""

    def register(function: ChartFunction) -> ChartFunction:
        name = function.__name__
        require_unique_name(name, CHARTS, "charts")
        CHARTS[name] = ChartKind(name, description, function, aliases)
        return function

    return register


@dataclass(frozen=True)
class _ThresholdCriterion:
    """Criterion for choosing the threshold to mark; false if no option is given."""

    by: str | None = None
    target: float | None = None
    costs: AnyCosts | None = None
    beta: float | None = None
    weight: float | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    def decide(self, evaluation: Evaluation, ranking: Ranking) -> Decision:
        """The best threshold of a model, by default at the costs read with its rows."""
        costs = self.costs or evaluation.costs.get(ranking.name)
        parameters: dict[str, Any] = {"beta": self.beta, "weight": self.weight}
        return best_threshold(
            ranking,
            self.by,
            target=self.target,
            costs=costs if self.by in {None, "cost"} else None,
            **{name: value for name, value in parameters.items() if value is not None},
        )


@register_chart(
    "counts of predicted against actual classes, at one threshold",
    aliases=CHART_NAMES["matrix"],
)
def matrix(  # noqa: PLR0913 - options for choosing the threshold
    evaluation: Evaluation,
    *,
    threshold: float | None = None,
    rows: Rows = "actual",
    by: str | None = None,
    target: float | None = None,
    costs: AnyCosts | None = None,
    beta: float | None = None,
    weight: float | None = None,
) -> Chart:
    """Named chart "matrix": at the threshold of the evaluation, a given one or the best one."""
    ranking = _only_ranking(evaluation, "a confusion matrix")
    if criterion := _ThresholdCriterion(by, target, costs, beta, weight):
        threshold = criterion.decide(evaluation, ranking).threshold
    if threshold is None:
        threshold = evaluation.operating_threshold
    cutoff = require_number(threshold, "A threshold")
    rule = threshold_label(ranking, cutoff)
    title = f"{printable(ranking.name, 32)}: {printable(ranking.positive, 24)} if score {rule}"
    return matrix_chart(ranking.at(cutoff), rows=rows, title=title)


@register_chart(
    "distribution of the scores of each class",
    aliases=CHART_NAMES["scores"],
)
def scores(  # noqa: PLR0913 - options for choosing the threshold
    evaluation: Evaluation,
    *,
    threshold: Thresholds = None,
    undecided: tuple[float, float] | None = None,
    bins: int | None = None,
    by: str | None = None,
    target: float | None = None,
    costs: AnyCosts | None = None,
    beta: float | None = None,
    weight: float | None = None,
) -> Chart:
    """Named chart "scores": histograms of both classes, with thresholds or a reject band."""
    ranking = _only_ranking(evaluation, "a chart of scores")
    band = None if undecided is None else RejectBand(*sorted(undecided))
    criterion = _ThresholdCriterion(by, target, costs, beta, weight)
    marks = _marks(evaluation, ranking, threshold, criterion)
    return scores_chart(ranking, marks=marks, band=band, bins=bins)


@register_chart("whether scores are calibrated: observed frequencies by predicted probability")
def calibration(
    evaluation: Evaluation,
    bands: Bands | None = "consistency",
    by: Literal["rows", "width", "isotonic", "window"] | None = None,
    bins: int | None = None,
    window: int | None = None,
) -> Chart:
    """Named chart "calibration": reliability diagram, or frequencies of grouped rows."""
    grouping = {"by": by, "bins": bins, "window": window}
    grouping = {option: value for option, value in grouping.items() if value is not None}
    if grouping:
        return curve_chart(
            {
                name: named_curve(ranking, "calibration", **grouping)
                for name, ranking in evaluation.rankings.items()
            }
        )
    reliabilities = {}
    confidence = evaluation.confidence
    for name in leading_models(evaluation.rankings):
        ranking = evaluation.rankings[name]
        has_band = (
            len(evaluation.rankings) == 1
            and ranking.is_counted
            and ranking.squares is None
            and bands is not None
        )
        if has_band and confidence is not None:
            reliabilities[name] = reliability(
                ranking, bands=bands, level=confidence.level, seed=confidence.seed
            )
        else:
            reliabilities[name] = reliability(ranking, bands=None)
    return reliability_chart(reliabilities, _first_ranking(evaluation))


@register_chart(
    "convex hull of the models' ROC curves: its points are best for some costs",
    aliases=CHART_NAMES["hull"],
)
def hull(evaluation: Evaluation, costs: AnyCosts | None = None) -> Chart:
    """Named chart "hull": ROC curves with their convex hull and, given costs, an iso-cost line."""
    rankings = evaluation.rankings
    curves = {name: named_curve(ranking, "roc") for name, ranking in rankings.items()}
    return hull_chart(
        find_hull(rankings),
        rankings,
        _iso_cost_slope(evaluation, costs),
        areas=_areas(evaluation, curves),
    )


@register_chart("the model and threshold of lowest cost for every mix of prevalence and costs")
def decision_map(evaluation: Evaluation, costs: AnyCosts | None = None) -> Chart:
    """Named chart "decision_map": lower envelope of the models' cost lines, with known costs."""
    slope = _iso_cost_slope(evaluation, costs)
    position = None if slope is None else 1 / (1 + slope)
    return decision_map_chart(find_hull(evaluation.rankings), evaluation.rankings, position)


@register_chart("the criterion at every threshold, and the chosen threshold")
def decision(  # noqa: PLR0913 - options for choosing the threshold
    evaluation: Evaluation,
    *,
    along: AxisName = "threshold",
    by: str | None = None,
    target: float | None = None,
    costs: AnyCosts | None = None,
    beta: float | None = None,
    weight: float | None = None,
) -> Chart:
    """Named chart "decision": a criterion by threshold or depth, with the best threshold."""
    ranking = _only_ranking(evaluation, "a decision")
    criterion = _ThresholdCriterion(by, target, costs, beta, weight)
    return decision_chart(criterion.decide(evaluation, ranking), along=along)


@register_chart("the cost as the limits of the reject band move, and the chosen band")
def rejection(
    evaluation: Evaluation,
    gamma: float | None = None,
    costs: AnyCosts | None = None,
    coverage: float | None = None,
    capacity: float | None = None,
) -> Chart:
    """Named chart "rejection": the best reject band, and the cost of other bands."""
    ranking = _only_ranking(evaluation, "a reject band")
    known_costs = costs or (None if gamma is not None else evaluation.costs.get(ranking.name))
    return band_chart(
        best_band(ranking, costs=known_costs, gamma=gamma, coverage=coverage, capacity=capacity)
    )


@register_chart("a summary of each model, such as the area under its ROC curve, with its interval")
def areas(evaluation: Evaluation, summary: str = "auc") -> Chart:
    """Named chart "areas": forest plot of a summary such as the AUC, one row per model."""
    measure = SUMMARIES.find(summary)
    estimates = {name: values[measure.name] for name, values in _summaries(evaluation, measure)}
    return estimates_chart(estimates, measure.label)


def _first_ranking(evaluation: Evaluation) -> Ranking:
    return next(iter(evaluation.rankings.values()))


def _only_ranking(evaluation: Evaluation, subject: str) -> Ranking:
    if len(evaluation.rankings) != 1:
        raise InputError(
            f"{subject.capitalize()} is for a single model: choose one of "
            f"{format_list(evaluation.rankings)}."
        )
    return _first_ranking(evaluation)


def _marks(
    evaluation: Evaluation, ranking: Ranking, threshold: Thresholds, criterion: _ThresholdCriterion
) -> tuple[Mark, ...]:
    """Thresholds to mark: those given, and the best one by a criterion if requested."""
    thresholds: Iterable[float] = () if threshold is None else (threshold,)  # type: ignore[assignment]
    if isinstance(threshold, list | tuple):
        thresholds = threshold
    marks = [Mark(require_number(value, "A threshold")) for value in thresholds]
    if criterion:
        best = criterion.decide(evaluation, ranking)
        marks.append(Mark(best.threshold, criterion.by or best.criterion.measure))
    return tuple(marks)


def _iso_cost_slope(evaluation: Evaluation, costs: AnyCosts | None) -> float | None:
    """Slope of iso-cost lines at the prevalence of the rows; None without costs."""
    ranking = _first_ranking(evaluation)
    known_costs = costs or evaluation.costs.get(ranking.name)
    if not isinstance(known_costs, Costs) or not (ranking.positives and ranking.negatives):
        return None
    return known_costs.slope(float(ranking.positives / (ranking.positives + ranking.negatives)))


def chart_names() -> tuple[str, ...]:
    """Names of all charts of an evaluation, curves first.

    Example:
        >>> {"roc", "matrix", "scores", "folds"} <= set(chart_names())
        True
    """
    return (*CURVES, *(name for name in CHARTS if name not in CURVES), FOLDS)


@shows(Evaluation, "chart")
def evaluation_chart(  # noqa: PLR0913 - every option of every chart
    evaluation: Evaluation,
    name: str | None = None,
    *,
    x: str | None = None,
    y: str | Sequence[str] | None = None,
    threshold: Thresholds = None,
    by: str | None = None,
    target: float | None = None,
    costs: AnyCosts | None = None,
    beta: float | None = None,
    weight: float | None = None,
    hull: bool | None = None,
    band: str | None = None,
    average: str | None = None,
    bins: int | None = None,
    window: int | None = None,
    bands: Bands | EllipsisType | None = ...,
    standardized: bool | None = None,
    rows: Rows | None = None,
    undecided: tuple[float, float] | None = None,
    along: AxisName | None = None,
    gamma: float | None = None,
    coverage: float | None = None,
    capacity: float | None = None,
    summary: str | None = None,
    prevalence: float | None = None,
    level: float | EllipsisType | None = ...,
    replicates: int | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Chart:
    """Chart of an evaluation by name, or of any metric over any other.

    Args:
        evaluation: The models.
        name: One of `chart_names()`; "roc" if neither a name nor axes are given.
        x: A metric, or "threshold".
        y: A metric, or several if x is the threshold.
        threshold: One or several thresholds to mark.
        by: Criterion for the threshold to mark; for calibration, how to group rows.
        target: Value that the metric named by `by` must reach.
        costs: Costs of the four outcomes.
        beta: Parameter of the F-measure as a criterion.
        weight: Parameter of weighted metrics as a criterion.
        hull: Whether to draw the convex hull of ROC curves.
        band: Confidence band of curves: "pointwise", "simultaneous" or "bootstrap" (pointwise, from
            bootstrap resamples); over folds "t", "sd" or "se".
        average: How to average curves over folds: "vertical", "horizontal", "threshold" or
            "pooled".
        bins: Number of bins, for scores, bin_lift and calibration.
        window: Number of rows in a moving window, for calibration.
        bands: Band of the reliability diagram: "consistency", "confidence" or None.
        standardized: Whether net benefit is shown as a proportion of its maximum.
        rows: Whether the rows of the matrix are the "actual" or the "predicted" classes.
        undecided: Limits of a reject band to mark, for scores.
        along: Whether the x axis of a decision is the "threshold" or the "depth".
        gamma: Cost of an error relative to a correct decision, for rejection.
        coverage: Proportion of rows that must be decided, for rejection.
        capacity: Number of rows that can be rejected, for rejection.
        summary: Summary to compare between models, for areas.
        prevalence: Proportion of positives in the population.
        level: Confidence level of intervals and bands; None for no intervals in the legend.
        replicates: Number of bootstrap resamples.
        seed: Seed of the bootstrap.
        progress: Called with the number of completed resamples.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> evaluation_chart(e, "roc", threshold=0.4).title
        'ROC curve'
        >>> evaluation_chart(e, "rocc")
        Traceback (most recent call last):
        tradeoff.errors.UnknownName: No chart is called 'rocc'. Did you mean 'roc'? ...
    """
    options_by_name: dict[str, Any] = {
        "threshold": threshold,
        "by": by,
        "target": target,
        "costs": None if costs is None else require_costs(costs),
        "beta": beta,
        "weight": weight,
        "hull": hull,
        "band": band,
        "average": average,
        "bins": bins,
        "window": window,
        "standardized": standardized,
        "rows": rows,
        "undecided": undecided,
        "along": along,
        "gamma": gamma,
        "coverage": coverage,
        "capacity": capacity,
        "summary": summary,
    }
    options = {option: value for option, value in options_by_name.items() if value is not None}
    if bands is not ...:
        options["bands"] = bands
    confidence = adjusted_confidence(
        evaluation.confidence, level, replicates=replicates, seed=seed, progress=progress
    )
    if not evaluation.rankings:
        raise InputError("A chart needs at least one model.")
    models = evaluation.models.at_prevalence(
        evaluation.prevalence if prevalence is None else prevalence
    )
    evaluation = replace(evaluation, models=models, confidence=confidence, prevalence=None)
    if name is None:
        if (x is None) != (y is None):
            raise InputError("Give both metrics, x and y, or the name of a chart.")
        name = "roc" if x is None else None
    elif x is not None or y is not None:
        raise InputError("Give the name of a chart, or both metrics x and y, but not all three.")
    if name is None:
        return _curve_chart(evaluation, {"name": None, "x": x, "y": y}, options)
    chart_name = _find_chart(name)
    if chart_name == FOLDS:
        return _curve_chart(evaluation, {"name": "roc"}, {"average": "vertical", **options})
    if chart_name in CURVES and (chart_name not in CHARTS or {"average", "band"} & set(options)):
        return _curve_chart(evaluation, {"name": chart_name}, options)
    _require_options(CHARTS[chart_name], options)
    return CHARTS[chart_name].function(evaluation, **options)


def _curve_chart(evaluation: Evaluation, recipe: dict[str, Any], options: dict[str, Any]) -> Chart:
    """Chart of a named curve, or of one metric over another, for all models."""
    other_options = dict(options)
    threshold, costs = other_options.pop("threshold", None), other_options.pop("costs", None)
    hull, band, average = (
        other_options.pop(option, None) for option in ("hull", "band", "average")
    )
    parameters = _curve_parameters(recipe["name"])
    criterion_options = {
        o: v for o, v in other_options.items() if o in CRITERION_OPTIONS and o not in parameters
    }
    curve_options = {o: v for o, v in other_options.items() if o not in criterion_options}
    if "threshold" in parameters and threshold is not None:
        curve_options["threshold"], threshold = threshold, None
    axes = recipe["name"], recipe.get("x"), recipe.get("y")
    recipes = {
        model: {
            **recipe,
            **with_costs(costs or evaluation.costs.get(model), *axes, curve_options),
        }
        for model in evaluation.rankings
    }
    if costs is not None and "costs" not in parameters:
        criterion_options["costs"] = costs
    if average is not None or band in FOLD_BANDS:
        return _average_chart(evaluation, recipes, average, band)
    curves = {
        name: any_curve(ranking, **recipes[name]) for name, ranking in evaluation.rankings.items()
    }
    is_roc = recipe["name"] == "roc"
    if hull and not is_roc:
        raise InputError('A hull is drawn over ROC curves: use the chart "roc".')
    if hull:
        costs = criterion_options.pop("costs", None) if "by" not in criterion_options else costs
    criterion = _ThresholdCriterion(**criterion_options)
    marks = {}
    if threshold is not None or criterion:
        marks = {
            name: _marks(evaluation, ranking, threshold, criterion)
            for name, ranking in evaluation.rankings.items()
        }
    slope = _iso_cost_slope(evaluation, costs)
    return curve_chart(
        curves,
        areas=_areas(evaluation, curves),
        bands=_confidence_bands(evaluation, recipes, band),
        marks=marks,
        lines=hull_lines(find_hull(evaluation.rankings), slope) if hull else (),
    )


def _summaries(
    evaluation: Evaluation, measure: Measure
) -> Iterator[tuple[str, dict[str, Estimate]]]:
    for name, ranking in evaluation.rankings.items():
        clusters = evaluation.clusters.get(name)
        yield name, summary_estimates([measure], ranking, evaluation.confidence, clusters)


def _find_chart(name: str) -> str:
    """Canonical name of a chart from any of its spellings or aliases."""
    canonical_name = normalized_curve_name(str(name))
    aliases = {alias: kind.name for kind in CHARTS.values() for alias in kind.aliases}
    chart_keys = {lookup_key(alias): kind for alias, kind in aliases.items()}
    chart_keys |= {lookup_key(chart): chart for chart in chart_names()}
    canonical_name = chart_keys.get(lookup_key(canonical_name), canonical_name)
    if canonical_name not in chart_names():
        _raise_if_name_of_measure(str(name))
        search_texts = curve_search_texts() | {
            kind.name: " ".join((kind.name, *kind.aliases, kind.description))
            for kind in CHARTS.values()
        }
        suggestion = did_you_mean(str(name), chart_names()) or did_you_mean(
            str(name), [*aliases, *CURVE_ALIASES], search_texts
        )
        raise UnknownName(
            f"No chart is called {name!r}.{suggestion} Available charts: "
            f"{format_list(chart_names(), 30)}; any two metrics also make a chart."
        )
    return canonical_name


def _raise_if_name_of_measure(name: str) -> None:
    """Raise a specific error if the name is that of a metric or summary, not of a chart."""
    if METRICS.knows(name):
        raise UnknownName(
            f"{name!r} is a metric, not a chart: e.chart(x='threshold', y={name!r}), or "
            f"`--x threshold --y {name}`."
        )
    if SUMMARIES.knows(name):
        raise UnknownName(
            f"{name!r} is a summary, not a chart: e.chart('areas', summary={name!r}), or "
            f"`--chart areas --metric {name}`."
        )


def _require_options(kind: ChartKind, options: dict[str, Any]) -> None:
    unknown = [option for option in options if option not in kind.options]
    if unknown:
        available = f"Its options are {format_list(kind.options)}." if kind.options else ""
        raise UnknownName(
            f"The {kind.name} chart has no option {format_list(unknown)}. {available}"
        )


def _curve_parameters(name: str | None) -> tuple[str, ...]:
    return () if name is None else find_curve_kind(name).parameters


def _areas(evaluation: Evaluation, curves: Mapping[str, Curve]) -> dict[str, Estimate]:
    """Areas under curves of one kind with confidence intervals, if a summary has the same value.

    A curve with other parameters than the summary has another area: its label has no interval.
    """
    summary = curve_kind(next(iter(curves.values())).name).summary
    if not summary:
        return {}
    areas = {name: values[summary] for name, values in _summaries(evaluation, SUMMARIES[summary])}
    return {
        name: area
        for name, area in areas.items()
        if not area.is_defined or math.isclose(area.value, curves[name].area().value, rel_tol=1e-9)
    }


def _confidence_bands(
    evaluation: Evaluation, recipes: dict[str, dict[str, Any]], band: str | None
) -> dict[str, Any]:
    if band is None:
        return {}
    confidence = evaluation.confidence or DEFAULT_CONFIDENCE
    if band == "bootstrap":
        band, confidence = "pointwise", replace(confidence, method="bootstrap")
    return {
        name: curve_band(
            ranking,
            recipes[name],
            confidence,
            kind=band,  # type: ignore[arg-type]
            paired=evaluation.clusters.get(name),
        )
        for name, ranking in evaluation.rankings.items()
    }


def _average_chart(
    evaluation: Evaluation,
    recipes: dict[str, dict[str, Any]],
    average: str | None,
    band: str | None,
) -> Chart:
    if not evaluation.folds:
        raise InputError("No folds were read: name the fold column, as in evaluate(…, fold=…).")
    if band is not None and band not in FOLD_BANDS:
        raise InputError(
            f"The band around an average over folds must be one of {format_list(FOLD_BANDS)}."
        )
    averages = {
        name: average_curve(evaluation.folds[name], method=average or "vertical", **recipes[name])  # type: ignore[arg-type]
        for name in leading_models(evaluation.rankings)
    }
    level = evaluation.confidence.level if evaluation.confidence else 0.95
    default_spread = "t" if len(averages) <= MAX_AVERAGES_WITH_BANDS else None
    return folds_chart(averages, spread=band or default_spread, level=level)  # type: ignore[arg-type]
