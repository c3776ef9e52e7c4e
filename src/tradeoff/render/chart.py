"""What a chart is: two scales, layers from back to front, and what is said beside them.

A layer says what it *is* (its role: a model, chance, the hull …), never its colour: matplotlib, the
terminal and the report each draw a role in their own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from numpy.typing import NDArray

from tradeoff.results import ByValue

if TYPE_CHECKING:
    import numpy as np

    Numbers = NDArray[np.float64]

Kind = Literal["plain", "share", "log", "normal", "names"]
"""How a scale is spaced: evenly, in percent, by logarithm, by normal quantile, one place a name."""

Role = Literal[
    "model", "fold", "average", "chance", "ideal", "hull", "iso", "positive", "negative", "mark"
]
"""What a layer shows; `order` tells models apart."""


@dataclass(frozen=True)
class Scale:
    """One side of a chart: what it measures, from where to where; `names` are places 0, 1, 2 …."""

    label: str
    low: float
    high: float
    kind: Kind = "plain"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Line:
    """A line through points; NaN breaks it. With `steps` it is level up to the next x."""

    x: Numbers
    y: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0
    steps: bool = False


@dataclass(frozen=True, eq=False)
class Ribbon:
    """The space between two heights: how sure a line is."""

    x: Numbers
    low: Numbers
    high: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Points:
    """Single points, each with a text beside it that may be empty."""

    x: Numbers
    y: Numbers
    texts: tuple[str, ...] = ()
    role: Role = "mark"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Bars:
    """A histogram: one bar between neighbouring edges."""

    edges: Numbers
    heights: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Ranges:
    """Values with their intervals, one a place of a scale of names: a forest plot."""

    value: Numbers
    low: Numbers
    high: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Cells:
    """A table of counts: each cell's share (its shade, 0 to 1; NaN: none) and the text in it."""

    shares: Numbers
    texts: tuple[tuple[str, ...], ...]


Layer = Line | Ribbon | Points | Bars | Ranges | Cells


@dataclass(frozen=True, eq=False)
class Chart(ByValue):
    """A picture as data. `caption` is a sentence below it, `square` that both sides are alike."""

    title: str
    x: Scale
    y: Scale
    layers: tuple[Layer, ...]
    caption: str = ""
    square: bool = False
