"""Charts drawn with matplotlib, layer by layer: on given axes, in new figures or in files."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from tradeoff.errors import InputError, StorageError, extra_required
from tradeoff.render.chart import Bars, Cells, Chart, Intervals, Layer, Line, Points, Ribbon, Scale
from tradeoff.render.matplotlib.placement import (
    LegendEntries,
    Occupancy,
    annotate_points,
    label_lines,
    place_legend_below,
    place_legend_inside,
    place_legend_outside,
    remove_labels,
)
from tradeoff.render.matplotlib.style import (
    DARK_GREY,
    GID_PREFIX,
    GREY,
    ChartStyle,
    apply_style,
    escape_for_matplotlib,
    find_style,
    legend_label,
    text_colour,
)
from tradeoff.render.matplotlib.wrapping import (
    balanced_lines,
    set_wrapped_sentences,
    set_wrapped_text,
)
from tradeoff.results import ChartStyleName

PICTURE_FORMATS = ("png", "svg", "pdf")
OMITTED_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""Metadata left out of files, so that the same chart gives the same file."""
MIN_INCHES_WITH_CAPTION = 4.0
"""Figures of a given size smaller than this have no room for a caption or a legend beside axes."""
MIN_CELLS_WIDTH = 3.6
"""Minimum width in inches of a figure of cells, whose title and caption need room."""
MAX_LEGEND_ENTRIES_INSIDE = 6
"""A legend with more entries is placed beside the axes."""


def draw_chart(chart: Chart, ax: Any = None, style: ChartStyleName = "default") -> Any:
    """Draw a chart with matplotlib.

    Args:
        chart: The chart.
        ax: Axes to draw on; a new pyplot figure by default. On axes that already hold
            a chart, models are added in further colours.
        style: "default", or "paper": grey, and one column wide.

    Returns:
        The axes.
    """
    _require_matplotlib()
    chart_style = find_style(style)
    with apply_style(chart_style):
        if ax is not None:
            if not hasattr(ax, "set_xlabel"):
                raise InputError(f"`ax` must be matplotlib axes, not {ax!r}.")
            remove_labels(ax)
            earlier_models = _draw_layers(chart, ax, chart_style)
            _annotate_shared_axes(chart, ax, chart_style, earlier_models)
            return ax
        from matplotlib import pyplot as plt

        figure = plt.figure(figsize=_figure_size(chart, chart_style), layout="constrained")
        _draw_single_chart(chart, figure, chart_style)
        return figure.axes[0]


def save_charts(
    charts: Chart | Sequence[Chart],
    path: str | os.PathLike[str],
    *,
    size: tuple[float, float] | None = None,
    dpi: float | None = None,
    style: ChartStyleName = "default",
) -> None:
    """Save one chart, or several in a grid, as PNG, SVG or PDF, by the file's suffix.

    No display is needed, pyplot is not used, and the file is written atomically.

    Args:
        charts: One chart, or several.
        path: File to write.
        size: Width and height in inches; by default, a size that suits the charts.
        dpi: Resolution of a PNG file; by default 150, in the style "paper" 600.
        style: "default", or "paper": grey, and one column wide.
    """
    suffix = require_picture_format(path)
    chart_style = find_style(style)
    chart_list = [charts] if isinstance(charts, Chart) else list(charts)
    if not chart_list:
        raise InputError("There is no chart to save: give at least one.")
    if size is not None and not all(0.5 <= side <= 200 for side in size):
        raise InputError(f"Width and height must be 0.5 to 200 inches, not {size}.")
    from tradeoff.files.atomic_write import write_atomically

    with apply_style(chart_style):
        figure = _figure(chart_list, size, chart_style)
        with _stable_layout(figure):
            write_atomically(
                path,
                lambda file: figure.savefig(
                    file,
                    format=suffix,
                    dpi=chart_style.dpi if dpi is None else dpi,
                    metadata=OMITTED_METADATA[suffix],
                ),
            )


def _figure(charts: Sequence[Chart], size: tuple[float, float] | None, style: ChartStyle) -> Any:
    """Figure without a window: one chart with its caption, or several in a grid."""
    from matplotlib.figure import Figure

    columns = math.ceil(math.sqrt(len(charts)))
    rows = math.ceil(len(charts) / columns)
    sizes = [_figure_size(chart, style) for chart in charts]
    default_size = (
        columns * max(inches[0] for inches in sizes),
        rows * max(inches[1] for inches in sizes),
    )
    figure = Figure(figsize=size or default_size, layout="constrained")
    if len(charts) == 1:
        _draw_single_chart(charts[0], figure, style, has_given_size=size is not None)
        return figure
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for chart, ax in zip(charts, grid, strict=False):
        _draw_layers(chart, ax, style)
    for ax in grid[len(charts) :]:
        ax.remove()
    with _stable_layout(figure):
        for chart, ax in zip(charts, grid, strict=False):
            _annotate_shared_axes(chart, ax, style)
    return figure


def require_picture_format(path: str | os.PathLike[str]) -> str:
    """Format of a picture file from its suffix; raises early if it cannot be written.

    Example:
        >>> require_picture_format("roc.png")
        'png'
        >>> require_picture_format("roc.gif")
        Traceback (most recent call last):
        tradeoff.errors.InputError: roc.gif ends in .gif: save a picture as .png, .svg or .pdf.
    """
    _require_matplotlib()
    suffix = Path(path).suffix.lower().removeprefix(".")
    if Path(path).is_dir():
        raise StorageError(f"{path} is a directory: name a file, such as {Path(path) / 'roc.png'}.")
    if suffix not in PICTURE_FORMATS:
        ending = f"ends in .{suffix}" if suffix else "has no suffix"
        raise InputError(f"{path} {ending}: save a picture as .png, .svg or .pdf.")
    return suffix


def _require_matplotlib() -> None:
    with extra_required("A picture"):
        import matplotlib as mpl  # noqa: F401


def _figure_size(chart: Chart, style: ChartStyle) -> tuple[float, float]:
    """Figure size in inches."""
    width, height = _natural_size(chart)
    if style.column_width is None:
        return width, height
    if chart.y.names and not _has_cells(chart):
        return style.column_width, 0.7 * height
    if chart.square and not _has_cells(chart):
        return style.column_width, 0.95 * style.column_width  # without a title and a caption
    return style.column_width, max(style.column_width * height / width, 1.5)


def _has_cells(chart: Chart) -> bool:
    return any(isinstance(layer, Cells) for layer in chart.layers)


def _natural_size(chart: Chart) -> tuple[float, float]:
    """Figure size in inches that suits the content of a chart."""
    if _has_cells(chart):
        columns, rows = len(chart.x.names), len(chart.y.names)
        left, bottom = (0.07 * max(map(len, side.names)) for side in (chart.y, chart.x))
        bottom = bottom if bottom > 0.8 else 0.1  # such names are rotated
        width = min(1.6 + left + 0.9 * columns, 11.0)
        return max(width, MIN_CELLS_WIDTH), min(1.6 + bottom + 0.7 * rows, 10.0)
    if chart.y.names:
        return 6.4, min(1.6 + 0.32 * len(chart.y.names), 14.0)
    return (5.4, 5.6) if chart.square else (6.6, 4.6)


def _draw_single_chart(
    chart: Chart, figure: Any, style: ChartStyle, *, has_given_size: bool = False
) -> None:
    """Draw one chart on a figure: labels beside its lines or a legend, and a caption below."""
    ax = figure.subplots()
    _draw_layers(chart, ax, style)
    is_small = has_given_size and min(figure.get_size_inches()) < MIN_INCHES_WITH_CAPTION
    if not style.has_title:
        ax.set_title("")
    elif chart.caption and not is_small:
        caption = figure.supxlabel("", fontsize=8, color="#555555", x=0.02, ha="left")
        set_wrapped_sentences(caption, chart.caption, 0.93 * figure.bbox.width)
    with _stable_layout(figure):
        if style.has_title:
            _set_title(chart, ax, figure.bbox.width - ax.bbox.x0 - TITLE_MARGIN)
    with _stable_layout(figure):
        drawn = Occupancy.of(ax)
        boxes = annotate_points(chart, ax, drawn, style)
        labels = label_lines(ax, drawn, boxes, style, chart.legend_title)
        entries = LegendEntries.of(ax, labels.keys(), chart.legend_title)
        has_room = len(entries) <= MAX_LEGEND_ENTRIES_INSIDE or is_small
        if has_room and place_legend_inside(
            ax, entries, drawn, [*boxes, *chain(*labels.values())], force=is_small
        ):
            return
    remove_labels(ax)
    entries = LegendEntries.of(ax, title=chart.legend_title)
    if style.column_width is None:
        place_legend_outside(ax, entries, has_fixed_size=has_given_size)
    else:
        place_legend_below(ax, entries)
    with _stable_layout(figure):
        annotate_points(chart, ax, Occupancy.of(ax), style)


@contextmanager
def _stable_layout(figure: Any) -> Iterator[None]:
    """Context in which the layout is final, so that extents can be measured."""
    with warnings.catch_warnings():
        # A figure too small for its labels is still drawn.
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        figure.draw_without_rendering()
        yield


CHARACTERS_PER_INCH = 147.0
"""Characters that fit on an inch in a font of one point; less in proportion in larger ones."""
TITLE_MARGIN = 4.0
"""Space between a title and the edge of its figure in pixels."""


def _set_title(chart: Chart, ax: Any, width: float) -> None:
    set_wrapped_text(ax.set_title(""), chart.title, max(width, 1.0))


def _draw_layers(chart: Chart, ax: Any, style: ChartStyle) -> int:
    """Draw the layers of a chart; return how many models were on the axes before."""
    if chart.square and not chart.x.names:
        ax.set_box_aspect(1)
    _set_up_axis(ax.xaxis, chart.x, chart)
    _set_up_axis(ax.yaxis, chart.y, chart)
    _set_title(chart, ax, ax.bbox.width)
    labels = {
        artist.get_label()
        for artist in ax.get_children()
        if (artist.get_gid() or "").startswith(GID_PREFIX)
    }
    earlier_model_count: int = sum(
        (artist.get_gid() or "").startswith(f"{GID_PREFIX}model") for artist in ax.lines
    )
    for layer in chart.layers:
        if isinstance(layer, Cells):
            _draw_cells(layer, chart, ax, style)
        elif layer.role not in {"chance", "ideal"} or legend_label(layer.label) not in labels:
            DRAW_FUNCTIONS[type(layer)](layer, ax, layer.order + earlier_model_count, style)
    return earlier_model_count


def _annotate_shared_axes(
    chart: Chart, ax: Any, style: ChartStyle, earlier_models: int = 0
) -> None:
    """Annotate axes and add a legend inside them, as the figure must not be resized."""
    drawn = Occupancy.of(ax)
    boxes = annotate_points(chart, ax, drawn, style, earlier_models)
    entries = LegendEntries.of(ax, title=chart.legend_title)
    place_legend_inside(ax, entries, drawn, boxes, force=True)


def _draw_line(layer: Line, ax: Any, order: int, style: ChartStyle) -> None:
    options = {
        "drawstyle": "steps-post" if layer.steps else "default",
        "label": legend_label(layer.label),
        "gid": f"{GID_PREFIX}{layer.role}:{order}",
    }
    ax.plot(layer.x, layer.y, **style.line(layer.role, order, ax), **options)


def _draw_ribbon(layer: Ribbon, ax: Any, order: int, style: ChartStyle) -> None:
    colour = GREY if layer.role == "mark" else style.colour(order)
    ax.fill_between(
        layer.x,
        layer.low,
        layer.high,
        alpha=0.18,
        color=colour,
        linewidth=0,
        label=legend_label(layer.label),
        gid=f"{GID_PREFIX}band:{order}",
        zorder=1.4,
    )


def _draw_points(layer: Points, ax: Any, order: int, style: ChartStyle) -> None:
    colour = text_colour(ax) if layer.role == "hull" else style.colour(order)
    if layer.role == "iso":
        return  # annotations only
    has_small_markers = layer.role == "hull" or len(layer.x) > 12
    ax.plot(
        layer.x,
        layer.y,
        linestyle="none",
        color=colour,
        marker="o",
        markersize=(4 if has_small_markers else 6.5) * style.line_scale,
        markerfacecolor=ax.get_facecolor(),
        markeredgecolor=colour,
        markeredgewidth=(1.2 if has_small_markers else 1.8) * style.line_scale,
        label=legend_label("" if layer.is_annotated else layer.label),
        gid=f"{GID_PREFIX}points:{order}",
        clip_on=False,
        zorder=4,
    )


def _draw_bars(layer: Bars, ax: Any, order: int, style: ChartStyle) -> None:
    options = {"label": legend_label(layer.label), "gid": f"{GID_PREFIX}{layer.role}:{order}"}
    if layer.role == "model":
        width = np.diff(layer.edges)
        colour = style.colour(order)
        ax.bar(
            layer.edges[:-1],
            layer.heights,
            width,
            align="edge",
            ec="white",
            fc=colour,
            zorder=1.2,
            **options,
        )
        return
    colour = style.class_colours[layer.role]
    hatch = "////" if layer.role == "positive" else None
    ax.stairs(
        layer.heights,
        layer.edges,
        fill=True,
        alpha=0.35,
        fc=colour,
        ec=colour,
        hatch=hatch,
        **options,
    )
    ax.stairs(layer.heights, layer.edges, color=colour, linewidth=1.5, label="_outline")


def _draw_intervals(layer: Intervals, ax: Any, order: int, style: ChartStyle) -> None:
    colour = style.colour(order)
    positions = np.arange(len(layer.values))
    has_interval = np.isfinite(layer.low) & np.isfinite(layer.high)
    ax.hlines(
        positions[has_interval],
        layer.low[has_interval],
        layer.high[has_interval],
        colors=colour,
        linewidth=1.6,
    )
    options = {"label": legend_label(layer.label), "gid": f"{GID_PREFIX}{layer.role}:{order}"}
    ax.plot(
        layer.values, positions, linestyle="none", marker="s", markersize=5, color=colour, **options
    )
    for position, text in zip(positions, layer.texts, strict=False):
        ax.annotate(
            escape_for_matplotlib(text),
            (1, position),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=style.annotation_size,
            color=text_colour(ax),
            annotation_clip=False,
        )


DRAW_FUNCTIONS: dict[type[Layer], Callable[[Any, Any, int, ChartStyle], None]] = {
    Line: _draw_line,
    Ribbon: _draw_ribbon,
    Points: _draw_points,
    Bars: _draw_bars,
    Intervals: _draw_intervals,
}


def _draw_cells(layer: Cells, chart: Chart, ax: Any, style: ChartStyle) -> None:
    """Draw a table of shaded cells, each with its label."""
    from matplotlib import colormaps

    rows, columns = layer.shares.shape
    shades = colormaps[style.colormap].with_extremes(bad="#F2F2F2")
    aspect = "equal" if chart.square else "auto"
    image = ax.imshow(layer.shares, cmap=shades, vmin=0, vmax=1.15, aspect=aspect)
    image.set_gid(f"{GID_PREFIX}cells")
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(length=0)
    if max(columns, rows) <= 20:
        ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
        ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
        ax.grid(visible=True, which="minor", color="white", linewidth=2)
        ax.tick_params(which="minor", length=0)
    inches = min(ax.bbox.width / columns, ax.bbox.height / rows) / ax.figure.dpi
    max_length = max((len(t.partition(" (")[0]) for line in layer.texts for t in line), default=1)
    size = float(np.clip(72 * inches / (0.62 * max(max_length + 1, 4)), 3, 10))
    for (i, j), share in np.ndenumerate(layer.shares):
        if text := layer.texts[i][j]:
            colour = "white" if share > 0.6 else DARK_GREY
            lines = escape_for_matplotlib(text).replace(" (", "\n(")
            ax.text(j, i, lines, ha="center", va="center", color=colour, fontsize=size)


QUANTILE_TICKS = (1e-5, 1e-4, 0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99)


def _set_up_axis(axis: Any, scale: Scale, chart: Chart) -> None:
    """Set the scale, limits, ticks and label of an axis."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    name = axis.axis_name
    ax = axis.axes
    set_limits = ax.set_xlim if name == "x" else ax.set_ylim
    set_scale = ax.set_xscale if name == "x" else ax.set_yscale
    inches = (ax.bbox.width if name == "x" else ax.bbox.height) / ax.figure.dpi
    characters = CHARACTERS_PER_INCH / axis.label.get_fontsize()
    axis.set_label_text(balanced_lines(scale.label, max(int(characters * inches), 20)))
    if scale.kind == "names":
        _set_up_categories(axis, scale)
        return
    width = scale.high - scale.low
    pad = 0.0 if any(isinstance(layer, Bars) for layer in chart.layers) else 0.015 * width
    if scale.kind == "log":
        set_scale("log")
        set_limits(scale.low, scale.high)
        axis.set_major_formatter(FuncFormatter(_plain_label))
    elif scale.kind == "normal":
        from scipy.special import ndtr, ndtri

        set_scale("function", functions=(ndtri, ndtr))
        axis.set_major_locator(FixedLocator(_quantile_ticks(scale, inches, name)))
        axis.set_minor_locator(NullLocator())
        set_limits(scale.low, scale.high)
    else:
        set_limits(scale.low - pad, scale.high + pad)
    if scale.kind in {"share", "normal"}:
        axis.set_major_formatter(FuncFormatter(_percent_label))  # not a lambda: figures pickle


def _plain_label(value: float, _: int | None = None) -> str:
    """Tick label without an exponent for values that people read as such."""
    return f"{value:,.0f}" if 1000 <= value < 1e7 else f"{value:g}"


def _percent_label(value: float, _: int | None = None) -> str:
    """Tick label of a proportion in percent."""
    return f"{100 * value:g}%"


def _quantile_ticks(scale: Scale, inches: float, name: str) -> list[float]:
    """Tick positions on a normal quantile scale whose labels do not overlap."""
    from scipy.special import ndtri

    low, high = ndtri(scale.low), ndtri(scale.high)
    spacing = 0.4 if name == "x" else 0.22
    ticks: list[float] = []
    last_position = -np.inf
    for proportion in (p for p in QUANTILE_TICKS if scale.low <= p <= scale.high):
        position = inches * (ndtri(proportion) - low) / (high - low)
        if position - last_position >= spacing:
            ticks.append(proportion)
            last_position = position
    return ticks


def _set_up_categories(axis: Any, scale: Scale) -> None:
    """Show names along an axis, in a font small enough for all of them."""
    import matplotlib as mpl

    size = len(scale.names)
    ax = axis.axes
    names = [escape_for_matplotlib(name) for name in scale.names]
    length = (ax.bbox.width if axis.axis_name == "x" else ax.bbox.height) / ax.figure.dpi
    rc = mpl.rcParams
    max_size = float(rc["xtick.labelsize"] if axis.axis_name == "x" else rc["ytick.labelsize"])
    font_size = float(np.clip(72 * length / size * 0.6, 3.5, max_size))
    if axis.axis_name == "x":
        max_width = max(map(len, names)) * font_size * 0.6 / 72
        is_rotated = max_width > 0.95 * length / size
        ax.set_xticks(range(size), names, rotation=90 if is_rotated else 0, fontsize=font_size)
        ax.set_xlim(-0.5, size - 0.5)
    else:
        ax.set_yticks(range(size), names, fontsize=font_size)
        ax.set_ylim(size - 0.5, -0.5)  # the first name is the topmost
    axis.grid(visible=False)
