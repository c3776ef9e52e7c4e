"""Charts as data: two scales, layers from back to front, a title and a caption.

A layer has a role (a model, chance, the hull …), never a colour: matplotlib, the terminal and the
report each have their own style for a role.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from numpy.typing import NDArray

from tradeoff.results import ByValue

if TYPE_CHECKING:
    import numpy as np

    Numbers = NDArray[np.float64]

ScaleKind = Literal["plain", "share", "log", "normal", "names"]
"""Spacing of a scale: linear, linear in percent, logarithmic, normal quantile, or categorical."""

Role = Literal[
    "model", "fold", "average", "chance", "ideal", "hull", "iso", "positive", "negative", "mark",
    "point",
]  # fmt: skip
"""What a layer shows; `order` is the index of the model that it belongs to.

A "point" is a classifier without a curve; its name is written beside it.
"""


@dataclass(frozen=True)
class Scale:
    """Axis of a chart: its label, limits and spacing; `names` are at 0, 1, 2 …."""

    label: str
    low: float
    high: float
    kind: ScaleKind = "plain"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Line:
    """Chart layer: a line broken by NaN; with `steps`, each y holds up to the next x."""

    x: Numbers
    y: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0
    steps: bool = False


@dataclass(frozen=True, eq=False)
class Ribbon:
    """Chart layer: the area between a lower and an upper line, such as a confidence band."""

    x: Numbers
    low: Numbers
    high: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Points:
    """Chart layer: single points, each with an annotation that may be empty."""

    x: Numbers
    y: Numbers
    texts: tuple[str, ...] = ()
    role: Role = "mark"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Bars:
    """Chart layer: a histogram, with a bar between each two neighbouring edges."""

    edges: Numbers
    heights: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0


@dataclass(frozen=True, eq=False)
class Intervals:
    """Chart layer: values with their intervals, one for each name on an axis (a forest plot).

    `texts` are the same numbers as text, to be written beside the intervals.
    """

    values: Numbers
    low: Numbers
    high: Numbers
    role: Role = "model"
    label: str = ""
    order: int = 0
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Cells:
    """Chart layer: a table of labelled cells, shaded by a proportion (NaN: unshaded)."""

    shares: Numbers
    texts: tuple[tuple[str, ...], ...]


Layer = Line | Ribbon | Points | Bars | Intervals | Cells


@dataclass(frozen=True, eq=False)
class Chart(ByValue):
    """Chart as data. `caption` is written below it; `square` requests axes of equal length.

    `legend_title` says what the numbers in the labels of the layers are, such as "AUC (95% CI)".
    """

    title: str
    x: Scale
    y: Scale
    layers: tuple[Layer, ...]
    caption: str = ""
    square: bool = False
    legend_title: str = ""

    def _repr_svg_(self) -> str:
        """The chart as an SVG picture for notebooks."""
        from tradeoff.render.svg import chart_svg

        return chart_svg(self)


def is_guide(layer: Layer) -> bool:
    """Whether a layer is a vertical line that marks a value, such as a threshold."""
    if not isinstance(layer, Line) or layer.role != "mark" or not len(layer.x):
        return False
    return bool((layer.x == layer.x[0]).all())
