"""Curves of one rate against another: ROC, precision-recall, gains, lift, DET, KS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.interpolation import (
    count_interpolation_area,
    linear_interpolation_area,
)
from tradeoff.measures.curves.metric_curves import metric_curve, threshold_curve
from tradeoff.measures.curves.registry import register_curve
from tradeoff.measures.registry import METRICS

if TYPE_CHECKING:
    from tradeoff.measures.curves.curve import Curve, Line

DIAGONAL = ((0.0, 0.0), (1.0, 1.0))


@register_curve(
    "true positive rate against false positive rate at every threshold",
    title="ROC curve",
    area="AUC",
    summary="auc",
    square=True,
    rank=1,
    aliases=("receiver_operating_characteristic",),
)
def roc(ranking: Ranking) -> Curve:
    """ROC curve: true positive rate against false positive rate; ties are straight segments."""
    corner = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0))
    return metric_curve(ranking, "fpr", "tpr", name="roc", chance=DIAGONAL, ideal=corner)


@register_curve(
    "precision against recall at every threshold",
    title="Precision–recall curve",
    area="area",
    summary="pr_area",
    axes={"true_positive_rate": "Recall|share of {positive} found"},
    square=True,
    rank=2,
    aliases=("pr", "prc", "recall_precision"),
)
def precision_recall(ranking: Ranking) -> Curve:
    """Precision-recall curve, interpolated by expected counts, not linearly."""
    prevalence = _prevalence(ranking)
    return metric_curve(
        ranking,
        "recall",
        "precision",
        name="precision_recall",
        chance=((0.0, prevalence), (1.0, prevalence)),
        ideal=((0.0, 1.0), (1.0, 1.0), (1.0, prevalence)),
        integral=count_interpolation_area(
            lambda m: m.true_positives, lambda m: m.predicted_positives
        ),
    )


@register_curve(
    "precision gain against recall gain, with areas comparable across prevalences",
    title="Precision–recall–gain curve",
    area="area",
    summary="pr_gain_area",
    square=True,
    rank=3,
    aliases=("prg",),
)
def precision_recall_gain(ranking: Ranking) -> Curve:
    """Precision-recall-gain curve: linear between points; its area starts at recall gain 0."""
    return metric_curve(
        ranking,
        "recall_gain",
        "precision_gain",
        name="precision_recall_gain",
        chance=((0.0, 0.0), (1.0, 0.0)),
        ideal=((0.0, 1.0), (1.0, 1.0)),
        integral=_gain_area,
    )


@register_curve(
    "share of all positives among the highest-scored rows",
    title="Cumulative gains",
    axes={"predicted_positive_rate": "Share of {rows} selected, highest scores first"},
    square=True,
    rank=4,
    aliases=("gain", "cumulative_gains", "cumulative_response", "response", "cap", "lorenz"),
)
def gains(ranking: Ranking) -> Curve:
    """Cumulative gains curve: true positive rate against the share of rows selected."""
    ideal = ((0.0, 0.0), (_prevalence(ranking), 1.0), (1.0, 1.0))
    return metric_curve(ranking, "depth", "tpr", name="gains", chance=DIAGONAL, ideal=ideal)


@register_curve(
    "lift of the highest-scored rows over random selection",
    title="Lift curve",
    axes={"predicted_positive_rate": "Share of {rows} selected, highest scores first"},
    rank=5,
    aliases=("cumulative_lift",),
)
def lift(ranking: Ranking) -> Curve:
    """Cumulative lift curve against the share of rows selected, highest scores first."""
    prevalence = _prevalence(ranking)
    ideal: Line | None = None
    if prevalence > 0:
        depths = np.linspace(prevalence, 1.0, 50).tolist()
        ideal = ((0.0, 1 / prevalence), *((depth, 1 / depth) for depth in depths))
    return metric_curve(
        ranking, "depth", "lift", name="lift", chance=((0.0, 1.0), (1.0, 1.0)), ideal=ideal
    )


@register_curve(
    "false negative rate against false positive rate, usually on normal-deviate axes",
    title="Detection error tradeoff (DET) curve",
    square=True,
    rank=7,
    aliases=("detection_error_tradeoff",),
)
def det(ranking: Ranking) -> Curve:
    """Detection error tradeoff curve: false negative rate against false positive rate."""
    return metric_curve(
        ranking,
        "fpr",
        "fnr",
        name="det",
        chance=((0.0, 1.0), (1.0, 0.0)),
        ideal=((0.0, 1.0), (0.0, 0.0), (1.0, 0.0)),
    )


@register_curve(
    "true and false positive rates at each threshold, and their difference",
    title="Kolmogorov–Smirnov chart",
    axes={"youden_j": "Share of each class"},
    rank=16,
    aliases=("kolmogorov_smirnov", "youden"),
)
def ks(ranking: Ranking) -> Curve:
    """Kolmogorov-Smirnov curve: true minus false positive rate at each threshold."""
    measures = (METRICS[name] for name in ("youden_j", "tpr", "fpr"))
    return threshold_curve(ranking, *measures, name="ks")


def _gain_area(curve: Curve, low: float, high: float) -> float:
    # Left of 0, predicting all rows positive is better, and gains may be minus infinity.
    return linear_interpolation_area(curve, max(low, 0.0), high) if high > 0 else 0.0


def _prevalence(ranking: Ranking) -> float:
    total = ranking.positives + ranking.negatives
    return float(ranking.positives / total) if total else np.nan
