"""JSON document of one model in the report: counts at its thresholds, summaries and charts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.calibration.reliability import reliability
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_level
from tradeoff.measures.curves import CURVES, named_curve
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.curves.curve import Axis
from tradeoff.measures.probabilities import scores_as_probabilities
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure, Undefined
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.json_csv import json_number, json_threshold, json_value
from tradeoff.report.packing import (
    are_round,
    pack_floats,
    pack_integers,
    pack_thresholds,
)
from tradeoff.report.stops import drawn_indices, slider_stops
from tradeoff.thresholds.cutoffs import default_cutoffs
from tradeoff.thresholds.decision import best_threshold
from tradeoff.thresholds.identical import identical_limits
from tradeoff.thresholds.operating_threshold import CONVENTIONAL_THRESHOLD, OperatingThreshold
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.curve_bands import curve_band
from tradeoff.uncertainty.estimates import matrix_estimates, summary_estimates
from tradeoff.views.scales import metric_scale, score_scale
from tradeoff.views.score_chart import score_histogram

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranked_models import RankedModels

DRAWN_DIGITS = 6
"""Significant digits of coordinates that are only drawn."""
POINTS_PER_FOLD_CURVE = 101
MAX_DRAWN_FOLDS = 30
BAND_GRID = np.union1d(np.linspace(0, 1, 81), np.geomspace(0.001, 0.1, 36))
"""False positive rates at which bands of ROC curves are computed: more where curves are steep."""
MIN_PACKED_THRESHOLDS = 1000
"""Fewer thresholds are kept as they are."""
MAX_SHOWN_SEGMENTS = 60
MAX_FULLY_RESAMPLED_ROWS = 100_000
"""Intervals for more rows use fewer bootstrap replicates."""
REDUCED_REPLICATES = 200
"""Number of bootstrap replicates for bands that are only drawn, and for very many rows."""


def model_document(
    model: RankedModels,
    thresholds: tuple[float, ...],
    operating_threshold: OperatingThreshold,
    confidence: Confidence | None,
    summaries: Sequence[Measure],
) -> dict[str, Any]:
    """JSON document of one model in the report, which can open at any of the `thresholds`.

    It opens at its operating threshold, which is only written if it is not the first of these.
    """
    ((name, ranking),) = model.rankings.items()
    opening = opening_threshold(ranking, operating_threshold)
    cutoffs = default_cutoffs(ranking)
    indices, drawn = slider_stops(ranking, (*thresholds, opening, *cutoffs))
    document = {
        "opening": None if opening == thresholds[0] else json_threshold(opening),
        "name": ranking.name,
        "distinct": ranking.distinct,
        "thinned": len(indices) < len(ranking),
        "asked": list(thresholds),
        "counted": ranking.is_counted,
        "rejected": _rejected_counts(ranking),
        **_threshold_documents(ranking, indices),
        "found": _first_differences(ranking.true_positives[indices]),
        "alarms": _first_differences(ranking.false_positives[indices]),
        "drawn": pack_integers(drawn),
        "hull": pack_integers(np.searchsorted(indices, ranking.hull_places)),
        "cutoffs": [json_threshold(threshold) for threshold in cutoffs],
        "summaries": _summary_documents(summaries, ranking, confidence, model.clusters.get(name)),
        "scores": _score_histogram(ranking),
        "calibration": _calibration_document(ranking, confidence),
        "bands": {"roc": _roc_band_document(model, name, confidence)},
    }
    if ranking.squares is not None:
        document["squares"] = _squares_document(ranking.squares, indices)
    if curves := _curve_documents(ranking, indices):
        document["curves"] = curves
    if model.folds.get(name):
        document["folds"] = _folds_document(model.folds[name])
    if model.segments.get(name):
        # Clusters are known only for the rows as a whole.
        segment_confidence = None if model.clusters else confidence
        document["segments"] = _segment_documents(
            ranking, indices, model.segments[name], segment_confidence
        )
    return document


def label_point_document(ranking: Ranking, confidence: Confidence | None) -> dict[str, Any]:
    """What differs for predicted labels: a point in ROC space instead of curves and bands."""
    matrix = ranking.at(CONVENTIONAL_THRESHOLD)
    rates = [METRICS[name] for name in ("false_positive_rate", "true_positive_rate")]
    estimates = matrix_estimates(rates, matrix, confidence)
    return {
        "point": {
            key: estimate_document(estimates[rate.name])
            for key, rate in zip(("fpr", "tpr"), rates, strict=True)
        },
        "calibration": {"reason": "predicted classes are not probabilities"},
        "bands": {"roc": None},
    }


def opening_threshold(ranking: Ranking, threshold: OperatingThreshold) -> float:
    """Threshold at which the report opens a model: its operating threshold or that of Youden's J.

    That of Youden's J is used if a given or conventional threshold would predict the same class
    for every row.
    """
    is_chosen = threshold.decision is not None
    predicts_both_classes = 0 < ranking.index(threshold.value) < len(ranking) - 1
    if (
        is_chosen
        or predicts_both_classes
        or ranking.distinct < 2
        or not (ranking.positives and ranking.negatives)
    ):
        return threshold.value
    return best_threshold(ranking, "youden").threshold


def _threshold_documents(ranking: Ranking, indices: NDArray[np.intp]) -> dict[str, Any]:
    """Thresholds at the stops; if there are many, they are rounded to `digits`."""
    scores = ranking.thresholds[indices]
    if len(scores) < MIN_PACKED_THRESHOLDS:
        return {"digits": None, "thresholds": [json_threshold(t) for t in scores.tolist()]}
    limits = identical_limits(ranking)[indices]
    packed = pack_thresholds(scores, limits, sign=-1 if ranking.lower_is_positive else 1)
    return {"digits": None if are_round(scores) else packed["digits"], "thresholds": packed}


def _squares_document(squares: Ranking, indices: NDArray[np.intp]) -> dict[str, Any]:
    """Sums of squared weights at the stops, which intervals need."""
    return {
        "found": pack_floats(squares.true_positives[indices].astype(np.float64)),
        "alarms": pack_floats(squares.false_positives[indices].astype(np.float64)),
        "rejected": _rejected_counts(squares),
    }


def _rejected_counts(ranking: Ranking) -> list[Any]:
    return [json_value(n) for n in (ranking.rejected_positives, ranking.rejected_negatives)]


def _first_differences(counts: NDArray[Any]) -> Any:
    """First differences of counts, which take less space; sums of weights stay unchanged."""
    if counts.dtype.kind == "i":
        return pack_integers(np.diff(counts, prepend=0))
    return pack_floats(counts)


def _summary_documents(
    measures: Sequence[Measure],
    ranking: Ranking,
    confidence: Confidence | None,
    clusters: PairedRanking | None,
) -> list[dict[str, Any]]:
    if confidence is not None and ranking.rows > MAX_FULLY_RESAMPLED_ROWS:
        confidence = replace(confidence, replicates=REDUCED_REPLICATES)
    estimates = summary_estimates(measures, ranking, confidence, clusters)
    class_averaged_measures = [
        measure
        for measure in measures
        if measure.effect_of_prevalence == "classes" and estimates[measure.name].is_defined
    ]
    means = _class_means(class_averaged_measures, ranking)
    return [
        {
            "name": measure.name,
            "follows": measure.effect_of_prevalence,
            **estimate_document(estimates[measure.name]),
            **means[measure.name],
        }
        for measure in measures
    ]


def _class_means(measures: list[Measure], ranking: Ranking) -> dict[str, dict[str, Any]]:
    """Means by class, positive first, of summaries that are averages over the rows."""
    means: dict[str, dict[str, Any]] = defaultdict(dict)
    if measures and ranking.positives and ranking.negatives:
        scored = replace(ranking, rejected_positives=0, rejected_negatives=0)
        low_prevalence, high_prevalence = scored.at_prevalence(0.25), scored.at_prevalence(0.75)
        for measure in measures:
            low, high = measure(low_prevalence), measure(high_prevalence)
            means[measure.name]["means"] = [
                json_number(1.5 * high - 0.5 * low),
                json_number(1.5 * low - 0.5 * high),
            ]
    return means


def _score_histogram(ranking: Ranking) -> dict[str, Any]:
    x_scale = score_scale([ranking])
    histogram = score_histogram(ranking, x_scale)
    return {
        "kind": x_scale.kind,
        "discrete": histogram.is_discrete,
        "edges": _round(histogram.edges),
        "positive": _round(np.nan_to_num(histogram.positive_proportions)),
        "negative": _round(np.nan_to_num(histogram.negative_proportions)),
    }


def _calibration_document(ranking: Ranking, confidence: Confidence | None) -> dict[str, Any]:
    """JSON document of a reliability diagram, or the reason why there is none."""
    if not (ranking.positives and ranking.negatives):
        return {"reason": "rows of both classes are needed"}
    try:
        scores_as_probabilities(ranking)
    except Undefined as reason:
        return {"reason": str(reason)}
    has_band = confidence is not None and ranking.is_counted and ranking.squares is None
    level = confidence.level if confidence is not None else 0.95
    diagram = reliability(
        ranking,
        bands="consistency" if has_band else None,
        level=level,
        replicates=REDUCED_REPLICATES,
    )
    document: dict[str, Any] = {"x": _round(diagram.scores), "y": _round(diagram.fitted)}
    if has_band:
        document |= {"low": _round(diagram.band_low), "high": _round(diagram.band_high)}
        document["level"] = format_level(level)
    return document


def _roc_band_document(
    model: RankedModels, name: str, confidence: Confidence | None
) -> dict[str, Any] | None:
    """Pointwise confidence band of the ROC curve; None if there is none."""
    ranking = model.rankings[name]
    if confidence is None or not (ranking.positives and ranking.negatives):
        return None
    try:
        band = curve_band(
            ranking,
            {"name": "roc"},
            replace(confidence, method=None),
            x=BAND_GRID,
            paired=model.clusters.get(name),
        )
    except InputError:  # such as rows without a score
        return None
    is_defined = np.isfinite(band.low) & np.isfinite(band.high)
    if not is_defined.any():
        return None
    columns = {"x": band.x, "low": band.low, "high": band.high}
    return {
        **{key: _round(values[is_defined], 4) for key, values in columns.items()},
        "level": format_level(band.level),
        "method": band.method,
    }


def _curve_documents(ranking: Ranking, indices: NDArray[np.intp]) -> dict[str, Any]:
    """Curves that are marked `on_page`, at the stops; charts.js computes the others itself."""
    documents = {}
    for kind in CURVES.values():
        if not (kind.on_page and ranking.positives and ranking.negatives):
            continue
        curve = named_curve(ranking, kind.name)
        if len(curve) == len(ranking):
            axes = {"x": curve.across, "y": curve.up}
            documents[kind.name] = {
                "title": kind.title or kind.name.replace("_", " ").capitalize(),
                "about": kind.caption,
                **{key: _axis_document(axis, ranking, kind.name) for key, axis in axes.items()},
                "points": [_round(axis.values[indices]) for axis in axes.values()],
            }
    return documents


def _axis_document(axis: Axis, ranking: Ranking, curve: str) -> dict[str, Any]:
    scale = metric_scale(axis.name, [axis.values], ranking, curve)
    return {"label": scale.label, "low": scale.low, "high": scale.high, "kind": scale.kind}


def _folds_document(folds: Mapping[str, Ranking]) -> dict[str, Any]:
    """The ROC curve of each fold, their vertical average and its band."""
    grid = np.linspace(0, 1, POINTS_PER_FOLD_CURVE)
    try:
        average = average_curve(folds, "roc")
        band = average.band("t", at=grid)
    except InputError as error:
        return {"curves": [], "about": str(error)}
    curves = []
    for name, curve in list(average.folds.items())[:MAX_DRAWN_FOLDS]:
        indices = drawn_indices(curve.ranking)
        indices = indices[
            np.linspace(0, len(indices) - 1, min(len(indices), POINTS_PER_FOLD_CURVE)).astype(int)
        ]
        curves.append(
            {"name": name, "x": _round(curve.x[indices], 4), "y": _round(curve.y[indices], 4)}
        )
    is_finite = np.isfinite(band.low)
    band_columns = {"x": grid, "low": band.low, "high": band.high}
    average_indices = np.linspace(
        0, len(average.x) - 1, min(len(average.x), 4 * POINTS_PER_FOLD_CURVE)
    ).astype(int)
    sentences = [f"Thin: folds. Thick: their vertical average. Shaded: {band.method}."]
    sentences += [
        f"Fold {fold} is left out: {reason}." for fold, reason in average.left_out.items()
    ]
    if len(average.folds) > MAX_DRAWN_FOLDS:
        sentences.append(f"{MAX_DRAWN_FOLDS} of {len(average.folds)} folds are drawn.")
    return {
        "curves": curves,
        "average": {
            "x": _round(average.x[average_indices], 4),
            "y": _round(average.y[average_indices], 4),
        },
        "band": {name: _round(values[is_finite], 4) for name, values in band_columns.items()}
        if is_finite.any()
        else None,
        "about": " ".join(sentences),
    }


def _segment_documents(
    ranking: Ranking,
    stop_indices: NDArray[np.intp],
    segments: Mapping[str, Ranking],
    confidence: Confidence | None,
) -> list[dict[str, Any]]:
    """Documents of the largest segments, with counts at the stops of the whole model."""
    largest = sorted(segments.items(), key=lambda item: -item[1].rows)[:MAX_SHOWN_SEGMENTS]
    documents = []
    for name, segment in largest:
        indices = segment.places(ranking.thresholds[stop_indices])
        auc = summary_estimates([SUMMARIES["auc"]], segment, confidence)["auc"]
        document = {
            "name": name,
            "rows": segment.rows,
            "counted": segment.is_counted,
            "rejected": _rejected_counts(segment),
            "found": _first_differences(segment.true_positives[indices]),
            "alarms": _first_differences(segment.false_positives[indices]),
            "auc": estimate_document(auc),
        }
        if segment.squares is not None:
            document["squares"] = _squares_document(segment.squares, indices)
        documents.append(document)
    return documents


def _round(values: NDArray[np.float64], digits: int = DRAWN_DIGITS) -> list[float | None]:
    """Values rounded to significant digits for drawing; values that are not finite are null."""
    return [
        float(f"{value:.{digits}g}") if math.isfinite(value) else None for value in values.tolist()
    ]
