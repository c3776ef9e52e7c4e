"""Part of the area under the ROC curve, in its three usual forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import summary
from tradeoff.measures.summaries.areas import SHARE, demand_both, rates

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking


@summary(
    formula="area under the ROC curve between low and high",
    family="partial area",
    range=SHARE,
    better="higher",
    sentence="the raw area under the curve for {along} from {low} to {high} is {value}",
    others="ROCR's fpr.stop and torchmetrics' wish; scikit-learn only has the McClish form.",
    by_dominance=True,
    mixes_classes=False,
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
    sentence="the partial area for {along} from {low} to {high}, 1/2 being chance, is {value}",
    others="scikit-learn's max_fpr. Below the diagonal pROC says NA; here the number is given.",
    source="McClish 1989, doi:10.1177/0272989X8900900307",
    by_dominance=True,
    mixes_classes=False,
)
def partial_auc_mcclish(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> Estimate:
    area, chance = _partial(ranking, low, high, along)
    value = (1 + (area - chance) / (high - low - chance)) / 2
    note = "the curve lies below the diagonal here" if area < chance else None
    return Estimate("partial_auc_mcclish", value, note=note)


def _partial(ranking: Ranking, low: float, high: float, along: str) -> tuple[float, float]:
    """The area between two rates, and the area under the diagonal there."""
    if not 0 <= low < high <= 1 or along not in {"fpr", "tpr"}:
        raise InputError(
            f"A partial area needs 0 <= low < high <= 1 along fpr or tpr, not low={low:g}, "
            f"high={high:g} along {along}."
        )
    demand_both(ranking)
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
