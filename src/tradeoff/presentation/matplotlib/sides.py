"""The two sides of axes: how they are spaced, from where to where, and their labels."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.presentation.charts.chart import Bars, Chart
from tradeoff.presentation.matplotlib.styling import shown

if TYPE_CHECKING:
    from tradeoff.presentation.charts.chart import Scale

QUANTILES = (1e-5, 1e-4, 0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99)


def scaled(axis: Any, scale: Scale, chart: Chart) -> None:
    """One side of the axes: how it is spaced, from where to where, and its labels."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    name = axis.axis_name
    ax = axis.axes
    set_limits = ax.set_xlim if name == "x" else ax.set_ylim
    set_scale = ax.set_xscale if name == "x" else ax.set_yscale
    inches = (ax.bbox.width if name == "x" else ax.bbox.height) / ax.figure.dpi
    axis.set_label_text(textwrap.fill(shown(scale.label), max(int(15.5 * inches), 20)))
    if scale.kind == "names":
        _named(axis, scale)
        return
    width = scale.high - scale.low
    pad = 0.0 if any(isinstance(layer, Bars) for layer in chart.layers) else 0.015 * width
    if scale.kind == "log":
        set_scale("log")
        set_limits(scale.low, scale.high)
    elif scale.kind == "normal":
        from scipy.special import ndtr, ndtri

        set_scale("function", functions=(ndtri, ndtr))
        axis.set_major_locator(FixedLocator(_apart(scale, inches, name)))
        axis.set_minor_locator(NullLocator())
        set_limits(scale.low, scale.high)
    else:
        set_limits(scale.low - pad, scale.high + pad)
    if scale.kind in {"share", "normal"}:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))


def _apart(scale: Scale, inches: float, name: str) -> list[float]:
    """The quantiles whose labels find room beside each other."""
    from scipy.special import ndtri

    low, high = ndtri(scale.low), ndtri(scale.high)
    room = 0.4 if name == "x" else 0.22
    kept: list[float] = []
    last = -np.inf
    for share in (p for p in QUANTILES if scale.low <= p <= scale.high):
        place = inches * (ndtri(share) - low) / (high - low)
        if place - last >= room:
            kept.append(share)
            last = place
    return kept


def _named(axis: Any, scale: Scale) -> None:
    size = len(scale.names)
    ax = axis.axes
    names = [shown(one) for one in scale.names]
    length = (ax.bbox.width if axis.axis_name == "x" else ax.bbox.height) / ax.figure.dpi
    small = float(np.clip(72 * length / size * 0.6, 3.5, 8.5))
    if axis.axis_name == "x":
        longest = max(map(len, names)) * small * 0.6 / 72
        upright = longest > 0.95 * length / size
        ax.set_xticks(range(size), names, rotation=90 if upright else 0, fontsize=small)
        ax.set_xlim(-0.5, size - 0.5)
    else:
        ax.set_yticks(range(size), names, fontsize=small)
        ax.set_ylim(size - 0.5, -0.5)  # the first name is the topmost
    axis.grid(visible=False)
