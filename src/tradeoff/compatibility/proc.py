"""pROC 1.18's values: AUC with automatic direction, intervals, best thresholds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.compatibility.registry import tool_measure
from tradeoff.compatibility.reversed_rankings import reversed_ranking
from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_threshold
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES, Undefined
from tradeoff.measures.summaries.areas import rates, require_ranked_classes
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.normal import critical_value
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.auc import auc_interval, placement_variances

TOOL = "pROC"
ROUNDING_TOLERANCE = 1e-12
MAX_UNHALVED_MIDPOINT = 1e100
"""If their midpoint is above this limit, pROC halves two scores before adding them."""
DIRECTION_NOTE = "The direction is chosen as for `auc`"


def _directed_ranking(ranking: Ranking, direction: str) -> Ranking:
    """Ranking in pROC's direction: "<" if high scores are positive, ">" if low scores are.

    "auto" compares the classes' medians, with "<" if they are equal.
    """
    _require_supported_rows(ranking)
    if direction not in {"auto", "<", ">"}:
        raise InputError(f'pROC\'s direction is "auto", "<" or ">", not {direction!r}.')
    if direction == "auto":
        controls, cases = _median(ranking, positive=False), _median(ranking, positive=True)
        direction = ">" if controls > cases else "<"
    return ranking if ranking.lower_is_positive == (direction == ">") else reversed_ranking(ranking)


def _require_supported_rows(ranking: Ranking) -> None:
    """Require unweighted rows of both classes with finite scores, as pROC does."""
    if not (ranking.positives and ranking.negatives):
        raise Undefined(f"{TOOL} fails: the response must have two levels")
    if not ranking.is_counted or ranking.squares is not None:
        raise Undefined(f"{TOOL} does not support weights")
    if not np.isfinite(ranking.thresholds[1:]).all():
        raise Undefined(f"{TOOL} gives NaN: a score is infinite")


def _median(ranking: Ranking, *, positive: bool) -> float:
    """Median score of one class."""
    counts = ranking.true_positives if positive else ranking.false_positives
    rows = int(counts[-1])
    # The rows at index k are those from number counts[k - 1] on, counted from 0.
    middle = np.searchsorted(counts, [(rows - 1) // 2, rows // 2], "right")
    return float(ranking.thresholds[middle].mean())


@tool_measure(
    TOOL,
    "auc",
    ours="auc",
    why='Counts each tie as one half, as here, but direction="auto" takes low scores as positive '
    "if the median of the negatives is above that of the positives, which makes a bad model look "
    'good. Here the direction is never reversed; with direction="<" both are the same.',
)
def auc(ranking: Ranking, *, direction: str = "auto") -> float:
    """AUC by pROC's `auc`."""
    return float(SUMMARIES.find("auc")(_directed_ranking(ranking, direction)))


def _partial_parameters(limits: tuple[float, float], focus: str) -> dict[str, Any]:
    """Convert pROC's limits of specificity or sensitivity to limits of fpr or tpr."""
    if focus not in {"specificity", "sensitivity"} or len(limits) != 2:
        raise InputError(
            "pROC's partial AUC lies between two specificities or sensitivities: write "
            'partial_auc=(1, 0.9), focus="specificity".'
        )
    low, high = sorted(map(float, limits))
    if focus == "sensitivity":
        return {"low": low, "high": high, "along": "tpr"}
    return {"low": 1 - high, "high": 1 - low, "along": "fpr"}


def _partial_summary(ranking: Ranking, name: str, limits: tuple[float, float], focus: str) -> float:
    require_ranked_classes(ranking)
    return float(
        SUMMARIES.find(name).with_parameters(**_partial_parameters(limits, focus))(ranking)
    )


def _our_partial_auc(ranking: Ranking, *, partial_auc: tuple[float, float], focus: str) -> float:
    return _partial_summary(ranking, "partial_auc", partial_auc, focus)


def _our_mcclish(ranking: Ranking, *, partial_auc: tuple[float, float], focus: str) -> float:
    return _partial_summary(ranking, "partial_auc_mcclish", partial_auc, focus)


@tool_measure(
    TOOL,
    "auc(partial.auc)",
    ours="partial_auc",
    our_function=_our_partial_auc,
    why=f"The raw area between two specificities (or sensitivities), as here. {DIRECTION_NOTE}.",
)
def partial_auc(
    ranking: Ranking,
    *,
    partial_auc: tuple[float, float] = (1.0, 0.9),
    focus: str = "specificity",
    direction: str = "auto",
) -> float:
    """Partial AUC by pROC's `auc`."""
    return _partial_summary(
        _directed_ranking(ranking, direction), "partial_auc", partial_auc, focus
    )


@tool_measure(
    TOOL,
    "auc(partial.auc.correct)",
    ours="partial_auc_mcclish",
    our_function=_our_mcclish,
    why="McClish's correction, as here, but NA if the curve lies below the diagonal; here the "
    f"value is given, with a note. {DIRECTION_NOTE}.",
)
def partial_auc_corrected(
    ranking: Ranking,
    *,
    partial_auc: tuple[float, float] = (1.0, 0.9),
    focus: str = "specificity",
    direction: str = "auto",
) -> float:
    """Partial AUC by pROC's `auc`, with McClish's correction."""
    directed = _directed_ranking(ranking, direction)
    value = _partial_summary(directed, "partial_auc_mcclish", partial_auc, focus)
    if value < 0.5 - ROUNDING_TOLERANCE:
        raise Undefined(f"{TOOL} gives NA: the curve lies below the diagonal there")
    return value


def _our_limit(ranking: Ranking, level: float, limit: str) -> float:
    require_ranked_classes(ranking)
    estimate = auc_interval(ranking, level)
    if estimate.reason:
        raise Undefined(estimate.reason)
    return float(getattr(estimate, limit))


def _our_lower_limit(ranking: Ranking, *, level: float) -> float:
    return _our_limit(ranking, level, "low")


def _our_upper_limit(ranking: Ranking, *, level: float) -> float:
    return _our_limit(ranking, level, "high")


DELONG_NOTE = (
    "DeLong's interval, symmetric around the AUC and truncated at 0 and 1: too narrow near 1, and "
    "of width 0 at 1. Here it is on the logit scale, by Pohar Perme & Manevski; "
    f'method="delong" gives pROC\'s. {DIRECTION_NOTE}.'
)


@tool_measure(
    TOOL,
    "ci.auc lower",
    ours="auc",
    our_function=_our_lower_limit,
    part="lower limit",
    why=DELONG_NOTE,
)
def ci_auc_lower(ranking: Ranking, *, level: float = 0.95, direction: str = "auto") -> float:
    """Lower limit of pROC's `ci.auc`."""
    return _delong_limits(ranking, level, direction)[0]


@tool_measure(
    TOOL,
    "ci.auc upper",
    ours="auc",
    our_function=_our_upper_limit,
    part="upper limit",
    why=DELONG_NOTE,
)
def ci_auc_upper(ranking: Ranking, *, level: float = 0.95, direction: str = "auto") -> float:
    """Upper limit of pROC's `ci.auc`."""
    return _delong_limits(ranking, level, direction)[1]


def _delong_limits(ranking: Ranking, level: float, direction: str) -> tuple[float, float]:
    moments = placement_variances(_directed_ranking(ranking, direction))
    if min(moments.positives, moments.negatives) < 2:
        raise Undefined(f"{TOOL} gives NA: it needs two rows of each class")
    half_width = critical_value(require_level(level)) * math.sqrt(moments.variance)
    return max(moments.area - half_width, 0.0), min(moments.area + half_width, 1.0)


def _our_youden_threshold(ranking: Ranking, *, relative_cost: float, prevalence: float) -> float:
    require_ranked_classes(ranking)
    # Maximizing the weighted Youden index minimizes the expected cost.
    costs = Costs(false_positive=1, false_negative=relative_cost)
    return best_threshold(ranking, costs=costs, prevalence=prevalence).threshold


def _our_topleft_threshold(ranking: Ranking, *, relative_cost: float, prevalence: float) -> float:
    require_ranked_classes(ranking)
    weight = 1 / (1 + _specificity_weight(relative_cost, prevalence))
    return best_threshold(ranking, "distance", weight=weight).threshold


MIDPOINT_NOTE = (
    "The midpoint of two adjacent scores, -Inf or Inf at the ends; here the higher of the two, "
    "which gives the same predictions. If several thresholds are equally good, pROC first lists "
    "the one with the most positive predictions; tradeoff takes the one with the fewest. "
    f"{DIRECTION_NOTE}."
)


@tool_measure(
    TOOL,
    "coords best youden",
    ours="youden_j",
    our_function=_our_youden_threshold,
    part="best threshold",
    aliases=("coords best",),
    why=MIDPOINT_NOTE,
)
def coords_best_youden(
    ranking: Ranking,
    *,
    relative_cost: float = 1.0,
    prevalence: float = 0.5,
    direction: str = "auto",
) -> Estimate:
    """Best threshold of pROC's `coords` by Youden's J."""
    directed = _directed_ranking(ranking, direction)
    tpr, fpr = rates(directed)
    return _best_threshold(
        directed, tpr + _specificity_weight(relative_cost, prevalence) * (1 - fpr)
    )


@tool_measure(
    TOOL,
    "coords best closest.topleft",
    ours="plain_distance_to_perfect",
    our_function=_our_topleft_threshold,
    part="best threshold",
    why=MIDPOINT_NOTE,
)
def coords_best_topleft(
    ranking: Ranking,
    *,
    relative_cost: float = 1.0,
    prevalence: float = 0.5,
    direction: str = "auto",
) -> Estimate:
    """Best threshold of pROC's `coords` by the distance to the top-left corner."""
    directed = _directed_ranking(ranking, direction)
    tpr, fpr = rates(directed)
    return _best_threshold(
        directed, -((1 - tpr) ** 2 + _specificity_weight(relative_cost, prevalence) * fpr**2)
    )


@tool_measure(
    TOOL,
    "coords all",
    ours=None,
    kind="curve",
    why="Thresholds are the midpoints of adjacent scores, with -Inf and Inf at the ends, "
    "from all rows predicted positive to none. Here they are the scores themselves, in descending "
    "order.",
)
def coords_all(ranking: Ranking, *, direction: str = "auto") -> dict[str, Any]:
    """All points of pROC's `coords`: thresholds with specificity and sensitivity."""
    directed = _directed_ranking(ranking, direction)
    tpr, fpr = rates(directed)
    return {
        "threshold": _midpoints(directed)[::-1],
        "specificity": (1 - fpr)[::-1],
        "sensitivity": tpr[::-1],
    }


def _specificity_weight(relative_cost: float, prevalence: float) -> float:
    """Weight of specificity relative to sensitivity from pROC's best.weights."""
    if not (relative_cost > 0 and 0 < prevalence < 1):
        raise InputError("best.weights must be a cost above 0 and a prevalence between 0 and 1.")
    return (1 - prevalence) / (relative_cost * prevalence)


def _best_threshold(ranking: Ranking, criterion: NDArray[np.float64]) -> Estimate:
    """First of pROC's best thresholds, with a note if there are several."""
    # The tolerance allows for rounding errors in sums of rates.
    indices = np.flatnonzero(criterion >= criterion.max() - ROUNDING_TOLERANCE)[::-1]
    thresholds = _midpoints(ranking)[indices]
    size = len(thresholds)
    listing = ", ".join(map(format_threshold, thresholds[:5])) + (", …" if size > 5 else "")
    note = f"{TOOL} lists {size} equally good thresholds: {listing}" if size > 1 else None
    return Estimate("", float(thresholds[0]), note=note)


def _midpoints(ranking: Ranking) -> NDArray[np.float64]:
    """Thresholds of pROC: midpoints of adjacent scores, one per index of the ranking."""
    scores = ranking.thresholds[1:]
    last, first = (np.inf, -np.inf) if ranking.lower_is_positive else (-np.inf, np.inf)
    left, right = scores[:-1], scores[1:]
    with np.errstate(over="ignore"):
        midpoints = (left + right) / 2
    midpoints = np.where(np.abs(midpoints) > MAX_UNHALVED_MIDPOINT, left / 2 + right / 2, midpoints)
    # If no float lies between two scores, the midpoint must still separate them.
    midpoints = np.where(midpoints == right, left, midpoints)
    return np.concatenate([[first], midpoints, [last]])
