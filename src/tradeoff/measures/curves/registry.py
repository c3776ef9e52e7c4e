"""The table of named curves, and how one is made by name. Each kind is a decorated function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed, require_new
from tradeoff.measures.curves.curve import Axis, Curve, Line, counts_table
from tradeoff.measures.curves.interpolation import Mixed, along, trapezoids
from tradeoff.measures.registry import METRICS, Measure

Maker = Callable[..., Curve]
Integral = Callable[[Curve, float, float], float]
THRESHOLD = "threshold"


@dataclass(frozen=True)
class Quantity:
    """What a side of a curve measures where that is no metric: its words, its ends.

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
    """A named curve: how to make it from a ranking, what it shows, and how it is drawn.

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

    @property
    def parameters(self) -> tuple[str, ...]:
        """What can be chosen about it."""
        return tuple(list(inspect.signature(self.made_by).parameters)[1:])

    @property
    def made_by(self) -> Maker:
        """The function that makes it."""
        if self.make is None:
            raise TypeError("metrics over each other are made by `over`")
        return self.make


CURVES: dict[str, Kind] = {}
"""Named curves. `@named` enters one."""
QUANTITIES = {THRESHOLD: Quantity(THRESHOLD)}
"""What sides of curves measure beside metrics, by name."""
UNNAMED = Kind()


def named(sentence: str, **drawn: Any) -> Callable[[Maker], Maker]:
    """Enter a function of a ranking as a curve under its own name; `drawn` are fields of `Kind`."""

    def enter(make: Maker) -> Maker:
        require_new(make.__name__, CURVES, "curves")
        kind = CURVES[make.__name__] = Kind(make.__name__, sentence, make, **drawn)
        QUANTITIES.update(kind.quantities)
        return make

    return enter


def ranked_names() -> list[str]:
    """Names of curves, those most asked for first."""
    return sorted(CURVES, key=lambda name: CURVES[name].rank)


def kind_of(name: str) -> Kind:
    """What is known of a curve by its own name; a plain kind for one metric over another."""
    return CURVES.get(name, UNNAMED)


def find_kind(name: str) -> Kind:
    """The kind of curve that is called so, in any usual spelling."""
    folded = name.strip().casefold().replace("-", "_").replace(" ", "_")
    if folded not in CURVES:
        raise UnknownName(
            f"No curve is called {name!r}.{did_you_mean(name, CURVES)} Named curves: "
            f"{listed(sorted(CURVES), 30)}; any two metrics make a curve too."
        )
    return CURVES[folded]


def named_curve(ranking: Ranking, name: str, **parameters: Any) -> Curve:
    """A curve by its usual name."""
    kind = find_kind(name)
    unknown = [key for key in parameters if key not in kind.parameters]
    if unknown:
        takes = f"takes {listed(kind.parameters)}" if kind.parameters else "has nothing to choose"
        raise UnknownName(f"The {kind.name} curve {takes}: leave out {listed(unknown)}.")
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
            made = CURVES[self.name].made_by(ranking, **dict(self.parameters))
        elif self.x == THRESHOLD:
            made = over_threshold(ranking, *(METRICS.find(name) for name in self.y))
        else:
            made = over(ranking, self.x, self.y[0])
        return replace(made, again=self, by_cases=kind_of(self.name).by_cases)


def any_curve(
    ranking: Ranking,
    name: str | None = None,
    *,
    x: str | None = None,
    y: str | Sequence[str] | None = None,
    **parameters: Any,
) -> Curve:
    """A named curve, or any metric over any other, whichever is asked for."""
    if name is not None and x is None and y is None:
        return named_curve(ranking, name, **parameters)
    if name is None and x is not None and y is not None and not parameters:
        return curve(ranking, x=x, y=y)
    raise InputError('Name a curve, as in curve("roc"), or both metrics: curve(x=…, y=…).')


def curve(ranking: Ranking, *, x: str, y: str | Sequence[str]) -> Curve:
    """Any metric against any other; over the threshold itself also several at once."""
    names = [y] if isinstance(y, str) else list(y)
    if len(names) != 1 and not (x == THRESHOLD and names):
        raise InputError("Several metrics are drawn over the threshold alone: give one y.")
    return Recipe(x=x, y=tuple(names))(ranking)


def over(  # noqa: PLR0913 - what a kind of curve may say about itself
    ranking: Ranking,
    x: str,
    y: str,
    *,
    name: str | None = None,
    chance: Line | None = None,
    ideal: Line | None = None,
    integral: Integral | None = None,
) -> Curve:
    """One metric over another along a ranking."""
    across, up = METRICS.find(x), METRICS.find(y)
    values = along(ranking, [across, up])
    if integral is None and across.linear and up.linear:
        integral = trapezoids if (np.diff(values[0]) >= 0).all() else None
    return Curve(
        name or f"{up.name} over {across.name}",
        ranking,
        _axis(across, values[0]),
        _axis(up, values[1]),
        Mixed(ranking, across, up, *values),
        chance=chance,
        ideal=ideal,
        table=lambda: counts_table(ranking, ranking.confusion),
        integral=integral,
    )


def over_threshold(
    ranking: Ranking, measure: Measure, *others: Measure, name: str | None = None
) -> Curve:
    """Metrics over the threshold: steps that change at each distinct score."""
    values = along(ranking, [measure, *others])
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


def demand_both_classes(ranking: Ranking, name: str) -> None:
    """Some curves need rows of both classes to exist at all."""
    if not (ranking.positives and ranking.negatives):
        raise InputError(f"The {name} curve needs rows of both classes.")


def _axis(measure: Measure, values: NDArray[np.float64]) -> Axis:
    return Axis(measure.name, values, measure.better)
