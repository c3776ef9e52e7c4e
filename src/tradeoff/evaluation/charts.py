"""Any chart by its name, or of any result: what `e.chart(…)`, `to.chart(…)` and `plot` ask for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import Any, Literal

from tradeoff.calibration.reliability import Bands, reliability
from tradeoff.calibration.views import reliability_chart
from tradeoff.comparison.views import estimates_chart
from tradeoff.core.confusion import Rows
from tradeoff.core.costs import AnyCosts, Costs, demand_costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, as_number, did_you_mean, listed, require_new
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.hulls.hull import hull as hull_of
from tradeoff.hulls.views import decision_map_chart, hull_chart, hull_lines
from tradeoff.measures.curves import CURVES, any_curve, find_kind, named_curve, with_costs
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES, Measure
from tradeoff.render.chart import Chart, Line
from tradeoff.results import Result, has_view, renderer, shows
from tradeoff.text import plain
from tradeoff.thresholds.chart import Along, band_chart, decision_chart
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.thresholds.reject_band import Band, BandDecision, best_band
from tradeoff.uncertainty.confidence import USUAL, adjusted
from tradeoff.uncertainty.curve_bands import curve_band
from tradeoff.uncertainty.estimates import summary_estimates
from tradeoff.views.curve_chart import Mark, curve_chart, folds_chart
from tradeoff.views.matrices import matrix_chart
from tradeoff.views.scales import rule
from tradeoff.views.score_chart import scores_chart

# The table of named charts. A new one is one function with `@charted`.


Maker = Callable[..., "Chart"]


@dataclass(frozen=True)
class ChartKind:
    """A named chart: how to make it, and a sentence on what it shows."""

    name: str
    sentence: str
    make: Maker

    @property
    def wishes(self) -> tuple[str, ...]:
        """What can be chosen about it."""
        return tuple(list(inspect.signature(self.make).parameters)[1:])


CHARTS: dict[str, ChartKind] = {}
"""Named charts beside those of the named curves. `@charted` enters one."""


def charted(sentence: str) -> Callable[[Maker], Maker]:
    """Enter a function of an `Evaluation` as a chart under its own name."""

    def enter(make: Maker) -> Maker:
        require_new(make.__name__, CHARTS, "charts")
        CHARTS[make.__name__] = ChartKind(make.__name__, sentence, make)
        return make

    return enter


# The charts that are no curves, by name: matrices, scores, hulls, calibration, decisions.


DEFAULT_THRESHOLD = 0.5
Thresholds = float | list[float] | tuple[float, ...] | None


@charted("counts of what was predicted against what was there, at one threshold")
def matrix(
    evaluation: Evaluation, threshold: float | None = None, rows: Rows = "actual", **chosen: Any
) -> Chart:
    """The confusion matrix at a threshold, 0.5 or one that is chosen `by` something."""
    ranking = _only(evaluation, "a confusion matrix")
    if chosen:
        threshold = _decided(evaluation, ranking, chosen).threshold
    at = DEFAULT_THRESHOLD if threshold is None else as_number(threshold, "A threshold")
    sign = rule(ranking, at)
    title = f"{plain(ranking.name, 32)}: {plain(ranking.positive, 24)} if score {sign}"
    return matrix_chart(ranking.at(at), rows=rows, title=title)


@charted("how the scores of the two classes are distributed, each class by itself")
def scores(
    evaluation: Evaluation,
    threshold: Thresholds = None,
    undecided: tuple[float, float] | None = None,
    bins: int | None = None,
    **chosen: Any,
) -> Chart:
    """Histograms of both classes' scores with thresholds, or a band of undecided scores, marked."""
    ranking = _only(evaluation, "a chart of scores")
    band = None if undecided is None else Band(*sorted(undecided))
    return scores_chart(
        ranking, marks=marks(evaluation, ranking, threshold, chosen), band=band, bins=bins
    )


@charted("whether scores are honest probabilities: how often such rows are positive")
def calibration(
    evaluation: Evaluation,
    bands: Bands | None = "consistency",
    by: Literal["rows", "width", "isotonic", "window"] | None = None,
    bins: int | None = None,
    window: int | None = None,
) -> Chart:
    """The reliability diagram; `by`, `bins` or `window` ask for bins of another kind."""
    grouped = {"by": by, "bins": bins, "window": window}
    given = {key: value for key, value in grouped.items() if value is not None}
    if given:
        return curve_chart(
            {n: named_curve(one, "calibration", **given) for n, one in evaluation.rankings.items()}
        )
    found = {}
    for name, ranking in evaluation.rankings.items():
        counted = ranking.is_counted and ranking.squares is None
        alone = len(evaluation.rankings) == 1 and counted and evaluation.confidence is not None
        drawing: dict[str, Any] = {"bands": None}
        if alone and bands is not None and evaluation.confidence is not None:
            own = evaluation.confidence
            drawing = {"bands": bands, "level": own.level, "seed": own.seed}
        found[name] = reliability(ranking, **drawing)
    return reliability_chart(found, _first(evaluation))


@charted("the common convex hull of the models' ROC curves: its points are best for some costs")
def hull(evaluation: Evaluation, costs: AnyCosts | None = None) -> Chart:
    """ROC curves under their hull, with the line of equal cost where costs are known."""
    return hull_chart(
        hull_of(evaluation.rankings), evaluation.rankings, _slope_of(evaluation, costs)
    )


@charted("which model at which threshold is cheapest for every mix of prevalence and costs")
def decision_map(evaluation: Evaluation, costs: AnyCosts | None = None) -> Chart:
    """The lower envelope of the models' cost lines; costs mark where one is."""
    slope = _slope_of(evaluation, costs)
    here = None if slope is None else 1 / (1 + slope)
    return decision_map_chart(hull_of(evaluation.rankings), evaluation.rankings, here)


@charted("what the criterion is at every threshold, and which one is chosen")
def decision(evaluation: Evaluation, along: Along = "threshold", **chosen: Any) -> Chart:
    """A criterion along the threshold or the depth, the best place marked."""
    ranking = _only(evaluation, "a decision")
    return decision_chart(_decided(evaluation, ranking, chosen), along=along)


@charted("what is paid as the ends of the undecided band move, and which band is chosen")
def rejection(
    evaluation: Evaluation,
    gamma: float | None = None,
    costs: AnyCosts | None = None,
    coverage: float | None = None,
    capacity: float | None = None,
) -> Chart:
    """The best band of scores to leave undecided, and what other bands would cost."""
    ranking = _only(evaluation, "a band")
    own = costs or (None if gamma is not None else evaluation.costs.get(ranking.name))
    limits = {"gamma": gamma, "coverage": coverage, "capacity": capacity}
    found: BandDecision = best_band(ranking, costs=own, **limits)
    return band_chart(found)


@charted("a summary of each model, such as the area under its ROC curve, with its interval")
def areas(evaluation: Evaluation, summary: str = "auc") -> Chart:
    """One line a model."""
    measure = SUMMARIES.find(summary)
    found = {name: estimates[measure.name] for name, estimates in _summaries(evaluation, measure)}
    called = "AUC" if measure.name == "auc" else measure.name.replace("_", " ")
    return estimates_chart(found, called)


def _first(evaluation: Evaluation) -> Ranking:
    """The first model's ranking."""
    return next(iter(evaluation.rankings.values()))


def _only(evaluation: Evaluation, what: str) -> Ranking:
    """The ranking of the only model."""
    if len(evaluation.rankings) != 1:
        raise InputError(
            f"{what.capitalize()} is of one model: choose one of {listed(evaluation.rankings)}."
        )
    return _first(evaluation)


def _decided(evaluation: Evaluation, ranking: Ranking, chosen: dict[str, Any]) -> Decision:
    """The threshold that is chosen by what was asked for, at the model's own costs."""
    given = dict(chosen)
    by = given.pop("by", None)
    costs = given.pop("costs", None) or evaluation.costs.get(ranking.name)
    return best_threshold(ranking, by, costs=costs if by in {None, "cost"} else None, **given)


def marks(
    evaluation: Evaluation, ranking: Ranking, threshold: Thresholds, chosen: dict[str, Any]
) -> tuple[Mark, ...]:
    """Thresholds to be shown: those that were given, and one that is chosen."""
    given: Iterable[float] = () if threshold is None else (threshold,)  # type: ignore[assignment]
    if isinstance(threshold, list | tuple):
        given = threshold
    found = [Mark(as_number(one, "A threshold")) for one in given]
    if chosen:
        best = _decided(evaluation, ranking, chosen)
        found.append(Mark(best.threshold, chosen.get("by") or best.criterion.about))
    return tuple(found)


def _hull_layers(evaluation: Evaluation, costs: AnyCosts | None) -> list[Line]:
    """The hull of all models, and the line of equal cost where costs are known."""
    return hull_lines(hull_of(evaluation.rankings), _slope_of(evaluation, costs))


def _slope_of(evaluation: Evaluation, costs: AnyCosts | None) -> float | None:
    """What a line of equal cost climbs, at the rows' own prevalence; None without costs."""
    own = costs or evaluation.costs.get(_first(evaluation).name)
    ranking = _first(evaluation)
    if not isinstance(own, Costs) or not (ranking.positives and ranking.negatives):
        return None
    return own.slope(float(ranking.positives / (ranking.positives + ranking.negatives)))


FOLDS = "folds"
CHOICES = ("by", "target", "costs", "beta", "weight")
"""How a threshold can be chosen."""
OF_FOLDS = ("t", "sd", "se")


def chart_names() -> tuple[str, ...]:
    """All names of charts: those of the curves first.

    Example:
        >>> {"roc", "matrix", "scores", "folds"} <= set(chart_names())
        True
    """
    return (*CURVES, *(name for name in CHARTS if name not in CURVES), FOLDS)


@shows(Evaluation, "chart")
def chart_of(  # noqa: PLR0913 - whose, which, how sure
    evaluation: Evaluation,
    name: str | None = None,
    *,
    x: str | None = None,
    y: str | Sequence[str] | None = None,
    prevalence: float | None = None,
    level: float | EllipsisType | None = ...,
    replicates: int | None = None,
    seed: int | None = None,
    progress: Any = None,
    **wishes: Any,
) -> Chart:
    """A chart by its name, or of any metric over any other.

    Args:
        evaluation: The models.
        name: One of `chart_names()`; "roc" if neither a name nor axes are given.
        x: A metric, or "threshold".
        y: A metric; over the threshold also several.
        prevalence: The share of positives where the models will be used.
        level: Confidence level of intervals and bands; None: none in the legend.
        replicates: Number of bootstrap resamples of a band.
        seed: Same seed, same band.
        progress: Told how many resamples are done.
        wishes: Of curves: `threshold` (one or several to mark), `by` and `target` (one to choose
            and mark), `hull`, `band` ("pointwise", "simultaneous", or "bootstrap": pointwise, from
            bootstrap resamples; over folds "t", "sd", "se"),
            `average` ("vertical", …: over folds), `costs`, and what the curve itself can be
            asked. Other charts take what their functions here do.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart_of(e, "roc", threshold=0.4).title
        'ROC curve'
        >>> chart_of(e, "rocc")
        Traceback (most recent call last):
        tradeoff.errors.UnknownName: No chart is called 'rocc'. Did you mean 'roc'? ...
    """
    if wishes.get("costs") is not None:
        demand_costs(wishes["costs"])
    confidence = adjusted(
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
        raise InputError("Give the name of a chart, or both metrics x and y: not all three.")
    if name is None:
        return curves(evaluation, {"name": None, "x": x, "y": y}, **wishes)
    chart_name = _named(name)
    if chart_name == FOLDS:
        return curves(evaluation, {"name": "roc"}, **{"average": "vertical", **wishes})
    over_folds = {"average", "band"} & set(wishes)
    if chart_name in CURVES and (chart_name not in CHARTS or over_folds):
        return curves(evaluation, {"name": chart_name}, **wishes)
    _demand_wishes(chart_name, CHARTS[chart_name].make, wishes)
    return CHARTS[chart_name].make(evaluation, **wishes)


def curves(  # noqa: PLR0913 - each is a layer of its own
    evaluation: Evaluation,
    which: dict[str, Any],
    *,
    threshold: Thresholds = None,
    hull: bool = False,
    band: str | None = None,
    average: str | None = None,
    costs: AnyCosts | None = None,
    **rest: Any,
) -> Chart:
    """A named curve, or one metric over another, of all models that were asked for."""
    parameters = _parameters(which.get("name"))
    chosen = {k: v for k, v in rest.items() if k in CHOICES and k not in parameters}
    given = {k: v for k, v in rest.items() if k not in chosen}
    if "threshold" in parameters and threshold is not None:
        given["threshold"], threshold = threshold, None
    axes = which.get("name"), which.get("x"), which.get("y")
    kinds = {
        model: {**which, **with_costs(costs or evaluation.costs.get(model), *axes, given)}
        for model in evaluation.rankings
    }
    if costs is not None and "costs" not in parameters:
        chosen["costs"] = costs
    if average is not None or band in OF_FOLDS:
        return _over_folds(evaluation, kinds, average, band)
    found = {name: any_curve(one, **kinds[name]) for name, one in evaluation.rankings.items()}
    is_roc = which.get("name") == "roc"
    if hull and not is_roc:
        raise InputError('A hull is drawn over ROC curves: ask for "roc".')
    if hull:
        costs = chosen.pop("costs", None) if "by" not in chosen else costs
    marked = {}
    if threshold is not None or chosen:
        marked = {
            n: marks(evaluation, one, threshold, chosen) for n, one in evaluation.rankings.items()
        }
    return curve_chart(
        found,
        areas=_areas(evaluation) if is_roc else {},
        bands=_bands(evaluation, kinds, band),
        marks=marked,
        lines=hull_lines(hull_of(evaluation.rankings), _slope_of(evaluation, costs))
        if hull
        else (),
    )


def _summaries(
    evaluation: Evaluation, measure: Measure
) -> Iterator[tuple[str, dict[str, Estimate]]]:
    """A summary of each model."""
    confidence = evaluation.confidence
    for name, ranking in evaluation.rankings.items():
        clusters = evaluation.clusters.get(name)
        yield name, summary_estimates([measure], ranking, confidence, clusters)


def _named(name: str) -> str:
    folded = str(name).strip().casefold().replace("-", "_").replace(" ", "_")
    if folded not in chart_names():
        raise UnknownName(
            f"No chart is called {name!r}.{did_you_mean(str(name), chart_names())} There are "
            f"{listed(chart_names(), 30)}; any two metrics make a chart, too."
        )
    return folded


def _demand_wishes(name: str, make: Any, wishes: dict[str, Any]) -> None:
    known = inspect.signature(make).parameters
    names = [*list(known)[1:], *(CHOICES if "chosen" in known else ())]
    takes = [one for one in names if one != "chosen"]
    unknown = [wish for wish in wishes if wish not in takes]
    if unknown:
        said = f"takes {listed(takes)}" if takes else "takes no wishes"
        raise UnknownName(f"The {name} chart {said}, not {listed(unknown)}.")


def _parameters(name: str | None) -> tuple[str, ...]:
    return () if name is None else find_kind(name).parameters


def _areas(evaluation: Evaluation) -> dict[str, Any]:
    return {name: estimates["auc"] for name, estimates in _summaries(evaluation, SUMMARIES["auc"])}


def _bands(
    evaluation: Evaluation, kinds: dict[str, dict[str, Any]], band: str | None
) -> dict[str, Any]:
    if band is None:
        return {}
    sure = evaluation.confidence or USUAL
    if band == "bootstrap":
        band, sure = "pointwise", replace(sure, method="bootstrap")
    return {
        name: curve_band(
            one,
            kinds[name],
            sure,
            kind=band,  # type: ignore[arg-type]
            paired=evaluation.clusters.get(name),
        )
        for name, one in evaluation.rankings.items()
    }


def _over_folds(
    evaluation: Evaluation, kinds: dict[str, dict[str, Any]], average: str | None, band: str | None
) -> Chart:
    if not evaluation.folds:
        raise InputError("No folds were read: name their column, as in evaluate(…, fold=…).")
    if band is not None and band not in OF_FOLDS:
        raise InputError(f"Around an average over folds a band is one of {listed(OF_FOLDS)}.")
    found = {
        name: average_curve(evaluation.folds[name], method=average or "vertical", **kinds[name])  # type: ignore[arg-type]
        for name in evaluation.rankings
    }
    level = evaluation.confidence.level if evaluation.confidence else 0.95
    return folds_chart(found, spread=band or "t", level=level)  # type: ignore[arg-type]


# A chart of whatever the library answers with: a decision, a comparison, a matrix, a curve.


def chart(subject: Any, *wish: Any, **wishes: Any) -> Chart:
    """What the library answered with, as a chart.

    Args:
        subject: An evaluation, a decision (also of a band), a comparison, a confusion matrix of
            two classes or many, a curve, or an average over folds.
        wish: The name of an evaluation's chart, or of a comparison's metric.
        wishes: What its kind of chart can be asked.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart(e.best("youden")).title, chart(e.at(0.4)).title
        ("Youden's J by threshold", 'Confusion matrix')
    """
    if isinstance(subject, Result) and has_view(subject, "chart"):
        return subject.chart(*wish, **wishes)
    raise InputError(
        f"No chart of a {type(subject).__name__} is known. Ask for one of an evaluation, decision, "
        "comparison, confusion matrix, curve or average."
    )


def plot(subject: Any, *wish: Any, ax: Any = None, **wishes: Any) -> Any:
    """The chart drawn by matplotlib, on `ax` if one is given; the axes are returned."""
    return renderer("matplotlib")(chart(subject, *wish, **wishes), ax)
