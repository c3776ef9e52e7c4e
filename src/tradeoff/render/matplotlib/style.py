"""Colours, line styles and fonts, and texts that are shown as they are.

Colours are those of Okabe and Ito (2008), which people with any colour vision can tell apart; line
styles differ as well, for grey print.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tradeoff.text import plain

if TYPE_CHECKING:
    from tradeoff.render.chart import Role

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (7, 2, 1.5, 2)), (0, (1.5, 1.2)), (0, (10, 2)))
GREY, DARK = "#8A8A8A", "#3C3C3C"
ROLES: dict[str, dict[str, Any]] = {
    "fold": {"color": "#A8A8A8", "linewidth": 0.7, "zorder": 1.8},
    "average": {"linewidth": 2.2},
    "chance": {"color": GREY, "linewidth": 1.0, "linestyle": (0, (4, 3)), "zorder": 1.5},
    "ideal": {"color": GREY, "linewidth": 1.0, "linestyle": (0, (1, 2)), "zorder": 1.5},
    "hull": {"linewidth": 1.2, "linestyle": (0, (8, 1.5)), "zorder": 2.4},
    "iso": {"linewidth": 0.9, "linestyle": (0, (3, 2, 1, 2, 1, 2)), "zorder": 1.6},
    "mark": {"linewidth": 1.2, "zorder": 3},
}
"""How each role is drawn; models and averages have the colour and style of their order."""
STYLE = {
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
    "text.parse_math": True,  # `_shown` escapes what would be read as mathematics
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
}
FONTS = ("font.family", "font.serif", "font.sans-serif", "font.monospace")
TAG = "tradeoff:"
"""What the names of our own artists begin with."""


@contextmanager
def styled() -> Iterator[None]:
    """Our own style with the user's fonts; all settings are as before when it ends."""
    import matplotlib as mpl
    from matplotlib import style

    fonts = {name: mpl.rcParams[name] for name in FONTS}  # type: ignore[index]
    with style.context(["default", {**STYLE, **fonts}]):
        yield


def ink(ax: Any) -> Any:
    """The colour of writing on these axes, which may be dark ones."""
    own = ax.xaxis.label.get_color()
    return DARK if own in {"black", "k", "#000000"} else own


def coloured(role: Role, order: int, ax: Any) -> dict[str, Any]:
    """The colour and style of a line."""
    own = {"color": COLOURS[order % len(COLOURS)], "linestyle": STYLES[order % len(STYLES)]}
    if role in {"mark", "hull", "iso"}:
        own["color"] = ink(ax)
    return {**own, **ROLES.get(role, {})}


def label(text: str) -> str:
    """A legend entry: matplotlib would hide one that begins with an underscore."""
    clean = shown(text)
    if not clean:
        return "_nolegend_"
    return f" {clean}" if clean.startswith("_") else clean


def shown(text: str) -> str:
    """A text as text: no mathematics, and a box for each character that no font has."""
    known = _glyphs()
    clean = plain(text, 400)
    whole = "".join(c if ord(c) in known or c.isspace() else "\N{WHITE SQUARE}" for c in clean)
    return whole.replace("$", r"\$")


def _glyphs() -> frozenset[int]:
    import matplotlib as mpl

    return _glyphs_of(tuple(mpl.rcParams["font.family"]), tuple(mpl.rcParams["font.sans-serif"]))


@lru_cache
def _glyphs_of(families: tuple[str, ...], _: tuple[str, ...]) -> frozenset[int]:
    """The characters of the fonts in use; the second names decide what "sans-serif" is."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found: set[int] = set()
    for family in families:
        found |= set(get_font(findfont(FontProperties(family=[family]))).get_charmap())
    return frozenset(found)
