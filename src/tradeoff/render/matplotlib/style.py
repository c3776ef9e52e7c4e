"""Styles of matplotlib charts: colours, line styles, fonts and sizes; text escaped for matplotlib.

The colours of the default style are those of Okabe and Ito (2008), distinguishable with any colour
vision, and one more; line styles differ as well, for greyscale print. The style "paper" is one
column wide and grey: line styles alone tell models apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tradeoff.errors import UnknownName, did_you_mean, format_list
from tradeoff.formatting import printable

if TYPE_CHECKING:
    from tradeoff.render.chart import Role

DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (7, 2, 1.5, 2)),
    (0, (1.5, 1.2)),
    (0, (10, 2)),
)
GREY, DARK_GREY = "#8A8A8A", "#3C3C3C"
MIN_TEXT_CONTRAST = 4.5
"""Minimum contrast of text with its background, as in WCAG 2 (AA)."""
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
    "legend.title_fontsize": 8.5,
    "lines.linewidth": 1.7,
    "pdf.fonttype": 42,
    "svg.hashsalt": "tradeoff",
    "text.parse_math": True,  # `escape_for_matplotlib` escapes dollar signs
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
}
PAPER_RC_PARAMS = {
    **RC_PARAMS,
    "axes.grid": False,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.titlesize": 8,
    "hatch.linewidth": 0.4,
    "legend.borderpad": 0.3,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.8,
    "legend.labelspacing": 0.3,
    "legend.title_fontsize": 7,
    "lines.linewidth": 1.1,
    "xtick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 7,
    "ytick.major.width": 0.6,
}
FONT_SETTINGS = ("font.family", "font.serif", "font.sans-serif", "font.monospace")
GID_PREFIX = "tradeoff:"
"""Prefix of the group ids of the artists drawn here."""


@dataclass(frozen=True)
class ChartStyle:
    """How charts look: colours by the index of a model and by class, fonts and sizes.

    `column_width` fixes the width of figures in inches. A style for papers has no title and no
    caption, which the text around a figure gives.
    """

    colours: tuple[str, ...]
    class_colours: Mapping[str, str]
    colormap: str
    rc_params: Mapping[str, Any]
    annotation_size: float = 8.0
    line_scale: float = 1.0
    column_width: float | None = None
    has_title: bool = True
    dpi: float = 150
    dashes: tuple[Any, ...] = field(default=DASHES)

    def colour(self, order: int) -> str:
        """Colour of a model by its index."""
        return self.colours[order % len(self.colours)]

    def line(self, role: Role, order: int, ax: Any) -> dict[str, Any]:
        """Colour, width and dashes of a line, by its role and the index of its model."""
        style = {"color": self.colour(order), "linestyle": self.dashes[order % len(self.dashes)]}
        if role in {"mark", "hull", "iso"}:
            style["color"] = text_colour(ax)
        style |= ROLE_STYLES.get(role, {})
        if "linewidth" in style:
            style["linewidth"] *= self.line_scale
        return style


STYLES = {
    "default": ChartStyle(
        (
            *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
            "#882255",
        ),
        {"positive": "#5B3A8C", "negative": "#8896A5"},
        "Blues",
        RC_PARAMS,
    ),
    "paper": ChartStyle(
        ("#000000", "#6E6E6E"),
        {"positive": "#1A1A1A", "negative": "#9A9A9A"},
        "Greys",
        PAPER_RC_PARAMS,
        annotation_size=7.0,
        line_scale=0.65,
        column_width=3.3,
        has_title=False,
        dpi=600,
    ),
}
"""Styles by name. Two greys and five kinds of dashes give ten distinguishable lines."""


def find_style(name: str) -> ChartStyle:
    """Look up a style by its name.

    Example:
        >>> find_style("paper").column_width
        3.3
        >>> find_style("papr")
        Traceback (most recent call last):
        tradeoff.errors.UnknownName: No chart style is called 'papr'. Did you mean 'paper'? ...
    """
    if name not in STYLES:
        suggestion = did_you_mean(str(name), list(STYLES))
        raise UnknownName(
            f"No chart style is called {name!r}.{suggestion} Styles: {format_list(list(STYLES))}."
        )
    return STYLES[name]


@contextmanager
def apply_style(style: ChartStyle) -> Iterator[None]:
    """Context manager: a chart style with the user's fonts; all settings are restored on exit."""
    import matplotlib as mpl
    from matplotlib import style as mpl_style

    fonts = {name: mpl.rcParams[name] for name in FONT_SETTINGS}  # type: ignore[index]
    with mpl_style.context(["default", {**style.rc_params, **fonts}]):
        yield


def text_colour(ax: Any) -> Any:
    """Text colour of the axes, which may have a dark background."""
    colour = ax.xaxis.label.get_color()
    return DARK_GREY if colour in {"black", "k", "#000000"} else colour


def label_colour(colour: Any, background: Any) -> Any:
    """A line's colour, darkened until text in that colour can be read on a light background.

    Example:
        >>> label_colour("#0072B2", "white"), label_colour("#E69F00", "white")
        ('#0072b2', '#946600')
    """
    from matplotlib.colors import to_hex, to_rgb

    rgb, paper = to_rgb(colour), _luminance(to_rgb(background))
    while paper > 0.5 and (paper + 0.05) / (_luminance(rgb) + 0.05) < MIN_TEXT_CONTRAST:
        rgb = tuple(0.98 * channel for channel in rgb)  # type: ignore[assignment]
    return to_hex(rgb)


def _luminance(rgb: tuple[float, ...]) -> float:
    """Relative luminance of an sRGB colour."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


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
