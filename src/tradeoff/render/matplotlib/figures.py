"""Whole figures: on axes of the user, or in files of their own."""

from __future__ import annotations

import math
import os
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tradeoff.errors import InputError, StorageError
from tradeoff.render.chart import Cells, Chart
from tradeoff.render.matplotlib.layers import DRAWERS, cells, scaled
from tradeoff.render.matplotlib.placement import box, inside, occupied, outside, texts
from tradeoff.render.matplotlib.style import TAG, label, shown, styled

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
        with settled(figure):
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
    with settled(figure):
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
    with settled(figure):
        handles, _ = ax.get_legend_handles_labels()
        if len(handles) > MANY and not small:
            outside(ax, fixed=fixed)
    with settled(figure):
        dots, page = occupied(chart, ax), box(ax.bbox)
        taken = texts(chart, ax, dots, page)
        if ax.get_legend() is None and not inside(ax, dots, page, taken, anyway=small):
            outside(ax, fixed=fixed)


@contextmanager
def settled(figure: Any) -> Iterator[None]:
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
    scaled(ax.xaxis, chart.x, chart)
    scaled(ax.yaxis, chart.y, chart)
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
