"""Each kind of layer, and the sides of a chart, as matplotlib draws them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from tradeoff.render.chart import Bars, Cells, Chart, Layer, Line, Points, Ranges, Ribbon, Scale
from tradeoff.render.matplotlib.style import COLOURS, DARK, GREY, TAG, coloured, ink, label, shown


def _line(layer: Line, ax: Any, order: int) -> None:
    style = "steps-post" if layer.steps else "default"
    own = {"drawstyle": style, "label": label(layer.label), "gid": f"{TAG}{layer.role}:{order}"}
    ax.plot(layer.x, layer.y, **coloured(layer.role, order, ax), **own)


def _ribbon(layer: Ribbon, ax: Any, order: int) -> None:
    colour = GREY if layer.role == "mark" else COLOURS[order % len(COLOURS)]
    ax.fill_between(
        layer.x,
        layer.low,
        layer.high,
        alpha=0.18,
        color=colour,
        linewidth=0,
        label=label(layer.label),
        gid=f"{TAG}band:{order}",
        zorder=1.4,
    )


def _points(layer: Points, ax: Any, order: int) -> None:
    colour = ink(ax) if layer.role == "hull" else COLOURS[order % len(COLOURS)]
    if layer.role == "iso":
        return  # texts alone
    small = layer.role == "hull" or len(layer.x) > 12
    ax.plot(
        layer.x,
        layer.y,
        linestyle="none",
        marker="o",
        markersize=4 if small else 6.5,
        markerfacecolor=ax.get_facecolor(),
        markeredgecolor=colour,
        markeredgewidth=1.2 if small else 1.8,
        label=label(layer.label),
        gid=f"{TAG}points:{order}",
        clip_on=False,
        zorder=4,
    )


def _bars(layer: Bars, ax: Any, order: int) -> None:
    named = {"label": label(layer.label), "gid": f"{TAG}{layer.role}:{order}"}
    if layer.role == "model":
        width = np.diff(layer.edges)
        colour = COLOURS[order % len(COLOURS)]
        ax.bar(
            layer.edges[:-1],
            layer.heights,
            width,
            align="edge",
            ec="white",
            fc=colour,
            zorder=1.2,
            **named,
        )
        return
    colour = COLOURS[0 if layer.role == "positive" else 1]
    hatch = "////" if layer.role == "positive" else None
    ax.stairs(
        layer.heights,
        layer.edges,
        fill=True,
        alpha=0.35,
        fc=colour,
        ec=colour,
        hatch=hatch,
        **named,
    )
    ax.stairs(layer.heights, layer.edges, color=colour, linewidth=1.5, label="_outline")


def _ranges(layer: Ranges, ax: Any, order: int) -> None:
    colour = COLOURS[order % len(COLOURS)]
    places = np.arange(len(layer.value))
    known = np.isfinite(layer.low) & np.isfinite(layer.high)
    ax.hlines(places[known], layer.low[known], layer.high[known], colors=colour, linewidth=1.6)
    own = {"label": label(layer.label), "gid": f"{TAG}{layer.role}:{order}"}
    ax.plot(layer.value, places, linestyle="none", marker="s", markersize=5, color=colour, **own)


DRAWERS: dict[type[Layer], Callable[[Any, Any, int], None]] = {
    Line: _line,
    Ribbon: _ribbon,
    Points: _points,
    Bars: _bars,
    Ranges: _ranges,
}


def cells(layer: Cells, chart: Chart, ax: Any) -> None:
    """A table of shades with a text in each cell."""
    from matplotlib import colormaps

    down, across = layer.shares.shape
    shades = colormaps["Blues"].with_extremes(bad="#F2F2F2")
    aspect = "equal" if chart.square else "auto"
    image = ax.imshow(layer.shares, cmap=shades, vmin=0, vmax=1.15, aspect=aspect)
    image.set_gid(f"{TAG}cells")
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(length=0)
    if max(across, down) <= 20:
        ax.set_xticks(np.arange(across + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(down + 1) - 0.5, minor=True)
        ax.grid(visible=True, which="minor", color="white", linewidth=2)
        ax.tick_params(which="minor", length=0)
    inches = min(ax.bbox.width / across, ax.bbox.height / down) / ax.figure.dpi
    longest = max((len(t.partition(" (")[0]) for line in layer.texts for t in line), default=1)
    size = float(np.clip(72 * inches / (0.62 * max(longest + 1, 4)), 3, 10))
    for (i, j), share in np.ndenumerate(layer.shares):
        if text := layer.texts[i][j]:
            colour = "white" if share > 0.6 else DARK
            lines = shown(text).replace(" (", "\n(")
            ax.text(j, i, lines, ha="center", va="center", color=colour, fontsize=size)


# The two sides of axes: how they are spaced, from where to where, and their labels.


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
