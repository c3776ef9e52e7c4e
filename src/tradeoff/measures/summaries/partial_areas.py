"""Partial AUC: raw, as a share, and McClish-corrected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, Subject
from tradeoff.measures.registry import summary
from tradeoff.measures.summaries.areas import SHARE, rates, require_ranked_classes
from tradeoff.stats.proportions import wilson_interval

Numbers = NDArray[np.float64]


def _area_interval(subject: Subject) -> ConfidenceInterval:
    low, high = subject.parameters["low"], subject.parameters["high"]
    return _on_box(subject, high - low, 0.0)


def _share_interval(subject: Subject) -> ConfidenceInterval:
    return _on_box(subject, 1.0, 0.0)


def _mcclish_interval(subject: Subject) -> ConfidenceInterval:
    low, high, along = (subject.parameters[key] for key in ("low", "high", "along"))
    width, under = high - low, (high**2 - low**2) / 2
    chance = under if along == "fpr" else width - under
    return _on_box(subject, width / (2 * (width - chance)), (1 - chance / (width - chance)) / 2)


def _on_box(subject: Subject, scale: float, least: float) -> ConfidenceInterval:
    """Wilson-type interval of a partial area as a share of its box.

    The value is `least` where that share is 0, and grows with it by `scale`. Placements are those
    of DeLong, looked at between the two rates alone (He & Escobar 2008, doi:10.1002/sim.3460).
    """
    low, high, along = (subject.parameters[key] for key in ("low", "high", "along"))
    ranking = subject.ranking
    tpr, fpr = (
        side.astype(np.float64) / float(total)
        for side, total in zip(
            ranking.tally[1:], (ranking.positives, ranking.negatives), strict=True
        )
    )
    width = high - low
    if along == "fpr":
        heights = np.interp([low, high], fpr, tpr)
        of_positives = high - _between(fpr, low, high)
        of_negatives = _between(tpr, *heights)
    else:
        heights = np.interp([low, high], tpr, 1 - fpr)
        of_negatives = _between(tpr, low, high)
        of_positives = _between(1 - fpr, heights[1], heights[0])
    variance = _class_variance(ranking, of_positives, of_negatives) / width**2
    share = min(max((subject.value - least) / scale, 0.0), 1.0)
    rows = min(ranking.effective_rows)
    inside = min(max(share, 0.5 / rows), 1 - 0.5 / rows)
    trials = inside * (1 - inside) / variance if variance > 0 else rows
    ends = [float(end) for end in wilson_interval(share * trials, trials, subject.level)]
    return ConfidenceInterval(
        least + scale * ends[0], least + scale * ends[1], "placements, Wilson"
    )


def _between(rates: Numbers, low: float, high: float) -> Numbers:
    """Rates clipped to two limits, at the midpoint of each tie."""
    clipped = np.clip(rates, low, high)
    return np.asarray((clipped[1:] + clipped[:-1]) / 2)


def _class_variance(ranking: Ranking, of_positives: Numbers, of_negatives: Numbers) -> float:
    """Variance of a mean over positives plus one over negatives."""
    variance = 0.0
    for side, values in ((1, of_positives), (2, of_negatives)):
        weights = np.diff(ranking.tally[side]).astype(np.float64)
        squares = weights
        if ranking.squares is not None:
            squares = np.diff(ranking.squares.tally[side]).astype(np.float64)
        total = float(weights.sum())
        rows = total**2 / float(squares.sum())
        mean = float(weights @ values) / total
        variance += float(squares @ (values - mean) ** 2) / total**2 * rows / max(rows - 1, 1)
    return variance


@summary(
    formula="area under the ROC curve between low and high",
    family="partial area",
    range=SHARE,
    better="higher",
    sentence="the raw area under the curve for {along} from {low} to {high} is {value}",
    others="ROCR's fpr.stop; scikit-learn offers only the McClish form.",
    by_dominance=True,
    mixes_classes=False,
    interval=_area_interval,
)
def partial_auc(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> float:
    return _partial(ranking, low, high, along)[0]


@summary(
    formula="partial_auc / (high - low)",
    family="partial area",
    range=SHARE,
    better="higher",
    sentence="the curve fills {share} of the box for {along} from {low} to {high}",
    by_dominance=True,
    mixes_classes=False,
    interval=_share_interval,
)
def partial_auc_share(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> float:
    return _partial(ranking, low, high, along)[0] / (high - low)


@summary(
    formula="(1 + (partial_auc - min) / (max - min)) / 2, min under the diagonal, max the box",
    family="partial area",
    range=(-np.inf, 1.0),
    better="higher",
    sentence="the partial area for {along} from {low} to {high}, rescaled so that chance is "
    "1/2, is {value}",
    others="scikit-learn's max_fpr. Below the diagonal pROC returns NA; here the value is given.",
    source="McClish 1989, doi:10.1177/0272989X8900900307",
    by_dominance=True,
    mixes_classes=False,
    interval=_mcclish_interval,
)
def partial_auc_mcclish(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> Estimate:
    area, chance = _partial(ranking, low, high, along)
    value = (1 + (area - chance) / (high - low - chance)) / 2
    note = "the curve lies below the diagonal here" if area < chance else None
    return Estimate("partial_auc_mcclish", value, note=note)


def _partial(ranking: Ranking, low: float, high: float, along: str) -> tuple[float, float]:
    """Partial area between two rates, and the area under the diagonal there."""
    if not 0 <= low < high <= 1 or along not in {"fpr", "tpr"}:
        raise InputError(
            f"A partial area needs 0 <= low < high <= 1 along fpr or tpr, not low={low:g}, "
            f"high={high:g} along {along}."
        )
    require_ranked_classes(ranking)
    tpr, fpr = rates(ranking)
    x, y = (fpr, tpr) if along == "fpr" else (tpr, 1 - fpr)
    first, last = int(np.searchsorted(x, low, "right")), int(np.searchsorted(x, high, "left"))
    # On a vertical step the height does not matter to the area, only that it is on the curve.
    ends = [
        np.interp(at, x[place - 1 : place + 1], y[place - 1 : place + 1])
        for at, place in ((low, first), (high, last))
    ]
    xs = np.concatenate([[low], x[first:last], [high]])
    ys = np.concatenate([ends[:1], y[first:last], ends[1:]])
    under = (high**2 - low**2) / 2
    chance = under if along == "fpr" else high - low - under
    return float(np.trapezoid(ys, xs)), chance
