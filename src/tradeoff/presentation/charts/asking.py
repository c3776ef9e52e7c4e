"""Any chart by its name: what `e.chart(…)`, `e.plot(…)` and `tradeoff plot` ask for."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tradeoff.analysis.hulls import hull as hull_of
from tradeoff.core.costs import demand_costs
from tradeoff.core.ranking import each_at_prevalence
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.measures.curves import CURVES, any_curve, find_kind, with_costs
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.registry import SUMMARIES
from tradeoff.presentation.charts import named
from tradeoff.presentation.charts.kinds import CHARTS, Asked
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.curve_bands import curve_band
from tradeoff.uncertainty.estimates import Intervals
from tradeoff.views.curve_chart import curve_chart, folds_chart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.render.chart import Chart

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
    threshold: named.Thresholds = None,
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
        marked = {
            n: named.marks(asked, one, threshold, chosen) for n, one in asked.rankings.items()
        }
    return curve_chart(
        found,
        areas=_areas(asked) if is_roc else {},
        bands=_bands(asked, kinds, band),
        marks=marked,
        hull=hull_of(asked.rankings) if hull else None,
        slope=named.slope_of(asked, costs) if hull else None,
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
