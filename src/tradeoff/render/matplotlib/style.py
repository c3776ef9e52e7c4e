"""Colours, line styles and fonts of matplotlib charts, and text escaped for matplotlib.

The colours are those of Okabe and Ito (2008), distinguishable with any colour vision; line styles
differ as well, for greyscale print.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tradeoff.formatting import printable

if TYPE_CHECKING:
    from tradeoff.render.chart import Role

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINE_STYLES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (7, 2, 1.5, 2)),
    (0, (1.5, 1.2)),
    (0, (10, 2)),
)
GREY, DARK_GREY = "#8A8A8A", "#3C3C3C"
ROLE_STYLES: dict[str, dict[str, Any]] = {
    "fold": {"color": "#A8A8A8", "linewidth": 0.7, "zorder": 1.8},
    "average": {"linewidth": 2.2},
    "chance": {"color": GREY, "linewidth": 1.0, "linestyle": (0, (4, 3)), "zorder": 1.5},
    "ideal": {"color": GREY, "linewidth": 1.0, "linestyle": (0, (1, 2)), "zorder": 1.5},
    "hull": {"linewidth": 1.2, "linestyle": (0, (8, 1.5)), "zorder": 2.4},
    "iso": {"linewidth": 0.9, "linestyle": (0, (3, 2, 1, 2, 1, 2)), "zorder": 1.6},
    "mark": {"linewidth": 1.2, "zorder": 3},
}
"""Line style of each role; models and averages have the colour and style of their index."""
RC_PARAMS = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 9.5,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "legend.fontsize": 8.5,
    "legend.framealpha": 0.85,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.7,
    "pdf.fonttype": 42,
    "svg.hashsalt": "tradeoff",
    "text.parse_math": True,  # `escape_for_matplotlib` escapes dollar signs
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
}
FONT_SETTINGS = ("font.family", "font.serif", "font.sans-serif", "font.monospace")
GID_PREFIX = "tradeoff:"
"""Prefix of the group ids of the artists drawn here."""


@contextmanager
def chart_style() -> Iterator[None]:
    """Context manager: the chart style with the user's fonts; all settings are restored on exit."""
    import matplotlib as mpl
    from matplotlib import style

    fonts = {name: mpl.rcParams[name] for name in FONT_SETTINGS}  # type: ignore[index]
    with style.context(["default", {**RC_PARAMS, **fonts}]):
        yield


def text_colour(ax: Any) -> Any:
    """Text colour of the axes, which may have a dark background."""
    colour = ax.xaxis.label.get_color()
    return DARK_GREY if colour in {"black", "k", "#000000"} else colour


def line_style(role: Role, order: int, ax: Any) -> dict[str, Any]:
    """Colour, width and dashes of a line, by its role and the order of its model."""
    style = {
        "color": COLOURS[order % len(COLOURS)],
        "linestyle": LINE_STYLES[order % len(LINE_STYLES)],
    }
    if role in {"mark", "hull", "iso"}:
        style["color"] = text_colour(ax)
    return {**style, **ROLE_STYLES.get(role, {})}


def legend_label(text: str) -> str:
    """Label of a legend entry, shown by matplotlib even if it begins with an underscore."""
    label = escape_for_matplotlib(text)
    if not label:
        return "_nolegend_"
    return f" {label}" if label.startswith("_") else label


def escape_for_matplotlib(text: str) -> str:
    """Escape text for matplotlib: no math mode, and a box for each character that no font has."""
    glyphs = _available_glyphs()
    label = printable(text, 400)
    visible = "".join(c if ord(c) in glyphs or c.isspace() else "\N{WHITE SQUARE}" for c in label)
    return visible.replace("$", r"\$")


def _available_glyphs() -> frozenset[int]:
    import matplotlib as mpl

    return _font_glyphs(tuple(mpl.rcParams["font.family"]), tuple(mpl.rcParams["font.sans-serif"]))


@lru_cache
def _font_glyphs(families: tuple[str, ...], _: tuple[str, ...]) -> frozenset[int]:
    """Code points in the fonts; the second argument, the "sans-serif" fonts, is a cache key."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    glyphs: set[int] = set()
    for family in families:
        glyphs |= set(get_font(findfont(FontProperties(family=[family]))).get_charmap())
    return frozenset(glyphs)
