"""A smooth ROC curve: what a model of the scores says, always under the name of its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, as_number, did_you_mean, listed
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import Undefined
from tradeoff.measures.summaries.areas import auc
from tradeoff.render.sections import Section
from tradeoff.render.values import estimate_document, interval, plain_number
from tradeoff.results import Result, shows
from tradeoff.smooth.binormal import Binormal, fit_binormal
from tradeoff.smooth.kernel import Kernel, demand_drawable, fit_kernel
from tradeoff.stats.normal import demand_level, quantile
from tradeoff.text import number
from tradeoff.views.curves import columns_section

Floats = NDArray[np.float64]

MODELS = ("binormal", "kernel")
CHOICES = {"binormal": ("how",), "kernel": ("scale", "replicates", "seed")}
"""What can be chosen for each model, beside its level and points."""
MISFIT = 0.02
"""Models that differ so much from the rows in their area are told to."""
VISIBLE = 0.01
"""A curve that runs this far below the chance line is seen to do so."""


@dataclass(frozen=True, eq=False, repr=False)
class SmoothCurve(Result, views="tradeoff.smooth.curve"):
    """The ROC curve of a model, not of the rows: between and beyond them it is an assumption.

    `model` is "binormal model" or "kernel model" and `name` what was ranked. `area` holds its
    interval, and `standard_error` is that of the area (NaN where the model does not give it).
    `parameters` are the numbers of the model. `false_positive_rate` and `true_positive_rate` are
    points of the curve, `band` their pointwise intervals. `notes` tell what a reader must know.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([8.0, 7, 6, 5, 4, 3, 2, 1])
        >>> ranking = Ranking.of(scores, np.array([1, 1, 0, 1, 0, 1, 0, 0], bool))
        >>> curve = smooth_roc(ranking)
        >>> curve
        SmoothCurve(binormal model of score: area = 0.8328, 95 % from 0.4435 to 0.9809)
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
        return nan if self.fit is None else _read(self.fit.tpr, fpr)

    def x_at(self, tpr: float) -> float:
        """The false positive rate of the model at a true positive rate; NaN outside 0 to 1."""
        return nan if self.fit is None else _read(self.fit.fpr, tpr)

    def partial_area(self, low: float = 0.0, high: float = 1.0) -> Estimate:
        """The raw area under the model curve between two false positive rates."""
        low, high = as_number(low, "low"), as_number(high, "high")
        if not 0 <= low < high <= 1:
            raise InputError(
                f"A partial area needs 0 <= low < high <= 1, not low={low:g} and high={high:g}."
            )
        name = f"partial area, {self.model}"
        if self.fit is None:
            return Estimate(name, nan, reason=self.area.reason)
        return Estimate(name, min(max(self.fit.area_between(low, high), 0.0), high - low))

    def columns(self) -> dict[str, NDArray[Any]]:
        """The points of the curve as a table; with `low` and `high` where the model gives them."""
        table = {
            "false_positive_rate": self.false_positive_rate,
            "true_positive_rate": self.true_positive_rate,
        }
        if self.band is not None:
            table["low"], table["high"] = self.band
        return table

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.false_positive_rate)

    def __repr__(self) -> str:
        """One line: which model of what, and its area."""
        if not self.area.is_defined:
            return f"SmoothCurve({self.model} of {self.name} is undefined: {self.area.reason})"
        interval = ""
        if self.area.has_interval and self.area.level is not None:
            ends = f"from {number(self.area.low)} to {number(self.area.high)}"
            interval = f", {100 * self.area.level:g} % {ends}"
        area = number(self.area.value)
        return f"SmoothCurve({self.model} of {self.name}: area = {area}{interval})"


def smooth_roc(
    ranking: Ranking,
    model: str = "binormal",
    *,
    level: float = 0.95,
    points: int = 201,
    **choices: Any,
) -> SmoothCurve:
    """A smooth ROC curve of a ranking by a model of its scores.

    Args:
        ranking: The scored rows.
        model: "binormal": normal scores after some rising transformation, from ranks alone.
            "kernel": the scores of each class smoothed on their own scale.
        level: Of the intervals.
        points: How many points of the curve are kept, evenly along the false positive rate.
        choices: Of the binormal model `how` ("likelihood" or "regression"); of the kernel model
            `scale` ("score" or "logit"), `replicates` (500) and `seed` (0) of the interval, for
            which rows of each class are drawn again.

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
        raise InputError("A smooth curve is fitted to all scores, and these are in bins.")
    _demand_known(model, choices)
    level = demand_level(level)
    if points < 2:
        raise InputError(f"A curve has 2 points or more, not {points}.")
    grid = np.linspace(0.0, 1.0, points)
    try:
        drawn = _binormal if model == "binormal" else _kernel
        return drawn(ranking, grid, level, **choices)
    except Undefined as why:
        named = f"{model} model"
        area = Estimate(f"area, {named}", nan, reason=str(why))
        return SmoothCurve(named, ranking.name, area, grid, np.full(points, nan))


def _binormal(ranking: Ranking, grid: Floats, level: float, how: str = "likelihood") -> SmoothCurve:
    fit = fit_binormal(ranking, how=how)
    low, high = fit.area_interval(level)
    sure = fit.covariance is not None
    unsure = "a regression line does not tell how sure it is; how='likelihood' does"
    tpr = np.asarray(fit.tpr(grid))
    notes = (*_misfit(ranking, fit.area), *_hook(fit, tpr - grid))
    notes = (*notes, *_weights(ranking)) if sure else notes
    return SmoothCurve(
        "binormal model",
        ranking.name,
        Estimate(
            "area, binormal model",
            fit.area,
            note=None if sure else unsure,
            low=low,
            high=high,
            level=level if sure else None,
            method="maximum likelihood, probit scale" if sure else "regression",
        ),
        grid,
        tpr,
        _parameters(fit, level),
        fit.standard_error(),
        fit.band(grid, level),
        notes,
        fit,
    )


def _kernel(  # noqa: PLR0913 - what the caller may choose
    ranking: Ranking,
    grid: Floats,
    level: float,
    *,
    scale: str = "score",
    replicates: int = 500,
    seed: int = 0,
) -> SmoothCurve:
    demand_drawable(replicates, seed)
    fit = fit_kernel(ranking, scale=scale)
    low, high, note = nan, nan, None
    if ranking.is_counted:
        low, high = fit.area_interval(level, replicates, seed)
    else:
        note = "rows with real weights cannot be drawn again: the ranking keeps only their sums"
    widths = {"positive": fit.positives.bandwidth, "negative": fit.negatives.bandwidth}
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
        {f"bandwidth_{which}": Estimate("bandwidth", width) for which, width in widths.items()},
        notes=_misfit(ranking, fit.area),
        fit=fit,
    )


def _demand_known(model: str, choices: Mapping[str, Any]) -> None:
    if model not in MODELS:
        raise UnknownName(
            f"No smooth ROC curve is called {model!r}.{did_you_mean(str(model), MODELS)} "
            f"There are {listed(MODELS)}."
        )
    for choice in choices:
        if choice not in CHOICES[model]:
            known = ("level", "points", *CHOICES[model])
            raise UnknownName(
                f"For the {model} model there is no {choice!r} to choose."
                f"{did_you_mean(choice, known)} There are {listed(known)}."
            )


def _parameters(fit: Binormal, level: float) -> dict[str, Estimate]:
    """The two numbers of a binormal model; the interval of b is symmetric on the log scale."""
    if fit.covariance is None:
        return {"a": Estimate("a", fit.a), "b": Estimate("b", fit.b)}
    reach = [quantile(level) * sqrt(variance) for variance in np.diag(fit.covariance)]
    factor = exp(min(reach[1] / fit.b, 700.0))
    ends = {
        "a": (fit.a, fit.a - reach[0], fit.a + reach[0]),
        "b": (fit.b, fit.b / factor, fit.b * factor),
    }
    return {
        name: Estimate(name, value, None, None, low, high, level, "maximum likelihood")
        for name, (value, low, high) in ends.items()
    }


def _misfit(ranking: Ranking, area: float) -> tuple[str, ...]:
    """A model whose area is not that of the rows does not fit them; the reader must know."""
    counted = auc(ranking)
    if abs(area - counted) < MISFIT:
        return ()
    told = (
        f"the area of the rows themselves is {number(counted)}, that of the model {number(area)}: "
        "the model does not fit the scores well"
    )
    return (told,)


def _hook(fit: Binormal, above: Floats) -> tuple[str, ...]:
    """Unless b is 1 the model curve crosses the chance line; told where that can be seen."""
    if not (above.max() > VISIBLE and above.min() < -VISIBLE):
        return ()
    from scipy.special import ndtr

    at = float(ndtr(fit.a / (1 - fit.b)))
    side = "above" if above[above != 0][-1] > 0 else "below"
    told = (
        f"the model curve crosses the chance line at a false positive rate of {at:.3g} and is "
        f"{side} it from there on: such a hook (b = {fit.b:.3g}) often belongs to the model, not "
        "to the scores; compare the empirical curve"
    )
    return (told,)


def _weights(ranking: Ranking) -> tuple[str, ...]:
    told = "rows have real weights: the intervals take them for numbers of rows"
    return () if ranking.is_counted else (told,)


def _read(way: Any, share: float) -> float:
    given = as_number(share, "A rate")
    return float(way(given)) if 0 <= given <= 1 else nan


# Smooth models of a ROC curve for readers: always marked as models.


SMOOTH = "tradeoff/smooth/1"


@shows(SmoothCurve, "sections")
def smooth_sections(curve: SmoothCurve) -> list[Section]:
    """The model's area, its numbers and some of its points."""
    area = curve.area
    said = [f"This is a {curve.model}, not the curve of the rows."]
    if not area.is_defined:
        said.append(f"Undefined: {area.reason}.")
    elif area.has_interval:
        level = f"{100 * (area.level or 0):g} % interval {interval(area)}"
        said.append(f"Its area is {number(area.value)} ({level}; {area.method}).")
    else:
        said.append(f"Its area is {number(area.value)}.")
    said += [f"{name} is {number(e.value)}." for name, e in curve.parameters.items()]
    said += [f"Note: {note}." for note in curve.notes]
    heading = f"ROC curve of {curve.name}: {curve.model}"
    columns = {
        {"low": "band_low", "high": "band_high"}.get(n, n): v for n, v in curve.columns().items()
    }
    return [columns_section(heading, said, columns)]


@shows(SmoothCurve, "document")
def smooth_document(curve: SmoothCurve) -> dict[str, Any]:
    """The same for other programs."""
    columns = curve.columns()
    return {
        "schema": SMOOTH,
        "model": curve.model,
        "name": curve.name,
        "area": estimate_document(curve.area),
        "parameters": {name: estimate_document(e) for name, e in curve.parameters.items()},
        "notes": list(curve.notes),
        "columns": {name: [plain_number(v) for v in values] for name, values in columns.items()},
    }
