"""Charts of curves for one or several models, or averaged over folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import printable
from tradeoff.measures.curves import CURVES
from tradeoff.measures.curves.average import AverageCurve, Spread
from tradeoff.measures.curves.curve import SMALL_FRACTION, Axis, Curve
from tradeoff.measures.curves.curve import Line as ReferenceLine
from tradeoff.measures.curves.metric_curves import THRESHOLD
from tradeoff.measures.curves.registry import curve_kind
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.vocabulary import capitalized
from tradeoff.render.chart import Bars, Cells, Chart, Layer, Line, Points, Ribbon, Scale
from tradeoff.render.thinning import CELLS_PER_AXIS, visible_indices
from tradeoff.results import shows
from tradeoff.uncertainty.curve_bands import CurveEstimate
from tradeoff.views.chart_labels import (
    areas_title,
    axis_label,
    calibration_sentences,
    model_label,
    rows_caption,
    threshold_label,
)
from tradeoff.views.scales import error_scale, metric_scale, score_scale, transform_values

if TYPE_CHECKING:
    from tradeoff.uncertainty.curve_bands import Band

    Coordinates = tuple[NDArray[np.float64], NDArray[np.float64]]


GAPS_PER_AXIS = 200
"""Curved segments longer than 1 / 200 of an axis are interpolated."""
INTERPOLATED_FRACTIONS = np.linspace(0, 1, 26)[1:-1]


def _fit_layer(layer: Layer, x_scale: Scale, y_scale: Scale) -> Layer:
    """Layer with thinned lines, clipped to the limits of logarithmic and quantile scales.

    Example:
        >>> from tradeoff.render.chart import Points, Scale
        >>> scale = Scale("", 0.01, 0.99, "normal")
        >>> _fit_layer(Points(np.array([0.0]), np.array([0.5])), scale, scale).x.tolist()
        [0.01]
    """
    if isinstance(layer, Line):
        return fit_line(layer, x_scale, y_scale)
    if isinstance(layer, Points):
        return replace(layer, x=_clip(layer.x, x_scale), y=_clip(layer.y, y_scale))
    if isinstance(layer, Ribbon):
        low, high = _clip(layer.low, y_scale), _clip(layer.high, y_scale)
        return replace(layer, x=_clip(layer.x, x_scale), low=low, high=high)
    return layer


def fit_line(line: Line, x_scale: Scale, y_scale: Scale) -> Line:
    """Fit the line of a curve to the scales of a chart: thin it to its visible points and clip it.

    Example:
        >>> from tradeoff.render.chart import Line, Scale
        >>> x = np.linspace(0, 1, 100_000)
        >>> len(fit_line(Line(x, x), Scale("", 0, 1), Scale("", 0, 1)).x) < 10_000
        True
    """
    x, y = _clip(line.x, x_scale), _clip(line.y, y_scale)
    indices = visible_indices(_transform(x, x_scale), _transform(y, y_scale))
    x, y = x[indices], y[indices]
    is_break = ~(np.isfinite(x) & np.isfinite(y))
    return replace(line, x=np.where(is_break, np.nan, x), y=np.where(is_break, np.nan, y))


def _curve_points(curve: Curve, x_scale: Scale) -> Coordinates:
    """Coordinates of a curve in a chart, with points interpolated where it is not straight."""
    if curve.name == "net_benefit" and curve.formula is not None:
        x = np.linspace(0, 1, CELLS_PER_AXIS + 1)[:-1]
        return x, np.asarray(curve.formula(x), np.float64)
    if curve.name == "bin_lift":
        return np.concatenate([[0.0], curve.x]), np.append(curve.y, curve.y[-1:])
    if _is_stepped(curve):
        return step_points(curve.ranking, curve.y, x_scale)
    if curve.between is None or curve.between.is_straight or len(curve) < 2:
        return curve.x, curve.y
    return _interpolated_points(curve)


def _is_stepped(curve: Curve) -> bool:
    """Whether a curve is a step function of the threshold or of the depth."""
    by_score = curve.across.name == THRESHOLD and len(curve) == len(curve.ranking)
    return by_score or curve.name == "bin_lift"


def step_points(ranking: Ranking, heights: NDArray[np.float64], x_scale: Scale) -> Coordinates:
    """Coordinates of a stepped curve over the threshold, from left to right.

    A threshold just above a score excludes the rows with that score, so to the right of each score
    the value is that of the next higher threshold (if low scores are positive, that of the score).

    Example:
        >>> from tradeoff import Ranking
        >>> from tradeoff.render.chart import Scale
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> x, y = step_points(ranking, np.array([0.0, 1.0, 2.0]), Scale("threshold", 0, 1))
        >>> x.tolist(), y.tolist()
        ([0.0, 0.2, 0.9, 1.0], [2.0, 1.0, 0.0, 0.0])
    """
    scores = ranking.thresholds[1:]
    x = np.concatenate([[x_scale.low], scores[:: 1 if ranking.lower_is_positive else -1]])
    y = heights if ranking.lower_is_positive else heights[::-1]
    x = np.append(np.clip(x, x_scale.low, x_scale.high), x_scale.high)
    return x, np.append(y, y[-1:])


def _reference_points(corners: tuple[tuple[float, float], ...]) -> Coordinates:
    """Coordinates of a reference line."""
    points = np.array(corners, np.float64).reshape(-1, 2)
    return points[:, 0], points[:, 1]


def _is_on_frame(points: Coordinates, x_scale: Scale, y_scale: Scale) -> bool:
    """Whether a line runs along the frame of the chart, so that it need not be drawn."""
    x, y = points
    is_on_side = np.zeros(len(x) - 1, np.bool_)
    for values, scale in ((x, x_scale), (y, y_scale)):
        for limit in (scale.low, scale.high):
            is_on_side |= (values[1:] == limit) & (values[:-1] == limit)
    return bool(is_on_side.all())


def _clip(values: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Values clipped to the limits of a logarithmic or quantile scale."""
    if scale.kind not in {"log", "normal"}:
        return values
    return np.clip(values, scale.low, scale.high)


def _transform(values: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Values transformed and clipped by a scale; infinite values stay infinite and break a line."""
    limits = transform_values(np.array([scale.low, scale.high]), scale.kind)
    transformed = transform_values(values, scale.kind)
    return np.where(np.isfinite(transformed), np.clip(transformed, *limits), transformed)


def _interpolated_points(curve: Curve) -> Coordinates:
    """Coordinates of a curve with points interpolated where its points are far apart."""
    between = curve.between
    assert between is not None  # noqa: S101 - checked by `_curve_points`
    x, y = curve.x, curve.y
    becomes_defined = np.isnan(y[:-1]) & ~np.isnan(y[1:])
    with np.errstate(invalid="ignore"):
        is_gap = _is_wide_gap(x) | _is_wide_gap(y)
    starts = np.flatnonzero(is_gap | becomes_defined)
    fractions = np.concatenate([[SMALL_FRACTION], INTERPOLATED_FRACTIONS])
    start, fraction = np.repeat(starts, len(fractions)), np.tile(fractions, len(starts))
    # The limit just after a point is needed only if the point itself is undefined.
    is_needed = becomes_defined[start] | (fraction != SMALL_FRACTION)
    start, fraction = start[is_needed], fraction[is_needed]
    position = np.concatenate([np.arange(len(x)), start + fraction])
    order = np.argsort(position, kind="stable")
    inserted_values = (
        np.asarray(values(start, fraction), np.float64) for values in (between.x, between.y)
    )
    x_all, y_all = (
        np.concatenate([original, new])[order]
        for original, new in zip((x, y), inserted_values, strict=True)
    )
    return x_all, y_all


def _is_wide_gap(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    finite = values[np.isfinite(values)]
    width = float(finite.max() - finite.min()) if len(finite) else 0.0
    return np.asarray(np.abs(np.diff(values)) > width / GAPS_PER_AXIS)


MAX_NAMED_MODELS = 8
"""Maximum number of models with a name and a colour; the others have thin grey lines."""
EMPTY_MAPPING: Mapping[str, Any] = {}


class Mark(NamedTuple):
    """Threshold to mark on a curve, and the criterion that chose it."""

    threshold: float
    criterion: str = ""


def curve_chart(
    curves: Mapping[str, Curve],
    *,
    areas: Mapping[str, Estimate] = EMPTY_MAPPING,
    bands: Mapping[str, Band] = EMPTY_MAPPING,
    marks: Mapping[str, Sequence[Mark]] = EMPTY_MAPPING,
    lines: Sequence[Line] = (),
) -> Chart:
    """Chart of curves of one kind.

    Args:
        curves: Curves by model; reference lines (chance, a perfect ranking) are drawn if all
            models share them.
        areas: Areas under the curves for the legend; by default computed from the curves.
        bands: Confidence band of each curve.
        marks: Thresholds to mark on each curve.
        lines: Further lines, such as the convex hull of ROC curves.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = curve_chart({"m": e.curve("roc")}, marks={"m": [Mark(0.4)]})
        >>> [type(layer).__name__ for layer in chart.layers]
        ['Line', 'Line', 'Points']
        >>> chart.layers[1].label
        'm 1.000'
        >>> chart.legend_title
        'AUC'
    """
    if not curves:
        raise InputError("A chart of curves needs at least one model.")
    order = leading_models({name: curve.ranking for name, curve in curves.items()})
    curves = {name: curves[name] for name in order}
    named_models = order[:MAX_NAMED_MODELS]
    first = curves[order[0]]
    x_scale, y_scale = _scales(list(curves.values()))
    area_name = curve_kind(first.name).area
    known_areas = {
        name: areas.get(name) or curves[name].area() if area_name else None for name in order
    }
    labels = {name: model_label(name, area, area_name) for name, area in known_areas.items()}
    layers: list[Layer] = (
        [*_reference_lines(first, x_scale, y_scale)] if _share_reference_lines(curves) else []
    )
    layers += [_band_ribbon(bands[name], i) for i, name in enumerate(named_models) if name in bands]
    layers += model_lines(
        [
            (labels[name], _curve_lines(curve, x_scale, len(curves) == 1))
            for name, curve in curves.items()
        ]
    )
    layers += lines
    layers += [
        _marked_points(curves[name], marks[name], i)
        for i, name in enumerate(named_models)
        if name in marks
    ]
    if first.name == "bin_lift" and len(curves) == 1:
        layers[-1] = _lift_bars(first, labels[first.ranking.name])
    fitted_layers = (_fit_layer(layer, x_scale, y_scale) for layer in layers)
    title = curve_kind(first.name).title or _title(first)
    band_sentence = [f"Confidence band: {band.method}." for band in list(bands.values())[:1]]
    calibrations = calibration_sentences(curve.ranking for curve in curves.values())
    caption = " ".join(
        [
            *_caption_sentences(first),
            *band_sentence,
            *named_models_sentences(len(curves)),
            rows_caption(first.ranking),
            *calibrations[:MAX_NAMED_MODELS],
        ]
    )
    has_own_labels = len(curves) == 1 and bool(first.also)
    return Chart(
        title,
        x_scale,
        y_scale,
        tuple(fitted_layers),
        caption,
        curve_kind(first.name).square,
        "" if has_own_labels else areas_title(known_areas.values(), area_name),
    )


def leading_models(rankings: Mapping[str, Ranking]) -> list[str]:
    """Names of models in the order of their colours: as given, or the largest AUC first.

    Up to eight models keep their order; of more, those of largest AUC come first, as only eight
    have a name and a colour.

    Example:
        >>> leading_models({"a": Ranking.of(np.array([1.0, 2.0]), np.array([True, False]))})
        ['a']
    """
    names = list(rankings)
    if len(names) <= MAX_NAMED_MODELS:
        return names
    aucs = {name: SUMMARIES["auc"].estimate(rankings[name]).value for name in names}
    return sorted(names, key=lambda name: -np.nan_to_num(aucs[name], nan=-np.inf))


def named_models_sentences(model_count: int) -> list[str]:
    """Caption sentence of a chart of so many models that some have no name."""
    if model_count <= MAX_NAMED_MODELS:
        return []
    return [f"Of {model_count} models, the {MAX_NAMED_MODELS} of largest AUC are named."]


def _share_reference_lines(curves: Mapping[str, Curve]) -> bool:
    """Whether the reference lines (chance, a perfect ranking) are the same for all models."""
    first, *others = curves.values()

    def are_equal(line: ReferenceLine | None, other: ReferenceLine | None) -> bool:
        if line is None or other is None or len(line) != len(other):
            return line is other
        return bool(np.allclose(line, other, equal_nan=True))

    return all(
        are_equal(first.chance, curve.chance) and are_equal(first.ideal, curve.ideal)
        for curve in others
    )


def model_lines(models: Sequence[tuple[str, Sequence[Line]]]) -> list[Line]:
    """Lines of several models in a chart of curves; at most eight models are named.

    Example:
        >>> line = Line(np.zeros(1), np.zeros(1))
        >>> lines = model_lines([(f"m{i}", [line]) for i in range(50)])
        >>> lines[0].label, lines[-1].label, lines[-1].role
        ('and 42 more', 'm7', 'model')
    """
    drawn_lines: list[Line] = []
    named_models = models[:MAX_NAMED_MODELS]
    unnamed_lines = [lines[0] for _, lines in models[len(named_models) :]]
    for index, line in enumerate(unnamed_lines):  # drawn behind the others
        drawn_lines.append(
            replace(line, role="fold", label="" if index else f"and {len(unnamed_lines)} more")
        )
    order = 0
    for label, lines in named_models:
        for line in lines:
            drawn_lines.append(replace(line, label=line.label or label, order=order))
            order += line.role == "model"
    return drawn_lines


def _band_ribbon(band: Band, order: int = 0) -> Ribbon:
    """Ribbon that shows a confidence band."""
    label = f"{100 * band.level:g}% confidence band ({band.kind})" if not order else ""
    return Ribbon(band.x, band.low, band.high, label=label, order=order)


def _scales(curves: Sequence[Curve]) -> tuple[Scale, Scale]:
    first = curves[0]
    rankings = [curve.ranking for curve in curves]
    name = first.name
    if name == "det":
        return error_scale(first.across.name, first.ranking), error_scale(
            first.up.name, first.ranking
        )
    further_axes = first.also if len(curves) == 1 and name != "net_benefit" else ()
    heights = [*(curve.y for curve in curves), *(axis.values for axis in further_axes)]
    y_scale = metric_scale(first.up.name, heights, first.ranking, name, first.up.spelling)
    if further_axes and not curve_kind(name).title:
        y_scale = replace(y_scale, label="Value")
    if first.across.name == THRESHOLD:
        x_scale = score_scale(rankings, "Threshold")
    else:
        x_values = [curve.x for curve in curves]
        x_scale = metric_scale(
            first.across.name, x_values, first.ranking, name, first.across.spelling
        )
    if name == "net_benefit":
        max_net_benefit = max((first.ideal or ((0.0, 1.0),))[0][1], 1e-9)
        return x_scale, replace(y_scale, low=-max_net_benefit / 4, high=max_net_benefit * 1.1)
    if name == "precision_recall_gain":
        visible_heights = [curve.y[np.isfinite(curve.y) & (curve.x >= 0)] for curve in curves]
        minimum = min((float(y.min()) for y in visible_heights if len(y)), default=0.0)
        return replace(x_scale, low=0.0, high=1.0), replace(
            y_scale, low=max(min(minimum, 0), -1), high=1.0
        )
    if name in {"cost", "brier"}:
        max_height = max((float(np.nanmax(curve.y)) for curve in curves), default=0.5)
        return x_scale, replace(y_scale, high=max(y_scale.high, min(0.55, 1.15 * max_height)))
    return x_scale, y_scale


def _curve_lines(curve: Curve, x_scale: Scale, is_only_model: bool) -> list[Line]:
    """Lines of a curve; for a single model, also the other quantities over the same x."""
    lines = [Line(*_curve_points(curve, x_scale), steps=_is_stepped(curve))]
    if not is_only_model or not curve.also or curve.name == "net_benefit":
        return lines
    lines[0] = replace(lines[0], label=_axis_name(curve.up, curve))
    for axis in curve.also:
        points = step_points(curve.ranking, axis.values, x_scale) if _is_stepped(curve) else None
        x, y = points or (curve.x, axis.values)
        lines.append(Line(x, y, label=_axis_name(axis, curve), steps=_is_stepped(curve)))
    return lines


def _axis_name(axis: Axis, curve: Curve) -> str:
    return axis_label(axis.name, curve.ranking, spelling=axis.spelling)


def _reference_lines(curve: Curve, x_scale: Scale, y_scale: Scale) -> list[Line]:
    kind = curve_kind(curve.name)
    names = (kind.chance, kind.ideal)
    if curve.name == "net_benefit":
        return _treatment_lines(curve)
    if curve.name == "det":
        x = 1 / (1 + np.exp(-np.linspace(-12, 12, 400)))
        is_inside = (
            (1 - x >= y_scale.low)
            & (1 - x <= y_scale.high)
            & (x >= x_scale.low)
            & (x <= x_scale.high)
        )
        return [Line(x[is_inside], 1 - x[is_inside], "chance", names[0])]
    lines = []
    for corners, role, label in (
        (curve.chance, "chance", names[0]),
        (curve.ideal, "ideal", names[1]),
    ):
        if corners is None or not np.isfinite(corners).all():
            continue
        points = _reference_points(corners)
        if not _is_on_frame(points, x_scale, y_scale):
            lines.append(Line(*points, role, label))  # type: ignore[arg-type]
    return lines


def _treatment_lines(curve: Curve) -> list[Line]:
    """Reference lines of a decision curve: treat all, treat none, and a perfect model."""
    ranking = curve.ranking
    total, positives = float(ranking.total), float(ranking.positives)
    denominator = positives if curve.up.name.startswith("standardized") else total
    x = np.linspace(0, 1, 401)[:-1]
    treat_all = (positives - float(ranking.negatives) * x / (1 - x)) / denominator
    lines = [
        Line(x, treat_all, "chance", "treat all"),
        Line(np.array([0.0, 1.0]), np.zeros(2), "iso", "treat none"),
    ]
    if curve.ideal is not None:
        lines.append(Line(*_reference_points(curve.ideal), "ideal", "perfect model"))
    return lines


def _marked_points(curve: Curve, marks: Sequence[Mark], order: int) -> Points:
    """Points of a curve at marked thresholds, annotated with the thresholds."""
    if not curve_kind(curve.name).has_thresholds:
        raise InputError(
            f"The points of the {curve.name} curve are not thresholds: mark them on another "
            'chart, such as "roc" or "scores".'
        )
    ranking = curve.ranking
    indices = np.array([ranking.index(mark.threshold) for mark in marks], np.intp)
    # A profit curve with a fixed cost has one more point, before that cost is paid.
    indices += np.where(indices > 0, len(curve) - len(ranking), 0)
    if curve.name == "net_benefit" and curve.formula is not None:
        x = np.array([mark.threshold for mark in marks])
        y = np.asarray(curve.formula(x), np.float64)
    elif curve.across.name == THRESHOLD:
        x, y = np.array([mark.threshold for mark in marks]), curve.y[indices]
    else:
        x, y = np.asarray(curve.x[indices], np.float64), np.asarray(curve.y[indices], np.float64)
    is_defined = np.isfinite(x) & np.isfinite(y)
    texts = (threshold_label(ranking, mark.threshold, mark.criterion) for mark in marks)
    visible_texts = tuple(
        text for text, is_visible in zip(texts, is_defined, strict=True) if is_visible
    )
    return Points(x[is_defined], y[is_defined], visible_texts, order=order)


def _lift_bars(curve: Curve, label: str) -> Bars:
    return Bars(np.concatenate([[0.0], curve.x]), curve.y, label=label)


def _title(curve: Curve) -> str:
    heights = ", ".join(axis.label for axis in (curve.up, *curve.also))
    return capitalized(f"{heights} by {curve.across.label}".replace("_", " "))


def _caption_sentences(curve: Curve) -> list[str]:
    if curve.name not in CURVES:
        return []
    return [curve.ranking.wording.rephrase(CURVES[curve.name].caption)]


SPREAD_LABELS = {
    "sd": "one standard deviation",
    "se": "one standard error",
    "t": "{:g}% CI of the mean",
}


def folds_chart(
    averages: Mapping[str, AverageCurve], *, spread: Spread | None = "t", level: float = 0.95
) -> Chart:
    """Chart of curves averaged over the folds of a cross-validation.

    Args:
        averages: Average curves by model; for a single model, the folds' curves are drawn too.
        spread: Band around a vertical average, as for `AverageCurve.band`; None for no band.
        level: Confidence level of the band "t".

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(
        ...     actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.3], fold=["a", "a", "b", "b"]
        ... )
        >>> chart = folds_chart({"m": e.average("roc")})
        >>> [layer.role for layer in chart.layers]
        ['chance', 'fold', 'fold', 'average', 'average']
        >>> chart.layers[-1].label
        'm 0.500'
        >>> chart.legend_title
        'Mean AUC'
    """
    if not averages:
        raise InputError("A chart of folds needs at least one model.")
    first = next(iter(averages.values()))
    area_name = curve_kind(first.name).area
    areas = {name: average.area() if area_name else None for name, average in averages.items()}
    frame = curve_chart(first.folds)
    layers: list[Layer] = [
        layer
        for layer in frame.layers
        if not isinstance(layer, Cells) and layer.role in {"chance", "ideal", "iso"}
    ]
    if len(averages) == 1 and first.method != "pooled":
        size = len(first.folds)
        for index, curve in enumerate(first.folds.values()):
            label = "" if index else f"{size} fold{'s' if size > 1 else ''}"
            layers.append(Line(*_curve_points(curve, frame.x), "fold", label))
    named_averages = list(averages.items())[:MAX_NAMED_MODELS]
    layers += model_lines([(name, [_average_line(average)]) for name, average in averages.items()])[
        : -len(named_averages)
    ]
    for order, (name, average) in enumerate(named_averages):
        layers += _average_layers(name, average, areas[name], spread, level, order)
    fitted_layers = (_fit_layer(layer, frame.x, frame.y) for layer in layers)
    method = "all folds pooled" if first.method == "pooled" else f"{first.method} average"
    fold_count = len(first.folds)
    sentences = [f"{method.capitalize()} of {fold_count} fold{'s' if fold_count > 1 else ''}."]
    if first.method == "pooled":
        sentences = ["All folds pooled into one ranking."]
    sentences += [
        f"Fold {printable(fold)} was left out: {reason}." for fold, reason in first.left_out.items()
    ]
    sentences += named_models_sentences(len(averages))
    title = f"{frame.title} over folds"
    mean_name = area_name if first.method == "pooled" or not area_name else f"mean {area_name}"
    return Chart(
        title,
        frame.x,
        frame.y,
        tuple(fitted_layers),
        " ".join(sentences),
        curve_kind(first.name).square,
        areas_title(areas.values(), mean_name),
    )


def _average_layers(  # noqa: PLR0913, PLR0917 - what is drawn, and how
    name: str,
    average: AverageCurve,
    area: Estimate | None,
    spread: Spread | None,
    level: float,
    order: int,
) -> list[Layer]:
    layers: list[Layer] = []
    if spread is not None and average.method == "vertical":
        band = average.band(spread, level=level)
        label = SPREAD_LABELS[spread].format(100 * level) if not order else ""
        if np.isfinite(band.low).any():
            layers.append(Ribbon(band.x, band.low, band.high, "average", label, order))
    has_area = area is not None and area.is_defined
    label = model_label(name, area) if has_area else f"{model_label(name)}, average"
    layers.append(replace(_average_line(average), label=label, order=order))
    return layers


def _average_line(average: AverageCurve) -> Line:
    is_stepped = average.x_name == THRESHOLD and average.name != "net_benefit"
    points = _average_steps(average) if is_stepped else (average.x, average.y)
    return Line(*points, "average", steps=is_stepped)


def _average_steps(average: AverageCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coordinates of an average curve over the threshold: a step function from left to right."""
    is_finite = np.isfinite(average.x)
    x, y = average.x[is_finite], average.y[is_finite]
    if len(x) > 1 and x[0] > x[-1]:
        x, y = x[::-1], y[::-1]
    if next(iter(average.folds.values())).ranking.lower_is_positive:
        return x, y
    return x, np.append(y[1:], y[-1:])  # a threshold just above a score excludes its rows


@shows(Curve, "chart")
def single_curve_chart(
    curve: Curve,
    *,
    areas: Mapping[str, Estimate] = EMPTY_MAPPING,
    bands: Mapping[str, Band] = EMPTY_MAPPING,
    marks: Mapping[str, Sequence[Mark]] = EMPTY_MAPPING,
    lines: Sequence[Line] = (),
) -> Chart:
    """Chart of a single curve; the options are those of `curve_chart`."""
    return curve_chart(
        {curve.ranking.name: curve}, areas=areas, bands=bands, marks=marks, lines=lines
    )


@shows(CurveEstimate, "chart")
def curve_estimate_chart(estimate: CurveEstimate) -> Chart:
    """Chart of a curve with its area and its confidence band."""
    name = estimate.curve.ranking.name
    bands = {} if estimate.band is None else {name: estimate.band}
    return curve_chart({name: estimate.curve}, areas={name: estimate.area}, bands=bands)


@shows(AverageCurve, "chart")
def average_chart(
    average: AverageCurve, *, spread: Spread | None = "t", level: float = 0.95
) -> Chart:
    """Chart of an average curve with the curves of its folds."""
    model = next(iter(average.folds.values())).ranking.name
    return folds_chart({model: average}, spread=spread, level=level)
