"""Charts drawn by matplotlib, layer by layer: on axes of the user, or in files of their own."""

from __future__ import annotations

import math
import os
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tradeoff.errors import InputError, StorageError
from tradeoff.render.chart import Bars, Cells, Chart, Layer, Line, Points, Ranges, Ribbon, Scale
from tradeoff.render.matplotlib.placement import box, inside, occupied, outside, texts
from tradeoff.render.matplotlib.style import (
    COLOURS,
    DARK,
    GREY,
    TAG,
    coloured,
    ink,
    label,
    shown,
    styled,
)

FORMATS = ("png", "svg", "pdf")
MADE: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""What files do not tell, so that the same chart makes the same file."""
SMALL = 4.0
"""Inches below which a picture has no room for a caption or a legend beside it."""
MANY = 6
"""More entries than this make a legend that belongs beside the chart."""


def drawn(chart: Chart, ax: Any = None) -> Any:
    """Draw a chart with matplotlib.

    Args:
        chart: The chart.
        ax: Where to draw it. Without it a new figure of pyplot is made. On axes that hold a chart
            already, models are added in further colours.

    Returns:
        The axes.
    """
    _demand_matplotlib()
    with styled():
        if ax is not None:
            if not hasattr(ax, "set_xlabel"):
                raise InputError(f"`ax` is matplotlib's axes, not {ax!r}.")
            _draw(chart, ax)
            _among_others(chart, ax)
            return ax
        from matplotlib import pyplot as plt

        figure = plt.figure(figsize=_size(chart), layout="constrained")
        _alone(chart, figure)
        return figure.axes[0]


def saved(
    charts: Chart | Sequence[Chart],
    path: str | os.PathLike[str],
    *,
    size: tuple[float, float] | None = None,
    dpi: float = 150,
) -> None:
    """Write one chart, or several side by side, as PNG, SVG or PDF: the suffix decides.

    No display is needed, pyplot is not touched, and the file appears only when it is complete.

    Args:
        charts: One chart, or several.
        path: Where to write it.
        size: Width and height in inches; what suits the charts if not given.
        dpi: Dots per inch of a PNG.
    """
    form = demand_writable(path)
    several = [charts] if isinstance(charts, Chart) else list(charts)
    if not several:
        raise InputError("There is no chart to write.")
    if size is not None and not all(0.5 <= side <= 200 for side in size):
        raise InputError(f"A picture is 0.5 to 200 inches wide and high, not {size}.")
    from tradeoff.files import write_atomically

    with styled():
        figure = _figure(several, size)
        with _settled(figure):
            write_atomically(
                path,
                lambda file: figure.savefig(file, format=form, dpi=dpi, metadata=MADE[form]),
            )


def _figure(charts: Sequence[Chart], size: tuple[float, float] | None) -> Any:
    """A figure without a window: one chart with its caption, or several in a grid."""
    from matplotlib.figure import Figure

    across = math.ceil(math.sqrt(len(charts)))
    down = math.ceil(len(charts) / across)
    sizes = [_size(chart) for chart in charts]
    usual = across * max(s[0] for s in sizes), down * max(s[1] for s in sizes)
    figure = Figure(figsize=size or usual, layout="constrained")
    if len(charts) == 1:
        _alone(charts[0], figure, fixed=size is not None)
        return figure
    grid = figure.subplots(down, across, squeeze=False).ravel()
    for chart, ax in zip(charts, grid, strict=False):
        _draw(chart, ax)
    for ax in grid[len(charts) :]:
        ax.remove()
    with _settled(figure):
        for chart, ax in zip(charts, grid, strict=False):
            _among_others(chart, ax)
    return figure


def demand_writable(path: str | os.PathLike[str]) -> str:
    """The format of a picture to be written, before anything is computed for it.

    Example:
        >>> demand_writable("roc.png")
        'png'
        >>> demand_writable("roc.gif")
        Traceback (most recent call last):
        tradeoff.errors.InputError: roc.gif ends in .gif. Pictures are .png, .svg or .pdf.
    """
    _demand_matplotlib()
    form = Path(path).suffix.lower().removeprefix(".")
    if Path(path).is_dir():
        raise StorageError(f"{path} is a directory: name a file, such as {Path(path) / 'roc.png'}.")
    if form not in FORMATS:
        ended = f"ends in .{form}" if form else "has no ending"
        raise InputError(f"{path} {ended}. Pictures are .png, .svg or .pdf.")
    return form


def _demand_matplotlib() -> None:
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as problem:
        raise InputError(
            'Pictures need matplotlib, which is not installed: pip install "tradeoff[plot]".'
        ) from problem


def _size(chart: Chart) -> tuple[float, float]:
    """The inches that a chart needs."""
    if any(isinstance(layer, Cells) for layer in chart.layers):
        across, down = len(chart.x.names), len(chart.y.names)
        left, below = (0.07 * max(map(len, side.names)) for side in (chart.y, chart.x))
        below = below if below > 0.8 else 0.1  # such names are written upright
        return min(1.6 + left + 0.9 * across, 11.0), min(1.5 + below + 0.7 * down, 10.0)
    if chart.y.names:
        return 6.4, min(1.6 + 0.32 * len(chart.y.names), 14.0)
    return (5.4, 5.6) if chart.square else (6.6, 4.6)


def _alone(chart: Chart, figure: Any, *, fixed: bool = False) -> None:
    """A figure of one chart, with its caption below and, if need be, its legend beside it."""
    ax = figure.subplots()
    _draw(chart, ax)
    small = fixed and min(figure.get_size_inches()) < SMALL
    if chart.caption and not small:
        text = _lines(shown(chart.caption), max(int(figure.get_figwidth() * 17), 20))
        figure.supxlabel(text, fontsize=8, color="#555555", x=0.02, ha="left")
    with _settled(figure):
        handles, _ = ax.get_legend_handles_labels()
        if len(handles) > MANY and not small:
            outside(ax, fixed=fixed)
    with _settled(figure):
        dots, page = occupied(chart, ax), box(ax.bbox)
        taken = texts(chart, ax, dots, page)
        if ax.get_legend() is None and not inside(ax, dots, page, taken, anyway=small):
            outside(ax, fixed=fixed)


@contextmanager
def _settled(figure: Any) -> Iterator[None]:
    """Measures are right only where the layout has settled."""
    with warnings.catch_warnings():
        # A picture too small for its labels is still a picture.
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        figure.draw_without_rendering()
        yield


def _lines(caption: str, width: int) -> str:
    """A caption in lines that break between sentences where they can."""
    if len(caption) <= width:
        return caption
    sentences = re.split(r"(?<=\.) (?=[A-Z0-9])", caption)
    return "\n".join(line for one in sentences for line in textwrap.wrap(one, width))


def _draw(chart: Chart, ax: Any) -> None:
    if chart.square and not chart.x.names:
        ax.set_box_aspect(1)
    _scaled(ax.xaxis, chart.x, chart)
    _scaled(ax.yaxis, chart.y, chart)
    width = ax.bbox.width / ax.figure.dpi
    ax.set_title(textwrap.fill(shown(chart.title), max(int(10 * width), 24)))
    known = {a.get_label() for a in ax.get_children() if (a.get_gid() or "").startswith(TAG)}
    before = sum((a.get_gid() or "").startswith(f"{TAG}model") for a in ax.lines)
    for layer in chart.layers:
        if isinstance(layer, Cells):
            cells(layer, chart, ax)
        elif layer.role not in {"chance", "ideal"} or label(layer.label) not in known:
            DRAWERS[type(layer)](layer, ax, layer.order + before)


def _among_others(chart: Chart, ax: Any) -> None:
    """Texts and a legend on axes whose figure is not ours to change."""
    dots, page = occupied(chart, ax), box(ax.bbox)
    taken = texts(chart, ax, dots, page)
    inside(ax, dots, page, taken, anyway=True)


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


def _scaled(axis: Any, scale: Scale, chart: Chart) -> None:
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
