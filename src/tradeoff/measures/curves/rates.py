"""Curves of one rate over another: ROC, precision and recall, gains, lift, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.interpolation import hyperbolas, trapezoids
from tradeoff.measures.curves.registry import named, over, over_threshold
from tradeoff.measures.registry import METRICS

if TYPE_CHECKING:
    from tradeoff.measures.curves.curve import Curve

DIAGONAL = ((0.0, 0.0), (1.0, 1.0))


@named(
    "how many positives are found for how many false alarms among the negatives",
    title="ROC curve",
    area="AUC",
    square=True,
    rank=1,
)
def roc(ranking: Ranking) -> Curve:
    """True over false positive rate; a tie is one straight step."""
    corner = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0))
    return over(ranking, "fpr", "tpr", name="roc", chance=DIAGONAL, ideal=corner)


@named(
    "how pure the rows called positive are, the more positives are found",
    title="Precision and recall",
    area="area",
    axes={"true_positive_rate": "share of {positive} found (recall)"},
    square=True,
    rank=2,
)
def precision_recall(ranking: Ranking) -> Curve:
    """Precision over recall; between two points along the expected counts, not straight."""
    base = _prevalence(ranking)
    return over(
        ranking,
        "recall",
        "precision",
        name="precision_recall",
        chance=((0.0, base), (1.0, base)),
        ideal=((0.0, 1.0), (1.0, 1.0), (1.0, base)),
        integral=hyperbolas(lambda m: m.true_positives, lambda m: m.predicted_positives),
    )


@named(
    "precision and recall on a scale where areas can be compared over prevalences",
    title="Precision gain and recall gain",
    area="area",
    square=True,
    rank=3,
)
def precision_recall_gain(ranking: Ranking) -> Curve:
    """Precision gain over recall gain: straight lines; the area is that right of 0."""
    return over(
        ranking,
        "recall_gain",
        "precision_gain",
        name="precision_recall_gain",
        chance=((0.0, 0.0), (1.0, 0.0)),
        ideal=((0.0, 1.0), (1.0, 1.0)),
        integral=_gain_area,
    )


@named(
    "what share of the positives the best-scored part of the rows holds",
    title="Cumulative gains",
    axes={"predicted_positive_rate": "share of rows taken, best first (depth)"},
    square=True,
    rank=4,
)
def gains(ranking: Ranking) -> Curve:
    """True positive rate over the share of rows taken, best first."""
    ideal = ((0.0, 0.0), (_prevalence(ranking), 1.0), (1.0, 1.0))
    return over(ranking, "depth", "tpr", name="gains", chance=DIAGONAL, ideal=ideal)


@named(
    "how many times more positives than by chance the best-scored part of the rows holds",
    title="Lift",
    axes={"predicted_positive_rate": "share of rows taken, best first (depth)"},
    rank=5,
)
def lift(ranking: Ranking) -> Curve:
    """Cumulative lift over the share of rows taken, best first."""
    base = _prevalence(ranking)
    shares = np.linspace(base, 1.0, 50) if base > 0 else np.array([1.0])
    ideal = ((0.0, 1 / base), *((x, 1 / x) for x in shares.tolist())) if base > 0 else None
    return over(ranking, "depth", "lift", name="lift", chance=((0.0, 1.0), (1.0, 1.0)), ideal=ideal)


@named(
    "both kinds of error against each other; usually drawn on normal-deviate axes",
    title="Detection error trade-off",
    square=True,
    rank=7,
)
def det(ranking: Ranking) -> Curve:
    """Detection error trade-off: false negative over false positive rate."""
    return over(
        ranking,
        "fpr",
        "fnr",
        name="det",
        chance=((0.0, 1.0), (1.0, 0.0)),
        ideal=((0.0, 1.0), (0.0, 0.0), (1.0, 0.0)),
    )


@named(
    "how far apart the classes are at each threshold",
    title="How far apart the classes are",
    axes={"youden_j": "share"},
    rank=16,
)
def ks(ranking: Ranking) -> Curve:
    """True minus false positive rate over the threshold, with both rates beside it."""
    measures = (METRICS[name] for name in ("youden_j", "tpr", "fpr"))
    return over_threshold(ranking, *measures, name="ks")


def _gain_area(curve: Curve, low: float, high: float) -> float:
    # Left of 0, calling everybody positive is better; there gains may be minus infinity.
    return trapezoids(curve, max(low, 0.0), high) if high > 0 else 0.0


def _prevalence(ranking: Ranking) -> float:
    total = ranking.positives + ranking.negatives
    return float(ranking.positives / total) if total else np.nan
