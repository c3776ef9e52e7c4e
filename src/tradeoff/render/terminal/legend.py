"""Legend of a text chart, and pens that distinguish its layers even without colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tradeoff.render.chart import Bars, Cells, Layer, Line, Points, Ribbon, is_guide
from tradeoff.render.terminal.canvas import Pen
from tradeoff.text_layout import display_width, pad_cell

if TYPE_CHECKING:
    from tradeoff.render.terminal.draw import Style

MAX_MODELS = 6
"""Maximum number of models in a text chart; the others are only counted."""

PALETTE = (32, 166, 36, 175, 178, 74)
"""The Okabe–Ito palette for colour-blind readers, approximated in 256 terminal colours.

It has the order of the matplotlib charts, and is readable on black and on white.
"""

GREY = 244
_MODEL_ROLES = {"model", "average", "positive", "negative"}
_LINE_CHARACTERS = "*o+x#%"
LETTERS = "abcdef"
_REFERENCE_PENS = {
    "fold": Pen("'", (2, 1), GREY),
    "chance": Pen(".", (4, 1), GREY),
    "ideal": Pen(",", (6, 3), GREY),
    "hull": Pen("~", (4, 2), GREY),
    "iso": Pen("=", (8, 5), GREY),
    "mark": Pen("|"),
    "point": Pen("|"),
}

PenKey = tuple[str, int, str]


@dataclass(frozen=True)
class LegendEntry:
    """Entry of the legend: a sample of the drawing, and its label."""

    sample: str
    text: str
    colour: int | None = None


@dataclass(frozen=True)
class Pens:
    """Pens of the models that are drawn, in order, and the number of models left out."""

    keys: tuple[PenKey, ...]
    hidden_count: int = 0

    @classmethod
    def from_layers(cls, layers: Sequence[Layer]) -> Pens:
        """Assign pens to lines and bars first; other layers share the pen of their model."""
        keys: dict[PenKey, None] = {}
        for layer in layers:
            if isinstance(layer, Line | Bars) and layer.role in _MODEL_ROLES:
                keys[layer.role, layer.order, layer.label] = None
        for layer in layers:
            if (
                not isinstance(layer, Cells)
                and layer.role in _MODEL_ROLES
                and not _find_key(layer, keys)
            ):
                keys[layer.role, layer.order, layer.label] = None
        visible = tuple(sorted(keys, key=lambda key: key[1]))[:MAX_MODELS]
        hidden_count = len(keys) - len(visible)
        if hidden_count:  # with so many models the lines of folds are left out too
            hidden_count += sum(
                isinstance(layer, Line) and layer.role == "fold" for layer in layers
            )
        return cls(visible, hidden_count)

    def key(self, layer: Layer) -> PenKey | None:
        """Key of the model that a layer belongs to, if that model is drawn."""
        return None if isinstance(layer, Cells) else _find_key(layer, self.keys)

    def pen(self, layer: Layer) -> Pen | None:
        """Pen of a layer; None if it belongs to a model that is left out."""
        if isinstance(layer, Cells):
            return None
        if layer.role not in _MODEL_ROLES:
            return (
                None if layer.role == "fold" and self.hidden_count else _REFERENCE_PENS[layer.role]
            )
        key = self.key(layer)
        return None if key is None else self.model_pen(self.keys.index(key))

    def model_pen(self, i: int) -> Pen:
        """Pen of a model by its index among those drawn."""
        letter = LETTERS[i] if len(self.keys) > 1 else ""
        return Pen(_LINE_CHARACTERS[i], colour=PALETTE[i], letter=letter)


def _find_key(layer: Layer, keys: Sequence[PenKey] | dict[PenKey, None]) -> PenKey | None:
    if isinstance(layer, Cells):
        return None
    layer_key = (layer.role, layer.order, layer.label)
    if layer_key in keys or isinstance(layer, Line | Bars):
        return layer_key if layer_key in keys else None
    return next((key for key in keys if key[:2] == layer_key[:2]), None)


def legend_entries(layers: Sequence[Layer], pens: Pens, style: Style) -> list[LegendEntry]:
    """Legend entries of the drawn layers: models first, then reference lines."""
    entries: dict[LegendEntry, None] = {}
    for is_model_line in (True, False):
        for layer in layers:
            pen = pens.pen(layer)
            if isinstance(layer, Cells | Points) or pen is None or not layer.label:
                continue
            if (isinstance(layer, Line) and layer.role in _MODEL_ROLES) is is_model_line:
                entries[LegendEntry(_sample(layer, pen, style), layer.label, pen.colour)] = None
    if pens.hidden_count:
        entries[LegendEntry("", f"and {pens.hidden_count:,} more")] = None
    return list(entries)


def _sample(layer: Layer, pen: Pen, style: Style) -> str:
    if is_guide(layer):
        return "|" if style.ascii_only else "│"
    if isinstance(layer, Ribbon):
        return ":::" if style.ascii_only else "⠄⠄⠄"
    if isinstance(layer, Bars):
        return "#" if style.ascii_only else "█"
    return pen.stroke(style)


def legend_lines(entries: Sequence[LegendEntry], style: Style, width: int) -> list[str]:
    """Lines of text of the legend, at most `width` columns wide."""
    indent = max((display_width(entry.sample) for entry in entries), default=0) + 2
    lines = []
    for entry in entries:
        text = style.displayable_text(entry.text, 200)
        first, *more = style.wrap(text, width - indent) or [""]
        sample = style.colour_text(pad_cell(entry.sample, indent), entry.colour)
        lines += [sample + first, *(" " * indent + line for line in more[:2])]
    return lines
