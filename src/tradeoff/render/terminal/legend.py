"""Which pen draws which layer, so that models differ without colour, and the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tradeoff.render.chart import Bars, Cells, Layer, Line, Points, Ribbon
from tradeoff.render.terminal.canvas import Pen
from tradeoff.text import padded, width_of

if TYPE_CHECKING:
    from tradeoff.render.terminal.draw import Style

MOST = 6
"""More models than this are a tangle: the rest is counted, not drawn."""

PALETTE = (32, 166, 36, 175, 178, 74)
"""Okabe and Ito's colours, which the colour-blind tell apart, as near as 256 colours come.

In the order of the pictures; each is light enough for black and dark enough for white.
"""

GREY = 244
_MAIN = {"model", "average", "positive", "negative"}
_CHARACTERS = "*o+x#%"
LETTERS = "abcdef"
_ASIDE = {
    "fold": Pen("'", (2, 1), GREY),
    "chance": Pen(".", (4, 1), GREY),
    "ideal": Pen(",", (6, 3), GREY),
    "hull": Pen("~", (4, 2), GREY),
    "iso": Pen("=", (8, 5), GREY),
    "mark": Pen("|"),
}

Key = tuple[str, int, str]


@dataclass(frozen=True)
class Entry:
    """A line of the legend: a piece of the drawing and what it is."""

    sample: str
    text: str
    colour: int | None = None


@dataclass(frozen=True)
class Pens:
    """The models that are drawn, in order, and how many are not."""

    keys: tuple[Key, ...]
    hidden: int = 0

    @classmethod
    def of(cls, layers: Sequence[Layer]) -> Pens:
        """Pens for all layers: lines and bars come first, other layers go with their models."""
        keys: dict[Key, None] = {}
        for layer in layers:
            if isinstance(layer, Line | Bars) and layer.role in _MAIN:
                keys[layer.role, layer.order, layer.label] = None
        for layer in layers:
            if not isinstance(layer, Cells) and layer.role in _MAIN and not _match(layer, keys):
                keys[layer.role, layer.order, layer.label] = None
        drawn = tuple(sorted(keys, key=lambda key: key[1]))[:MOST]
        hidden = len(keys) - len(drawn)
        if hidden:  # beside so many models thin lines are further models
            hidden += sum(isinstance(layer, Line) and layer.role == "fold" for layer in layers)
        return cls(drawn, hidden)

    def key(self, layer: Layer) -> Key | None:
        """The model that a layer belongs to, if that model is drawn."""
        return None if isinstance(layer, Cells) else _match(layer, self.keys)

    def pen(self, layer: Layer) -> Pen | None:
        """How to draw a layer; None if it belongs to a model that is left out."""
        if isinstance(layer, Cells):
            return None
        if layer.role not in _MAIN:
            return None if layer.role == "fold" and self.hidden else _ASIDE[layer.role]
        key = self.key(layer)
        return None if key is None else self.model(self.keys.index(key))

    def model(self, at: int) -> Pen:
        """The pen of a model by its place among those drawn."""
        letter = LETTERS[at] if len(self.keys) > 1 else ""
        return Pen(_CHARACTERS[at], colour=PALETTE[at], letter=letter)


def _match(layer: Layer, keys: Sequence[Key] | dict[Key, None]) -> Key | None:
    if isinstance(layer, Cells):
        return None
    own = (layer.role, layer.order, layer.label)
    if own in keys or isinstance(layer, Line | Bars):
        return own if own in keys else None
    return next((key for key in keys if key[:2] == own[:2]), None)


def legend(layers: Sequence[Layer], pens: Pens, style: Style) -> list[Entry]:
    """What the drawn layers are called: models first, then what stands beside them."""
    entries: dict[Entry, None] = {}
    for wanted in (True, False):
        for layer in layers:
            pen = pens.pen(layer)
            if isinstance(layer, Cells | Points) or pen is None or not layer.label:
                continue
            if (isinstance(layer, Line) and layer.role in _MAIN) is wanted:
                entries[Entry(_sample(layer, pen, style), layer.label, pen.colour)] = None
    if pens.hidden:
        entries[Entry("", f"and {pens.hidden:,} more")] = None
    return list(entries)


def _sample(layer: Layer, pen: Pen, style: Style) -> str:
    if is_guide(layer):
        return "|" if style.ascii_only else "│"
    if isinstance(layer, Ribbon):
        return ":::" if style.ascii_only else "⠄⠄⠄"
    if isinstance(layer, Bars):
        return "#" if style.ascii_only else "█"
    return pen.stroke(style)


def is_guide(layer: Layer) -> bool:
    """Whether a layer is an upright line that marks a value, such as a threshold."""
    if not isinstance(layer, Line) or layer.role != "mark" or not len(layer.x):
        return False
    return bool((layer.x == layer.x[0]).all())


def legend_lines(entries: Sequence[Entry], style: Style, width: int) -> list[str]:
    """The legend as lines of at most a width."""
    indent = max((width_of(entry.sample) for entry in entries), default=0) + 2
    lines = []
    for entry in entries:
        text = style.shown(entry.text, 200)
        first, *more = style.wrapped(text, width - indent) or [""]
        sample = style.painted(padded(entry.sample, indent), entry.colour)
        lines += [sample + first, *(" " * indent + line for line in more[:2])]
    return lines
