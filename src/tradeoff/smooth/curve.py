"""Smooth ROC curves from a binormal or kernel model, always labelled with the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, require_number
from tradeoff.formatting import format_number, format_screen_number
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import Undefined
from tradeoff.measures.summaries.areas import auc
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import format_interval
from tradeoff.render.json_csv import json_value
from tradeoff.render.sections import Section
from tradeoff.results import Result, shows
from tradeoff.smooth.binormal import Binormal, fit_binormal
from tradeoff.smooth.kernel import Kernel, fit_kernel, require_resampling
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.normal import critical_value
from tradeoff.views.curves import columns_section

Floats = NDArray[np.float64]

MODELS = ("binormal", "kernel")
MODEL_OPTIONS = {"binormal": ("how",), "kernel": ("scale", "replicates", "seed")}
"""Options of each model, besides level and points."""
MAX_AREA_DIFFERENCE = 0.02
"""A larger difference between the AUC of the model and the empirical AUC is reported."""
MIN_VISIBLE_DISTANCE = 0.01
"""A curve that is this far below the chance diagonal visibly crosses it."""


@dataclass(frozen=True, eq=False, repr=False)
class SmoothCurve(Result, views="tradeoff.smooth.curve"):
    """Smooth ROC curve from a binormal or kernel model, as opposed to the empirical curve.

    Between and beyond the empirical points, it rests on the model's assumptions.

    `model` is "binormal model" or "kernel model", `name` the name of the score. `area` is the AUC
    with its confidence interval, `standard_error` that of the AUC (NaN if the model gives none).
    `parameters` holds the parameters of the model. `false_positive_rate` and `true_positive_rate`
    are the points of the curve, `band` their pointwise intervals. `notes` holds warnings.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([8.0, 7, 6, 5, 4, 3, 2, 1])
        >>> ranking = Ranking.of(scores, np.array([1, 1, 0, 1, 0, 1, 0, 0], bool))
        >>> curve = smooth_roc(ranking)
        >>> curve
        SmoothCurve(binormal model of score: area = 0.8328, 95% CI 0.4435 to 0.9809)
        >>> round(curve.y_at(0.2), 4), round(curve.x_at(0.9), 4)
        (0.6998, 0.4666)
    """

    model: str
    name: str
    area: Estimate
    false_positive_rate: Floats
    true_positive_rate: Floats
    parameters: Mapping[str, Estimate] = field(default_factory=dict)
    standard_error: float = nan
    band: tuple[Floats, Floats] | None = None
    notes: tuple[str, ...] = ()
    fit: Binormal | Kernel | None = None

    def y_at(self, fpr: float) -> float:
        """The true positive rate of the model at a false positive rate; NaN outside 0 to 1."""
        return nan if self.fit is None else _rate_at(self.fit.tpr, fpr)

    def x_at(self, tpr: float) -> float:
        """The false positive rate of the model at a true positive rate; NaN outside 0 to 1."""
        return nan if self.fit is None else _rate_at(self.fit.fpr, tpr)

    def partial_area(self, low: float = 0.0, high: float = 1.0) -> Estimate:
        """The raw area under the model curve between two false positive rates."""
        low, high = require_number(low, "low"), require_number(high, "high")
        if not 0 <= low < high <= 1:
            raise InputError(
                f"A partial area needs 0 <= low < high <= 1, not low={low:g} and high={high:g}."
            )
        name = f"partial area, {self.model}"
        if self.fit is None:
            return Estimate(name, nan, reason=self.area.reason)
        return Estimate(name, min(max(self.fit.area_between(low, high), 0.0), high - low))

    def columns(self) -> dict[str, NDArray[Any]]:
        """The points of the curve as a table; with `low` and `high` if the model has a band."""
        table = {
            "false_positive_rate": self.false_positive_rate,
            "true_positive_rate": self.true_positive_rate,
        }
        if self.band is not None:
            table["low"], table["high"] = self.band
        return table

    def __len__(self) -> int:
        """Number of points."""
        return len(self.false_positive_rate)

    def __repr__(self) -> str:
        """One line: the model, the score and the area."""
        if not self.area.is_defined:
            return f"SmoothCurve({self.model} of {self.name} is undefined: {self.area.reason})"
        interval = ""
        if self.area.has_interval and self.area.level is not None:
            limits = f"{format_number(self.area.low)} to {format_number(self.area.high)}"
            interval = f", {100 * self.area.level:g}% CI {limits}"
        area = format_number(self.area.value)
        return f"SmoothCurve({self.model} of {self.name}: area = {area}{interval})"


def smooth_roc(
    ranking: Ranking,
    model: str = "binormal",
    *,
    level: float = 0.95,
    points: int = 201,
    **options: Any,
) -> SmoothCurve:
    """Smooth ROC curve of a ranking by a binormal or kernel model.

    Args:
        ranking: The scored rows.
        model: "binormal": normal scores after some increasing transformation, from ranks alone.
            "kernel": the scores of each class smoothed on their own scale.
        level: Confidence level of the intervals.
        points: Number of points to compute, at evenly spaced false positive rates.
        options: For the binormal model, `how` ("likelihood" or "regression"); for the kernel
            model, `scale` ("score" or "logit"), `replicates` (500) and `seed` (0) of the stratified
            bootstrap interval.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([0.9, 0.8, 0.6, 0.5, 0.3, 0.2])
        >>> ranking = Ranking.of(scores, np.array([1, 1, 0, 1, 0, 0], bool))
        >>> smooth_roc(ranking, "kernel", replicates=20).model
        'kernel model'
        >>> smooth_roc(ranking, "kernel", replicates=20, scale="logit").area.is_defined
        True
    """
    if not ranking.exact:
        raise InputError("A smooth curve needs all scores, but these scores are in bins.")
    _require_model(model, options)
    level = require_level(level)
    if points < 2:
        raise InputError(f"points must be at least 2, not {points}.")
    grid = np.linspace(0.0, 1.0, points)
    try:
        fit_curve = _binormal_curve if model == "binormal" else _kernel_curve
        return fit_curve(ranking, grid, level, **options)
    except Undefined as error:
        label = f"{model} model"
        area = Estimate(f"area, {label}", nan, reason=str(error))
        return SmoothCurve(label, ranking.name, area, grid, np.full(points, nan))


def _binormal_curve(
    ranking: Ranking, grid: Floats, level: float, how: str = "likelihood"
) -> SmoothCurve:
    fit = fit_binormal(ranking, how=how)
    low, high = fit.area_interval(level)
    has_standard_errors = fit.covariance is not None
    no_interval_note = "no interval: a regression gives no standard error; how='likelihood' does"
    tpr = np.asarray(fit.tpr(grid))
    notes = (*_misfit_notes(ranking, fit.area), *_hook_notes(fit, tpr - grid))
    notes = (*notes, *_weight_notes(ranking)) if has_standard_errors else notes
    return SmoothCurve(
        "binormal model",
        ranking.name,
        Estimate(
            "area, binormal model",
            fit.area,
            note=None if has_standard_errors else no_interval_note,
            low=low,
            high=high,
            level=level if has_standard_errors else None,
            method="maximum likelihood, probit scale" if has_standard_errors else "regression",
        ),
        grid,
        tpr,
        _parameters(fit, level),
        fit.standard_error(),
        fit.band(grid, level),
        notes,
        fit,
    )


def _kernel_curve(  # noqa: PLR0913 - options of the model
    ranking: Ranking,
    grid: Floats,
    level: float,
    *,
    scale: str = "score",
    replicates: int = 500,
    seed: int = 0,
) -> SmoothCurve:
    require_resampling(replicates, seed)
    fit = fit_kernel(ranking, scale=scale)
    low, high, note = nan, nan, None
    if ranking.is_counted:
        low, high = fit.area_interval(level, replicates, seed)
    else:
        note = "no interval: rows with real weights cannot be resampled, only their sums are known"
    bandwidths = {"positive": fit.positives.bandwidth, "negative": fit.negatives.bandwidth}
    return SmoothCurve(
        "kernel model",
        ranking.name,
        Estimate(
            "area, kernel model",
            fit.area,
            note=note,
            low=low,
            high=high,
            level=None if note else level,
            method=f"stratified bootstrap, {replicates} replicates, percentiles",
        ),
        grid,
        np.asarray(fit.tpr(grid)),
        {
            f"bandwidth_{side}": Estimate("bandwidth", bandwidth)
            for side, bandwidth in bandwidths.items()
        },
        notes=_misfit_notes(ranking, fit.area),
        fit=fit,
    )


def _require_model(model: str, options: Mapping[str, Any]) -> None:
    if model not in MODELS:
        raise UnknownName(
            f"There is no smooth ROC model {model!r}."
            f"{did_you_mean(str(model), MODELS)} The available models are {format_list(MODELS)}."
        )
    for option in options:
        if option not in MODEL_OPTIONS[model]:
            known_options = ("level", "points", *MODEL_OPTIONS[model])
            raise UnknownName(
                f"The {model} model has no option {option!r}.{did_you_mean(option, known_options)} "
                f"Its options are {format_list(known_options)}."
            )


def _parameters(fit: Binormal, level: float) -> dict[str, Estimate]:
    """Estimates of the binormal a and b; the interval for b is symmetric on the log scale."""
    if fit.covariance is None:
        return {"a": Estimate("a", fit.a), "b": Estimate("b", fit.b)}
    half_widths = [critical_value(level) * sqrt(variance) for variance in np.diag(fit.covariance)]
    factor = exp(min(half_widths[1] / fit.b, 700.0))
    limits = {
        "a": (fit.a, fit.a - half_widths[0], fit.a + half_widths[0]),
        "b": (fit.b, fit.b / factor, fit.b * factor),
    }
    return {
        name: Estimate(name, value, None, None, low, high, level, "maximum likelihood")
        for name, (value, low, high) in limits.items()
    }


def _misfit_notes(ranking: Ranking, area: float) -> tuple[str, ...]:
    """Note if the AUC of the model differs from the empirical one."""
    empirical_area = auc(ranking)
    if abs(area - empirical_area) < MAX_AREA_DIFFERENCE:
        return ()
    note = (
        f"the AUC of the rows is {format_number(empirical_area)}, that of the model is "
        f"{format_number(area)}: the model does not fit the scores well"
    )
    return (note,)


def _hook_notes(fit: Binormal, height_above_chance: Floats) -> tuple[str, ...]:
    """Note if the model curve visibly crosses the chance diagonal, as any does unless b is 1."""
    highest, lowest = height_above_chance.max(), height_above_chance.min()
    if not (highest > MIN_VISIBLE_DISTANCE and lowest < -MIN_VISIBLE_DISTANCE):
        return ()
    from scipy.special import ndtr

    crossing = float(ndtr(fit.a / (1 - fit.b)))
    side = "above" if height_above_chance[height_above_chance != 0][-1] > 0 else "below"
    note = (
        f"the model curve crosses the chance line at a false positive rate of {crossing:.3g} and "
        f"is {side} it from there on: such a hook (b = {fit.b:.3g}) is often an artefact of the "
        "model; compare it with the empirical curve"
    )
    return (note,)


def _weight_notes(ranking: Ranking) -> tuple[str, ...]:
    note = "rows have real weights: the intervals treat them as numbers of rows"
    return () if ranking.is_counted else (note,)


def _rate_at(curve: Any, rate: float) -> float:
    value = require_number(rate, "A rate")
    return float(curve(value)) if 0 <= value <= 1 else nan


# Text and JSON of smooth ROC curves, which are always labelled as models.


SCHEMA = "tradeoff/smooth/1"


@shows(SmoothCurve, "sections")
def smooth_sections(curve: SmoothCurve) -> list[Section]:
    """Text sections of a smooth ROC curve: the model's AUC, parameters and points."""
    area = curve.area
    lines = [f"This is a {curve.model}, not the empirical curve."]
    if not area.is_defined:
        lines.append(f"Undefined: {area.reason}.")
    elif area.has_interval:
        level = f"{100 * (area.level or 0):g}% CI {format_interval(area)}"
        lines.append(f"Its AUC is {format_number(area.value)} ({level}; {area.method}).")
    else:
        lines.append(f"Its AUC is {format_number(area.value)}.")
    lines += [f"{name} is {format_screen_number(e.value)}." for name, e in curve.parameters.items()]
    lines += [f"Note: {note}." for note in curve.notes]
    heading = f"ROC curve of {curve.name}: {curve.model}"
    columns = {
        {"low": "band_low", "high": "band_high"}.get(n, n): v for n, v in curve.columns().items()
    }
    return [columns_section(heading, lines, columns)]


@shows(SmoothCurve, "document")
def smooth_document(curve: SmoothCurve) -> dict[str, Any]:
    """JSON document of a smooth ROC curve."""
    columns = curve.columns()
    return {
        "schema": SCHEMA,
        "model": curve.model,
        "name": curve.name,
        "area": estimate_document(curve.area),
        "parameters": {name: estimate_document(e) for name, e in curve.parameters.items()},
        "notes": list(curve.notes),
        "columns": {name: [json_value(v) for v in values] for name, values in columns.items()},
    }
