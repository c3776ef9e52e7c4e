"""A field of characters on which layers are painted: braille dots (2 × 4 a character) or ASCII."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.presentation.terminal.dots import SOLID, Dash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.presentation.terminal.writing import Style

BRAILLE = 0x2800
# Bits of the eight dots of a braille character, by row and column.
_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BLOCKS = np.array(list(" ▁▂▃▄▅▆▇█"))
_STEPS = np.array(list(" ___#####"))


@dataclass(frozen=True)
class Pen:
    """How a layer looks: its character in ASCII, its dashes in dots, its colour, its letter."""

    character: str
    dash: Dash = SOLID
    colour: int | None = None
    letter: str = ""

    def dash_in(self, style: Style) -> Dash:
        """The dashes in dots; a character of ASCII is as wide as two of them."""
        return (-(-self.dash[0] // 2), -(-self.dash[1] // 2)) if style.ascii_only else self.dash

    def stroke(self, style: Style) -> str:
        """A short piece of the line, for the legend."""
        if self.letter and not style.ascii_only:
            return self.letter
        if style.ascii_only:
            return self.character * (1 if self.letter else 3)
        on = [at % self.dash[0] < self.dash[1] for at in range(6)]
        return "".join(
            chr(BRAILLE + 0x04 * left + 0x20 * right)
            for left, right in zip(on[::2], on[1::2], strict=True)
        ).replace(chr(BRAILLE), " ")


class Canvas:
    """Characters and their colours; what is painted later lies in front."""

    def __init__(self, width: int, height: int, style: Style) -> None:
        self.style = style
        self.width, self.height = width, height
        self.shape = (height, width) if style.ascii_only else (4 * height, 2 * width)
        self._dots = np.zeros(self.shape, np.bool_)
        self.glyphs = np.full((height, width), "", "<U1")
        self._colours = np.full((height, width), -1, np.intp)

    def paint(self, dots: NDArray[np.bool_], pen: Pen) -> None:
        """Dots of one layer."""
        if self.style.ascii_only:
            self.glyphs[dots] = pen.character
        self._dots |= dots
        self._colours[self.cells(dots)] = -1 if pen.colour is None else pen.colour

    def shade(self, dots: NDArray[np.bool_], pen: Pen) -> None:
        """A light tint: one dot a character, where a whole character is inside."""
        if self.style.ascii_only:
            self.paint(dots, pen)
            return
        sparse = np.zeros(self.shape, np.bool_)
        sparse[2::4, ::2] = True
        self.paint(dots & sparse, pen)

    def fill(self, heights: NDArray[np.float64], pen: Pen) -> None:
        """Bars from the floor, one for each column, 1 being the whole height."""
        eighths = np.rint(8 * self.height * np.clip(np.nan_to_num(heights), 0, 1))
        eighths = np.where((heights > 0) & (eighths == 0), 1, eighths)  # rare is not never
        below = 8 * np.arange(self.height)[::-1, np.newaxis]
        filled = np.clip(eighths - below, 0, 8).astype(np.intp)
        glyphs = (_STEPS if self.style.ascii_only else _BLOCKS)[filled]
        self.glyphs = np.where(filled > 0, glyphs, self.glyphs)
        self._colours[filled > 0] = -1 if pen.colour is None else pen.colour

    def put(self, row: int, column: int, glyph: str, colour: int | None) -> None:
        """One character."""
        self.glyphs[row, column] = glyph
        self._colours[row, column] = -1 if colour is None else colour

    def cells(self, dots: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The characters in which there are dots."""
        return np.asarray(self._apart(dots).any(axis=(2, 3)))

    def rows(self) -> list[str]:
        """The lines of text, from the top."""
        codes = BRAILLE + (self._apart(self._dots) * _BITS[: self._down, : self._across]).sum(
            axis=(2, 3)
        )
        lines = []
        for glyphs, own, colours in zip(self.glyphs, codes, self._colours, strict=True):
            text = [
                glyph or (" " if code == BRAILLE or self.style.ascii_only else chr(code))
                for glyph, code in zip(glyphs, own, strict=True)
            ]
            runs = groupby(zip(text, colours, strict=True), key=lambda cell: int(cell[1]))
            lines.append(
                "".join(
                    self.style.painted("".join(c for c, _ in run), None if colour < 0 else colour)
                    for colour, run in runs
                )
            )
        return lines

    @property
    def _down(self) -> int:
        return 1 if self.style.ascii_only else 4

    @property
    def _across(self) -> int:
        return 1 if self.style.ascii_only else 2

    def _apart(self, dots: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Dots by row and column of their character."""
        by_character = dots.reshape(self.height, self._down, self.width, self._across)
        return by_character.transpose(0, 2, 1, 3)
