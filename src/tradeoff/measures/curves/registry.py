"""Registry of named curves, and curves of any metric over another."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, require_unique_name
from tradeoff.measures.curves.curve import Axis, Curve, Line, counts_table
from tradeoff.measures.curves.interpolation import Mixed, trapezoids, values_along
from tradeoff.measures.registry import METRICS, Measure

Maker = Callable[..., Curve]
Integral = Callable[[Curve, float, float], float]
THRESHOLD = "threshold"


@dataclass(frozen=True)
class Quantity:
    """A quantity on the axis of a curve that is no metric: its label and range.

    `is_share` tells that it is read in percent, `zoomed` that it is often a small part of its
    range and read by itself.
    """

    words: str
    low: float = -inf
    high: float = inf
    is_share: bool = False
    zoomed: bool = False


@dataclass(frozen=True)
class Kind:
    """Registry entry of a named curve: how to compute, describe and draw it.

    `title` stands above it; `area` is what its area is called, where that says something; `chance`
    and `ideal` name the lines beside it; `axes` are words for a side of the chart where this curve
    calls a metric something else, `quantities` what it has on a side that is no metric; `square`
    charts have equal sides. `has_thresholds` tells that its points are thresholds, which can be
    marked; `averaged` that it has a point for each x, so that folds can be averaged; `by_cases`
    that no order inside bins makes it better than the best case at any x; `no_band` why no band is
    known to hold its level; `rank` is its place where names are listed, those most asked for first;
    `on_page` that the report draws it too, where its points are thresholds.
    """

    name: str = ""
    sentence: str = ""
    make: Maker | None = None
    title: str = ""
    area: str = ""
    chance: str = "chance"
    ideal: str = "perfect ranking"
    axes: Mapping[str, str] = field(default_factory=dict)
    quantities: Mapping[str, Quantity] = field(default_factory=dict)
    square: bool = False
    has_thresholds: bool = True
    averaged: bool = True
    by_cases: bool = False
    no_band: str = ""
    rank: int = 100
    on_page: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """The sentence on what the curve shows, as a caption."""
        return f"{self.sentence[0].upper()}{self.sentence[1:]}."

    @property
    def parameters(self) -> tuple[str, ...]:
        """What can be chosen about it."""
        return tuple(list(inspect.signature(self.made_by).parameters)[1:])

    @property
    def made_by(self) -> Maker:
        """The function that makes it."""
        if self.make is None:
            raise TypeError("metrics over each other are made by `metric_curve`")
        return self.make


CURVES: dict[str, Kind] = {}
"""Named curves. `@register_curve` enters one."""
CURVE_ALIASES: dict[str, str] = {}
"""Other names of curves: the name of each."""
SUFFIXES = ("_curve", "_chart", "_plot", "_diagram", "_display")
"""A roc_curve, a ROC chart and a roc plot are the curve "roc"."""
QUANTITIES = {THRESHOLD: Quantity(THRESHOLD)}
"""What sides of curves measure beside metrics, by name."""
UNNAMED = Kind()


def register_curve(sentence: str, **fields: Any) -> Callable[[Maker], Maker]:
    """Register a function of a ranking as a named curve; `drawn` are fields of `Kind`."""

    def enter(make: Maker) -> Maker:
        require_unique_name(make.__name__, CURVES, "curves")
        kind = CURVES[make.__name__] = Kind(make.__name__, sentence, make, **fields)
        for alias in kind.aliases:
            require_unique_name(alias, {**CURVES, **CURVE_ALIASES}, "curves")
            CURVE_ALIASES[alias] = kind.name
        QUANTITIES.update(kind.quantities)
        return make

    return enter


def ranked_names() -> list[str]:
    """Names of registered curves, the most common first."""
    return sorted(CURVES, key=lambda name: CURVES[name].rank)


def curve_kind(name: str) -> Kind:
    """Registry entry of a curve by its canonical name; a plain one for metric over metric."""
    return CURVES.get(name, UNNAMED)


def fold_name(name: str) -> str:
    """The name of a curve or chart in lower case with underscores, without "curve" or "chart".

    Example:
        >>> fold_name("ROC curve"), fold_name("Lift-Chart"), fold_name("dca")
        ('roc', 'lift', 'net_benefit')
    """
    folded = re.sub(r"[\s-]+", "_", name.strip().casefold())
    if folded not in CURVES and folded not in CURVE_ALIASES:
        folded = next((folded.removesuffix(s) for s in SUFFIXES if folded.endswith(s)), folded)
    return CURVE_ALIASES.get(folded, folded)


def curve_meanings() -> dict[str, str]:
    """Curves by name with words to find them by: name, aliases, title and sentence."""
    return {
        kind.name: " ".join((kind.name, *kind.aliases, kind.title, kind.sentence))
        for kind in CURVES.values()
    }


def find_kind(name: str) -> Kind:
    """The kind of a curve by any of its names: "roc", "ROC curve", "prc", "decision curve"."""
    folded = fold_name(name)
    if folded not in CURVES:
        near = did_you_mean(name, [*CURVES, *CURVE_ALIASES], curve_meanings())
        raise UnknownName(
            f"No curve is called {name!r}.{near} Named curves: "
            f"{format_list(sorted(CURVES), 30)}; any two metrics make a curve too."
        )
    return CURVES[folded]


def named_curve(ranking: Ranking, name: str, **parameters: Any) -> Curve:
    """Compute a registered curve by its name."""
    kind = find_kind(name)
    unknown = [key for key in parameters if key not in kind.parameters]
    if unknown:
        takes = (
            f"takes {format_list(kind.parameters)}" if kind.parameters else "has nothing to choose"
        )
        raise UnknownName(f"The {kind.name} curve {takes}: leave out {format_list(unknown)}.")
    return Recipe(kind.name, tuple(parameters.items()))(ranking)


@dataclass(frozen=True)
class Recipe:
    """How a curve is made of a ranking: by its name and parameters, or as metrics over x."""

    name: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()
    x: str = ""
    y: tuple[str, ...] = ()

    def __call__(self, ranking: Ranking) -> Curve:
        """The curve of a ranking."""
        if self.name:
            curve = CURVES[self.name].made_by(ranking, **dict(self.parameters))
        elif self.x == THRESHOLD:
            curve = threshold_curve(ranking, *(METRICS.find(name) for name in self.y))
        else:
            curve = metric_curve(ranking, self.x, self.y[0])
        return replace(curve, again=self, by_cases=curve_kind(self.name).by_cases)


def any_curve(
    ranking: Ranking,
    name: str | None = None,
    *,
    x: str | None = None,
    y: str | Sequence[str] | None = None,
    **parameters: Any,
) -> Curve:
    """Compute a named curve, or the curve of any metric over another."""
    if name is not None and x is None and y is None:
        return named_curve(ranking, name, **parameters)
    if name is None and x is not None and y is not None and not parameters:
        return curve(ranking, x=x, y=y)
    raise InputError('Name a curve, as in curve("roc"), or both metrics: curve(x=…, y=…).')


def curve(ranking: Ranking, *, x: str, y: str | Sequence[str]) -> Curve:
    """Curve of any metric over another; over the threshold also several metrics at once."""
    names = [y] if isinstance(y, str) else list(y)
    if len(names) != 1 and not (x == THRESHOLD and names):
        raise InputError("Several metrics are drawn over the threshold alone: give one y.")
    return Recipe(x=x, y=tuple(names))(ranking)


def metric_curve(  # noqa: PLR0913 - what a kind of curve may say about itself
    ranking: Ranking,
    x: str,
    y: str,
    *,
    name: str | None = None,
    chance: Line | None = None,
    ideal: Line | None = None,
    integral: Integral | None = None,
) -> Curve:
    """Curve of one metric over another along a ranking."""
    x_metric, y_metric = METRICS.find(x), METRICS.find(y)
    values = values_along(ranking, [x_metric, y_metric])
    if integral is None and x_metric.linear and y_metric.linear:
        integral = trapezoids if (np.diff(values[0]) >= 0).all() else None
    return Curve(
        name or f"{y_metric.name} over {x_metric.name}",
        ranking,
        _axis(x_metric, values[0]),
        _axis(y_metric, values[1]),
        Mixed(ranking, x_metric, y_metric, *values),
        chance=chance,
        ideal=ideal,
        table=lambda: counts_table(ranking, ranking.confusion),
        integral=integral,
    )


def threshold_curve(
    ranking: Ranking, measure: Measure, *others: Measure, name: str | None = None
) -> Curve:
    """Curve of metrics over the threshold: steps at each distinct score."""
    values = values_along(ranking, [measure, *others])
    first, *also = (_axis(m, v) for m, v in zip((measure, *others), values, strict=True))
    steps = first.values

    def height(thresholds: Any) -> Any:
        return steps[ranking.places(thresholds)]

    return Curve(
        name or f"{measure.name} over {THRESHOLD}",
        ranking,
        Axis(THRESHOLD, ranking.thresholds),
        first,
        formula=height,
        also=tuple(also),
        table=lambda: counts_table(ranking, ranking.confusion),
    )


def require_both_classes(ranking: Ranking, name: str) -> None:
    """Require rows of both classes for a curve that is undefined without."""
    if not (ranking.positives and ranking.negatives):
        raise InputError(f"The {name} curve needs rows of both classes.")


def _axis(measure: Measure, values: NDArray[np.float64]) -> Axis:
    return Axis(measure.name, values, measure.better)
