"""Canvas of characters or braille dots in the terminal, and the dots of lines and ribbons on it.

Coordinates run from 0 to 1 on both axes; row 0 of the dots is the top.
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
    Pixels = NDArray[np.intp]
    Dots = NDArray[np.bool_]

Dash = tuple[int, int]
"""Period of a dashed line in dots, and the number of dots set in each period."""

SOLID: Dash = (1, 1)
_MAX_DOTS_PER_CHUNK = 4_000_000


def line_dots(
    x: Numbers, y: Numbers, shape: tuple[int, int], *, steps: bool = False, dash: Dash = SOLID
) -> Dots:
    """Canvas dots of a line through points; the line breaks at NaN and is clipped to the canvas.

    Example:
        >>> dots = line_dots(np.array([0.0, 1.0]), np.array([0.0, 1.0]), (3, 3))
        >>> dots.astype(int).tolist()
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    dots = np.zeros(shape, np.bool_)
    if steps and len(x) > 1:
        x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    x, y = _without_repeats(x, y, shape)
    is_defined = ~(np.isnan(x) | np.isnan(y))
    is_joined = is_defined[:-1] & is_defined[1:]
    is_isolated = is_defined & ~np.append(is_joined, False) & ~np.append([False], is_joined)
    _set_points(dots, x[is_isolated], y[is_isolated])
    segments = np.array([x[:-1], y[:-1], x[1:], y[1:]])[:, is_joined]
    segments = _clip_segments(segments)
    last_column, last_row = shape[1] - 1, shape[0] - 1
    pixels = np.rint(
        segments * np.array([last_column, last_row, last_column, last_row])[:, np.newaxis]
    ).astype(np.intp)
    pixels[1::2] = last_row - pixels[1::2]
    _set_segments(dots, pixels, dash)
    return dots


def ribbon_dots(x: Numbers, low: Numbers, high: Numbers, shape: tuple[int, int]) -> Dots:
    """Canvas dots of a ribbon between a lower and an upper line over the same x."""
    dots = np.zeros(shape, np.bool_)
    is_defined = ~(np.isnan(x) | np.isnan(low) | np.isnan(high))
    if not is_defined.any():
        return dots
    order = np.argsort(x[is_defined], kind="stable")
    x, low, high = (side[is_defined][order] for side in (x, low, high))
    columns = np.linspace(0, 1, shape[1])
    half_step = 0.5 / max(shape[1] - 1, 1)
    is_inside = (columns >= x[0] - half_step) & (columns <= x[-1] + half_step)
    heights = np.linspace(1, 0, shape[0])[:, np.newaxis]
    is_between = (heights >= np.interp(columns, x, low)) & (heights <= np.interp(columns, x, high))
    dots |= is_between & is_inside
    return dots


def _without_repeats(x: Numbers, y: Numbers, shape: tuple[int, int]) -> tuple[Numbers, Numbers]:
    """Points without those that fall on the same dot as their predecessor."""
    if len(x) < 3:
        return x, y
    column, row = np.rint(x * (shape[1] - 1)), np.rint(y * (shape[0] - 1))
    is_same = (column[1:] == column[:-1]) & (row[1:] == row[:-1])
    is_new = np.append([True], ~is_same)
    return x[is_new], y[is_new]


def _set_points(dots: Dots, x: Numbers, y: Numbers) -> None:
    is_inside = (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)
    last_row, last_column = dots.shape[0] - 1, dots.shape[1] - 1
    rows = last_row - np.rint(y[is_inside] * last_row).astype(np.intp)
    dots[rows, np.rint(x[is_inside] * last_column).astype(np.intp)] = True


def _clip_segments(segments: Numbers) -> Numbers:
    """Segments clipped to the unit square (Liang and Barsky 1984), without those outside."""
    start, displacement = segments[:2], segments[2:] - segments[:2]
    first, last = np.zeros(segments.shape[1]), np.ones(segments.shape[1])
    is_outside = np.zeros(segments.shape[1], np.bool_)
    for side in (0, 1):
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = -start[side] / displacement[side], (1 - start[side]) / displacement[side]
        is_parallel = displacement[side] == 0
        is_outside |= is_parallel & ((start[side] < 0) | (start[side] > 1))
        first = np.where(is_parallel, first, np.maximum(first, np.minimum(low, high)))
        last = np.where(is_parallel, last, np.minimum(last, np.maximum(low, high)))
    is_visible = ~is_outside & (first <= last)
    ends = [start + first * displacement, start + last * displacement]
    clipped = np.concatenate(ends)[:, is_visible]
    return np.asarray(np.clip(clipped, 0, 1))


def _set_segments(dots: Dots, pixels: Pixels, dash: Dash) -> None:
    x1, y1, x2, y2 = pixels
    is_vertical, is_horizontal = x1 == x2, (y1 == y2) & (x1 != x2)
    _set_runs(dots, x1[is_vertical], y1[is_vertical], y2[is_vertical], dash)
    _set_runs(dots.T, y1[is_horizontal], x1[is_horizontal], x2[is_horizontal], dash)
    is_slanted = ~is_vertical & ~is_horizontal
    if not is_slanted.any():
        return
    sizes = (*dots.shape[::-1], *dots.shape[::-1])
    distinct = np.unique(np.ravel_multi_index(tuple(pixels[:, is_slanted]), sizes))
    segments = np.array(np.unravel_index(distinct, sizes))
    total = int(np.abs(segments[2:] - segments[:2]).max(axis=0).sum())
    for chunk in np.array_split(segments, 1 + total // _MAX_DOTS_PER_CHUNK, axis=1):
        _set_slanted(dots, chunk, dash)
        if dots.all():
            return


def _set_runs(dots: Dots, columns: Pixels, start: Pixels, end: Pixels, dash: Dash) -> None:
    """Set vertical runs of dots: dots at which more runs have begun than ended."""
    if not len(columns):
        return
    open_runs = np.zeros((dots.shape[0] + 1, dots.shape[1]), np.intp)
    np.add.at(open_runs, (np.minimum(start, end), columns), 1)
    np.add.at(open_runs, (np.maximum(start, end) + 1, columns), -1)
    is_on = np.arange(dots.shape[0]) % dash[0] < dash[1]
    dots |= (open_runs.cumsum(axis=0)[:-1] > 0) & is_on[:, np.newaxis]


def _set_slanted(dots: Dots, segments: Pixels, dash: Dash) -> None:
    """Set slanted segments, one dot for each step along the longer axis."""
    x1, y1, x2, y2 = segments
    length = np.maximum(np.abs(x2 - x1), np.abs(y2 - y1))
    segment_index = np.repeat(np.arange(len(length)), length + 1)
    step = np.arange(len(segment_index)) - np.repeat(np.cumsum(length + 1) - length - 1, length + 1)
    fraction = step / length[segment_index]
    x = np.rint(x1[segment_index] + fraction * (x2 - x1)[segment_index]).astype(np.intp)
    y = np.rint(y1[segment_index] + fraction * (y2 - y1)[segment_index]).astype(np.intp)
    is_wide = (np.abs(x2 - x1) >= np.abs(y2 - y1))[segment_index]
    is_on = np.where(is_wide, x, y) % dash[0] < dash[1]
    dots[y[is_on], x[is_on]] = True


BLANK_BRAILLE = 0x2800
# Bits of the eight dots of a braille character, by row and column.
_DOT_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BAR_BLOCKS = np.array(list(" ▁▂▃▄▅▆▇█"))
_ASCII_BAR_BLOCKS = np.array(list(" ___#####"))


@dataclass(frozen=True)
class Pen:
    """Drawing style of a layer: its ASCII character, dashes, colour and letter."""

    character: str
    dash: Dash = SOLID
    colour: int | None = None
    letter: str = ""

    def dash_in(self, style: Style) -> Dash:
        """Dash pattern in dots; an ASCII character is as wide as two dots."""
        return (-(-self.dash[0] // 2), -(-self.dash[1] // 2)) if style.ascii_only else self.dash

    def stroke(self, style: Style) -> str:
        """Short sample of the line, for the legend."""
        if self.letter and not style.ascii_only:
            return self.letter
        if style.ascii_only:
            return self.character * (1 if self.letter else 3)
        is_on = [i % self.dash[0] < self.dash[1] for i in range(6)]
        return "".join(
            chr(BLANK_BRAILLE + 0x04 * left + 0x20 * right)
            for left, right in zip(is_on[::2], is_on[1::2], strict=True)
        ).replace(chr(BLANK_BRAILLE), " ")


class Canvas:
    """Grid of characters and colours: braille dots (2 × 4 per character) or ASCII.

    Later layers are painted over earlier ones.
    """

    def __init__(self, width: int, height: int, style: Style) -> None:
        self.style = style
        self.width, self.height = width, height
        self.shape = (height, width) if style.ascii_only else (4 * height, 2 * width)
        self._dots = np.zeros(self.shape, np.bool_)
        self.glyphs = np.full((height, width), "", "<U1")
        self._colours = np.full((height, width), -1, np.intp)

    def paint(self, dots: NDArray[np.bool_], pen: Pen) -> None:
        """Paint the dots of one layer."""
        if self.style.ascii_only:
            self.glyphs[dots] = pen.character
        self._dots |= dots
        self._colours[self.character_mask(dots)] = -1 if pen.colour is None else pen.colour

    def shade(self, dots: NDArray[np.bool_], pen: Pen) -> None:
        """Paint a light tint: one dot per character."""
        if self.style.ascii_only:
            self.paint(dots, pen)
            return
        sparse_dots = np.zeros(self.shape, np.bool_)
        sparse_dots[2::4, ::2] = True
        self.paint(dots & sparse_dots, pen)

    def paint_bars(self, heights: NDArray[np.float64], pen: Pen) -> None:
        """Paint bars from the bottom up, one per column; a height of 1 fills the canvas."""
        eighths = np.rint(8 * self.height * np.clip(np.nan_to_num(heights), 0, 1))
        eighths = np.where((heights > 0) & (eighths == 0), 1, eighths)  # a rare value stays visible
        eighths_below = 8 * np.arange(self.height)[::-1, np.newaxis]
        filled_eighths = np.clip(eighths - eighths_below, 0, 8).astype(np.intp)
        glyphs = (_ASCII_BAR_BLOCKS if self.style.ascii_only else _BAR_BLOCKS)[filled_eighths]
        self.glyphs = np.where(filled_eighths > 0, glyphs, self.glyphs)
        self._colours[filled_eighths > 0] = -1 if pen.colour is None else pen.colour

    def put(self, row: int, column: int, glyph: str, colour: int | None) -> None:
        """Put one character."""
        self.glyphs[row, column] = glyph
        self._colours[row, column] = -1 if colour is None else colour

    def character_mask(self, dots: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mask of the characters that contain dots."""
        return np.asarray(self._by_character(dots).any(axis=(2, 3)))

    def text_lines(self) -> list[str]:
        """Lines of text, from the top."""
        codes = BLANK_BRAILLE + (
            self._by_character(self._dots) * _DOT_BITS[: self._dot_rows, : self._dot_columns]
        ).sum(axis=(2, 3))
        lines = []
        for glyphs, row_codes, colours in zip(self.glyphs, codes, self._colours, strict=True):
            text = [
                glyph or (" " if code == BLANK_BRAILLE or self.style.ascii_only else chr(code))
                for glyph, code in zip(glyphs, row_codes, strict=True)
            ]
            runs = groupby(zip(text, colours, strict=True), key=lambda cell: int(cell[1]))
            lines.append(
                "".join(
                    self.style.colour_text(
                        "".join(c for c, _ in run), None if colour < 0 else colour
                    )
                    for colour, run in runs
                )
            )
        return lines

    @property
    def _dot_rows(self) -> int:
        return 1 if self.style.ascii_only else 4

    @property
    def _dot_columns(self) -> int:
        return 1 if self.style.ascii_only else 2

    def _by_character(self, dots: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Dots grouped by row and column of their character."""
        blocks = dots.reshape(self.height, self._dot_rows, self.width, self._dot_columns)
        return blocks.transpose(0, 2, 1, 3)
