"""pROC's numbers (1.18): areas after its choice of direction, and its best thresholds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.compatibility.registry import like, turned
from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES, Undefined
from tradeoff.measures.summaries.areas import demand_both, rates
from tradeoff.stats.normal import demand_level, quantile
from tradeoff.text import threshold as written
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.auc import area_interval, placements

TOOL = "pROC"
ROUNDING = 1e-12
FAR = 1e100
"""Beyond this pROC halves two scores before it adds them."""
CHOSEN = "The direction is chosen as for auc"


def _directed(ranking: Ranking, direction: str) -> Ranking:
    """The ranking in the direction that pROC takes: "<" for high scores positive, ">" for low.

    "auto" compares medians, and takes "<" where they are equal.
    """
    _demand_taken(ranking)
    if direction not in {"auto", "<", ">"}:
        raise InputError(f'pROC\'s direction is "auto", "<" or ">", not {direction!r}.')
    if direction == "auto":
        controls, cases = _median(ranking, positive=False), _median(ranking, positive=True)
        direction = ">" if controls > cases else "<"
    return ranking if ranking.lower_is_positive == (direction == ">") else turned(ranking)


def _demand_taken(ranking: Ranking) -> None:
    """The rows that pROC takes: of both classes, unweighted, with finite scores."""
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} stops: the response must have two levels")
    if not ranking.is_counted or ranking.squares is not None:
        raise Undefined(f"{TOOL} has no weights")
    if not np.isfinite(ranking.thresholds[1:]).all():
        raise Undefined(f"{TOOL} gives NaN: a score is infinite")


def _median(ranking: Ranking, *, positive: bool) -> float:
    """The median score of one class; between two middle rows, their mean."""
    counts = ranking.true_positives if positive else ranking.false_positives
    rows = int(counts[-1])
    # Place k holds the rows from counts[k - 1] on, counted from 0.
    middle = np.searchsorted(counts, [(rows - 1) // 2, rows // 2], "right")
    return float(ranking.thresholds[middle].mean())


@like(
    TOOL,
    "auc",
    ours="auc",
    why='Counts ties half, as here, but direction="auto" calls low scores positive where the '
    "median of the negatives is above that of the positives, which turns a bad model into a good "
    'one. Here nothing is flipped; with direction="<" both are the same.',
)
def auc(ranking: Ranking, *, direction: str = "auto") -> float:
    return float(SUMMARIES.find("auc")(_directed(ranking, direction)))


def _bounds(partial: tuple[float, float], focus: str) -> dict[str, Any]:
    """Limits of pROC, along specificity or sensitivity, as ours along fpr or tpr."""
    if focus not in {"specificity", "sensitivity"} or len(partial) != 2:
        raise InputError(
            "pROC's partial area lies between two specificities or sensitivities: write "
            'partial_auc=(1, 0.9), focus="specificity".'
        )
    low, high = sorted(map(float, partial))
    if focus == "sensitivity":
        return {"low": low, "high": high, "along": "tpr"}
    return {"low": 1 - high, "high": 1 - low, "along": "fpr"}


def _partial(ranking: Ranking, name: str, partial: tuple[float, float], focus: str) -> float:
    demand_both(ranking)
    return float(SUMMARIES.find(name).with_parameters(**_bounds(partial, focus))(ranking))


def _our_partial(ranking: Ranking, *, partial_auc: tuple[float, float], focus: str) -> float:
    return _partial(ranking, "partial_auc", partial_auc, focus)


def _our_corrected(ranking: Ranking, *, partial_auc: tuple[float, float], focus: str) -> float:
    return _partial(ranking, "partial_auc_mcclish", partial_auc, focus)


@like(
    TOOL,
    "auc(partial.auc)",
    ours="partial_auc",
    our=_our_partial,
    why=f"The raw area between two specificities (or sensitivities), as here. {CHOSEN}.",
)
def partial_auc(
    ranking: Ranking,
    *,
    partial_auc: tuple[float, float] = (1.0, 0.9),
    focus: str = "specificity",
    direction: str = "auto",
) -> float:
    return _partial(_directed(ranking, direction), "partial_auc", partial_auc, focus)


@like(
    TOOL,
    "auc(partial.auc.correct)",
    ours="partial_auc_mcclish",
    our=_our_corrected,
    why="McClish's rescaling, as here, but NA where the curve lies below the diagonal; here the "
    f"number is given and flagged. {CHOSEN}.",
)
def partial_auc_corrected(
    ranking: Ranking,
    *,
    partial_auc: tuple[float, float] = (1.0, 0.9),
    focus: str = "specificity",
    direction: str = "auto",
) -> float:
    own = _directed(ranking, direction)
    value = _partial(own, "partial_auc_mcclish", partial_auc, focus)
    if value < 0.5 - ROUNDING:
        raise Undefined(f"{TOOL} gives NA: the curve lies below the diagonal there")
    return value


def _our_end(ranking: Ranking, level: float, end: str) -> float:
    demand_both(ranking)
    found = area_interval(ranking, level)
    if found.reason:
        raise Undefined(found.reason)
    return float(getattr(found, end))


def _our_lower(ranking: Ranking, *, level: float) -> float:
    return _our_end(ranking, level, "low")


def _our_upper(ranking: Ranking, *, level: float) -> float:
    return _our_end(ranking, level, "high")


PLAIN = (
    "DeLong's interval, symmetric around the area and cut at 0 and 1: too narrow near 1, and of no "
    "width at 1. Here it lies on the logit scale, by Pohar Perme & Manevski; "
    f'method="delong" gives pROC\'s. {CHOSEN}.'
)


@like(TOOL, "ci.auc lower", ours="auc", our=_our_lower, part="lower end", why=PLAIN)
def ci_auc_lower(ranking: Ranking, *, level: float = 0.95, direction: str = "auto") -> float:
    return _delong(ranking, level, direction)[0]


@like(TOOL, "ci.auc upper", ours="auc", our=_our_upper, part="upper end", why=PLAIN)
def ci_auc_upper(ranking: Ranking, *, level: float = 0.95, direction: str = "auto") -> float:
    return _delong(ranking, level, direction)[1]


def _delong(ranking: Ranking, level: float, direction: str) -> tuple[float, float]:
    found = placements(_directed(ranking, direction))
    if min(found.positives, found.negatives) < 2:
        raise Undefined(f"{TOOL} gives NA: it needs two rows of each class")
    half = quantile(demand_level(level)) * math.sqrt(found.variance)
    return max(found.area - half, 0.0), min(found.area + half, 1.0)


def _our_youden(ranking: Ranking, *, relative_cost: float, prevalence: float) -> float:
    demand_both(ranking)
    # Weighted, Youden's index is the expected cost; unweighted it is itself.
    costs = Costs(false_positive=1, false_negative=relative_cost)
    return best_threshold(ranking, costs=costs, prevalence=prevalence).threshold


def _our_topleft(ranking: Ranking, *, relative_cost: float, prevalence: float) -> float:
    demand_both(ranking)
    weight = 1 / (1 + _ratio(relative_cost, prevalence))
    return best_threshold(ranking, "distance", weight=weight).threshold


MIDDLE = (
    "The middle between two neighbouring scores, -Inf or Inf at the ends; here the higher of the "
    "two, which calls the same rows positive. Of several best ones pROC lists first the one that "
    f"calls most rows positive; we take the one that calls fewest. {CHOSEN}."
)


@like(
    TOOL,
    "coords best youden",
    ours="youden_j",
    our=_our_youden,
    part="best threshold",
    also=("coords best",),
    why=MIDDLE,
)
def coords_best_youden(
    ranking: Ranking,
    *,
    relative_cost: float = 1.0,
    prevalence: float = 0.5,
    direction: str = "auto",
) -> Estimate:
    own = _directed(ranking, direction)
    tpr, fpr = rates(own)
    return _best(own, tpr + _ratio(relative_cost, prevalence) * (1 - fpr))


@like(
    TOOL,
    "coords best closest.topleft",
    ours="plain_distance_to_perfect",
    our=_our_topleft,
    part="best threshold",
    why=MIDDLE,
)
def coords_best_topleft(
    ranking: Ranking,
    *,
    relative_cost: float = 1.0,
    prevalence: float = 0.5,
    direction: str = "auto",
) -> Estimate:
    own = _directed(ranking, direction)
    tpr, fpr = rates(own)
    return _best(own, -((1 - tpr) ** 2 + _ratio(relative_cost, prevalence) * fpr**2))


@like(
    TOOL,
    "coords all",
    ours=None,
    gives="curve",
    why="Thresholds are the middles between neighbouring scores, with -Inf and Inf at the ends, "
    "from all rows called positive to none. Here they are the scores themselves, the other way.",
)
def coords_all(ranking: Ranking, *, direction: str = "auto") -> dict[str, Any]:
    """Thresholds with specificity and sensitivity."""
    own = _directed(ranking, direction)
    tpr, fpr = rates(own)
    return {
        "threshold": _middles(own)[::-1],
        "specificity": (1 - fpr)[::-1],
        "sensitivity": tpr[::-1],
    }


def _ratio(relative_cost: float, prevalence: float) -> float:
    """What pROC's best.weights make of specificity beside sensitivity."""
    if not (relative_cost > 0 and 0 < prevalence < 1):
        raise InputError("best.weights are a cost above 0 and a prevalence between 0 and 1.")
    return (1 - prevalence) / (relative_cost * prevalence)


def _best(own: Ranking, worth: NDArray[np.float64]) -> Estimate:
    """The first of pROC's best thresholds, and a note where there are more."""
    # Sums of rates stray in their last digits, so what is as good is told with some slack.
    places = np.flatnonzero(worth >= worth.max() - ROUNDING)[::-1]
    found = _middles(own)[places]
    listing = ", ".join(written(t) for t in found[:5]) + (", …" if len(found) > 5 else "")
    note = f"{TOOL} lists {len(found)} that are as good: {listing}" if len(found) > 1 else None
    return Estimate("", float(found[0]), note=note)


def _middles(own: Ranking) -> NDArray[np.float64]:
    """Thresholds of pROC, one a place of the ranking: between its score and the next one."""
    scores = own.thresholds[1:]
    last, none = (np.inf, -np.inf) if own.lower_is_positive else (-np.inf, np.inf)
    here, after = scores[:-1], scores[1:]
    with np.errstate(over="ignore"):
        middle = (here + after) / 2
    middle = np.where(np.abs(middle) > FAR, here / 2 + after / 2, middle)
    # Where no number lies between two scores, the middle must still tell them apart.
    middle = np.where(middle == after, here, middle)
    return np.concatenate([[none], middle, [last]])
