"""Charts of decisions: the criterion by threshold, and by the thresholds of a reject band."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.formatting import format_percent, printable
from tradeoff.measures.registry import METRICS
from tradeoff.measures.vocabulary import capitalized
from tradeoff.render.chart import Chart, Layer, Line, Points, Ribbon, Scale
from tradeoff.results import shows
from tradeoff.thresholds.decision import Decision
from tradeoff.thresholds.reject_band import BandDecision
from tradeoff.views.chart_labels import model_label, rows_caption, threshold_label
from tradeoff.views.curve_chart import fit_line, step_points
from tradeoff.views.scales import metric_scale, score_scale

AxisName = Literal["threshold", "depth"]
DEPTH_METRIC = "predicted_positive_rate"


@shows(Decision, "chart")
def decision_chart(decision: Decision, *, along: AxisName = "threshold") -> Chart:
    """Chart of a decision: the criterion at every threshold, with the chosen one marked.

    Args:
        decision: A decision from `best_threshold`.
        along: The x axis: "threshold", or "depth", the proportion of rows predicted positive.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = decision_chart(e.best("youden"))
        >>> chart.layers[-1].texts
        ('≥ 0.4: 1.0000',)
    """
    if along not in {"threshold", "depth"}:
        raise InputError(f'The x axis must be "threshold" or "depth", not {along!r}.')
    ranking = decision.ranking.at_prevalence(decision.prevalence)
    values = decision.criterion.values(ranking)
    measure = decision.criterion.measure
    spelling = decision.criterion.spelling
    scale = metric_scale(measure, [values], ranking, "decision", spelling)
    y_scale = _with_label_room(scale, decision.value)
    if along == "depth":
        x, y = METRICS[DEPTH_METRIC](ranking.confusion), values
        x_scale = metric_scale(DEPTH_METRIC, [x], ranking)
        chosen_x = float(x[decision.index])
    else:
        x_scale = score_scale([ranking], "Threshold")
        x, y = step_points(ranking, values, x_scale)
        chosen_x = float(np.clip(decision.threshold, x_scale.low, x_scale.high))
    line = Line(x, y, label=model_label(ranking.name), steps=along == "threshold")
    label = f"{threshold_label(ranking, decision.threshold)}: {decision.value:.4f}"
    point = Points(np.array([chosen_x]), np.array([decision.value]), (label,), label="chosen")
    layers: tuple[Layer, ...] = (fit_line(line, x_scale, y_scale), point)
    title = METRICS[measure].title if METRICS.knows(measure) and not spelling else ""
    title = title or capitalized(decision.criterion.measure_label().replace("_", " "))
    criterion = printable(decision.criterion.label())
    caption = f"Chosen by {criterion}. {rows_caption(decision.ranking)}"
    return Chart(f"{title} by {along}", x_scale, y_scale, layers, caption)


@shows(BandDecision, "chart")
def band_chart(decision: BandDecision) -> Chart:
    """Chart of the criterion as either threshold of a reject band moves, with the band marked.

    Example:
        >>> from tradeoff import Costs, evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> chart = band_chart(e.best_band(costs=Costs(rejected=0.1)))
        >>> [layer.label for layer in chart.layers]
        ['undecided', 'moving the upper threshold', 'moving the lower threshold', '']
    """
    ranking, size = decision.ranking, len(decision.ranking)
    upper, lower = decision.upper_index, decision.lower_index
    upper_indices, lower_indices = np.arange(lower + 1), np.arange(upper, size)
    values = np.full((2, size), np.nan)
    values[0, upper_indices] = _band_values(
        decision, upper_indices, np.full(len(upper_indices), lower)
    )
    values[1, lower_indices] = _band_values(
        decision, np.full(len(lower_indices), upper), lower_indices
    )
    x_scale = score_scale([ranking], "Score")
    y_scale = metric_scale(decision.criterion, [values.ravel()], ranking)
    band = np.clip(np.sort([*decision.band]), x_scale.low, x_scale.high)
    heights = np.full(2, y_scale.low), np.full(2, y_scale.high)
    layers: list[Layer] = [Ribbon(band, *heights, "mark", "undecided")]
    for order, side in enumerate(("upper", "lower")):
        points = step_points(ranking, values[order], x_scale)
        line = Line(*points, label=f"moving the {side} threshold", order=order, steps=True)
        layers.append(fit_line(line, x_scale, y_scale))
    thresholds = np.clip([*decision.band], x_scale.low, x_scale.high)
    labels = tuple(f"{threshold:.3g}" for threshold in decision.band)
    layers.append(Points(thresholds, np.full(2, decision.value), labels))
    title = f"{decision.criterion.replace('_', ' ').capitalize()} by the thresholds of the band"
    share = f"{format_percent(decision.coverage)} of the {ranking.wording.units}"
    caption = f"{share} are decided. {rows_caption(ranking)}"
    return Chart(title, x_scale, y_scale, tuple(layers), caption)


def _with_label_room(scale: Scale, value: float) -> Scale:
    """Extend a y scale downwards so that the label of a low point fits."""
    room = 0.1 * (scale.high - scale.low)
    return replace(scale, low=scale.low - room) if 0 < value - scale.low < room else scale


def _band_values(
    decision: BandDecision, upper_indices: NDArray[np.intp], lower_indices: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Values of the minimised criterion for reject bands with the given indices."""
    ranking = decision.ranking.at_prevalence(decision.prevalence)
    search = decision.search
    matrices = ranking.banded(upper_indices, lower_indices)
    if search.gamma is not None:
        measure = METRICS["rejection_tradeoff"].with_parameters(gamma=search.gamma)
        return np.asarray(measure(matrices), np.float64)
    cumulative_costs = search.costs.bills(ranking)
    decided_costs = (
        cumulative_costs.predicted_positive[upper_indices]
        + cumulative_costs.predicted_negative[-1]
        - cumulative_costs.predicted_negative[lower_indices]
    )
    costs_up_to_lower = decided_costs + cumulative_costs.rejected[lower_indices]
    total_costs = (
        costs_up_to_lower - cumulative_costs.rejected[upper_indices] + cumulative_costs.unscored
    )
    return np.asarray(total_costs / float(ranking.total), np.float64)
