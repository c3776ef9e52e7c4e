"""What a page knows of one model: its stops, and what was measured before it was opened."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.calibration.reliability import reliability
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves import CURVES, named_curve
from tradeoff.measures.curves.average import average_curve
from tradeoff.measures.curves.curve import Axis
from tradeoff.measures.registry import SUMMARIES, Measure
from tradeoff.render.values import estimate_document, finite, percent_of, plain_number, spelled
from tradeoff.report.stops import stops
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import summary_estimates
from tradeoff.views.scales import metric_scale, score_scale
from tradeoff.views.score_chart import distribution

if TYPE_CHECKING:
    from tradeoff.core.models import RankedModels
    from tradeoff.core.paired import PairedRanking

DIGITS = 6
"""Of points that are only drawn."""
FOLD_POINTS = 101
MOST_FOLDS = 30
MOST_SEGMENTS = 30
MANY_ROWS = 100_000
FEW_DRAWS = 200
"""Replicates of a band that is only looked at, and of intervals for very many rows."""


def model_document(
    model: RankedModels, chosen: tuple[float, ...], confidence: Confidence | None
) -> dict[str, Any]:
    """One model for the page, which can open at each of the `chosen` thresholds."""
    ((name, ranking),) = model.rankings.items()
    opening = _opening(ranking, chosen[0])
    kept = stops(ranking, chosen if opening is None else (*chosen, opening))
    document = {
        "opening": opening,
        "name": ranking.name,
        "distinct": ranking.distinct,
        "thinned": len(kept) < len(ranking),
        "asked": list(chosen),
        "counted": ranking.is_counted,
        "rejected": _rejected(ranking),
        "thresholds": [spelled(t) for t in ranking.thresholds[kept].tolist()],
        "found": _travelling(ranking.true_positives[kept]),
        "alarms": _travelling(ranking.false_positives[kept]),
        "hull": np.searchsorted(kept, ranking.hull_places).tolist(),
        "summaries": _summaries(ranking, confidence, model.clusters.get(name)),
        "scores": _scores(ranking),
        "calibration": _calibration(ranking, confidence),
    }
    if ranking.squares is not None:
        document["squares"] = _squares(ranking.squares, kept)
    if curves := _curves(ranking, kept):
        document["curves"] = curves
    if model.folds.get(name):
        document["folds"] = _folds(model.folds[name])
    if model.segments.get(name):
        # Which rows of a segment belong to one cluster is not kept.
        certainty = None if model.clusters else confidence
        document["segments"] = _segments(ranking, kept, model.segments[name], certainty)
    return document


def _opening(ranking: Ranking, asked: float) -> float | None:
    """Where the line begins instead, for scores of which the asked threshold parts none."""
    parts = 0 < ranking.index(asked) < len(ranking) - 1
    if parts or ranking.distinct < 2 or not (ranking.positives and ranking.negatives):
        return None
    return finite(best_threshold(ranking, "youden").threshold)


def _squares(squares: Ranking, places: NDArray[np.intp]) -> dict[str, Any]:
    """Sums of squared weights at the stops, which intervals need."""
    return {
        "found": squares.true_positives[places].tolist(),
        "alarms": squares.false_positives[places].tolist(),
        "rejected": _rejected(squares),
    }


def _rejected(ranking: Ranking) -> list[Any]:
    return [plain_number(n) for n in (ranking.rejected_positives, ranking.rejected_negatives)]


def _travelling(counts: NDArray[Any]) -> list[Any]:
    """Counts as differences, which are short; sums of real weights as they are, which is exact."""
    shown = np.diff(counts, prepend=0) if counts.dtype.kind == "i" else counts
    return list(shown.tolist())


def _summaries(
    ranking: Ranking, confidence: Confidence | None, clusters: PairedRanking | None
) -> list[dict[str, Any]]:
    if confidence is not None and ranking.rows > MANY_ROWS:
        confidence = replace(confidence, replicates=FEW_DRAWS)
    shown = SUMMARIES.headlines("models")
    found = summary_estimates(shown, ranking, confidence, clusters)
    mixing = [m for m in shown if m.by_prevalence == "classes" and found[m.name].is_defined]
    means = _class_means(mixing, ranking)
    return [
        {
            "name": measure.name,
            "follows": measure.by_prevalence,
            **estimate_document(found[measure.name]),
            **means[measure.name],
        }
        for measure in shown
    ]


def _class_means(measures: list[Measure], ranking: Ranking) -> dict[str, dict[str, Any]]:
    """The means over the scored rows of both classes, positive first, of what mixes them."""
    means: dict[str, dict[str, Any]] = defaultdict(dict)
    if measures and ranking.positives and ranking.negatives:
        scored = replace(ranking, rejected_positives=0, rejected_negatives=0)
        few, many = scored.at_prevalence(0.25), scored.at_prevalence(0.75)
        for measure in measures:
            low, high = measure(few), measure(many)
            means[measure.name]["means"] = [
                finite(1.5 * high - 0.5 * low),
                finite(1.5 * low - 0.5 * high),
            ]
    return means


def _scores(ranking: Ranking) -> dict[str, Any]:
    across = score_scale([ranking])
    found = distribution(ranking, across)
    return {
        "kind": across.kind,
        "discrete": found.discrete,
        "edges": _drawn(found.edges),
        "positive": _drawn(np.nan_to_num(found.positives)),
        "negative": _drawn(np.nan_to_num(found.negatives)),
    }


def _calibration(ranking: Ranking, confidence: Confidence | None) -> dict[str, Any]:
    """The line of a reliability diagram; a reason where scores are no probabilities."""
    if not (ranking.positives and ranking.negatives):
        return {"reason": "rows of both classes are needed"}
    banded = confidence is not None and ranking.is_counted and ranking.squares is None
    level = confidence.level if confidence is not None else 0.95
    try:
        found = reliability(
            ranking, bands="consistency" if banded else None, level=level, replicates=FEW_DRAWS
        )
    except InputError:
        return {"reason": "scores are not probabilities"}
    document: dict[str, Any] = {"x": _drawn(found.scores), "y": _drawn(found.fitted)}
    if banded:
        document |= {"low": _drawn(found.band_low), "high": _drawn(found.band_high)}
        document["level"] = percent_of(level)
    return document


def _curves(ranking: Ranking, places: NDArray[np.intp]) -> dict[str, Any]:
    """Curves that ask for it, at the stops; charts.js draws others by itself."""
    drawn = {}
    for kind in CURVES.values():
        if not (kind.on_page and ranking.positives and ranking.negatives):
            continue
        curve = named_curve(ranking, kind.name)
        if len(curve) == len(ranking):
            sides = {"x": curve.across, "y": curve.up}
            drawn[kind.name] = {
                "title": kind.title or kind.name.replace("_", " ").capitalize(),
                "about": f"{kind.sentence[:1].upper()}{kind.sentence[1:]}.",
                **{side: _side(axis, ranking, kind.name) for side, axis in sides.items()},
                "points": [_drawn(axis.values[places]) for axis in sides.values()],
            }
    return drawn


def _side(axis: Axis, ranking: Ranking, curve: str) -> dict[str, Any]:
    scale = metric_scale(axis.name, [axis.values], ranking, curve)
    return {"label": scale.label, "low": scale.low, "high": scale.high, "kind": scale.kind}


def _folds(folds: Mapping[str, Ranking]) -> dict[str, Any]:
    """The ROC curve of each fold, their vertical average and its band."""
    grid = np.linspace(0, 1, FOLD_POINTS)
    try:
        average = average_curve(folds, "roc")
        band = average.band("t", at=grid)
    except InputError as problem:
        return {"curves": [], "about": str(problem)}
    curves = []
    for name, curve in list(average.folds.items())[:MOST_FOLDS]:
        kept = stops(curve.ranking)
        kept = kept[np.linspace(0, len(kept) - 1, min(len(kept), FOLD_POINTS)).astype(int)]
        curves.append({"name": name, "x": _drawn(curve.x[kept], 4), "y": _drawn(curve.y[kept], 4)})
    there = np.isfinite(band.low)
    shaded = {"x": grid, "low": band.low, "high": band.high}
    at = np.linspace(0, len(average.x) - 1, min(len(average.x), 4 * FOLD_POINTS)).astype(int)
    told = [f"Thin: folds. Thick: their vertical average. Shaded: {band.method}."]
    told += [f"Fold {fold} is left out: {why}." for fold, why in average.left_out.items()]
    if len(average.folds) > MOST_FOLDS:
        told.append(f"Drawn are {MOST_FOLDS} of {len(average.folds)} folds.")
    return {
        "curves": curves,
        "average": {"x": _drawn(average.x[at], 4), "y": _drawn(average.y[at], 4)},
        "band": {name: _drawn(values[there], 4) for name, values in shaded.items()}
        if there.any()
        else None,
        "about": " ".join(told),
    }


def _segments(
    ranking: Ranking,
    kept: NDArray[np.intp],
    segments: Mapping[str, Ranking],
    confidence: Confidence | None,
) -> list[dict[str, Any]]:
    """The largest segments, each counted at the model's own stops."""
    largest = sorted(segments.items(), key=lambda item: -item[1].rows)[:MOST_SEGMENTS]
    documents = []
    for name, own in largest:
        places = own.places(ranking.thresholds[kept])
        auc = summary_estimates([SUMMARIES["auc"]], own, confidence)["auc"]
        document = {
            "name": name,
            "rows": own.rows,
            "counted": own.is_counted,
            "rejected": _rejected(own),
            "found": _travelling(own.true_positives[places]),
            "alarms": _travelling(own.false_positives[places]),
            "auc": estimate_document(auc),
        }
        if own.squares is not None:
            document["squares"] = _squares(own.squares, places)
        documents.append(document)
    return documents


def _drawn(values: NDArray[np.float64], digits: int = DIGITS) -> list[float | None]:
    """Numbers for the eye: shortened, gaps null."""
    return [
        float(f"{value:.{digits}g}") if math.isfinite(value) else None for value in values.tolist()
    ]
