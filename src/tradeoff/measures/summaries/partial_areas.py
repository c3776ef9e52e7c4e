"""Partial AUC: raw, as a proportion of its maximum, and McClish-corrected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, Subject
from tradeoff.measures.registry import summary
from tradeoff.measures.summaries.areas import UNIT_RANGE, rates, require_ranked_classes
from tradeoff.stats.proportions import wilson_interval

Numbers = NDArray[np.float64]


def _area_interval(subject: Subject) -> ConfidenceInterval:
    low, high = subject.parameters["low"], subject.parameters["high"]
    return _interval_from_proportion(subject, high - low, 0.0)


def _proportion_interval(subject: Subject) -> ConfidenceInterval:
    return _interval_from_proportion(subject, 1.0, 0.0)


def _mcclish_interval(subject: Subject) -> ConfidenceInterval:
    low, high, along = (subject.parameters[key] for key in ("low", "high", "along"))
    width, triangle = high - low, (high**2 - low**2) / 2
    chance = triangle if along == "fpr" else width - triangle
    return _interval_from_proportion(
        subject, width / (2 * (width - chance)), (1 - chance / (width - chance)) / 2
    )


def _interval_from_proportion(subject: Subject, scale: float, offset: float) -> ConfidenceInterval:
    """Wilson-type interval for a partial area, via its proportion of the maximum.

    The value is `offset` plus `scale` times that proportion. DeLong's placement values are
    clipped to the two rates (He & Escobar 2008, doi:10.1002/sim.3460).
    """
    low, high, along = (subject.parameters[key] for key in ("low", "high", "along"))
    ranking = subject.ranking
    tpr, fpr = (
        counts.astype(np.float64) / float(total)
        for counts, total in zip(
            ranking.tally[1:], (ranking.positives, ranking.negatives), strict=True
        )
    )
    width = high - low
    if along == "fpr":
        heights = np.interp([low, high], fpr, tpr)
        positive_placements = high - _clipped_midpoints(fpr, low, high)
        negative_placements = _clipped_midpoints(tpr, *heights)
    else:
        heights = np.interp([low, high], tpr, 1 - fpr)
        negative_placements = _clipped_midpoints(tpr, low, high)
        positive_placements = _clipped_midpoints(1 - fpr, heights[1], heights[0])
    variance = _class_variance(ranking, positive_placements, negative_placements) / width**2
    proportion = min(max((subject.value - offset) / scale, 0.0), 1.0)
    rows = min(ranking.effective_rows)
    bounded_proportion = min(max(proportion, 0.5 / rows), 1 - 0.5 / rows)
    trials = bounded_proportion * (1 - bounded_proportion) / variance if variance > 0 else rows
    limits = wilson_interval(proportion * trials, trials, subject.level)
    lower, upper = (offset + scale * float(limit) for limit in limits)
    return ConfidenceInterval(lower, upper, "placements, Wilson")


def _clipped_midpoints(rates: Numbers, low: float, high: float) -> Numbers:
    """Rates clipped to two limits, averaged over both ends of each tie."""
    clipped = np.clip(rates, low, high)
    return np.asarray((clipped[1:] + clipped[:-1]) / 2)


def _class_variance(ranking: Ranking, positive_values: Numbers, negative_values: Numbers) -> float:
    """Variance of the sum of a mean over positives and a mean over negatives."""
    variance = 0.0
    for column, values in ((1, positive_values), (2, negative_values)):
        weights = np.diff(ranking.tally[column]).astype(np.float64)
        squares = weights
        if ranking.squares is not None:
            squares = np.diff(ranking.squares.tally[column]).astype(np.float64)
        total = float(weights.sum())
        rows = total**2 / float(squares.sum())
        mean = float(weights @ values) / total
        variance += float(squares @ (values - mean) ** 2) / total**2 * rows / max(rows - 1, 1)
    return variance


@summary(
    usual_label="partial AUC",
    formula="area under the ROC curve between low and high",
    family="partial area",
    range=UNIT_RANGE,
    better="higher",
    aliases=("pauc",),
    sentence="the raw area under the ROC curve for {along} from {low} to {high} is {value}",
    others="ROCR's auc with fpr.stop; scikit-learn only offers McClish's correction.",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=_area_interval,
)
def partial_auc(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> float:
    return _partial_area(ranking, low, high, along)[0]


@summary(
    usual_label="partial AUC (share of its box)",
    formula="partial_auc / (high - low)",
    family="partial area",
    range=UNIT_RANGE,
    better="higher",
    sentence="for {along} from {low} to {high}, the area under the ROC curve is {share} of its "
    "maximum",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=_proportion_interval,
)
def partial_auc_share(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> float:
    return _partial_area(ranking, low, high, along)[0] / (high - low)


@summary(
    usual_label="partial AUC (McClish)",
    formula="(1 + (partial_auc - min) / (max - min)) / 2, min: area under the diagonal, max: "
    "high - low",
    family="partial area",
    range=(-np.inf, 1.0),
    better="higher",
    sentence="the partial area for {along} from {low} to {high}, rescaled so that chance is "
    "1/2, is {value}",
    others="scikit-learn's roc_auc_score with max_fpr. Below the diagonal pROC returns NA; "
    "tradeoff gives the value.",
    source="McClish 1989, doi:10.1177/0272989X8900900307",
    respects_dominance=True,
    depends_on_prevalence=False,
    interval=_mcclish_interval,
)
def partial_auc_mcclish(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> Estimate:
    area, chance = _partial_area(ranking, low, high, along)
    value = (1 + (area - chance) / (high - low - chance)) / 2
    note = "the curve lies below the diagonal in this range" if area < chance else None
    return Estimate("partial_auc_mcclish", value, note=note)


def _partial_area(ranking: Ranking, low: float, high: float, along: str) -> tuple[float, float]:
    """Partial area between two rates, and the area under the diagonal in that range."""
    if not 0 <= low < high <= 1 or along not in {"fpr", "tpr"}:
        raise InputError(
            f"A partial AUC needs 0 <= low < high <= 1 and along='fpr' or 'tpr', not low={low:g}, "
            f"high={high:g}, along={along!r}."
        )
    require_ranked_classes(ranking)
    tpr, fpr = rates(ranking)
    x, y = (fpr, tpr) if along == "fpr" else (tpr, 1 - fpr)
    first, last = int(np.searchsorted(x, low, "right")), int(np.searchsorted(x, high, "left"))
    # On a vertical step any height on the curve gives the same area.
    ends = [
        np.interp(end, x[index - 1 : index + 1], y[index - 1 : index + 1])
        for end, index in ((low, first), (high, last))
    ]
    xs = np.concatenate([[low], x[first:last], [high]])
    ys = np.concatenate([ends[:1], y[first:last], ends[1:]])
    triangle = (high**2 - low**2) / 2
    chance = triangle if along == "fpr" else high - low - triangle
    return float(np.trapezoid(ys, xs)), chance
