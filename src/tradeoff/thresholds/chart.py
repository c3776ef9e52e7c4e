"""Decisions as charts: what a threshold, or each end of a band, is worth wherever it is put."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.measures.registry import METRICS
from tradeoff.render.chart import Chart, Layer, Line, Points, Ribbon, Scale
from tradeoff.results import shows
from tradeoff.text import plain
from tradeoff.thresholds.decision import Decision
from tradeoff.thresholds.reject_band import BandDecision
from tradeoff.views.curve_chart import light, steps
from tradeoff.views.scales import about_rows, legend, metric_scale, rule, score_scale

Along = Literal["threshold", "depth"]
DEPTH = "predicted_positive_rate"


@shows(Decision, "chart")
def decision_chart(decision: Decision, *, along: Along = "threshold") -> Chart:
    """What the criterion is at every threshold, with the chosen one marked.

    Args:
        decision: From `best_threshold`.
        along: What runs to the right: the "threshold", or the "depth", the share of rows called
            positive.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = decision_chart(e.best("youden"))
        >>> chart.layers[-1].texts
        ('≥ 0.4: 1.0000',)
    """
    if along not in {"threshold", "depth"}:
        raise InputError(
            f'A decision is drawn along the "threshold" or the "depth", not {along!r}.'
        )
    seen = decision.ranking.at_prevalence(decision.prevalence)
    values = decision.criterion.values(seen)
    up = _roomy(metric_scale(decision.criterion.about, [values], seen, "decision"), decision.value)
    place = decision.place
    if along == "depth":
        x = METRICS[DEPTH](seen.confusion)
        across, at = metric_scale(DEPTH, [x], seen), float(x[place])
        y = values
    else:
        across = score_scale([seen], "threshold")
        x, y = steps(seen, values, across)
        at = float(np.clip(decision.threshold, across.low, across.high))
    line = Line(x, y, label=legend(seen.name), steps=along == "threshold")
    text = f"{rule(seen, decision.threshold)}: {decision.value:.4f}"
    layers: list[Layer] = [light(line, across, up)]
    layers.append(Points(np.array([at]), np.array([decision.value]), (text,), label="chosen"))
    about = decision.criterion.about
    title = METRICS.find(about).title if METRICS.knows(about) else ""
    named = title or about.replace("_", " ").capitalize()
    title = f"{named} by {along}"
    way = plain(decision.criterion.name).replace("_", " ")
    caption = f"Chosen by {way}. {about_rows(decision.ranking)}"
    return Chart(title, across, up, tuple(layers), caption)


@shows(BandDecision, "chart")
def band_chart(decision: BandDecision) -> Chart:
    """What is paid as one end of a band moves and the other stays, with the band marked.

    Example:
        >>> from tradeoff import Costs, evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.35, 0.4, 0.8])
        >>> chart = band_chart(e.best_band(costs=Costs(rejected=0.1)))
        >>> [layer.label for layer in chart.layers]
        ['undecided', 'moving the upper end', 'moving the lower end', '']
    """
    ranking, size = decision.ranking, len(decision.ranking)
    upper, lower = decision.upper_place, decision.lower_place
    tops, floors = np.arange(lower + 1), np.arange(upper, size)
    moved = np.full((2, size), np.nan)
    moved[0, tops] = _paid(decision, tops, np.full(len(tops), lower))
    moved[1, floors] = _paid(decision, np.full(len(floors), upper), floors)
    across = score_scale([ranking], "score")
    up = metric_scale(decision.criterion, [moved.ravel()], ranking)
    band = np.clip(np.sort([*decision.band]), across.low, across.high)
    heights = np.full(2, up.low), np.full(2, up.high)
    layers: list[Layer] = [Ribbon(band, *heights, "mark", "undecided")]
    for order, (values, end) in enumerate(zip(moved, ("upper", "lower"), strict=True)):
        points = steps(ranking, values, across)
        line = Line(*points, label=f"moving the {end} end", order=order, steps=True)
        layers.append(light(line, across, up))
    ends = np.clip([*decision.band], across.low, across.high)
    texts = tuple(f"{end:.3g}" for end in decision.band)
    layers.append(Points(ends, np.full(2, decision.value), texts))
    title = f"{decision.criterion.replace('_', ' ').capitalize()} by the ends of the band"
    caption = f"{100 * decision.coverage:.3g} % of rows are decided. {about_rows(ranking)}"
    return Chart(title, across, up, tuple(layers), caption)


def _roomy(up: Scale, value: float) -> Scale:
    """Room for the text of a point that lies near the lower end."""
    tenth = 0.1 * (up.high - up.low)
    return replace(up, low=up.low - tenth) if 0 < value - up.low < tenth else up


def _paid(
    decision: BandDecision, upper: NDArray[np.intp], lower: NDArray[np.intp]
) -> NDArray[np.float64]:
    """What was minimised, for many bands at once."""
    seen = decision.ranking.at_prevalence(decision.prevalence)
    search = decision.search
    matrices = seen.banded(upper, lower)
    if search.gamma is not None:
        measure = METRICS["rejection_tradeoff"].with_parameters(gamma=search.gamma)
        return np.asarray(measure(matrices), np.float64)
    bills = search.costs.bills(seen)
    sure = bills.called_positive[upper] + bills.called_negative[-1] - bills.called_negative[lower]
    paid = sure + bills.rejected[lower] - bills.rejected[upper] + bills.anyway
    return np.asarray(paid / float(seen.total), np.float64)
