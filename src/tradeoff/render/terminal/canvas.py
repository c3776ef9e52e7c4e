"""A canvas of characters or braille dots, and lines and ribbons drawn on it.

Places run from 0 to 1 on both sides; row 0 of the dots is the highest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tradeoff.render.terminal.draw import Style

    Numbers = NDArray[np.float64]
    Places = NDArray[np.intp]
    Dots = NDArray[np.bool_]

Dash = tuple[int, int]
"""Every how many dots a line begins anew, and how many of these are set."""

SOLID: Dash = (1, 1)
_AT_ONCE = 4_000_000


def line_dots(
    x: Numbers, y: Numbers, shape: tuple[int, int], *, steps: bool = False, dash: Dash = SOLID
) -> Dots:
    """The dots of a line through places; NaN breaks it, what lies outside is cut off.

    Example:
        >>> dots = line_dots(np.array([0.0, 1.0]), np.array([0.0, 1.0]), (3, 3))
        >>> dots.astype(int).tolist()
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    dots = np.zeros(shape, np.bool_)
    if steps and len(x) > 1:
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    x, y = _without_repeats(x, y, shape)
    known = ~(np.isnan(x) | np.isnan(y))
    joined = known[:-1] & known[1:]
    alone = known & ~np.append(joined, False) & ~np.append([False], joined)
    _set_points(dots, x[alone], y[alone])
    ends = np.array([x[:-1], y[:-1], x[1:], y[1:]])[:, joined]
    ends = _within(ends)
    across, down = shape[1] - 1, shape[0] - 1
    places = np.rint(ends * np.array([across, down, across, down])[:, np.newaxis]).astype(np.intp)
    places[1::2] = down - places[1::2]
    _set_segments(dots, places, dash)
    return dots


def ribbon_dots(x: Numbers, low: Numbers, high: Numbers, shape: tuple[int, int]) -> Dots:
    """The dots between two lines over the same x."""
    dots = np.zeros(shape, np.bool_)
    known = ~(np.isnan(x) | np.isnan(low) | np.isnan(high))
    if not known.any():
        return dots
    order = np.argsort(x[known], kind="stable")
    x, low, high = (side[known][order] for side in (x, low, high))
    columns = np.linspace(0, 1, shape[1])
    half = 0.5 / max(shape[1] - 1, 1)
    inside = (columns >= x[0] - half) & (columns <= x[-1] + half)
    rows = np.linspace(1, 0, shape[0])[:, np.newaxis]
    between = (rows >= np.interp(columns, x, low)) & (rows <= np.interp(columns, x, high))
    dots |= between & inside
    return dots


def _without_repeats(x: Numbers, y: Numbers, shape: tuple[int, int]) -> tuple[Numbers, Numbers]:
    """Of neighbouring points in one dot the first and the last suffice."""
    if len(x) < 3:
        return x, y
    column, row = np.rint(x * (shape[1] - 1)), np.rint(y * (shape[0] - 1))
    same = (column[1:] == column[:-1]) & (row[1:] == row[:-1])
    kept = np.append([True], ~same)
    return x[kept], y[kept]


def _set_points(dots: Dots, x: Numbers, y: Numbers) -> None:
    inside = (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)
    down, across = dots.shape[0] - 1, dots.shape[1] - 1
    rows = down - np.rint(y[inside] * down).astype(np.intp)
    dots[rows, np.rint(x[inside] * across).astype(np.intp)] = True


def _within(ends: Numbers) -> Numbers:
    """Segments cut to the unit square (Liang and Barsky 1984); those outside are left out."""
    start, run = ends[:2], ends[2:] - ends[:2]
    first, last = np.zeros(ends.shape[1]), np.ones(ends.shape[1])
    outside = np.zeros(ends.shape[1], np.bool_)
    for side in (0, 1):
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = -start[side] / run[side], (1 - start[side]) / run[side]
        level = run[side] == 0
        outside |= level & ((start[side] < 0) | (start[side] > 1))
        first = np.where(level, first, np.maximum(first, np.minimum(low, high)))
        last = np.where(level, last, np.minimum(last, np.maximum(low, high)))
    kept = ~outside & (first <= last)
    cut = np.concatenate([start + first * run, start + last * run])[:, kept]
    return np.asarray(np.clip(cut, 0, 1))


def _set_segments(dots: Dots, places: Places, dash: Dash) -> None:
    x1, y1, x2, y2 = places
    upright, level = x1 == x2, y1 == y2
    _set_runs(dots, x1[upright], y1[upright], y2[upright], dash)
    flat = level & ~upright
    _set_runs(dots.T, y1[flat], x1[flat], x2[flat], dash)
    slanted = ~upright & ~level
    if not slanted.any():
        return
    sizes = (*dots.shape[::-1], *dots.shape[::-1])
    different = np.unique(np.ravel_multi_index(tuple(places[:, slanted]), sizes))
    segments = np.array(np.unravel_index(different, sizes))
    total = int(np.abs(segments[2:] - segments[:2]).max(axis=0).sum())
    for part in np.array_split(segments, 1 + total // _AT_ONCE, axis=1):
        _set_slanted(dots, part, dash)
        if dots.all():
            return


def _set_runs(dots: Dots, lines: Places, start: Places, end: Places, dash: Dash) -> None:
    """Runs along columns: ends are counted, and a dot is set where more began than ended."""
    if not len(lines):
        return
    opened = np.zeros((dots.shape[0] + 1, dots.shape[1]), np.intp)
    np.add.at(opened, (np.minimum(start, end), lines), 1)
    np.add.at(opened, (np.maximum(start, end) + 1, lines), -1)
    on = np.arange(dots.shape[0]) % dash[0] < dash[1]
    dots |= (opened.cumsum(axis=0)[:-1] > 0) & on[:, np.newaxis]


def _set_slanted(dots: Dots, segments: Places, dash: Dash) -> None:
    """One dot for each step along the longer side of a segment."""
    x1, y1, x2, y2 = segments
    length = np.maximum(np.abs(x2 - x1), np.abs(y2 - y1))
    which = np.repeat(np.arange(len(length)), length + 1)
    step = np.arange(len(which)) - np.repeat(np.cumsum(length + 1) - length - 1, length + 1)
    share = step / length[which]
    x = np.rint(x1[which] + share * (x2 - x1)[which]).astype(np.intp)
    y = np.rint(y1[which] + share * (y2 - y1)[which]).astype(np.intp)
    wide = (np.abs(x2 - x1) >= np.abs(y2 - y1))[which]
    on = np.where(wide, x, y) % dash[0] < dash[1]
    dots[y[on], x[on]] = True


# A field of characters on which layers are painted: braille dots (2 × 4 a character) or ASCII.


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
