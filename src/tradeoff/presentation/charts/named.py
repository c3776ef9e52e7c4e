"""The charts that are no curves, by name: matrices, scores, hulls, calibration, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tradeoff.analysis.calibration.reliability import reliability
from tradeoff.analysis.decisions import best_threshold
from tradeoff.analysis.hulls import hull as hull_of
from tradeoff.analysis.rejection import Band, best_band
from tradeoff.core.costs import Costs
from tradeoff.errors import InputError, as_number, listed
from tradeoff.measures.curves import named_curve
from tradeoff.measures.registry import SUMMARIES
from tradeoff.presentation.charts.calibration import reliability_chart
from tradeoff.presentation.charts.comparing import estimates_chart
from tradeoff.presentation.charts.decisions import band_chart, decision_chart
from tradeoff.presentation.charts.hulls import decision_map_chart, hull_chart
from tradeoff.presentation.charts.kinds import charted
from tradeoff.text import plain
from tradeoff.uncertainty.estimates import Intervals
from tradeoff.views.curve_chart import Mark, curve_chart
from tradeoff.views.matrices import matrix_chart
from tradeoff.views.scales import rule
from tradeoff.views.score_chart import scores_chart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tradeoff.analysis.calibration.reliability import Bands
    from tradeoff.analysis.decisions import Decision
    from tradeoff.analysis.rejection import BandDecision
    from tradeoff.core.confusion import Rows
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.ranking import Ranking
    from tradeoff.presentation.charts.decisions import Along
    from tradeoff.presentation.charts.kinds import Asked
    from tradeoff.render.chart import Chart

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
