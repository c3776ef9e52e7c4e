"""Any chart by its name, or of any result: what `e.chart(…)`, `to.chart(…)` and `plot` ask for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from tradeoff.calibration.reliability import reliability
from tradeoff.calibration.views import reliability_chart
from tradeoff.comparison.comparison import Comparison
from tradeoff.comparison.views import differences_chart, estimates_chart
from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.costs import Costs, demand_costs
from tradeoff.core.ranking import each_at_prevalence
from tradeoff.errors import InputError, UnknownName, as_number, did_you_mean, listed
from tradeoff.hulls.hull import hull as hull_of
from tradeoff.hulls.views import decision_map_chart, hull_chart, hull_lines
from tradeoff.measures.curves import CURVES, any_curve, find_kind, named_curve, with_costs
from tradeoff.measures.curves.average import AverageCurve, average_curve
from tradeoff.measures.curves.curve import Curve
from tradeoff.measures.registry import SUMMARIES
from tradeoff.text import plain
from tradeoff.thresholds.chart import band_chart, decision_chart
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.thresholds.reject_band import Band, BandDecision, best_band
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.curve_bands import curve_band
from tradeoff.uncertainty.estimates import Intervals
from tradeoff.views.curve_chart import Mark, curve_chart, folds_chart
from tradeoff.views.matrices import matrix_chart
from tradeoff.views.scales import rule
from tradeoff.views.score_chart import scores_chart

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tradeoff.calibration.reliability import Bands
    from tradeoff.core.confusion import Rows
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.render.chart import Chart
    from tradeoff.thresholds.chart import Along


# The table of named charts. A new one is one function with `@charted`.


Maker = Callable[..., "Chart"]


@dataclass(frozen=True)
class Asked:
    """Whose chart is wanted: models, their folds, costs and clusters, and how sure it shall be."""

    rankings: Mapping[str, Ranking]
    folds: Mapping[str, Mapping[str, Ranking]] = field(default_factory=dict)
    costs: Mapping[str, AnyCosts] = field(default_factory=dict)
    clusters: Mapping[str, PairedRanking] = field(default_factory=dict)
    confidence: Confidence | None = field(default_factory=Confidence)

    @property
    def first(self) -> Ranking:
        """The first model's ranking."""
        return next(iter(self.rankings.values()))


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
    """Enter a function of `Asked` as a chart under its own name."""

    def enter(make: Maker) -> Maker:
        CHARTS[make.__name__] = ChartKind(make.__name__, sentence, make)
        return make

    return enter


# The charts that are no curves, by name: matrices, scores, hulls, calibration, decisions.


DEFAULT_THRESHOLD = 0.5
Thresholds = float | list[float] | tuple[float, ...] | None


@charted("counts of what was predicted against what was there, at one threshold")
def matrix(
    asked: Asked, threshold: float | None = None, rows: Rows = "actual", **chosen: Any
) -> Chart:
    """The confusion matrix at a threshold, 0.5 or one that is chosen `by` something."""
    ranking = only(asked, "a confusion matrix")
    if chosen:
        threshold = decided(asked, ranking, chosen).threshold
    at = DEFAULT_THRESHOLD if threshold is None else as_number(threshold, "A threshold")
    sign = rule(ranking, at)
    title = f"{plain(ranking.name, 32)}: {plain(ranking.positive, 24)} if score {sign}"
    return matrix_chart(ranking.at(at), rows=rows, title=title)


@charted("how the scores of the two classes are distributed, each class by itself")
def scores(
    asked: Asked,
    threshold: Thresholds = None,
    undecided: tuple[float, float] | None = None,
    bins: int | None = None,
    **chosen: Any,
) -> Chart:
    """Histograms of both classes' scores with thresholds, or a band of undecided scores, marked."""
    ranking = only(asked, "a chart of scores")
    band = None if undecided is None else Band(*sorted(undecided))
    return scores_chart(
        ranking, marks=marks(asked, ranking, threshold, chosen), band=band, bins=bins
    )


@charted("whether scores are honest probabilities: how often such rows are positive")
def calibration(
    asked: Asked,
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
            {n: named_curve(one, "calibration", **given) for n, one in asked.rankings.items()}
        )
    found = {}
    for name, ranking in asked.rankings.items():
        counted = ranking.is_counted and ranking.squares is None
        alone = len(asked.rankings) == 1 and counted and asked.confidence is not None
        drawing: dict[str, Any] = {"bands": None}
        if alone and bands is not None and asked.confidence is not None:
            own = asked.confidence
            drawing = {"bands": bands, "level": own.level, "seed": own.seed}
        found[name] = reliability(ranking, **drawing)
    return reliability_chart(found, asked.first)


@charted("the common convex hull of the models' ROC curves: its points are best for some costs")
def hull(asked: Asked, costs: AnyCosts | None = None) -> Chart:
    """ROC curves under their hull, with the line of equal cost where costs are known."""
    return hull_chart(hull_of(asked.rankings), asked.rankings, slope_of(asked, costs))


@charted("which model at which threshold is cheapest for every mix of prevalence and costs")
def decision_map(asked: Asked, costs: AnyCosts | None = None) -> Chart:
    """The lower envelope of the models' cost lines; costs mark where one is."""
    slope = slope_of(asked, costs)
    here = None if slope is None else 1 / (1 + slope)
    return decision_map_chart(hull_of(asked.rankings), asked.rankings, here)


@charted("what the criterion is at every threshold, and which one is chosen")
def decision(asked: Asked, along: Along = "threshold", **chosen: Any) -> Chart:
    """A criterion along the threshold or the depth, the best place marked."""
    ranking = only(asked, "a decision")
    return decision_chart(decided(asked, ranking, chosen), along=along)


@charted("what is paid as the ends of the undecided band move, and which band is chosen")
def rejection(
    asked: Asked,
    gamma: float | None = None,
    costs: AnyCosts | None = None,
    coverage: float | None = None,
    capacity: float | None = None,
) -> Chart:
    """The best band of scores to leave undecided, and what other bands would cost."""
    ranking = only(asked, "a band")
    own = costs or (None if gamma is not None else asked.costs.get(ranking.name))
    limits = {"gamma": gamma, "coverage": coverage, "capacity": capacity}
    found: BandDecision = best_band(ranking, costs=own, **limits)
    return band_chart(found)


@charted("a summary of each model, such as the area under its ROC curve, with its interval")
def areas(asked: Asked, summary: str = "auc") -> Chart:
    """One line a model."""
    measure = SUMMARIES.find(summary)
    intervals = Intervals(asked.confidence, asked.clusters)
    found = {
        name: intervals.summaries([measure], one)[measure.name]
        for name, one in asked.rankings.items()
    }
    called = "AUC" if measure.name == "auc" else measure.name.replace("_", " ")
    return estimates_chart(found, called)


def only(asked: Asked, what: str) -> Ranking:
    """The ranking of the only model."""
    if len(asked.rankings) != 1:
        raise InputError(
            f"{what.capitalize()} is of one model: choose one of {listed(asked.rankings)}."
        )
    return asked.first


def decided(asked: Asked, ranking: Ranking, chosen: dict[str, Any]) -> Decision:
    """The threshold that is chosen by what was asked for, at the model's own costs."""
    given = dict(chosen)
    by = given.pop("by", None)
    costs = given.pop("costs", None) or asked.costs.get(ranking.name)
    return best_threshold(ranking, by, costs=costs if by in {None, "cost"} else None, **given)


def marks(
    asked: Asked, ranking: Ranking, threshold: Thresholds, chosen: dict[str, Any]
) -> tuple[Mark, ...]:
    """Thresholds to be shown: those that were given, and one that is chosen."""
    given: Iterable[float] = () if threshold is None else (threshold,)  # type: ignore[assignment]
    if isinstance(threshold, list | tuple):
        given = threshold
    found = [Mark(as_number(one, "A threshold")) for one in given]
    if chosen:
        best = decided(asked, ranking, chosen)
        found.append(Mark(best.threshold, chosen.get("by") or best.criterion.about))
    return tuple(found)


def slope_of(asked: Asked, costs: AnyCosts | None) -> float | None:
    """What a line of equal cost climbs, at the rows' own prevalence; None without costs."""
    own = costs or asked.costs.get(asked.first.name)
    ranking = asked.first
    if not isinstance(own, Costs) or not (ranking.positives and ranking.negatives):
        return None
    return own.slope(float(ranking.positives / (ranking.positives + ranking.negatives)))


FOLDS = "folds"
CHOICES = ("by", "target", "costs", "beta", "weight")
"""How a threshold can be chosen."""
OF_ROWS = ("pointwise", "simultaneous")
OF_FOLDS = ("t", "sd", "se")


class Evaluated(Protocol):
    """What a chart needs of an evaluation."""

    @property
    def rankings(self) -> Mapping[str, Ranking]:
        """Each model's ranking."""

    @property
    def folds(self) -> Mapping[str, Mapping[str, Ranking]]:
        """Rankings by model and fold."""

    @property
    def costs(self) -> Mapping[str, AnyCosts]:
        """What was said of costs, by model."""

    @property
    def clusters(self) -> Mapping[str, PairedRanking]:
        """The rows of models whose rows come in clusters."""


def chart_names() -> tuple[str, ...]:
    """All names of charts: those of the curves first.

    Example:
        >>> {"roc", "matrix", "scores", "folds"} <= set(chart_names())
        True
    """
    return (*CURVES, *(name for name in CHARTS if name not in CURVES), FOLDS)


def chart_of(  # noqa: PLR0913 - whose, which, how sure
    evaluated: Evaluated,
    name: str | None = None,
    *,
    x: str | None = None,
    y: str | Sequence[str] | None = None,
    prevalence: float | None = None,
    level: float | None = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    progress: Any = None,
    **wishes: Any,
) -> Chart:
    """A chart by its name, or of any metric over any other.

    Args:
        evaluated: Rankings, folds, costs and clusters: an `Evaluation`.
        name: One of `chart_names()`; "roc" if neither a name nor axes are given.
        x: A metric, or "threshold".
        y: A metric; over the threshold also several.
        prevalence: The share of positives where the models will be used.
        level: Of intervals and bands; None: none in the legend.
        replicates: How often rows are drawn again for a band.
        seed: Same seed, same band.
        progress: Told how many draws are done.
        wishes: Of curves: `threshold` (one or several to mark), `by` and `target` (one to choose
            and mark), `hull`, `band` ("pointwise", "simultaneous", or "bootstrap": pointwise, by
            drawing rows again; over folds "t", "sd", "se"),
            `average` ("vertical", …: over folds), `costs`, and what the curve itself can be
            asked. Other charts take what their functions in `charts.named` do.

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
    confidence = None
    if level is not None:
        confidence = Confidence(level, None, replicates, seed, progress=progress)
    asked = _asked(evaluated, prevalence, confidence)
    if name is None:
        if (x is None) != (y is None):
            raise InputError("Give both metrics, x and y, or the name of a chart.")
        name = "roc" if x is None else None
    elif x is not None or y is not None:
        raise InputError("Give the name of a chart, or both metrics x and y: not all three.")
    if name is None:
        return curves(asked, {"name": None, "x": x, "y": y}, **wishes)
    found = _named(name)
    if found == FOLDS:
        return curves(asked, {"name": "roc"}, **{"average": "vertical", **wishes})
    over_folds = {"average", "band"} & set(wishes)
    if found in CURVES and (found not in CHARTS or over_folds):
        return curves(asked, {"name": found}, **wishes)
    _demand_wishes(found, CHARTS[found].make, wishes)
    return CHARTS[found].make(asked, **wishes)


def curves(  # noqa: PLR0913 - each is a layer of its own
    asked: Asked,
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
        model: {**which, **with_costs(costs or asked.costs.get(model), *axes, given)}
        for model in asked.rankings
    }
    if costs is not None and "costs" not in parameters:
        chosen["costs"] = costs
    if average is not None or band in OF_FOLDS:
        return _over_folds(asked, kinds, average, band)
    found = {name: any_curve(one, **kinds[name]) for name, one in asked.rankings.items()}
    is_roc = which.get("name") == "roc"
    if hull and not is_roc:
        raise InputError('A hull is drawn over ROC curves: ask for "roc".')
    if hull:
        costs = chosen.pop("costs", None) if "by" not in chosen else costs
    marked = {}
    if threshold is not None or chosen:
        marked = {n: marks(asked, one, threshold, chosen) for n, one in asked.rankings.items()}
    return curve_chart(
        found,
        areas=_areas(asked) if is_roc else {},
        bands=_bands(asked, kinds, band),
        marks=marked,
        lines=hull_lines(hull_of(asked.rankings), slope_of(asked, costs)) if hull else (),
    )


def _asked(evaluated: Evaluated, prevalence: float | None, confidence: Confidence | None) -> Asked:
    rankings = evaluated.rankings
    if not rankings:
        raise InputError("A chart needs at least one model.")
    if prevalence is None:
        return Asked(rankings, evaluated.folds, evaluated.costs, evaluated.clusters, confidence)
    return Asked(
        {name: one.at_prevalence(prevalence) for name, one in rankings.items()},
        {m: each_at_prevalence(own, prevalence) for m, own in evaluated.folds.items()},
        evaluated.costs,
        {m: own.at_prevalence(prevalence) for m, own in evaluated.clusters.items()},
        confidence,
    )


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


def _areas(asked: Asked) -> dict[str, Any]:
    intervals = Intervals(asked.confidence, asked.clusters)
    area = SUMMARIES["auc"]
    return {n: intervals.summaries([area], one)["auc"] for n, one in asked.rankings.items()}


def _bands(asked: Asked, kinds: dict[str, dict[str, Any]], band: str | None) -> dict[str, Any]:
    if band is None:
        return {}
    sure = asked.confidence or Confidence()
    if band == "bootstrap":
        band, sure = "pointwise", replace(sure, method="bootstrap")
    return {
        name: curve_band(
            one,
            kinds[name],
            sure,
            kind=band,  # type: ignore[arg-type]
            paired=asked.clusters.get(name),
        )
        for name, one in asked.rankings.items()
    }


def _over_folds(
    asked: Asked, kinds: dict[str, dict[str, Any]], average: str | None, band: str | None
) -> Chart:
    if not asked.folds:
        raise InputError("No folds were read: name their column, as in evaluate(…, fold=…).")
    if band is not None and band not in OF_FOLDS:
        raise InputError(f"Around an average over folds a band is one of {listed(OF_FOLDS)}.")
    found = {
        name: average_curve(asked.folds[name], method=average or "vertical", **kinds[name])  # type: ignore[arg-type]
        for name in asked.rankings
    }
    level = asked.confidence.level if asked.confidence else 0.95
    return folds_chart(found, spread=band or "t", level=level)  # type: ignore[arg-type]


# A chart of whatever the library answers with: a decision, a comparison, a matrix, a curve.


def _average_chart(average: AverageCurve, **wishes: Any) -> Chart:
    model = next(iter(average.folds.values())).ranking.name
    return folds_chart({model: average}, **wishes)


def _comparison_chart(comparison: Comparison, metric: str = "auc", **asked: Any) -> Chart:
    return differences_chart(comparison.differences(metric, **asked))


MAKERS: dict[type, Callable[..., Chart]] = {
    AverageCurve: _average_chart,
    BandDecision: band_chart,
    ClassMatrix: matrix_chart,
    Comparison: _comparison_chart,
    ConfusionMatrix: matrix_chart,
    Curve: lambda curve, **wishes: curve_chart({curve.ranking.name: curve}, **wishes),
    Decision: decision_chart,
}


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
    if hasattr(subject, "rankings") and hasattr(subject, "folds"):
        return chart_of(subject, *wish, **wishes)
    if type(subject) in MAKERS:
        return MAKERS[type(subject)](subject, *wish, **wishes)
    raise InputError(
        f"No chart of a {type(subject).__name__} is known. Ask for one of an evaluation, decision, "
        "comparison, confusion matrix, curve or average."
    )


def plot(subject: Any, *wish: Any, ax: Any = None, **wishes: Any) -> Any:
    """The chart drawn by matplotlib, on `ax` if one is given; the axes are returned."""
    from tradeoff.render.matplotlib import drawn

    return drawn(chart(subject, *wish, **wishes), ax)
