"""Registry of named curves: lookup by name, and computation by name or from any two metrics."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, require_unique_name
from tradeoff.measures.curves.curve import Curve
from tradeoff.measures.curves.metric_curves import (
    THRESHOLD,
    metric_curve,
    threshold_curve,
)
from tradeoff.measures.registry import CHART_NAMES, METRICS, lookup_key

CurveFunction = Callable[..., Curve]


@dataclass(frozen=True)
class Quantity:
    """A quantity on an axis of a curve that is not a metric: its label and range.

    `is_share`: it is shown in percent; `zoomed`: it often covers a small part of its range, so
    charts zoom in.
    """

    label: str
    low: float = -inf
    high: float = inf
    is_share: bool = False
    zoomed: bool = False


@dataclass(frozen=True)
class CurveKind:
    """Registry entry of a named curve: how to compute, describe and draw it.

    `title` is the chart's title; `area` is the name of the area under the curve, if it has one, and
    `summary` the summary that equals it; `chance` and `ideal` label the reference lines; `axes` are
    axis labels where this curve calls a metric something else, and `quantities` describes axes that
    are not metrics; `square` charts have sides of equal length. `has_thresholds`: the points are
    thresholds, which can be marked; `averaged`: it has one height at each x, so that folds can be
    averaged; `by_cases`: no order inside bins makes the curve better than the best case at any x;
    `no_band` explains why no confidence band has a known coverage; `rank` orders lists of curves,
    the most common first; `on_page`: the report draws the curve, too (its points must be
    thresholds).
    """

    name: str = ""
    description: str = ""
    make: CurveFunction | None = None
    title: str = ""
    area: str = ""
    summary: str = ""
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
        """The description of the curve, as a sentence."""
        return f"{self.description[0].upper()}{self.description[1:]}."

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters of the curve."""
        return tuple(list(inspect.signature(self.curve_function).parameters)[1:])

    @property
    def curve_function(self) -> CurveFunction:
        """The function that computes the curve."""
        if self.make is None:
            raise TypeError("curves of metrics are computed by `metric_curve`")
        return self.make


CURVES: dict[str, CurveKind] = {}
"""Named curves, registered with `@register_curve`."""
CURVE_ALIASES: dict[str, str] = {}
"""Canonical name of each curve by alias."""
IGNORED_SUFFIXES = ("curve", "chart", "plot", "diagram", "display")
"""Suffixes of names that are ignored: roc_curve, ROC chart and roc plot all mean "roc"."""
QUANTITIES = {THRESHOLD: Quantity(THRESHOLD)}
"""Quantities on axes of curves that are not metrics, by name."""
UNNAMED_CURVE_KIND = CurveKind()


def register_curve(description: str, **fields: Any) -> Callable[[CurveFunction], CurveFunction]:
    """Register a function of a ranking as a named curve; `fields` are those of `CurveKind`."""

    def register(make: CurveFunction) -> CurveFunction:
        require_unique_name(make.__name__, CURVES, "curves")
        kind = CURVES[make.__name__] = CurveKind(make.__name__, description, make, **fields)
        for alias in kind.aliases:
            require_unique_name(alias, {**CURVES, **CURVE_ALIASES}, "curves")
            CURVE_ALIASES[alias] = kind.name
        QUANTITIES.update(kind.quantities)
        return make

    return register


def ranked_curve_names() -> list[str]:
    """Names of registered curves, the most common first."""
    return sorted(CURVES, key=lambda name: CURVES[name].rank)


def curve_kind(name: str) -> CurveKind:
    """Registry entry of a curve by its canonical name; a default entry for unnamed curves."""
    return CURVES.get(name, UNNAMED_CURVE_KIND)


def normalized_curve_name(name: str) -> str:
    """Canonical name of a curve: lower case, aliases resolved, without "curve" or "chart".

    Example:
        >>> [normalized_curve_name(name) for name in ("ROC curve", "Lift-Chart", "dca", "K-S")]
        ['roc', 'lift', 'net_benefit', 'ks']
    """
    if name in CURVES:  # normalizing all names takes as long as a curve of 10,000 points
        return name
    names = {lookup_key(spelling): spelling for spelling in (*CURVES, *CURVE_ALIASES)}
    key = lookup_key(name)
    if key not in names:
        suffix = next((suffix for suffix in IGNORED_SUFFIXES if key.endswith(suffix)), "")
        key = key.removesuffix(suffix)
    spelling = names.get(key, re.sub(r"[\s-]+", "_", name.strip().casefold()))
    return CURVE_ALIASES.get(spelling, spelling)


def curve_search_texts() -> dict[str, str]:
    """Searchable text of each curve: name, aliases, title and description."""
    return {
        kind.name: " ".join((kind.name, *kind.aliases, kind.title, kind.description))
        for kind in CURVES.values()
    }


def find_curve_kind(name: str) -> CurveKind:
    """Look up a curve's registry entry by any of its names, such as "roc" or "ROC curve"."""
    normalized = normalized_curve_name(name)
    if normalized not in CURVES:
        _raise_if_other_kind(name)
        suggestion = did_you_mean(name, [*CURVES, *CURVE_ALIASES], curve_search_texts())
        raise UnknownName(
            f"No curve is called {name!r}.{suggestion} Named curves: "
            f"{format_list(sorted(CURVES), 30)}; any two metrics also define a curve."
        )
    return CURVES[normalized]


def _raise_if_other_kind(name: str) -> None:
    """Raise a specific error if the name is that of a metric or a chart, not of a curve."""
    if METRICS.knows(name):
        raise UnknownName(
            f"{name!r} is a metric, not a curve: e.curve(x='threshold', y={name!r}), or "
            f"`--x threshold --y {name}`."
        )
    for chart, aliases in CHART_NAMES.items():
        if lookup_key(name) in map(lookup_key, (chart, *aliases)):
            raise UnknownName(
                f"{name!r} is a chart, not a curve: `tradeoff plot --chart {chart}`, or "
                f"e.chart({chart!r})."
            )


def named_curve(ranking: Ranking, name: str, **parameters: Any) -> Curve:
    """Compute a registered curve by its name."""
    kind = find_curve_kind(name)
    unknown = [key for key in parameters if key not in kind.parameters]
    if unknown:
        accepted = (
            f"takes {format_list(kind.parameters)}" if kind.parameters else "takes no parameters"
        )
        raise UnknownName(f"The {kind.name} curve {accepted}: leave out {format_list(unknown)}.")
    return Recipe(kind.name, tuple(parameters.items()))(ranking)


@dataclass(frozen=True)
class Recipe:
    """How to compute a curve from a ranking: by name and parameters, or from its metrics."""

    name: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()
    x: str = ""
    y: tuple[str, ...] = ()

    def __call__(self, ranking: Ranking) -> Curve:
        """Compute the curve of a ranking."""
        if self.name:
            curve = CURVES[self.name].curve_function(ranking, **dict(self.parameters))
        elif self.x == THRESHOLD:
            curve = threshold_curve(ranking, *(METRICS.find(name) for name in self.y))
        else:
            curve = metric_curve(ranking, self.x, self.y[0])
        return replace(curve, again=self, by_cases=curve_kind(self.name).by_cases)


def curve_of_metrics(ranking: Ranking, *, x: str, y: str | Sequence[str]) -> Curve:
    """Compute the curve of any metric against another, or of metrics against the threshold."""
    names = [y] if isinstance(y, str) else list(y)
    if len(names) != 1 and not (x == THRESHOLD and names):
        raise InputError("Several metrics can only be drawn over the threshold: give one y.")
    return Recipe(x=x, y=tuple(names))(ranking)


def any_curve(
    ranking: Ranking,
    name: str | None = None,
    *,
    x: str | None = None,
    y: str | Sequence[str] | None = None,
    **parameters: Any,
) -> Curve:
    """Compute a registered curve by name, or the curve of any metric against another."""
    if name is not None and x is None and y is None:
        return named_curve(ranking, name, **parameters)
    if name is None and x is not None and y is not None and not parameters:
        return curve_of_metrics(ranking, x=x, y=y)
    raise InputError('Name a curve, as in curve("roc"), or both metrics: curve(x=…, y=…).')


def require_both_classes(ranking: Ranking, name: str) -> None:
    """Require rows of both classes for a named curve; raise an error otherwise."""
    if not (ranking.positives and ranking.negatives):
        raise InputError(f"The {name} curve needs rows of both classes.")
